// What a store holds at the commit of a question: over which valid time it says anything, and since when it believes.
import type { EnvelopePin } from "../contract/envelope.js";
import { formatInstant } from "../contract/instant.js";
import type { ReadableState } from "../query/index.js";
import { StoreQuestions } from "./claims/store-questions.js";

export interface Coverage {
  /** From the first beginning to the last end of what is believed, nodes and edges; `to` null where some is open. */
  readonly valid: { readonly from: string; readonly to: string | null } | null;
  /** The first commit and that of the question. */
  readonly tx: { readonly from: EnvelopePin; readonly to: EnvelopePin } | null;
}

/** Both null for a store in which nothing was written yet. */
export function coverageOf({ engine, catalogue }: ReadableState, tx: number): Coverage {
  const extent = new StoreQuestions(engine, catalogue).extent(true, tx);
  const pin = (at: number): EnvelopePin => ({ tx: at, tx_time: formatInstant(engine.txTimeUs(at)) });
  return {
    valid:
      extent === null
        ? null
        : { from: formatInstant(extent.fromUs), to: extent.toUs === null ? null : formatInstant(extent.toUs) },
    tx: tx === 0 ? null : { from: pin(1), to: pin(tx) },
  };
}
