// The shared random stores and calls with agreed answers, as a suite over any engine behind the pipeline.
// Calls of operators that are not registered yet are left out and counted; nothing here knows an engine.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { type SharedCase, sharedCases } from "../support/shared-cases.js";

/** An empty store that takes batches and answers calls. */
export interface CaseStore {
  /** Writes one batch of JSON operations; rejects with a PalimpsestError. */
  write(ops: Record<string, unknown>[], txTime: string): Promise<{ tx: number }>;
  digest(): Promise<string>;
  readonly engine: OperatorEngine;
  /** False where the store leaves shape, state and arguments of a batch to others: such batches are left out. */
  readonly judgesBatches: boolean;
  close(): Promise<void>;
}

const NO_CEILINGS = { rows: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };
const REGISTERED = new Set(DECLARATIONS.map(({ name }) => name));

async function codeOf<T>(work: Promise<T>): Promise<T | { error: string }> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PalimpsestError) return { error: error.code };
    throw error;
  }
}

async function writeBatches(store: CaseStore, shared: SharedCase): Promise<void> {
  for (const [i, { ops, txTime, answer }] of shared.batches.entries()) {
    if (!store.judgesBatches && answer.error !== undefined && answer.error !== "E_NOT_FOUND") continue;
    const outcome = await codeOf(store.write(ops, txTime));
    const shown = "error" in outcome ? { error: outcome.error } : { tx: outcome.tx };
    expect(shown, `case ${shared.number}, batch ${i}`).toEqual(answer);
  }
}

async function compareCall(store: CaseStore, call: SharedCase["calls"][number], where: string): Promise<void> {
  const answer = await codeOf(callOperator(store.engine, call.op, call.args, { ceilings: NO_CEILINGS }));
  if ("error" in answer) {
    expect({ error: answer.error }, where).toEqual(call.answer);
    return;
  }
  if (call.answer.envelope !== undefined) {
    expect(canonicalJson(answer), where).toBe(canonicalJson(call.answer.envelope));
  }
  const shown = { result_digest: answer.result_digest, rows_total: answer.rows_total };
  expect(shown, `${where}: ${canonicalJson(answer.args)}`).toEqual({
    result_digest: call.answer.result_digest,
    rows_total: call.answer.rows_total,
    ...(call.answer.error === undefined ? {} : { error: call.answer.error }),
  });
}

/** Batches, digests and calls of every case on the engine that `makeStore` opens. */
export function casesSuite(name: string, makeStore: () => CaseStore | Promise<CaseStore>): void {
  const cases = sharedCases();
  const calls = cases.flatMap((shared) => shared.calls);
  const left = calls.filter(({ op }) => !REGISTERED.has(op)).length;
  if (left > 0) console.log(`${name}: ${left} of ${calls.length} calls are of operators that are not registered`);

  describe.skipIf(cases.length === 0)(`the shared cases on the ${name} engine`, () => {
    it.each(cases)("case $number", async (shared) => {
      const store = await makeStore();
      try {
        await writeBatches(store, shared);
        expect(await store.digest(), "digest").toBe(shared.digest);
        for (const [i, call] of shared.calls.entries()) {
          if (REGISTERED.has(call.op)) await compareCall(store, call, `case ${shared.number}, call ${i}, ${call.op}`);
        }
      } finally {
        await store.close();
      }
    });
  });
}
