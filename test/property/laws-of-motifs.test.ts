// The laws of docs/contract.md of motifs: counts and enumeration, corrections, monotony, types, mirrored time.
import { afterAll, describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { formatInstant } from "../../src/contract/instant.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { codeOf, edgesOf, GRID_CODES, renamed } from "../../src/operators/motif-codes.js";
import { SEEDS } from "../support/case-count.js";
import { type Fields, LawStore } from "../support/law-store.js";
import { Random } from "../support/random.js";
import { denseBatch } from "../support/random-motifs.js";
import { randomBatches, randomWhere, TYPES } from "../support/random-store.js";

const text = (value: unknown): string => canonicalJson(value as never);
const us = (instant: unknown): bigint => parseInstant(instant, "instant");
const TIES = ["strict", "by_seq", "allow"] as const;
const DELTAS = ["PT0S", "PT0.000001S", "PT2S", "PT5S", "PT1H", "P3650D"];

const law = (check: (store: LawStore, random: Random) => Promise<void>) => async (seed: number) => {
  const random = new Random(seed);
  const store = await LawStore.of([...randomBatches(random, 2), denseBatch(random, 0), denseBatch(random, 1)]);
  try {
    await check(store, random);
  } finally {
    await store.close();
  }
};

/** Counts by code. */
async function counts(store: LawStore, args: Fields): Promise<Map<string, number>> {
  const rows = await store.rows("count_temporal_motifs", args);
  return new Map(rows.map(({ motif, count }) => [motif as string, count as number]));
}
const count = async (store: LawStore, args: Fields): Promise<number> => [...(await counts(store, args)).values()][0]!;

/** All rows, page by page. */
async function found(store: LawStore, args: Fields): Promise<Fields[]> {
  const rows: Fields[] = [];
  for (let cursor: unknown = null; ; ) {
    const page = await store.call("find_temporal_motifs", { ...args, cursor });
    rows.push(...(page.rows as Fields[]));
    cursor = page.cursor;
    if (cursor === null) return rows;
  }
}

/** The instances, each as what tells it from the others. */
async function instances(store: LawStore, args: Fields): Promise<Set<string>> {
  const rows = await found(store, args);
  const eventOf = ({ at, seq }: Fields) => [at, seq];
  const all = rows.map(({ motif, edges }) => text([motif, (edges as Fields[]).map(eventOf)]));
  expect(new Set(all).size, text(args)).toBe(all.length);
  return new Set(all);
}

function expectPart(part: ReadonlySet<string>, whole: ReadonlySet<string>, what: unknown): void {
  expect(
    [...part].filter((each) => !whole.has(each)),
    text(what),
  ).toEqual([]);
}

const someMotif = (random: Random): string =>
  random.pick([
    "all",
    "all",
    "a>b",
    "a>b,b>a",
    "a>b,b>c",
    "a>a,a>b",
    "a>b,b>c,c>d",
    "a>b,c>b,b>d",
    "cycle:4",
    "a>b,c>d,d>a",
  ]);

describe("law 4, counts are enumeration", () => {
  // Agreement on nothing would prove nothing.
  let nonEmpty = 0;
  afterAll(() => expect(nonEmpty).toBeGreaterThan(SEEDS.length / 4));

  it.each(SEEDS)(
    "of each motif, and of the 36 together, seed %i",
    law(async (store, random) => {
      const args = {
        delta: random.pick(DELTAS),
        ties: random.pick(TIES),
        where: random.chance(1, 2) ? {} : randomWhere(random),
      };
      const all = await counts(store, { ...args, motif: "all" });
      const rows = await found(store, { ...args, motif: "all" });
      if (rows.length > 0) nonEmpty += 1;
      const byCode = new Map(GRID_CODES.map((code) => [code, 0]));
      for (const { motif } of rows) byCode.set(motif as string, byCode.get(motif as string)! + 1);
      expect(new Map([...all].sort()), text(args)).toEqual(new Map([...byCode].sort()));
      for (const code of random.some(GRID_CODES)) {
        expect(await count(store, { ...args, motif: code }), text([args, code])).toBe(all.get(code));
      }
      const motif = someMotif(random);
      const sum = [...(await counts(store, { ...args, motif })).values()].reduce((a, b) => a + b, 0);
      expect((await instances(store, { ...args, motif })).size, text([args, motif])).toBe(sum);
    }),
  );
});

describe("law 7, a correction is no event", () => {
  it.each(SEEDS)(
    "correcting a property inside facts changes no answer, seed %i",
    law(async (store, random) => {
      const args = { motif: someMotif(random), delta: random.pick(DELTAS), ties: random.pick(TIES) };
      const before = text(await found(store, args));
      const edges = await store.rows("scan", { of: "edges" });
      const chosen = edges.filter(() => random.chance(1, 2));
      const ops = chosen.map(({ src, type, dst, key, valid_from, valid_to }) => ({
        op: "correct",
        ref: { src, type, dst, key },
        props: { w: 99 },
        valid_from,
        valid_to,
      }));
      if (ops.length > 0) await store.write({ ops, txTime: "2021-02-01T00:00:00Z" });
      expect(text(await found(store, args)), text(args)).toBe(before);
    }),
  );
});

describe("law 9, a larger question never loses", () => {
  it.each(SEEDS)(
    "by its window, its delta and its ties, seed %i",
    law(async (store, random) => {
      const args = { motif: someMotif(random), where: random.chance(1, 2) ? {} : randomWhere(random) };
      const chain = async (questions: readonly Fields[]): Promise<void> => {
        let least = new Set<string>();
        for (const question of questions) {
          const whole = await instances(store, { ...args, ...question });
          expectPart(least, whole, [args, question]);
          least = whole;
        }
      };
      const delta = random.pick(DELTAS);
      const ties = random.pick(TIES);
      const inner = { from: "2020-01-01T00:00:12Z", to: "2020-01-01T00:00:14Z" };
      const outer = { from: "2020-01-01T00:00:00.000003Z", to: "2020-01-01T00:00:15Z" };
      await chain(
        [{ ...inner }, { ...outer }, { from: null, to: outer.to }].map((window) => ({ delta, ties, window })),
      );
      await chain(DELTAS.map((longer) => ({ ties, delta: longer })));
      await chain(TIES.map((looser) => ({ delta, ties: looser })));
    }),
  );
});

describe("law 10, types and filters", () => {
  it.each(SEEDS)(
    "events add up over types, and filters only take instances away, seed %i",
    law(async (store, random) => {
      const motif = someMotif(random);
      const args = { motif, delta: random.pick(DELTAS), ties: random.pick(TIES) };
      const eventsOf = async (types: readonly string[] | null) =>
        (await store.call("count_temporal_motifs", { ...args, where: { types } })).events as number;
      let sum = 0;
      for (const type of TYPES) sum += await eventsOf([type]);
      expect(await eventsOf(TYPES)).toBe(sum);
      expect(await eventsOf(null)).toBe(sum);
      const all = await instances(store, args);
      expectPart(await instances(store, { ...args, where: { types: TYPES.slice(0, 2) } }), all, args);
      expectPart(await instances(store, { ...args, where: randomWhere(random) }), all, args);
    }),
  );
});

describe("law 14, reversal", () => {
  /** Edges turned around, in the opposite order. */
  const turned = (code: string): string =>
    codeOf(
      renamed(
        edgesOf(code)
          .reverse()
          .map(({ src, dst }) => ({ src: dst, dst: src })),
      ),
    );

  it.each(SEEDS)(
    "turned edges in mirrored time have the counts of the turned codes, seed %i",
    law(async (store, random) => {
      const events = await store.rows("scan", { of: "events" });
      const axis = 2n * us("2020-01-01T00:00:30Z");
      // In the opposite order, so that seq is mirrored too.
      const ops = events.reverse().map(({ src, dst, at }, i) => {
        const mirrored = axis - us(at);
        return {
          op: "assert_edge",
          src: dst,
          type: "E",
          dst: src,
          key: String(i),
          valid_from: formatInstant(mirrored),
          valid_to: formatInstant(mirrored + 1n),
        };
      });
      const near = events.every(({ at }) => (at as string).startsWith("2020"));
      if (!near || ops.length === 0) return;
      const back = await LawStore.of([{ ops, txTime: "2021-01-01T00:00:00Z" }]);
      try {
        const args = { delta: random.pick(DELTAS), ties: random.pick(TIES) };
        const there = await counts(store, { ...args, motif: "all" });
        const mirrored = await counts(back, { ...args, motif: "all" });
        for (const [code, expected] of there) expect(mirrored.get(turned(code)), text([args, code])).toBe(expected);
        const code = random.pick(["a>b,b>c,c>d", "a>b,b>c,c>d,d>a", "a>a,a>b", "a>b,c>b", "a>b,c>d,d>a"]);
        const expected = await count(store, { ...args, motif: code });
        expect(await count(back, { ...args, motif: turned(code) }), text([args, code])).toBe(expected);
      } finally {
        await back.close();
      }
    }),
  );
});
