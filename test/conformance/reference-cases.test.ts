// The reference engine against the agreed answers: every batch, every store digest, and each whole envelope of its operators.
// Batches that the front refuses (shape, state, arguments) are not written: refusing them is not the engine's work.

import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { ReferenceStore } from "../../src/reference/index.js";
import { formatInstant, parseInstant } from "../../src/reference/instants.js";
import { canonicalText } from "../../src/reference/values.js";
import { type SharedCase, sharedCases } from "../support/shared-cases.js";

const OPERATORS = [
  "scan",
  "entity_history",
  "version_history",
  "snapshot_subgraph",
  "diff_snapshots",
  "temporal_reachability",
  "graph_metric_timeseries",
  "burst_detection",
  "neighborhood_evolution",
  "co_active",
  "fact_freshness",
  "temporal_paths",
  "count_temporal_motifs",
  "find_temporal_motifs",
  "longest_temporal_chain",
  "aggregate_events",
];
const OUTSIDE_PAYLOAD = ["op", "args", "pin", "erased", "notices", "result_digest"];

function outcomeOf(run: () => { tx: number }): { tx: number } | { error: string } {
  try {
    return run();
  } catch (error) {
    if (error instanceof PalimpsestError) return { error: error.code };
    throw error;
  }
}

function written({ batches }: SharedCase): ReferenceStore {
  const store = new ReferenceStore();
  for (const { txTime, ops, answer } of batches) {
    if (answer.error !== undefined && answer.error !== "E_NOT_FOUND") continue;
    expect(outcomeOf(() => store.write(ops, parseInstant(txTime)))).toEqual(answer);
  }
  return store;
}

const cases = sharedCases();

describe.skipIf(cases.length === 0)("reference engine on the shared cases", () => {
  it.each(cases)("case $number: batches and store digest", (shared) => {
    expect(written(shared).digest()).toBe(shared.digest);
  });

  const withEnvelopes = cases.filter(({ calls }) => calls.some(({ answer }) => answer.envelope !== undefined));
  it.each(withEnvelopes)("case $number: whole envelopes", (shared) => {
    const store = written(shared);
    for (const { op, answer } of shared.calls) {
      if (!OPERATORS.includes(op) || answer.envelope === undefined) continue;
      const { envelope } = answer;
      const payload = Object.fromEntries(Object.entries(envelope).filter(([name]) => !OUTSIDE_PAYLOAD.includes(name)));
      const result = store.call(op, envelope.args as Record<string, unknown>);
      expect(canonicalText(result.payload)).toBe(canonicalText(payload));
      expect(result.pin).toEqual(envelope.pin);
      expect(result.erased).toBe(envelope.erased);
      expect(result.resultDigest).toBe(answer.result_digest);
    }
  });

  it("writes instants as it reads them", () => {
    const times = cases.flatMap(({ batches }) => batches.map(({ txTime }) => txTime));
    expect(times.map((time) => formatInstant(parseInstant(time)))).toEqual(times);
  });
});
