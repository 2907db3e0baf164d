// Random calls of each operator over the names and instants of random-store.ts, with filters, pins, pages and projections.
import { ALLEN_RELATIONS } from "../../src/contract/allen.js";
import type { Random } from "./random.js";
import { aggregateArguments } from "./random-aggregates.js";
import { motifArguments } from "./random-motifs.js";
import {
  LABELS,
  NAMES,
  randomInstant,
  randomNodeFilter,
  randomProjection,
  randomRef,
  randomWhere,
  randomWindow,
  TYPES,
  UIDS,
} from "./random-store.js";

type Fields = Record<string, unknown>;
export interface RandomCall {
  readonly op: string;
  readonly args: Fields;
}

const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  nodes: ["uid", "labels", "valid_from", "valid_to", "tx", "reason"],
  edges: ["src", "type", "dst", "key", "seq", "valid_from", "valid_to", "source"],
  events: ["src", "dst", "key", "at", "duration", "seq"],
  endpoints: ["uid", "other", "role", "at", "type"],
  versions: ["valid_from", "valid_to", "tx_from", "tx_to", "tx", "ended_by", "ended_reason"],
  commits: ["tx", "ingested", "operations", "tx_time"],
  buckets: ["bucket_from", "partial"],
};

function randomTx(random: Random, head: number): unknown {
  const pin = () => random.pick([`tx:${random.below(head + 1)}`, "2021-01-01T03:00:00Z", "2021-01-01T03:30:00Z"]);
  return random.pick<unknown>([
    null,
    { at: pin() },
    { window: { from: pin(), to: null } },
    { window: { from: null, to: pin() } },
  ]);
}

export function scanArguments(random: Random, head: number): Fields {
  const of = random.pick(Object.keys(COLUMNS));
  const kind = of === "versions" ? random.pick(["node", "edge"]) : undefined;
  const isPlain = of === "commits" || of === "buckets";
  const own = of === "versions" ? [...COLUMNS.versions!, ...COLUMNS[`${kind}s`]!] : COLUMNS[of]!;
  const columns = [...random.some(own), ...(isPlain ? [] : random.some(NAMES).map((name) => `props.${name}`))];
  const window = { window: randomWindow(random), clamp: random.chance(1, 2) };
  const at = { at: randomInstant(random) };
  const valid =
    of === "commits"
      ? null
      : of === "events" || of === "endpoints" || of === "buckets"
        ? window
        : random.pick([null, window, at]);
  return {
    of,
    kind,
    valid,
    ...(random.chance(1, 2) || isPlain ? {} : { names: random.some([...TYPES, ...LABELS, "X"]) }),
    ...(of === "versions" ? { tx: randomTx(random, head) } : {}),
    ...(of === "buckets" ? { stride: random.pick(["PT10S", "PT24H", "P5Y", "P20M", "P400Y"]) } : {}),
    ...(random.chance(1, 3) ? {} : { columns }),
    where: randomWhere(random),
  };
}

/** Mostly something that was written. */
const anyRef = (random: Random, refs: readonly Fields[]): Fields =>
  refs.length === 0 || random.chance(1, 8) ? randomRef(random) : random.pick(refs);

/** What the operations of a batch name. */
export function refsOf(ops: readonly Fields[]): Fields[] {
  return ops.flatMap(({ op, uid, src, type, dst, key }) =>
    op === "assert_node" ? [{ uid }] : op === "assert_edge" ? [{ uid: src }, { src, type, dst, key }] : [],
  );
}

export function historyArguments(random: Random, refs: readonly Fields[]): Fields {
  const ref = anyRef(random, refs);
  return {
    ref,
    window: randomWindow(random),
    include_edges: ref.uid !== undefined && random.chance(2, 3),
    where: randomWhere(random),
  };
}

export function logArguments(random: Random, head: number, refs: readonly Fields[]): Fields {
  const tx = randomTx(random, head) as { window?: unknown } | null;
  return {
    kind: random.pick(["node", "edge", "both", "both"]),
    ref: random.chance(1, 3) ? anyRef(random, refs) : null,
    window: randomWindow(random),
    tx_window: tx?.window ?? null,
    belief: random.pick(["current", "superseded", "all"]),
    ended_by: random.chance(1, 3) ? random.some(["overwritten", "retracted", "corrected"]) : null,
    where: randomWhere(random),
    props: randomProjection(random),
  };
}

const CHANGES = ["nodes_added", "nodes_removed", "nodes_changed", "edges_added", "edges_removed", "edges_changed"];

const randomPin = (random: Random, head: number) => random.pick([null, null, `tx:${random.below(head + 1)}`]);
const randomLimit = (random: Random) => random.pick([1, 2, 3, 7, 100]);

