// Boundaries of time buckets (A10): exact strides from the window's beginning, calendar strides on calendar periods.
// Pure; local days come from the zone.
import { civilFromDays, daysFromCivil } from "../contract/calendar.js";
import { formatStride, parseStride, type Stride } from "../contract/duration.js";
import { PalimpsestError } from "../contract/errors.js";
import { type Zone, zoneOf } from "./zones.js";

export const MAX_BUCKETS = 100_000;
/** Monday, 1970-01-05. */
const FIRST_MONDAY = 4;

/** Months since January 1970 of the month that holds the day. */
function monthOfDay(day: number): number {
  const { year, month } = civilFromDays(day);
  return (year - 1970) * 12 + month - 1;
}

const dayOfMonth = (month: number): number =>
  daysFromCivil(1970 + Math.floor(month / 12), month - Math.floor(month / 12) * 12 + 1, 1);

/** For a calendar stride: the number of the period that holds a day, and the first day of a period. */
function periods(stride: Stride & { kind: "calendar" }): { of: (day: number) => number; start: (n: number) => number } {
  const { count, unit } = stride;
  if (unit === "D") return { of: (day) => Math.floor(day / count), start: (n) => n * count };
  if (unit === "W") {
    return { of: (day) => Math.floor((day - FIRST_MONDAY) / (7 * count)), start: (n) => n * 7 * count + FIRST_MONDAY };
  }
  const months = unit === "M" ? count : count * 12;
  return { of: (day) => Math.floor(monthOfDay(day) / months), start: (n) => dayOfMonth(n * months) };
}

function tooMany(stride: Stride, smallest: string): PalimpsestError {
  return new PalimpsestError("E_LIMIT", `the stride ${formatStride(stride)} gives more than ${MAX_BUCKETS} buckets`, {
    details: { path: "/stride", limit: MAX_BUCKETS, smallest },
    hint: `the smallest legal stride for this window is ${smallest}`,
  });
}

/** Number of buckets of the window; E_LIMIT when there are too many. `fromUs < toUs`. */
export function countBuckets(text: string, zoneName: string, fromUs: bigint, toUs: bigint): number {
  const stride = parseStride(text, "/stride");
  if (stride.kind === "exact") {
    const count = (toUs - fromUs + stride.us - 1n) / stride.us;
    if (count <= BigInt(MAX_BUCKETS)) return Number(count);
    const smallestUs = (toUs - fromUs + BigInt(MAX_BUCKETS) - 1n) / BigInt(MAX_BUCKETS);
    throw tooMany(stride, formatStride({ kind: "exact", us: smallestUs }));
  }
  const range = calendarRange(stride, zoneOf(zoneName, "/zone"), fromUs, toUs);
  const count = range.last - range.first + 1 - range.empty.length;
  if (count <= MAX_BUCKETS) return count;
  const least = Math.ceil((count + 1) / MAX_BUCKETS) * stride.count + stride.count;
  throw tooMany(stride, formatStride({ ...stride, count: least }));
}

/** The first and the last calendar period that overlap the window, and those between that last no time. */
function calendarRange(stride: Stride & { kind: "calendar" }, zone: Zone, fromUs: bigint, toUs: bigint) {
  const { of } = periods(stride);
  const first = of(zone.dayOf(fromUs));
  const last = of(zone.dayOf(toUs - 1n));
  const isOfDays = stride.unit === "D" && stride.count === 1;
  const empty = isOfDays ? zone.skippedDays().filter((day) => first < day && day < last) : [];
  return { first, last, empty };
}

/** The n-th period of a range that lasts some time. */
function periodAt({ first, empty }: { first: number; empty: readonly number[] }, n: number): number {
  return empty.reduce((period, skipped) => (skipped <= period ? period + 1 : period), first + n);
}

export interface Bucket {
  readonly fromUs: bigint;
  readonly toUs: bigint;
  /** Cut by an end of the window. */
  readonly partial: boolean;
}

/** Buckets `skip` to `skip + take` of the window, in time order. */
export function bucketsOf(
  text: string,
  zoneName: string,
  fromUs: bigint,
  toUs: bigint,
  skip: number,
  take: number,
): Bucket[] {
  const total = countBuckets(text, zoneName, fromUs, toUs);
  const zone = zoneOf(zoneName, "/zone");
  const stride = parseStride(text, "/stride");
  const range = stride.kind === "exact" ? undefined : calendarRange(stride, zone, fromUs, toUs);
  const whole = (n: number): { fromUs: bigint; toUs: bigint } => {
    if (range === undefined || stride.kind === "exact") {
      const us = (stride as Stride & { kind: "exact" }).us;
      const start = fromUs + BigInt(n) * us;
      return { fromUs: start, toUs: start + us };
    }
    const { start } = periods(stride);
    const period = periodAt(range, n);
    return { fromUs: zone.dayBegins(start(period)), toUs: zone.dayBegins(start(period + 1)) };
  };
  const buckets: Bucket[] = [];
  for (let n = skip; n < Math.min(total, skip + take); n += 1) {
    const bucket = whole(n);
    const cutFrom = bucket.fromUs < fromUs;
    const cutTo = bucket.toUs > toUs;
    buckets.push({
      fromUs: cutFrom ? fromUs : bucket.fromUs,
      toUs: cutTo ? toUs : bucket.toUs,
      partial: cutFrom || cutTo,
    });
  }
  return buckets;
}
