// The laws of docs/contract.md that concern scan, histories, snapshots, diffs and what they cost, on random stores.
// Laws of walks are in laws-of-walks.test.ts, those of changed stores in laws-of-change.test.ts; 1 to 3 and the replay of
// 22 are in the comparisons with the reference engine and in store-invariants.test.ts.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import type { PalimpsestError } from "../../src/contract/errors.js";
import { formatInstant } from "../../src/contract/instant.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { argumentNames } from "../support/argument-names.js";
import { CASE_COUNT, SEEDS } from "../support/case-count.js";
import { type Fields, type LawStore, onRandomStore } from "../support/law-store.js";
import type { Random } from "../support/random.js";
import { callsOfEach, type RandomCall, SERIES_METRICS } from "../support/random-calls.js";
import { randomInstant, randomWhere, randomWindow, TYPES, UIDS } from "../support/random-store.js";

const text = (value: unknown): string => canonicalJson(value as never);
const each = (law: (store: LawStore, random: Random) => Promise<void>) => async (seed: number) =>
  onRandomStore(seed, law);
/** An instant that another one can follow. */
const instant = (random: Random): string => {
  const found = randomInstant(random);
  return found.startsWith("9999") ? "2020-01-01T00:00:05Z" : found;
};
const next = (at: string): string => formatInstant(parseInstant(at, "at") + 1n);

function corner(random: Random, head: number): Fields {
  return { at: randomInstant(random), as_of_tt: `tx:${random.below(head + 1)}` };
}
const elementOf = ({ element, uid, src, type, dst, key }: Fields): string => text([element, uid, src, type, dst, key]);
const minus = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): Set<T> => new Set([...a].filter((member) => !b.has(member)));
const union = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): Set<T> => new Set([...a, ...b]);

describe("law 5, diffs", () => {
  it.each(SEEDS)(
    "compose over a corner between, seed %i",
    each(async (store, random) => {
      const where = random.chance(1, 2) ? {} : randomWhere(random);
      const [a, b, c] = [corner(random, store.head), corner(random, store.head), corner(random, store.head)];
      const changes = async (left: Fields, right: Fields) => {
        const rows = await store.rows("diff_snapshots", { left, right, where });
        const of = (change: string) => new Set(rows.filter((row) => row.change === change).map(elementOf));
        return { added: of("added"), removed: of("removed") };
      };
      const [ab, bc, ac] = [await changes(a, b), await changes(b, c), await changes(a, c)];
      expect([...ac.added].sort()).toEqual([...union(minus(ab.added, bc.removed), minus(bc.added, ab.removed))].sort());
      expect([...ac.removed].sort()).toEqual(
        [...union(minus(ab.removed, bc.added), minus(bc.removed, ab.added))].sort(),
      );
    }),
  );

  it.each(SEEDS)(
    "of a corner with itself are empty, and turn round with their corners, seed %i",
    each(async (store, random) => {
      const [a, b] = [corner(random, store.head), corner(random, store.head)];
      const args = { where: randomWhere(random), compare: random.pick(["content", "content_and_interval"]) };
      expect(await store.rows("diff_snapshots", { left: a, right: a, ...args })).toEqual([]);
      const turned = { added: "removed", removed: "added", changed: "changed" } as Fields;
      const there = await store.rows("diff_snapshots", { left: a, right: b, ...args });
      const back = await store.rows("diff_snapshots", { left: b, right: a, ...args });
      expect(back).toEqual(
        there.map((row) => ({ ...row, change: turned[row.change as string], before: row.after, after: row.before })),
      );
    }),
  );
});

describe("law 6", () => {
  it.each(SEEDS)(
    "a snapshot of all nodes is the current versions of that instant, seed %i",
    each(async (store, random) => {
      const at = instant(random);
      const seeds = await store.knownUids();
      if (seeds.length === 0) return;
      const snapshot = await store.call("snapshot_subgraph", { seeds, at, props: "all" });
      const current = { belief: "current", window: { from: at, to: next(at) } };
      const pick = (names: string[]) => (row: Fields) => text(names.map((name) => row[name]));
      const edge = pick(["src", "type", "dst", "key", "valid_from", "valid_to", "props"]);
      const node = pick(["uid", "labels", "props"]);
      const edges = await store.rows("version_history", { kind: "edge", ...current });
      expect((snapshot.rows as Fields[]).map(edge).sort()).toEqual(edges.map(edge).sort());
      const nodes = await store.rows("version_history", { kind: "node", ...current });
      const existing = ((snapshot.nodes as Fields).rows as Fields[]).filter(({ exists }) => exists);
      expect(existing.map(node).sort()).toEqual(nodes.map(node).sort());
    }),
  );
});

