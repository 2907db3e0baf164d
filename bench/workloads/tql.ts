// Statements of TQL: what preparing and verifying one takes, a simple query, and grouped counts beside the same SQL on
// DuckDB over the exported table, turn by turn in one process. Rows are compared before anything is timed.

import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Events, events, nodeCount, nodeName, TYPE_NAMES } from "../data/corrected-intervals.js";
import { atMost, type Figure } from "../runner/figures.js";
import { measure } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";

const TURNS_AT_ONCE = 200;

/** The events as a DuckDB table of the columns that the grouped question reads. */
async function exported(scale: number, data: Events) {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("CREATE TABLE events (src VARCHAR, type VARCHAR, begins BIGINT)");
  const names = Array.from({ length: nodeCount(scale) }, (_, node) => nodeName(node));
  const appender = await connection.createAppender("events");
  for (let i = 0; i < data.src.length; i += 1) {
    appender.appendVarchar(names[data.src[i]!]!);
    appender.appendVarchar(TYPE_NAMES[data.type[i]!]!);
    appender.appendBigInt(data.validFrom[i]!);
    appender.endRow();
  }
  appender.closeSync();
  return connection;
}

export const workload: Workload = {
  summary: "preparing and verifying a statement, a simple query, grouped counts beside DuckDB",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const db = await open(join(folder, "store"));
    const data = events(scale);
    await buildIntervalStore(db, scale, data);
    progress("store built");
    const node = nodeName(1);
    const typical = `SELECT e.dst, COUNT(*) AS n FROM EVENTS(${TYPE_NAMES[0]}) FOR VALID_TIME FROM EPOCH_US 0 TO EPOCH_US ${scale} AS e
      WHERE e.src = '${node}' GROUP BY e.dst ORDER BY n DESC LIMIT 10`;
    const { plan } = await db.query(`EXPLAIN ${typical}`);
    const figures: Figure[] = [];
    const time = async (name: string, unit: string, perCall: number, limit: number | null, call: () => unknown) => {
      const { median, p95, repetitions } = await measure(call, { repetitions: 30 });
      const gate = limit === null ? undefined : atMost(limit);
      figures.push({ name, unit, value: median * perCall, p95: p95 * perCall, repetitions, gate });
    };
    const manyTimes = (call: () => unknown) => () => {
      for (let turn = 0; turn < TURNS_AT_ONCE; turn += 1) call();
    };
    let turns = 0;
    await time(
      "parse and compile, a new text each time",
      "µs",
      1000 / TURNS_AT_ONCE,
      500,
      manyTimes(() => {
        turns += 1;
        return db.prepare(`${typical} OFFSET ${turns}`);
      }),
    );
    await time(
      "compile a text that was seen",
      "µs",
      1000 / TURNS_AT_ONCE,
      500,
      manyTimes(() => db.prepare(typical)),
    );
    await time(
      "verify",
      "µs",
      1000 / TURNS_AT_ONCE,
      500,
      manyTimes(() => db.verify(plan)),
    );
    const simple = `SELECT e.dst, e.at FROM EVENTS() AS e WHERE e.src = '${node}' ORDER BY e.at DESC LIMIT 10`;
    await time("simple query", "ms", 1, 2, () => db.query(simple));

    const grouped = "SELECT e.src, e.type, COUNT(*) AS n FROM EVENTS() AS e GROUP BY e.src, e.type";
    const connection = await exported(scale, data);
    progress("table exported");
    const sql = "SELECT src, type, count(*) AS n FROM events GROUP BY src, type ORDER BY src, type";
    const theirs = await connection.runAndReadAll(sql);
    const ours = await db.query(grouped);
    if (ours.rows_total !== theirs.currentRowCount) {
      throw new Error(`grouped counts: ${ours.rows_total} rows, DuckDB has ${theirs.currentRowCount}`);
    }
    await time("grouped counts, DuckDB", "ms", 1, null, async () => (await connection.runAndReadAll(sql)).getRows());
    const limit = figures.at(-1)!.value;
    await time("grouped counts", "ms", 1, limit, () => db.query(grouped));
    connection.closeSync();
    await db.close();
    return figures;
  },
};
