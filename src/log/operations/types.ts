// The operations of a batch in normal form: defaults filled, instants in microseconds, sets sorted, null values gone.
// What the log holds is their canonical JSON; see operation-text.ts.
import type { JsonObject } from "../../contract/values.js";

/** Who says so, from where, and why; undefined where not given. */
export interface Attribution {
  readonly source: string | undefined;
  readonly provenanceRef: string | undefined;
  readonly reason: string | undefined;
}

/** Half-open; `toUs` is OPEN_END_US for an open end. */
export interface Period {
  readonly fromUs: bigint;
  readonly toUs: bigint;
}

export interface NodeRef {
  readonly uid: string;
}
export interface EdgeRef {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
  readonly key: string;
}
export type Ref = NodeRef | EdgeRef;

export const isNodeRef = (ref: Ref): ref is NodeRef => "uid" in ref;

interface Common {
  readonly by: Attribution;
  readonly period: Period;
  readonly ref: Ref;
}

export interface Assertion extends Common {
  readonly kind: "assert";
  /** Undefined for edges. */
  readonly labels: readonly string[] | undefined;
  readonly props: JsonObject;
}
export interface Retraction extends Common {
  readonly kind: "retract";
}
export interface Replacement extends Common {
  readonly kind: "replace";
  readonly labels: readonly string[] | undefined;
  readonly props: JsonObject;
}
/** A property that is null is removed. */
export interface Patch extends Common {
  readonly kind: "patch";
  readonly addLabels: readonly string[];
  readonly removeLabels: readonly string[];
  readonly props: JsonObject;
}
export type RowOperation = Assertion | Retraction | Replacement | Patch;

/** Bulk events. Columns of one length; a null key is chosen by the store, a null end is open. */
export interface IngestEvents {
  readonly kind: "events";
  readonly by: Attribution;
  readonly nodeLabels: readonly string[];
  readonly src: readonly string[];
  readonly dst: readonly string[];
  readonly type: string | readonly string[];
  readonly timesUs: BigInt64Array;
  readonly endsUs: BigInt64Array | undefined;
  readonly keys: readonly (string | null)[] | undefined;
  readonly props: readonly JsonObject[] | undefined;
}

/** Stands alone in its batch. The log never holds it: its receipt does not name what is gone. */
export interface Erasing {
  readonly kind: "erase";
  readonly by: Attribution;
  readonly ref: Ref;
}

export type Operation = RowOperation | IngestEvents | Erasing;
