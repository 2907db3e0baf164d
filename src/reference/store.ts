// The reference store: rows in plain arrays, one batch after another, every answer by brute force.
// It takes operations and resolved arguments as given; shapes, defaults, clocks and files are for others.

import { PalimpsestError } from "../contract/errors.js";
import { aggregateEvents } from "./aggregate.js";
import { Batch, refOf } from "./batch.js";
import { burstDetection } from "./bursts.js";
import { longestTemporalChain } from "./chain.js";
import { coActive } from "./co-active.js";
import { diffSnapshots } from "./diff.js";
import { resolveEntities } from "./entities.js";
import { entityHistory } from "./entity-history.js";
import { isOf, type WrittenBatch, withoutIdentity } from "./erasing.js";
import { factFreshness } from "./freshness.js";
import { type Answer, type Args, payloadOf, type Row, resultDigest } from "./lists.js";
import { countTemporalMotifs, findTemporalMotifs } from "./motifs.js";
import { neighborhoodEvolution } from "./neighbourhood.js";
import { temporalPaths } from "./paths.js";
import { Belief, type Commit, resolvePin } from "./question.js";
import { temporalReachability } from "./reachability.js";
import { scan } from "./scan.js";
import { graphMetricTimeseries } from "./series.js";
import { versionRow } from "./shown.js";
import { snapshotSubgraph } from "./snapshot.js";
import { canonicalText, compareInstants, compareTexts, sha256Hex } from "./values.js";
import { versionHistory } from "./version-history.js";
import { identityOf, identityText, isNode, type Ref, type Version } from "./versions.js";

/** What an envelope holds, less op and args; `erased` counts the erasures that touched this answer's past. */
export interface CallResult {
  readonly payload: Row;
  readonly pin: { readonly tx: number; readonly tx_time: string | null };
  readonly erased: number;
  readonly resultDigest: string;
}

const OPERATORS: Readonly<Record<string, (belief: Belief, args: Args) => Answer>> = {
  aggregate_events: aggregateEvents,
  burst_detection: burstDetection,
  co_active: coActive,
  count_temporal_motifs: countTemporalMotifs,
  entity_history: entityHistory,
  fact_freshness: factFreshness,
  find_temporal_motifs: findTemporalMotifs,
  graph_metric_timeseries: graphMetricTimeseries,
  longest_temporal_chain: longestTemporalChain,
  neighborhood_evolution: neighborhoodEvolution,
  resolve_entities: resolveEntities,
  scan,
  snapshot_subgraph: snapshotSubgraph,
  temporal_paths: temporalPaths,
  temporal_reachability: temporalReachability,
  version_history: versionHistory,
};

const NO_COUNTS = { operations: 0, asserted: 0, retracted: 0, corrected: 0, ingested: 0 };

export class ReferenceStore {
  private commits: Commit[] = [];
  /** Every version by identity; a version whose belief lasted for no time is never here. */
  private versionsOf = new Map<string, Version[]>();
  private seqOf = new Map<string, number>();
  /** The n of chosen keys `#n` that erased identities had. */
  private readonly spent = new Set<number>();
  /** Per erasure its commit and the commit that first wrote something it removed. */
  private readonly erasures: { tx: number; firstTx: number }[] = [];
  private lastSeq = 0;
  /** What was written, bulk rows with the keys that they got: an erasure writes the rest of it once more. */
  private history: WrittenBatch[] = [];

  head(): { tx: number; txTimeUs: bigint | null } {
    const last = this.commits.at(-1);
    return { tx: last?.tx ?? 0, txTimeUs: last?.txTimeUs ?? null };
  }

  /** One batch, or E_NOT_FOUND with the position of the operation in `details.operation` and nothing changed. */
  write(operations: readonly unknown[], txTimeUs: bigint): { tx: number } {
    const single = operations[0] as Args | undefined;
    if (operations.length === 1 && single?.op === "erase") return this.erase(refOf(single.ref), txTimeUs);
    return this.apply(operations, txTimeUs, true);
  }

  /** A batch of a log: nothing is judged again. */
  replay(operations: readonly unknown[], txTimeUs: bigint): { tx: number } {
    return this.apply(operations, txTimeUs, false);
  }

