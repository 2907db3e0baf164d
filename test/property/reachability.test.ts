// Law 1 for temporal_reachability: on random stores the native core answers as the reference engine does, byte for byte,
// pages and errors included. case-count.ts says how many stores are tried.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { CASE_COUNT, FIRST_SEED } from "../support/case-count.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";
import { meshBatch, randomBatches, randomWhere, randomWindow, UIDS } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

type Fields = Record<string, unknown>;

const CALLS = 25;
const NO_CEILINGS = { rows: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };

function callArguments(random: Random, head: number): Fields {
  const optional = (part: number, whole: number, fields: Fields): Fields => (random.chance(part, whole) ? fields : {});
  const subject = (): string => random.pick(random.chance(9, 10) ? UIDS.slice(0, 3) : UIDS);
  return {
    uid: random.chance(1, 2) ? subject() : [subject(), subject(), subject()],
    direction: random.pick(["forward", "backward"]),
    orientation: random.pick(["out", "in", "both"]),
    arrival: random.pick(["instant", "instant", "valid_end"]),
    ties: random.pick(["allow", "strict"]),
    window: randomWindow(random),
    where: random.chance(1, 2) ? {} : randomWhere(random),
    hops: random.chance(1, 2),
    limit: random.pick([1, 2, 3, 100]),
    ...optional(1, 2, { max_wait: random.pick(["PT0S", "PT0.000001S", "PT0.000002S", "PT0.000005S", "PT1S", "PT7S"]) }),
    ...optional(1, 4, { max_hops: 1 + random.below(4) }),
    ...optional(1, 5, { to: [random.pick(UIDS), random.pick(UIDS)] }),
    ...optional(1, 4, { as_of_tt: `tx:${random.below(head + 1)}` }),
  };
}

async function answerOf(store: CaseStore, args: Fields): Promise<string> {
  const pages: string[] = [];
  try {
    for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page += 1) {
      const options = { ceilings: NO_CEILINGS };
      const envelope = await callOperator(store.engine, "temporal_reachability", { ...args, cursor }, options);
      pages.push(canonicalJson(envelope));
      cursor = page < 3 ? (envelope.cursor as string | null) : null;
    }
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    pages.push(error.code);
  }
  return pages.join("\n");
}

describe("temporal_reachability on random stores", () => {
  it.each(Array.from({ length: CASE_COUNT }, (_, i) => FIRST_SEED + i))("seed %i", async (seed) => {
    const random = new Random(seed);
    const batches = [
      ...randomBatches(random, 4),
      ...Array.from({ length: 1 + random.below(3) }, (_, i) => meshBatch(random, i)),
    ];
    const native = await nativeCaseStore();
    const reference = referenceCaseStore();
    try {
      let head = 0;
      for (const { ops, txTime } of batches) {
        const [mine, theirs] = await Promise.allSettled([native.write(ops, txTime), reference.write(ops, txTime)]);
        expect(mine.status, `seed ${seed}`).toBe(theirs.status);
        if (mine.status === "fulfilled") head = mine.value.tx;
      }
      for (let call = 0; call < CALLS; call += 1) {
        const args = callArguments(random, head);
        expect(await answerOf(native, args), `seed ${seed}: ${canonicalJson(args as never)}`).toBe(
          await answerOf(reference, args),
        );
      }
    } finally {
      await native.close();
    }
  });
});
