// The native engine behind the operator pipeline: pins views of the core store and runs kernels on them.
import type { TablePart } from "../../columns/column.js";
import type { EdgeRefArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { addon } from "../../native/addon.js";
import { fromNative } from "../../native/errors.js";
import type { NativeCore, NativeView } from "../../native/store.js";
import type {
  CallLimits,
  ColumnsAndFields,
  EventExtent,
  EventQuestion,
  InstantPin,
  OperatorEngine,
  PinnedEngine,
  RunAnswer,
  RunContext,
  Statistics,
} from "../engine.js";
import { aggregateColumns, runAggregateEvents } from "./aggregate-events.js";
import { runBurstDetection } from "./bursts.js";
import { runCoActive } from "./co-active.js";
import { runCountTemporalMotifs } from "./count-temporal-motifs.js";
import { runDiffSnapshots } from "./diff-snapshots.js";
import { runEntityHistory } from "./entity-history.js";
import { eventExtent } from "./event-extent.js";
import { runFactFreshness } from "./fact-freshness.js";
import { runFindTemporalMotifs } from "./find-temporal-motifs.js";
import { runLongestTemporalChain } from "./longest-temporal-chain.js";
import type { NativeRun } from "./native-run.js";
import { LastCounted, nativeStatistics } from "./native-statistics.js";
import { runNeighborhoodEvolution } from "./neighborhood-evolution.js";
import { runKnownNames, runResolveEntities } from "./resolve-entities.js";
import { runScan } from "./scan.js";
import { scanColumns } from "./scan-columns.js";
import { runGraphMetricTimeseries } from "./series.js";
import { runSnapshotSubgraph } from "./snapshot-subgraph.js";
import { runTemporalPaths } from "./temporal-paths.js";
import { runTemporalReachability } from "./temporal-reachability.js";
import { runVersionHistory } from "./version-history.js";

const RUNS: Readonly<Record<string, NativeRun>> = {
  aggregate_events: runAggregateEvents,
  entity_history: runEntityHistory,
  snapshot_subgraph: runSnapshotSubgraph,
  diff_snapshots: runDiffSnapshots,
  longest_temporal_chain: runLongestTemporalChain,
  temporal_paths: runTemporalPaths,
  temporal_reachability: runTemporalReachability,
  graph_metric_timeseries: runGraphMetricTimeseries,
  burst_detection: runBurstDetection,
  neighborhood_evolution: runNeighborhoodEvolution,
  co_active: runCoActive,
  count_temporal_motifs: runCountTemporalMotifs,
  find_temporal_motifs: runFindTemporalMotifs,
  fact_freshness: runFactFreshness,
  resolve_entities: runResolveEntities,
  version_history: runVersionHistory,
  scan: runScan,
};

/** What the engine needs of a store beside its core. */
export interface EngineSource {
  readonly core: Pick<NativeCore, "view" | "publishedTx">;
  /** The newest commit not later than the instant; holds the commit clock so that this stays true (A2). */
  resolveInstant(us: bigint, signal: AbortSignal | undefined): InstantPin | Promise<InstantPin>;
}

/** Runs native work, whose errors become those of the contract. */
function converted<T>(run: () => T | Promise<T>): T | Promise<T> {
  const fail = (error: unknown): never => {
    throw fromNative(error, "position", "run");
  };
  try {
    const answer = run();
    return answer instanceof Promise ? answer.catch(fail) : answer;
  } catch (error) {
    return fail(error);
  }
}

export class PinnedView implements PinnedEngine {
  constructor(
    private readonly view: NativeView,
    private readonly memoryBytes: number,
    private readonly lastCounted: LastCounted,
  ) {}

  unknownUids(uids: readonly string[]): readonly string[] {
    return uids.filter((uid) => !addon.statistics.knowsNode(this.view, uid));
  }
  knownNames(
    texts: readonly string[],
    nameProps: readonly string[],
    limits: CallLimits,
  ): ReadonlySet<string> | Promise<ReadonlySet<string>> {
    return converted(() => runKnownNames(this.view, texts, nameProps, { ...limits, memoryBytes: this.memoryBytes }));
  }
  nearestUids(uid: string): readonly string[] {
    return addon.statistics.nearestUids(this.view, uid);
  }
  knowsEdge({ src, type, dst, key }: EdgeRefArgument): boolean {
    return addon.statistics.knowsEdge(this.view, src, type, dst, key ?? "");
  }
  eventExtent(question: EventQuestion, limits: CallLimits): EventExtent | null | Promise<EventExtent | null> {
    return converted(() => eventExtent(this.view, question, { ...limits, memoryBytes: this.memoryBytes }));
  }
  statistics(): Statistics {
    return nativeStatistics(this.view, this.lastCounted);
  }
  run(op: string, args: JsonObject, context: RunContext): RunAnswer | Promise<RunAnswer> {
    return converted(() => RUNS[op]!(this.view, args, { ...context, memoryBytes: this.memoryBytes }));
  }
  scanColumns(args: JsonObject, context: RunContext): TablePart | Promise<TablePart> {
    return converted(() => scanColumns(this.view, args, { ...context, memoryBytes: this.memoryBytes }));
  }
  aggregateColumns(args: JsonObject, context: RunContext): ColumnsAndFields | Promise<ColumnsAndFields> {
    return converted(() => aggregateColumns(this.view, args, { ...context, memoryBytes: this.memoryBytes }));
  }
  release(): void {
    this.view.release();
  }
}

export class NativeEngine implements OperatorEngine {
  readonly name = "native";
  private readonly lastCounted = new LastCounted();

  constructor(
    private readonly source: EngineSource,
    readonly callMemoryBytes = Number.POSITIVE_INFINITY,
  ) {}

  headTx(): number {
    return this.source.core.publishedTx;
  }
  txTimeUs(tx: number): bigint {
    const view = this.source.core.view(null);
    try {
      return view.commit(tx).txTime!;
    } finally {
      view.release();
    }
  }
  resolveInstant(us: bigint, signal: AbortSignal | undefined): InstantPin | Promise<InstantPin> {
    return this.source.resolveInstant(us, signal);
  }
  erasedSince(pins: readonly number[]): number {
    const view = this.source.core.view(null);
    try {
      const erasures = view.erasures();
      let count = 0;
      for (let i = 0; i < erasures.length; i += 2) {
        const [tx, firstTx] = [erasures[i]!, erasures[i + 1]!];
        if (pins.some((pin) => firstTx <= pin && pin < tx)) count += 1;
      }
      return count;
    } finally {
      view.release();
    }
  }
  pin(tx: number): PinnedView {
    return new PinnedView(this.source.core.view(tx), this.callMemoryBytes, this.lastCounted);
  }
}
