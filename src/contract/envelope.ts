// The envelope around every operator's answer.
// Types only; it is filled in by the pipeline.
import type { JsonObject } from "./values.js";

export interface EnvelopePin {
  readonly tx: number;
  /** Null at `tx` 0, the empty store. */
  readonly tx_time: string | null;
}

/** A secondary list; null where a cursor asked for another list. */
export interface ListOf<Row = JsonObject> {
  readonly rows: readonly Row[];
  readonly rows_total: number;
  readonly truncated: boolean;
  readonly cursor: string | null;
}

export type IncompleteReason = "page" | "upstream";

export interface Envelope<Row = JsonObject, Pin extends EnvelopePin | null = EnvelopePin> {
  readonly op: string;
  /** The arguments as they were understood: defaults filled, instants canonical, the pin a number. */
  readonly args: JsonObject;
  /** Null where the operator reads no store. */
  readonly pin: Pin;
  /** Null, with `rows_total`, on a page of another list. */
  readonly rows: readonly Row[] | null;
  readonly rows_total: number | null;
  /** More rows follow in some list of this envelope. */
  readonly truncated: boolean;
  readonly cursor: string | null;
  readonly complete: boolean;
  readonly incomplete: readonly IncompleteReason[];
  /** How many erasures touched this answer's past. */
  readonly erased: number;
  /** Codes `W_…`, sorted; absent when there are none. */
  readonly notices?: readonly string[];
  readonly result_digest: string;
  /** Further fields and lists of the operator. */
  readonly [field: string]: unknown;
}

/** The envelope of any operator. */
export type AnyEnvelope = Envelope<JsonObject, EnvelopePin | null>;
