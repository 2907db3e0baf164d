// The laws of docs/contract.md that concern temporal_paths: what it has in common with reachability, that its steps
// keep the rules of walks, that a larger question loses no path, and that a correction makes no event.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { parseDuration } from "../../src/contract/duration.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { SEEDS } from "../support/case-count.js";
import { type Fields, type LawStore, onRandomStore } from "../support/law-store.js";
import type { Random } from "../support/random.js";
import { randomWhere, randomWindow, TYPES, UIDS } from "../support/random-store.js";

const text = (value: unknown): string => canonicalJson(value as never);
const us = (instant: unknown): bigint => parseInstant(instant, "instant");
const CRITERIA = ["foremost", "fastest", "shortest", "latest_departure"] as const;
/** More than any of these stores has paths, and hops than it has nodes. */
const ALL = { k: 1000, max_hops: 8 };

interface Step {
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  readonly valid_from: string;
  readonly departs: string;
  readonly arrives: string;
}
interface Path {
  readonly departure: string;
  readonly arrival: string;
  readonly duration: string;
  readonly hops: number;
  readonly nodes: readonly string[];
  readonly edges: readonly Step[];
}

/** Two nodes and rules of walks. */
function question(random: Random, uids: readonly string[]): Fields & { src: string; dst: string } {
  const src = random.pick(uids);
  const dst = random.pick(uids.filter((uid) => uid !== src));
  return {
    src,
    dst,
    arrival: random.pick(["instant", "instant", "valid_end"]),
    orientation: random.pick(["out", "in", "both"]),
    ties: random.pick(["allow", "strict"]),
    window: random.chance(1, 2) ? null : randomWindow(random),
  };
}

const randomWait = (random: Random) => random.pick(["PT0S", "PT0.000002S", "PT2S", "PT20S"]);

const law = (check: (store: LawStore, random: Random, uids: string[]) => Promise<void>) => (seed: number) =>
  onRandomStore(seed, async (store, random) => {
    const uids = (await store.knownUids()).filter((uid) => UIDS.slice(0, 5).includes(uid));
    if (uids.length > 1) for (let call = 0; call < 4; call += 1) await check(store, random, uids);
  });

async function pathsOf(store: LawStore, args: Fields): Promise<{ paths: Path[]; isAll: boolean } | undefined> {
  const answer = await store.payload("temporal_paths", args);
  if (typeof answer === "string") {
    // A random window may be empty; nothing else may be wrong.
    expect(answer, text(args)).toBe("E_PERIOD_ORDER");
    return undefined;
  }
  return { paths: answer.rows as Path[], isAll: answer.more_paths === false };
}

const spansOf = ({ edges }: Path): string => text(edges.map(({ seq, valid_from, to }) => [seq, valid_from, to]));

