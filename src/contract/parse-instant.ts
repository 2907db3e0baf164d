// Reading instants: every form that JSON, files and JavaScript callers may use, and the errors that say what is wrong.
// Pure; the one place that turns an outside instant into microseconds.
import { daysFromCivil, daysInMonth } from "./calendar.js";
import { type ErrorCode, PalimpsestError } from "./errors.js";
import {
  BEGINNING_US,
  END_OF_CALENDAR_TEXT,
  END_OF_CALENDAR_US,
  formatInstant,
  LAST_INSTANT_US,
  MICROS_PER_SECOND,
  OPEN_END_US,
} from "./instant.js";

const EXAMPLE = "2004-04-15T08:02:41Z";
const FORM = /^([+-]?\d{4,6})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([+-])(\d\d):(\d\d))?)?$/;
/** What ISO 8601 lets be left out of a time of day, and RFC 3339 does not. */
const CUT_SHORT = /^([+-]?\d{4}-\d\d-\d\d)[Tt ](\d\d)(:\d\d)?(?:([Zz])|([+-]\d\d:\d\d))?$/;

function fail(code: ErrorCode, message: string, where: string, hint: string): never {
  throw new PalimpsestError(code, `${where}: ${message}`, { details: { path: where }, hint });
}

function inRange(us: bigint, where: string, last: bigint): bigint {
  if (us < BEGINNING_US || us > last) {
    const bound = us < BEGINNING_US ? BEGINNING_US : LAST_INSTANT_US;
    fail(
      "E_INVALID_ARG",
      `instant ${us} µs is outside the calendar`,
      where,
      `the nearest legal instant is ${formatInstant(bound)}`,
    );
  }
  return us;
}

