// The facts of family 1 after all writes, from the generated lists by plain loops: believed versions, spells, node versions.
// What every brute-force answer is made of; shares nothing with the engine.

import {
  commitsOfBulkLoad,
  type EdgeCorrection,
  type Events,
  life,
  nodeCount,
  nodeName,
  type Operation,
  operations,
  TYPE_NAMES,
} from "../../data/corrected-intervals.js";

export interface Piece<Content> {
  readonly from: number;
  /** Infinity where open. */
  readonly to: number;
  readonly content: Content;
}

/** One believed version (or, with its weight left out of account, one spell) of the edge of an event; weight 0 is no weight. */
export interface EdgeVersion {
  readonly event: number;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** A correction that comes after the standing writes, by the event whose edge it concerns, or null. */
export type LaterCorrection = (event: number) => EdgeCorrection | null;

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

export class IntervalFacts {
  readonly #scale: number;
  readonly #data: Events;
  readonly #writes: readonly Operation[];
  readonly #later: LaterCorrection;
  readonly #corrected = new Map<number, Piece<number>[]>();
  readonly #firstEvent: Int32Array;

  constructor(scale: number, data: Events, later: LaterCorrection = () => null) {
    this.#scale = scale;
    this.#data = data;
    this.#writes = operations(scale, data);
    this.#later = later;
    for (const write of this.#writes) {
      if (write.kind !== "correct_edge" && write.kind !== "retract_edge") continue;
      const before = this.#corrected.get(write.event) ?? [this.#loaded(write.event)];
      const after =
        write.kind === "correct_edge" ? rewrite(before, write) : carve(before, write.from, Number.POSITIVE_INFINITY);
      this.#corrected.set(write.event, after);
    }
    this.#firstEvent = new Int32Array(nodeCount(scale)).fill(-1);
    for (let event = data.count - 1; event >= 0; event--) {
      this.#firstEvent[data.src[event] as number] = event;
      this.#firstEvent[data.dst[event] as number] = event;
    }
  }

  get nodeCount(): number {
    return this.#firstEvent.length;
  }

  #loaded(event: number): Piece<number> {
    const from = Number(this.#data.validFrom[event]);
    return { from, to: from + life(this.#scale), content: 0 };
  }

  /** The versions of a node as believed now or at a commit, by beginning; the content is its name, "" for none. */
  nodeVersions(node: number, tx: number | null): Piece<string>[] {
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

  /** Believed edge versions by event, then by beginning. */
  *versions(): Generator<EdgeVersion> {
    for (let event = 0; event < this.#data.count; event++) {
      const standing = this.#corrected.get(event);
      const later = this.#later(event);
      if (standing === undefined && later === null) {
        const { from, to } = this.#loaded(event);
        yield { event, from, to, weight: 0 };
        continue;
      }
      const before = standing ?? [this.#loaded(event)];
      const pieces = later === null ? before : rewrite(before, later);
      for (const { from, to, content } of pieces) yield { event, from, to, weight: content };
    }
  }

  /** Versions of one edge of which one begins where the other ends, joined; the weight is that of the first. */
  *spells(): Generator<EdgeVersion> {
    let open: EdgeVersion | null = null;
    for (const version of this.versions()) {
      if (open !== null && open.event === version.event && open.to === version.from) {
        open = { event: open.event, from: open.from, to: version.to, weight: open.weight };
      } else {
        if (open !== null) yield open;
        open = version;
      }
    }
    if (open !== null) yield open;
  }

  src(event: number): number {
    return this.#data.src[event] as number;
  }

  dst(event: number): number {
    return this.#data.dst[event] as number;
  }

  type(event: number): string {
    return TYPE_NAMES[this.#data.type[event] as 0 | 1];
  }

  /** `src, dst, type` as they stand in a normal form. */
  ends(event: number): [string, string, string] {
    return [nodeName(this.src(event)), nodeName(this.dst(event)), this.type(event)];
  }
}

function rewrite(before: readonly Piece<number>[], { from, to, weight }: EdgeCorrection): Piece<number>[] {
  return [...carve(before, from, to), { from, to, content: weight }].sort(byBegin);
}

/** Spells by the node they leave from. */
export function bySource(facts: IntervalFacts, spells: readonly EdgeVersion[]): Map<number, EdgeVersion[]> {
  const groups = new Map<number, EdgeVersion[]>();
  for (const spell of spells) {
    const src = facts.src(spell.event);
    const group = groups.get(src);
    if (group === undefined) groups.set(src, [spell]);
    else group.push(spell);
  }
  return groups;
}
