// The aggregates of aggregate_events: one value, or two, over the events of one group in event order.

import type { CellType } from "./cells.js";
import type { Event } from "./events.js";
import { FOREVER, formatDuration, formatInstant, parseDuration } from "./instants.js";
import { greatest, least } from "./interval-set.js";
import type { Row } from "./lists.js";
import {
  compareNumeric,
  deviationOf,
  deviationTime,
  meanOf,
  meanTime,
  medianOf,
  medianTime,
  type Numeric,
  percentileOf,
  sumOf,
} from "./statistics.js";
import { canonicalText, type Value } from "./values.js";

export interface Agg {
  readonly fn: string;
  readonly as: string;
  readonly of?: string;
  readonly prop?: string;
  readonly p?: number;
  readonly span?: string;
  readonly gap?: string;
}

/** An event in a group; `other` is its far end as seen from the grouped node. */
export interface Member {
  readonly event: Event;
  readonly other: string | null;
}

const NUMERIC = ["min", "max", "sum", "mean", "median", "stddev", "percentile"];

export function isNumeric(fn: string): boolean {
  return NUMERIC.includes(fn);
}

/** The value of a property on an event, null where it is missing or, for a numeric aggregate, no number. */
export function usableValue({ edge }: Event, prop: string, isNumber: boolean): Value {
  const value = Object.hasOwn(edge.props, prop) ? edge.props[prop]! : null;
  return isNumber && typeof value !== "number" && typeof value !== "bigint" ? null : value;
}

/** The columns of an aggregate with their types. */
export function measureColumns({ fn, as, of }: Agg): ReadonlyArray<readonly [string, CellType]> {
  if (fn === "max_in_span") {
    return [
      [as, "plain"],
      [`${as}_at`, "instant"],
    ];
  }
  if (fn === "longest_session") {
    return [
      [as, "duration"],
      [`${as}_events`, "plain"],
    ];
  }
  if (fn.endsWith("_gap")) return [[as, "duration"]];
  if (fn === "count" || fn === "count_distinct") return [[as, "plain"]];
  if (of === "duration" || (of === "at" && fn === "stddev")) return [[as, "duration"]];
  return [[as, of === "at" ? "instant" : "plain"]];
}

const shownDuration = (us: bigint | null) => (us === null ? null : formatDuration(us));

function timeStatistic(fn: string, times: readonly bigint[], p: number): bigint | null {
  if (times.length === 0) return null;
  switch (fn) {
    case "min":
      return least(times);
    case "max":
      return greatest(times);
    case "sum":
      return BigInt(sumOf(times)!);
    case "mean":
      return meanTime(times);
    case "median":
      return medianTime(times);
    case "stddev":
      return deviationTime(times);
    default:
      return percentileOf(times, p);
  }
}

function numberStatistic(fn: string, values: readonly Numeric[], p: number): Numeric | null {
  switch (fn) {
    case "min":
      return percentileOf(values, 0);
    case "max":
      return values.reduce<Numeric | null>(
        (best, x) => (best === null || compareNumeric(x, best) > 0 ? x : best),
        null,
      );
    case "sum":
      return sumOf(values);
    case "mean":
      return meanOf(values);
    case "median":
      return medianOf(values);
    case "stddev":
      return deviationOf(values);
    default:
      return percentileOf(values, p);
  }
}

function statistic({ fn, of, prop, p = 0 }: Agg, events: readonly Event[]): unknown {
  if (prop !== undefined) {
    const values = events.map((event) => usableValue(event, prop, true)).filter((value) => value !== null);
    return numberStatistic(fn, values as Numeric[], p);
  }
  if (of === "duration") {
    const closed = events.filter(({ to }) => to !== FOREVER).map(({ at, to }) => to - at);
    return shownDuration(timeStatistic(fn, closed, p));
  }
  const times = events.map(({ at }) => at);
  const value = timeStatistic(fn, times, p);
  if (fn === "stddev") return shownDuration(value);
  return value === null ? null : formatInstant(value);
}

/** What `count_distinct`, `first` and `last` look at. */
function lookedAt({ event, other }: Member, { of, prop }: Agg): Value {
  const { src, dst, type } = event.edge;
  if (prop !== undefined) return usableValue(event, prop, false);
  if (of === "at") return formatInstant(event.at);
  return { src, dst, type, other, pair: [src, dst] }[of as "src" | "dst" | "type" | "other" | "pair"];
}

function gapStatistic(fn: string, events: readonly Event[]): string | null {
  const gaps = events.slice(1).map(({ at }, i) => at - events[i]!.at);
  return shownDuration(timeStatistic(fn.replace("_gap", ""), gaps, 0));
}

/** The most in any [t, t + span); the most is always met by a span that begins at an event. */
function maxInSpan({ as, of, span }: Agg, members: readonly Member[]): Row {
  let [most, at] = [0, null as bigint | null];
  for (const { event: first } of members) {
    const inside = members.filter(({ event }) => first.at <= event.at && event.at < first.at + parseDuration(span!));
    const seen = inside.map(({ event, other }, i) =>
      of === "events" ? i : of === "distinct_other" ? other : event.edge.dst,
    );
    const count = new Set(seen).size;
    if (count > most) [most, at] = [count, first.at];
  }
  return { [as]: most, [`${as}_at`]: at === null ? null : formatInstant(at) };
}

/** The longest of the runs in which gaps stay within `gap`; of equally long ones the earliest. */
function longestSession({ as, gap }: Agg, events: readonly Event[]): Row {
  const sessions: Event[][] = [];
  for (const event of events) {
    const before = sessions.at(-1)?.at(-1);
    if (before !== undefined && event.at - before.at <= parseDuration(gap!)) sessions.at(-1)!.push(event);
    else sessions.push([event]);
  }
  const lengthOf = (session: readonly Event[]) => session.at(-1)!.at - session[0]!.at;
  let longest = sessions[0];
  for (const session of sessions) if (lengthOf(session) > lengthOf(longest!)) longest = session;
  return {
    [as]: longest === undefined ? null : formatDuration(lengthOf(longest)),
    [`${as}_events`]: longest?.length ?? 0,
  };
}

/** The cells of one aggregate; the members are in event order. */
export function measure(agg: Agg, members: readonly Member[]): Row {
  const events = members.map(({ event }) => event);
  const { fn, as } = agg;
  if (fn === "max_in_span") return maxInSpan(agg, members);
  if (fn === "longest_session") return longestSession(agg, events);
  if (fn.endsWith("_gap")) return { [as]: gapStatistic(fn, events) };
  if (fn === "count") return { [as]: events.length };
  if (isNumeric(fn)) return { [as]: statistic(agg, events) };
  const values = members.map((member) => lookedAt(member, agg));
  // The value on the first or last event of the group, also where that one has none.
  if (fn !== "count_distinct") return { [as]: (fn === "first" ? values[0] : values.at(-1)) ?? null };
  return { [as]: new Set(values.filter((value) => value !== null).map(canonicalText)).size };
}
