// The laws of docs/contract.md that concern temporal_reachability: duality, monotony, filters, and mirrored time.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { formatInstant } from "../../src/contract/instant.js";
import { parseInstant, parseValidTo } from "../../src/contract/parse-instant.js";
import { SEEDS } from "../support/case-count.js";
import { type Fields, LawStore, onRandomStore } from "../support/law-store.js";
import type { Random } from "../support/random.js";
import { randomInstant, randomWhere, TYPES, UIDS } from "../support/random-store.js";

const text = (value: unknown): string => canonicalJson(value as never);
const us = (instant: unknown): bigint => parseInstant(instant, "instant");

interface Walk extends Fields {
  readonly uid: readonly string[];
}

/** Rules of walks, without window and limits. */
function rules(random: Random): Fields {
  const { types, keys, edge } = randomWhere(random);
  const where = random.chance(1, 2)
    ? {}
    : { ...(types ? { types } : {}), ...(keys ? { keys } : {}), ...(edge ? { edge } : {}) };
  return {
    arrival: random.pick(["instant", "valid_end"]),
    orientation: random.pick(["out", "in", "both"]),
    ties: random.pick(["allow", "strict"]),
    ...(random.chance(1, 2) ? { max_wait: random.pick(["PT0S", "PT0.000002S", "PT2S", "PT20S"]) } : {}),
    ...(random.chance(1, 3) ? { max_hops: 1 + random.below(3) } : {}),
    where,
  };
}

/** Four instants, not falling: a window inside another. */
function nested(random: Random): { inner: Fields; outer: Fields } | undefined {
  const [a, b, c, d] = Array.from({ length: 4 }, () => randomInstant(random)).sort((x, y) => (us(x) < us(y) ? -1 : 1));
  if (!(us(b) < us(c))) return undefined;
  const isOpen = random.chance(1, 3);
  return { inner: { from: b, to: c }, outer: isOpen ? { from: null, to: null } : { from: a, to: d } };
}

type Reached = Map<string, string>;

/** By (of, uid): when it is reached, or left at the latest. */
async function reached(
  store: LawStore,
  args: Walk,
  by = (of: unknown, uid: unknown) => text([of, uid]),
): Promise<Reached> {
  const rows = await store.rows("temporal_reachability", args);
  return new Map(rows.map(({ of, uid, arrival, departure }) => [by(of, uid), (arrival ?? departure) as string]));
}

const law = (check: (store: LawStore, random: Random, uid: string[]) => Promise<void>) => (seed: number) =>
  onRandomStore(seed, async (store, random) => {
    const uid = await store.knownUids();
    if (uid.length > 0) await check(store, random, uid);
  });

/** What is reached under the first is reached under the second. */
const expectPart = (part: Reached, whole: Reached, what: unknown): void => {
  expect(
    [...part.keys()].filter((pair) => !whole.has(pair)),
    text(what),
  ).toEqual([]);
};

describe("law 8, duality", () => {
  it.each(SEEDS)(
    "forward and backward are one relation, seed %i",
    law(async (store, random, uid) => {
      const args = { uid, ...rules(random), window: nested(random)?.inner ?? null };
      const forward = await reached(store, { ...args, direction: "forward" });
      const backward = await reached(store, { ...args, direction: "backward" }, (of, other) => text([other, of]));
      expect([...forward.keys()].sort(), text(args)).toEqual([...backward.keys()].sort());
    }),
  );

  it.each(SEEDS)(
    "reversed edges in mirrored time turn arrivals into departures, seed %i",
    law(async (store, random) => {
      const arrival = random.pick(["instant", "valid_end"]);
      // Instants of [s, e) are s … e-1, so they mirror one microsecond later than rides from s to e.
      const late = arrival === "instant" ? 1n : 0n;
      const axis = 2n * us("2020-01-01T00:00:30Z");
      const mirrored = (instant: bigint): string => formatInstant(axis - instant);
      const near = (row: Fields): boolean =>
        row.valid_to !== null &&
        (row.valid_from as string).startsWith("2020") &&
        (row.valid_to as string).startsWith("2020");
      const edges = (await store.rows("scan", { of: "edges" })).filter(near);
      if (edges.length === 0) return;
      const assertion = ({ src, type, dst, key }: Fields, valid_from: string, valid_to: string) => ({
        op: "assert_edge",
        src,
        type,
        dst,
        key,
        valid_from,
        valid_to,
      });
      const txTime = "2021-01-01T00:00:00Z";
      const kept = edges.map((row) => assertion(row, row.valid_from as string, row.valid_to as string));
      const turned = edges.map((row) => {
        const { src, dst } = row;
        const [from, to] = [us(row.valid_from), parseValidTo(row.valid_to, "row")];
        return assertion({ ...row, src: dst, dst: src }, mirrored(to - late), mirrored(from - late));
      });
      const [there, back] = [await LawStore.of([{ ops: kept, txTime }]), await LawStore.of([{ ops: turned, txTime }])];
      try {
        const uid = await there.knownUids();
        const { where: _, ...walk } = rules(random);
        const [from, to] = [us("2020-01-01T00:00:01Z"), us("2020-01-01T00:00:45Z")];
        const forward = await reached(there, {
          ...walk,
          uid,
          arrival,
          direction: "forward",
          window: { from: formatInstant(from), to: formatInstant(to) },
        });
        const backward = await reached(back, {
          ...walk,
          uid,
          arrival,
          direction: "backward",
          window: { from: mirrored(to - late), to: mirrored(from - late) },
        });
        const expected = [...forward].map(([pair, at]): [string, string] => [pair, mirrored(us(at))]);
        expect([...backward].sort(), text(walk)).toEqual(expected.sort());
      } finally {
        await there.close();
        await back.close();
      }
    }),
  );
});

