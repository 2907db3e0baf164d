// What a question names: times first, then durations, quoted texts, uids and names that the store knows, numbers last.
// Code, not a model: what stands here is what a plan may take for granted.

import { instantsOf } from "../calendar/local-time.js";
import { zoneOf } from "../calendar/zones.js";
import { daysFromCivil, daysInMonth } from "../contract/calendar.js";
import { formatDuration } from "../contract/duration.js";
import { formatInstant } from "../contract/instant.js";
import type { JsonValue } from "../contract/values.js";
import type { Mention, MentionKind } from "./types.js";
import { MONTHS } from "./words/lexicon.js";

/** The names that a store knows at a pin. */
export interface NameSource {
  /** Those of the texts that are uids. */
  knownUids(texts: readonly string[]): ReadonlySet<string>;
  /** Those of the texts that are uids or names. */
  known(texts: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  /** The entities with exactly this name, at most two: more than one is no answer. */
  named(name: string): Promise<readonly string[]>;
}

export interface MentionOptions {
  /** Zone of dates without one. */
  readonly zone: string;
  /** Entities that the caller names, whatever the question says. */
  readonly entities: readonly string[];
}

interface Found {
  readonly kind: MentionKind;
  readonly from: number;
  readonly to: number;
  readonly uid?: string;
  readonly value?: JsonValue;
}

const MONTH = `(?:${MONTHS.map((name) => (name === "may" ? "may" : `${name.slice(0, 3)}(?:${name.slice(3)})?`)).join("|")})`;
const TIME = "(?:[T ](\\d{2}):(\\d{2})(?::(\\d{2})(?:\\.(\\d{1,6}))?)?(Z|[+-]\\d{2}:\\d{2})?)?";
const ISO = `(\\d{4})-(\\d{2})-(\\d{2})${TIME}`;
const DAY_FIRST = `(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${MONTH}),? (\\d{4})`;
const MONTH_FIRST = `(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})`;
const MONTH_YEAR = `(${MONTH}),? (\\d{4})`;
const YEAR = "(?<=\\b(?:in|during|of|for|year|since|until|before|after|from|to|and) )(\\d{4})(?![-\\d:.,]\\d)";

const US_PER_DAY = 86_400_000_000n;
const MOST_NAME_TOKENS = 6;

/** A stretch that a date names: a day, a month, a year, or an instant. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly fromUs: bigint;
  /** Null for an instant. */
  readonly toUs: bigint | null;
}

class Times {
  private readonly zone: ReturnType<typeof zoneOf>;

  constructor(zone: string) {
    this.zone = zoneOf(zone, "zone");
  }

  /** The instant of a local time; of two the earlier, of none the one after the gap. */
  private local(days: number, usOfDay = 0n): bigint {
    const localUs = BigInt(days) * US_PER_DAY + usOfDay;
    const { instants, offsetsUs } = instantsOf(localUs, this.zone);
    return instants[0] ?? localUs - offsetsUs[0];
  }

  private day(year: number, month: number, day: number): { fromUs: bigint; toUs: bigint } | null {
    if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
    const days = daysFromCivil(year, month, day);
    return { fromUs: this.local(days), toUs: this.local(days + 1) };
  }

  private month(year: number, month: number): { fromUs: bigint; toUs: bigint } {
    const next = month === 12 ? daysFromCivil(year + 1, 1, 1) : daysFromCivil(year, month + 1, 1);
    return { fromUs: this.local(daysFromCivil(year, month, 1)), toUs: this.local(next) };
  }

  private iso(groups: readonly (string | undefined)[]): { fromUs: bigint; toUs: bigint | null } | null {
    const [year, month, day] = groups.slice(0, 3).map(Number);
    const whole = this.day(year!, month!, day!);
    const [hour, minute, second = "0", fraction = "", offset] = groups.slice(3);
    if (whole === null || hour === undefined) return whole;
    if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
    const seconds = BigInt(Number(hour) * 3600 + Number(minute) * 60 + Number(second));
    const usOfDay = seconds * 1_000_000n + BigInt(fraction.padEnd(6, "0"));
    const days = daysFromCivil(year!, month!, day!);
    if (offset === undefined) return { fromUs: this.local(days, usOfDay), toUs: null };
    const sign = offset.startsWith("-") ? -1n : 1n;
    const [hours, minutes] = offset === "Z" ? [0, 0] : [Number(offset.slice(1, 3)), Number(offset.slice(4))];
    const offsetUs = sign * BigInt(hours * 3600 + minutes * 60) * 1_000_000n;
    return { fromUs: BigInt(days) * US_PER_DAY + usOfDay - offsetUs, toUs: null };
  }

