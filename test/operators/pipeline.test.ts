// The stages of a call in their order: what each refuses, what it fills in, and that nothing else escapes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { at, S1, S2 } from "../../src/operators/example-stores.js";
import { type CallOptions, callOperator } from "../../src/operators/pipeline.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import type { CaseStore } from "../conformance/cases.js";
import { argumentNames } from "../support/argument-names.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

async function opened(script: typeof S1): Promise<CaseStore> {
  const store = referenceCaseStore();
  for (const { ops, txTime } of script.batches) await store.write([...ops] as Record<string, unknown>[], txTime);
  return store;
}

const s1 = await opened(S1);
const s2 = await opened(S2);

const call = (op: string, args: unknown, options?: CallOptions, store = s2) =>
  callOperator(store.engine, op, args, options);

async function failure(op: string, args: unknown, options?: CallOptions): Promise<PalimpsestError> {
  try {
    await call(op, args, options);
  } catch (error) {
    if (error instanceof PalimpsestError) return error;
    throw error;
  }
  throw new Error(`${op} accepted ${JSON.stringify(args)}`);
}

const history = { uid: "a" };

describe("names", () => {
  it("knows no operator of another name, and says which are near", async () => {
    const error = await failure("entity_histroy", history);
    expect(error).toMatchObject({ code: "E_NOT_FOUND", details: { nearest: ["entity_history", "version_history"] } });
  });
});

describe("shape", () => {
  const W = { prop: "w", op: "gt", value: 0 };
  const nested = (depth: number): unknown => (depth === 0 ? W : { not: nested(depth - 1) });

  it("takes 64 predicates, nested to 8", async () => {
    const where = { edge: [{ any: Array(63).fill(W) }, nested(8)] };
    expect((await call("scan", { of: "edges", where })).rows_total).toBe(4);
  });

  it.each<[string, string, unknown, string]>([
    ["an unknown argument", "entity_history", { uid: "a", windows: null }, "/windows"],
    ["a wrong type", "entity_history", { uid: 5 }, "/uid"],
    ["a bound", "entity_history", { uid: "a", limit: 10001 }, "/limit"],
    ["a null where none belongs", "entity_history", { uid: "a", limit: null }, "/limit"],
    ["an empty uid", "entity_history", { uid: "" }, "/uid"],
    ["a bare number as an instant", "snapshot_subgraph", { seeds: ["a"], at: 5 }, "/at"],
    [
      "an unknown key of a window",
      "entity_history",
      { uid: "a", window: { from: null, to: null, till: 1 } },
      "/window/till",
    ],
    [
      "an unknown operator in a filter",
      "scan",
      { of: "edges", where: { edge: [{ prop: "w", op: "like", value: 1 }] } },
      "/where/edge/0/op",
    ],
    [
      "a predicate without its value",
      "scan",
      { of: "edges", where: { edge: [{ prop: "w", op: "eq" }] } },
      "/where/edge/0",
    ],
    [
      "a value of a null predicate",
      "scan",
      { of: "edges", where: { edge: [{ prop: "w", op: "is_null", value: 1 }] } },
      "/where/edge/0/value",
    ],
    [
      "65 predicates",
      "scan",
      { of: "edges", where: { edge: [{ any: Array(40).fill(W) }, { any: Array(25).fill(W) }] } },
      "/where/edge",
    ],
    [
      "predicates nested deeper than 8",
      "scan",
      { of: "edges", where: { src: { props: [nested(9)] } } },
      "/where/src/props",
    ],
    ["a column that the table lacks", "scan", { of: "nodes", columns: ["uid", "src"] }, "/columns/1"],
    ["arguments that are no object", "entity_history", [], ""],
  ])("refuses %s", async (_title, op, args, path) => {
    expect(await failure(op, args)).toMatchObject({ code: "E_SCHEMA", details: { path } });
  });

  it("shows the unit for a bare number", async () => {
    const error = await failure("snapshot_subgraph", { seeds: ["a"], at: 1577836800000000 });
    expect(error.hint).toContain('{"us": 1577836800000000}');
  });

  it.each<[string, unknown]>([
    ["an integer out of int64", { uid: 2n ** 63n }],
    ["an infinity", { uid: "a", limit: Number.POSITIVE_INFINITY }],
    ["a lone surrogate", { uid: "\ud800", surplus: 1 }],
    ["a lone surrogate in a key", { "\udc00": 1 }],
    ["a uid of 1025 bytes", { uid: "é".repeat(513) }],
    ["a text that is no instant", { uid: "a", window: { from: "yesterday", to: null } }],
    ["the end of the calendar", { uid: "a", window: { from: null, to: "+10000-01-01T00:00:00Z" } }],
    ["uid beside ref", { uid: "a", ref: { uid: "a" } }],
  ])("finds %s before it: E_INVALID_ARG", async (_title, args) => {
    expect((await failure("entity_history", args)).code).toBe("E_INVALID_ARG");
  });
});

