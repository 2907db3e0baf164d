// The columnar form of scan against its rows: on random stores, for every table, column, filter, window and pin, the
// native columns hold what the rows of both engines hold, and print as they do. case-count.ts says how many stores are tried.
import { describe, expect, it } from "vitest";
import type { ColumnTable } from "../../src/columns/column.js";
import { columnsOfRows } from "../../src/columns/columns-of-rows.js";
import { rowsOfColumns } from "../../src/columns/rows-of-columns.js";
import type { TypedName } from "../../src/columns/types.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { JsonObject } from "../../src/contract/values.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { CASE_COUNT, FIRST_SEED } from "../support/case-count.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { printedRows } from "../support/printed-table.js";
import { Random } from "../support/random.js";
import { scanArguments } from "../support/random-calls.js";
import { randomBatches, randomWindow, UIDS } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

const CALLS = 20;
const ALL = 10_000;

const typesOf = ({ columns }: ColumnTable): TypedName[] =>
  columns.map(({ name, column }) => ({ name, type: column.type }));

/** Nothing stands twice in a dictionary, and nothing that does not occur. */
function expectTight({ columns }: ColumnTable, where: string): void {
  for (const { name, column } of columns) {
    if (column.type !== "string" && column.type !== "json") continue;
    expect(new Set(column.dictionary).size, `${where}: ${name}`).toBe(column.dictionary.length);
    const used = new Set(column.codes.filter((code) => code >= 0));
    expect(used.size, `${where}: ${name}`).toBe(column.dictionary.length);
  }
}

async function readColumns(engine: OperatorEngine, tx: number, args: JsonObject, ordinal: number, limit: number) {
  const pinned = engine.pin(tx);
  const limits = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, stepCeiling: Number.MAX_SAFE_INTEGER };
  try {
    return await pinned.scanColumns!(args, { tx, otherTx: tx, list: null, ordinal, limit, ...limits });
  } finally {
    pinned.release();
  }
}

/** How many scans there were, and how many had rows: agreement on empty answers proves little. */
const seen = { scans: 0, withRows: 0, wide: 0, named: 0 };

async function compareScan(native: OperatorEngine, reference: OperatorEngine, random: Random, args: JsonObject) {
  let envelope: Awaited<ReturnType<typeof callOperator>>;
  try {
    envelope = await callOperator(reference, "scan", args);
  } catch (error) {
    if (error instanceof PalimpsestError) return;
    throw error;
  }
  const where = canonicalJson(args);
  const rows = envelope.rows as readonly JsonObject[];
  const types = envelope.columns as readonly TypedName[];
  const { tx } = envelope.pin;
  const table = await readColumns(native, tx, envelope.args, 0, ALL);
  expect(table.total, where).toBe(rows.length);
  expect(table.rowCount, where).toBe(rows.length);
  expect(typesOf(table), where).toEqual(types);
  expect(canonicalJson(rowsOfColumns(table, 0, table.rowCount)), where).toBe(canonicalJson(rows));
  expect(printedRows(table), where).toBe(canonicalJson(rows));
  expectTight(table, where);
  const made = await columnsOfRows(rows, types);
  expect(printedRows(made), where).toBe(canonicalJson(rows));
  expect(canonicalJson(rowsOfColumns(made, 0, ALL)), where).toBe(canonicalJson(rows));
  const [from, count] = [random.below(rows.length + 2), random.below(5)];
  const part = await readColumns(native, tx, envelope.args, from, count);
  expect(part.total, where).toBe(rows.length);
  expect(printedRows(part), where).toBe(canonicalJson(rows.slice(from, from + count)));
  seen.scans += 1;
  if (rows.length > 0) seen.withRows += 1;
  if (table.columns.some(({ column }) => column.type === "double" && column.wide !== undefined)) seen.wide += 1;
}

/** A filter that names a few nodes at one end or both, so that rows are found from those and not by a walk over all. */
function namedWhere(random: Random): JsonObject {
  const uids = () => ({ uids: [random.pick(UIDS), ...(random.chance(1, 2) ? [random.pick(UIDS), "nobody"] : [])] });
  return random.pick<() => JsonObject>([
    () => ({ node: uids() }),
    () => ({ src: uids() }),
    () => ({ dst: uids() }),
    () => ({ src: uids(), dst: uids() }),
  ])();
}

/** Rows of the native engine against those of the reference, where both answer. */
async function compareRows(native: OperatorEngine, reference: OperatorEngine, args: JsonObject) {
  const theirs = await callOperator(reference, "scan", args);
  const ours = await callOperator(native, "scan", args);
  expect(canonicalJson(ours), canonicalJson(args)).toBe(canonicalJson(theirs));
  if ((ours.rows as readonly unknown[]).length > 0) seen.named += 1;
}

async function compareStores(seed: number): Promise<void> {
  const random = new Random(seed);
  const [native, reference] = [await nativeCaseStore(), referenceCaseStore()];
  try {
    let head = 0;
    for (const { ops, txTime } of randomBatches(random, 10)) {
      for (const store of [native, reference]) {
        try {
          head = (await store.write(ops, txTime)).tx;
        } catch (error) {
          if (!(error instanceof PalimpsestError)) throw error;
        }
      }
    }
    for (let i = 0; i < CALLS; i += 1) {
      const pin = random.pick([null, `tx:${random.below(head + 1)}`]);
      const args = { ...scanArguments(random, head), as_of_tt: pin, limit: ALL } as unknown as JsonObject;
      await compareScan(native.engine, reference.engine, random, args);
    }
    for (const of of ["nodes", "edges", "events", "endpoints"]) {
      const where = of === "nodes" ? { node: { uids: [random.pick(UIDS)] } } : namedWhere(random);
      const valid = random.chance(1, 2) ? null : { window: randomWindow(random) };
      const args = { of, where, valid, as_of_tt: `tx:${random.below(head + 1)}`, limit: ALL } as unknown as JsonObject;
      await compareScan(native.engine, reference.engine, random, args);
      await compareRows(native.engine, reference.engine, args);
    }
  } finally {
    await native.close();
  }
}

describe("scans by columns on random stores", () => {
  const groups = Array.from({ length: Math.ceil(CASE_COUNT / 10) }, (_, i) => FIRST_SEED + i * 10);
  it.each(groups)("seeds from %i hold what the rows hold", { timeout: 120_000 }, async (first) => {
    for (let seed = first; seed < first + 10; seed += 1) await compareStores(seed);
  });

  it("had answers with rows", () => {
    expect(seen.withRows).toBeGreaterThan(seen.scans / 4);
    expect(seen.named).toBeGreaterThan(CASE_COUNT / 2);
  });
});
