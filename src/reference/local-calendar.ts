// Calendar periods (docs/contract.md A10) in the local time of a zone: where one begins, and what it is called.
// Months and years are those of the calendar of instants; offsets and midnights come from buckets.

import { DAY, dayBegins, HOUR, offsetAt } from "./buckets.js";
import { dateOfDays, daysOfDate, floorDiv } from "./instants.js";

const MICROSECONDS: Readonly<Record<string, bigint>> = { hour: HOUR, minute: HOUR / 60n, second: HOUR / 3600n };

function localOf(us: bigint, zone: string): { day: bigint; ofDay: bigint } {
  const local = us + offsetAt(us, zone);
  const day = floorDiv(local, DAY);
  return { day, ofDay: local - day * DAY };
}

/** Days since a Monday, from 0. */
function weekday(day: bigint): bigint {
  return day - 4n - floorDiv(day - 4n, 7n) * 7n; // 1970-01-05 was one
}

/** The uncut start of the period that an instant lies in. */
export function periodBegins(us: bigint, unit: string, zone: string): bigint {
  const size = MICROSECONDS[unit];
  if (size !== undefined) {
    const offset = offsetAt(us, zone);
    return floorDiv(us + offset, size) * size - offset;
  }
  const { day } = localOf(us, zone);
  const { year, month } = dateOfDays(day);
  if (unit === "day") return dayBegins(day, zone);
  if (unit === "week") return dayBegins(day - weekday(day), zone);
  const first = unit === "year" ? 1 : unit === "quarter" ? month - ((month - 1) % 3) : month;
  return dayBegins(daysOfDate(year, first, 1), zone);
}

function yearText(year: number): string {
  return `${year < 0 ? "-" : ""}${String(Math.abs(year)).padStart(4, "0")}`;
}

const twoDigits = (value: number | bigint) => String(value).padStart(2, "0");

/** The ISO week: that of its Thursday, in the year of its Thursday. */
function weekText(day: bigint): string {
  const thursday = day - weekday(day) + 3n;
  const { year } = dateOfDays(thursday);
  return `${yearText(year)}-W${twoDigits((thursday - daysOfDate(year, 1, 1)) / 7n + 1n)}`;
}

/** The value of a calendar unit at an instant. */
export function calendarPart(us: bigint, unit: string, zone: string): string | number {
  const { day, ofDay } = localOf(us, zone);
  const { year, month, day: dayOfMonth } = dateOfDays(day);
  switch (unit) {
    case "year":
      return year;
    case "quarter":
      return `${yearText(year)}-Q${Math.ceil(month / 3)}`;
    case "month":
      return `${yearText(year)}-${twoDigits(month)}`;
    case "week":
      return weekText(day);
    case "date":
      return `${yearText(year)}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
    case "month_of_year":
      return month;
    case "day_of_month":
      return dayOfMonth;
    case "day_of_week":
      return Number(weekday(day)) + 1;
    default:
      return Number(ofDay / HOUR); // hour_of_day
  }
}
