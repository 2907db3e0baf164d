// The aggregates of compute: what each makes of a column's type, and how it takes values one by one.
// Sums are exact, so no order of the rows changes a figure; nulls take no part.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { durationUs, int64 } from "../expressions/arithmetic.js";
import { invalidType } from "../expressions/compiled.js";
import {
  compareValues,
  identityOf,
  isForever,
  isInstant,
  isNumber,
  isTime,
  type Value,
  type ValueType,
} from "../expressions/types.js";
import { ExactSum } from "../numbers/exact-sum.js";
import {
  ceilOf,
  derived,
  type Fraction,
  fractionOf,
  nearestWhole,
  percentFraction,
  rootOf,
  toDouble,
} from "../numbers/fractions.js";
import type { Turns } from "../turns.js";
import { Identities } from "./identities.js";
import { sortedPositions } from "./sorting.js";
import type { Table } from "./table.js";

export interface AggregateArguments {
  readonly fn: string;
  readonly field: string | null;
  readonly p?: number | null;
  readonly method?: "nearest" | "linear";
}

/** Takes the values of one group; `finish` is null over nothing. */
export interface Accumulator {
  add(value: Value): void;
  finish(turns: Turns): Value | Promise<Value>;
}

export interface Aggregate {
  readonly type: ValueType;
  /** The value of a row that takes part; null takes none. */
  readonly read: (row: JsonValue) => Value;
  start(): Accumulator;
}

class Count implements Accumulator {
  private count = 0;
  add(): void {
    this.count += 1;
  }
  finish(): Value {
    return this.count;
  }
}

class DistinctCount implements Accumulator {
  private readonly seen = new Identities();
  add(value: Value): void {
    this.seen.numberOf(identityOf(value));
  }
  finish(): Value {
    return this.seen.count;
  }
}

class Extreme implements Accumulator {
  private best: Value = null;
  constructor(private readonly sign: number) {}
  add(value: Value): void {
    const order = this.best === null ? -1 : this.sign * compareValues(value, this.best);
    // An int64 comes before the double of its value, so that the order of the rows decides nothing.
    if (order < 0 || (order === 0 && typeof value === "bigint")) this.best = value;
  }
  finish(): Value {
    return this.best;
  }
}

/** Sum, mean and deviation; a value that is FOREVER makes them null. */
class Moments implements Accumulator {
  private readonly sum: ExactSum;
  private hasForever = false;
  constructor(
    withSquares: boolean,
    private readonly of: (sum: ExactSum) => Value,
  ) {
    this.sum = new ExactSum(withSquares);
  }
  add(value: Value): void {
    if (isForever(value)) this.hasForever = true;
    else this.sum.add(value as number | bigint);
  }
  finish(): Value {
    return this.hasForever || this.sum.count === 0 ? null : this.of(this.sum);
  }
}

/** Between two values, `weight` of the way from the first to the second. */
function between(a: Value, b: Value, { num, den }: Fraction, type: ValueType): Value {
  if (num === 0n) return a;
  if (isForever(a) || isForever(b)) return null;
  const [x, y] = [fractionOf(a as number | bigint), fractionOf(b as number | bigint)];
  const [from, to] = [x.num * y.den, y.num * x.den];
  const exact = { num: from * (den - num) + to * num, den: den * x.den * y.den };
  return isTime(type) ? nearestWhole(exact) : derived(toDouble(exact));
}

/** The value at a place among the sorted ones, counted from 0. */
class Placed implements Accumulator {
  private readonly values: Value[] = [];
  constructor(
    private readonly type: ValueType,
    private readonly place: (count: number) => Fraction,
  ) {}
  add(value: Value): void {
    this.values.push(value);
  }
  async finish(turns: Turns): Promise<Value> {
    const { values } = this;
    if (values.length === 0) return null;
    const compare = (a: number, b: number): number =>
      compareValues(values[a]!, values[b]!) ||
      Number(typeof values[b] === "bigint") - Number(typeof values[a] === "bigint");
    const sorted = await sortedPositions(values.length, compare, turns);
    const { num, den } = this.place(values.length);
    const lower = Number(num / den);
    const upper = Math.min(lower + 1, values.length - 1);
    return between(values[sorted[lower]!]!, values[sorted[upper]!]!, { num: num % den, den }, this.type);
  }
}

