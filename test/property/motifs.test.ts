// Law 1 for count_temporal_motifs and find_temporal_motifs: on random stores the native core answers as the reference
// engine does, byte for byte, pages and errors included. case-count.ts says how many stores are tried.
import { afterAll, describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { CASE_COUNT, FIRST_SEED } from "../support/case-count.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";
import { denseBatch, findArguments, motifArguments } from "../support/random-motifs.js";
import { meshBatch, randomBatches } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

type Fields = Record<string, unknown>;

const CALLS = 12;
const MOST_PAGES = 4;
const NO_CEILINGS = { rows: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY };

async function answerOf(store: CaseStore, op: string, args: Fields): Promise<string> {
  const pages: string[] = [];
  try {
    for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page += 1) {
      const envelope = await callOperator(store.engine, op, { ...args, cursor }, { ceilings: NO_CEILINGS });
      pages.push(canonicalJson(envelope));
      cursor = page < MOST_PAGES ? (envelope.cursor as string | null) : null;
    }
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    pages.push(error.code);
  }
  return pages.join("\n");
}

/** Answers in which something was found: agreement on nothing would prove nothing. */
let foundSome = 0;
const hasInstances = (pages: string): boolean => /"count":[1-9]|"span":/.test(pages);
afterAll(() => expect(foundSome).toBeGreaterThan(2 * CASE_COUNT));

describe("motifs on random stores", () => {
  it.each(Array.from({ length: CASE_COUNT }, (_, i) => FIRST_SEED + i))("seed %i", async (seed) => {
    const random = new Random(seed);
    const batches = [
      ...randomBatches(random, 3),
      ...(random.chance(1, 3) ? [meshBatch(random, 0)] : []),
      ...Array.from({ length: 1 + random.below(2) }, (_, i) => denseBatch(random, i)),
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
        const op = random.pick(["count_temporal_motifs", "find_temporal_motifs"]);
        const args = {
          ...(op === "count_temporal_motifs" ? motifArguments(random) : findArguments(random)),
          ...(random.chance(1, 4) ? { as_of_tt: `tx:${random.below(head + 1)}` } : {}),
          ...(op === "count_temporal_motifs" && random.chance(1, 4) ? { limit: 10 } : {}),
        };
        const answer = await answerOf(native, op, args);
        if (hasInstances(answer)) foundSome += 1;
        expect(answer, `seed ${seed}: ${op} ${canonicalJson(args as never)}`).toBe(await answerOf(reference, op, args));
      }
    } finally {
      await native.close();
    }
  });
});
