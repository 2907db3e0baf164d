// The reference store behind the pipeline's engine interface, so that one plan and one suite run on every engine.
// Counts by brute force over its own scans; speed is no matter here. Knows the reference by its shape alone.
import { compareCodePoints } from "../contract/code-points.js";
import { parseValidTo } from "../contract/parse-instant.js";
import type { EdgeRefArgument } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import type {
  EventExtent,
  EventQuestion,
  Extent,
  ListPage,
  OperatorEngine,
  PinnedEngine,
  RunAnswer,
  RunContext,
  Statistics,
  WindowUs,
} from "./engine.js";
import { lookUp } from "./registry.js";

/** The reference engine as a caller sees it. */
export interface ReferenceStore {
  call(op: string, args: JsonObject): { readonly payload: Readonly<Record<string, unknown>>; readonly erased: number };
  head(): { readonly tx: number };
  /** Erasures after one of these pins that removed something written at or before it. */
  erasedSince(pins: readonly number[]): number;
}

const ALL = { types: null, keys: null, edge: [], src: null, dst: null, node: null };
const UNBOUNDED = 1_000_000_000;
const ENVELOPE_FIELDS = ["rows", "rows_total", "cursor", "truncated", "complete", "incomplete", "pins"];

type Row = Record<string, string & number>;

function callScan(store: ReferenceStore, tx: number, of: string, args: JsonObject = {}) {
  const columns = {
    nodes: ["uid", "valid_from", "valid_to"],
    edges: ["src", "type", "dst", "key", "valid_from", "valid_to"],
    events: ["at"],
    commits: ["tx", "tx_time"],
    node: ["uid", "valid_from", "valid_to", "tx_from", "tx_to"],
    edge: ["src", "type", "dst", "key", "valid_from", "valid_to", "tx_from", "tx_to"],
  }[(args.kind as string | undefined) ?? of];
  return store.call("scan", {
    of,
    kind: null,
    names: null,
    valid: null,
    tx: null,
    where: ALL,
    columns: columns!,
    stride: null,
    zone: "UTC",
    as_of_tt: `tx:${tx}`,
    limit: UNBOUNDED,
    cursor: null,
    ...args,
  });
}

function scanRows(store: ReferenceStore, tx: number, of: string, args: JsonObject = {}): Row[] {
  return callScan(store, tx, of, args).payload.rows as Row[];
}

const us = (text: string): bigint => parseValidTo(text, "row");
const isIn = (text: string, { fromUs, toUs }: WindowUs): boolean =>
  (fromUs === null || us(text) >= fromUs) && (toUs === null || us(text) < toUs);
const touches = (row: Row, { fromUs, toUs }: WindowUs): boolean =>
  (toUs === null || us(row.valid_from!) < toUs) &&
  (fromUs === null || row.valid_to === null || us(row.valid_to!) > fromUs);
const ALL_TIME: WindowUs = { fromUs: null, toUs: null };
const sameEdge = (row: Row, ref: EdgeRefArgument): boolean =>
  row.src === ref.src && row.type === ref.type && row.dst === ref.dst && row.key === ref.key;

function extentOf(rows: readonly Row[]): Extent | null {
  if (rows.length === 0) return null;
  const ascending = (texts: (string | null)[]) =>
    texts.flatMap((text) => (text === null ? [] : [us(text)])).sort((a, b) => (a < b ? -1 : 1));
  const begins = ascending(rows.map((row) => row.valid_from!));
  const toUs = begins.at(-1)! + 1n;
  const lastEndUs = ascending(rows.map((row) => row.valid_to!)).at(-1) ?? toUs;
  return { fromUs: begins[0]!, toUs, lastEndUs: lastEndUs < toUs ? toUs : lastEndUs };
}

function statisticsOf(store: ReferenceStore, tx: number): Statistics {
  const nodes = () => scanRows(store, tx, "nodes");
  const edges = () => scanRows(store, tx, "edges");
  const writtenNodes = () => scanRows(store, tx, "versions", { kind: "node" });
  const writtenEdges = () => scanRows(store, tx, "versions", { kind: "edge" });
  const written = () => [...writtenNodes(), ...writtenEdges()];
  const commits = () => scanRows(store, tx, "commits");
  return {
    knownUids: () => knownUids(store, tx).size,
    nodeVersions: () => nodes().length,
    edgeVersions: () => edges().length,
    versionRows: () => written().length,
    nodesTouching: (window) => writtenNodes().filter((row) => touches(row, window)).length,
    edgesTouching: (window) => writtenEdges().filter((row) => touches(row, window)).length,
    eventsIn: (window) => writtenEdges().filter((row) => isIn(row.valid_from!, window)).length,
    degree: (uid, window = ALL_TIME) =>
      writtenEdges().filter((row) => (row.src === uid || row.dst === uid) && touches(row, window)).length,
    meanDegree: () => {
      const ends = writtenEdges().flatMap((row) => [row.src!, row.dst!]);
      const degreeOf = (uid: string) => writtenEdges().filter((row) => row.src === uid || row.dst === uid).length;
      const degrees = new Map([...new Set(ends)].map((uid) => [uid, degreeOf(uid)]));
      return ends.length === 0 ? 0 : ends.reduce((sum, uid) => sum + degrees.get(uid)!, 0) / ends.length;
    },
    rowsOf: (ref, window = ALL_TIME) =>
      written().filter((row) => ("uid" in ref ? row.uid === ref.uid : sameEdge(row, ref)) && touches(row, window))
        .length,
    typeShares: () => {
      const all = writtenEdges();
      const counts = new Map<string, number>();
      for (const row of all) counts.set(row.type!, (counts.get(row.type!) ?? 0) + 1);
      const shares = [...counts].map(([type, count]) => [type, count / all.length] as const);
      return new Map(shares.sort((a, b) => b[1] - a[1] || compareCodePoints(a[0], b[0])));
    },
    validChanges: (fromUs, toUs) =>
      written()
        .flatMap((row) => [row.valid_from!, row.valid_to!])
        .filter((at) => at !== null && isIn(at, { fromUs: fromUs + 1n, toUs: toUs + 1n })).length,
    txChanges: (fromTx, toTx) => {
      const times = new Set(
        commits()
          .filter((row) => row.tx! > fromTx && row.tx! <= toTx)
          .map((row) => row.tx_time),
      );
      return written()
        .flatMap((row) => [row.tx_from!, row.tx_to!])
        .filter((at) => times.has(at)).length;
    },
    lastTxBefore: (instant) => commits().filter((row) => us(row.tx_time!) < instant).length,
    commits: () => tx,
    extent: () => extentOf(writtenEdges()),
    wholeExtent: () => extentOf(written()),
  };
}