  /** Every date of a text, from left to right; none inside another. */
  find(text: string): Stretch[] {
    const found: Stretch[] = [];
    /** Dates that the calendar does not have: no other date is a part of one. */
    const refused: { readonly from: number; readonly to: number }[] = [];
    const monthOf = (name: string): number =>
      MONTHS.findIndex((each) => each.startsWith(name.slice(0, 3).toLowerCase())) + 1;
    const readers: readonly (readonly [
      string,
      (groups: readonly (string | undefined)[]) => { fromUs: bigint; toUs: bigint | null } | null,
    ])[] = [
      [`\\b${ISO}(?!\\d)`, (groups) => this.iso(groups)],
      [`\\b${DAY_FIRST}\\b`, ([day, month, year]) => this.day(Number(year), monthOf(month!), Number(day))],
      [`\\b${MONTH_FIRST}\\b`, ([month, day, year]) => this.day(Number(year), monthOf(month!), Number(day))],
      [`\\b${MONTH_YEAR}\\b`, ([month, year]) => this.month(Number(year), monthOf(month!))],
      [YEAR, ([year]) => ({ fromUs: this.month(Number(year), 1).fromUs, toUs: this.month(Number(year), 12).toUs })],
    ];
    for (const [pattern, read] of readers) {
      for (const match of text.matchAll(new RegExp(pattern, "gi"))) {
        const [from, to] = [match.index, match.index + match[0].length];
        if ([...found, ...refused].some((other) => from < other.to && other.from < to)) continue;
        const stretch = read(match.slice(1));
        if (stretch === null) refused.push({ from, to });
        else found.push({ from, to, ...stretch });
      }
    }
    return found.sort((a, b) => a.from - b.from);
  }
}

const FROM_WORD = /\b(from|between|since)\s+(?:the\s+)?$/i;
const TO_WORD = /^\s*(up to|until|till|through|to|and|\.\.|–|-)\s*(?:the\s+)?$/i;
const POINT_WORD = /\b(on|at|by|as of|before|after|until|since|believed)\s+(?:the\s+)?$/i;

const instantText = (us: bigint): string => formatInstant(us);
const window = (fromUs: bigint, toUs: bigint): JsonValue => ({ from: instantText(fromUs), to: instantText(toUs) });

