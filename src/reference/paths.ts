// O5 temporal_paths: every node-simple path that can be travelled in time, and the k best of them under a criterion.
// path-times.ts says when a path is travelled.

import { EndJudge, type NodeFilter, passesNode, type Where } from "./filters.js";
import { formatDuration, formatEnd, formatInstant, parseDuration } from "./instants.js";
import { type IntervalSet, intersect } from "./interval-set.js";
import type { Answer, Args, Row } from "./lists.js";
import {
  arrivalsAfter,
  bestTrip,
  type Criterion,
  compareOrders,
  firstArrivals,
  orderOf,
  stepDepartures,
  type Trip,
  type WaitRules,
} from "./path-times.js";
import { type Belief, spanOf } from "./question.js";
import { identityFields, type Projection, project } from "./shown.js";
import type { Orientation } from "./snapshot.js";
import { isValidAt } from "./versions.js";
import { type Crossing, crossingsOf } from "./walk-steps.js";

/** Crossings with the filters on the path's ends applied: on leaving src, which only first steps do, and on reaching dst. */
function crossingsBetween(belief: Belief, args: Args): Crossing[] {
  const [src, dst] = [args.src as string, args.dst as string];
  const [srcFilter, dstFilter] = [args.src_filter, args.dst_filter] as (NodeFilter | null)[];
  const where = args.where as Where;
  const judge = new EndJudge(belief.believed, where);
  const leaving = judge.instantsWhen(src, (at) => passesNode(src, judge.nodeAt(src, at), srcFilter!));
  const passesArrival = (at: bigint) => passesNode(dst, judge.nodeAt(dst, at), dstFilter!);
  const reaching = judge.instantsWhen(dst, passesArrival);

  const crossings = crossingsOf(belief, {
    window: spanOf(args.window),
    where,
    orientation: args.orientation as Orientation,
    arrival: args.arrival as "instant" | "valid_end",
    spared: [src, dst],
  });
  return crossings.flatMap((crossing): Crossing[] => {
    let departures: IntervalSet = crossing.departures;
    if (crossing.tail === src) departures = intersect(departures, leaving);
    if (crossing.head === dst) {
      if (crossing.travel === 0n) departures = intersect(departures, reaching);
      else departures = departures.filter(([at]) => passesArrival(at + crossing.travel)); // valid_end: a single instant
    }
    return departures.length === 0 ? [] : [{ ...crossing, departures }];
  });
}

/** All paths from src to dst that visit no node twice and admit some departures. */
function pathsBetween(crossings: readonly Crossing[], args: Args, rules: WaitRules): Crossing[][] {
  const found: Crossing[][] = [];
  const extend = (path: readonly Crossing[], node: string, arrivals: IntervalSet) => {
    if (node === args.dst) {
      if (path.length >= (args.min_hops as number)) found.push([...path]);
      return;
    }
    if (path.length === args.max_hops) return;
    for (const crossing of crossings) {
      const isVisited = crossing.head === args.src || path.some(({ head }) => head === crossing.head);
      if (crossing.tail !== node || isVisited) continue;
      const onward = path.length === 0 ? firstArrivals(crossing) : arrivalsAfter(arrivals, crossing, rules);
      if (onward.length > 0) extend([...path, crossing], crossing.head, onward);
    }
  };
  extend([], args.src as string, []);
  return found;
}

function edgeRow({ span, tail, head, travel }: Crossing, departs: bigint, projection: Projection): Row {
  const first = span[0]!;
  return {
    ...identityFields(first),
    valid_from: formatInstant(first.validFrom),
    valid_to: formatEnd(span.at(-1)!.validTo),
    seq: first.seq,
    from: tail,
    to: head,
    departs: formatInstant(departs),
    arrives: formatInstant(departs + travel),
    props: project(span.find((version) => isValidAt(version, departs))!.props, projection),
  };
}

function pathRow(path: readonly Crossing[], trip: Trip, rules: WaitRules, projection: Projection): Row {
  const departs = stepDepartures(path, trip, rules);
  return {
    departure: formatInstant(trip.departure),
    arrival: formatInstant(trip.arrival),
    duration: formatDuration(trip.arrival - trip.departure),
    hops: path.length,
    nodes: [path[0]!.tail, ...path.map(({ head }) => head)],
    edges: path.map((crossing, i) => edgeRow(crossing, departs[i]!, projection)),
  };
}

export function temporalPaths(belief: Belief, args: Args): Answer {
  belief.requireUids([args.src as string, args.dst as string]);
  const rules: WaitRules = {
    minWait: args.ties === "strict" ? 1n : 0n,
    maxWait: args.max_wait === null ? null : parseDuration(args.max_wait as string),
  };
  const criterion = args.criterion as Criterion;
  const k = args.k as number;

  const ranked = pathsBetween(crossingsBetween(belief, args), args, rules)
    .map((path) => {
      const trip = bestTrip(path, criterion, rules);
      const spans = path.flatMap(({ span }) => [span[0]!.validFrom, BigInt(span[0]!.seq)]);
      return { path, trip, order: [...orderOf(criterion, trip, path.length), ...spans] };
    })
    .sort((a, b) => compareOrders(a.order, b.order));
  const rows = ranked.slice(0, k).map(({ path, trip }) => pathRow(path, trip, rules, args.props as Projection));
  return { lists: [["rows", rows]], fields: { more_paths: ranked.length > k } };
}
