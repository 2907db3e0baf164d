// Every asked question answered by plain loops over the generated lists: the expectation at scales without a published digest.
// Shares with the engine nothing, and with the normal forms only the final shape.

import {
  commitsOfBulkLoad,
  type Events,
  life,
  NODE_LABEL,
  nodeCount,
  nodeName,
  type Operation,
  operations,
  type Question,
  TYPE_NAMES,
} from "../data/corrected-intervals.js";
import type { PowerLaw } from "../data/power-law.js";
import { byCanonicalText, compareRows, type Json, whole } from "./normal-forms.js";

interface Piece<Content> {
  readonly from: number;
  /** Infinity where open. */
  readonly to: number;
  readonly content: Content;
}

/** One believed version (or, with its weight left out of account, one spell) of the edge of an event. */
interface EdgeVersion {
  readonly event: number;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

function carve<Content>(pieces: readonly Piece<Content>[], from: number, to: number): Piece<Content>[] {
  const left: Piece<Content>[] = [];
  for (const piece of pieces) {
    if (piece.to <= from || to <= piece.from) left.push(piece);
    else {
      if (piece.from < from) left.push({ ...piece, to: from });
      if (to < piece.to) left.push({ ...piece, from: to });
    }
  }
  return left;
}

const byBegin = (a: { from: number }, b: { from: number }) => a.from - b.from;
const orNull = (to: number) => (to === Number.POSITIVE_INFINITY ? null : to);
const weightProps = (weight: number): Json => (weight === 0 ? {} : { weight });
const nameProps = (name: string): Json => (name === "" ? {} : { name });

/** The facts of family 1 after all writes. */
export class IntervalFacts {
  readonly #scale: number;
  readonly #data: Events;
  readonly #writes: readonly Operation[];
  readonly #corrected = new Map<number, Piece<number>[]>();
  readonly #firstEvent: Int32Array;

  constructor(scale: number, data: Events) {
    this.#scale = scale;
    this.#data = data;
    this.#writes = operations(scale, data);
    for (const write of this.#writes) {
      if (write.kind !== "correct_edge" && write.kind !== "retract_edge") continue;
      const begin = Number(data.validFrom[write.event]);
      const before = this.#corrected.get(write.event) ?? [{ from: begin, to: begin + life(scale), content: 0 }];
      const to = write.kind === "retract_edge" ? Number.POSITIVE_INFINITY : write.to;
      const after = carve(before, write.from, to);
      if (write.kind === "correct_edge") after.push({ from: write.from, to, content: write.weight });
      this.#corrected.set(write.event, after.sort(byBegin));
    }
    this.#firstEvent = new Int32Array(nodeCount(scale)).fill(-1);
    for (let event = data.count - 1; event >= 0; event--) {
      this.#firstEvent[data.src[event] as number] = event;
      this.#firstEvent[data.dst[event] as number] = event;
    }
  }

