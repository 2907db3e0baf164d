// Values by their types: equality as V8 has it, and order.
// Texts of times that do not parse equal nothing.
import { canonicalJson } from "../../../src/contract/canonical.js";
import { roundedTo } from "../../../src/contract/decimals.js";
import { parseDuration } from "../../../src/contract/duration.js";
import { parseInstant } from "../../../src/contract/parse-instant.js";
import type { JsonValue } from "../../../src/contract/values.js";
import type { OutputType } from "../../../src/plan/output-types.js";

export type Kind = "int" | "double" | "string" | "bool" | "instant" | "duration" | "none";

/** The type of a cell; of one that only its value can tell, that of the value. */
export function kindOf(type: OutputType, value: JsonValue): Kind {
  if (type.kind === "scalar" && type.type !== "json" && type.type !== "null") {
    return type.type === "instant_open" ? "instant" : type.type;
  }
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "double";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "none";
}

const isNumber = (value: unknown): value is number | bigint => typeof value === "number" || typeof value === "bigint";
const nineDecimals = (value: number | bigint): string => canonicalJson(roundedTo(Number(value), 9));

/** Microseconds of an instant or a duration; nothing where the text is none. */
export function microsOf(kind: "instant" | "duration", value: unknown): bigint | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return kind === "instant" ? parseInstant(value, "") : parseDuration(value, "");
  } catch {
    return undefined;
  }
}

export function equals(kind: Kind, cell: JsonValue, given: unknown): boolean {
  if (cell === null || given === null) return cell === given;
  switch (kind) {
    case "int":
      if (!isNumber(given) || (typeof given === "number" && !Number.isInteger(given))) return false;
      return BigInt(given) === BigInt(cell as number | bigint);
    case "double":
      return isNumber(given) && nineDecimals(given) === nineDecimals(cell as number | bigint);
    case "instant":
    case "duration": {
      const us = microsOf(kind, given);
      return us !== undefined && us === microsOf(kind, cell);
    }
    default:
      return typeof given === typeof cell && given === cell;
  }
}

/** Below, at or above 0 for what has an order; nothing for anything else. */
export function compare(kindA: Kind, a: JsonValue, kindB: Kind, b: JsonValue): number | undefined {
  const isNumeric = (kind: Kind): boolean => kind === "int" || kind === "double";
  if (isNumeric(kindA) && isNumeric(kindB)) return sign(a as number | bigint, b as number | bigint);
  const kind = kindA === kindB && (kindA === "instant" || kindA === "duration") ? kindA : undefined;
  if (kind === undefined) return undefined;
  // An open end is later than everything.
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return sign(microsOf(kind, a)!, microsOf(kind, b)!);
}

const sign = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);