function knownUids(store: ReferenceStore, tx: number): Set<string> {
  const nodes = scanRows(store, tx, "versions", { kind: "node" }).map((row) => row.uid!);
  const edges = scanRows(store, tx, "versions", { kind: "edge" }).flatMap((row) => [row.src!, row.dst!]);
  return new Set<string>([...nodes, ...edges]);
}

/** First and last event of those that pass; at a node, which `where.node` spares, by scans for each end. */
function eventExtentOf(store: ReferenceStore, tx: number, { where, node }: EventQuestion): EventExtent | null {
  const columns = ["src", "type", "dst", "key", "at"];
  const passing = (filter: object): Row[] =>
    scanRows(store, tx, "events", { columns, where: { ...ALL, ...filter } as unknown as JsonObject });
  let events = passing(node === null ? where : { ...where, node: null });
  if (node !== null) {
    const { uid, role } = node;
    const idsOf = (rows: Row[]) => new Set(rows.map((row) => JSON.stringify(row)));
    const withSrc = idsOf(passing({ src: where.node }));
    const withDst = idsOf(passing({ dst: where.node }));
    events = events
      .filter(({ src, dst }) => (role !== "dst" && src === uid) || (role !== "src" && dst === uid))
      .filter((row) => row.src === uid || withSrc.has(JSON.stringify(row)))
      .filter((row) => row.dst === uid || withDst.has(JSON.stringify(row)));
  }
  return events.length === 0 ? null : { firstUs: us(events[0]!.at!), lastUs: us(events.at(-1)!.at!) };
}

/** The payload of the reference engine as lists and fields. */
function answerOf(op: string, payload: JsonObject): RunAnswer {
  const { lists } = lookUp(op).declaration;
  const pages = lists.map(({ field }): ListPage | null => {
    const list = (field === "rows" ? payload : (payload[field] ?? {})) as { rows?: JsonObject[]; rows_total?: number };
    return list.rows == null ? null : { rows: list.rows, total: list.rows_total! };
  });
  const hidden = new Set([...ENVELOPE_FIELDS, ...lists.map(({ field }) => field)]);
  return { lists: pages, fields: Object.fromEntries(Object.entries(payload).filter(([name]) => !hidden.has(name))) };
}

/** Of `resolve_entities`, with everything that is not asked for. */
const EXACT = { min_tier: "exact", labels: null, at: null, max_distance: null, limit: 1 };

function pinned(store: ReferenceStore, tx: number): PinnedEngine {
  return {
    unknownUids: (uids) => {
      const known = knownUids(store, tx);
      return uids.filter((uid) => !known.has(uid));
    },
    knownNames: (texts, nameProps) => {
      const isKnown = (query: string): boolean => {
        const args = { ...EXACT, query, name_props: [...nameProps], as_of_tt: `tx:${tx}` };
        return (store.call("resolve_entities", args).payload as { rows_total: number }).rows_total > 0;
      };
      return new Set(texts.filter(isKnown));
    },
    nearestUids: () => [],
    knowsEdge: (ref) => scanRows(store, tx, "versions", { kind: "edge" }).some((row) => sameEdge(row, ref)),
    eventExtent: (question) => eventExtentOf(store, tx, question),
    statistics: () => statisticsOf(store, tx),
    run: (op, args, { limit }: RunContext) => answerOf(op, store.call(op, { ...args, limit }).payload as JsonObject),
    release: () => {},
  };
}

export function referenceEngine(store: ReferenceStore): OperatorEngine {
  const commits = () => scanRows(store, store.head().tx, "commits");
  return {
    name: "reference",
    headTx: () => store.head().tx,
    txTimeUs: (tx) => us(commits()[tx - 1]!.tx_time!),
    resolveInstant: (instant) => ({
      tx: commits().filter((row) => us(row.tx_time!) <= instant).length,
      notices: [],
    }),
    erasedSince: (pins) => store.erasedSince(pins),
    pin: (tx) => pinned(store, tx),
  };
}
