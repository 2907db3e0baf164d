// How values must be printed, by the table of the design: numbers in groups of three, dates alone at midnight, durations
// in days, hours and minutes. In the zone that the question named, if it named one. Written apart from the renderer.
import { inZone, type LocalTime } from "./zones.js";

export type ItemType = "number" | "instant" | "duration" | "entity" | "text";

export const INSTANT = /^-?\d{4,}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
export const DURATION = /^-?P(?=.)(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,6}))?S)?)?$/;

export const typeOf = (value: unknown): ItemType => {
  if (typeof value === "number" || typeof value === "bigint") return "number";
  if (typeof value !== "string") return "text";
  if (INSTANT.test(value)) return "instant";
  return DURATION.test(value) ? "duration" : "text";
};

export function printedNumber(value: number | bigint): string {
  const text = String(value);
  const [whole, fraction] = text.split(".");
  let grouped = "";
  const digits = whole!.replace("-", "");
  for (let i = 0; i < digits.length; i += 1) {
    if (i > 0 && (digits.length - i) % 3 === 0) grouped += ",";
    grouped += digits[i];
  }
  return `${whole!.startsWith("-") ? "-" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** In a zone the offset always stands behind it, so that no date is alone. */
export const printedInstant = (value: string, zone: LocalTime | null): string =>
  zone === null ? value.replace("T00:00:00Z", "") : inZone(value, zone);

const trimmed = (whole: bigint, fraction: string): string => {
  const zeros = fraction.replace(/0+$/, "");
  return zeros === "" ? `${whole}` : `${whole}.${zeros}`;
};

export function printedDuration(value: string): string {
  const [, days = "0", hours = "0", minutes = "0", seconds = "0", fraction = ""] = DURATION.exec(value)!;
  const micros = BigInt(fraction.padEnd(6, "0"));
  const whole = ((BigInt(days) * 24n + BigInt(hours)) * 60n + BigInt(minutes)) * 60n + BigInt(seconds);
  const sign = value.startsWith("-") ? "-" : "";
  if (whole === 0n && micros < 1000n) return `${sign}${micros} µs`;
  if (whole === 0n) return `${sign}${trimmed(micros / 1000n, String(micros % 1000n).padStart(3, "0"))} ms`;
  const last = trimmed(whole % 60n, String(micros).padStart(6, "0"));
  const parts = [
    [whole / 86_400n, "d"],
    [(whole / 3600n) % 24n, "h"],
    [(whole / 60n) % 60n, "min"],
  ].flatMap(([count, unit]) => (count === 0n ? [] : [`${count} ${unit}`]));
  return sign + [...parts, ...(last === "0" ? [] : [`${last} s`])].join(" ");
}
