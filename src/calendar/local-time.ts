// From local time to instants: which instants a local time names, and steps of the calendar from an instant.
// Pure; rules come from the zone.
import { civilFromDays, daysFromCivil, daysInMonth } from "../contract/calendar.js";
import type { Stride } from "../contract/duration.js";
import type { Zone } from "./zones.js";

const MICROS_PER_DAY = 86_400_000_000n;
const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b));

/** What a local time means: one instant, none (clocks went over it), or two (they were set back over it). */
export interface LocalMeaning {
  /** Ascending. */
  readonly instants: readonly bigint[];
  /** Local minus UTC in force before and after the nearest change of clocks; equal where there is none. */
  readonly offsetsUs: readonly [before: bigint, after: bigint];
}

/** `localUs`: microseconds of the local date and time, counted as if it were UTC. */
export function instantsOf(localUs: bigint, zone: Zone): LocalMeaning {
  const before = zone.offsetAt(localUs - MICROS_PER_DAY);
  const after = zone.offsetAt(localUs + MICROS_PER_DAY);
  const offsets = before === after ? [before] : [before, after];
  const instants = offsets
    .map((offset) => ({ us: localUs - offset, offset }))
    .filter(({ us, offset }) => zone.offsetAt(us) === offset)
    .map(({ us }) => us)
    .sort((a, b) => (a < b ? -1 : 1));
  return { instants, offsetsUs: [before, after] };
}

function stepDay(day: number, count: number, unit: "D" | "W" | "M" | "Y"): number {
  if (unit === "D") return day + count;
  if (unit === "W") return day + 7 * count;
  const { year, month, day: dayOfMonth } = civilFromDays(day);
  const months = year * 12 + month - 1 + (unit === "M" ? count : 12 * count);
  const toYear = Math.floor(months / 12);
  const toMonth = months - toYear * 12 + 1;
  return daysFromCivil(toYear, toMonth, Math.min(dayOfMonth, daysInMonth(toYear, toMonth)));
}

/**
 * The instant a whole number of calendar units later (or earlier, `sign` -1), at the same local time; the last day of
 * a shorter month. A local time that is missing there moves by what the clocks went forward; of two the one with the
 * same offset is meant, else the earlier.
 */
export function stepCalendar(us: bigint, stride: Stride & { kind: "calendar" }, sign: 1 | -1, zone: Zone): bigint {
  const offset = zone.offsetAt(us);
  const local = us + offset;
  const day = floorDiv(local, MICROS_PER_DAY);
  const stepped = BigInt(stepDay(Number(day), sign * stride.count, stride.unit));
  const target = stepped * MICROS_PER_DAY + (local - day * MICROS_PER_DAY);
  const { instants, offsetsUs } = instantsOf(target, zone);
  return instants.find((at) => zone.offsetAt(at) === offset) ?? instants[0] ?? target - offsetsUs[0];
}
