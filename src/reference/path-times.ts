// When a path over given crossings may be travelled: its best pair of departure and arrival, and the times of its steps.
// Works on sets of instants; knows nothing of graphs and filters.

import { type Interval, type IntervalSet, intersect, least, setOf, shift } from "./interval-set.js";
import type { Crossing } from "./walk-steps.js";

export interface WaitRules {
  /** The least stay between arriving and leaving. */
  readonly minWait: bigint;
  /** The longest stay, inclusive; null is none. */
  readonly maxWait: bigint | null;
}

export interface Trip {
  readonly departure: bigint;
  readonly arrival: bigint;
}

export type Criterion = "foremost" | "fastest" | "shortest" | "latest_departure";

/** Longer than any time between two instants, so it stands for no limit. */
const NO_LIMIT = 2n ** 63n;

/** One must wait for a microsecond and may not: nothing can follow on anything. */
const forbidsSteps = ({ minWait, maxWait }: WaitRules): boolean => maxWait !== null && minWait > maxWait;

/** Arrivals at the end of one more crossing, after arrivals at its tail. */
export function arrivalsAfter(arrivals: IntervalSet, crossing: Crossing, rules: WaitRules): IntervalSet {
  if (forbidsSteps(rules)) return [];
  const { minWait, maxWait } = rules;
  const departures = arrivals.map(([first, last]): Interval => [first + minWait, last + (maxWait ?? NO_LIMIT)]);
  return shift(intersect(setOf(departures), crossing.departures), crossing.travel);
}

export function firstArrivals({ departures, travel }: Crossing): IntervalSet {
  return shift(departures, travel);
}

/** Departures over a crossing that arrive in time for one of the given next departures. */
function departuresBefore(next: IntervalSet, crossing: Crossing, { minWait, maxWait }: WaitRules): IntervalSet {
  const arrivals = next.map(([first, last]): Interval => [first - (maxWait ?? NO_LIMIT), last - minWait]);
  return intersect(shift(setOf(arrivals), -crossing.travel), crossing.departures);
}

/** Per crossing the departures from which the arrival at the end can be kept, whatever came before. */
function departuresToward(arrival: bigint, path: readonly Crossing[], rules: WaitRules): IntervalSet[] {
  const sets: IntervalSet[] = [];
  for (const crossing of [...path].reverse()) {
    const next = sets[0];
    const last = arrival - crossing.travel;
    sets.unshift(
      next === undefined ? intersect([[last, last]], crossing.departures) : departuresBefore(next, crossing, rules),
    );
  }
  return sets;
}

/**
 * Arrivals among which every criterion has its best. A best trip cannot be moved: going back from its arrival there is a row of stays
 * that are all the least or the longest, up to a step that leaves at an end of a stretch of its departures.
 */
function arrivalsWorthTrying(path: readonly Crossing[], { minWait, maxWait }: WaitRules): Set<bigint> {
  const stays = maxWait === null ? [minWait] : [minWait, maxWait];
  let arrivals = new Set<bigint>();
  for (const { departures, travel } of path) {
    const departing = [...departures.flat(), ...[...arrivals].flatMap((at) => stays.map((stay) => at + stay))];
    arrivals = new Set(departing.map((at) => at + travel));
  }
  return arrivals;
}

const ORDERS: Readonly<Record<Criterion, (trip: Trip, hops: number) => bigint[]>> = {
  foremost: ({ departure, arrival }, hops) => [arrival, -departure, BigInt(hops)],
  fastest: ({ departure, arrival }, hops) => [arrival - departure, arrival, BigInt(hops)],
  shortest: ({ departure, arrival }, hops) => [BigInt(hops), arrival, -departure],
  latest_departure: ({ departure, arrival }, hops) => [-departure, arrival, BigInt(hops)],
};

/** What decides between two trips: the first number that differs, the smaller is better. */
export function orderOf(criterion: Criterion, trip: Trip, hops: number): bigint[] {
  return ORDERS[criterion](trip, hops);
}

export function compareOrders(a: readonly bigint[], b: readonly bigint[]): number {
  const i = a.findIndex((part, at) => part !== b[at]);
  return i < 0 ? 0 : a[i]! < b[i]! ? -1 : 1;
}

/** The best pair of departure and arrival that the path admits; it admits one. */
export function bestTrip(path: readonly Crossing[], criterion: Criterion, rules: WaitRules): Trip {
  const trips = [...arrivalsWorthTrying(path, rules)].flatMap((arrival): Trip[] => {
    const first = departuresToward(arrival, path, rules)[0]!;
    return first.length === 0 ? [] : [{ departure: first.at(-1)![1], arrival }];
  });
  const order = (trip: Trip) => orderOf(criterion, trip, path.length);
  return trips.reduce((best, trip) => (compareOrders(order(trip), order(best)) < 0 ? trip : best));
}

/** Per crossing the earliest departure with which the trip can be kept. All of them together are admissible. */
export function stepDepartures(path: readonly Crossing[], { departure, arrival }: Trip, rules: WaitRules): bigint[] {
  const toward = departuresToward(arrival, path, rules);
  let arrivals: IntervalSet = [];
  return path.map((crossing, i) => {
    const pruned = { ...crossing, departures: i === 0 ? ([[departure, departure]] as const) : toward[i]! };
    arrivals = i === 0 ? firstArrivals(pruned) : arrivalsAfter(arrivals, pruned, rules);
    return least(arrivals.map(([first]) => first)) - crossing.travel;
  });
}
