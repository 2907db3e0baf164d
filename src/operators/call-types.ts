// TypeScript types of `call`, derived from the declarations: what a caller may give to each operator.
// Types only; a default makes an argument optional, and an instant may come in any form.
import type { Static, TArray, TObject, TOptional, TProperties, TSchema, TUnion } from "typebox";
import type { diffSnapshots } from "./diff-snapshots.js";
import type { entityHistory } from "./entity-history.js";
import type { scan } from "./scan.js";
import type { snapshotSubgraph } from "./snapshot-subgraph.js";
import type { temporalReachability } from "./temporal-reachability.js";
import type { versionHistory } from "./version-history.js";

/** Every form of an instant that a caller may give. */
export type InstantInput =
  | string
  | bigint
  | Date
  | { readonly us: number | bigint }
  | { readonly epochNanoseconds: bigint };

type MayBeLeftOut<P extends TProperties> = {
  [K in keyof P]: P[K] extends { default: unknown } ? K : P[K] extends TOptional<TSchema> ? K : never;
}[keyof P];

type ObjectInput<P extends TProperties> = {
  readonly [K in Exclude<keyof P, MayBeLeftOut<P>>]: InputOf<P[K]>;
} & {
  readonly [K in MayBeLeftOut<P>]?: InputOf<P[K]> | undefined;
};

/** What a caller may give where a resolved argument has this schema. */
export type InputOf<S extends TSchema> = S extends { readonly kind: "instant" | "pin" }
  ? InstantInput
  : S extends TUnion<infer Members>
    ? InputOf<Members[number]>
    : S extends TArray<infer Item>
      ? readonly InputOf<Item>[]
      : S extends TObject<infer P>
        ? ObjectInput<P>
        : Static<S>;

interface Declarations {
  readonly diff_snapshots: typeof diffSnapshots;
  readonly entity_history: typeof entityHistory;
  readonly scan: typeof scan;
  readonly snapshot_subgraph: typeof snapshotSubgraph;
  readonly temporal_reachability: typeof temporalReachability;
  readonly version_history: typeof versionHistory;
}

export type OperatorName = keyof Declarations;

/** Arguments of an operator as a caller writes them. */
export type OperatorInput<Name extends OperatorName> = InputOf<Declarations[Name]["args"]>;

/** Rows of an operator's answer. */
export type OperatorRow<Name extends OperatorName> =
  Static<Declarations[Name]["output"]> extends {
    rows: (infer Row)[];
  }
    ? Row
    : never;
