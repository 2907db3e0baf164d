// O4 temporal_reachability: whom a node reaches, or who reaches it, by all walks that docs/contract.md A8 admits.

import type { Where } from "./filters.js";
import { formatInstant, parseDuration } from "./instants.js";
import type { Answer, Args, Row } from "./lists.js";
import { type Belief, spanOf } from "./question.js";
import type { Orientation } from "./snapshot.js";
import { compareInstants, compareText } from "./values.js";
import { mirrored, stepsOf } from "./walk-steps.js";
import { walksFrom } from "./walks.js";

export function temporalReachability(belief: Belief, args: Args): Answer {
  const subjects = args.uid as readonly string[];
  const to = args.to as readonly string[] | null;
  belief.requireUids([...subjects, ...(to ?? [])]);
  const isForward = args.direction === "forward";
  const rules = {
    minWait: args.ties === "strict" ? 1n : 0n,
    maxWait: args.max_wait === null ? null : parseDuration(args.max_wait as string),
    maxHops: args.max_hops as number | null,
  };

  const rows: Row[] = [];
  const reached: Row[] = [];
  for (const of of subjects) {
    const steps = stepsOf(belief, {
      window: spanOf(args.window),
      where: args.where as Where,
      orientation: args.orientation as Orientation,
      arrival: args.arrival as "instant" | "valid_end",
      spared: [of],
    });
    const found = [...walksFrom(of, isForward ? steps : mirrored(steps), rules)]
      .filter(([uid]) => to === null || to.includes(uid))
      .sort(([a, first], [b, second]) => compareInstants(first.arrival, second.arrival) || compareText(a, b));
    for (const [uid, { arrival, hops }] of found) {
      const at = formatInstant(isForward ? arrival : -arrival);
      const shownHops = hops <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(hops) : hops;
      rows.push({
        of,
        uid,
        arrival: isForward ? at : null,
        departure: isForward ? null : at,
        hops: args.hops === true ? shownHops : null,
      });
    }
    reached.push({ of, count: found.length });
  }
  return { lists: [["rows", rows]], fields: { reached } };
}
