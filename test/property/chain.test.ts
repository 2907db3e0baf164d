// longest_temporal_chain: law 1 on random stores full of ties, and long sweeps against the plainest count of all.
import { describe, expect, it } from "vitest";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { SEEDS } from "../support/case-count.js";
import { comparisonSuite } from "../support/engine-comparison.js";
import { type Fields, LawStore, onRandomStore } from "../support/law-store.js";
import { Random } from "../support/random.js";
import { chainCall } from "../support/random-calls.js";
import { meshBatch, randomBatches } from "../support/random-store.js";

comparisonSuite("longest_temporal_chain on random stores", 16, chainCall, (random) => [
  ...randomBatches(random, 5),
  ...Array.from({ length: random.below(3) }, (_, i) => meshBatch(random, i)),
]);

interface Event {
  readonly src: string;
  readonly dst: string;
  readonly at: number;
  readonly seq: number;
}

/** The length of the longest chain, by trying what may stand before each event. */
function plainLength(events: readonly Event[], isStrict: boolean, maxWait: number, start: string | null): number {
  const lengths: number[] = [];
  for (const [i, event] of events.entries()) {
    let before = 0;
    for (let j = i - 1; j >= 0 && event.at - events[j]!.at <= maxWait; j -= 1) {
      const other = events[j]!;
      if (other.dst === event.src && (!isStrict || other.at < event.at)) before = Math.max(before, lengths[j]!);
    }
    const mayBegin = start === null || event.src === start;
    lengths.push(before > 0 ? before + 1 : mayBegin ? 1 : 0);
  }
  return Math.max(0, ...lengths);
}

describe("longest_temporal_chain over many events", () => {
  const BASE_US = 1_577_836_800_000_000n;
  const ticksOf = (instant: unknown): number => Number(parseInstant(instant, "at") - BASE_US);
  const COUNT = 3000;

  /** More events than a block holds, and more at one instant in the second store. */
  it.each([2000, 2])("with %i instants", async (instants) => {
    const random = new Random(instants);
    const nodes = Array.from({ length: 40 }, (_, i) => `n${i}`);
    const column = <T>(make: () => T): T[] => Array.from({ length: COUNT }, make);
    const ticks = column(() => random.below(instants));
    const src = column(() => random.pick(nodes));
    const dst = column(() => random.pick(nodes));
    const time = ticks.map((tick) => new Date(1_577_836_800_000 + tick).toISOString());
    const store = await LawStore.of([
      { ops: [{ op: "ingest_events", type: "M", src, dst, time }], txTime: "2021-01-01T00:00:00Z" },
    ]);
    const events = ticks
      .map((tick, i): Event => ({ src: src[i]!, dst: dst[i]!, at: tick * 1000, seq: i + 1 }))
      .sort((a, b) => a.at - b.at || a.seq - b.seq);
    const everything = { min: 0, max: Number.POSITIVE_INFINITY };
    try {
      for (const ties of ["strict", "by_seq"]) {
        for (const wait of [everything.max, 5_000, 40_000]) {
          for (const start of [null, "n3"]) {
            const max_wait = wait === everything.max ? null : `PT0.${String(wait).padStart(6, "0")}S`;
            const args = { ties, max_wait, start };
            const answer = await store.call("longest_temporal_chain", args);
            expect(answer.length, JSON.stringify(args)).toBe(plainLength(events, ties === "strict", wait, start));
            const rows = answer.rows as Fields[];
            expect(rows.length).toBe(Math.min(answer.length as number, 10_000));
            for (const [i, row] of rows.entries()) {
              expect(row.step).toBe(i + 1);
              if (i === 0) continue;
              const before = rows[i - 1]!;
              const gap = ticksOf(row.at) - ticksOf(before.at);
              expect(row.src).toBe(before.dst);
              expect(gap <= wait && (gap > 0 || (gap === 0 && ties === "by_seq" && row.seq! > before.seq!))).toBe(true);
            }
          }
        }
      }
      // The longest of any chain with a limit for the whole is that of the best of all windows so long.
      const within = 7_000;
      const lengths = [...new Set(events.map(({ at }) => at))].map((at) =>
        plainLength(
          events.filter((event) => event.at >= at && event.at <= at + within),
          true,
          everything.max,
          null,
        ),
      );
      const { length } = await store.call("longest_temporal_chain", { within: "PT0.007000S" });
      expect(length).toBe(Math.max(...lengths));
    } finally {
      await store.close();
    }
  });
});

describe("laws 7 and 9 of longest_temporal_chain", () => {
  const lengthOf = async (store: LawStore, args: Fields): Promise<number> =>
    (await store.call("longest_temporal_chain", args)).length as number;

  it.each(SEEDS)("a larger question has no shorter chain, seed %i", (seed) =>
    onRandomStore(seed, async (store, random) => {
      const [from, middle, to] = ["2020-01-01T00:00:01Z", "2020-01-01T00:00:16Z", "2020-01-01T00:00:40Z"];
      const ties = random.pick(["strict", "by_seq"]);
      const growing: Fields[][] = [
        [{ from, to: middle }, { from, to }, { from, to: null }, null].map((window) => ({ ties, window })),
        ["PT0S", "PT0.000003S", "PT2S", "PT1H", null].map((max_wait) => ({ ties, max_wait })),
        ["PT0S", "PT0.000003S", "PT2S", "PT1H", null].map((within) => ({ ties, within })),
        ["strict", "by_seq"].map((order) => ({ ties: order })),
        [{ types: ["M"] }, { types: ["M", "R"] }, {}].map((where) => ({ ties, where })),
      ];
      for (const questions of growing) {
        const lengths: number[] = [];
        for (const args of questions) lengths.push(await lengthOf(store, args));
        expect(lengths, JSON.stringify(questions)).toEqual([...lengths].sort((a, b) => a - b));
      }
    }),
  );

  it.each(SEEDS)("a correction inside a fact is no event, seed %i", (seed) =>
    onRandomStore(seed, async (store, random) => {
      const args = { ties: random.pick(["strict", "by_seq"]), props: null };
      const before = await store.payload("longest_temporal_chain", args);
      const facts = await store.rows("scan", { of: "edges" });
      if (facts.length === 0) return;
      const { src, type, dst, key, valid_from, valid_to } = random.pick(facts);
      const ref = { src, type, dst, key };
      const correction = { op: "correct", ref, props: { w: 77 }, valid_from, valid_to };
      await store.write({ ops: [correction], txTime: "2022-01-01T00:00:00Z" });
      expect(await store.payload("longest_temporal_chain", args), JSON.stringify(ref)).toEqual(before);
    }),
  );
});