describe("law 15, paths and reachability", () => {
  it.each(SEEDS)(
    "the foremost path arrives when reachability says, the last to leave departs then, seed %i",
    law(async (store, random, uids) => {
      const { src, dst, ...walk } = { ...question(random, uids), where: random.chance(1, 2) ? {} : edgeFilter(random) };
      const best = async (criterion: string) =>
        (await pathsOf(store, { src, dst, ...walk, ...ALL, k: 1, criterion }))?.paths[0];
      const [foremost, last] = [await best("foremost"), await best("latest_departure")];
      const reach = async (uid: string, direction: string, to: string) =>
        (await store.payload("temporal_reachability", { uid, direction, to: [to], ...walk })) as Fields;
      const [forward, backward] = [await reach(src, "forward", dst), await reach(dst, "backward", src)];
      if (typeof forward === "string") return;
      const times = (answer: Fields, field: string) => (answer.rows as Fields[]).map((row) => row[field]);
      expect(times(forward, "arrival"), text([src, dst, walk])).toEqual(foremost ? [foremost.arrival] : []);
      expect(times(backward, "departure"), text([src, dst, walk])).toEqual(last ? [last.departure] : []);
      const fastest = await best("fastest");
      if (foremost) {
        const [least, first] = [fastest!, foremost].map(({ duration }) => parseDuration(duration, "duration"));
        expect(least! <= first!, text([src, dst, walk])).toBe(true);
      }
    }),
  );

  it.each(SEEDS)(
    "every step keeps the rules of walks, seed %i",
    law(async (store, random, uids) => {
      const max_wait = random.chance(1, 2) ? randomWait(random) : null;
      const args: Fields = { ...question(random, uids), ...ALL, max_wait, criterion: random.pick([...CRITERIA]) };
      const found = await pathsOf(store, args);
      for (const { nodes, edges, departure, arrival, hops } of found?.paths ?? []) {
        expect(new Set(nodes).size).toBe(nodes.length);
        expect(nodes).toEqual([args.src, ...edges.map(({ to }) => to)]);
        expect(edges.map(({ from }) => from)).toEqual(nodes.slice(0, -1));
        expect([hops, edges[0]!.departs, edges.at(-1)!.arrives]).toEqual([edges.length, departure, arrival]);
        for (const [i, step] of edges.entries()) {
          const travel = us(step.arrives) - us(step.departs);
          expect(args.arrival === "instant" ? travel === 0n : travel > 0n, text(args)).toBe(true);
          if (i === 0) continue;
          const stay = us(step.departs) - us(edges[i - 1]!.arrives);
          expect(stay >= (args.ties === "strict" ? 1n : 0n), text(args)).toBe(true);
          if (max_wait !== null) expect(stay <= parseDuration(max_wait, "max_wait"), text(args)).toBe(true);
        }
      }
    }),
  );

  it.each(SEEDS)(
    "criteria order the same paths, and k cuts the list, seed %i",
    law(async (store, random, uids) => {
      const args = { ...question(random, uids), ...(random.chance(1, 2) ? { max_wait: randomWait(random) } : {}) };
      const lists: string[][] = [];
      for (const criterion of CRITERIA) {
        const all = await pathsOf(store, { ...args, ...ALL, criterion });
        if (all === undefined || !all.isAll) return;
        lists.push(all.paths.map(spansOf));
        const k = 1 + random.below(4);
        const few = (await pathsOf(store, { ...args, ...ALL, criterion, k }))!;
        expect(few.paths, text([args, criterion, k])).toEqual(all.paths.slice(0, k));
        expect(few.isAll).toBe(all.paths.length <= k);
      }
      for (const list of lists) expect([...list].sort(), text(args)).toEqual([...lists[0]!].sort());
    }),
  );
});

/** Filters on edges alone that cut no span. */
function edgeFilter(random: Random): Fields {
  const { types, keys } = randomWhere(random);
  return { ...(types ? { types } : {}), ...(keys ? { keys } : {}) };
}

describe("laws 9 and 10, a larger question never loses a path", () => {
  it.each(SEEDS)(
    "by window, wait, hops, ties, types and keys, seed %i",
    law(async (store, random, uids) => {
      const args: Fields = { ...question(random, uids), ...ALL, max_hops: 3, where: edgeFilter(random) };
      const large = { ...args, window: null, max_hops: 8, ties: "allow", where: {} };
      const smaller: Fields[] = [
        args,
        { ...large, window: args.window },
        { ...large, max_wait: randomWait(random) },
        { ...large, max_hops: 2 },
        { ...large, min_hops: 2 },
        { ...large, ties: "strict" },
        { ...large, where: { types: TYPES.slice(0, 2) } },
      ];
      const whole = (await pathsOf(store, large))!;
      if (!whole.isAll) return;
      const known = new Set(whole.paths.map(spansOf));
      for (const part of smaller) {
        const lost = ((await pathsOf(store, part))?.paths ?? []).map(spansOf).filter((path) => !known.has(path));
        expect(lost, text(part)).toEqual([]);
      }
    }),
  );
});

describe("law 7, a correction is no event", () => {
  it.each(SEEDS)(
    "new properties inside a fact change no path, seed %i",
    law(async (store, random, uids) => {
      const args = { ...question(random, uids), ...ALL, max_hops: 4, criterion: random.pick([...CRITERIA]) };
      const before = await store.payload("temporal_paths", args);
      const facts = (await store.rows("scan", { of: "edges" })).filter(({ valid_to }) => valid_to !== null);
      if (facts.length === 0) return;
      const { src, type, dst, key, valid_from, valid_to } = random.pick(facts);
      const ref = { src, type, dst, key };
      const txTime = `2022-01-01T00:00:${String(store.head % 60).padStart(2, "0")}Z`;
      const props = { w: 77, name: "corrected" };
      await store.write({ ops: [{ op: "correct", ref, props, valid_from, valid_to }], txTime });
      const after = await store.payload("temporal_paths", args);
      expect(after, text([args, ref])).toEqual(before);
    }),
  );
});
