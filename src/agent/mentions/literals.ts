// Durations, quoted texts and numbers of a question. Pure text work.
import { formatDuration } from "../../contract/duration.js";
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
const DURATION = new RegExp(`\\b(\\d+|an?|one)[ -](${Object.keys(UNIT_US).join("|")})s?\\b`, "gi");
const ISO_DURATION = /\bP(?:\d+W|(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,6})?S)?)?)(?![\w.])/g;
const QUOTED = /"([^"]{1,200})"|“([^”]{1,200})”|`([^`]{1,200})`|(?<![\p{L}\p{N}])'([^']{1,200})'(?![\p{L}\p{N}])/gu;
const NUMBER = /(?<![\p{L}\p{N}_.-])-?\d+(?:\.\d+)?(?![\p{L}\p{N}_]|\.\d)/gu;

const spanOf = ({ index, 0: text }: RegExpExecArray): Span => ({ from: index, to: index + text.length });

export function durationsIn(text: string): readonly Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(DURATION)) {
    const count = /^\d+$/.test(match[1]!) ? BigInt(match[1]!) : 1n;
    const us = count * UNIT_US[match[2]!.toLowerCase()]!;
    if (us < 1n << 62n) found.push({ kind: "duration", ...spanOf(match), value: formatDuration(us) });
  }
  for (const match of text.matchAll(ISO_DURATION)) {
    if (match[0].length > 2) found.push({ kind: "duration", ...spanOf(match), value: match[0] });
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

export const numbersIn = (text: string): readonly Found[] =>
  Array.from(text.matchAll(NUMBER), (match): Found => {
    const [written] = match;
    const value = written.includes(".") ? Number(written) : BigInt(written);
    const safe = typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    return { kind: "number", ...spanOf(match), value: safe };
  });
