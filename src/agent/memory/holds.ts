// At which commits a note holds: those around its own that neither a write which changes one of its facts nor an erasure
// separates from it. Asked of the log's own record of versions, so that it does not matter who wrote, or how; remembered, as
// an answer about commits that are there never changes.
import type { Erasure } from "../../derived/erasures.js";
import type { OperatorEngine } from "../../operators/engine.js";
import type { NoteHead } from "./note-head.js";
import { newnessCall } from "./note-plan.js";
import { cheaply, type Touch, Touched } from "./touched.js";

const MOST_REMEMBERED = 10_000;
/** Commits at which it is looked whether the same is new as in the note; more are left for another question. */
const MOST_RECOUNTED = 8;

/** Commits that are known: it holds from `from` to `to`; at `before` and at `after` it does not. */
interface Known {
  from: number;
  to: number;
  before: number;
  after: number;
}

/** It holds at this commit, too. */
function widen(known: Known, tx: number): void {
  known.from = Math.min(known.from, tx);
  known.to = Math.max(known.to, tx);
}

/** It holds no more at this one. */
function end(known: Known, tx: number, isLater: boolean): void {
  if (isLater) known.after = Math.min(known.after, tx);
  else known.before = Math.max(known.before, tx);
}

export type Held = "holds" | "over" | "undecided";

/** A commit that touched what a note may rest on. */
interface Touching {
  readonly tx: number;
  /** Whether it may have changed more than what is new in the window. */
  readonly isMore: boolean;
}

/**
 * Whether a touch may change more than what is new: the events of the window, or what was taken back of it. Versions of nodes
 * are no events, and neither is a fact that was there before the window and goes on behind it. One that ends where the window
 * begins is looked at: without it the next one would be a beginning.
 */
function changesMore({ fromUs, toUs, isNode, isTakenBack }: Touch, note: NoteHead): boolean {
  if (toUs !== null && toUs < note.fromUs) return false;
  const isAround = fromUs < note.fromUs && (toUs === null || toUs >= note.toUs);
  return isTakenBack || !(isNode || isAround);
}

/** The commits that touched what a note may rest on, oldest first. */
function touching(touches: readonly Touch[], note: NoteHead): readonly Touching[] {
  const commits = new Map<number, boolean>();
  for (const touch of touches) {
    if (touch.fromUs >= note.toUs) continue;
    commits.set(touch.tx, changesMore(touch, note) || commits.get(touch.tx) === true);
  }
  return Array.from(commits, ([tx, isMore]) => ({ tx, isMore })).sort((a, b) => a.tx - b.tx);
}

export class Holds {
  private readonly known = new Map<string, Known>();
  private readonly touched = new Touched();

  private knownOf({ digest, built_tx: builtTx }: NoteHead): Known {
    let known = this.known.get(digest);
    if (known === undefined) {
      known = { from: builtTx, to: builtTx, before: 0, after: Number.POSITIVE_INFINITY };
      this.known.set(digest, known);
      if (this.known.size > MOST_REMEMBERED) this.known.delete(this.known.keys().next().value!);
    }
    return known;
  }

  /** Whether the note holds at a commit, from 1 to the newest. */
  async at(
    engine: OperatorEngine,
    erasures: readonly Erasure[],
    note: NoteHead,
    tx: number,
    signal: AbortSignal,
  ): Promise<Held> {
    const known = this.knownOf(note);
    if (known.from <= tx && tx <= known.to) return "holds";
    if (tx <= known.before || tx >= known.after) return "over";
    const isLater = tx > known.to;
    const commits = isLater ? { after: known.to, to: tx } : { after: tx, to: known.from };
    const isErased = erasures.some((erasure) => commits.after < erasure.tx && erasure.tx <= commits.to);
    const touches = isErased ? null : await this.touched.all(engine, commits, signal);
    if (touches !== null) {
      const ended = await this.walk(engine, note, touching(touches, note), isLater, signal);
      if (ended !== null) return ended;
    } else {
      const until = { us: note.toUs, text: note.window.to };
      const isTouched = isErased ? true : await this.touched.before(engine, commits, until, signal);
      if (isTouched === null) return "undecided";
      if (isTouched) {
        end(known, tx, isLater);
        return "over";
      }
    }
    widen(known, tx);
    return "holds";
  }

  /** Goes from commit to commit, from the note's own away, as long as the note holds there; null: at all of them. */
  private async walk(
    engine: OperatorEngine,
    note: NoteHead,
    commits: readonly Touching[],
    isLater: boolean,
    signal: AbortSignal,
  ): Promise<Held | null> {
    const known = this.knownOf(note);
    for (const [i, { tx, isMore }] of (isLater ? commits : [...commits].reverse()).entries()) {
      if (!isMore && i >= MOST_RECOUNTED) return "undecided";
      // Of a commit that is walked back over counts what its predecessor left.
      const [near, far] = isLater ? [tx - 1, tx] : [tx, tx - 1];
      const isSame = isMore ? false : await isAsNew(engine, note, far, signal);
      widen(known, near);
      if (isSame === null) return "undecided";
      if (!isSame) {
        end(known, far, isLater);
        return "over";
      }
      widen(known, far);
    }
    return null;
  }

  /** The first and the last commit at which it holds, up to `headTx`; null where that is too dear to find. */
  async range(
    engine: OperatorEngine,
    erasures: readonly Erasure[],
    note: NoteHead,
    headTx: number,
    signal: AbortSignal,
  ): Promise<{ readonly from: number; readonly to: number } | null> {
    const edge = async (good: number, bad: number): Promise<number | null> => {
      let [low, high] = [good, bad];
      while (Math.abs(high - low) > 1) {
        const middle = Math.trunc((low + high) / 2);
        const held = await this.at(engine, erasures, note, middle, signal);
        if (held === "undecided") return null;
        if (held === "holds") low = middle;
        else high = middle;
      }
      return low;
    };
    const isNow = await this.at(engine, erasures, note, headTx, signal);
    if (isNow === "undecided") return null;
    const to = isNow === "holds" ? headTx : await edge(note.built_tx, headTx);
    const from = await edge(note.built_tx, 0);
    return from === null || to === null ? null : { from, to };
  }
}

/**
 * Whether as many nodes and pairs are new in the window at a commit as the note says. Of all its facts these alone read what
 * was before the window. Null where that is too dear to find.
 */
async function isAsNew(
  engine: OperatorEngine,
  { window, stride, newness }: NoteHead,
  tx: number,
  signal: AbortSignal,
): Promise<boolean | null> {
  if (newness === null) return false;
  const found = await cheaply(engine, "graph_metric_timeseries", newnessCall(window, stride, tx), signal);
  if (found === null) return null;
  const [nodes, pairs] = found.rows;
  return nodes?.value === newness.nodes && pairs?.value === newness.pairs;
}
