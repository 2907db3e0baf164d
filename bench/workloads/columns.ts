// Whole tables by columns, as steps of a plan hand them to DuckDB: scans, groups, and the bytes that their digests take.
import { createHash } from "node:crypto";
import { rowBytes } from "../../src/columns/row-bytes.js";
import type { JsonObject } from "../../src/contract/values.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { Store } from "../../src/store/store.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { EVENTS_BY_COLUMNS_GATE_MS } from "../registry/gates.js";
import { atLeast, atMost, type Figure } from "../runner/figures.js";
import { type MeasureOptions, measure } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { powerLawColumns } from "../stores/power-law-store.js";

const FEW: MeasureOptions = { repetitions: 10, budgetSeconds: 10 };
const LEAST_ROWS_PER_SECOND = 1_000_000;
const DISTINCT_WEIGHTS = 1000;

async function buildStore(scale: number): Promise<Store> {
  const { nodes, seed } = powerLawShape(scale);
  const values = BigInt64Array.from({ length: scale }, (_, row) => BigInt(row % DISTINCT_WEIGHTS));
  const store = await Store.open(":memory:", {});
  const columns = powerLawColumns(powerLaw(scale, nodes, seed));
  const props = [{ name: "weight", kind: "int64" as const, values }];
  await store.ingest({ ...columns, props }, { type: "E", nodeLabels: ["Node"] });
  return store;
}

/** Reads the whole list of a call by columns, again at each call. */
async function wholeList(engine: NativeEngine, op: "scan" | "aggregate_events", given: JsonObject) {
  const { args, pin } = await callOperator(engine, op, { ...given, limit: 1 });
  const limits = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, stepCeiling: Number.MAX_SAFE_INTEGER };
  const context = { tx: pin.tx, otherTx: pin.tx, list: null, ordinal: 0, limit: 1_000_000_000, ...limits };
  return async () => {
    const pinned = engine.pin(pin.tx);
    try {
      return op === "scan"
        ? await pinned.scanColumns(args, context)
        : (await pinned.aggregateColumns(args, context)).table;
    } finally {
      pinned.release();
    }
  };
}

const EVENTS = { of: "events", columns: ["src", "dst", "at", "props.weight"] };
const PAIRS = {
  group_by: [{ dim: "pair", undirected: false }],
  aggregates: [{ fn: "count", as: "events" }],
};

export const workload: Workload = {
  summary: "whole tables by columns: scans, groups, the bytes of their digests",
  defaultScale: 1_000_000,
  async run({ scale, progress }) {
    const store = await buildStore(scale);
    progress("store built");
    const engine = new NativeEngine(store);
    const figures: Figure[] = [];
    const time = async (name: string, call: () => unknown, gate?: Figure["gate"]): Promise<void> => {
      const { median, p95, repetitions, cpu_ms } = await measure(call, FEW);
      figures.push({ name, unit: "ms", value: median, p95, repetitions, gate, notes: { cpu_ms } });
      progress(`${name}: ${median.toFixed(1)} ms`);
    };
    const events = await wholeList(engine, "scan", EVENTS);
    const gateMs = EVENTS_BY_COLUMNS_GATE_MS[scale];
    await time("events: src, dst, at, a property", events, gateMs === undefined ? undefined : atMost(gateMs));
    await time("edges in their order", await wholeList(engine, "scan", { ...EVENTS, of: "edges", columns: ["src"] }));
    await time("events of each pair", await wholeList(engine, "aggregate_events", PAIRS));
    const table = await (await wholeList(engine, "scan", { ...EVENTS, columns: [...EVENTS.columns, "seq"] }))();
    const { median, p95, repetitions, cpu_ms } = await measure(() => {
      const hash = createHash("sha256");
      for (const piece of rowBytes(table)) hash.update(piece);
      return hash.digest("hex");
    }, FEW);
    figures.push({
      name: "digest of five columns",
      unit: "rows/s",
      value: (1e3 * table.rowCount) / median,
      repetitions,
      gate: atLeast(LEAST_ROWS_PER_SECOND),
      notes: { ms: median, p95_ms: p95, cpu_ms },
    });
    await store.close();
    return figures;
  },
};
