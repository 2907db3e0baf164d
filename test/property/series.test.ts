// graph_metric_timeseries against the reference engine, and its laws: buckets part the window, a longer stride merges them.
import { describe, expect, it } from "vitest";
import { SEEDS } from "../support/case-count.js";
import { comparisonSuite } from "../support/engine-comparison.js";
import { type Fields, type LawStore, onRandomStore } from "../support/law-store.js";
import type { Random } from "../support/random.js";
import { seriesCall } from "../support/random-calls.js";
import { randomWhere } from "../support/random-store.js";

comparisonSuite("graph_metric_timeseries on random stores", 10, seriesCall);

const WINDOW = { from: "2020-01-01T00:00:00Z", to: "2020-01-01T00:01:04Z" };
const law = (check: (store: LawStore, random: Random) => Promise<void>) => (seed: number) => onRandomStore(seed, check);

async function values(store: LawStore, args: Fields): Promise<number[]> {
  return (await store.rows("graph_metric_timeseries", { window: WINDOW, ...args })).map(({ value }) => value as number);
}

describe("law 16, series", () => {
  let events = 0;
  it.each(SEEDS)(
    "counts of events add up to the window's, and two buckets to one twice as long, seed %i",
    law(async (store, random) => {
      const where = random.chance(1, 2) ? {} : randomWhere(random);
      const args = { metric: "edge_event_count", where };
      const short = await values(store, { ...args, stride: "PT4S" });
      const long = await values(store, { ...args, stride: "PT8S" });
      expect(long).toEqual(long.map((_, i) => short[2 * i]! + short[2 * i + 1]!));
      const [whole] = await values(store, { ...args, stride: "PT64S" });
      expect(short.reduce((sum, count) => sum + count, 0)).toBe(whole);
      const listed = await store.rows("scan", { of: "events", valid: { window: WINDOW }, where, columns: ["at"] });
      expect(whole).toBe(listed.length);
      events += listed.length;
    }),
  );
  it("met events", () => expect(events).toBeGreaterThan(0));
});

describe("metrics of one store, among themselves", () => {
  it.each(SEEDS)(
    "new pairs and ends add up over time, and roles part what either counts, seed %i",
    law(async (store, random) => {
      const where = random.chance(1, 2) ? {} : randomWhere(random);
      const fine = await values(store, { metric: ["new_pair_count", "edge_end_count"], where, stride: "PT1S" });
      const whole = await values(store, { metric: ["new_pair_count", "edge_end_count"], where, stride: "PT64S" });
      const total = (metric: number): number => fine.reduce((sum, value, i) => sum + (i % 2 === metric ? value : 0), 0);
      expect(whole).toEqual([total(0), total(1)]);

      const uids = await store.knownUids();
      if (uids.length === 0) return;
      const uid = random.pick(uids);
      const of = (role: string) =>
        values(store, { metric: "edge_event_count", where, stride: "PT8S", node: { uid, role } });
      const [src, dst, either] = [await of("src"), await of("dst"), await of("either")];
      // A self-loop is counted once for either end.
      const loops = await store.rows("scan", {
        of: "events",
        valid: { window: WINDOW },
        where: { ...where, node: null, src: { uids: [uid] }, dst: { uids: [uid] } },
      });
      const both = src.reduce((sum, count, i) => sum + count + dst[i]! - either[i]!, 0);
      if (!("src" in where) && !("dst" in where)) expect(both).toBe(loops.length);
      else expect(both).toBeLessThanOrEqual(loops.length);
    }),
  );
});
