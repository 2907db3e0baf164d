// The times that a question names, as instants: each date in the zone that it stands with, and windows of two dates.
import { instantsOf } from "../../calendar/local-time.js";
import { fixedZone } from "../../calendar/zones.js";
import { END_OF_CALENDAR_US, formatInstant, LAST_INSTANT_US } from "../../contract/instant.js";
import type { JsonValue } from "../../contract/values.js";
import { type Clock, clockBefore, clockBehind, offsetOfDate } from "./clock.js";
import type { Span } from "./cover.js";
import { datesIn, type WrittenDate } from "./dates.js";
import { standings } from "./standing.js";
import { onlyZone, type QuestionZone, type ZoneMeaning } from "./zones.js";

export interface FoundTime extends Span {
  readonly kind: "instant" | "window";
  readonly value: JsonValue;
  /** What of it the question leaves open, and how it is read. */
  readonly assumed: readonly string[];
}

/** A date that is no time, and why. */
export interface UnmeantDate extends Span {
  readonly assumed: readonly string[];
}

export interface FoundTimes {
  readonly times: readonly FoundTime[];
  readonly unmeant: readonly UnmeantDate[];
}

const US_PER_DAY = 86_400_000_000n;
/** How far before a date its preposition is looked for. */
const LONGEST_LEAD = 24;

/** A date with the time of day and the offset that are written to it. */
interface Dated extends WrittenDate {
  /** Where the date itself begins, behind a time of day before it. */
  readonly dateFrom: number;
  readonly clock: Clock | null;
  readonly offsetUs: bigint | null;
}

/** What a date means on the axis of time. */
interface Stretch extends Span {
  readonly fromUs: bigint;
  /** Null for an instant. */
  readonly toUs: bigint | null;
  /** Where its zone ends, if that stands behind it. */
  readonly outerTo: number;
  readonly assumed: readonly string[];
}

/** `after`: where the date before it ends, with its clock. Null for what no day has. */
function withClock(
  text: string,
  date: WrittenDate,
  after: number,
  zones: ReadonlyMap<number, QuestionZone>,
): Dated | null {
  const alone = { ...date, dateFrom: date.from, clock: null, offsetUs: null };
  if (date.unit !== "day") return alone;
  const before = clockBefore(text, date.from, zones);
  if (before === "wrong") return null;
  if (before !== "none" && before.from >= after) {
    return { ...alone, from: before.from, clock: before.clock, offsetUs: before.clock.offsetUs };
  }
  const behind = clockBehind(text, date.to);
  if (behind === "wrong") return null;
  if (behind !== "none") return { ...alone, to: behind.to, clock: behind.clock, offsetUs: behind.clock.offsetUs };
  const own = offsetOfDate(text, date.to);
  if (own === "wrong") return null;
  return own === "none" ? alone : { ...alone, to: own.to, offsetUs: own.offsetUs };
}

/** Every date of the text, from left to right, with what is written to it. */
function datedIn(text: string, zones: readonly QuestionZone[]): readonly Dated[] {
  const byEnd = new Map(zones.map((zone) => [zone.to, zone]));
  const found: Dated[] = [];
  for (const date of datesIn(text)) {
    const dated = withClock(text, date, found.at(-1)?.to ?? 0, byEnd);
    if (dated !== null) found.push(dated);
  }
  return found;
}

type Meaning = Pick<Stretch, "fromUs" | "toUs"> & { readonly open?: string };

/** A day that a zone never had, or a time after all time. */
type NoMeaning = "skipped" | "too_late";

function meaningOf({ firstDay, nextDay, clock, offsetUs }: Dated, { zone, name }: ZoneMeaning): Meaning | NoMeaning {
  const local = offsetUs === null ? zone : fixedZone(offsetUs);
  if (clock === null) {
    const [fromUs, toUs] = [local.dayBegins(firstDay), local.dayBegins(nextDay)];
    if (toUs > END_OF_CALENDAR_US) return { fromUs, toUs: END_OF_CALENDAR_US };
    return toUs > fromUs ? { fromUs, toUs } : "skipped";
  }
  const localUs = BigInt(firstDay) * US_PER_DAY + clock.usOfDay;
  const { instants, offsetsUs } = instantsOf(localUs, local);
  const fromUs = instants[0] ?? localUs - offsetsUs[0];
  if (fromUs > LAST_INSTANT_US) return "too_late";
  if (instants.length === 1) return { fromUs, toUs: null };
  return {
    fromUs,
    toUs: null,
    open: instants.length === 0 ? `clocks skip it in ${name}` : `the earlier of two in ${name}`,
  };
}