describe("law 9, a larger question never loses", () => {
  it.each(SEEDS)(
    "by its window: nobody, and no arrival gets later, seed %i",
    law(async (store, random, uid) => {
      const windows = nested(random);
      if (windows === undefined) return;
      const { inner, outer } = windows;
      const walk = rules(random);
      const forward = { uid, ...walk, direction: "forward" };
      const [small, early, late, large] = [
        await reached(store, { ...forward, window: inner }),
        await reached(store, { ...forward, window: { from: outer.from, to: inner.to } }),
        await reached(store, { ...forward, window: { from: inner.from, to: outer.to } }),
        await reached(store, { ...forward, window: outer }),
      ];
      for (const whole of [early, late, large]) expectPart(small, whole, forward);
      for (const [pair, at] of small) {
        expect(us(early.get(pair)) <= us(at), text([forward, windows, pair])).toBe(true);
        expect(late.get(pair), text([forward, windows, pair])).toBe(at);
      }
      const backward = { uid, ...walk, direction: "backward" };
      const [least, sooner, later] = [
        await reached(store, { ...backward, window: inner }),
        await reached(store, { ...backward, window: { from: outer.from, to: inner.to } }),
        await reached(store, { ...backward, window: { from: inner.from, to: outer.to } }),
      ];
      for (const [pair, at] of least) {
        expect(sooner.get(pair), text([backward, windows, pair])).toBe(at);
        expect(us(later.get(pair)) >= us(at), text([backward, windows, pair])).toBe(true);
      }
    }),
  );

  it.each(SEEDS)(
    "by its wait limit, its number of hops and its ties, seed %i",
    law(async (store, random, uid) => {
      const { max_wait: _w, max_hops: _h, ties: _t, ...walk } = rules(random);
      const args = {
        uid,
        ...walk,
        direction: random.pick(["forward", "backward"]),
        window: nested(random)?.outer ?? null,
      };
      const chains: Fields[][] = [
        ["PT0S", "PT0.000001S", "PT3S", "PT1M", null].map((max_wait) => ({ max_wait })),
        [1, 2, 3, 8, null].map((max_hops) => ({ max_hops })),
        ["strict", "allow"].map((ties) => ({ ties })),
      ];
      for (const chain of chains) {
        const sets: Reached[] = [];
        for (const rule of chain) sets.push(await reached(store, { ...args, ...rule }));
        for (const [i, set] of sets.entries()) if (i > 0) expectPart(sets[i - 1]!, set, [args, chain[i]]);
      }
    }),
  );
});

describe("law 10, filters only shrink what is reached", () => {
  it.each(SEEDS)(
    "by types and by any further filter, seed %i",
    law(async (store, random, uid) => {
      const args = { uid, ...rules(random), direction: random.pick(["forward", "backward"]) };
      const union = await reached(store, { ...args, where: { types: TYPES.slice(0, 3) } });
      for (const type of TYPES.slice(0, 3))
        expectPart(await reached(store, { ...args, where: { types: [type] } }), union, args);
      const all = await reached(store, { ...args, where: {} });
      expectPart(union, all, args);
      expectPart(await reached(store, { ...args, where: randomWhere(random) }), all, args);
      const to = random.some(UIDS).filter((each) => uid.includes(each));
      if (to.length === 0) return;
      const reported = await reached(store, { ...args, where: {}, to });
      const expected = [...all].filter(([pair]) => to.includes(JSON.parse(pair)[1]));
      expect([...reported].sort()).toEqual(expected.sort());
    }),
  );
});