function randomSearch(random: Random) {
  const seeds = random.some(UIDS).slice(0, 3);
  return {
    seeds: seeds.length > 0 ? seeds : [random.pick(UIDS)],
    hops: random.below(4),
    orientation: random.pick(["both", "out", "in"]),
  };
}

export function snapshotCall(random: Random, head: number): RandomCall {
  return {
    op: "snapshot_subgraph",
    args: {
      ...randomSearch(random),
      at: randomInstant(random),
      nodes_must_exist: random.chance(1, 2),
      where: randomWhere(random),
      props: randomProjection(random),
      as_of_tt: randomPin(random, head),
      limit: randomLimit(random),
    },
  };
}

export function diffCall(random: Random, head: number): RandomCall {
  const left = { at: randomInstant(random), as_of_tt: randomPin(random, head) };
  const right = {
    at: random.chance(1, 3) ? left.at : randomInstant(random),
    as_of_tt: random.chance(1, 3) ? left.as_of_tt : randomPin(random, head),
  };
  return {
    op: "diff_snapshots",
    args: {
      left,
      right,
      scope: random.chance(1, 2) ? randomSearch(random) : null,
      compare: random.pick(["content", "content_and_interval"]),
      ...(random.chance(1, 3) ? { include: random.some(CHANGES) } : {}),
      where: randomWhere(random),
      limit: randomLimit(random),
    },
  };
}

export function chainCall(random: Random, head: number): RandomCall {
  const optional = (part: number, whole: number, fields: Fields): Fields => (random.chance(part, whole) ? fields : {});
  const duration = () => random.pick(["PT0S", "PT0.000001S", "PT0.000005S", "PT2S", "PT7S", "PT20S", "P4000000D"]);
  return {
    op: "longest_temporal_chain",
    args: {
      window: random.chance(1, 2) ? null : randomWindow(random),
      ties: random.pick(["strict", "by_seq"]),
      where: random.chance(1, 2) ? {} : randomWhere(random),
      props: randomProjection(random),
      ...optional(1, 3, { max_wait: duration() }),
      ...optional(1, 3, { within: duration() }),
      ...optional(1, 3, { start: random.pick(UIDS) }),
      ...optional(1, 3, { end: random.pick(UIDS) }),
      as_of_tt: randomPin(random, head),
      limit: randomLimit(random),
    },
  };
}

function reachArguments(random: Random): Fields {
  return {
    uid: random.some(UIDS).length > 4 ? random.pick(UIDS) : [random.pick(UIDS), random.pick(UIDS)],
    direction: random.pick(["forward", "backward"]),
    orientation: random.pick(["out", "in", "both"]),
    arrival: random.pick(["instant", "instant", "valid_end"]),
    ties: random.pick(["allow", "strict"]),
    window: randomWindow(random),
    where: random.chance(1, 2) ? {} : randomWhere(random),
    hops: random.chance(1, 2),
    ...(random.chance(1, 3) ? { max_wait: random.pick(["PT0S", "PT1S", "PT7S"]) } : {}),
    ...(random.chance(1, 4) ? { max_hops: 1 + random.below(4) } : {}),
    ...(random.chance(1, 5) ? { to: [random.pick(UIDS), random.pick(UIDS)] } : {}),
  };
}

const ENDS = ["src", "dst"];

/** Mostly everything, so that pairs are found. */
const anySelection = (random: Random): Fields => ({
  ...(random.chance(1, 4) ? { src: random.pick(UIDS) } : {}),
  ...(random.chance(1, 5) ? { dst: random.pick(UIDS) } : {}),
  ...(random.chance(1, 2) ? { where: randomWhere(random) } : {}),
});

export function coActiveCall(random: Random, head: number): RandomCall {
  const relations = random.chance(1, 3) ? "intersects" : random.some(ALLEN_RELATIONS);
  const hasGap = relations !== "intersects" && (relations.includes("before") || relations.includes("after"));
  const on = random.pick<() => unknown>([
    () => [],
    () => random.list(3, () => [random.pick(ENDS), random.pick(ENDS)]),
    () => random.pick(["pair", "unordered_pair", "any_node"]),
  ])();
  const a = anySelection(random);
  return {
    op: "co_active",
    args: {
      a,
      b: random.chance(1, 4) ? a : anySelection(random),
      relations,
      on,
      ...(hasGap ? { max_gap: random.pick(["PT0.000001S", "PT2S", "PT7S", "PT1H", "P400000D"]) } : {}),
      ...(hasGap && random.chance(1, 2) ? { min_gap: random.pick(["PT0S", "PT2S", "PT8S", "-PT1S"]) } : {}),
      window: randomWindow(random),
      unordered: random.chance(1, 3),
      as_of_tt: randomPin(random, head),
      limit: randomLimit(random),
    },
  };
}

