// Buckets of docs/contract.md A10 by stepping through the window one period after another.
// Local time comes from the zone rules that Node.js itself ships (Intl), a source apart from the product's own table.

import { PalimpsestError } from "../contract/errors.js";
import { dateOfDays, daysOfDate, floorDiv, formatInstant, parseDuration, parseInstant } from "./instants.js";
import { greatest, least } from "./interval-set.js";
import type { Row } from "./lists.js";

export const DAY = 86_400_000_000n;
export const HOUR = 3_600_000_000n;
const MAX_BUCKETS = 100_000;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const numeric = "numeric" as const;
  const date = { era: "short", year: numeric, month: numeric, day: numeric } as const;
  const time = { hourCycle: "h23", hour: numeric, minute: numeric, second: numeric } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("en-u-ca-gregory", { timeZone: zone, ...date, ...time });
  formats.set(zone, format);
  return format;
}

/** Local minus UTC. Only time of day and "same date or not" are read, as Intl's calendar is not ours before 1582. */
export function offsetAt(us: bigint, zone: string): bigint {
  if (zone === "UTC") return 0n;
  const seconds = floorDiv(us, 1_000_000n);
  const clock = (name: string) => {
    const parts = new Map(
      formatOf(name)
        .formatToParts(Number(seconds) * 1000)
        .map(({ type, value }) => [type as string, value]),
    );
    const part = (unit: string) => Number(parts.get(unit));
    return { date: parts.get("day"), seconds: BigInt(part("hour") * 3600 + part("minute") * 60 + part("second")) };
  };
  const [local, utc] = [clock(zone), clock("UTC")];
  const ofDay = (local.seconds - utc.seconds) * 1_000_000n;
  if (local.date === utc.date) return ofDay;
  // Offsets stay within 16 hours, so another date with an earlier time of day is the next day, with a later one the day before.
  return ofDay < 0n ? ofDay + DAY : ofDay - DAY;
}

/** Where the local day begins: its first midnight, or the first instant after the gap that swallowed it. */
export function dayBegins(day: bigint, zone: string): bigint {
  const midnight = day * DAY;
  const [from, to] = [midnight - 36n * HOUR, midnight + 36n * HOUR];
  const offsets = new Set<bigint>();
  for (let us = from; us <= to; us += 6n * HOUR) offsets.add(offsetAt(us, zone));
  const midnights = [...offsets]
    .map((offset) => midnight - offset)
    .filter((us) => us + offsetAt(us, zone) === midnight);
  if (midnights.length > 0) return least(midnights);
  let [before, after] = [from, to];
  while (after - before > 1n) {
    const middle = (before + after) / 2n;
    if (middle + offsetAt(middle, zone) >= midnight) after = middle;
    else before = middle;
  }
  return after;
}

/** The local day on which the i-th period of a calendar stride begins. */
function periodDay(i: bigint, count: bigint, unit: string): bigint {
  if (unit === "D") return i * count;
  if (unit === "W") return 4n + i * count * 7n; // from Monday 1970-01-05
  const months = i * count * (unit === "Y" ? 12n : 1n);
  const year = floorDiv(months, 12n);
  return daysOfDate(1970 + Number(year), Number(months - year * 12n) + 1, 1);
}

/** The boundaries from which periods begin: the last at or before `from`, then on until past `to`. */
function* boundaries(stride: string, zone: string, from: bigint, to: bigint): Generator<bigint> {
  const calendar = /^P(\d+)([DWMY])$/.exec(stride);
  if (calendar === null) {
    const step = parseDuration(stride);
    for (let at = from; ; at += step) yield at;
  }
  const [count, unit] = [BigInt(calendar[1]!), calendar[2]!];
  const { year } = dateOfDays(floorDiv(from, DAY));
  const isMonthly = unit === "M" || unit === "Y";
  // A period well before the window; then step up.
  let i = isMonthly
    ? floorDiv(BigInt(year - 1971) * (unit === "M" ? 12n : 1n), count) - 1n
    : floorDiv(from, DAY * (unit === "W" ? 7n : 1n) * count) - 2n;
  while (dayBegins(periodDay(i + 1n, count, unit), zone) <= from) i++;
  for (let begin = dayBegins(periodDay(i, count, unit), zone); ; begin = dayBegins(periodDay(++i, count, unit), zone)) {
    yield begin;
    if (begin > to) return;
  }
}

/** Rows of a resolved window; an end that is still null means that there was no event to resolve it by. */
export function bucketsOf(window: unknown, stride: string, zone: string): Row[] {
  const ends = (window ?? { from: null, to: null }) as { from: unknown; to: unknown };
  if (ends.from === null || ends.to === null) return [];
  const [from, to] = [parseInstant(ends.from), parseInstant(ends.to, { isEnd: true })];
  const rows: Row[] = [];
  const begins = boundaries(stride, zone, from, to);
  let begin = begins.next().value as bigint;
  while (begin < to) {
    const end = begins.next().value as bigint;
    const [shownFrom, shownTo] = [greatest([begin, from]), least([end, to])];
    const partial = begin < from || end > to;
    // A day that clocks went over whole overlaps nothing.
    if (begin < end) rows.push({ bucket_from: formatInstant(shownFrom), bucket_to: formatInstant(shownTo), partial });
    if (rows.length > MAX_BUCKETS) throw new PalimpsestError("E_LIMIT", "more than 100,000 buckets");
    begin = end;
  }
  return rows;
}
