// TypeScript types of `call`, derived from the declarations: what a caller may give to each operator.
// Types only.
import type { Static } from "typebox";
import type { Envelope, EnvelopePin } from "../contract/envelope.js";
import type { InputOf } from "../contract/input-types.js";
import type { aggregateEvents } from "./aggregate-events.js";
import type { burstDetection } from "./burst-detection.js";
import type { coActive } from "./co-active.js";
import type { compute } from "./compute.js";
import type { countTemporalMotifs } from "./count-temporal-motifs.js";
import type { diffSnapshots } from "./diff-snapshots.js";
import type { entityHistory } from "./entity-history.js";
import type { factFreshness } from "./fact-freshness.js";
import type { findTemporalMotifs } from "./find-temporal-motifs.js";
import type { graphMetricTimeseries } from "./graph-metric-timeseries.js";
import type { longestTemporalChain } from "./longest-temporal-chain.js";
import type { neighborhoodEvolution } from "./neighborhood-evolution.js";
import type { resolveEntities } from "./resolve-entities.js";
import type { scan } from "./scan.js";
import type { select } from "./select.js";
import type { snapshotSubgraph } from "./snapshot-subgraph.js";
import type { temporalPaths } from "./temporal-paths.js";
import type { temporalReachability } from "./temporal-reachability.js";
import type { versionHistory } from "./version-history.js";

interface Declarations {
  readonly aggregate_events: typeof aggregateEvents;
  readonly burst_detection: typeof burstDetection;
  readonly co_active: typeof coActive;
  readonly compute: typeof compute;
  readonly count_temporal_motifs: typeof countTemporalMotifs;
  readonly diff_snapshots: typeof diffSnapshots;
  readonly entity_history: typeof entityHistory;
  readonly find_temporal_motifs: typeof findTemporalMotifs;
  readonly fact_freshness: typeof factFreshness;
  readonly resolve_entities: typeof resolveEntities;
  readonly graph_metric_timeseries: typeof graphMetricTimeseries;
  readonly neighborhood_evolution: typeof neighborhoodEvolution;
  readonly longest_temporal_chain: typeof longestTemporalChain;
  readonly scan: typeof scan;
  readonly select: typeof select;
  readonly snapshot_subgraph: typeof snapshotSubgraph;
  readonly temporal_paths: typeof temporalPaths;
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

/** The pin of an operator's answer; null for one that reads no store. */
export type OperatorPin<Name extends OperatorName> = Declarations[Name]["pins"] extends null ? null : EnvelopePin;

type Output<Name extends OperatorName> = Static<Declarations[Name]["output"]>;
type ListField<Name extends OperatorName> = Declarations[Name]["lists"][number]["field"];

/** What an operator's answer has beside its rows: further lists, each with pages of its own, and single fields. */
type FurtherFields<Name extends OperatorName> = {
  readonly [Field in Exclude<keyof Output<Name>, "rows">]: Field extends ListField<Name>
    ? Output<Name>[Field] | null
    : Output<Name>[Field];
};

/** The whole answer of an operator. */
export type OperatorAnswer<Name extends OperatorName> = Envelope<OperatorRow<Name>, OperatorPin<Name>> &
  FurtherFields<Name>;

/** A name that is known at compile time to be no operator's, or only known when the program runs. */
export type OtherOperator<Name extends string> = Name extends OperatorName ? never : Name;

/** Arguments may be left out where each of them has a default. */
export type CallRest<Name extends OperatorName, Options> =
  Record<never, never> extends OperatorInput<Name>
    ? [args?: OperatorInput<Name>, options?: Options]
    : [args: OperatorInput<Name>, options?: Options];