  answer(question: Question): Json {
    switch (question.id) {
      case "hist.single":
      case "hist.asof":
        return whole(
          this.#nodeVersions(question.node, question.tx).map(({ from, to, content }) => [
            [NODE_LABEL],
            from,
            orNull(to),
            nameProps(content),
          ]),
        );
      case "snap.hop2":
        return this.#snapshot(question.node, question.hops, question.at);
      case "diff.global":
        return this.#diff(question.left, question.right);
      case "reach.window":
        return this.#reach(question.node, question.from, question.to);
    }
  }

  #nodeVersions(node: number, tx: number | null): Piece<string>[] {
    const first = this.#firstEvent[node] as number;
    if (first < 0) return [];
    const from = Number(this.#data.validFrom[first]);
    let pieces: Piece<string>[] = [{ from, to: Number.POSITIVE_INFINITY, content: "" }];
    let commit = commitsOfBulkLoad(this.#scale);
    for (const write of this.#writes) {
      commit += 1;
      if (tx !== null && commit > tx) break;
      if ((write.kind === "assert_node" || write.kind === "correct_node") && write.node === node) {
        pieces = carve(pieces, write.from, write.to);
        pieces.push({ from: write.from, to: write.to, content: write.name });
      }
    }
    return pieces.sort(byBegin);
  }

  *#versions(): Generator<EdgeVersion> {
    const holds = life(this.#scale);
    for (let event = 0; event < this.#data.count; event++) {
      const pieces = this.#corrected.get(event);
      if (pieces === undefined) {
        const from = Number(this.#data.validFrom[event]);
        yield { event, from, to: from + holds, weight: 0 };
      } else {
        for (const { from, to, content } of pieces) yield { event, from, to, weight: content };
      }
    }
  }

  *#spells(): Generator<EdgeVersion> {
    let open: EdgeVersion | null = null;
    for (const version of this.#versions()) {
      if (open !== null && open.event === version.event && open.to === version.from) {
        open = { event: open.event, from: open.from, to: version.to, weight: open.weight };
      } else {
        if (open !== null) yield open;
        open = version;
      }
    }
    if (open !== null) yield open;
  }

  #ends(event: number): { src: number; dst: number; type: string } {
    const { src, dst, type } = this.#data;
    return { src: src[event] as number, dst: dst[event] as number, type: TYPE_NAMES[type[event] as 0 | 1] };
  }

  #snapshot(seed: number, hops: number, at: number): Json {
    const valid = [...this.#versions()].filter(({ from, to }) => from <= at && at < to);
    const hop = new Map([[seed, 0]]);
    for (let distance = 1; distance <= hops; distance++) {
      const front = new Set([...hop].filter(([, nodeHop]) => nodeHop === distance - 1).map(([node]) => node));
      for (const { event } of valid) {
        const { src, dst } = this.#ends(event);
        if (front.has(src) && !hop.has(dst)) hop.set(dst, distance);
        if (front.has(dst) && !hop.has(src)) hop.set(src, distance);
      }
    }
    const edges = valid.flatMap(({ event, from, to }): Json[][] => {
      const { src, dst, type } = this.#ends(event);
      return hop.has(src) && hop.has(dst) ? [[nodeName(src), nodeName(dst), type, from, orNull(to)]] : [];
    });
    return {
      nodes: whole([...hop].map(([node, nodeHop]) => [nodeName(node), nodeHop]).sort(compareRows)),
      edges: whole(edges.sort(compareRows)),
    };
  }

  #corner(at: number): { edges: Map<number, number>; nodes: Map<number, string> } {
    const edges = new Map<number, number>();
    for (const { event, from, to, weight } of this.#versions()) if (from <= at && at < to) edges.set(event, weight);
    const nodes = new Map<number, string>();
    for (let node = 0; node < this.#firstEvent.length; node++) {
      const valid = this.#nodeVersions(node, null).find(({ from, to }) => from <= at && at < to);
      if (valid !== undefined) nodes.set(node, valid.content);
    }
    return { edges, nodes };
  }

  #diff(left: number, right: number): Json {
    const before = this.#corner(left);
    const after = this.#corner(right);
    const onlyIn = <Content>(here: Map<number, Content>, there: Map<number, Content>) =>
      [...here.keys()].filter((key) => !there.has(key));
    const changed = <Content>(here: Map<number, Content>, there: Map<number, Content>) =>
      [...here.keys()].filter((key) => there.has(key) && there.get(key) !== here.get(key));
    const edgeRow = (event: number): Json[] => {
      const { src, dst, type } = this.#ends(event);
      return [nodeName(src), nodeName(dst), type];
    };
    const lists: { [name: string]: Json[] } = {
      nodes_added: onlyIn(after.nodes, before.nodes).map(nodeName).sort(),
      nodes_removed: onlyIn(before.nodes, after.nodes).map(nodeName).sort(),
      nodes_changed: changed(before.nodes, after.nodes)
        .map((node): Json[] => [
          nodeName(node),
          nameProps(before.nodes.get(node) as string),
          nameProps(after.nodes.get(node) as string),
        ])
        .sort(compareRows),
      edges_added: onlyIn(after.edges, before.edges).map(edgeRow).sort(compareRows),
      edges_removed: onlyIn(before.edges, after.edges).map(edgeRow).sort(compareRows),
      edges_changed: byCanonicalText(
        changed(before.edges, after.edges).map((event) => [
          ...edgeRow(event),
          weightProps(before.edges.get(event) as number),
          weightProps(after.edges.get(event) as number),
        ]),
      ),
    };
    const totals = Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, rows.length]));
    return { totals, ...Object.fromEntries(Object.entries(lists).map(([name, rows]) => [name, whole(rows)])) };
  }

  /** Relaxes every spell of the window until nothing improves. */
  #reach(start: number, from: number, to: number): Json {
    const touching = [...this.#spells()].filter((spell) => spell.from < to && spell.to > from);
    const arrival = new Map([[start, from]]);
    for (let improved = true; improved; ) {
      improved = false;
      for (const spell of touching) {
        const { src, dst } = this.#ends(spell.event);
        const here = arrival.get(src);
        if (here === undefined) continue;
        const crossing = Math.max(here, spell.from);
        if (crossing >= spell.to || crossing >= to || crossing >= (arrival.get(dst) ?? Number.POSITIVE_INFINITY))
          continue;
        arrival.set(dst, crossing);
        improved = true;
      }
    }
    arrival.delete(start);
    const rows = [...arrival].map(([node, at]): [number, string] => [at, nodeName(node)]).sort(compareRows);
    return whole(rows.map(([at, uid]) => [uid, at]));
  }
}

/** arrival.node0: one pass, because the list is in strict order of time. */
export function powerLawArrivals({ count, src, dst, second }: PowerLaw): Json {
  const arrival = new Map([[0, 0]]);
  for (let event = 0; event < count; event++) {
    const to = dst[event] as number;
    if (arrival.has(src[event] as number) && !arrival.has(to)) arrival.set(to, second[event] as number);
  }
  arrival.delete(0);
  return whole([...arrival].map(([node, at]): Json[] => [node, at]).sort(compareRows));
}
