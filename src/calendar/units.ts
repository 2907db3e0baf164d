// Calendar periods in the local time of a zone: where the one that holds an instant begins, and which one it is.
// Rules come from zones.ts; nothing here knows expressions.
import { civilFromDays, daysFromCivil } from "../contract/calendar.js";
import type { Zone } from "./zones.js";

/** Periods that an instant can be cut to the beginning of. */
export const TRUNC_UNITS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"] as const;
/** Parts of a local date or time that are numbers. */
export const PART_UNITS = [
  "year",
  "quarter",
  "month",
  "week",
  "iso_year",
  "day",
  "day_of_year",
  "day_of_week",
  "hour",
  "minute",
  "second",
  "microsecond",
] as const;

const MICROS_PER_DAY = 86_400_000_000n;
const MICROS_PER_SECOND = 1_000_000;
/** Monday, 1970-01-05. */
const FIRST_MONDAY = 4;

const SHORT_UNITS: Readonly<Record<string, bigint>> = {
  hour: 3_600_000_000n,
  minute: 60_000_000n,
  second: 1_000_000n,
};

const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b));

interface LocalTime {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly microOfDay: number;
}

function localTime(us: bigint, zone: Zone): LocalTime {
  const local = us + zone.offsetAt(us);
  const day = floorDiv(local, MICROS_PER_DAY);
  return { day: Number(day), microOfDay: Number(local - day * MICROS_PER_DAY) };
}

/** Monday is 0. */
const weekday = (day: number): number => day - FIRST_MONDAY - 7 * Math.floor((day - FIRST_MONDAY) / 7);

function firstDay(unit: string, day: number): number {
  if (unit === "day") return day;
  if (unit === "week") return day - weekday(day);
  const { year, month } = civilFromDays(day);
  if (unit === "year") return daysFromCivil(year, 1, 1);
  return daysFromCivil(year, unit === "quarter" ? month - ((month - 1) % 3) : month, 1);
}

/** The uncut start of the period; of hours and shorter ones with the offset in force. */
export function periodBegins(us: bigint, unit: string, zone: Zone): bigint {
  const size = SHORT_UNITS[unit];
  if (size === undefined) return zone.dayBegins(firstDay(unit, localTime(us, zone).day));
  const offset = zone.offsetAt(us);
  return floorDiv(us + offset, size) * size - offset;
}

/** The year that an ISO week belongs to, and its number: those of its Thursday. */
function isoWeek(day: number): { year: number; week: number } {
  const thursday = day - weekday(day) + 3;
  const { year } = civilFromDays(thursday);
  return { year, week: Math.floor((thursday - daysFromCivil(year, 1, 1)) / 7) + 1 };
}

export function partOf(us: bigint, unit: string, zone: Zone): number {
  const { day, microOfDay } = localTime(us, zone);
  switch (unit) {
    case "year":
      return civilFromDays(day).year;
    case "quarter":
      return Math.ceil(civilFromDays(day).month / 3);
    case "month":
      return civilFromDays(day).month;
    case "week":
      return isoWeek(day).week;
    case "iso_year":
      return isoWeek(day).year;
    case "day":
      return civilFromDays(day).day;
    case "day_of_year":
      return day - daysFromCivil(civilFromDays(day).year, 1, 1) + 1;
    case "day_of_week":
      return weekday(day) + 1;
    case "hour":
      return Math.floor(microOfDay / (3600 * MICROS_PER_SECOND));
    case "minute":
      return Math.floor(microOfDay / (60 * MICROS_PER_SECOND)) % 60;
    case "second":
      return Math.floor(microOfDay / MICROS_PER_SECOND) % 60;
    default:
      return microOfDay % MICROS_PER_SECOND;
  }
}
