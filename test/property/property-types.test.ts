// The types of properties while a store grows: they are kept from commit to commit, and asked at pins before and after.
// On random stores, each table at many pins gives on the native engine what the reference engine reads off all its rows.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { JsonObject } from "../../src/contract/values.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { CASE_COUNT, FIRST_SEED } from "../support/case-count.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";
import { LABELS, NAMES, randomBatches, TYPES } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

const MOST_BATCHES = 12;
const QUESTIONS_PER_COMMIT = 8;
const TABLES: readonly JsonObject[] = [
  { of: "nodes" },
  { of: "edges" },
  { of: "events" },
  { of: "endpoints" },
  { of: "versions", kind: "node" },
  { of: "versions", kind: "edge" },
];
const isOfNodes = (table: JsonObject): boolean => table.of === "nodes" || table.kind === "node";

const seen = { asked: 0, typed: 0, changed: 0 };

async function typesOf(engine: OperatorEngine, args: JsonObject): Promise<readonly JsonObject[]> {
  return (await callOperator(engine, "scan", args)).columns as readonly JsonObject[];
}

/** Asks at pins that the store has reached, the newest most often: what it says there rests on what was asked before. */
async function compareAt(random: Random, head: number, native: OperatorEngine, reference: OperatorEngine) {
  const last = new Map<string, string>();
  for (let i = 0; i < QUESTIONS_PER_COMMIT; i += 1) {
    const table = random.pick(TABLES);
    const of = isOfNodes(table) ? LABELS : TYPES;
    const names = random.pick([null, [random.pick(of)], [random.pick(of), "X"], random.some(of)]);
    const tx = random.chance(2, 3) ? head : random.below(head + 1);
    const columns = NAMES.map((name) => `props.${name}`);
    const args = { ...table, columns, limit: 1, as_of_tt: `tx:${tx}`, ...(names === null ? {} : { names }) };
    const theirs = await typesOf(reference, args as unknown as JsonObject);
    const ours = await typesOf(native, args as unknown as JsonObject);
    expect(canonicalJson(ours), canonicalJson(args)).toBe(canonicalJson(theirs));
    seen.asked += 1;
    if (theirs.some(({ type }) => type !== "json")) seen.typed += 1;
    const key = canonicalJson([table, names]);
    if (last.has(key) && last.get(key) !== canonicalJson(theirs)) seen.changed += 1;
    last.set(key, canonicalJson(theirs));
  }
}

async function compareStores(seed: number): Promise<void> {
  const random = new Random(seed);
  const [native, reference] = [await nativeCaseStore(), referenceCaseStore()];
  try {
    for (const { ops, txTime } of randomBatches(random, MOST_BATCHES)) {
      let head = 0;
      for (const store of [native, reference]) {
        try {
          head = (await store.write(ops, txTime)).tx;
        } catch (error) {
          if (!(error instanceof PalimpsestError)) throw error;
        }
      }
      if (head > 0) await compareAt(random, head, native.engine, reference.engine);
    }
  } finally {
    await native.close();
  }
}

describe("types of properties while stores grow", () => {
  const groups = Array.from({ length: Math.ceil(CASE_COUNT / 10) }, (_, i) => FIRST_SEED + i * 10);
  it.each(groups)("seeds from %i give what all rows say", { timeout: 120_000 }, async (first) => {
    for (let seed = first; seed < first + 10; seed += 1) await compareStores(seed);
  });

  it("had properties of one class, and questions whose answer differs between pins", () => {
    expect(seen.typed).toBeGreaterThan(seen.asked / 10);
    expect(seen.changed).toBeGreaterThan(CASE_COUNT / 5);
  });
});

describe("a property of versions that begin no event at first", () => {
  it("has a type once what stood before them is gone", async () => {
    const { engine, write, close } = await nativeCaseStore();
    const spell = (from: string, to: string) => ({ valid_from: `2020-01-${from}`, valid_to: `2020-01-${to}` });
    const edge = (src: string, from: string, to: string) => ({ src, type: "R", dst: "b", ...spell(from, to) });
    const types = async (tx: number) => {
      const columns = ["props.early", "props.late"];
      return typesOf(engine, { of: "events", columns, as_of_tt: `tx:${tx}` });
    };
    try {
      await write(
        [
          { op: "assert_edge", ...edge("z", "01", "03"), props: { early: 1 } },
          { op: "assert_edge", ...edge("a", "01", "02"), props: { early: 1 } },
          { op: "assert_edge", ...edge("a", "02", "03"), props: { late: "x" } },
        ],
        "2021-01-01T00:00:00Z",
      );
      const early = { name: "props.early", type: "int" };
      expect(await types(1)).toEqual([early, { name: "props.late", type: "json" }]);
      await write(
        [{ op: "retract", ref: { src: "a", type: "R", dst: "b" }, ...spell("01", "02") }],
        "2021-01-02T00:00:00Z",
      );
      expect(await types(2)).toEqual([early, { name: "props.late", type: "string" }]);
      expect(await types(1)).toEqual([early, { name: "props.late", type: "json" }]);
    } finally {
      await close();
    }
  });
});