interface Dates {
  readonly stretches: readonly Stretch[];
  readonly unmeant: readonly UnmeantDate[];
}

/** Every date of the text on the axis of time, from left to right. */
function stretchesIn(text: string, zones: readonly QuestionZone[], fallback: ZoneMeaning): Dates {
  const only = onlyZone(zones);
  const dates = datedIn(text, zones);
  const spans = dates.map(({ dateFrom, to }) => ({ from: dateFrom, to }));
  const standing = standings(text, spans, zones);
  const unmeant: UnmeantDate[] = [];
  const stretches = dates.flatMap((date, i): Stretch[] => {
    const { zone: own, to: outerTo } = standing[i]!;
    const zone = only ?? own ?? fallback;
    const meaning = meaningOf(date, zone);
    const { from, to, offsetUs } = date;
    const said = text.slice(from, to);
    if (meaning === "skipped")
      unmeant.push({ from, to, assumed: [`${said} is no time: ${zone.name} had no such day`] });
    if (typeof meaning === "string") return [];
    const { fromUs, toUs, open } = meaning;
    const isHomeless = zones.length > 0 && only === null && own === null && offsetUs === null;
    const assumed = [
      ...(isHomeless ? [`${said} is in ${fallback.name}: it stands with no zone`] : []),
      ...(open === undefined ? [] : [`${said} = ${formatInstant(fromUs)}: ${open}`]),
    ];
    return [{ from, to, outerTo, fromUs, toUs, assumed }];
  });
  return { stretches, unmeant };
}

const FROM_WORD = /\b(from|between|since)\s+(?:the\s+)?$/i;
const TO_WORD = /^[\s)]*(up to|until|till|through|to|and|\.\.|–|-)\s*(?:the\s+)?$/i;
const POINT_WORD = /\b(on|at|by|as of|before|after|until|since|believed)\s+(?:the\s+)?$/i;

const windowOf = (fromUs: bigint, toUs: bigint): JsonValue => ({
  from: formatInstant(fromUs),
  to: formatInstant(toUs),
});

/** The end of the window that two dates are; null where they are none. */
function endOfPair(text: string, lead: string, a: Stretch, b: Stretch | undefined): bigint | null {
  if (b === undefined) return null;
  const word = FROM_WORD.exec(lead)?.[1]?.toLowerCase();
  const joined = TO_WORD.exec(text.slice(a.outerTo, b.from))?.[1]?.toLowerCase();
  const isDots = joined === ".." || joined === "–" || joined === "-";
  if (joined === undefined || !(isDots || (word !== undefined && word !== "since"))) return null;
  const toUs = joined === "through" ? (b.toUs ?? b.fromUs + 1n) : b.fromUs;
  return b.fromUs >= a.fromUs && toUs > a.fromUs ? toUs : null;
}

/**
 * `from A to B` and `between A and B` are one window, up to the beginning of B; with `through` to its end. `fallback` is the
 * zone of dates that stand with none.
 */
export function timesIn(text: string, zones: readonly QuestionZone[], fallback: ZoneMeaning): FoundTimes {
  const { stretches, unmeant } = stretchesIn(text, zones, fallback);
  const found: FoundTime[] = [];
  for (let i = 0; i < stretches.length; i += 1) {
    const a = stretches[i]!;
    const b = stretches[i + 1];
    const lead = text.slice(Math.max(0, a.from - LONGEST_LEAD), a.from);
    const { from, to, assumed } = a;
    const endUs = endOfPair(text, lead, a, b);
    if (endUs !== null) {
      const both = [...assumed, ...b!.assumed];
      found.push({ kind: "window", from, to: b!.to, value: windowOf(a.fromUs, endUs), assumed: both });
      i += 1;
    } else if (a.toUs === null || POINT_WORD.test(lead)) {
      found.push({ kind: "instant", from, to, value: formatInstant(a.fromUs), assumed });
    } else {
      found.push({ kind: "window", from, to, value: windowOf(a.fromUs, a.toUs), assumed });
    }
  }
  return { times: found, unmeant };
}
