// ratio, diff, percent of two values, and the relation of two intervals.
import { PalimpsestError } from "../../contract/errors.js";
import { parseInstant, parseValidTo } from "../../contract/parse-instant.js";
import type { JsonValue } from "../../contract/values.js";
import { periodOrder } from "../canonical-args.js";
import { arithmeticRule, ratioOf } from "../expressions/arithmetic.js";
import { relationOf } from "../expressions/intervals.js";
import { fromJson, isNumber, toJson, typeOfValue, type ValueType } from "../expressions/types.js";
import { derived, quotient, toDouble } from "../numbers/fractions.js";
import type { ValueWork } from "./work.js";

export interface Operand {
  readonly type: ValueType;
  /** In JSON form. */
  readonly value: JsonValue;
}

/** The value of an argument, its text canonical where a type is named. */
export function operand(name: string, given: JsonValue, type: ValueType | undefined): Operand {
  if (type === undefined) return { type: typeOfValue(given), value: given };
  return { type, value: toJson(fromJson(given, type, `/${name}`), type) };
}

type Numeric = number | bigint;

function percentOf(x: Numeric, y: Numeric): number | null {
  if (Number(y) === 0) return null;
  const { num, den } = ratioOf(x, y);
  return toDouble(quotient(100n * num, den));
}

export type PairFunction = "ratio" | "diff" | "percent";

function pairRule(fn: PairFunction, x: ValueType, y: ValueType) {
  const rule = arithmeticRule(fn === "diff" ? "sub" : "div", x, y, "/x");
  if (fn !== "percent") return rule;
  if (rule.type !== "double" || isNumber(x) !== isNumber(y)) {
    throw new PalimpsestError("E_INVALID_ARG", `/x: percent has no meaning for ${x} and ${y}`, {
      details: { path: "/x", types: [x, y] },
      hint: "give two numbers or two durations",
    });
  }
  return { ...rule, apply: percentOf };
}

export function pairWork(fn: PairFunction, x: Operand, y: Operand): ValueWork {
  const isNothing = x.type === "null" || y.type === "null";
  const rule = isNothing ? undefined : pairRule(fn, x.type, y.type);
  return {
    kind: "value",
    type: rule?.type ?? "null",
    async run() {
      const [left, right] = [fromJson(x.value, x.type, "/x"), fromJson(y.value, y.type, "/y")];
      if (rule === undefined || left === null || right === null) return { value: null, type: "null" };
      const result = rule.apply(left as Numeric, right as Numeric);
      if (result === null) return { value: null, type: "null" };
      const { type, isDerived = false } = rule;
      return { value: toJson(isDerived ? derived(result as number) : result, type), type };
    },
  };
}

export interface IntervalArgument {
  readonly from: string;
  readonly to: string | null;
}

function ends({ from, to }: IntervalArgument, path: string): readonly [bigint, bigint] {
  return [parseInstant(from, `${path}/from`), parseValidTo(to, `${path}/to`)];
}

/** E_PERIOD_ORDER for an interval that ends where it begins, or before; undefined where a text was refused already. */
export function emptyInterval(interval: IntervalArgument, path: string): PalimpsestError | undefined {
  try {
    const [fromUs, toUs] = ends(interval, path);
    return fromUs >= toUs ? periodOrder(interval.from, interval.to ?? "forever", path) : undefined;
  } catch (error) {
    if (error instanceof PalimpsestError) return undefined;
    throw error;
  }
}

export function relationWork(a: IntervalArgument, b: IntervalArgument): ValueWork {
  return {
    kind: "value",
    type: "string",
    run: async () => ({ value: relationOf(...ends(a, "/a"), ...ends(b, "/b")), type: "string" }),
  };
}
