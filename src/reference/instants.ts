// Instants and durations as bigint microseconds: reading every accepted form, writing the one output form.
// Day counts come from adding up years and months one by one, on purpose: nothing here is clever.

import { PalimpsestError } from "../contract/errors.js";

export const FOREVER = 2n ** 62n;
const SECOND = 1_000_000n;
const DAY = 86_400n * SECOND;
/** -9999-01-01T00:00:00Z and +10000-01-01T00:00:00Z. */
export const BEGINNING = daysBeforeYear(-9999) * DAY;
export const CALENDAR_END = daysBeforeYear(10000) * DAY;

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function daysInMonth(year: number, month: number): number {
  return [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]!;
}

/** Days from 1970-01-01 to the first day of a year. Whole cycles of 400 years have 146,097 days. */
function daysBeforeYear(year: number): bigint {
  let days = 0n;
  let from = 1970;
  while (from + 400 <= year) {
    days += 146_097n;
    from += 400;
  }
  while (from > year) {
    days -= 146_097n;
    from -= 400;
  }
  for (; from < year; from++) days += isLeap(from) ? 366n : 365n;
  return days;
}

/** Days from 1970-01-01 to a date. */
export function daysOfDate(year: number, month: number, day: number): bigint {
  let days = daysBeforeYear(year) + BigInt(day - 1);
  for (let before = 1; before < month; before++) days += BigInt(daysInMonth(year, before));
  return days;
}

/** The date that is so many days after 1970-01-01. */
export function dateOfDays(days: bigint): { year: number; month: number; day: number } {
  let year = 1970 + Number((days * 400n) / 146_097n) - 2; // near below, then step up
  while (daysBeforeYear(year + 1) <= days) year++;
  let rest = Number(days - daysBeforeYear(year));
  let month = 1;
  while (rest >= daysInMonth(year, month)) {
    rest -= daysInMonth(year, month);
    month++;
  }
  return { year, month, day: rest + 1 };
}

export function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

const PATTERN = /^(-?\d{4}|\+10000)-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d))?$/;

function refuse(text: string): never {
  throw new PalimpsestError("E_INVALID_ARG", `${text} is not an instant`);
}

function parseText(text: string): bigint {
  const match = PATTERN.exec(text);
  if (match === null) {
    const zoneless = PATTERN.exec(`${text}Z`) !== null;
    if (zoneless && /[Tt ]/.test(text)) throw new PalimpsestError("E_ZONE_MISSING", `${text} has no zone`);
    refuse(text);
  }
  const [, yearText, monthText, dayText, hourText = "0", minuteText = "0", secondText = "0", fraction = ""] = match;
  const zone = match[8] ?? "Z";
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const [hour, minute, second] = [Number(hourText), Number(minuteText), Number(secondText)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) refuse(text);
  if (hour > 23 || minute > 59 || second > 59 || yearText === "-0000" || /[1-9]/.test(fraction.slice(6))) refuse(text);
  let offset = 0;
  if (zone.length > 1) {
    const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
    if (hours > 23 || minutes > 59) refuse(text);
    offset = (hours * 60 + minutes) * (zone[0] === "-" ? -1 : 1);
  }
  const seconds = BigInt(hour * 3600 + minute * 60 + second - offset * 60);
  return daysOfDate(year, month, day) * DAY + seconds * SECOND + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** Any accepted form of an instant; `isEnd` also allows the very end of the calendar. */
export function parseInstant(input: unknown, { isEnd = false }: { isEnd?: boolean } = {}): bigint {
  let us: bigint;
  if (typeof input === "string") us = parseText(input);
  else if (typeof input === "bigint") us = input;
  else if (input instanceof Date) us = BigInt(input.getTime()) * 1000n;
  else if (typeof input === "object" && input !== null && "us" in input) us = BigInt(input.us as number | bigint);
  else if (typeof input === "object" && input !== null && "epochNanoseconds" in input) {
    const nanoseconds = input.epochNanoseconds as bigint;
    if (nanoseconds % 1000n !== 0n) refuse(`${nanoseconds} ns`);
    us = nanoseconds / 1000n;
  } else refuse(String(input));
  if (us < BEGINNING || us > CALENDAR_END || (us === CALENDAR_END && !isEnd)) refuse(String(us));
  return us;
}

const digits = (value: number | bigint, count: number): string => value.toString().padStart(count, "0");

/** `2004-04-15T08:02:41Z`, six fraction digits where the fraction is not zero. */
export function formatInstant(us: bigint): string {
  if (us === CALENDAR_END) return "+10000-01-01T00:00:00Z";
  const days = floorDiv(us, DAY);
  const { year, month, day } = dateOfDays(days);
  const seconds = Number((us - days * DAY) / SECOND);
  const fraction = (us - days * DAY) % SECOND;
  const yearText = year < 0 ? `-${digits(-year, 4)}` : digits(year, 4);
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const timeText = time.map((part) => digits(part, 2)).join(":");
  return `${yearText}-${digits(month, 2)}-${digits(day, 2)}T${timeText}${fraction === 0n ? "" : `.${digits(fraction, 6)}`}Z`;
}

/** An end: null stands for an open one. */
export function formatEnd(us: bigint): string | null {
  return us === FOREVER ? null : formatInstant(us);
}

/** `PT6H30M0.500000S`: parts that are zero are left out, hours are unbounded. */
export function formatDuration(us: bigint): string {
  if (us === 0n) return "PT0S";
  const size = us < 0n ? -us : us;
  const [hours, minutes, rest] = [size / (3600n * SECOND), (size / (60n * SECOND)) % 60n, size % (60n * SECOND)];
  const fraction = rest % SECOND;
  let text = us < 0n ? "-PT" : "PT";
  if (hours > 0n) text += `${hours}H`;
  if (minutes > 0n) text += `${minutes}M`;
  if (rest > 0n) text += `${rest / SECOND}${fraction === 0n ? "" : `.${digits(fraction, 6)}`}S`;
  return text;
}

/** A canonical exact duration. */
export function parseDuration(text: string): bigint {
  const match = /^(-?)PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{6}))?S)?$/.exec(text);
  if (match === null) throw new PalimpsestError("E_INVALID_ARG", `${text} is not an exact duration`);
  const [, sign, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = match;
  const us = (BigInt(hours) * 3600n + BigInt(minutes) * 60n + BigInt(seconds)) * SECOND + BigInt(fraction);
  return sign === "-" ? -us : us;
}
