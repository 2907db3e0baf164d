// Durations and strides: ISO 8601 texts, microseconds, and their one output form.
// A duration is exact; only a stride may count calendar units. Knows no zones.
import { PalimpsestError } from "./errors.js";

const MICROS_PER_SECOND = 1_000_000n;
const MICROS_PER_HOUR = 3_600n * MICROS_PER_SECOND;
const MICROS_PER_DAY = 24n * MICROS_PER_HOUR;
const LARGEST_US = (1n << 62n) - 1n;
/** Every duration there is can be written far shorter; of more digits no number is made. */
const LONGEST_TEXT = 256;

const EXACT = /^(-)?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?$/;
const CALENDAR = /^P(\d+)([DWMY])$/;
const INEXACT = /^-?P(?:\d+[YMWD])*\d+[YM]/;

function fail(message: string, where: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", `${where}: ${message}`, { details: { path: where }, hint });
}

/** Microseconds of an exact ISO 8601 duration; days and weeks are 24 hours and 7 days. */
export function parseDuration(value: unknown, where: string): bigint {
  if (typeof value !== "string") {
    throw new PalimpsestError("E_SCHEMA", `${where}: ${typeof value} is not a duration`, {
      details: { path: where },
      hint: 'write it as "PT6H"',
    });
  }
  if (value.length > LONGEST_TEXT) {
    fail(`a text of ${value.length} characters is no duration`, where, "write it as PT6H, PT0.000001S or P1D");
  }
  const match = value.length > 1 ? EXACT.exec(value) : null;
  if (match === null || value.endsWith("P")) {
    const hint = INEXACT.test(value)
      ? "months and years have no exact length: write days or hours"
      : "write it as PT6H, PT0.000001S or P1D";
    return fail(`${JSON.stringify(value)} is not an exact duration`, where, hint);
  }
  const [, sign, weeks = "0", days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = match;
  if (/[1-9]/.test(fraction.slice(6))) {
    fail(`${JSON.stringify(value)} is finer than a microsecond`, where, "write at most six fraction digits");
  }
  const us =
    (BigInt(weeks) * 7n + BigInt(days)) * MICROS_PER_DAY +
    BigInt(hours) * MICROS_PER_HOUR +
    (BigInt(minutes) * 60n + BigInt(seconds)) * MICROS_PER_SECOND +
    BigInt(fraction.slice(0, 6).padEnd(6, "0"));
  if (us > LARGEST_US) fail(`${JSON.stringify(value)} is longer than all of time`, where, "leave the bound out");
  return sign === undefined ? us : -us;
}

/** `PT[nH][nM][n[.ffffff]S]`, hours unbounded, zero parts left out; zero is `PT0S`. */
export function formatDuration(us: bigint): string {
  if (us === 0n) return "PT0S";
  const magnitude = us < 0n ? -us : us;
  const hours = magnitude / MICROS_PER_HOUR;
  const rest = Number(magnitude - hours * MICROS_PER_HOUR);
  const minutes = Math.floor(rest / 60_000_000);
  const seconds = Math.floor(rest / 1_000_000) - minutes * 60;
  const micros = rest % 1_000_000;
  let text = us < 0n ? "-PT" : "PT";
  if (hours !== 0n) text += `${hours}H`;
  if (minutes !== 0) text += `${minutes}M`;
  if (micros !== 0) text += `${seconds}.${String(micros).padStart(6, "0")}S`;
  else if (seconds !== 0) text += `${seconds}S`;
  return text;
}

/** A step of time: an exact length, or a whole number of calendar units. */
export type Stride =
  | { readonly kind: "exact"; readonly us: bigint }
  | { readonly kind: "calendar"; readonly count: number; readonly unit: "D" | "W" | "M" | "Y" };

/** An exact duration, or one of `P<n>D`, `P<n>W`, `P<n>M`, `P<n>Y`; greater than zero. */
export function parseStride(value: unknown, where: string): Stride {
  const match = typeof value === "string" ? CALENDAR.exec(value) : null;
  if (match !== null) {
    const count = Number(match[1]);
    if (count < 1 || count > 1_000_000_000)
      fail(`the stride ${JSON.stringify(value)} is not usable`, where, "write P1D or more");
    return { kind: "calendar", count, unit: match[2] as "D" | "W" | "M" | "Y" };
  }
  if (typeof value === "string" && INEXACT.test(value)) {
    fail(`the stride ${JSON.stringify(value)} mixes units`, where, "write one unit: P1D, P1W, P1M, P1Y, or PT36H");
  }
  const us = parseDuration(value, where);
  if (us <= 0n) fail(`the stride ${JSON.stringify(value)} is not greater than zero`, where, "write PT1S or more");
  return { kind: "exact", us };
}

export function formatStride(stride: Stride): string {
  return stride.kind === "exact" ? formatDuration(stride.us) : `P${stride.count}${stride.unit}`;
}
