// What motifs take and refuse: every form of a code, hostile arguments, ceilings, cancellation, and time at its ends.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { type Database, open } from "../../src/index.js";
import { codeOf, edgesOf, GRID_CODES, gridCellOf, paperNameOf, readCode } from "../../src/operators/motif-codes.js";

type Fields = Record<string, unknown>;

describe("codes", () => {
  it.each([
    ["b>a,a>b", "a>b,b>a"],
    ["x>y,Z>y,x>Z", "a>b,c>b,a>c"],
    ["M11", "a>b,c>b,a>b"],
    ["M24", "a>b,b>c,c>a"],
    ["M66", "a>b,a>b,c>b"],
    ["M_star_out_3", "a>b,a>c,a>d"],
    ["cycle:2", "a>b,b>a"],
    ["cycle:6", "a>b,b>c,c>d,d>e,e>f,f>a"],
    ["z>z", "a>a"],
    ["all", "all"],
  ])("%s stands for %s", (given, code) => {
    expect(readCode(given)).toBe(code);
    expect(readCode(code)).toBe(code);
  });

  it.each([
    ["a>b,b>c,c>d,d>e,e>f,f>g", "a>b,b>c,c>d,d>e,e>f"],
    ["a>b,a>b,a>b,a>b,a>b,a>b,a>b", "a>b,a>b,a>b,a>b,a>b,a>b"],
    ["a>b,c>d", "a>b"],
    ["a>b;b>c", "a>b,b>c"],
    ["a>b, b>c", "a>b,b>c"],
    ["a->b,b->a", "a>b,b>a"],
    ["a>b,", "a>b"],
    ["ab", "a>b"],
    ["m24", "a>b,b>c,c>a"],
    ["cycle:7", "a>b,b>a"],
    ["M_triangle_ciclic", "a>b,b>c,c>a"],
  ])("%s is refused, and %s is near", (given, nearest) => {
    expect(readCode(given)).toMatchObject({ nearest, fault: expect.any(String) });
    expect(readCode(nearest)).toBe(nearest);
  });

  it.each(["", "ä>b", "a>b\n", "A".repeat(100_000), "a>b,".repeat(50_000), "\u{1f600}>a"])(
    "anything else is refused with a legal code, case %#",
    (given) => {
      const fault = readCode(given) as { nearest: string };
      expect(readCode(fault.nearest)).toBe(fault.nearest);
    },
  );

  it("name the cells of the grid row by row", () => {
    expect(new Set(GRID_CODES).size).toBe(36);
    expect([0, 5, 6, 35].map((cell) => gridCellOf(GRID_CODES[cell]!))).toEqual(["M11", "M16", "M21", "M66"]);
    for (const code of GRID_CODES) expect(codeOf(edgesOf(code))).toBe(code);
    expect([paperNameOf("a>b,b>c,c>a"), paperNameOf("a>b,c>b,a>b")]).toEqual(["M_triangle_cyclic", null]);
  });
});

