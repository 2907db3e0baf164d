// The graph of one instant as documents for other tools: what they are made of.
// Formats write it as text, piece by piece; where it comes from is not their business.
import type { JsonObject } from "../../contract/values.js";

export interface SnapshotHead {
  readonly at: string;
  readonly tx: number;
  readonly tx_time: string | null;
}

export interface SnapshotNode {
  readonly uid: string;
  /** Null for an end of an edge that has no version at the instant. */
  readonly version: {
    readonly labels: readonly string[];
    readonly valid_from: string;
    readonly valid_to: string | null;
    readonly props: JsonObject;
  } | null;
}

export interface SnapshotEdge {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
  readonly key: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly props: JsonObject;
}

export interface Snapshot {
  readonly head: SnapshotHead;
  readonly nodes: Iterable<SnapshotNode>;
  readonly edges: Iterable<SnapshotEdge>;
}