describe("law 7", () => {
  it.each(SEEDS)(
    "a correction inside a fact changes no event and no walk, seed %i",
    each(async (store, random) => {
      const questions: RandomCall[] = [
        { op: "scan", args: { of: "events", columns: ["src", "type", "dst", "key", "seq", "at", "duration"] } },
        { op: "co_active", args: { a: {}, b: {}, relations: "intersects", on: "any_node" } },
        {
          op: "aggregate_events",
          args: {
            group_by: [{ dim: "node", role: "either" }, { dim: "type" }],
            aggregates: [
              { fn: "count" },
              { fn: "count_distinct", of: "other" },
              { fn: "mean", of: "duration" },
              { fn: "max_gap" },
              { fn: "longest_session", gap: "PT5S" },
            ],
          },
        },
        {
          op: "graph_metric_timeseries",
          args: {
            metric: SERIES_METRICS,
            window: { from: "2020-01-01T00:00:00Z", to: "2020-01-01T00:01:00Z" },
            stride: "PT5S",
          },
        },
        { op: "burst_detection", args: { stride: "P5Y", w: 3, min_history: 1, z: 0.5, sides: "both" } },
        ...["forward", "backward"].map((direction) => ({
          op: "temporal_reachability",
          args: { uid: UIDS.slice(0, 3), direction, arrival: random.pick(["instant", "valid_end"]), hops: true },
        })),
      ];
      const ask = () => Promise.all(questions.map(({ op, args }) => store.payload(op, args)));
      const before = await ask();
      const facts = await store.rows("version_history", { kind: "edge", belief: "current" });
      if (facts.length === 0) return;
      for (let i = 0; i < 3; i += 1) {
        const { src, type, dst, key, valid_from, valid_to } = random.pick(facts);
        const inside = random.chance(1, 2)
          ? { valid_from, valid_to }
          : { valid_from, valid_to: next(valid_from as string) };
        const content = random.pick([
          { mode: "patch", props: { patched: i } },
          { mode: "replace", props: { replaced: i } },
        ]);
        const ops = [{ op: "correct", ref: { src, type, dst, key }, ...inside, ...content }];
        await store.write({ ops, txTime: `2021-02-01T00:00:0${i}Z` });
      }
      expect(await ask()).toEqual(before);
    }),
  );
});

describe("law 10, types", () => {
  it.each(SEEDS)(
    "of events add up, seed %i",
    each(async (store, random) => {
      const valid = { window: randomWindow(random) };
      const count = async (types: string[] | null) =>
        (await store.call("scan", { of: "events", valid, where: { types } })).rows_total as number;
      const parts = await Promise.all(TYPES.map((type) => count([type])));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(await count(TYPES));
      expect(await count(null)).toBe(await count(TYPES));
    }),
  );
});

describe("law 22", () => {
  it.each(SEEDS)(
    "every run gives the same bytes, also of many at once, seed %i",
    each(async (store, random) => {
      const calls = callsOfEach(random, store.head, []);
      const run = () => Promise.all(calls.map(({ op, args }) => store.payload(op, args)));
      const first = text(await run());
      for (const again of await Promise.all([run(), run(), run()])) expect(text(again)).toBe(first);
    }),
  );
});

describe("law 23, filters", () => {
  const EMPTY: [string, Fields][] = [
    ...["edges", "events", "endpoints"].flatMap((of) =>
      [{ types: [] }, { keys: [] }, { src: { uids: [] } }, { dst: { any_labels: [] } }].map(
        (where): [string, Fields] => ["scan", { of, where }],
      ),
    ),
    ["scan", { of: "nodes", where: { node: { uids: [] } } }],
    ["scan", { of: "nodes", where: { node: { any_labels: [] } } }],
    ["scan", { of: "nodes", names: [] }],
    ["version_history", { kind: "edge", where: { types: [] } }],
    ["version_history", { where: { keys: [], node: { uids: [] } } }],
    ["version_history", { ended_by: [] }],
    ["temporal_reachability", { uid: "a", where: { types: [] } }],
    ["temporal_reachability", { uid: "a", where: { node: { any_labels: [] } } }],
    ["snapshot_subgraph", { seeds: ["a"], at: "2020-01-01T00:00:10Z", where: { types: [] } }],
    ["entity_history", { uid: "a", include_edges: true, where: { keys: [] } }],
    ["resolve_entities", { query: "a", labels: ["nothing has this"] }],
    ["fact_freshness", { src: "a", at: "2020-01-01T00:00:20Z", types: [] }],
    ["fact_freshness", { src: "a", at: "2020-01-01T00:00:20Z", where: { dst: { uids: [] } } }],
    ["co_active", { a: { where: { types: [] } }, b: {}, relations: "intersects" }],
    ["co_active", { a: {}, b: { where: { node: { uids: [] } } }, relations: "intersects" }],
    [
      "diff_snapshots",
      {
        left: { at: "2020-01-01T00:00:01Z" },
        right: { at: "2020-01-01T00:00:45Z" },
        where: { keys: [], node: { uids: [] } },
      },
    ],
  ];

  it.each(SEEDS.slice(0, 10))(
    "that are empty let nothing pass, seed %i",
    each(async (store) => {
      for (const [op, args] of EMPTY) {
        const payload = await store.payload(op, args);
        if (payload === "E_NOT_FOUND") continue;
        const list = op === "entity_history" ? ((payload as Fields).edges as Fields) : (payload as Fields);
        expect(list.rows_total, text([op, args])).toBe(0);
      }
    }),
  );

  it.each(SEEDS)(
    "and defaults written out are the same question, seed %i",
    each(async (store, random) => {
      for (const { op, args } of callsOfEach(random, store.head, [])) {
        const asked = await store.call(op, { ...args, cursor: null }).catch(() => undefined);
        if (asked === undefined) continue;
        const again = await store.call(op, asked.args as Fields);
        expect(again.result_digest, text([op, args])).toBe(asked.result_digest);
      }
    }),
  );
});

