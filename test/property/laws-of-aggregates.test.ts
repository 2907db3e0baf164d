// Laws of grouped aggregates: parts of a grouping add up to the whole (10, 16 of docs/contract.md), and every far end
// counts once.
import { describe, expect, it } from "vitest";
import { SEEDS } from "../support/case-count.js";
import { type Fields, LawStore, lawBatches } from "../support/law-store.js";
import { Random } from "../support/random.js";
import { randomWhere, TYPES } from "../support/random-store.js";

const COUNT = { aggregates: [{ fn: "count" }] };
const WINDOW = { from: "2020-01-01T00:00:00Z", to: "2020-01-01T00:01:04Z" };

const sum = (rows: readonly Fields[], column: string): number =>
  rows.reduce((total, row) => total + (row[column] as number), 0);

function each(law: (store: LawStore, random: Random) => Promise<void>) {
  return async (seed: number): Promise<void> => {
    const random = new Random(seed);
    const store = await LawStore.of(lawBatches(random));
    try {
      await law(store, random);
    } finally {
      await store.close();
    }
  };
}

describe("law 10 for aggregate_events", () => {
  it.each(SEEDS)(
    "counts over disjoint types add up to the count over all, seed %i",
    each(async (store, random) => {
      const where = { ...randomWhere(random), types: null };
      const count = async (types: string[] | null) =>
        sum(await store.rows("aggregate_events", { ...COUNT, where: { ...where, types } }), "count");
      const parts = await Promise.all(TYPES.map((type) => count([type])));
      expect(parts.reduce((a, b) => a + b, 0)).toBe(await count(null));
      const byType = await store.rows("aggregate_events", { ...COUNT, where, group_by: [{ dim: "type" }] });
      expect(byType.map(({ type, count: events }) => [type, events])).toEqual(
        TYPES.map((type, i) => [type, parts[i]] as const)
          .filter(([, events]) => events! > 0)
          .sort(([a], [b]) => (a! < b! ? -1 : 1)),
      );
    }),
  );
});

describe("law 16 for aggregate_events", () => {
  it.each(SEEDS)(
    "buckets add up to the window, and two of one stride to one of twice the stride, seed %i",
    each(async (store, random) => {
      const where = randomWhere(random);
      const buckets = (stride: string) =>
        store.rows("aggregate_events", { ...COUNT, where, window: WINDOW, group_by: [{ dim: "bucket", stride }] });
      const { events } = await store.call("aggregate_events", { ...COUNT, where, window: WINDOW });
      const [fine, coarse] = [await buckets("PT2S"), await buckets("PT4S")];
      expect([sum(fine, "count"), sum(coarse, "count")]).toEqual([events, events]);
      for (const { from, to, count } of coarse) {
        const inside = fine.filter(
          (row) => (row.from as string) >= (from as string) && (row.to as string) <= (to as string),
        );
        expect(sum(inside, "count")).toBe(count);
      }
    }),
  );
});

describe("either end", () => {
  it.each(SEEDS)(
    "counts every event twice but a self-loop, and sees as many far ends as there are pairs, seed %i",
    each(async (store) => {
      const loops = await store.rows("scan", { of: "events", columns: ["src", "dst"] });
      const loopCount = loops.filter(({ src, dst }) => src === dst).length;
      const args = {
        group_by: [{ dim: "node", role: "either" }],
        aggregates: [{ fn: "count" }, { fn: "count_distinct", of: "other" }],
      };
      const { rows, events } = await store.call("aggregate_events", args);
      expect(sum(rows as Fields[], "count")).toBe(2 * (events as number) - loopCount);
      const pairs = await store.rows("aggregate_events", { ...COUNT, group_by: [{ dim: "pair", undirected: true }] });
      const loopPairs = pairs.filter(({ node_1, node_2 }) => node_1 === node_2).length;
      expect(sum(rows as Fields[], "distinct_other")).toBe(2 * pairs.length - loopPairs);
      // The reciprocal pairs are those in which both ends begin something.
      const directed = await store.rows("aggregate_events", { ...COUNT, group_by: [{ dim: "pair" }] });
      const isThere = new Set(directed.map(({ src, dst }) => `${src} ${dst}`));
      const both = directed.filter(({ src, dst }) => isThere.has(`${dst} ${src}`));
      expect(
        await store.rows("aggregate_events", { ...COUNT, group_by: [{ dim: "pair" }], pairs: "reciprocal" }),
      ).toEqual(both);
    }),
  );
});
