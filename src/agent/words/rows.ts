// Rows of a result that code prints as they are, but for their instants, which are those of a zone.
import type { Zone } from "../../calendar/zones.js";
import type { JsonValue } from "../../contract/values.js";
import type { OutputType } from "../../plan/output-types.js";
import { shownInstant } from "./values.js";

/** What is of no known type stays as it is. */
export function inZone(value: JsonValue, type: OutputType, zone: Zone): JsonValue {
  if (type.kind === "scalar") {
    const isInstant = type.type === "instant" || type.type === "instant_open";
    return isInstant && typeof value === "string" ? shownInstant(value, zone) : value;
  }
  if (typeof value !== "object" || value === null || type.kind === "any") return value;
  if (Array.isArray(value)) {
    return type.kind === "list" ? value.map((each: JsonValue) => inZone(each, type.item, zone)) : value;
  }
  if (type.kind === "list") return value;
  const members = Object.entries(value).map(([name, member]) => {
    const of = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
    return [name, of === undefined ? member : inZone(member as JsonValue, of, zone)] as const;
  });
  return Object.fromEntries(members);
}
