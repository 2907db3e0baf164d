// How values are worded: numbers, instants, intervals and durations of results, exactly, in the form that people read.
import { offsetText } from "../../calendar/offset-text.js";
import type { Zone } from "../../calendar/zones.js";
import { parseDuration } from "../../contract/duration.js";
import { BEGINNING_US, END_OF_CALENDAR_US, formatInstant } from "../../contract/instant.js";
import { parseValidTo } from "../../contract/parse-instant.js";
import type { JsonValue } from "../../contract/values.js";

const MIDNIGHT = "T00:00:00Z";
const US_PER_SECOND = 1_000_000n;
const US_PER_MINUTE = 60n * US_PER_SECOND;
const UNITS = [
  ["d", 86_400n],
  ["h", 3_600n],
  ["min", 60n],
] as const;

/** Groups of three digits from 1,000 on; an exponent stays as it is. */
export function shownNumber(value: number | bigint): string {
  const text = typeof value === "bigint" || Number.isInteger(value) ? BigInt(value).toString() : String(value);
  if (text.includes("e")) return text;
  const [whole, fraction] = text.split(".");
  const grouped = whole!.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** RFC 3339. In UTC the date alone at midnight; in a zone always with the offset, which is `Z` where it is none. */
export function shownInstant(text: string, zone: Zone | null = null): string {
  if (zone === null) return text.endsWith(MIDNIGHT) ? text.slice(0, -MIDNIGHT.length) : text;
  const us = parseValidTo(text, "instant");
  const offsetUs = zone.offsetAt(us);
  const localUs = us + offsetUs;
  // No offset has seconds, as local times before zones have, and no calendar other years: such a time stays in UTC.
  const canBeSaid = offsetUs % US_PER_MINUTE === 0n && localUs >= BEGINNING_US && localUs <= END_OF_CALENDAR_US;
  if (offsetUs === 0n || !canBeSaid) return text;
  return `${formatInstant(localUs).slice(0, -1)}${offsetText(offsetUs)}`;
}

/** Half-open; null is an open end. */
export const shownInterval = (from: string, to: string | null, zone: Zone | null = null): string =>
  to === null
    ? `since ${shownInstant(from, zone)}`
    : `${shownInstant(from, zone)} to ${shownInstant(to, zone)} (end excluded)`;

/** Microseconds as the decimal of a larger unit, without zeros at its end. */
function decimal(us: bigint, perUnit: bigint): string {
  const digits = perUnit.toString().length - 1;
  const fraction = (us % perUnit).toString().padStart(digits, "0").replace(/0+$/, "");
  return fraction === "" ? `${us / perUnit}` : `${us / perUnit}.${fraction}`;
}

/** Exact: `2 d 4 h 34 min`, `1.5 s`, `250 ms`, `7 µs`. */
export function shownDuration(text: string): string {
  const us = parseDuration(text, "duration");
  const sign = us < 0n ? "-" : "";
  let left = us < 0n ? -us : us;
  if (left < 1_000n) return `${sign}${left} µs`;
  if (left < US_PER_SECOND) return `${sign}${decimal(left, 1_000n)} ms`;
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = left / (seconds * US_PER_SECOND);
    left -= count * seconds * US_PER_SECOND;
    if (count > 0n) parts.push(`${count} ${unit}`);
  }
  if (left > 0n) parts.push(`${decimal(left, US_PER_SECOND)} s`);
  return sign + parts.join(" ");
}

/** Whether a value is a number, of any size. */
export const isNumber = (value: JsonValue): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint";