/** Digits at [from, to) as a number, or NaN where one is no digit. */
function digitsAt(text: string, from: number, to: number): number {
  let value = 0;
  for (let i = from; i < to; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** `YYYY-MM-DDTHH:MM:SS[.ffffff]Z` after 1700, or undefined: then the long way finds the value or the error. */
function parseCommon(text: string): bigint | undefined {
  const length = text.length;
  if ((length !== 20 && length !== 27) || text.charCodeAt(length - 1) !== 90 || text.charCodeAt(10) !== 84) {
    return undefined;
  }
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return undefined;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return undefined;
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 7);
  const day = digitsAt(text, 8, 10);
  // Between these years the microseconds are a safe integer, so no bigint arithmetic is needed.
  if (!(year >= 1700 && year <= 2200 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) {
    return undefined;
  }
  const hour = digitsAt(text, 11, 13);
  const minute = digitsAt(text, 14, 16);
  const second = digitsAt(text, 17, 19);
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  let micros = 0;
  if (length === 27) {
    micros = text.charCodeAt(19) === 46 ? digitsAt(text, 20, 26) : Number.NaN;
    if (Number.isNaN(micros)) return undefined;
  }
  const seconds = daysFromCivil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
  return BigInt(seconds * 1_000_000 + micros);
}

/** Microseconds of a fraction of a second; digits beyond the sixth must be zero. */
function parseFraction(fraction: string | undefined, text: string, where: string): number {
  if (fraction === undefined) return 0;
  if (fraction.length > 6 && /[1-9]/.test(fraction.slice(6))) {
    fail(
      "E_INVALID_ARG",
      `${JSON.stringify(text)} is finer than a microsecond`,
      where,
      "write at most six fraction digits",
    );
  }
  return Number(fraction.slice(0, 6).padEnd(6, "0"));
}

/** Refuses a text that has none of the forms, as what is most likely meant. */
function failForm(text: string, where: string): never {
  const match = CUT_SHORT.exec(text);
  if (match === null) {
    fail("E_INVALID_ARG", `${JSON.stringify(text)} is not an instant`, where, `write it as ${EXAMPLE} or 2004-04-15`);
  }
  const [, date, hour, minute, zulu, offset] = match;
  const whole = `${date}T${hour}${minute ?? ":00"}:00`;
  const zone = zulu === undefined ? offset : "Z";
  fail(
    "E_INVALID_ARG",
    `${JSON.stringify(text)} has no ${minute === undefined ? "minutes and no seconds" : "seconds"}`,
    where,
    zone === undefined ? `write ${whole}Z for UTC, or ${whole} with an offset` : `write ${whole}${zone}`,
  );
}

function parseText(text: string, where: string, last: bigint): bigint {
  const common = parseCommon(text);
  if (common !== undefined) return common;
  if (text === END_OF_CALENDAR_TEXT) return inRange(END_OF_CALENDAR_US, where, last);
  const match = FORM.exec(text);
  const [, yearText = "", monthText, dayText, hourText, minuteText, secondText, fraction, zulu, sign, offH, offM] =
    match ?? [];
  if (match === null || yearText.replace(/^-/, "").length !== 4 || yearText === "-0000") failForm(text, where);
  const year = Number(yearText);
  const month = Number(monthText);
  const day = Number(dayText);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) {
    fail("E_INVALID_ARG", `${JSON.stringify(text)} names a day that does not exist`, where, `write it as ${EXAMPLE}`);
  }
  const dayStart = daysFromCivil(year, month, day) * 86_400;
  if (hourText === undefined) return BigInt(dayStart) * MICROS_PER_SECOND;
  const hour = Number(hourText);
  const minute = Number(minuteText);
  const second = Number(secondText);
  if (hour > 23 || minute > 59 || second > 59) {
    const hint = second === 60 ? "leap seconds are not part of the calendar: write 59 or the next minute" : "";
    fail("E_INVALID_ARG", `${JSON.stringify(text)} names a time of day that does not exist`, where, hint);
  }
  const micros = parseFraction(fraction, text, where);
  if (zulu === undefined && sign === undefined) {
    fail("E_ZONE_MISSING", `${JSON.stringify(text)} has no zone`, where, `write ${text}Z for UTC, or an offset`);
  }
  if (sign !== undefined && (Number(offH) > 23 || Number(offM) > 59)) {
    fail("E_INVALID_ARG", `${JSON.stringify(text)} has no legal offset`, where, "write an offset as +02:00");
  }
  const offset = sign === undefined ? 0 : (Number(offH) * 60 + Number(offM)) * 60 * (sign === "-" ? -1 : 1);
  const seconds = dayStart + hour * 3600 + minute * 60 + second - offset;
  return inRange(BigInt(seconds) * MICROS_PER_SECOND + BigInt(micros), where, last);
}

function parseMicros(value: unknown, where: string, last: bigint): bigint {
  if (typeof value === "bigint") return inRange(value, where, last);
  if (typeof value === "number" && Number.isInteger(value)) {
    if (Number.isSafeInteger(value)) return inRange(BigInt(value), where, last);
    // A number from JavaScript that is this large has lost its last digits already.
    fail("E_INVALID_ARG", `${value} is not an exact integer`, where, "give a bigint");
  }
  fail("E_SCHEMA", "us is not an integer", where, 'write {"us": 1082016161000000}');
}

function parseObject(value: object, where: string, last: bigint): bigint {
  if (value instanceof Date) {
    const millis = value.getTime();
    if (Number.isNaN(millis)) fail("E_INVALID_ARG", "the Date is not valid", where, "");
    return inRange(BigInt(millis) * 1000n, where, last);
  }
  const nanos = (value as { epochNanoseconds?: unknown }).epochNanoseconds;
  if (typeof nanos === "bigint") {
    if (nanos % 1000n !== 0n) {
      fail("E_INVALID_ARG", `${nanos} ns is finer than a microsecond`, where, "round it to a multiple of 1000");
    }
    return inRange(nanos / 1000n, where, last);
  }
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === "us") return parseMicros((value as { us: unknown }).us, where, last);
  fail("E_SCHEMA", "an object is not an instant", where, `write "${EXAMPLE}" or {"us": 1082016161000000}`);
}

function parse(value: unknown, where: string, last: bigint): bigint {
  if (typeof value === "string") return parseText(value, where, last);
  if (typeof value === "bigint") return inRange(value, where, last);
  if (typeof value === "object" && value !== null) return parseObject(value, where, last);
  if (typeof value === "number") {
    const shown = Number.isInteger(value) ? String(value) : "1082016161000000";
    fail("E_SCHEMA", `the number ${value} does not say its unit`, where, `write {"us": ${shown}} for microseconds`);
  }
  fail("E_SCHEMA", `${value === null ? "null" : typeof value} is not an instant`, where, `write "${EXAMPLE}"`);
}

/**
 * Microseconds of an instant given as RFC 3339 text, date, `{us}`, bigint microseconds, Date or `{epochNanoseconds}`.
 * `where` names the argument: it begins the message and is `details.path`.
 */
export function parseInstant(value: unknown, where: string): bigint {
  return parse(value, where, LAST_INSTANT_US);
}

/** As `parseInstant`, for an end of valid time: null or undefined is open, and the end of the calendar is legal. */
export function parseValidTo(value: unknown, where: string): bigint {
  if (value === null || value === undefined) return OPEN_END_US;
  return parse(value, where, END_OF_CALENDAR_US);
}
