// P5 longest_temporal_chain: the longest sequence of events in which each leaves the node where the one before arrived.
// One backward pass over the events; with `within` one for each event that a chain may begin with.

import { compareEvents, type Event, eventRow, isIn, passingEvents } from "./events.js";
import type { Where } from "./filters.js";
import { formatDuration, formatInstant, parseDuration } from "./instants.js";
import type { Answer, Args } from "./lists.js";
import { type Belief, spanOf } from "./question.js";
import type { Projection } from "./shown.js";

interface ChainRules {
  /** Whether `next` may stand right after `event`. */
  readonly mayFollow: (event: Event, next: Event) => boolean;
  readonly mayEnd: (event: Event) => boolean;
}

/** By event the length of the longest chain that begins with it; 0 where none may end. The events are in event order. */
function lengthsFrom(events: readonly Event[], { mayFollow, mayEnd }: ChainRules): Map<Event, number> {
  const lengths = new Map<Event, number>();
  for (const event of [...events].reverse()) {
    let onward = 0;
    for (const [next, length] of lengths) if (length > onward && mayFollow(event, next)) onward = length;
    lengths.set(event, onward > 0 ? onward + 1 : mayEnd(event) ? 1 : 0);
  }
  return lengths;
}

/** Among the longest chains that begin with one of `starts` the least in event order, event by event. */
function longestChain(events: readonly Event[], starts: readonly Event[], rules: ChainRules): Event[] {
  const lengths = lengthsFrom(events, rules);
  const longest = Math.max(0, ...starts.map((start) => lengths.get(start)!));
  const chain: Event[] = [];
  for (let left = longest; left > 0; left--) {
    const before = chain.at(-1);
    const choices = before === undefined ? starts : events.filter((event) => rules.mayFollow(before, event));
    chain.push(choices.find((event) => lengths.get(event) === left)!);
  }
  return chain;
}

export function longestTemporalChain(belief: Belief, args: Args): Answer {
  const [start, end] = [args.start, args.end] as (string | null)[];
  const subjects = [start!, end!].filter((uid) => uid !== null);
  belief.requireUids(subjects);
  const [maxWait, within] = [args.max_wait, args.within].map((duration) =>
    duration === null ? null : parseDuration(duration as string),
  );
  const isStrict = args.ties === "strict";
  const rules: ChainRules = {
    mayFollow: (event, next) =>
      event.edge.dst === next.edge.src &&
      (isStrict ? event.at < next.at : compareEvents(event, next) < 0) &&
      (maxWait === null || next.at - event.at <= maxWait!),
    mayEnd: (event) => end === null || event.edge.dst === end,
  };

  const window = spanOf(args.window);
  const passing = passingEvents(belief, args.where as Where, new Set(subjects));
  const events = passing.filter(({ at }) => isIn(window, at));
  const starts = events.filter((event) => start === null || event.edge.src === start);
  let chain: Event[] = [];
  if (within === null) chain = longestChain(events, starts, rules);
  else {
    for (const first of starts) {
      const near = events.filter((event) => first.at <= event.at && event.at - first.at <= within!);
      const found = longestChain(near, [first], rules);
      if (found.length > chain.length) chain = found;
    }
  }

  const [first, last] = [chain[0], chain.at(-1)];
  const nodes = first === undefined ? [] : [first.edge.src, ...chain.map(({ edge }) => edge.dst)];
  const fields = {
    length: chain.length,
    nodes: nodes.length,
    distinct_nodes: new Set(nodes).size,
    departure: first === undefined ? null : formatInstant(first.at),
    arrival: last === undefined ? null : formatInstant(last.at),
    span: first === undefined ? null : formatDuration(last!.at - first.at),
  };
  const rows = chain.map((event, i) => ({ step: i + 1, ...eventRow(event, args.props as Projection) }));
  return { lists: [["rows", rows]], fields };
}
