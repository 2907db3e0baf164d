// add sub mul div floordiv mod abs over numbers, durations and instants.
// Integers are exact; a double is the exact result, rounded once; leaving the range is E_LIMIT, dividing by zero null.
import { PalimpsestError } from "../../contract/errors.js";
import { BEGINNING_US, END_OF_CALENDAR_US, OPEN_END_US } from "../../contract/instant.js";
import { INT64_MAX, INT64_MIN } from "../../contract/values.js";
import { type Fraction, finite, floorOf, fractionOf, nearestWhole, quotient, toDouble } from "../numbers/fractions.js";
import { asTime, type Call, type Compiled, invalidType, type Made, NULL } from "./compiled.js";
import { isForever, isInstant, isNumber, isTime, type Value, type ValueType } from "./types.js";

type Numeric = number | bigint;
type Operation = (a: Numeric, b: Numeric) => Numeric | null;

function overflow(what: string): never {
  throw new PalimpsestError("E_LIMIT", `${what} is out of range`, { hint: "work with smaller values" });
}

/** An integer in the form of values; E_LIMIT outside int64. */
export function int64(value: bigint): Numeric {
  if (value < INT64_MIN || value > INT64_MAX) overflow(`the integer ${value}`);
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}

export function durationUs(value: bigint): bigint {
  if (value >= OPEN_END_US || value <= -OPEN_END_US) overflow(`a duration of ${value} µs`);
  return value;
}

export function instantUs(value: bigint): bigint {
  if (value < BEGINNING_US || value > END_OF_CALENDAR_US) overflow(`the instant ${value} µs`);
  return value;
}

const BIG: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
};

const FAST: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
};

function ints(fn: string): Operation {
  const [fast, big] = [FAST[fn]!, BIG[fn]!];
  return (a, b) => {
    if (typeof a === "number" && typeof b === "number") {
      const result = fast(a, b);
      if (Number.isSafeInteger(result)) return result === 0 ? 0 : result;
    }
    return int64(big(BigInt(a), BigInt(b)));
  };
}

const FRACTIONS: Readonly<Record<string, (a: Fraction, b: Fraction) => Fraction>> = {
  add: (a, b) => ({ num: a.num * b.den + b.num * a.den, den: a.den * b.den }),
  sub: (a, b) => ({ num: a.num * b.den - b.num * a.den, den: a.den * b.den }),
  mul: (a, b) => ({ num: a.num * b.num, den: a.den * b.den }),
};

function doubles(fn: string): Operation {
  const [fast, exact] = [FAST[fn]!, FRACTIONS[fn]!];
  return (a, b) =>
    typeof a === "number" && typeof b === "number" ? finite(fast(a, b)) : toDouble(exact(fractionOf(a), fractionOf(b)));
}

export const ratioOf = (a: Numeric, b: Numeric): Fraction => {
  const [x, y] = [fractionOf(a), fractionOf(b)];
  return quotient(x.num * y.den, x.den * y.num);
};

/** a / b as a double; null where b is zero. */
export function divide(a: Numeric, b: Numeric): number | null {
  if (isZero(b)) return null;
  return typeof a === "number" && typeof b === "number" ? finite(a / b) : toDouble(ratioOf(a, b));
}

/** a − b · floor(a / b), exactly: its sign is that of b. */
function remainder(a: Numeric, b: Numeric): Fraction {
  const [x, y] = [fractionOf(a), fractionOf(b)];
  const whole = floorOf(ratioOf(a, b));
  return { num: x.num * y.den - whole * y.num * x.den, den: x.den * y.den };
}

/** The remainder of two safe integers. */
function smallRemainder(a: number, b: number): number {
  const rest = a % b;
  if (rest === 0) return 0;
  return rest < 0 === b < 0 ? rest : rest + b;
}

const isZero = (value: Numeric): boolean => Number(value) === 0;

const remainderInt: Operation = (a, b) => {
  if (isZero(b)) return null;
  return typeof a === "number" && typeof b === "number" ? smallRemainder(a, b) : int64(remainder(a, b).num);
};
const remainderDouble: Operation = (a, b) => (isZero(b) ? null : toDouble(remainder(a, b)));
const floorInt: Operation = (a, b) => {
  if (isZero(b)) return null;
  if (typeof a === "bigint" || typeof b === "bigint") return int64(floorOf(ratioOf(a, b)));
  const whole = (a - smallRemainder(a, b)) / b;
  // The dividend may have left the safe integers by the remainder.
  return Number.isSafeInteger(a - smallRemainder(a, b)) ? (whole === 0 ? 0 : whole) : int64(floorOf(ratioOf(a, b)));
};
const floorDouble: Operation = (a, b) => (isZero(b) ? null : toDouble({ num: floorOf(ratioOf(a, b)), den: 1n }));