export function pathsCall(random: Random, head: number): RandomCall {
  const optional = (part: number, whole: number, fields: Fields): Fields => (random.chance(part, whole) ? fields : {});
  const src = random.pick(random.chance(9, 10) ? UIDS.slice(0, 3) : UIDS);
  const dst = random.pick(UIDS.slice(0, 4).filter((uid) => uid !== src || random.chance(1, 20)));
  return {
    op: "temporal_paths",
    args: {
      src,
      dst,
      criterion: random.pick(["foremost", "fastest", "shortest", "latest_departure"]),
      k: random.pick([1, 2, 3, 5, 20, 1000]),
      max_hops: 1 + random.below(4),
      orientation: random.pick(["out", "in", "both"]),
      arrival: random.pick(["instant", "instant", "valid_end"]),
      ties: random.pick(["allow", "strict"]),
      window: random.chance(1, 2) ? null : randomWindow(random),
      where: random.chance(2, 3) ? {} : randomWhere(random),
      props: randomProjection(random),
      ...optional(1, 3, { min_hops: 1 + random.below(3) }),
      ...optional(1, 2, {
        max_wait: random.pick(["PT0S", "PT0.000001S", "PT0.000002S", "PT0.000005S", "PT1S", "PT7S"]),
      }),
      ...optional(1, 4, { src_filter: randomNodeFilter(random) }),
      ...optional(1, 4, { dst_filter: randomNodeFilter(random) }),
      as_of_tt: randomPin(random, head),
      limit: randomLimit(random),
    },
  };
}

const HALF_LIVES = [365, 0.5, 1e-4, 1e-7, 7.5, 5e-324, 1e300, null];

export function freshnessCall(random: Random, head: number): RandomCall {
  const some = (part: number, whole: number, fields: () => Fields): Fields =>
    random.chance(part, whole) ? fields() : {};
  const byType = (): Fields => Object.fromEntries(random.some(TYPES).map((type) => [type, random.pick(HALF_LIVES)]));
  return {
    op: "fact_freshness",
    args: {
      src: random.pick(random.chance(3, 4) ? UIDS.slice(0, 3) : UIDS),
      at: random.pick([
        randomInstant(random),
        randomInstant(random),
        "2020-03-01T00:00:00Z",
        "2023-06-05T04:03:02.000001Z",
      ]),
      ...some(1, 3, () => ({ types: random.some([...TYPES, "X"]) })),
      ...some(2, 3, () => ({ half_life: { default: random.pick(HALF_LIVES), by_type: byType() } })),
      ...some(1, 2, () => ({ functional: random.some([...TYPES, "X"]) })),
      ...some(1, 2, () => ({ confirmed_prop: random.pick([...NAMES, "none"]) })),
      ...some(1, 2, () => ({ age: "exact" })),
      ...some(1, 2, () => ({ digits: 1 + random.below(9) })),
      ...some(2, 3, () => ({ include: random.some(["current", "superseded", "expired", "retracted", "future"]) })),
      where: random.chance(1, 2) ? {} : randomWhere(random),
      as_of_tt: randomPin(random, head),
      limit: randomLimit(random),
    },
  };
}

export function entitiesCall(random: Random, head: number): RandomCall {
  const some = (part: number, whole: number, fields: () => Fields): Fields =>
    random.chance(part, whole) ? fields() : {};
  return {
    op: "resolve_entities",
    args: {
      query: random.pick([
        "a",
        "ada",
        "Ada",
        "bo",
        "Bob",
        "BBO",
        "É",
        "e\u0301",
        "10",
        "\u{1f600}",
        "\uff5e",
        "z",
        "Adda",
        " B",
      ]),
      ...some(1, 2, () => ({ name_props: random.pick([["name", "mix"], ["mix"], ["w", "name", "none"], NAMES]) })),
      ...some(1, 3, () => ({ labels: random.some([...LABELS, "X"]).slice(0, 2) })),
      ...some(1, 2, () => ({ at: randomInstant(random) })),
      ...some(1, 2, () => ({ min_tier: random.pick(["exact", "prefix", "substring", "fuzzy", "alias"]) })),
      ...some(2, 3, () => ({ max_distance: random.pick([null, 0, 1, 2, 3]) })),
      as_of_tt: randomPin(random, head),
      limit: randomLimit(random),
    },
  };
}

export const SERIES_METRICS = [
  ...["edge_event_count", "edge_end_count", "active_edge_count", "active_node_count", "distinct_pair_count"],
  ...["new_pair_count", "reciprocity"],
];
const NODE_METRICS = ["node_count", "new_node_count", "new_node_rate", "mean_out_degree"];
const ROLES = ["src", "dst", "either"];

