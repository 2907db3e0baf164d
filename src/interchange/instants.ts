// Instants of a file: numbers of seconds, milliseconds or microseconds kept exactly, or ISO 8601 text.
// Gives microseconds as a safe integer where it is one (no allocation), else as a bigint; never rounds.
import { PalimpsestError } from "../contract/errors.js";
import { BEGINNING_US, END_OF_CALENDAR_US, LAST_INSTANT_US } from "../contract/instant.js";
import { parseInstant, parseValidTo } from "../contract/parse-instant.js";
import { RefusedValue } from "./refusal.js";
import type { TimePattern } from "./time-pattern.js";
import { DOT, MINUS, NINE, ZERO } from "./tokens.js";
import { type LocalZone, localZone } from "./zones.js";

export const TIME_UNITS = ["s", "ms", "us", "min", "h", "d", "iso"] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];
type NumberUnit = Exclude<TimeUnit, "iso">;

/** Digits that a unit may have after its point. */
const FRACTION_DIGITS: Readonly<Record<NumberUnit, number>> = { s: 6, ms: 3, us: 0, min: 0, h: 0, d: 0 };
/** Microseconds of the last digit that a unit may have. */
const LAST_DIGIT_US: Readonly<Record<NumberUnit, number>> = { s: 1, ms: 1, us: 1, min: 6e7, h: 3.6e9, d: 8.64e10 };
const POWERS_OF_TEN = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const;
const UNIT_NAMES: Readonly<Record<NumberUnit, string>> = {
  s: "seconds",
  ms: "milliseconds",
  us: "microseconds",
  min: "minutes",
  h: "hours",
  d: "days",
};
const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?$/;
/** The name that the parser puts before its message, with a colon. */
const WHERE = "time";
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const EXPONENT = /[eE].*$/;
const DATE_ALONE = /^-?\d{4}-\d\d-\d\d$/;

export interface InstantFormat {
  readonly unit: TimeUnit;
  /** What a time without zone means; null: it is refused, and a bare date is midnight UTC. */
  readonly zone: LocalZone | null;
  /** The instant that numbers count from; 1970-01-01T00:00:00Z is 0. */
  readonly epochUs: bigint;
  /** Forms to try in order instead of ISO 8601 alone. */
  readonly patterns: readonly (TimePattern | "iso")[] | null;
  /** Whether an end names the last year, month, day … that still counts, and not the first that does not. */
  readonly isEndInclusive: boolean;
}

/** Which unit makes a number of this size a year near ours; for hints. */
export function likelyUnit(digits: number): string {
  if (digits <= 11) return "s";
  if (digits <= 14) return "ms";
  if (digits <= 17) return "us";
  return "us, after dividing by 1000: this looks like nanoseconds";
}

/** Microseconds of plain digits with an optional point, or NaN where the slow way must decide. */
function fastMicros(bytes: Uint8Array, from: number, to: number, unit: NumberUnit): number {
  const fractionDigits = FRACTION_DIGITS[unit];
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
  value *= POWERS_OF_TEN[missing]! * LAST_DIGIT_US[unit];
  if (!Number.isSafeInteger(value)) return Number.NaN;
  return isNegative && value !== 0 ? -value : value;
}

function slowMicros(text: string, unit: NumberUnit, epochUs: bigint, last: bigint): bigint {
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
    const reason =
      LAST_DIGIT_US[unit] === 1 ? "is finer than a microsecond" : `is no whole number of ${UNIT_NAMES[unit]}`;
    throw new RefusedValue(reason, "E_INVALID_ARG", `write ${places}`);
  }
  const micros = BigInt(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  const us = (sign === "-" ? -micros : micros) * BigInt(LAST_DIGIT_US[unit]) + epochUs;
  if (us < BEGINNING_US || us > last) {
    const hint = `as a number of this size it looks like --unit ${likelyUnit(whole.length)}`;
    throw new RefusedValue(`${UNIT_NAMES[unit]} are outside the calendar (years -9999 to 9999)`, "E_INVALID_ARG", hint);
  }
  return us;
}

/** The instant of a local time that came out of a text. */
function inCalendar(us: bigint, last: bigint): bigint {
  if (us >= BEGINNING_US && us <= last) return us;
  throw new RefusedValue("is outside the calendar (years -9999 to 9999)");
}

