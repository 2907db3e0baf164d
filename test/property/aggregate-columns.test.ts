// The columnar form of aggregate_events against its rows, on random stores: the same values, types and fields, and
// the same bytes when printed. case-count.ts says how many stores are tried.
import { describe, expect, it } from "vitest";
import { rowsOfColumns } from "../../src/columns/rows-of-columns.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { JsonObject } from "../../src/contract/values.js";
import { columnsOfCall } from "../../src/operators/aggregate-columns.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { CASE_COUNT, FIRST_SEED } from "../support/case-count.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { printedRows } from "../support/printed-table.js";
import { Random } from "../support/random.js";
import { aggregateArguments } from "../support/random-aggregates.js";
import { randomBatches } from "../support/random-store.js";

const CALLS = 25;
const ALL = 10_000;
const seen = { calls: 0, withRows: 0 };

async function compareCall(engine: OperatorEngine, args: JsonObject): Promise<void> {
  let envelope: Awaited<ReturnType<typeof callOperator>>;
  try {
    envelope = await callOperator(engine, "aggregate_events", args);
  } catch (error) {
    if (error instanceof PalimpsestError) return;
    throw error;
  }
  const where = canonicalJson(args);
  const pinned = engine.pin(envelope.pin.tx);
  const limits = { signal: undefined, deadlineMs: Number.POSITIVE_INFINITY, stepCeiling: Number.MAX_SAFE_INTEGER };
  const context = { tx: envelope.pin.tx, otherTx: envelope.pin.tx, list: null, ordinal: 0, limit: ALL, ...limits };
  const { table, fields } = await pinned.aggregateColumns!(envelope.args, context);
  pinned.release();
  const { rows, rows_total, events, skipped } = envelope;
  expect({ total: table.total, ...fields }, where).toEqual({ total: rows_total, events, skipped });
  expect(canonicalJson(rowsOfColumns(table, 0, ALL)), where).toBe(canonicalJson(rows));
  expect(printedRows(table), where).toBe(canonicalJson(rows));
  const declared = columnsOfCall(envelope.args).map(({ name, kind }) => ({ name, kind }));
  expect(
    table.columns.map(({ name, column }) => ({ name, kind: column.type })),
    where,
  ).toEqual(declared);
  seen.calls += 1;
  if (rows!.length > 0) seen.withRows += 1;
}

async function compareStore(seed: number): Promise<void> {
  const random = new Random(seed);
  const store = await nativeCaseStore();
  try {
    let head = 0;
    for (const { ops, txTime } of randomBatches(random, 10)) {
      try {
        head = (await store.write(ops, txTime)).tx;
      } catch (error) {
        if (!(error instanceof PalimpsestError)) throw error;
      }
    }
    for (let i = 0; i < CALLS; i += 1) {
      const pin = random.pick([null, `tx:${random.below(head + 1)}`]);
      const args = { ...aggregateArguments(random), as_of_tt: pin, limit: ALL };
      await compareCall(store.engine, args as unknown as JsonObject);
    }
  } finally {
    await store.close();
  }
}

describe("aggregates by columns on random stores", () => {
  const groups = Array.from({ length: Math.ceil(CASE_COUNT / 10) }, (_, i) => FIRST_SEED + i * 10);
  it.each(groups)("seeds from %i hold what the rows hold", { timeout: 120_000 }, async (first) => {
    for (let seed = first; seed < first + 10; seed += 1) await compareStore(seed);
  });

  it("had answers with rows", () => {
    expect(seen.withRows).toBeGreaterThan(seen.calls / 4);
  });
});
