// What each function of expressions gives, for readers; numbers of arguments come from functions.ts.
import type { ManualTable } from "../declaration.js";
import { FUNCTION_NAMES, FUNCTIONS, type FunctionName, UNITS } from "./functions.js";

const GIVES: Readonly<Record<FunctionName, string>> = {
  eq: "equal; null where a side is null",
  ne: "not equal",
  lt: "below",
  le: "not above",
  gt: "above",
  ge: "not below",
  in: "the first is equal to one of the others, or to a member of a list",
  min2: "the lesser",
  max2: "the greater",
  and: "all are true; null where that is open",
  or: "one is true",
  not: "true for false, and the other way round",
  is_null: "whether there is no value; never null itself",
  coalesce: "the first that is not null",
  case: "when, then, when, then, …, and at an odd end what else",
  add: "sum; an instant and a duration give an instant",
  sub: "difference; of two instants a duration",
  mul: "product",
  div: "quotient, a double also of integers; of two durations a double; by zero null",
  floordiv: "quotient of integers, rounded down",
  mod: "what floordiv leaves",
  abs: "without its sign",
  lower: "in small letters",
  upper: "in capital letters",
  length: "code points of a text",
  concat: "texts, one after the other",
  starts_with: "whether a text begins so",
  ends_with: "whether it ends so",
  contains: "whether it holds the other, or an array has the member",
  has_label: "whether labels have this one",
  duration: "length of an interval, given by its two ends; null without an end",
  overlap_from: "where the common part of intervals begins; each is two arguments",
  overlap_to: "where it ends",
  allen: "name of the relation of two intervals, each two arguments",
  trunc: `beginning of the calendar period; unit: ${UNITS.trunc.join(", ")}`,
  part: `a part of the local date or time; unit: ${UNITS.part.join(", ")}`,
};

function countText(name: FunctionName): string {
  const { least, most } = FUNCTIONS[name];
  if (least === most) return String(least);
  return most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`;
}

export const EXPRESSION_FUNCTIONS: ManualTable = {
  title: "Functions of expressions",
  head: ["fn", "arguments", "gives"],
  rows: FUNCTION_NAMES.map((name) => [`\`${name}\``, countText(name), GIVES[name]]),
};
