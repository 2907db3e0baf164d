// Statements of TQL: µs to parse, compile and verify, ms for simple queries in a warm store, of the command as a process,
// and for grouped counts beside the same SQL on DuckDB over the exported table, turn by turn in one process. Rows are
// compared before anything is timed.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Events, events, nodeCount, nodeName, TYPE_NAMES } from "../data/corrected-intervals.js";
import { childrenCpuMs, commandPath } from "../runner/command.js";
import { atMost, type Figure } from "../runner/figures.js";
import { longestHold } from "../runner/hold.js";
import { Holds } from "../runner/hold-figures.js";
import { measure } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { type Database, open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";

const TURNS_AT_ONCE = 200;
const REPETITIONS = 30;
const WARM_UPS = 5;
/** Queries of new texts before those that are timed: code that has run a few times is not warm. */
const WARM_QUERIES = 200;
const STATEMENT_US_GATE = 500;
const SIMPLE_MS_GATE = 2;
const PROCESS_MS_GATE = 500;
const NODE = nodeName(1);
const [FIRST_TYPE, SECOND_TYPE] = TYPE_NAMES;

type Text = (number: number) => string;

/** Typical statements; each number gives a text that was never seen. */
const typical = (scale: number): Readonly<Record<string, Text>> => ({
  "groups at a node": (number) =>
    `SELECT e.dst, COUNT(*) AS n FROM EVENTS(${FIRST_TYPE}) FOR VALID_TIME FROM EPOCH_US 0 TO EPOCH_US ${scale} AS e
      WHERE e.src = '${NODE}' GROUP BY e.dst ORDER BY n DESC LIMIT 10 OFFSET ${number}`,
  "edges at an instant": (number) =>
    `SELECT e.src, e.dst, e.weight * 2 AS twice FROM EDGES(${FIRST_TYPE}) FOR VALID_TIME AS OF EPOCH_US ${number} AS e
      WHERE e.src = '${NODE}' AND e.weight > ${number} ORDER BY twice DESC LIMIT 10`,
  "a join with groups": (number) =>
    `SELECT a.src, b.dst, COUNT(*) AS n FROM EDGES(${FIRST_TYPE}) AS a JOIN EDGES(${SECOND_TYPE}) AS b ON a.dst = b.src
      WHERE a.src = '${NODE}' AND a.weight >= b.weight GROUP BY a.src, b.dst HAVING n > 1 ORDER BY n DESC LIMIT ${number}`,
});

/** Simple queries; each number gives a text that was never seen. */
const simple: Readonly<Record<string, Text>> = {
  "newest events of a node": (number) =>
    `SELECT e.dst, e.at FROM EVENTS() AS e WHERE e.src = '${NODE}' ORDER BY e.at DESC LIMIT ${number}`,
  "edges of a node with a property": (number) =>
    `SELECT e.dst, e.weight FROM EDGES(${FIRST_TYPE}) FOR VALID_TIME FROM EPOCH_US 0 TO EPOCH_US ${number} AS e
      WHERE e.src = '${NODE}' ORDER BY e.dst`,
  "MATCH of one edge at a node": (number) =>
    `MATCH (p {uid: '${NODE}'})-[r:${FIRST_TYPE}]->(c) FOR VALID_TIME FROM EPOCH_US 0 TO EPOCH_US ${number}
      RETURN r.weight, c.uid`,
};

const PASSED = "SELECT e.src, e.dst, e.at, LENGTH(e.src) AS n FROM EVENTS() AS e";
const ASKED_OF_PROCESS = "SELECT e.dst, COUNT(*) AS n FROM EDGES() AS e GROUP BY e.dst ORDER BY n DESC";

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

class Figures {
  readonly all: Figure[] = [];
  private number = 0;

  /** A number that no text has had. */
  next(): number {
    this.number += 1;
    return this.number;
  }

  async time(name: string, unit: string, perCall: number, limit: number | null, call: () => unknown): Promise<Figure> {
    const timing = await measure(call, { warmUps: WARM_UPS, repetitions: REPETITIONS });
    const { median, p95, repetitions } = timing;
    const gate = limit === null ? undefined : atMost(limit);
    // On a busy machine the least and the processor time say more than the median.
    const notes = { least: timing.least * perCall, processor_time: timing.cpu_ms * perCall };
    const figure = { name, unit, value: median * perCall, p95: p95 * perCall, repetitions, gate, notes };
    this.all.push(figure);
    return figure;
  }
}

function manyTimes(call: () => unknown): () => void {
  return () => {
    for (let turn = 0; turn < TURNS_AT_ONCE; turn += 1) call();
  };
}

/** What comes before the first step of a text that was never seen: to parse and compile it, and to verify its plan. */
async function timeTypical(figures: Figures, db: Database, name: string, text: Text): Promise<void> {
  const perCall = 1000 / TURNS_AT_ONCE;
  const fresh = () => text(figures.next());
  const prepare = manyTimes(() => db.prepare(fresh()));
  const compile = await figures.time(`parse and compile: ${name}`, "µs", perCall, null, prepare);
  const plans: unknown[] = [];
  for (let i = 0; i < (WARM_UPS + REPETITIONS) * TURNS_AT_ONCE; i += 1) {
    plans.push((await db.query(`EXPLAIN ${fresh()}`)).plan);
  }
  const check = manyTimes(() => {
    const { valid } = db.verify(plans.pop());
    if (!valid) throw new Error(`${name}: the plan does not verify`);
  });
  const verify = await figures.time(`verify: ${name}`, "µs", perCall, null, check);
  const sum = (part: (figure: Figure) => unknown): number => Number(part(compile)) + Number(part(verify));
  figures.all.push({
    name: `parse, compile and verify: ${name}`,
    unit: "µs",
    value: sum(({ value }) => value),
    gate: atMost(STATEMENT_US_GATE),
    notes: {
      least: sum(({ notes }) => notes?.least),
      processor_time: sum(({ notes }) => notes?.processor_time),
    },
  });
}

/** The command on a store of one edge: loading the program is most of it. */
async function timeProcess(figures: Figures, folder: string): Promise<void> {
  const path = join(folder, "small");
  const small = await open(path);
  await small.write([{ op: "assert_edge", src: "a", type: "R", dst: "b", valid_from: "2020-01-01" }]);
  await small.close();
  const command = commandPath();
  const run = () => execFileSync(process.execPath, [command, "query", path, ASKED_OF_PROCESS], { stdio: "pipe" });
  const cpuBefore = childrenCpuMs();
  const figure = await figures.time("palimpsest query, a whole process", "ms", 1, PROCESS_MS_GATE, run);
  const processor_time = (childrenCpuMs() - cpuBefore) / (WARM_UPS + REPETITIONS);
  figures.all[figures.all.length - 1] = { ...figure, notes: { ...figure.notes, processor_time } };
}

/** A row for every event goes into DuckDB and comes out of it, and none is kept. */
async function passRows(db: Database, scale: number): Promise<void> {
  let count = 0;
  for await (const _ of db.query(PASSED)) count += 1;
  if (count < scale) throw new Error(`${count} rows passed, expected ${scale}`);
}

async function timeGroups(figures: Figures, db: Database, scale: number, data: Events): Promise<void> {
  const grouped = "SELECT e.src, e.type, COUNT(*) AS n FROM EVENTS() AS e GROUP BY e.src, e.type";
  const connection = await exported(scale, data);
  const sql = "SELECT src, type, count(*) AS n FROM events GROUP BY src, type ORDER BY src, type";
  const theirs = await connection.runAndReadAll(sql);
  const ours = await db.query(grouped);
  if (ours.rows_total !== theirs.currentRowCount) {
    throw new Error(`grouped counts: ${ours.rows_total} rows, DuckDB has ${theirs.currentRowCount}`);
  }
  const inSql = async () => (await connection.runAndReadAll(sql)).getRows();
  const { value: limit } = await figures.time("grouped counts, DuckDB", "ms", 1, null, inSql);
  await figures.time("grouped counts", "ms", 1, limit, () => db.query(grouped));
  connection.closeSync();
}

export const workload: Workload = {
  summary: "typical statements before they run, simple queries, the command as a process, grouped counts beside DuckDB",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const figures = new Figures();
    await timeProcess(figures, folder);
    const db = await open(join(folder, "store"));
    const data = events(scale);
    await buildIntervalStore(db, scale, data);
    progress("store built");
    for (const [name, text] of Object.entries(typical(scale))) await timeTypical(figures, db, name, text);
    const seen = typical(scale)["groups at a node"]!(figures.next());
    const again = manyTimes(() => db.prepare(seen));
    await figures.time("compile a text that was seen", "µs", 1000 / TURNS_AT_ONCE, STATEMENT_US_GATE, again);
    for (const [name, text] of Object.entries(simple)) {
      const { rows } = await db.query(text(scale));
      if (rows.length === 0) throw new Error(`${name}: no rows`);
      const query = () => db.query(text(scale + figures.next()));
      for (let turn = 0; turn < WARM_QUERIES; turn += 1) await query();
      await figures.time(`simple query: ${name}`, "ms", 1, SIMPLE_MS_GATE, query);
      const asked = text(scale);
      await figures.time(`simple query, its text seen: ${name}`, "ms", 1, SIMPLE_MS_GATE, () => db.query(asked));
    }
    progress("statements measured");
    const holds = new Holds(progress);
    const rows = scale.toLocaleString("en-US");
    await holds.add(`${rows} rows to and from DuckDB`, () => longestHold(() => passRows(db, scale)));
    figures.all.push(...holds.figures);
    await timeGroups(figures, db, scale, data);
    await db.close();
    return figures.all;
  },
};
