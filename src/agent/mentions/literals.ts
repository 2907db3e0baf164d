// Durations, quoted texts, commits and numbers of a question. Pure text work.
import { formatDuration, parseDuration } from "../../contract/duration.js";
import type { Span } from "./cover.js";
import type { Found } from "./found.js";

const US_PER_DAY = 86_400_000_000n;
const UNIT_US: Readonly<Record<string, bigint>> = {
  microsecond: 1n,
  millisecond: 1_000n,
  second: 1_000_000n,
  minute: 60_000_000n,
  hour: 3_600_000_000n,
  day: US_PER_DAY,
  week: 7n * US_PER_DAY,
};
/** Longest duration there is, excluded. */
const TOO_LONG_US = 1n << 62n;

/** Digits, from 1,000 on in groups of three as answers print them, or not; and a fraction. */
const DIGITS = "(?:[1-9]\\d{0,2}(?:,\\d{3})+(?!,?\\d)|\\d+)(?:\\.\\d+)?";
const NUMBER = new RegExp(`(?<![\\p{L}\\p{N}_.-])-?${DIGITS}(?![\\p{L}\\p{N}_]|\\.\\d)`, "gu");
const DURATION = new RegExp(
  `(?<![\\p{L}\\p{N}_]|\\d[.,])(?:(half)[ -])?(an?|one|${DIGITS})[ -](${Object.keys(UNIT_US).join("|")})s?(?![\\p{L}\\p{N}_])`,
  "giu",
);
/** What stands behind a point is no part of it, the end of a sentence is. */
const ISO_DURATION = /\bP(?:\d+W)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,6})?S)?)?(?!\w|\.\w)/g;
const QUOTED = /"([^"]{1,200})"|“([^”]{1,200})”|`([^`]{1,200})`|(?<![\p{L}\p{N}])'([^']{1,200})'(?![\p{L}\p{N}])/gu;

const spanOf = ({ index, 0: text }: RegExpExecArray): Span => ({ from: index, to: index + text.length });

/** Microseconds of so many units, exactly; null where they are no whole number, or more than all of time. */
function lengthOf(count: string, unitUs: bigint, isHalf: boolean): bigint | null {
  const [whole, fraction = ""] = /^\d/.test(count) ? count.replaceAll(",", "").split(".") : ["1"];
  const parts = BigInt(whole! + fraction) * unitUs;
  const perPart = 10n ** BigInt(fraction.length) * (isHalf ? 2n : 1n);
  const us = parts / perPart;
  return us * perPart === parts && us < TOO_LONG_US ? us : null;
}

function isDuration(text: string): boolean {
  try {
    parseDuration(text, "");
    return true;
  } catch {
    return false;
  }
}

/** `90 minutes`, `1.5 hours`, `half an hour`, `PT1H30M`. */
export function durationsIn(text: string): readonly Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(DURATION)) {
    const [, half, count, unit] = match;
    const us = lengthOf(count!, UNIT_US[unit!.toLowerCase()]!, half !== undefined);
    if (us !== null) found.push({ kind: "duration", ...spanOf(match), value: formatDuration(us) });
  }
  for (const match of text.matchAll(ISO_DURATION)) {
    if (isDuration(match[0])) found.push({ kind: "duration", ...spanOf(match), value: match[0] });
  }
  return found;
}

export interface Quoted extends Span {
  /** What stands between the marks. */
  readonly text: string;
}

export const quotesIn = (text: string): readonly Quoted[] =>
  Array.from(text.matchAll(QUOTED), (match) => ({
    ...spanOf(match),
    text: match.slice(1).find((group) => group !== undefined)!,
  }));

const COMMIT = /(?<![\p{L}\p{N}_])(?:tx|commit|transaction)(?:\s*[:#]\s*|\s+)(\d{1,15})(?![\p{L}\p{N}_]|[.,:]\d)/giu;

/** `tx:3`, `commit 3`, `transaction #3`: numbers that say what was believed, and count nothing. */
export const commitsIn = (text: string): readonly Found[] =>
  Array.from(text.matchAll(COMMIT), (match) => ({
    kind: "number",
    ...spanOf(match),
    value: `tx:${BigInt(match[1]!)}`,
  }));

/** Integers exactly, as bigint beyond what a number holds; what is greater than every double is none. */
export const numbersIn = (text: string): readonly Found[] =>
  Array.from(text.matchAll(NUMBER)).flatMap((match): Found[] => {
    const written = match[0].replaceAll(",", "");
    const value = written.includes(".") ? Number(written) : BigInt(written);
    if (typeof value === "number" && !Number.isFinite(value)) return [];
    const safe = typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    return [{ kind: "number", ...spanOf(match), value: safe }];
  });
