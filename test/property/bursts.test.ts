// burst_detection against the reference engine, and law 17: what adding to a series, or multiplying it, changes.
import { describe, expect, it } from "vitest";
import { SEEDS } from "../support/case-count.js";
import { comparisonSuite } from "../support/engine-comparison.js";
import { type Fields, LawStore, onRandomStore } from "../support/law-store.js";
import { Random } from "../support/random.js";
import { burstCall } from "../support/random-calls.js";

comparisonSuite("burst_detection on random stores", 10, burstCall);

const BUCKETS = 14;
const stride = "PT10S";
const window = { from: "2020-01-01T00:00:00Z", to: "2020-01-01T00:02:20Z" };
const flags = async (store: LawStore, args: Fields): Promise<Fields[]> =>
  (await store.rows("burst_detection", { window, stride, ...args })).map(({ from, side }) => ({ from, side }));

/** A store whose buckets of ten seconds hold so many events. */
function storeOf(counts: readonly number[]): Promise<LawStore> {
  const times = counts.flatMap((count, bucket) =>
    Array.from({ length: count }, (_, i) => `2020-01-01T00:0${Math.floor(bucket / 6)}:${bucket % 6}${i % 10}Z`),
  );
  const op = { op: "ingest_events", type: "M", src: times.map(() => "a"), dst: times.map(() => "b"), time: times };
  return LawStore.of([{ txTime: "2021-01-01T00:00:00Z", ops: [op] }]);
}

async function withStores(series: readonly (readonly number[])[], check: (stores: LawStore[]) => Promise<void>) {
  const stores = await Promise.all(series.map(storeOf));
  try {
    await check(stores);
  } finally {
    await Promise.all(stores.map((store) => store.close()));
  }
}

describe("law 17, bursts", () => {
  let flagged = 0;
  it.each(SEEDS)("a constant changes no z-score flag, a factor no ratio flag, seed %i", async (seed) => {
    const random = new Random(seed);
    // Even counts have whole medians: no change is below the least that is flagged.
    const counts = Array.from({ length: BUCKETS }, () => 2 * (1 + random.below(4)));
    const more = counts.map((count) => count + 7);
    const thrice = counts.map((count) => count * 3);
    await withStores([counts, more, thrice], async ([plain, raised, scaled]) => {
      const common = { sides: "both", w: 4, min_history: 1 + random.below(4) };
      const zscore = { ...common, method: "zscore", z: random.pick([0.5, 1, 2]) };
      const ratio = { ...common, method: "ratio", r: random.pick([1.5, 2, 3]) };
      const [byZscore, byRatio] = [await flags(plain!, zscore), await flags(plain!, ratio)];
      expect(await flags(raised!, zscore)).toEqual(byZscore);
      expect(await flags(scaled!, ratio)).toEqual(byRatio);
      flagged += byZscore.length + byRatio.length;
    });
  });
  it("flagged something", () => expect(flagged).toBeGreaterThan(0));

  it.each(SEEDS)("both sides are the upper and the lower together, seed %i", (seed) =>
    onRandomStore(seed, async (store, random) => {
      const args = { method: random.pick(["zscore", "ratio"]), w: 3, min_history: 1, z: 0.5, r: 1.5 };
      const [up, down] = [await flags(store, { ...args, sides: "up" }), await flags(store, { ...args, sides: "down" })];
      const both = await flags(store, { ...args, sides: "both" });
      const byTime = (a: Fields, b: Fields) => ((a.from as string) < (b.from as string) ? -1 : 1);
      expect(both).toEqual([...up, ...down].sort(byTime));
    }),
  );
});
