// Instants of a file: numbers of seconds, milliseconds or microseconds kept exactly, or ISO 8601 text.
// Gives microseconds as a safe integer where it is one (no allocation), else as a bigint; never rounds.
import { PalimpsestError } from "../contract/errors.js";
import { BEGINNING_US, END_OF_CALENDAR_US, LAST_INSTANT_US } from "../contract/instant.js";
import { parseInstant, parseValidTo } from "../contract/parse-instant.js";
import { RefusedValue } from "./refusal.js";
import { DOT, MINUS, NINE, ZERO } from "./tokens.js";

export type TimeUnit = "s" | "ms" | "us" | "iso";

/** Digits that a unit may have after its point. */
const FRACTION_DIGITS = { s: 6, ms: 3, us: 0 } as const;
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
const UNIT_NAMES = { s: "seconds", ms: "milliseconds", us: "microseconds" } as const;
const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** The name that the parser puts before its message, with a colon. */
const WHERE = "time";
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const EXPONENT = /[eE].*$/;

export interface InstantFormat {
  readonly unit: TimeUnit;
  /** An offset such as "+02:00" or "Z" for texts that have none, or null. */
  readonly offset: string | null;
}

/** Which unit makes a number of this size a year near ours; for hints. */
export function likelyUnit(digits: number): string {
  if (digits <= 11) return "s";
  if (digits <= 14) return "ms";
  if (digits <= 17) return "us";
  return "us, after dividing by 1000: this looks like nanoseconds";
}

/** Microseconds of plain digits with an optional point, or NaN where the slow way must decide. */
function fastMicros(bytes: Uint8Array, from: number, to: number, fractionDigits: number): number {
  const isNegative = bytes[from] === MINUS;
  let at = isNegative ? from + 1 : from;
  // 15 digits of number and fraction together stay under 2^53.
  if (at >= to || to - at > 16 || bytes[at] === DOT) return Number.NaN;
  let value = 0;
  let missing = fractionDigits;
  for (; at < to; at += 1) {
    const byte = bytes[at]!;
    if (byte === DOT) break;
    if (byte < ZERO || byte > NINE) return Number.NaN;
    value = value * 10 + (byte - ZERO);
  }
  if (at < to) {
    if (to - at - 1 > fractionDigits || to - at - 1 === 0) return Number.NaN;
    for (at += 1; at < to; at += 1, missing -= 1) {
      const byte = bytes[at]!;
      if (byte < ZERO || byte > NINE) return Number.NaN;
      value = value * 10 + (byte - ZERO);
    }
  }
  value *= POWERS_OF_TEN[missing]!;
  if (!Number.isSafeInteger(value)) return Number.NaN;
  return isNegative && value !== 0 ? -value : value;
}

function slowMicros(text: string, unit: Exclude<TimeUnit, "iso">, last: bigint): bigint {
  const match = NUMBER.exec(text);
  if (match === null) {
    const looksIso = /^-?\d{4}-\d\d-\d\d/.test(text);
    if (PLAIN_NUMBER.test(text)) {
      const hint = "exponents are not read: a number of this form may have been rounded";
      throw new RefusedValue(
        `has an exponent; ${UNIT_NAMES[unit]} are written with all their digits`,
        "E_INVALID_ARG",
        hint,
      );
    }
    throw new RefusedValue(
      text === "" ? "the time is missing" : `is not a number of ${UNIT_NAMES[unit]}`,
      "E_INVALID_ARG",
      looksIso ? "for dates and times give --unit iso" : "",
    );
  }
  const [, sign = "", whole = "0", fraction = ""] = match;
  const digits = FRACTION_DIGITS[unit];
  if (/[1-9]/.test(fraction.slice(digits))) {
    const places = digits === 0 ? "no fraction" : `at most ${digits} fraction digits`;
    throw new RefusedValue("is finer than a microsecond", "E_INVALID_ARG", `write ${places}`);
  }
  const micros = BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  const us = sign === "-" ? -micros : micros;
  if (us < BEGINNING_US || us > last) {
    const hint = `as a number of this size it looks like --unit ${likelyUnit(whole.length)}`;
    throw new RefusedValue(`${UNIT_NAMES[unit]} are outside the calendar (years -9999 to 9999)`, "E_INVALID_ARG", hint);
  }
  return us;
}

function isoMicros(text: string, offset: string | null, isEnd: boolean): bigint {
  if (PLAIN_NUMBER.test(text)) {
    const plain = EXPONENT.test(text) ? Number(text).toFixed(0) : text;
    const whole = plain.replace(/\..*$/, "").replace(/^[+-]/, "");
    throw new RefusedValue(
      "has no unit",
      "E_EPOCH_UNIT",
      `give --unit: ${likelyUnit(whole.length)} would fit its size`,
    );
  }
  try {
    return isEnd ? parseValidTo(text, WHERE) : parseInstant(text, WHERE);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    if (error.code === "E_ZONE_MISSING" && offset !== null) return isoMicros(text + offset, null, isEnd);
    if (text === "") throw new RefusedValue("the time is missing");
    const hint = error.code === "E_ZONE_MISSING" ? `${error.hint}, or give --zone` : error.hint;
    throw new RefusedValue(error.message.slice(WHERE.length + 2), error.code, hint, { showsValue: true });
  }
}

/** Microseconds of the token at [from, to). Throws RefusedValue with the reason. `isEnd` allows the end of the calendar. */
export function readInstant(
  bytes: Uint8Array,
  from: number,
  to: number,
  format: InstantFormat,
  isEnd: boolean,
): number | bigint {
  const { unit } = format;
  if (unit !== "iso") {
    const fast = fastMicros(bytes, from, to, FRACTION_DIGITS[unit]);
    if (!Number.isNaN(fast)) return fast;
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
  if (unit === "iso") return isoMicros(text, format.offset, isEnd);
  return slowMicros(text, unit, isEnd ? END_OF_CALENDAR_US : LAST_INSTANT_US);
}