  /** An erasure of a log, which holds nothing of the identity any more. */
  noteErasure(erasure: { firstTx: number; spentKeys: readonly number[] }, txTimeUs: bigint): { tx: number } {
    const tx = this.head().tx + 1;
    for (const key of erasure.spentKeys) this.spent.add(key);
    this.erasures.push({ tx, firstTx: erasure.firstTx });
    this.commits.push({ tx, txTimeUs, ...NO_COUNTS, operations: 1 });
    this.history.push({ operations: [], txTimeUs, keys: new Map() });
    return { tx };
  }

  private apply(operations: readonly unknown[], txTimeUs: bigint, isJudged: boolean): { tx: number } {
    const tx = this.head().tx + 1;
    const batch = new Batch({
      tx: tx - 1,
      believedOf: (identity) => (this.versionsOf.get(identity) ?? []).filter((version) => version.ending === null),
      seqOf: (identity) => this.seqOf.get(identity),
      isSpent: (number) => this.spent.has(number),
      lastSeq: this.lastSeq,
      isJudged,
    });
    for (const [position, operation] of operations.entries()) batch.apply(operation as Args, position);

    for (const [version, ending] of batch.closed) version.ending = ending;
    for (const [identity, versions] of batch.written) {
      if (versions.length > 0) this.versionsOf.set(identity, [...(this.versionsOf.get(identity) ?? []), ...versions]);
    }
    for (const [identity, seq] of batch.numbered) this.seqOf.set(identity, seq);
    this.lastSeq = batch.lastSeq;
    this.commits.push({ tx, txTimeUs, ...batch.counts });
    this.history.push({ operations: operations as Args[], txTimeUs, keys: batch.keys });
    return { tx };
  }

  /** One operator on resolved arguments: the payload of its envelope, with pin and digest. */
  call(op: string, args: Args): CallResult {
    const store = { versions: this.versions(), commits: this.commits };
    const run = OPERATORS[op];
    let tx = resolvePin(this.commits, op === "diff_snapshots" ? null : args.as_of_tt);
    let answer: Answer;
    if (op === "diff_snapshots") ({ answer, pinTx: tx } = diffSnapshots(new Belief(store, tx), args));
    else if (run !== undefined) answer = run(new Belief(store, tx), args);
    else throw new PalimpsestError("E_NOT_FOUND", `there is no operator ${op} in the reference engine`);

    const payload = payloadOf(op, args, tx, answer);
    const erased = this.erasedSince([tx]);
    return { payload, pin: new Belief(store, tx).pin, erased, resultDigest: resultDigest(op, args, tx, payload) };
  }

  /** Erasures after one of these pins that removed something written at or before it. */
  erasedSince(pins: readonly number[]): number {
    return this.erasures.filter(({ tx, firstTx }) => pins.some((pin) => firstTx <= pin && pin < tx)).length;
  }

  /** SHA-256 over one line per version, nodes first. */
  digest(): string {
    const timeOf = (tx: number) => this.commits[tx - 1]!.txTimeUs;
    const lines = this.versions()
      .sort((a, b) => {
        if (a.kind !== b.kind) return isNode(a) ? -1 : 1;
        const order = compareTexts(identityOf(a), identityOf(b)) || compareInstants(timeOf(a.tx), timeOf(b.tx));
        return order || compareInstants(a.validFrom, b.validFrom);
      })
      .map((version) => `${canonicalText({ kind: version.kind, ...versionRow(version, timeOf) })}\n`);
    return sha256Hex(lines.join(""));
  }

  private versions(): Version[] {
    return [...this.versionsOf.values()].flat();
  }

  /** Removes one identity and, with a node, its edges: the rest of the history is written once more. */
  private erase(ref: Ref, txTimeUs: bigint): { tx: number } {
    const removed = this.versions().filter((version) => isOf(version, ref));
    if (removed.length === 0) {
      throw new PalimpsestError("E_NOT_FOUND", `${identityText(ref)} is not known`, { details: { operation: 0 } });
    }
    const without = withoutIdentity(this.history, ref);
    const erasedAt = new Set(this.erasures.map(({ tx }) => tx));
    const before = this.commits;
    this.commits = [];
    this.versionsOf = new Map();
    this.seqOf = new Map();
    this.lastSeq = 0;
    this.history = [];
    for (const [i, { operations, txTimeUs: time }] of without.batches.entries()) {
      this.apply(operations, time, false);
      if (erasedAt.has(i + 1)) this.commits[i] = before[i]!;
    }
    const firstTx = Math.min(...removed.map((version) => version.tx));
    const spentKeys = without.chosenKeys.filter((key) => key > this.lastSeq);
    return this.noteErasure({ firstTx, spentKeys }, txTimeUs);
  }
}