interface Rule {
  readonly type: ValueType;
  readonly isDerived?: boolean;
  readonly apply: Operation;
}

function numberRule(fn: string, areInts: boolean): Rule {
  if (fn === "div") return { type: "double", isDerived: true, apply: divide };
  if (fn === "floordiv") {
    return areInts ? { type: "int", apply: floorInt } : { type: "double", isDerived: true, apply: floorDouble };
  }
  if (fn === "mod") {
    return areInts ? { type: "int", apply: remainderInt } : { type: "double", isDerived: true, apply: remainderDouble };
  }
  return areInts ? { type: "int", apply: ints(fn) } : { type: "double", isDerived: true, apply: doubles(fn) };
}

const time = (type: "instant" | "duration", compute: (a: bigint, b: bigint) => bigint): Rule => {
  const inRange = type === "instant" ? instantUs : durationUs;
  return {
    type,
    apply: (a, b) => (isForever(a) || isForever(b) ? null : inRange(compute(a as bigint, b as bigint))),
  };
};

/** A duration times or over a number: rounded half-even to the microsecond. */
const scaled = (isProduct: boolean, durationFirst = true): Rule => ({
  type: "duration",
  apply: (a, b) => {
    const [us, factor] = durationFirst ? [a as bigint, b] : [b as bigint, a];
    if (!isProduct && isZero(factor)) return null;
    const { num, den } = fractionOf(factor);
    return durationUs(nearestWhole(isProduct ? { num: us * num, den } : quotient(us * den, num)));
  },
});

function timeRule(fn: string, a: ValueType, b: ValueType): Rule | undefined {
  const kindOf = (type: ValueType): string => (isInstant(type) ? "instant" : isNumber(type) ? "number" : type);
  switch (`${fn} ${kindOf(a)} ${kindOf(b)}`) {
    case "add duration duration":
      return time("duration", BIG.add!);
    case "add instant duration":
    case "add duration instant":
      return time("instant", BIG.add!);
    case "sub duration duration":
    case "sub instant instant":
      return time("duration", BIG.sub!);
    case "sub instant duration":
      return time("instant", BIG.sub!);
    case "mul duration number":
      return scaled(true);
    case "mul number duration":
      return scaled(true, false);
    case "div duration number":
      return scaled(false);
    case "div duration duration":
      return { type: "double", isDerived: true, apply: divide };
    case "floordiv duration duration":
      return { type: "int", apply: floorInt };
    case "mod duration duration":
      return { type: "duration", apply: (x, y) => (y === 0n ? null : remainder(x, y).num) };
    default:
      return undefined;
  }
}

/** A text beside a time is a duration or an instant, as it is written. */
function timed<Row>(part: Compiled<Row>, other: Compiled<Row>): Compiled<Row> {
  const { literal } = part;
  if (!isTime(other.type) || literal === undefined || isNumber(part.type)) return part;
  return asTime(part, typeof literal === "string" && /^-?P/.test(literal) ? "duration" : "instant");
}

/** The rule of an operation on these types; E_INVALID_ARG where there is none. */
export function arithmeticRule(fn: string, a: ValueType, b: ValueType, path: string): Rule {
  const rule = isNumber(a) && isNumber(b) ? numberRule(fn, a === "int" && b === "int") : timeRule(fn, a, b);
  if (rule !== undefined) return rule;
  throw invalidType(path, `${fn} has no meaning for ${a} and ${b}`, "name the type of inline texts in `types`");
}

function absolute<Row>({ type, read, isDerived, path }: Compiled<Row>): Made<Row> {
  if (type === "null") return NULL;
  if (!isNumber(type) && type !== "duration") throw invalidType(path, `abs takes a number or a duration, not ${type}`);
  return {
    type,
    isDerived,
    read: (row) => {
      const value = read(row) as Numeric | null;
      if (value === null || value >= 0) return value;
      if (typeof value === "number") return -value;
      return type === "duration" ? -value : int64(-value);
    },
  };
}

export function arithmetic<Row>({ fn, args, path }: Call<Row>): Made<Row> {
  if (fn === "abs") return absolute(args[0]!);
  const a = timed(args[0]!, args[1]!);
  const b = timed(args[1]!, a);
  if (a.type === "null" || b.type === "null") return NULL;
  const { type, isDerived = false, apply } = arithmeticRule(fn, a.type, b.type, path);
  const [left, right] = [a.read, b.read];
  return {
    type,
    isDerived,
    read: (row): Value => {
      const x = left(row);
      if (x === null) return null;
      const y = right(row);
      return y === null ? null : apply(x as Numeric, y as Numeric);
    },
  };
}
