// compute by hand: exact numbers, times, open ends, what is refused and how it is said, pages, inputs of a plan.
import { describe, expect, expectTypeOf, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { Database } from "../../src/database.js";
import type { Upstream } from "../../src/operators/declaration.js";
import { lookUp } from "../../src/operators/registry.js";
import { allRows, callCompute } from "../support/storeless.js";

const MOST = 2n ** 63n - 1n;
const LEAST = -(2n ** 63n);

const valueAndType = async (args: object): Promise<unknown> => {
  const { value, value_type } = await callCompute(args);
  return [value, value_type];
};
const failure = async (args: unknown, upstream?: Upstream): Promise<PalimpsestError> => {
  const error = await callCompute(args as object, upstream === undefined ? {} : { upstream }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(PalimpsestError);
  return error;
};

describe("values", () => {
  it.each<[title: string, args: object, value: unknown, type: string]>([
    ["sum of doubles", { fn: "sum", input: [0.1, 0.2] }, 0.3, "double"],
    ["sum that cancels", { fn: "sum", input: [1e300, 0.25, -1e300] }, 0.25, "double"],
    ["sum to the edge of int64", { fn: "sum", input: [MOST, -1, 1] }, MOST, "int"],
    ["sum of the least", { fn: "sum", input: [LEAST + 1n, -1] }, LEAST, "int"],
    ["sum of durations", { fn: "sum", input: ["PT1H", "P1D"], types: { value: "duration" } }, "PT25H", "duration"],
    [
      "instants in every form of JavaScript",
      {
        fn: "count_distinct",
        input: [{ t: 1_577_836_800_000_000n }, { t: new Date("2020-01-01") }, { t: { us: 1_577_836_800_000_000 } }],
        field: "t",
        types: { t: "instant" },
      },
      1,
      "int",
    ],
    ["small bigints", { fn: "sum", input: [1n, 2] }, 3, "int"],
    ["sum of nothing", { fn: "sum", input: [] }, null, "null"],
    ["sum of nulls", { fn: "sum", input: [null, null] }, null, "null"],
    ["mean of integers", { fn: "mean", input: [1, 2] }, 1.5, "double"],
    ["mean beyond 2^53", { fn: "mean", input: [MOST, MOST] }, 2 ** 63, "double"],
    [
      "mean of instants, half to even",
      { fn: "mean", input: ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.000001Z"], types: { value: "instant" } },
      "2020-01-01T00:00:00Z",
      "instant",
    ],
    ["mean with forever", { fn: "mean", input: ["2020-01-01", null], types: { value: "instant_open" } }, null, "null"],
    ["median of integers", { fn: "median", input: [3, 1, null, 2] }, 2, "double"],
    ["median of an even count", { fn: "median", input: [1, 2] }, 1.5, "double"],
    ["deviation", { fn: "stddev", input: [2, 4, 4, 4, 5, 5, 7, 9] }, 2, "double"],
    [
      "deviation of durations",
      { fn: "stddev", input: ["PT1S", "PT3S"], types: { value: "duration" } },
      "PT1S",
      "duration",
    ],
    [
      "max with forever",
      { fn: "max", input: [{ e: null }, { e: "2020-01-01" }], field: "e", types: { e: "instant_open" } },
      null,
      "instant_open",
    ],
    ["deviation near the end of the doubles", { fn: "stddev", input: [1.7e308, -1.7e308] }, 1.7e308, "double"],
    ["min of texts", { fn: "min", input: ["\u{1f600}", "\uff5e"] }, "\uff5e", "string"],
    ["count of rows", { fn: "count", input: [null, 1, null] }, 3, "int"],
    ["count of values", { fn: "count", input: [{ a: null }, { a: 1 }, {}], field: "a" }, 1, "int"],
    [
      "count of open ends",
      { fn: "count", input: [{ e: null }, {}, { e: "2020-01-01" }], field: "e", types: { e: "instant_open" } },
      3,
      "int",
    ],
    ["different numbers", { fn: "count_distinct", input: [2n ** 53n, 2 ** 53, 2n ** 53n + 1n, 1, 1.5] }, 4, "int"],
    ["different rows", { fn: "count_distinct", input: [{ a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1 }] }, 2, "int"],
    ["nearest rank", { fn: "percentile", input: [1, 2, 3, 4], p: 50 }, 2, "int"],
    ["nearest rank at 0", { fn: "percentile", input: ["b", "a"], p: 0 }, "a", "string"],
    ["linear", { fn: "percentile", input: [1, 2, 3, 4], p: 50, method: "linear" }, 2.5, "double"],
    ["linear at a tenth", { fn: "percentile", input: [0, 10], p: 0.1, method: "linear" }, 0.01, "double"],
    [
      "linear of durations",
      { fn: "percentile", input: ["PT0S", "PT10S"], p: 25, method: "linear", types: { value: "duration" } },
      "PT2.500000S",
      "duration",
    ],
    [
      "linear toward forever",
      { fn: "percentile", input: ["2020-01-01", null], p: 25, method: "linear", types: { value: "instant_open" } },
      null,
      "null",
    ],
    ["ratio", { fn: "ratio", x: 2, y: 3 }, 0.666666667, "double"],
    ["ratio by zero", { fn: "ratio", x: 2, y: 0 }, null, "null"],
    ["ratio of large integers", { fn: "ratio", x: MOST, y: MOST - 1n }, 1, "double"],
    [
      "ratio of durations",
      { fn: "ratio", x: "PT1H", y: "PT40M", types: { x: "duration", y: "duration" } },
      1.5,
      "double",
    ],
    ["percent", { fn: "percent", x: 1, y: 3 }, 33.333333333, "double"],
    ["diff of doubles", { fn: "diff", x: 0.3, y: 0.1 }, 0.2, "double"],
    ["diff of integers", { fn: "diff", x: 2n ** 53n + 1n, y: 1 }, 2n ** 53n, "int"],
    ["diff with null", { fn: "diff", x: null, y: 1 }, null, "null"],
    [
      "diff with forever",
      { fn: "diff", x: null, y: "2020-01-01", types: { x: "instant_open", y: "instant" } },
      null,
      "null",
    ],
    [
      "a day earlier",
      { fn: "diff", x: "2020-03-01", y: "P1D", types: { x: "instant", y: "duration" } },
      "2020-02-29T00:00:00Z",
      "instant",
    ],
  ])("%s", async (_, args, value, type) => expect(await valueAndType(args)).toEqual([value, type]));

  it("name the thirteen relations of intervals", async () => {
    const at = (n: number) => `2020-01-0${n}T00:00:00Z`;
    const b = { from: at(3), to: at(6) };
    const cases: [number, number | null, string][] = [
      [1, 2, "before"],
      [1, 3, "meets"],
      [1, 4, "overlaps"],
      [3, 4, "starts"],
      [4, 5, "during"],
      [4, 6, "finishes"],
      [3, 6, "equals"],
      [7, null, "after"],
      [6, 7, "met_by"],
      [4, null, "overlapped_by"],
      [3, 7, "started_by"],
      [1, null, "contains"],
      [1, 6, "finished_by"],
    ];
    for (const [from, to, name] of cases) {
      const a = { from: at(from), to: to === null ? null : at(to) };
      expect(await valueAndType({ fn: "interval_relation", a, b })).toEqual([name, "string"]);
    }
  });

  it("have no rows, and take no cursor", async () => {
    const answer = await callCompute({ fn: "count", input: [1] });
    expect(answer).toMatchObject({ pin: null, rows: null, rows_total: null, truncated: false, complete: true });
    expect(answer.args).toEqual({
      fn: "count",
      input: [1],
      field: null,
      by: null,
      types: {},
      limit: 100,
      cursor: null,
    });
  });
});

describe("tables", () => {
  it("fill columns that a row lacks, whatever their names", async () => {
    const input = [JSON.parse('{"__proto__": 1}'), { constructor: 2 }];
    const [first, second] = await allRows({
      fn: "derive",
      input,
      columns: [{ as: "n", expr: { field: "__proto__" } }],
    });
    expect(Object.entries(first as object)).toEqual([
      ["__proto__", 1],
      ["constructor", null],
      ["n", 1],
    ]);
    expect(Object.entries(second as object)).toEqual([
      ["__proto__", null],
      ["constructor", 2],
      ["n", null],
    ]);
  });

  it("carry a column whose values do not mix, and compute with none", async () => {
    const input = [
      { a: 1, b: 1 },
      { a: 2, b: "x" },
    ];
    expect(await allRows({ fn: "sort", input, order: [{ field: "a", desc: true }] })).toEqual([input[1], input[0]]);
    expect(await allRows({ fn: "project", input, fields: [{ from: "b", as: "c" }] })).toEqual([{ c: 1 }, { c: "x" }]);
    const error = await failure({ fn: "sort", input, order: [{ field: "b" }] });
    expect(error).toMatchObject({ code: "E_INVALID_ARG", details: { row: 1, types: ["int", "string"] } });
  });

  it("page, and a cursor is bound to the call", async () => {
    const args = { fn: "sort", input: [3, 1, 2], order: [{ field: "value" }] };
    const page = await callCompute({ ...args, limit: 2 });
    expect(page).toMatchObject({ rows: [{ value: 1 }, { value: 2 }], rows_total: 3, incomplete: ["page"] });
    const { cursor } = page;
    expect((await callCompute({ ...args, limit: 2, cursor })).rows).toEqual([{ value: 3 }]);
    expect((await failure({ ...args, input: [3, 1, 2, 0], cursor })).code).toBe("E_INVALID_ARG");
    expect((await failure({ fn: "count", input: [3, 1, 2], cursor })).code).toBe("E_INVALID_ARG");
  });

  it("join forever with forever, and null with nothing", async () => {
    const [input, other] = [[{ e: null, a: 1 }], [{ e: null, a: 2 }]];
    const join = { fn: "join", input, other, on: [["e", "e"]] };
    expect(await allRows({ ...join, types: { e: "instant_open" } })).toEqual([{ e: null, a: 1, r_a: 2 }]);
    expect(await allRows({ ...join, types: { e: "instant" } })).toEqual([]);
    expect((await failure({ ...join, prefix: "" })).code).toBe("E_INVALID_ARG");
  });

  it("count pairs of a join without making them", async () => {
    const rows = Array(3000).fill({ k: 1 });
    const page = await callCompute({ fn: "join", input: rows, other: rows, on: [["k", "k"]], limit: 1 });
    expect(page.rows_total).toBe(9_000_000);
  });

  it("stand null first also where the order descends", async () => {
    const args = { fn: "sort", input: [1, null, 2], order: [{ field: "value", desc: true }] };
    expect(await allRows(args)).toEqual([{ value: null }, { value: 2 }, { value: 1 }]);
  });

  it("take shares that are read as decimals", async () => {
    const args = { fn: "topk", input: Array.from({ length: 1000 }, (_, i) => i), order: [{ field: "value" }] };
    expect((await callCompute({ ...args, pct: 0.1 })).rows_total).toBe(1);
    expect((await callCompute({ ...args, pct: 30.1 })).rows_total).toBe(301);
    expect((await callCompute({ ...args, pct: 100 })).rows_total).toBe(1000);
  });
});

describe("what is refused", () => {
  it.each<[title: string, args: unknown, code: string, path?: string]>([
    ["no arguments", undefined, "E_SCHEMA"],
    ["an unknown function", { fn: "avg", input: [] }, "E_SCHEMA", "/fn"],
    ["a key of another function", { fn: "sum", input: [], k: 1 }, "E_SCHEMA", "/k"],
    ["a pin", { fn: "sum", input: [], as_of_tt: null }, "E_SCHEMA", "/as_of_tt"],
    ["an input that is no list", { fn: "sum", input: { a: 1 } }, "E_SCHEMA", "/input"],
    ["an unknown column", { fn: "sum", input: [{ n: 1 }], field: "m" }, "E_SCHEMA", "/field"],
    [
      "a type of no column",
      { fn: "sum", input: [{ n: 1 }], field: "n", types: { m: "duration" } },
      "E_SCHEMA",
      "/types/m",
    ],
    ["no column", { fn: "sum", input: [{ n: 1 }] }, "E_INVALID_ARG", "/field"],
    ["texts that are summed", { fn: "sum", input: ["PT1H"] }, "E_INVALID_ARG", "/field"],
    [
      "instants that are summed",
      { fn: "sum", input: ["2020-01-01"], types: { value: "instant" } },
      "E_INVALID_ARG",
      "/field",
    ],
    ["JSON that is ordered", { fn: "max", input: [{ a: [1] }], field: "a" }, "E_INVALID_ARG", "/field"],
    ["rows of two kinds", { fn: "count", input: [{ a: 1 }, 2] }, "E_INVALID_ARG", "/input/1"],
    ["rows that are lists", { fn: "count", input: [[1]] }, "E_INVALID_ARG", "/input/0"],
    ["NaN", { fn: "sum", input: [1, Number.NaN] }, "E_INVALID_ARG", "/input/1"],
    ["an infinity inside", { fn: "sum", input: [{ n: { m: Infinity } }], field: "n" }, "E_INVALID_ARG", "/input/0/n/m"],
    ["a bigint beyond int64", { fn: "sum", input: [MOST + 1n] }, "E_INVALID_ARG", "/input/0"],
    ["a lone surrogate", { fn: "count", input: ["\ud800"] }, "E_INVALID_ARG", "/input/0"],
    ["a hole", { fn: "count", input: Array(3) }, "E_SCHEMA", "/input/0"],
    ["a date that is not typed", { fn: "count", input: [{ t: new Date(0) }] }, "E_SCHEMA", "/input/0/t"],
    [
      "a text that is no instant",
      { fn: "count", input: ["x"], types: { value: "instant" } },
      "E_INVALID_ARG",
      "/input/0/value",
    ],
    [
      "a text without zone",
      { fn: "count", input: ["2020-01-01T00:00:00"], types: { value: "instant" } },
      "E_ZONE_MISSING",
    ],
    [
      "a percentile without p",
      { fn: "group", input: [], by: ["a"], aggregates: [{ fn: "percentile", as: "x" }] },
      "E_INVALID_ARG",
    ],
    ["p above 100", { fn: "percentile", input: [], p: 101 }, "E_SCHEMA", "/p"],
    ["k and pct", { fn: "topk", input: [], order: [{ field: "a" }], k: 1, pct: 1 }, "E_INVALID_ARG", "/k"],
    ["neither k nor pct", { fn: "topk", input: [], order: [{ field: "a" }] }, "E_INVALID_ARG", "/k"],
    [
      "two columns of a name",
      {
        fn: "project",
        input: [],
        fields: [
          { from: "a", as: "x" },
          { from: "b", as: "x" },
        ],
      },
      "E_INVALID_ARG",
    ],
    [
      "an existing name",
      { fn: "derive", input: [{ a: 1 }], columns: [{ as: "a", expr: { value: 1 } }] },
      "E_INVALID_ARG",
      "/columns/0/as",
    ],
    ["a test that is no truth", { fn: "filter", input: [{ a: 1 }], test: { field: "a" } }, "E_INVALID_ARG", "/test"],
    ["a function of no such name", { fn: "filter", input: [], test: { fn: "rand", args: [] } }, "E_SCHEMA", "/test/fn"],
    ["sets of other columns", { fn: "union", input: [{ a: 1 }], other: [{ b: 1 }] }, "E_SCHEMA", "/fields/0"],
    ["sets of other types", { fn: "union", input: [1], other: ["1"] }, "E_INVALID_ARG"],
    ["numbers and texts in a percentage", { fn: "percent", x: 1, y: "2" }, "E_INVALID_ARG", "/x"],
    [
      "a duration in percent of a number",
      { fn: "percent", x: "PT1H", y: 2, types: { x: "duration" } },
      "E_INVALID_ARG",
      "/x",
    ],
    [
      "an interval that is empty",
      { fn: "interval_relation", a: { from: "2020-01-01", to: "2020-01-01" }, b: { from: "2020-01-01", to: null } },
      "E_PERIOD_ORDER",
      "/a",
    ],
    [
      "too many columns",
      { fn: "count", input: [Object.fromEntries(Array.from({ length: 1025 }, (_, i) => [`c${i}`, i]))] },
      "E_LIMIT",
      "/input",
    ],
    ["too many rows", { fn: "count", input: Array(1_000_001).fill(1) }, "E_SCHEMA", "/input"],
  ])("%s", async (_, args, code, path) => {
    const error = await failure(args);
    expect(error.code).toBe(code);
    if (path !== undefined) expect(error.details.path).toBe(path);
  });

  it("an overflow in a row says which row", async () => {
    const test = { fn: "gt", args: [{ fn: "mul", args: [{ field: "value" }, { value: 2 }] }, { value: 0 }] };
    expect(await failure({ fn: "filter", input: [1, MOST], test })).toMatchObject({
      code: "E_LIMIT",
      details: { row: 1 },
    });
  });

  it("by ceilings of rows and of steps", async () => {
    const args = { fn: "filter", input: [1, 2], test: { fn: "gt", args: [{ field: "value" }, { value: 1 }] } };
    const codeUnder = (ceilings: object) => callCompute(args, { ceilings }).catch((error) => error.code);
    expect(await codeUnder({ rows: 1 })).toBe("E_COST");
    expect(await codeUnder({ steps: 5 })).toBe("E_COST");
    expect(await codeUnder({ rows: 2, steps: 6 })).toMatchObject({ rows_total: 1 });
  });

  it("by signal and deadline, at once and on the way", async () => {
    const input = Array.from({ length: 50_000 }, (_, i) => ({ i, text: `text ${i}` }));
    const args = { fn: "sort", input, order: [{ field: "text" }] };
    const reason = (options: object) => callCompute(args, options).catch((error) => error.details.reason);
    expect(await reason({ timeoutMs: 0 })).toBe("deadline");
    expect(await reason({ signal: AbortSignal.abort() })).toBe("signal");
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    expect(await reason({ signal: controller.signal })).toBe("signal");
  });
});

describe("inputs of a plan", () => {
  const told = (types: Upstream["types"], more: Partial<Upstream> = {}): Upstream => ({
    isIncomplete: false,
    erased: 0,
    types,
    ...more,
  });

  it("are typed by the step that made them", async () => {
    const input = [{ valid_to: null }, { valid_to: "2020-01-01T00:00:00Z" }];
    const upstream = told({ input: { valid_to: "instant_open", note: "string" } }, { erased: 3 });
    const answer = await callCompute({ fn: "max", input, field: "valid_to" }, { upstream });
    expect(answer).toMatchObject({ value: null, value_type: "instant_open", erased: 3 });
    const nothing = told({ input: { n: "int" } });
    expect(await callCompute({ fn: "sum", input: [], field: "n" }, { upstream: nothing })).toMatchObject({
      value: null,
    });
    expect((await failure({ fn: "sum", input: [], field: "m" }, nothing)).code).toBe("E_SCHEMA");
    const pair = told({ x: { value: "instant" }, y: { value: "instant" } });
    const diff = { fn: "diff", x: "2020-01-02T00:00:00Z", y: "2020-01-01T00:00:00Z" };
    expect(await callCompute(diff, { upstream: pair })).toMatchObject({ value: "PT24H", value_type: "duration" });
  });

  it("that are incomplete are refused where only a whole has a meaning, and said elsewhere", async () => {
    const upstream = told({}, { isIncomplete: true });
    const [input, other, on] = [[1], [2], [["value", "value"]]];
    for (const args of [
      { fn: "count", input },
      { fn: "percentile", input, p: 1 },
      { fn: "group", input, by: ["value"], aggregates: [{ fn: "count", as: "n" }] },
      { fn: "topk", input, order: [{ field: "value" }], k: 1 },
      { fn: "join", input, other, on, how: "anti" },
      { fn: "difference", input, other },
      { fn: "ratio", x: 1, y: 2 },
      { fn: "diff", x: 1, y: 2 },
      { fn: "percent", x: 1, y: 2 },
    ]) {
      expect((await failure(args, upstream)).code, args.fn).toBe("E_UPSTREAM");
    }
    for (const args of [
      { fn: "join", input, other, on, how: "semi" },
      { fn: "union", input, other },
      { fn: "sort", input, order: [{ field: "value" }] },
    ]) {
      expect(await callCompute(args, { upstream }), args.fn).toMatchObject({
        complete: false,
        incomplete: ["upstream"],
      });
    }
    const cut = await callCompute({ fn: "union", input, other, limit: 1 }, { upstream });
    expect(cut.incomplete).toEqual(["page", "upstream"]);
  });

  it("tell the types of the answer before anything runs", () => {
    const { answerTypes } = lookUp("compute").declaration;
    const types = { input: { g: "string", n: "int", t: "instant" }, other: { g: "string", n: "double" } } as const;
    const typed = (args: object) => {
      const all = {
        input: { $ref: "s1" },
        other: { $ref: "s2" },
        types: {},
        by: null,
        fields: null,
        prefix: "r_",
        ...args,
      };
      return answerTypes!(all as never, types);
    };
    expect(typed({ fn: "mean", field: "n" })).toEqual({ kind: "value", columns: { value: "double" } });
    expect(typed({ fn: "mean", field: "t", by: ["g"] })).toEqual({
      kind: "table",
      columns: { g: "string", value: "instant" },
    });
    expect(typed({ fn: "join", on: [["g", "g"]], how: "inner" }).columns).toEqual({ ...types.input, r_n: "double" });
    expect(typed({ fn: "union", fields: ["n"], all: false }).columns).toEqual({ n: "double" });
    const expr = { fn: "sub", args: [{ field: "t" }, { value: "2020-01-01" }] };
    expect(typed({ fn: "derive", columns: [{ as: "age", expr }] }).columns).toEqual({
      ...types.input,
      age: "duration",
    });
    expect(() => typed({ fn: "sum", field: "g" })).toThrow(expect.objectContaining({ code: "E_INVALID_ARG" }));
    expect(() => typed({ fn: "join", on: [["g", "n"]], how: "inner" })).toThrow(
      expect.objectContaining({ code: "E_INVALID_ARG" }),
    );
    const pair = { x: { value: "instant" }, y: { value: "instant" } } as const;
    const diff = { fn: "diff", x: { $ref: "s1.rows[0].at" }, y: { $ref: "s2.rows[0].at" } };
    expect(answerTypes!(diff as never, pair)).toEqual({ kind: "value", columns: { value: "duration" } });
  });
});

describe("long work", () => {
  it("takes turns with the rest of the program", async () => {
    const input = Array.from({ length: 60_000 }, (_, i) => ({ g: `g${i % 7}`, n: (i * 48_271) % 65_537 }));
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const aggregates = [{ fn: "median", field: "n", as: "m" }];
    const groups = await callCompute({ fn: "group", input, by: ["g"], aggregates });
    isOver = true;
    expect(groups.rows_total).toBe(7);
    expect(turns).toBeGreaterThan(5);
  });
});

it("is typed by its function", () => {
  type Call = Parameters<Database["call"]>;
  expectTypeOf<Call>().not.toBeAny();
  const call = (db: Database) => db.call("compute", { fn: "topk", input: [{ n: 1 }], order: [{ field: "n" }], k: 1 });
  expectTypeOf<Awaited<ReturnType<typeof call>>["pin"]>().toEqualTypeOf<null>();
});
