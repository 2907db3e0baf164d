// What the pipeline asks of an engine: commits, pins, known names, logical counts, and the rows of one operator.
// The native store and the reference engine both stand behind it. Knows nothing of shapes, defaults or envelopes.
import type { TablePart } from "../columns/column.js";
import type { EdgeRefArgument, WhereArgument } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";

/** Half-open stretch of valid time; null is unbounded. */
export interface WindowUs {
  readonly fromUs: bigint | null;
  readonly toUs: bigint | null;
}

export interface Extent {
  readonly fromUs: bigint;
  readonly toUs: bigint;
  /** The greatest end that is not open, at least `toUs`. */
  readonly lastEndUs: bigint;
}

/**
 * Logical counts at a pin: exact, and the same on a replayed, sealed or compacted store. Where nothing else is said they
 * count the version rows that were written at or before the pin, believed or not: kernels meet both.
 */
export interface Statistics {
  /** N: known uids. */
  knownUids(): number;
  /** V and E: believed versions. */
  nodeVersions(): number;
  edgeVersions(): number;
  /** H: all version rows written at or before the pin. */
  versionRows(): number;
  /** Node versions that touch the window. */
  nodesTouching(window: WindowUs): number;
  /** E_w: edge versions that touch the window. */
  edgesTouching(window: WindowUs): number;
  /** S_w: edge versions that begin in the window; each event is one. */
  eventsIn(window: WindowUs): number;
  /** deg(u): edge versions with u at an end, that touch the window where one is given. */
  degree(uid: string, window?: WindowUs): number;
  /** Mean, over the ends of (up to 128) edge versions, of the degree of the node there. */
  meanDegree(): number;
  /** Versions of one identity, that touch the window where one is given. */
  rowsOf(ref: { readonly uid: string } | EdgeRefArgument, window?: WindowUs): number;
  /** Share of the edge versions that each type has, 0..1, the most frequent first, then by code point; of a sample where they are many. */
  typeShares(): ReadonlyMap<string, number>;
  /** Beginnings and ends of node and edge versions, on the valid axis, in (fromUs, toUs]. */
  validChanges(fromUs: bigint, toUs: bigint): number;
  /** Version rows that commits in (fromTx, toTx] wrote, and those that they ended. */
  txChanges(fromTx: number, toTx: number): number;
  /** The newest commit before the instant, at most the pin; 0 where there is none. */
  lastTxBefore(us: bigint): number;
  /** Commits at or before the pin. */
  commits(): number;
  /** From the least beginning to the greatest beginning + 1 µs over edge versions; null without any. */
  extent(): Extent | null;
  /** The same over node and edge versions. */
  wholeExtent(): Extent | null;
}

/** One list of an answer, cut to its page. Rows are plain objects in the operator's order, instants as text. */
export interface ListPage {
  readonly rows: readonly JsonObject[];
  /** Rows of the whole list. */
  readonly total: number;
}

export interface RunAnswer {
  /** In the order of the declaration's `lists`; null where the arguments leave the list out or another was asked for. */
  readonly lists: readonly (ListPage | null)[];
  /** The fields of the answer that are not lists. */
  readonly fields: JsonObject;
}

/** A main list by columns, and the fields of the answer that are not lists. */
export interface ColumnsAndFields {
  readonly table: TablePart;
  readonly fields: JsonObject;
}

/** When a call gives up. */
export interface CallLimits {
  readonly signal: AbortSignal | undefined;
  /** On the clock of `performance.now()`; Infinity where there is none. */
  readonly deadlineMs: number;
  /** Steps after which a kernel gives up with E_COST, `details.at` "run". */
  readonly stepCeiling: number;
  /** Bytes that a kernel may hold before it gives up with E_LIMIT; left out: no limit. */
  readonly memoryBytes?: number;
  /** Told the steps of each kernel that ran; who calibrates estimates wants to know. */
  readonly onSteps?: ((steps: number) => void) | undefined;
}

/** What a kernel needs beside its arguments. */
export interface RunContext extends CallLimits {
  readonly tx: number;
  /** The other pin, where the operator compares two. */
  readonly otherTx: number;
  /** The one list that is asked for, or null: all, each from its beginning. */
  readonly list: number | null;
  /** Rows to pass over in that list. */
  readonly ordinal: number;
  readonly limit: number;
  /** Whether a list by columns may stand in any order, as its reader sorts it anyway. */
  readonly isAnyOrder?: boolean;
}

/** Events that pass the filter, anywhere or at one node, which `where.node` spares. */
export interface EventQuestion {
  readonly where: WhereArgument;
  readonly node: { readonly uid: string; readonly role: "src" | "dst" | "either" } | null;
}

/** First and last `at` of some events. */
export interface EventExtent {
  readonly firstUs: bigint;
  readonly lastUs: bigint;
}

/** The engine at one commit, held until released. */
export interface PinnedEngine {
  /** Those of the uids that are not known at the pin, in the given order. */
  unknownUids(uids: readonly string[]): readonly string[];
  /** Those of the texts that are the uid of an entity, or its text under one of the properties, as \`resolve_entities\`
   * finds it in the tier \`exact\`. */
  knownNames(
    texts: readonly string[],
    nameProps: readonly string[],
    limits: CallLimits,
  ): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** Known uids that look like this one, for a hint. */
  nearestUids(uid: string): readonly string[];
  /** Whether some version at or before the pin names the edge. */
  knowsEdge(ref: EdgeRefArgument): boolean;
  /** Null where there are no such events. */
  eventExtent(question: EventQuestion, limits: CallLimits): EventExtent | null | Promise<EventExtent | null>;
  statistics(): Statistics;
  run(op: string, args: JsonObject, context: RunContext): RunAnswer | Promise<RunAnswer>;
  /** The list of `scan` by columns, from `ordinal` on and up to `limit` rows; an engine without it gives rows. */
  scanColumns?(args: JsonObject, context: RunContext): TablePart | Promise<TablePart>;
  /** The groups of `aggregate_events` in the same way. */
  aggregateColumns?(args: JsonObject, context: RunContext): ColumnsAndFields | Promise<ColumnsAndFields>;
  release(): void;
}

export interface InstantPin {
  readonly tx: number;
  /** Codes `W_…`. */
  readonly notices: readonly string[];
}

export interface OperatorEngine {
  readonly name: string;
  /** What one call may hold beside its answer; left out: as much as there is. */
  readonly callMemoryBytes?: number;
  /** The newest published commit; 0 in an empty store. */
  headTx(): number;
  /** Time of a commit, 1 <= tx <= headTx(). */
  txTimeUs(tx: number): bigint;
  /** The newest commit not later than the instant; may raise the floor of the commit clock and wait for staged commits. */
  resolveInstant(us: bigint, signal: AbortSignal | undefined): InstantPin | Promise<InstantPin>;
  /** Erasures after one of these pins that removed something written at or before it. */
  erasedSince(pins: readonly number[]): number;
  pin(tx: number): PinnedEngine;
}

/** Where one list's page begins and how long it may be; null when the list is not asked for. */
export function pageOf(context: RunContext, list: number): { from: number; to: number } | null {
  if (context.list === null) return { from: 0, to: context.limit };
  return context.list === list ? { from: context.ordinal, to: context.ordinal + context.limit } : null;
}
