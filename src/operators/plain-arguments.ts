// The first look at arguments, before their shape: a plain copy, or the values that no argument may hold.
// Keeps what only JavaScript has for instants (Date, Temporal.Instant) for the canonical form to read.
import { PalimpsestError } from "../contract/errors.js";
import { readGiven } from "../contract/given.js";
import { checkText, type JsonObject, type JsonValue, normaliseNumber, setOwn } from "../contract/values.js";

const MAX_DEPTH = 100;

export function isInstantObject(value: object): boolean {
  return value instanceof Date || typeof (value as { epochNanoseconds?: unknown }).epochNanoseconds === "bigint";
}

function notJson(value: unknown, path: string): never {
  throw new PalimpsestError("E_SCHEMA", `${path || "the arguments"}: ${typeof value} is not a JSON value`, {
    details: { path },
    hint: "give plain objects, arrays, strings, numbers, bigints, booleans and null",
  });
}

/** Whether a bigint at a path may be an instant, in microseconds: there it stays a bigint, since a number says no unit. */
export type IsInstantPlace = (path: string) => boolean;

/** A plain copy of one value, instants of JavaScript kept as they are; refuses what no argument may hold. */
export function plainValue(value: unknown, path: string, isInstantPlace: IsInstantPlace, depth = 1): JsonValue {
  switch (typeof value) {
    case "string":
      return checkText(value, path);
    case "number":
      return normaliseNumber(value, path);
    case "bigint": {
      const number = normaliseNumber(value, path);
      return isInstantPlace(path) ? value : number;
    }
    case "boolean":
      return value;
    case "object":
      break;
    default:
      return notJson(value, path);
  }
  if (value === null) return null;
  if (depth > MAX_DEPTH) {
    throw new PalimpsestError("E_INVALID_ARG", `${path}: nested deeper than ${MAX_DEPTH}`, { details: { path } });
  }
  const inside = (member: unknown, key: string | number): JsonValue =>
    plainValue(member, `${path}/${key}`, isInstantPlace, depth + 1);
  if (Array.isArray(value)) {
    // A list with holes, and however long it says it is, ends at its first one.
    const members: JsonValue[] = [];
    for (let i = 0; i < value.length; i += 1) members.push(inside(value[i], i));
    return members;
  }
  if (isInstantObject(value)) return value as unknown as JsonValue;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return notJson(value, path);
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined) setOwn(copy, checkText(key, path), inside(member, key));
  }
  return copy;
}

/** A plain copy of the arguments; a member that is undefined counts as left out. */
export function plainArguments(args: unknown, isInstantPlace: IsInstantPlace): JsonObject {
  const isNone = (): boolean => Array.isArray(args) || isInstantObject(args as object);
  if (typeof args !== "object" || args === null || readGiven("", "the arguments", isNone)) {
    throw new PalimpsestError("E_SCHEMA", "the arguments are not an object", {
      details: { path: "" },
      hint: 'give the arguments by name, as in {"uid": "a"}',
    });
  }
  return readGiven("", "the arguments", () => plainValue(args, "", isInstantPlace, 0)) as JsonObject;
}