/** `from A to B` and `between A and B` are one window, up to the beginning of B; with `through` to its end. */
function timesIn(text: string, zone: string): Found[] {
  const stretches = new Times(zone).find(text);
  const found: Found[] = [];
  for (let i = 0; i < stretches.length; i += 1) {
    const a = stretches[i]!;
    const b = stretches[i + 1];
    const word = FROM_WORD.exec(text.slice(0, a.from))?.[1]?.toLowerCase();
    const joined = b === undefined ? undefined : TO_WORD.exec(text.slice(a.to, b.from))?.[1]?.toLowerCase();
    const isDots = joined === ".." || joined === "–" || joined === "-";
    const isPair = joined !== undefined && (isDots || (word !== undefined && word !== "since"));
    if (b !== undefined && isPair && b.fromUs >= a.fromUs) {
      const toUs = joined === "through" ? (b.toUs ?? b.fromUs + 1n) : b.fromUs;
      if (toUs > a.fromUs) {
        found.push({ kind: "window", from: a.from, to: b.to, value: window(a.fromUs, toUs) });
        i += 1;
        continue;
      }
    }
    const isPoint = a.toUs === null || POINT_WORD.test(text.slice(0, a.from));
    if (isPoint) found.push({ kind: "instant", from: a.from, to: a.to, value: instantText(a.fromUs) });
    else found.push({ kind: "window", from: a.from, to: a.to, value: window(a.fromUs, a.toUs) });
  }
  return found;
}

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
const TOKEN = /[\p{L}\p{M}\p{N}]+(?:['’_.@:/+-]+[\p{L}\p{M}\p{N}]+)*/gu;

function durationsIn(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(DURATION)) {
    const count = /^\d+$/.test(match[1]!) ? BigInt(match[1]!) : 1n;
    const us = count * UNIT_US[match[2]!.toLowerCase()]!;
    if (us < 1n << 62n)
      found.push({ kind: "duration", from: match.index, to: match.index + match[0].length, value: formatDuration(us) });
  }
  for (const match of text.matchAll(ISO_DURATION)) {
    if (match[0].length > 2)
      found.push({ kind: "duration", from: match.index, to: match.index + match[0].length, value: match[0] });
  }
  return found;
}

/** The mentions so far, none inside another. */
class Taken {
  readonly found: Found[] = [];

  isFree(from: number, to: number): boolean {
    return this.found.every((other) => to <= other.from || other.to <= from);
  }
  add(each: Found): void {
    if (this.isFree(each.from, each.to)) this.found.push(each);
  }
}

/** The longest runs of tokens that the store knows as a uid or as a name. */
async function namesIn(text: string, source: NameSource, taken: Taken): Promise<void> {
  const tokens = Array.from(text.matchAll(TOKEN), ({ 0: token, index }) => ({ from: index, to: index + token.length }));
  const runs = tokens.flatMap(({ from }, i) =>
    tokens.slice(i, i + MOST_NAME_TOKENS).map(({ to }) => ({ from, to, text: text.slice(from, to) })),
  );
  const free = runs
    .filter(({ from, to }) => taken.isFree(from, to))
    .sort((a, b) => b.text.length - a.text.length || a.from - b.from);
  const texts = new Set(free.map((run) => run.text));
  const uids = source.knownUids([...texts]);
  // A common word in lower case is a word, whoever is called so.
  const mayBeName = (name: string): boolean => !/^\d+$/.test(name) && name !== name.toLowerCase();
  const names = await source.known(new Set([...texts].filter((text) => !uids.has(text) && mayBeName(text))));
  for (const { from, to, text: name } of free) {
    if (!taken.isFree(from, to)) continue;
    if (uids.has(name)) taken.add({ kind: "uid", from, to, uid: name });
    if (!names.has(name)) continue;
    const named = await source.named(name);
    taken.add({ kind: "name", from, to, ...(named.length === 1 ? { uid: named[0]! } : {}) });
  }
}

/** Everything that a question names, in the order of the text. */
export async function mentionsOf(
  question: string,
  source: NameSource,
  options: MentionOptions,
): Promise<readonly Mention[]> {
  const taken = new Taken();
  for (const each of timesIn(question, options.zone)) taken.add(each);
  for (const each of durationsIn(question)) taken.add(each);
  for (const match of question.matchAll(QUOTED)) {
    const text = match.slice(1).find((group) => group !== undefined)!;
    const [uid] = source.knownUids([text]);
    const named = uid === undefined ? await source.named(text) : [uid];
    taken.add({
      kind: "quoted",
      from: match.index,
      to: match.index + match[0].length,
      ...(named.length === 1 ? { uid: named[0]! } : {}),
      value: text,
    });
  }
  await namesIn(question, source, taken);
  const numbers = Array.from(question.matchAll(NUMBER), ({ 0: text, index }): Found => {
    const value = text.includes(".") ? Number(text) : BigInt(text);
    const safe = typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value;
    return { kind: "number", from: index, to: index + text.length, value: safe };
  });
  // A bare number that is a uid, too, gives both mentions.
  const isUid = ({ from, to }: Found): boolean =>
    taken.found.some((other) => other.kind === "uid" && other.from === from && other.to === to);
  const added = numbers.filter((each) => isUid(each) || taken.isFree(each.from, each.to));
  const sorted = [...taken.found, ...added].sort((a, b) => a.from - b.from || (a.kind === "number" ? 1 : -1));
  const inText = sorted.map(
    ({ kind, from, to, uid, value }, i): Mention => ({
      id: `q${i + 1}`,
      kind,
      text: question.slice(from, to),
      span: [from, to],
      ...(uid === undefined ? {} : { uid }),
      ...(value === undefined ? {} : { value }),
    }),
  );
  const named = new Set(inText.map(({ uid }) => uid));
  const given = options.entities
    .filter((uid) => !named.has(uid))
    .map((uid, i): Mention => ({ id: `q${inText.length + i + 1}`, kind: "uid", text: uid, span: [0, 0], uid }));
  return [...inText, ...given];
}
