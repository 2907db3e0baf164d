// neighborhood_evolution against the reference engine, and law 19: what was gained and lost leads from one end to the other.
import { describe, expect, it } from "vitest";
import { SEEDS } from "../support/case-count.js";
import { comparisonSuite } from "../support/engine-comparison.js";
import { type Fields, onRandomStore } from "../support/law-store.js";
import { evolutionCall } from "../support/random-calls.js";
import { randomWhere, UIDS } from "../support/random-store.js";

comparisonSuite("neighborhood_evolution on random stores", 8, evolutionCall);

const [t1, t2] = ["2020-01-01T00:00:05Z", "2020-01-01T00:00:40Z"];
const after = (instant: string): string => instant.replace("Z", ".000001Z");

describe("law 19, neighbours", () => {
  let changes = 0;
  it.each(SEEDS)("the last neighbours are the first without the lost and with the gained, seed %i", (seed) =>
    onRandomStore(seed, async (store, random) => {
      const uid = random.pick(UIDS);
      const args = {
        uid,
        lookback: random.pick([null, "PT3S", "PT20S"]),
        orientation: random.pick(["both", "out", "in"]),
        where: random.chance(1, 2) ? {} : randomWhere(random),
      };
      const answer = await store.payload("neighborhood_evolution", {
        ...args,
        t1,
        t2,
        include: ["gained", "lost", "kept"],
      });
      if (typeof answer === "string") return expect(answer).toBe("E_NOT_FOUND");
      const rows = answer.rows as { change: string; uid: string }[];
      const series = (answer.series as { rows: { neighbours: number }[] }).rows;
      /** N(t) by a question that begins there: all that is kept or lost right after. */
      const neighboursAt = async (t: string): Promise<string[]> => {
        const there = { ...args, t1: t, t2: after(t), include: ["lost", "kept"] };
        return (await store.rows("neighborhood_evolution", there)).map((row) => row.uid as string).sort();
      };
      const [first, last] = [await neighboursAt(t1), await neighboursAt(t2)];
      const of = (...kinds: string[]) => rows.filter(({ change }) => kinds.includes(change)).map((row) => row.uid);
      const lost = new Set(of("lost"));
      expect([...first.filter((other) => !lost.has(other)), ...of("gained")].sort()).toEqual(last);
      expect(of("lost", "kept").sort()).toEqual(first);
      expect([series[0]!.neighbours, series.at(-1)!.neighbours]).toEqual([first.length, last.length]);
      changes += of("gained", "lost").length;
    }),
  );
  it("met changes", () => expect(changes).toBeGreaterThan(0));

  it("samples the whole of a long series, page by page", () =>
    onRandomStore(1, async (store) => {
      const args: Fields = {
        uid: "a",
        t1: "2020-01-01T00:00:00Z",
        t2: "2020-01-01T00:00:09.9999Z",
        stride: "PT0.0001S",
      };
      const whole = await store.call("neighborhood_evolution", args);
      const series = whole.series as { rows: Fields[]; rows_total: number; cursor: string };
      expect([series.rows.length, series.rows_total]).toEqual([10_000, 100_000]);
      const second = await store.call("neighborhood_evolution", { ...args, cursor: series.cursor });
      expect((second.series as { rows: Fields[] }).rows[0]!.t).toBe("2020-01-01T00:00:01Z");
      const longer = { ...args, t2: "2020-01-01T00:00:10Z" };
      expect(await store.payload("neighborhood_evolution", longer)).toBe("E_LIMIT");
    }));
});