function isoMicros(text: string, format: InstantFormat, isEnd: boolean): bigint {
  if (PLAIN_NUMBER.test(text)) {
    const plain = EXPONENT.test(text) ? Number(text).toFixed(0) : text;
    const whole = plain.replace(/\..*$/, "").replace(/^[+-]/, "");
    throw new RefusedValue(
      "has no unit",
      "E_EPOCH_UNIT",
      `give --unit: ${likelyUnit(whole.length)} would fit its size`,
    );
  }
  const parse = isEnd ? parseValidTo : parseInstant;
  const { zone } = format;
  try {
    // A bare date is a local one too, once a zone is given.
    if (zone !== null && DATE_ALONE.test(text)) return zone.instantOf(parse(text, WHERE));
    return parse(text, WHERE);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    if (error.code === "E_ZONE_MISSING" && zone !== null) {
      return inCalendar(zone.instantOf(parse(`${text}Z`, WHERE)), isEnd ? END_OF_CALENDAR_US : LAST_INSTANT_US);
    }
    if (text === "") throw new RefusedValue("the time is missing");
    throw new RefusedValue(error.message.slice(WHERE.length + 2), error.code, fileHint(error, text), {
      showsValue: true,
    });
  }
}

/** What the parser advises, and the flag of `load` that would do, too. */
function fileHint({ code, hint = "" }: PalimpsestError, text: string): string {
  if (code === "E_ZONE_MISSING") return `${hint}, or give --zone`;
  return ISO_FORM.test(text) ? hint : `${hint}, or say its form with --time-format`;
}

/** A date, alone or with a time of day to the second. */
const ISO_FORM = /^-?\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d.*)?$/;

/** ISO 8601 names a day or one microsecond: the first moment behind it. */
function behindIso(text: string, format: InstantFormat): bigint {
  const stepUs = DATE_ALONE.test(text) ? 86_400_000_000n : 1n;
  const { zone } = format;
  if (stepUs === 1n || zone === null) return isoMicros(text, format, true) + stepUs;
  return zone.instantOf(parseInstant(text, WHERE) + stepUs);
}

function patternMicros(
  text: string,
  format: InstantFormat,
  patterns: readonly (TimePattern | "iso")[],
  isEnd: boolean,
) {
  const last = isEnd ? END_OF_CALENDAR_US : LAST_INSTANT_US;
  const isLast = isEnd && format.isEndInclusive;
  for (const pattern of patterns) {
    if (pattern === "iso") {
      if (!ISO_LIKE.test(text)) continue;
      return inCalendar(isLast ? behindIso(text, format) : isoMicros(text, format, isEnd), last);
    }
    const found = pattern.read(text, isLast);
    if (found === null) continue;
    const { localUs, offsetUs } = found;
    if (offsetUs !== null) return inCalendar(localUs - offsetUs, last);
    return inCalendar((format.zone ?? UTC).instantOf(localUs), last);
  }
  if (text === "") throw new RefusedValue("the time is missing");
  const known = patterns.map((pattern) => (pattern === "iso" ? "iso" : pattern.pattern)).join(" or ");
  throw new RefusedValue(`does not have the form ${known}`, "E_INVALID_ARG", "give --time-format once for each form");
}

const ISO_LIKE = /^-?\d{4}-\d\d-\d\d(?:[Tt ]|$)/;
const UTC = localZone("UTC");

function textMicros(text: string, format: InstantFormat, isEnd: boolean): bigint {
  if (format.patterns !== null) return patternMicros(text, format, format.patterns, isEnd);
  return isEnd && format.isEndInclusive ? behindIso(text, format) : isoMicros(text, format, isEnd);
}

/** Microseconds of the token at [from, to). Throws RefusedValue with the reason. `isEnd` allows the end of the calendar. */
export function readInstant(
  bytes: Uint8Array,
  from: number,
  to: number,
  format: InstantFormat,
  isEnd: boolean,
): number | bigint {
  const { unit, epochUs } = format;
  if (unit !== "iso" && epochUs === 0n) {
    const fast = fastMicros(bytes, from, to, unit);
    if (!Number.isNaN(fast)) return fast;
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
  return instantOfText(text, format, isEnd);
}

/** The same of a text, for times that stand in two columns. */
export function instantOfText(text: string, format: InstantFormat, isEnd: boolean): bigint {
  const { unit, epochUs } = format;
  if (unit === "iso") return textMicros(text, format, isEnd);
  return slowMicros(text, unit, epochUs, isEnd ? END_OF_CALENDAR_US : LAST_INSTANT_US);
}
