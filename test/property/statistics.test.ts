// The logical counts that estimates are made of: exact at every pin, by the native indexes as by brute force.
// What operators make of them is in laws.test.ts, law 24.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { formatInstant } from "../../src/contract/instant.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import type { Statistics, WindowUs } from "../../src/operators/engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { SEEDS } from "../support/case-count.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { Random } from "../support/random.js";
import { randomBatches, randomInstant, randomRef, UIDS } from "../support/random-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

const us = (random: Random): bigint => parseInstant(randomInstant(random), "at");

function randomWindowUs(random: Random): WindowUs {
  const [a, b] = [us(random), us(random)].sort((x, y) => (x < y ? -1 : 1)) as [bigint, bigint];
  return { fromUs: random.chance(1, 4) ? null : a, toUs: random.chance(1, 4) ? null : b + 1n };
}

/** Every count, for arguments that a seed gives. */
function countsOf(statistics: Statistics, random: Random, head: number): Record<string, unknown> {
  const window = randomWindowUs(random);
  const [fromUs, toUs] = [us(random), us(random)].sort((x, y) => (x < y ? -1 : 1)) as [bigint, bigint];
  const [fromTx, toTx] = [random.below(head + 1), random.below(head + 1)].sort((x, y) => x - y) as [number, number];
  const uid = random.pick(UIDS);
  const ref = randomRef(random) as { uid: string };
  return {
    window,
    knownUids: statistics.knownUids(),
    nodeVersions: statistics.nodeVersions(),
    edgeVersions: statistics.edgeVersions(),
    versionRows: statistics.versionRows(),
    nodesTouching: statistics.nodesTouching(window),
    edgesTouching: statistics.edgesTouching(window),
    eventsIn: statistics.eventsIn(window),
    degree: [statistics.degree(uid), statistics.degree(uid, window)],
    meanDegree: statistics.meanDegree(),
    rowsOf: [statistics.rowsOf(ref), statistics.rowsOf(ref, window)],
    typeShares: [...statistics.typeShares()],
    validChanges: statistics.validChanges(fromUs, toUs),
    txChanges: statistics.txChanges(fromTx, toTx),
    lastTxBefore: statistics.lastTxBefore(us(random)),
    commits: statistics.commits(),
    extent: statistics.extent(),
    wholeExtent: statistics.wholeExtent(),
  };
}

it.each(SEEDS)("are those of the reference engine, seed %i", async (seed) => {
  const random = new Random(seed);
  const stores: CaseStore[] = [await nativeCaseStore(), referenceCaseStore()];
  try {
    let head = 0;
    for (const { ops, txTime } of randomBatches(random, 8)) {
      for (const store of stores) {
        const written = await store.write(ops, txTime).catch((error: PalimpsestError) => ({ tx: head, error }));
        head = written.tx;
      }
    }
    for (let i = 0; i < 8; i += 1) {
      const tx = random.below(head + 1);
      const [native, reference] = stores.map(({ engine }) => {
        const pinned = engine.pin(tx);
        const counts = countsOf(pinned.statistics(), new Random(seed * 100 + i), tx);
        pinned.release();
        return counts;
      });
      expect(native, `at tx:${tx}`).toEqual(reference);
    }
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
});

describe("in a store of many blocks", () => {
  const COUNT = 150_000;
  const BASE_US = 1_577_836_800_000_000n;
  let store: CaseStore;
  const places = (random: Random, last: number) => {
    const [a, b] = [random.below(last), random.below(last)].sort((x, y) => x - y) as [number, number];
    return { fromUs: BASE_US + BigInt(a), toUs: BASE_US + BigInt(b + 1) };
  };
  const froms: number[] = [];
  const tos: number[] = [];

  // Rows in no order of time, in two commits of more than a sorted stretch and some small ones.
  beforeAll(async () => {
    store = await nativeCaseStore();
    const random = new Random(7);
    for (const [commit, size] of [70_000, 500, 78_000, 1_500].entries()) {
      const columns = { src: [] as string[], dst: [] as string[], time: [] as object[], valid_to: [] as unknown[] };
      for (let i = 0; i < size; i += 1) {
        const from = random.below(1_000_000);
        const to = random.chance(1, 20) ? null : from + 1 + random.below(random.chance(1, 9) ? 1_000_000 : 50);
        froms.push(from);
        tos.push(to ?? Number.POSITIVE_INFINITY);
        columns.src.push(`n${i % 50}`);
        columns.dst.push(`n${i % 77}`);
        columns.time.push({ us: BASE_US + BigInt(from) });
        columns.valid_to.push(to === null ? null : { us: BASE_US + BigInt(to) });
      }
      await store.write([{ op: "ingest_events", type: "M", ...columns }], `2021-01-01T00:00:0${commit}Z`);
    }
  }, 60_000);
  afterAll(() => store.close());

  it.each([4, 3, 1])("windows are counted to the row, at commit %i", (tx) => {
    const rowCount = [70_000, 70_500, 148_500, COUNT][tx - 1]!;
    const pinned = store.engine.pin(tx);
    const statistics = pinned.statistics();
    const random = new Random(tx);
    for (let i = 0; i < 20; i += 1) {
      const window = places(random, 1_100_000);
      const [from, to] = [Number(window.fromUs - BASE_US), Number(window.toUs - BASE_US)];
      let touching = 0;
      let begun = 0;
      for (let row = 0; row < rowCount; row += 1) {
        touching += froms[row]! < to && tos[row]! > from ? 1 : 0;
        begun += froms[row]! >= from && froms[row]! < to ? 1 : 0;
      }
      expect([statistics.edgesTouching(window), statistics.eventsIn(window)]).toEqual([touching, begun]);
    }
    pinned.release();
  });

  it.each([
    ["scan", { of: "events" }, "rows"],
    ["scan", { of: "edges" }, "rows"],
    ["version_history", {}, "rows"],
    ["entity_history", { uid: "n1", include_edges: true }, "rows"],
    ["temporal_reachability", { uid: "n1" }, "steps"],
    // A window in which nothing begins any more, while much goes on: only a later beginning helps.
    ["temporal_reachability", { uid: "n1", window: { from: formatInstant(BASE_US + 1_050_000n), to: null } }, "steps"],
  ])("the largest window that fits is suggested for %s %j", async (op, args, unit) => {
    const priceOf = async (more: object): Promise<number> => {
      let price = 0;
      const ceilings = { rows: Number.MAX_VALUE, steps: Number.MAX_VALUE };
      const observe = ({ estimate }: { estimate: { rows: number; steps: number } }): void => {
        price = unit === "rows" ? estimate.rows : estimate.steps;
      };
      await callOperator(store.engine, op, { ...args, ...more }, { ceilings, observe });
      return price;
    };
    const ceiling = Math.floor((await priceOf({})) * 0.8);
    const refused = await callOperator(store.engine, op, args, { ceilings: { [unit]: ceiling } }).catch((e) => e);
    expect(refused).toBeInstanceOf(PalimpsestError);
    expect(refused).toMatchObject({ code: "E_COST", details: { at: "estimate" } });
    const windowed = refused.details.suggestions.filter(
      ({ args_patch }: { args_patch: object }) => "window" in args_patch || "valid" in args_patch,
    );
    expect(windowed.length).toBeGreaterThan(0);
    for (const { args_patch } of windowed) {
      const price = await priceOf(args_patch);
      expect(price).toBeLessThanOrEqual(ceiling);
      // No block of rows more than fits: the next microsecond has but some.
      expect(price).toBeGreaterThan(ceiling * 0.98);
    }
  });
});
