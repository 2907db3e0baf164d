// O6 count_temporal_motifs and O7 find_temporal_motifs: every instance of a motif, found by trying all events edge by edge.

import { compareEvents, type Event, eventRow, isIn, passingEvents } from "./events.js";
import { EndJudge, passesNode, passesPred, type Where } from "./filters.js";
import { formatDuration, parseDuration } from "./instants.js";
import type { Answer, Args } from "./lists.js";
import { gridOf, type Motif, type MotifArgument, motifsOf, nameOf, type PatternEdge } from "./motif-table.js";
import { type Belief, spanOf } from "./question.js";
import type { Projection } from "./shown.js";

/** Who stands for each letter of the pattern. */
type Binding = ReadonlyMap<string, string>;

interface Instance {
  readonly motif: Motif;
  /** In pattern order. */
  readonly events: readonly Event[];
  readonly binding: Binding;
}

/** Letters stand for the same node throughout, different letters for different nodes; null where that fails. */
function bind(before: Binding, letter: string, uid: string): Binding | null {
  const bound = before.get(letter);
  if (bound !== undefined) return bound === uid ? before : null;
  return [...before.values()].includes(uid) ? null : new Map([...before, [letter, uid]]);
}

class InstanceSearch {
  private readonly delta: bigint;

  constructor(
    private readonly events: readonly Event[],
    private readonly judge: EndJudge,
    private readonly args: Args,
  ) {
    this.delta = parseDuration(args.delta as string);
  }

  private isInOrder(event: Event, next: Event): boolean {
    if (this.args.ties === "by_seq") return compareEvents(event, next) < 0;
    return this.args.ties === "strict" ? event.at < next.at : event.at <= next.at;
  }

  private passesPattern(event: Event, edge: PatternEdge, nodes: Motif["nodes"]): boolean {
    const passesAs = (letter: string, uid: string) =>
      passesNode(uid, this.judge.nodeAt(uid, event.at), nodes[letter] ?? null);
    return (
      (edge.types === null || edge.types.includes(event.edge.type)) &&
      edge.edge.every((pred) => passesPred(event.edge.props, pred)) &&
      passesAs(edge.src, event.edge.src) &&
      passesAs(edge.dst, event.edge.dst)
    );
  }

  /** All instances that begin with these events. */
  private extend(motif: Motif, chosen: readonly Event[], binding: Binding): Instance[] {
    const edge = motif.edges[chosen.length];
    if (edge === undefined) return [{ motif, events: chosen, binding }];
    return this.events.flatMap((event) => {
      const last = chosen.at(-1);
      if (last !== undefined && !this.isInOrder(last, event)) return [];
      if (chosen.includes(event) || event.at - (chosen[0] ?? event).at > this.delta) return [];
      const withTail = bind(binding, edge.src, event.edge.src);
      const withBoth = withTail === null ? null : bind(withTail, edge.dst, event.edge.dst);
      if (withBoth === null || !this.passesPattern(event, edge, motif.nodes)) return [];
      return this.extend(motif, [...chosen, event], withBoth);
    });
  }

  instancesOf(motif: Motif): Instance[] {
    return this.extend(motif, [], new Map());
  }
}

/** The instances motif by motif, and the number of events that they may be made of. */
function search(belief: Belief, args: Args): { found: [Motif, Instance[]][]; eventCount: number } {
  const where = args.where as Where;
  const window = spanOf(args.window);
  const events = passingEvents(belief, where).filter(({ at }) => isIn(window, at));
  const instances = new InstanceSearch(events, new EndJudge(belief.believed, where), args);
  const found = motifsOf(args.motif as MotifArgument).map((motif): [Motif, Instance[]] => [
    motif,
    instances.instancesOf(motif),
  ]);
  return { found, eventCount: events.length };
}

export function countTemporalMotifs(belief: Belief, args: Args): Answer {
  const { found, eventCount } = search(belief, args);
  const rows = found.map(([{ code }, { length }]) => ({
    motif: code,
    grid: gridOf(code),
    name: nameOf(code),
    count: length,
  }));
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return { lists: [["rows", rows]], fields: { count, events: eventCount } };
}

/** By the events in pattern order, then by code, which is the order in which the motifs come. */
function compareInstances(a: Instance, b: Instance): number {
  const orders = a.events.slice(0, b.events.length).map((event, i) => compareEvents(event, b.events[i]!));
  return orders.find((order) => order !== 0) ?? 0;
}

export function findTemporalMotifs(belief: Belief, args: Args): Answer {
  const instances = search(belief, args).found.flatMap(([, ofMotif]) => ofMotif);
  const rows = instances.sort(compareInstances).map(({ motif, events, binding }) => ({
    motif: motif.code,
    grid: gridOf(motif.code),
    nodes: Object.fromEntries(binding),
    edges: events.map((event) => eventRow(event, args.props as Projection)),
    span: formatDuration(events.at(-1)!.at - events[0]!.at),
  }));
  return { lists: [["rows", rows]], fields: {} };
}