describe("judgement", () => {
  const late = { from: at(2), to: at(1) };
  const zoneless = { from: "2020-01-01T00:00:00", to: null };

  it("takes the first error by code, wherever it is", async () => {
    expect((await failure("entity_history", { uid: "a", window: late })).code).toBe("E_PERIOD_ORDER");
    expect((await failure("entity_history", { uid: "a", window: zoneless })).code).toBe("E_ZONE_MISSING");
    const both = { uid: "a", window: zoneless, ref: { uid: "a" } };
    expect((await failure("entity_history", both)).code).toBe("E_INVALID_ARG");
    const diff = { left: { at: zoneless.from }, right: { at: at(1) }, as_of_tt: "tx:1" };
    expect((await failure("diff_snapshots", diff)).code).toBe("E_INVALID_ARG");
    const axis = { of: "events", valid: { at: at(1) }, kind: "node" };
    expect((await failure("scan", axis)).code).toBe("E_INVALID_ARG");
  });

  it("comes before the pin, and the pin before the uids", async () => {
    expect((await failure("entity_history", { uid: "nobody", window: late, as_of_tt: "tx:9" })).code).toBe(
      "E_PERIOD_ORDER",
    );
    expect((await failure("entity_history", { uid: "nobody", as_of_tt: "tx:9" })).code).toBe("E_TX_UNKNOWN");
    expect((await failure("entity_history", { uid: "nobody" })).code).toBe("E_NOT_FOUND");
  });

  it("names all unknown seeds", async () => {
    const error = await failure("snapshot_subgraph", { seeds: ["x", "a", "y"], at: at(1) });
    expect(error).toMatchObject({ code: "E_NOT_FOUND", details: { unknown: ["x", "y"] } });
  });

  it("refuses too many buckets with the smallest legal stride, which is accepted", async () => {
    const window = { from: "2020-01-01", to: "2020-01-02T03:46:41Z" };
    const scan = { of: "buckets", valid: { window } };
    const error = await failure("scan", { ...scan, stride: "PT1S" });
    expect(error).toMatchObject({ code: "E_LIMIT", details: { smallest: "PT1.000010S" } });
    expect((await call("scan", { ...scan, stride: error.details.smallest })).rows_total).toBe(100_000);
  });

  it.each([
    ["scan", { of: "versions", kind: "edge", tx: { window: { from: null, to: "tx:0" } } }],
    ["version_history", { tx_window: { from: "tx:3", to: "tx:2" } }],
    ["version_history", { tx_window: { from: "2021-01-03", to: "tx:3" } }],
  ])("finds windows of transaction time that hold nothing: %s %j", async (op, args) => {
    expect((await failure(op, args)).code).toBe("E_PERIOD_ORDER");
  });
});

describe("pins", () => {
  it("give one digest for null, the instant, a later instant and the number of one commit", async () => {
    const pins = [
      null,
      "2021-01-05T00:00:00Z",
      "2021-02-01",
      "tx:5",
      { us: 1609804800000000 },
      1609804800000000n,
      new Date("2021-01-05"),
    ];
    const answers = await Promise.all(pins.map((as_of_tt) => call("entity_history", { uid: "a", as_of_tt })));
    expect(new Set(answers.map((answer) => answer.result_digest)).size).toBe(1);
    expect(answers[0]?.args.as_of_tt).toBe("tx:5");
  });

  it("before the first commit are the empty store", async () => {
    const answer = await call("scan", { of: "nodes", as_of_tt: "1999-01-01" });
    expect(answer).toMatchObject({ args: { as_of_tt: "tx:0" }, pin: { tx: 0, tx_time: null }, rows: [] });
  });

  it("beyond the latest are unknown, with the latest in the hint", async () => {
    const error = await failure("scan", { of: "nodes", as_of_tt: "tx:18446744073709551616" });
    expect(error).toMatchObject({ code: "E_TX_UNKNOWN", details: { latest: 5 }, hint: "the latest is tx:5" });
  });
});

describe("the call in full of docs/contract.md A7", () => {
  it("has the digest that is printed there", async () => {
    const args = { uid: "a", window: { from: "2020-01-01", to: "2020-01-01T00:01:40Z" } };
    const answer = await call("temporal_reachability", args, undefined, s1);
    expect(answer.result_digest).toBe("34ea0506876e98176f0ccb6fd58986e2f1751391ebc5dcf790fcbfe2d090d6b6");
  });
});

