// The ways in and out by columns, at the size of the scale: Parquet into a durable store, a store into Parquet and into
// Arrow record batches, an answer into an Arrow table, tables into DuckDB. What comes out is counted before it is timed.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Database } from "../../src/index.js";
import { tableBatches } from "../../src/interchange/export/arrow.js";
import { powerLaw, powerLawShape } from "../data/power-law.js";
import { atLeast, type Figure } from "../runner/figures.js";
import { elapsedMs, statistics } from "../runner/measure.js";
import type { Context, Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { powerLawColumns } from "../stores/power-law-store.js";

const ROUNDS = 3;
const PARQUET_IN_GATE = 400_000;
const PARQUET_OUT_GATE = 1_000_000;
const ARROW_OUT_GATE = 20_000_000;
const DISTINCT_WEIGHTS = 1000;

async function sourceStore(scale: number): Promise<Database> {
  const { nodes, seed } = powerLawShape(scale);
  const values = BigInt64Array.from({ length: scale }, (_, row) => BigInt(row % DISTINCT_WEIGHTS));
  const db = await open(":memory:");
  const props = [{ name: "weight", kind: "int64" as const, values }];
  await db.ingest({ ...powerLawColumns(powerLaw(scale, nodes, seed)), props }, { type: "E", nodeLabels: ["Node"] });
  return db;
}

/** Times `run`, which gives how many things it handled, a few times over. */
async function rateOf(
  { progress }: Context,
  figure: Pick<Figure, "name" | "unit" | "gate">,
  run: (round: number) => Promise<number>,
): Promise<Figure> {
  const rates: number[] = [];
  const cpu: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    let count = 0;
    const before = process.cpuUsage();
    const ms = await elapsedMs(async () => {
      count = await run(round);
    });
    const { user, system } = process.cpuUsage(before);
    rates.push((count / ms) * 1e3);
    cpu.push((user + system) / 1e3);
    progress(`${figure.name}: ${Math.round(ms)} ms`);
  }
  const rate = statistics(rates);
  return {
    ...figure,
    value: rate.median,
    repetitions: ROUNDS,
    notes: { least: rate.least, cpu_ms: statistics(cpu).median },
  };
}

async function arrowValues(db: Database): Promise<number> {
  const tables = await db.tables();
  let values = 0;
  try {
    for await (const batch of tableBatches(tables.edges, () => {})) values += batch.numRows * batch.numCols;
  } finally {
    tables.close();
  }
  return values;
}

export const workload: Workload = {
  summary: "Parquet in, Parquet and Arrow out, tables into DuckDB",
  defaultScale: 1_000_000,
  async run(context) {
    const { scale, folder, progress } = context;
    const db = await sourceStore(scale);
    progress("store built");
    const out = join(folder, "interchange");
    mkdirSync(out, { recursive: true });
    const figures: Figure[] = [];
    const add = async (name: string, unit: string, gate: number | null, run: (round: number) => Promise<number>) => {
      const figure = { name, unit, ...(gate === null ? {} : { gate: atLeast(gate) }) };
      figures.push(await rateOf(context, figure, run));
    };
    const answer = "SELECT e.valid_from, e.valid_to, e.seq, e.weight FROM EDGES(E) AS e";
    const ceilings = { rows: 10 * scale, steps: 1e12 };
    await add("export of edges to Parquet", "rows/s", PARQUET_OUT_GATE, async () => {
      const { edges } = await db.export(join(out, "edges.parquet"), { only: "edges", overwrite: true });
      if (edges !== scale) throw new Error(`${edges} edges were exported, not ${scale}`);
      return scale;
    });
    await add("edges as Arrow record batches", "values/s", ARROW_OUT_GATE, () => arrowValues(db));
    await add("an answer of four columns as an Arrow table", "values/s", ARROW_OUT_GATE, async () => {
      const table = await db.query(answer, { ceilings }).toArrow();
      if (table.numRows !== scale) throw new Error(`${table.numRows} rows in the answer, not ${scale}`);
      return table.numRows * table.numCols;
    });
    const instance = await DuckDBInstance.create(":memory:");
    const duck = await instance.connect();
    await add("edges into a connection of DuckDB", "rows/s", null, async () => {
      await db.exportTo(duck, { nodes: null, overwrite: true });
      return scale;
    });
    await add("Parquet into a durable store", "rows/s", PARQUET_IN_GATE, async (round) => {
      const path = join(out, `store-${round}`);
      const { parquetReader } = await import("../../src/interchange/tables/parquet-reader.js");
      const { ingestTable } = await import("../../src/interchange/tables/ingest.js");
      const store = await open(path);
      const reader = await parquetReader(join(out, "edges.parquet"), { zone: null, rowsPerPiece: 1 << 15 });
      const { rows } = await ingestTable(store as never, reader, { nodeLabels: ["Node"] });
      await store.close();
      rmSync(path, { recursive: true, force: true });
      return rows;
    });
    duck.closeSync();
    instance.closeSync();
    await db.close();
    return figures;
  },
};
