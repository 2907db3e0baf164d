// Instants: int64 microseconds since 1970-01-01T00:00:00Z as bigint, and their one output form.
// Reading is in parse-instant.ts. Uses no machine clock, zone table or Date.
import { civilFromDays } from "./calendar.js";

/** -9999-01-01T00:00:00Z, the least instant. */
export const BEGINNING_US = -377_705_116_800_000_000n;
/** 9999-12-31T23:59:59.999999Z, the greatest instant. */
export const LAST_INSTANT_US = 253_402_300_799_999_999n;
/** +10000-01-01T00:00:00Z: only an end (`valid_to`) may be there. */
export const END_OF_CALENDAR_US = 253_402_300_800_000_000n;
export const END_OF_CALENDAR_TEXT = "+10000-01-01T00:00:00Z";
/** An open end inside the engine; null in JSON. */
export const OPEN_END_US = 1n << 62n;

export const MICROS_PER_SECOND = 1_000_000n;
const SECONDS_PER_DAY = 86_400;

const TWO_DIGITS = Array.from({ length: 100 }, (_, n) => (n < 10 ? `0${n}` : String(n)));

// Rows of one answer mostly share few dates, and making a date text costs more than looking at the last one.
let lastDays = Number.NaN;
let lastDateText = "";

function dateText(days: number): string {
  if (days === lastDays) return lastDateText;
  const { year, month, day } = civilFromDays(days);
  const digits = String(Math.abs(year)).padStart(4, "0");
  lastDateText = `${year < 0 ? "-" : year > 9999 ? "+" : ""}${digits}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`;
  lastDays = days;
  return lastDateText;
}

/** Output form of whole seconds and the microseconds in them (0..999999). */
function formatParts(seconds: number, micros: number): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const secondOfDay = seconds - days * SECONDS_PER_DAY;
  const hour = Math.floor(secondOfDay / 3600);
  const minute = Math.floor(secondOfDay / 60) - hour * 60;
  const second = secondOfDay % 60;
  const text = `${dateText(days)}T${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}`;
  return micros === 0 ? `${text}Z` : `${text}.${String(micros).padStart(6, "0")}Z`;
}

/** RFC 3339 in UTC, six fraction digits when the fraction is not zero. `us` is in the range of instants, or its end. */
export function formatInstant(us: bigint): string {
  const approximate = Number(us);
  if (Number.isSafeInteger(approximate)) {
    const seconds = Math.floor(approximate / 1_000_000);
    return formatParts(seconds, approximate - seconds * 1_000_000);
  }
  let seconds = us / MICROS_PER_SECOND;
  let micros = Number(us - seconds * MICROS_PER_SECOND);
  if (micros < 0) {
    micros += 1_000_000;
    seconds -= 1n;
  }
  return formatParts(Number(seconds), micros);
}

/** Output form of an end: null when it is open. */
export function formatEnd(us: bigint): string | null {
  return us === OPEN_END_US ? null : formatInstant(us);
}
