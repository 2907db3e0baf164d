// Believed versions of a store, all of them or some: what summaries of a store are made from. Types only.
import type { JsonObject } from "../contract/values.js";

export interface SampledVersion {
  /** Labels of a node; the type of an edge. */
  readonly names: readonly string[];
  /** The uid, or the parts of an edge. */
  readonly identity: readonly string[];
  readonly valid_from: string;
  readonly valid_to: string | null;
  /** Null where the end is open. */
  readonly duration: string | null;
  readonly props: JsonObject;
}

export interface VersionSample {
  readonly versions: readonly SampledVersion[];
  /** Believed versions at the pin. */
  readonly total: number;
  /** Whether these are all of them. */
  readonly isWhole: boolean;
}