const wholeOf = ({ num, den }: Fraction): bigint => num / den;

function sumOf(type: ValueType): (sum: ExactSum) => Value {
  if (type === "int") return (sum) => int64(wholeOf(sum.sum()));
  if (type === "duration") return (sum) => durationUs(wholeOf(sum.sum()));
  return (sum) => derived(toDouble(sum.sum()));
}

function meanOf(type: ValueType): (sum: ExactSum) => Value {
  const quotient = (sum: ExactSum): Fraction => {
    const { num, den } = sum.sum();
    return { num, den: den * BigInt(sum.count) };
  };
  if (isTime(type)) return (sum) => nearestWhole(quotient(sum));
  // Of integers the exact quotient, of doubles the correctly rounded sum, divided (docs/contract.md A11).
  return (sum) => derived(sum.areInts ? toDouble(quotient(sum)) : toDouble(sum.sum()) / sum.count);
}

function deviationOf(type: ValueType): (sum: ExactSum) => Value {
  if (isTime(type)) return (sum) => nearestWhole(fractionOf(rootOf(sum.variance())));
  return (sum) => derived(rootOf(sum.variance()));
}

function placeOf({ fn, p, method }: AggregateArguments): (count: number) => Fraction {
  if (fn === "median") return (count) => ({ num: BigInt(count - 1), den: 2n });
  const share = percentFraction(p!);
  if (method === "linear") return (count) => ({ num: BigInt(count - 1) * share.num, den: share.den });
  return (count) => ({ num: BigInt(Math.max(1, ceilOf(count, share)) - 1), den: 1n });
}

const refuse = (fn: string, type: ValueType, path: string): never => {
  throw invalidType(path, `${fn} has no meaning for ${type}`, "name the type of inline texts in `types`");
};

/** What an aggregate gives for a column of a type. */
function measured(args: AggregateArguments, type: ValueType, path: string): Omit<Aggregate, "read"> {
  const { fn } = args;
  const isMeasure = isNumber(type) || isTime(type) || type === "null";
  switch (fn) {
    case "count":
      return { type: "int", start: () => new Count() };
    case "count_distinct":
      return { type: "int", start: () => new DistinctCount() };
    case "min":
    case "max":
      if (type === "json") refuse(fn, type, path);
      return { type, start: () => new Extreme(fn === "min" ? 1 : -1) };
    case "sum":
      if (!isMeasure || isInstant(type)) refuse(fn, type, path);
      return { type, start: () => new Moments(false, sumOf(type)) };
    case "mean":
      if (!isMeasure) refuse(fn, type, path);
      return { type: meanType(type), start: () => new Moments(false, meanOf(type)) };
    case "stddev":
      if (!isMeasure) refuse(fn, type, path);
      return { type: isTime(type) ? "duration" : meanType(type), start: () => new Moments(true, deviationOf(type)) };
    default: {
      const isInterpolated = fn === "median" || args.method === "linear";
      if (type === "json" || (isInterpolated && !isMeasure)) refuse(fn, type, path);
      return {
        type: isInterpolated && isNumber(type) ? "double" : type,
        start: () => new Placed(type, placeOf(args)),
      };
    }
  }
}

function meanType(type: ValueType): ValueType {
  if (isNumber(type)) return "double";
  return type === "instant_open" ? "instant" : type;
}

/** The aggregate over a column; without one, `count` is of rows, and `count_distinct` of rows that are objects. */
export function aggregateOf(table: Table, args: AggregateArguments, path: string): Aggregate {
  const { fn, field } = args;
  if (field === null && fn === "count") return { type: "int", read: () => true, start: () => new Count() };
  if (field === null && fn === "count_distinct" && !table.hasOneColumn) {
    const textOf = (row: JsonObject): string => canonicalJson(row);
    return { type: "int", read: (row) => textOf(table.shown(row)), start: () => new DistinctCount() };
  }
  const column = field ?? table.theColumn(`${path}/field`);
  const type = table.typeOf(column, `${path}/field`);
  return { ...measured(args, type, `${path}/field`), read: table.reader(column, type) };
}
