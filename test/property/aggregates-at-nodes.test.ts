// Aggregates of the few events at named nodes among many: found from the nodes' lists instead of a sweep over all.
// On random stores below a crowd of other events, native core against reference engine.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { JsonObject } from "../../src/contract/values.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { FIRST_SEED } from "../support/case-count.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";
import { aggregateArguments } from "../support/random-aggregates.js";
import { randomBatches, UIDS } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

const STORES = 4;
const CALLS = 12;
const CROWD = 3_000;
const MOST_BATCHES = 12;

/** Events of other nodes, some of them with one of the few, over the time of the others. */
function crowd(random: Random): JsonObject {
  const other = () => (random.chance(1, 500) ? random.pick(UIDS) : `other ${random.below(50)}`);
  const rows = Array.from({ length: CROWD }, (_, i) => i);
  return {
    op: "ingest_events",
    src: rows.map(other),
    dst: rows.map(other),
    type: "R",
    time: rows.map((i) => `2020-01-01T00:00:${String(i % 60).padStart(2, "0")}Z`),
  };
}

const seen = { withEvents: 0, asked: 0 };

async function outcome(engine: OperatorEngine, args: JsonObject): Promise<string> {
  try {
    const envelope = await callOperator(engine, "aggregate_events", args);
    if ((envelope.rows as readonly unknown[]).length > 0) seen.withEvents += 1;
    return canonicalJson(envelope);
  } catch (error) {
    if (error instanceof PalimpsestError) return error.code;
    throw error;
  }
}

/** Conditions that only events at some of the few nodes pass. */
function atNodes(random: Random, where: JsonObject): JsonObject {
  const uids = () => ({ uids: [random.pick(UIDS), ...(random.chance(1, 2) ? [random.pick(UIDS), "nobody"] : [])] });
  const ends = random.pick<() => JsonObject>([
    () => ({ src: uids() }),
    () => ({ dst: uids() }),
    () => ({ node: uids() }),
    () => ({ src: uids(), dst: uids() }),
  ])();
  return { ...where, ...ends };
}

async function compareStores(seed: number): Promise<void> {
  const random = new Random(seed);
  const [native, reference] = [await nativeCaseStore(), referenceCaseStore()];
  try {
    let head = 0;
    const first = { ops: [crowd(random)], txTime: "2020-06-01T00:00:00Z" };
    for (const { ops, txTime } of [first, ...randomBatches(random, MOST_BATCHES)]) {
      for (const store of [native, reference]) {
        try {
          head = (await store.write(ops, txTime)).tx;
        } catch (error) {
          if (!(error instanceof PalimpsestError)) throw error;
        }
      }
    }
    for (let i = 0; i < CALLS; i += 1) {
      const args = aggregateArguments(random);
      const where = atNodes(random, args.where as JsonObject);
      const pin = random.pick([null, `tx:${random.below(head + 1)}`]);
      const call = { ...args, where, as_of_tt: pin, limit: random.pick([2, 100]) } as unknown as JsonObject;
      expect(await outcome(native.engine, call), canonicalJson(call)).toBe(await outcome(reference.engine, call));
      seen.asked += 1;
    }
  } finally {
    await native.close();
  }
}

describe("aggregates at named nodes among many events", () => {
  const seeds = Array.from({ length: STORES }, (_, i) => FIRST_SEED + i);
  it.each(seeds)("seed %i answers as the reference engine", { timeout: 120_000 }, compareStores);

  it("had groups", () => {
    expect(seen.withEvents).toBeGreaterThan(seen.asked / 2);
  });
});
