// Numbers and times of Arrow data, one at a time and exactly. Buffers are read where they lie; the library's getters round
// instants to milliseconds in doubles.
import type { Data } from "apache-arrow";
import { BEGINNING_US, formatInstant, LAST_INSTANT_US } from "../../contract/instant.js";
import { INT64_MAX, INT64_MIN } from "../../contract/values.js";
import { type LocalTime, UNIT } from "./given-types.js";

/** Why a value cannot be taken. */
export class Unfit extends Error {
  constructor(
    readonly value: string,
    readonly reason: string,
    readonly hint = "",
  ) {
    super(reason);
  }
}

const US_OF_UNIT: readonly bigint[] = [1_000_000n, 1_000n, 1n];
const DAY_US = 86_400_000_000n;
const NO_NUMBER = "is no number that can be stored";

export function isValidAt(data: Data, row: number): boolean {
  const { nullBitmap, offset } = data;
  if (nullBitmap === undefined || nullBitmap === null || nullBitmap.length === 0 || data.nullCount === 0) return true;
  const at = offset + row;
  return ((nullBitmap[at >> 3]! >> (at & 7)) & 1) === 1;
}

export function safe(word: bigint): number | bigint {
  const small = Number(word);
  return Number.isSafeInteger(small) ? small : word;
}

/** A whole number that may be of more than 64 bits. */
export function inInt64(word: bigint): bigint {
  if (word >= INT64_MIN && word <= INT64_MAX) return word;
  throw new Unfit(String(word), "is out of the range of int64", "cast the column to text to keep every digit");
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new Unfit(String(value), NO_NUMBER, "null means that there is no value");
}

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

/** Microseconds of a number of some unit; nothing finer is rounded away. */
function exactMicros(word: bigint, unit: number): bigint {
  if (unit !== UNIT.nanosecond) return word * US_OF_UNIT[unit]!;
  if (word % 1000n === 0n) return word / 1000n;
  throw new Unfit(`${word} ns`, "is finer than a microsecond", "round it to microseconds first");
}

/** An instant that the calendar has. */
export function inCalendar(us: bigint, mayBeItsEnd = false): bigint {
  if (us >= BEGINNING_US && (us <= LAST_INSTANT_US || (mayBeItsEnd && us === LAST_INSTANT_US + 1n))) return us;
  throw new Unfit(`${us} us`, "is outside the calendar (years -9999 to 9999)");
}

/** `09:30:00.000001`, from microseconds of the day. */
function timeText(us: bigint): string {
  if (us < 0n || us > DAY_US) throw new Unfit(`${us} us`, "is no time of a day");
  if (us === DAY_US) return "24:00:00";
  return formatInstant(us).slice("1970-01-01T".length, -1);
}

export const dateText = (midnightUs: bigint): string => formatInstant(midnightUs).slice(0, -"T00:00:00Z".length);

/** ISO 8601: months, days and time stand apart, as no number of one is a number of another. */
function intervalText(months: bigint, days: bigint, us: bigint): string {
  const date = `${months === 0n ? "" : `${months}M`}${days === 0n ? "" : `${days}D`}`;
  if (us === 0n) return date === "" ? "PT0S" : `P${date}`;
  const magnitude = us < 0n ? -us : us;
  const fraction = magnitude % 1_000_000n;
  const seconds = `${magnitude / 1_000_000n}${fraction === 0n ? "" : `.${String(fraction).padStart(6, "0")}`}`;
  return `P${date}T${us < 0n ? "-" : ""}${seconds}S`;
}

/** Words of 32 bits, the lowest first, as a number in two's complement. */
function wideWord(words: Uint32Array): bigint {
  let value = 0n;
  for (let i = words.length - 1; i >= 0; i -= 1) value = (value << 32n) | BigInt(words[i]!);
  return BigInt.asIntN(words.length * 32, value);
}

/** Reads integers of every width as words. */
export function wordReader(data: Data): (row: number) => bigint {
  const values = data.values as unknown as BigInt64Array | Int32Array;
  return (row) => BigInt(values[row] as never);
}

export function decimalReader(data: Data): (row: number) => bigint {
  const { stride } = data;
  const values = data.values as unknown as Uint32Array;
  return (row) => inInt64(wideWord(values.subarray(row * stride, (row + 1) * stride)));
}

export function doubleReader(data: Data): (row: number) => number {
  const values = data.values as unknown as Float64Array | Uint16Array;
  const isHalf = values instanceof Uint16Array;
  return (row) => finite(isHalf ? half(values[row]!) : values[row]!);
}

/** Instants in microseconds of UTC. */
export function instantReader(data: Data, local: LocalTime): (row: number) => bigint {
  const { unit, timezone } = data.type as unknown as { unit: number; timezone?: string | null };
  const isLocal = (timezone ?? "") === "";
  const values = data.values as unknown as BigInt64Array;
  return (row) => {
    const us = exactMicros(values[row]!, unit);
    return isLocal ? local!(us) : us;
  };
}

/** Midnights of days, as if they were of UTC. */
export function dateReader(data: Data): (row: number) => bigint {
  const { values } = data;
  if (values instanceof Int32Array) return (row) => BigInt(values[row]!) * DAY_US;
  const words = values as unknown as BigInt64Array;
  return (row) => {
    const us = words[row]! * 1000n;
    if (us % DAY_US === 0n) return us;
    throw new Unfit(`${words[row]} ms`, "is no midnight, as a date must be");
  };
}

export function durationReader(data: Data): (row: number) => bigint {
  const { unit } = data.type as unknown as { unit: number };
  const values = data.values as unknown as BigInt64Array;
  return (row) => inInt64(exactMicros(values[row]!, unit));
}

export function timeReader(data: Data): (row: number) => string {
  const { unit } = data.type as unknown as { unit: number };
  const word = wordReader(data);
  return (row) => timeText(exactMicros(word(row), unit));
}

export function intervalReader(data: Data): (row: number) => string {
  const { unit } = data.type as unknown as { unit: number };
  const values = data.values as unknown as Int32Array;
  if (unit === 0) return (row) => intervalText(BigInt(values[row]!), 0n, 0n);
  if (unit === 1) return (row) => intervalText(0n, BigInt(values[2 * row]!), BigInt(values[2 * row + 1]!) * 1000n);
  const words = new DataView(values.buffer, values.byteOffset, values.byteLength);
  return (row) =>
    intervalText(
      BigInt(words.getInt32(row * 16, true)),
      BigInt(words.getInt32(row * 16 + 4, true)),
      exactMicros(words.getBigInt64(row * 16 + 8, true), UNIT.nanosecond),
    );
}
