// At which commits a note holds: those around its own that no write touching what it depends on, and no erasure, separates
// from it. Asked of the log's own record of versions, so that it does not matter who wrote, or how; remembered, as an answer
// about commits that are there never changes.

import { PalimpsestError } from "../../contract/errors.js";
import type { Erasure } from "../../derived/erasures.js";
import type { OperatorEngine } from "../../operators/engine.js";
import { callOperator } from "../../operators/pipeline.js";
import type { Note } from "./note.js";

/** What deciding may take at most: else it is not decided. */
const CEILINGS = { rows: 200_000, steps: 50_000_000 };
const TIMEOUT_MS = 500;
const MOST_REMEMBERED = 10_000;

/** Commits that are known: it holds from `from` to `to`; at `before` and at `after` it does not. */
interface Known {
  from: number;
  to: number;
  before: number;
  after: number;
}

export type Held = "holds" | "over" | "undecided";

export class Holds {
  private readonly known = new Map<string, Known>();

  private knownOf({ digest, built_tx: builtTx }: Note): Known {
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
    note: Note,
    tx: number,
    signal: AbortSignal,
  ): Promise<Held> {
    const known = this.knownOf(note);
    if (known.from <= tx && tx <= known.to) return "holds";
    if (tx <= known.before || tx >= known.after) return "over";
    const [after, to] = tx > known.to ? [known.to, tx] : [tx, known.from];
    const isErased = erasures.some((erasure) => after < erasure.tx && erasure.tx <= to);
    const isTouched = isErased ? true : await isTouchedBetween(engine, note, after, to, signal);
    if (isTouched === null) return "undecided";
    if (tx > known.to) {
      if (isTouched) known.after = tx;
      else known.to = tx;
    } else if (isTouched) known.before = tx;
    else known.from = tx;
    return isTouched ? "over" : "holds";
  }

  /** The first and the last commit at which it holds, up to `headTx`; null where that is too dear to find. */
  async range(
    engine: OperatorEngine,
    erasures: readonly Erasure[],
    note: Note,
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

/** Whether a commit in (after, to] wrote or ended a version that touches what the note depends on; null where that is too dear. */
async function isTouchedBetween(
  engine: OperatorEngine,
  { depends }: Note,
  after: number,
  to: number,
  signal: AbortSignal,
): Promise<boolean | null> {
  const args = {
    window: depends,
    tx_window: { from: `tx:${after + 1}`, to: null },
    as_of_tt: `tx:${to}`,
    props: null,
    limit: 1,
  };
  try {
    const { rows_total: count } = await callOperator(engine, "version_history", args, {
      signal,
      timeoutMs: TIMEOUT_MS,
      ceilings: CEILINGS,
    });
    return count !== 0;
  } catch (error) {
    const isDear = error instanceof PalimpsestError && ["E_COST", "E_LIMIT", "E_CANCELLED"].includes(error.code);
    if (isDear && !signal.aborted) return null;
    throw error;
  }
}
