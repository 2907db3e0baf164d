// The closed list of functions of expressions: how many arguments each takes, and which have a calendar unit.
// What they mean is in the file named after their family.
import { PART_UNITS, TRUNC_UNITS } from "../../calendar/units.js";

export type Family = "comparison" | "logic" | "choice" | "arithmetic" | "text" | "time";

export interface FunctionRule {
  readonly family: Family;
  /** Fewest and most arguments as written; an interval is one leaf or two arguments. */
  readonly least: number;
  readonly most: number;
  readonly units?: "trunc" | "part";
}

/** Calendar units by the function that takes them. */
export const UNITS: { readonly trunc: readonly string[]; readonly part: readonly string[] } = {
  trunc: TRUNC_UNITS,
  part: PART_UNITS,
};

const rule = (family: Family, least: number, most = least, units?: "trunc" | "part"): FunctionRule =>
  units === undefined ? { family, least, most } : { family, least, most, units };
const ANY = Number.POSITIVE_INFINITY;

const RULES = {
  eq: rule("comparison", 2),
  ne: rule("comparison", 2),
  lt: rule("comparison", 2),
  le: rule("comparison", 2),
  gt: rule("comparison", 2),
  ge: rule("comparison", 2),
  in: rule("comparison", 2, ANY),
  min2: rule("comparison", 2),
  max2: rule("comparison", 2),
  and: rule("logic", 1, ANY),
  or: rule("logic", 1, ANY),
  not: rule("logic", 1),
  is_null: rule("choice", 1),
  coalesce: rule("choice", 1, ANY),
  case: rule("choice", 2, ANY),
  add: rule("arithmetic", 2),
  sub: rule("arithmetic", 2),
  mul: rule("arithmetic", 2),
  div: rule("arithmetic", 2),
  floordiv: rule("arithmetic", 2),
  mod: rule("arithmetic", 2),
  abs: rule("arithmetic", 1),
  lower: rule("text", 1),
  upper: rule("text", 1),
  length: rule("text", 1),
  concat: rule("text", 1, ANY),
  starts_with: rule("text", 2),
  ends_with: rule("text", 2),
  contains: rule("text", 2),
  has_label: rule("text", 2),
  duration: rule("time", 1, 2),
  overlap_from: rule("time", 1, ANY),
  overlap_to: rule("time", 1, ANY),
  allen: rule("time", 2, 4),
  trunc: rule("time", 1, 1, "trunc"),
  part: rule("time", 1, 1, "part"),
} satisfies Record<string, FunctionRule>;

export type FunctionName = keyof typeof RULES;
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionRule>> = RULES;
export const FUNCTION_NAMES = Object.keys(RULES) as FunctionName[];
