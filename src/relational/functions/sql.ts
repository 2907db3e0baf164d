// Pieces of SQL for DuckDB that functions and operators are put together from.
// Every text here is our own or was printed by printer/; nothing of a caller's.
import { BEGINNING_US, END_OF_CALENDAR_US, OPEN_END_US } from "../../contract/instant.js";

/** Longer arguments are computed once, under a name, where a template needs them twice: texts would double at each level. */
const LONGEST_REPEATED = 240;

/** Windows and queries are computed for every time that they are written. */
const COSTLY = / OVER \(|\(SELECT /;

/** A name for a text; two that are alike only for texts that are. */
function nameOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i += 1)
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  return `v${hash.toString(36)}`;
}

/** `body` with arguments that may stand in it any number of times: those longer than `longest`, or costly, under a name. */
export function once(
  args: readonly string[],
  body: (args: readonly string[]) => string,
  longest = LONGEST_REPEATED,
): string {
  const names = args.map((arg) => (arg.length > longest || COSTLY.test(arg) ? nameOf(arg) : arg));
  return args.reduceRight(
    (inner, arg, i) => (names[i] === arg ? inner : `list_transform([${arg}], lambda ${names[i]}: ${inner})[1]`),
    body(names),
  );
}

export const int = (value: bigint | number): string => `(${value})::BIGINT`;

const FOREVER = int(OPEN_END_US);

/** What `error()` says where a value in a row is at fault; duckdb/errors.ts reads it back. */
export const raise = (code: "E_LIMIT" | "E_INVALID_ARG", message: string): string => `error('@${code} ${message}')`;

/** Any binary64, finite or not, rounded to 9 decimals half-even on its exact value; null where it is not finite. */
export const round9 = (x: string): string =>
  once([x], ([v]) => {
    const long = `TRY_CAST(replace(format('{:.9f}', ${v}), 'n', '!') AS DOUBLE) + 0e0`;
    return `CASE WHEN isfinite(${v}) AND ${v} = trunc(${v}) THEN ${v} + 0e0 ELSE ${long} END`;
  });

/** An int64 as a double that is equal to it. */
export const exactDouble = (x: string): string =>
  once([x], ([v]) => {
    const isExact = `${v} BETWEEN -9007199254740992 AND 9007199254740992 OR TRY_CAST(${v}::DOUBLE AS HUGEINT) = ${v}`;
    const message = "an integer beyond 2^53 stands among doubles, and none is equal to it";
    return `CASE WHEN ${v} IS NULL OR ${isExact} THEN ${v}::DOUBLE ELSE ${raise("E_INVALID_ARG", message)} END`;
  });

/** An int64 as the double that is equal to it, else as NaN, which no stored or computed double is. */
export const exactKey = (x: string): string =>
  once([x], ([v]) => {
    const isExact = `${v} BETWEEN -9007199254740992 AND 9007199254740992 OR TRY_CAST(${v}::DOUBLE AS HUGEINT) = ${v}`;
    return `CASE WHEN ${v} IS NULL OR ${isExact} THEN ${v}::DOUBLE ELSE 'nan'::DOUBLE END`;
  });

/** How an int64 stands to a double, by exact value: -1, 0 or 1. */
export const compareExact = (integer: string, double: string): string =>
  once([integer, double], ([i, d]) => {
    const whole = `TRY_CAST(trunc(${d}) AS BIGINT)`;
    return (
      `CASE WHEN ${i} IS NULL OR ${d} IS NULL THEN NULL WHEN ${d} >= 9223372036854775808e0 THEN -1 ` +
      `WHEN ${d} < -9223372036854775808e0 THEN 1 WHEN ${i} < ${whole} THEN -1 WHEN ${i} > ${whole} THEN 1 ` +
      `ELSE -sign(${d} - trunc(${d})) END`
    );
  });

/** Null for FOREVER. */
export const finite = (instant: string): string => `nullif(${instant}, ${FOREVER})`;

/** A computed instant; E_LIMIT outside the calendar. */
export const inCalendar = (x: string): string =>
  once([x], ([v]) => {
    const isIn = `${v} BETWEEN ${int(BEGINNING_US)} AND ${int(END_OF_CALENDAR_US)}`;
    return `CASE WHEN ${v} IS NULL OR ${isIn} THEN ${v} ELSE ${raise("E_LIMIT", "an instant is out of range")} END`;
  });

/** x rounded down to a multiple of a constant above zero. */
export const floorTo = (x: string, size: string): string =>
  once([x], ([v]) => `(${v} - ((${v} % ${size}) + ${size}) % ${size})`);

/** x divided by a constant above zero, rounded down. */
export const floorDiv = (x: string, size: string): string => `(${floorTo(x, size)} // ${size})`;

/** HUGEINT over HUGEINT, rounded half to even; null where b is zero. */
export const divideHalfEven = (a: string, b: string): string =>
  once([`(${a})::HUGEINT`, `(${b})::HUGEINT`], ([x, y]) => {
    const whole = `(${x} // ${y})`;
    const rest = `abs(${x} % ${y})`;
    const away = `CASE WHEN (${x} < 0) = (${y} < 0) THEN 1 ELSE -1 END`;
    const isUp = `${rest} * 2 > abs(${y}) OR (${rest} * 2 = abs(${y}) AND ${whole} % 2 <> 0)`;
    return `(${whole} + CASE WHEN ${isUp} THEN ${away} ELSE 0 END)`;
  });

/**
 * A HUGEINT sum over a count, as the nearest double. The quotient is taken with 60 bits and a last one that says whether
 * anything is left, so that the one conversion rounds as the exact quotient would.
 */
export const exactMean = (sum: string, count: string): string =>
  once([sum, count], ([s, n]) => {
    const size = `abs(${s})`;
    const shift = `pow(2, greatest(0, 60 - floor(log2((${size} // ${n})::DOUBLE + 1)))::INTEGER)`;
    const scaled = `(${size} * ${shift}::HUGEINT)`;
    const sticky = `CASE WHEN ${scaled} % ${n} <> 0 THEN 1 ELSE 0 END`;
    const bits = `((${scaled} // ${n})::HUGEINT | (${sticky})::HUGEINT)::DOUBLE`;
    const exact = `sign(${s}) * ${bits} / ${shift}`;
    return `CASE WHEN ${size} <= 9007199254740992 THEN ${s}::DOUBLE / ${n} ELSE ${exact} END`;
  });

export const periodOf = (from: string, to: string): string =>
  once([from, to], ([a, b]) => `CASE WHEN ${a} < ${b} THEN {'f': ${a}, 't': ${b}} END`);
export const fromOf = (period: string): string => `struct_extract(${period}, 'f')`;
export const toOf = (period: string): string => `struct_extract(${period}, 't')`;

/** A text within quotes; one with U+0000 is put together, as SQL text cannot hold it. */
export const quoted = (text: string): string =>
  text
    .split("\u0000")
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(" || chr(0) || ");

/** JSON null is NULL, as everywhere outside of a value. */
export const jsonValue = (x: string): string => once([`${x}::VARCHAR`], ([v]) => `nullif(${v}, 'null')`);