describe("calls", () => {
  let db: Database;
  const count = (args: Fields, options = {}) => db.call("count_temporal_motifs" as string, args, options);
  const refusal = async (args: Fields, options = {}): Promise<PalimpsestError> => {
    const error = await count(args, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PalimpsestError);
    return error as PalimpsestError;
  };

  beforeAll(async () => {
    db = await open(":memory:");
    const n = 40_000;
    const node = (i: number) => `${(i * 7919) % 61}`;
    await db.ingest(
      {
        src: Array.from({ length: n }, (_, i) => node(i)),
        dst: Array.from({ length: n }, (_, i) => node(i + 1)),
        type: Array.from({ length: n }, () => "E"),
        time: BigInt64Array.from({ length: n }, (_, i) => BigInt(i) * 1_000_000n),
      },
      { nodeLabels: ["P"] },
    );
  });
  afterAll(() => db.close());

  it.each<[string, Fields, string]>([
    ["a window that ends before it begins", { window: { from: "2020-01-02", to: "2020-01-01" } }, "E_PERIOD_ORDER"],
    ["a delta without an exact length", { delta: "P1M" }, "E_INVALID_ARG"],
    ["a negative delta", { delta: "-PT1S" }, "E_INVALID_ARG"],
    ["no edges", { motif: { edges: [] } }, "E_SCHEMA"],
    ["seven edges", { motif: { edges: Array(7).fill({ src: "a", dst: "b" }) } }, "E_SCHEMA"],
    ["a letter of two letters", { motif: { edges: [{ src: "ab", dst: "b" }] } }, "E_INVALID_ARG"],
    [
      "edges that do not hang together",
      {
        motif: {
          edges: [
            { src: "a", dst: "b" },
            { src: "c", dst: "d" },
          ],
        },
      },
      "E_INVALID_ARG",
    ],
    ["a node that no edge names", { motif: { edges: [{ src: "a", dst: "b" }], nodes: { c: {} } } }, "E_INVALID_ARG"],
    ["a node of two letters", { motif: { edges: [{ src: "a", dst: "b" }], nodes: { ab: {} } } }, "E_SCHEMA"],
    [
      "a prototype as node",
      { motif: { edges: [{ src: "a", dst: "b" }], nodes: JSON.parse('{"__proto__": {}}') } },
      "E_SCHEMA",
    ],
    ["an unknown key of an edge", { motif: { edges: [{ src: "a", dst: "b", key: "" }] } }, "E_SCHEMA"],
    ["a motif that is a number", { motif: 5 }, "E_SCHEMA"],
    ["ties of another kind", { ties: "loose" }, "E_SCHEMA"],
  ])("refuses %s", async (_, args, code) => {
    expect((await refusal({ motif: "all", delta: "PT1S", ...args })).code).toBe(code);
  });

  it("names the nearest legal code of a refused pattern", async () => {
    expect((await refusal({ motif: "a>b,c>d,d>e", delta: "PT1S" })).hint).toContain('"a>b"');
    expect((await refusal({ motif: "M42x", delta: "PT1S" })).hint).toContain('"a>b,a>c,b>a"');
  });

  it("refuses what is too much with a window and a delta that fit", async () => {
    const ceilings = { steps: 400_000 };
    const args = { motif: "all", delta: "PT10H" };
    const error = await refusal(args, { ceilings });
    expect(error).toMatchObject({ code: "E_COST", details: { at: "estimate" } });
    const { suggestions } = error.details as { suggestions: { args_patch: Fields }[] };
    expect(suggestions.map(({ args_patch }) => Object.keys(args_patch)[0])).toEqual(
      expect.arrayContaining(["window", "delta"]),
    );
    for (const { args_patch } of suggestions) {
      const again = await count({ ...args, ...args_patch }, { ceilings }).catch((thrown: unknown) => thrown);
      if (again instanceof PalimpsestError) expect(again.details).toMatchObject({ at: "run" });
    }
  });

  it("ends at once when it is cancelled, before or while it runs", async () => {
    const slow = { motif: "cycle:5", delta: "PT2H" };
    expect(await refusal(slow, { deadlineMs: 0 })).toMatchObject({ details: { reason: "deadline" } });
    expect(await refusal(slow, { signal: AbortSignal.abort() })).toMatchObject({ details: { reason: "signal" } });
    const running = new AbortController();
    const ceilings = { steps: Number.POSITIVE_INFINITY };
    const outcome = refusal(slow, { signal: running.signal, ceilings });
    setTimeout(() => running.abort(), 20);
    expect(await outcome).toMatchObject({ code: "E_CANCELLED", details: { reason: "signal" } });
  });

  it("finds nothing in a store without events, at any pin", async () => {
    const empty = await open(":memory:");
    const answer = await empty.call("count_temporal_motifs", { motif: "all", delta: "PT0S" });
    expect([answer.count, answer.events, answer.rows_total]).toEqual([0, 0, 36]);
    expect((await empty.call("find_temporal_motifs", { motif: "all", delta: "P999999D" })).rows).toEqual([]);
    await empty.close();
    expect((await count({ motif: "all", delta: "P9D", as_of_tt: "tx:0" })).events).toBe(0);
  });

  it("spans all of time, in microseconds", async () => {
    const wide = await open(":memory:");
    const edge = (src: string, dst: string, valid_from: string, key: string) => ({
      op: "assert_edge" as const,
      ...{ src, type: "ünï", dst, key, valid_from, valid_to: null },
    });
    await wide.write([
      edge("\u{1f600}", "\uff5e", "-9999-01-01T00:00:00Z", "1"),
      edge("\uff5e", "é", "1970-01-01T00:00:00.000001Z", "2"),
      edge("é", "\u{1f600}", "9999-12-31T23:59:59.999999Z", "3"),
    ]);
    const found = await wide.call("find_temporal_motifs", { motif: "M24", delta: "PT175307616H" });
    expect(found.rows).toMatchObject([{ nodes: { a: "\u{1f600}", b: "\uff5e", c: "é" } }]);
    const span = "PT175307615H59M59.999999S";
    expect(found.rows).toMatchObject([{ span }]);
    expect((await wide.call("count_temporal_motifs", { motif: "M24", delta: span })).count).toBe(1);
    const less = "PT175307615H59M59.999998S";
    expect((await wide.call("count_temporal_motifs", { motif: "M24", delta: less })).count).toBe(0);
    await wide.close();
  });
});