describe("pages", () => {
  it.each([1, 2, 3])("of %i rows concatenate to the whole, for every list", async (limit) => {
    const args = { seeds: ["a"], hops: 2, at: at(30), as_of_tt: "tx:2" };
    const whole = await call("snapshot_subgraph", args);
    const first = await call("snapshot_subgraph", { ...args, limit });
    const nodes = whole.nodes as { rows: unknown[] };
    for (const [field, all] of [
      ["rows", whole.rows],
      ["nodes", nodes.rows],
    ] as const) {
      const pageOf = (answer: typeof first) =>
        (field === "rows" ? answer : answer.nodes) as { rows: unknown[]; cursor: string | null };
      const rows = [...pageOf(first).rows];
      let { cursor } = pageOf(first);
      while (cursor !== null) {
        const page = await call("snapshot_subgraph", { ...args, as_of_tt: null, limit, cursor });
        expect(page).toMatchObject({ complete: false, incomplete: ["page"], pin: { tx: 2 } });
        expect(field === "rows" ? page.nodes : page.rows).toBeNull();
        rows.push(...pageOf(page).rows);
        cursor = pageOf(page).cursor;
      }
      expect(rows).toEqual(all);
    }
  });

  it("refuse cursors of other arguments, operators, pins and lists", async () => {
    const args = { of: "edges", limit: 1 };
    const { cursor } = await call("scan", args);
    const refused = [
      call("scan", { ...args, names: ["R"], cursor }),
      call("version_history", { limit: 1, cursor }),
      call("scan", { ...args, as_of_tt: "tx:2", cursor }),
      call("scan", { ...args, cursor: `${cursor?.slice(0, -1)}A` }),
    ];
    for (const answer of refused) await expect(answer).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    expect((await call("scan", { ...args, limit: 10, cursor })).rows).not.toHaveLength(0);
  });

  it("keep both pins of a comparison", async () => {
    const args = { left: { at: at(30) }, right: { at: at(90) }, limit: 1 };
    const first = await call("diff_snapshots", args);
    const second = await call("diff_snapshots", { ...args, cursor: first.cursor });
    expect(second.pins).toEqual(first.pins);
    expect(second.rows).toHaveLength(1);
  });
});

describe("cost", () => {
  it("refuses over a ceiling, with suggestions that are accepted", async () => {
    const ceilings = { steps: 7 };
    const args = { uid: "a" };
    const error = await call("temporal_reachability", args, { ceilings }, s1).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "E_COST", details: { at: "estimate", ceiling: { steps: 7 } } });
    const { suggestions } = error.details as { suggestions: { args_patch: object }[] };
    // The longer of the two windows comes first: that to the end of what the store holds.
    expect(suggestions.map(({ args_patch }) => args_patch)).toEqual([
      { window: { from: "2020-01-01T00:00:12.000001Z", to: null } },
      { window: { from: at(10), to: at(15) } },
    ]);
    for (const { args_patch } of suggestions) {
      const answer = await call("temporal_reachability", { ...args, ...args_patch }, { ceilings }, s1);
      expect(answer.complete).toBe(true);
    }
  });

  it("says which count is too large when nothing fits", async () => {
    const error = await failure("scan", { of: "nodes" }, { ceilings: { rows: 0 } });
    expect(error).toMatchObject({ code: "E_COST", details: { suggestions: [] } });
    expect(error.hint).toContain("rows");
  });
});

describe("cancellation", () => {
  it("by signal or deadline is E_CANCELLED with its reason, but a wrong argument comes first", async () => {
    const signal = AbortSignal.abort();
    expect(await failure("entity_history", history, { signal })).toMatchObject({ details: { reason: "signal" } });
    expect(await failure("entity_history", history, { timeoutMs: 0 })).toMatchObject({
      code: "E_CANCELLED",
      details: { reason: "deadline" },
    });
    expect((await failure("entity_history", { uid: 5 }, { signal })).code).toBe("E_SCHEMA");
  });
});

describe("any arguments at all", () => {
  const names = [...new Set(DECLARATIONS.flatMap(({ args }) => argumentNames(args)))];
  const value = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withTypedArray: true }),
    fc.constantFrom("a", "b", "tx:1", "tx:99", "all", "2020-01-01", "PT1S", "nodes", "versions", "buckets", "node"),
    fc.record({ from: fc.constantFrom(null, at(1), "tx:1", 5), to: fc.constantFrom(null, at(9), "tx:0") }),
    fc.record({ at: fc.constantFrom(at(5), "tx:1", null), as_of_tt: fc.constantFrom(null, "tx:2") }),
    fc.constantFrom(
      ["a"],
      ["a", "b"],
      { uid: "a" },
      { src: "a", type: "R", dst: "b" },
      { edge: [{ not: { any: [] } }] },
    ),
  );
  const args = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });

  it("end in an envelope or a PalimpsestError that is no E_INTERNAL", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...DECLARATIONS.map(({ name }) => name)), args, async (op, given) => {
        const outcome = await call(op, given).catch((error) => error);
        if (!(outcome instanceof Error)) return;
        expect(outcome).toBeInstanceOf(PalimpsestError);
        expect((outcome as PalimpsestError).code).not.toBe("E_INTERNAL");
      }),
      { numRuns: 1000 },
    );
  });
});