/** Buckets of seconds within the minute of most instants, or of years over all of them. */
function randomBuckets(random: Random): Fields {
  const second = (): number => random.below(62);
  const [a, b] = [second(), second()];
  const text = (n: number): string => `2020-01-01T00:${n < 60 ? "00" : "01"}:${String(n % 60).padStart(2, "0")}Z`;
  if (random.chance(1, 2)) {
    const window = { from: text(Math.min(a, b)), to: text(Math.max(a, b) + 1) };
    return {
      window,
      stride: random.pick(["PT1S", "PT2S", "PT3.000001S", "PT7S", "PT30S", "PT1H", "P1D", "P1W", "P1M"]),
    };
  }
  // 400 years are whole numbers of these, so that the law about shifts by so many holds.
  const stride = random.pick(["PT1S", "PT10S", "P5Y", "P400Y", "P2400M", "P20871W"]);
  return { window: randomWindow(random), stride };
}

const randomFilter = (random: Random): Fields => (random.chance(1, 2) ? { where: randomWhere(random) } : {});

export function seriesCall(random: Random, head: number): RandomCall {
  const node = random.chance(1, 3) ? { uid: random.pick(UIDS), role: random.pick(ROLES) } : null;
  const legal = node === null || random.chance(1, 20) ? [...SERIES_METRICS, ...NODE_METRICS] : SERIES_METRICS;
  const metrics = random.some(legal).slice(0, 8);
  return {
    op: "graph_metric_timeseries",
    args: {
      metric: metrics.length < 2 ? random.pick(legal) : metrics,
      ...randomBuckets(random),
      node,
      ...randomFilter(random),
      as_of_tt: randomPin(random, head),
      limit: random.pick([1, 3, 17, 100, 10_000]),
    },
  };
}

export function burstCall(random: Random, head: number): RandomCall {
  const w = random.pick([1, 2, 3, 5, 1000]);
  return {
    op: "burst_detection",
    args: {
      ...(random.chance(1, 2)
        ? {}
        : { target: { kind: "node_activity", uid: random.pick(UIDS), role: random.pick(ROLES) } }),
      ...randomBuckets(random),
      method: random.pick(["zscore", "ratio"]),
      sides: random.pick(["up", "down", "both"]),
      w,
      ...(random.chance(1, 2) ? { min_history: 1 + random.below(Math.min(w, 3)) } : {}),
      z: random.pick([0.001, 0.5, 1, 1.224744871, 3]),
      r: random.pick([1.000000001, 1.5, 2, 3, 1e300]),
      min_change: random.pick([1, 1, 2, 3, Number.MAX_SAFE_INTEGER]),
      ...randomFilter(random),
      as_of_tt: randomPin(random, head),
      limit: randomLimit(random),
    },
  };
}

export function evolutionCall(random: Random, head: number): RandomCall {
  const [a, b] = [randomInstant(random), randomInstant(random)];
  const duration = () => random.pick(["PT0.000001S", "PT0.000002S", "PT1S", "PT4S", "PT9.000001S", "PT1M", "P500000D"]);
  return {
    op: "neighborhood_evolution",
    args: {
      uid: random.pick(UIDS),
      ...(a < b || a.startsWith("-") ? { t1: a, t2: b } : { t1: b, t2: a }),
      ...(random.chance(1, 2) ? { lookback: duration() } : {}),
      ...(random.chance(1, 2) ? { stride: random.pick(["PT1S", "PT3S", "PT10.000001S", "PT1M", "P200000D"]) } : {}),
      orientation: random.pick(["both", "out", "in"]),
      ...(random.chance(1, 2) ? { include: random.some(["gained", "lost", "kept"]) } : {}),
      ...randomFilter(random),
      as_of_tt: randomPin(random, head),
      limit: random.pick([1, 2, 7, 100]),
    },
  };
}

/** One call of every operator. `refs` are things that were written, of which most calls ask. */
export function callsOfEach(random: Random, head: number, refs: readonly Fields[]): RandomCall[] {
  const page = () => ({ as_of_tt: randomPin(random, head), limit: randomLimit(random) });
  return [
    { op: "scan", args: { ...scanArguments(random, head), ...page() } },
    { op: "entity_history", args: { ...historyArguments(random, refs), ...page() } },
    { op: "version_history", args: { ...logArguments(random, head, refs), ...page() } },
    { op: "temporal_reachability", args: { ...reachArguments(random), ...page() } },
    { op: "aggregate_events", args: { ...aggregateArguments(random, true), ...page() } },
    { op: "count_temporal_motifs", args: { ...motifArguments(random), ...page() } },
    { op: "find_temporal_motifs", args: { ...motifArguments(random), props: randomProjection(random), ...page() } },
    pathsCall(random, head),
    chainCall(random, head),
    snapshotCall(random, head),
    diffCall(random, head),
    coActiveCall(random, head),
    freshnessCall(random, head),
    entitiesCall(random, head),
    seriesCall(random, head),
    burstCall(random, head),
    evolutionCall(random, head),
  ];
}
