// Law 1 of the contract as a suite: random stores and calls, native core against reference engine, byte for byte.
// Pages are followed in every list, errors compared by code. case-count.ts chooses the stores.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { CASE_COUNT, FIRST_SEED } from "./case-count.js";
import { nativeCaseStore } from "./native-case-store.js";
import { Random } from "./random.js";
import { randomBatches } from "./random-store.js";
import { referenceCaseStore } from "./reference-case-store.js";

type Fields = Record<string, unknown>;
export interface RandomCall {
  readonly op: string;
  readonly args: Fields;
}

const SEEDS_PER_TEST = 10;
const MOST_PAGES = 12;

async function outcome(engine: OperatorEngine, { op, args }: RandomCall): Promise<Fields> {
  try {
    return (await callOperator(engine, op, args)) as unknown as Fields;
  } catch (error) {
    if (error instanceof PalimpsestError) return { error: error.code };
    throw error;
  }
}

/** The cursors of an envelope: of the main list and of the further ones. */
function cursorsOf(envelope: Fields): string[] {
  const lists = Object.values(envelope).filter((field) => typeof field === "object" && field !== null) as Fields[];
  return [envelope, ...lists].map((list) => list.cursor).filter((cursor) => typeof cursor === "string");
}

async function compareCall(stores: readonly [CaseStore, CaseStore], call: RandomCall, where: string): Promise<void> {
  const waiting: RandomCall[] = [call];
  for (let page = 0; page < MOST_PAGES && waiting.length > 0; page += 1) {
    const asked = waiting.shift()!;
    const [native, reference] = [await outcome(stores[0].engine, asked), await outcome(stores[1].engine, asked)];
    expect(canonicalJson(native), `${where}: ${asked.op} ${canonicalJson(asked.args)}`).toBe(canonicalJson(reference));
    // `args` holds the cursor that was asked with: only what the answer itself gives leads on.
    const { args: _, ...answer } = native;
    waiting.push(...cursorsOf(answer).map((cursor) => ({ op: asked.op, args: { ...call.args, cursor } })));
  }
}

type RandomCallMaker = (random: Random, head: number) => RandomCall;
type BatchMaker = (random: Random) => ReturnType<typeof randomBatches>;

async function compareStores(seed: number, makeBatches: BatchMaker, randomCall: RandomCallMaker, calls: number) {
  const random = new Random(seed);
  const stores = [await nativeCaseStore(), referenceCaseStore()] as const;
  try {
    let head = 0;
    for (const { ops, txTime } of makeBatches(random)) {
      const [native, reference] = await Promise.all(
        stores.map((store) => store.write(ops, txTime).catch((error: PalimpsestError) => ({ error: error.code }))),
      );
      expect(native, `seed ${seed}: ${canonicalJson(ops)}`).toEqual(reference);
      if ("tx" in native!) head = native.tx;
    }
    expect(await stores[0].digest(), `seed ${seed}: digest`).toBe(await stores[1].digest());
    for (let i = 0; i < calls; i += 1) await compareCall(stores, randomCall(random, head), `seed ${seed}, call ${i}`);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}

/** `calls` random calls on each random store; `head` is its newest commit. Without `makeBatches` few things are close in time. */
export function comparisonSuite(
  title: string,
  calls: number,
  randomCall: RandomCallMaker,
  makeBatches: BatchMaker = (random) => randomBatches(random, 10),
): void {
  const groups = Array.from(
    { length: Math.ceil(CASE_COUNT / SEEDS_PER_TEST) },
    (_, i) => FIRST_SEED + i * SEEDS_PER_TEST,
  );
  describe(title, () => {
    it.each(groups)("seeds from %i answer as the reference engine", { timeout: 120_000 }, async (first) => {
      for (let seed = first; seed < first + SEEDS_PER_TEST; seed += 1)
        await compareStores(seed, makeBatches, randomCall, calls);
    });
  });
}