interface Estimate {
  readonly rows: number;
  readonly steps: number;
}
const NOTHING = { rows: -1, steps: -1 };

async function costError(store: LawStore, { op, args }: RandomCall, ceilings: Estimate) {
  const error = (await store.call(op, args, ceilings).then(
    () => undefined,
    (caught: unknown) => caught,
  )) as PalimpsestError | undefined;
  return error?.code === "E_COST"
    ? (error.details as { at: string; estimate: Estimate; suggestions: Fields[] })
    : undefined;
}

describe("law 24", () => {
  const WINDOWED = DECLARATIONS.filter(({ args }) => argumentNames(args).includes("window")).map(({ name }) => name);

  it.each(SEEDS)(
    "estimates do not depend on how the store came to be, and never fall when the window grows, seed %i",
    async (seed) =>
      onRandomStore(seed, async (first, random) => {
        const calls = callsOfEach(random, first.head, []);
        const estimates = async (store: LawStore) =>
          Promise.all(calls.map(async (call) => (await costError(store, call, NOTHING))?.estimate));
        for (const call of calls.filter(({ op }) => WINDOWED.includes(op))) {
          const [a, b, c, d] = Array.from({ length: 4 }, () => instant(random)).sort();
          const priced = async (from: string | null, to: string | null) =>
            (await costError(first, { op: call.op, args: { ...call.args, window: { from, to } } }, NOTHING))?.estimate;
          if (!(parseInstant(b!, "b") < parseInstant(c!, "c"))) continue;
          const [small, large, all] = [await priced(b!, c!), await priced(a!, d!), await priced(null, null)];
          // A larger window may have too many buckets.
          if (small === undefined || large === undefined || parseInstant(a!, "a") > parseInstant(b!, "b")) continue;
          for (const unit of ["rows", "steps"] as const) {
            if (parseInstant(d!, "d") >= parseInstant(c!, "c")) {
              expect(large[unit], text(call)).toBeGreaterThanOrEqual(small[unit]);
              // An open window of buckets ends with the events that pass: a given one may reach further.
              if (!("stride" in call.args)) expect(all![unit], text(call)).toBeGreaterThanOrEqual(large[unit]);
            }
          }
        }
        const before = await estimates(first);
        const replayed = await first.replayed();
        try {
          expect(await estimates(replayed)).toEqual(before);
        } finally {
          await replayed.close();
        }
      }),
  );

  let applied = 0;
  it.each(SEEDS)(
    "every suggestion, applied, is accepted, seed %i",
    each(async (store, random) => {
      const uids = await store.knownUids();
      if (uids.length === 0) return;
      const calls: RandomCall[] = [
        ...callsOfEach(random, store.head, []),
        { op: "temporal_reachability", args: { uid: uids.slice(0, 8) } },
        { op: "version_history", args: {} },
        { op: "scan", args: { of: "edges" } },
        { op: "co_active", args: { a: {}, b: {}, relations: ["before"], max_gap: "PT1H" } },
        { op: "snapshot_subgraph", args: { seeds: uids, at: instant(random), hops: 3 } },
        { op: "entity_history", args: { uid: uids[0], include_edges: true } },
      ];
      for (const call of calls) {
        const full = await costError(store, call, NOTHING);
        if (full === undefined) continue;
        const part = 1 + random.below(4);
        const ceilings = { rows: Math.floor(full.estimate.rows / part), steps: Math.floor(full.estimate.steps / part) };
        const refused = await costError(store, call, ceilings);
        for (const { args_patch, estimate } of refused?.at === "estimate" ? refused.suggestions : []) {
          const patched = { op: call.op, args: { ...call.args, ...(args_patch as Fields) } };
          const again = await costError(store, patched, ceilings);
          expect(again, text([patched, ceilings, again])).toBeUndefined();
          applied += 1;
          const price = (await costError(store, patched, NOTHING))?.estimate;
          if (price !== undefined) expect(price).toEqual(estimate);
        }
      }
    }),
  );

  it("had suggestions to apply", () => {
    expect(applied).toBeGreaterThan(CASE_COUNT);
  });
});
