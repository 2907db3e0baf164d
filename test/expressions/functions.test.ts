// Every function of expressions, by hand: what it gives, what it makes of null and FOREVER, what it refuses.
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import type { JsonObject, JsonValue } from "../../src/contract/values.js";
import { compileExpression } from "../../src/operators/expressions/expression.js";
import { FUNCTION_NAMES } from "../../src/operators/expressions/functions.js";
import { checkExpression } from "../../src/operators/expressions/schema.js";
import { fromJson, toJson, type ValueType } from "../../src/operators/expressions/types.js";

/** Columns of the one row that expressions are over, and an interval `f` of two of them. */
const COLUMNS: Record<string, [ValueType, JsonValue]> = {
  i: ["int", 7],
  m: ["int", -7],
  big: ["int", 2n ** 53n + 1n],
  least: ["int", -(2n ** 63n)],
  most: ["int", 2n ** 63n - 1n],
  zero: ["int", 0],
  x: ["double", 0.1],
  y: ["double", 0.2],
  near: ["double", 2 ** 53],
  huge: ["double", 1.7e308],
  s: ["string", "Straße"],
  b: ["bool", true],
  n: ["int", null],
  t: ["instant", "2004-04-15T08:02:41Z"],
  u: ["instant", "2004-04-15T09:02:41.000001Z"],
  none: ["instant", null],
  open: ["instant_open", null],
  end: ["instant_open", "2020-01-01T00:00:00Z"],
  d: ["duration", "PT1H"],
  neg: ["duration", "-PT0.000001S"],
  j: ["json", ["a", 1, null]],
  k: ["json", { b: 1, a: 2 }],
  c: ["json", 5],
};

const leaf = (field: string, path: string) => {
  const [type, value] = COLUMNS[field]!;
  const read = () => fromJson(value, type, path);
  return { kind: "value" as const, type, path, isDerived: false, isConstant: false, echo: { field }, read };
};
const scope = {
  leaf: (node: JsonObject, path: string) => {
    if (node.var === undefined) return leaf(node.field as string, path);
    const [from, to] = { f: ["t", "u"], g: ["u", "open"], h: ["t", "end"] }[node.var as string]!;
    return { kind: "interval" as const, path, from: leaf(from!, path), to: leaf(to!, path), echo: { var: node.var } };
  },
};

function compiled(expression: JsonValue) {
  checkExpression(expression, "/e");
  return compileExpression<null>(expression, scope, "/e");
}

/** Type and value of an expression, and the code of its error. */
function evaluated(expression: JsonValue): [ValueType | "error", JsonValue] {
  try {
    const { type, read } = compiled(expression);
    return [type, toJson(read(null), type)];
  } catch (error) {
    return ["error", (error as { code: string }).code];
  }
}

/** `i` is a column, `@f` an interval, anything else that is no text a literal; `'a` is the text a. */
function argument(given: JsonValue): JsonObject {
  if (typeof given === "string") {
    if (given.startsWith("'")) return { value: given.slice(1) };
    return given.startsWith("@") ? { var: given.slice(1) } : { field: given };
  }
  if (typeof given === "object" && given !== null && !Array.isArray(given)) return given;
  return { value: given };
}
const call = (fn: string, args: JsonValue[], more: JsonObject = {}): JsonObject => ({
  fn,
  args: args.map(argument),
  ...more,
});

const tested = new Set<string>();
type Case = [fn: string, args: JsonValue[], type: string, value: JsonValue, more?: JsonObject];

function table(title: string, cases: Case[]): void {
  describe(title, () => {
    for (const [fn] of cases) tested.add(fn);
    for (const [fn, args, type, value, more = {}] of cases) {
      it(`${fn} ${canonicalJson(args)} is ${type} ${canonicalJson(value)}`, () => {
        expect(evaluated(call(fn, args, more))).toEqual([type, value]);
      });
    }
  });
}

table("comparison", [
  ["eq", ["i", 7], "bool", true],
  ["eq", ["big", "near"], "bool", false],
  ["gt", ["big", "near"], "bool", true],
  ["eq", [{ fn: "add", args: [{ field: "x" }, { field: "y" }] }, 0.3], "bool", true],
  ["eq", ["x", 0.1], "bool", true],
  ["eq", ["i", "n"], "bool", null],
  ["eq", [null, null], "bool", null],
  ["eq", ["s", "i"], "error", "E_INVALID_ARG"],
  ["eq", ["t", "d"], "error", "E_INVALID_ARG"],
  ["eq", ["t", "i"], "error", "E_INVALID_ARG"],
  ["eq", ["open", "open"], "bool", true],
  ["gt", ["open", "u"], "bool", true],
  ["lt", ["end", "open"], "bool", true],
  ["lt", ["none", "open"], "bool", null],
  ["eq", ["t", "'2004-04-15T10:02:41+02:00"], "bool", true],
  ["eq", ["t", "'yesterday"], "error", "E_INVALID_ARG"],
  ["eq", ["d", "'PT60M"], "bool", true],
  ["eq", ["open", { value: null, type: "instant_open" }], "bool", true],
  ["ne", ["s", "'Strasse"], "bool", true],
  ["ne", ["n", 1], "bool", null],
  ["lt", ["'\uff5e", "'\u{1f600}"], "bool", true],
  ["le", [false, "b"], "bool", true],
  ["ge", ["i", 7], "bool", true],
  ["ge", ["i", 7.5], "bool", false],
  ["eq", ["k", { value: { a: 2, b: 1 } }], "bool", true],
  ["ne", ["k", { value: { a: 2 } }], "bool", true],
  ["eq", ["c", 5], "bool", true],
  ["eq", ["c", "'5"], "bool", null],
  ["ne", ["c", "'5"], "bool", null],
  ["lt", ["c", 6], "bool", true],
  ["lt", ["k", 6], "bool", null],
  ["lt", ["k", "j"], "bool", null],
  ["eq", ["c", "t"], "error", "E_INVALID_ARG"],
  ["in", ["i", [1, 7]], "bool", true],
  ["in", ["i", [1, 7.5]], "bool", false],
  ["in", ["i", [1, null]], "bool", null],
  ["in", ["i", [7, null]], "bool", true],
  ["in", ["n", [1]], "bool", null],
  ["in", ["i", []], "bool", false],
  ["in", ["i", "m", 7], "bool", true],
  ["in", ["i", "m", "n"], "bool", null],
  ["in", ["big", [2n ** 53n + 1n]], "bool", true],
  ["in", ["near", [2n ** 53n]], "bool", true],
  ["in", ["s", [1]], "error", "E_INVALID_ARG"],
  ["in", ["t", ["2004-04-15T08:02:41.000000Z"]], "bool", true],
  ["in", ["c", ["5", 5]], "bool", true],
  ["in", ["c", ["5"]], "bool", null],
  ["in", [{ fn: "add", args: [{ field: "x" }, { field: "y" }] }, [0.3]], "bool", true],
  ["min2", ["i", 7.5], "double", 7],
  ["max2", ["s", "'Z"], "string", "Z"],
  ["min2", ["i", "n"], "int", null],
  ["max2", ["end", "open"], "instant_open", null],
  ["min2", ["u", "open"], "instant_open", "2004-04-15T09:02:41.000001Z"],
  ["min2", ["j", "j"], "error", "E_INVALID_ARG"],
]);

table("logic and choice", [
  ["and", [true, null], "bool", null],
  ["and", [false, null], "bool", false],
  ["and", [true, "b"], "bool", true],
  ["or", [true, null], "bool", true],
  ["or", [false, null], "bool", null],
  ["or", [false, false], "bool", false],
  ["not", ["b"], "bool", false],
  ["not", [null], "bool", null],
  ["not", ["i"], "error", "E_INVALID_ARG"],
  ["is_null", ["n"], "bool", true],
  ["is_null", ["open"], "bool", false],
  ["is_null", [{ fn: "div", args: [{ value: 1 }, { value: 0 }] }], "bool", true],
  ["coalesce", ["n", "i"], "int", 7],
  ["coalesce", ["n", null], "int", null],
  ["coalesce", ["none", "open"], "instant_open", null],
  ["coalesce", ["n", "s"], "error", "E_INVALID_ARG"],
  ["case", ["b", "i", 1], "int", 7],
  ["case", [false, "i"], "int", null],
  ["case", [null, 1, false, 2, 3.5], "double", 3.5],
  ["case", ["b", "'PT2H", "d"], "duration", "PT2H"],
  ["case", ["i", 1], "error", "E_INVALID_ARG"],
]);

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;

table("arithmetic", [
  ["add", ["i", 1], "int", 8],
  ["add", ["x", "y"], "double", 0.3],
  ["add", ["big", 1], "int", 2n ** 53n + 2n],
  ["add", ["most", 1], "error", "E_LIMIT"],
  ["add", ["most", "least"], "int", -1],
  ["add", ["huge", "huge"], "error", "E_LIMIT"],
  ["add", ["big", 0.5], "double", 2 ** 53 + 2],
  ["add", ["s", 1], "error", "E_INVALID_ARG"],
  ["add", ["i", null], "null", null],
  ["add", ["i", "n"], "int", null],
  ["add", ["t", "d"], "instant", "2004-04-15T09:02:41Z"],
  ["add", ["d", "t"], "instant", "2004-04-15T09:02:41Z"],
  ["add", ["t", "'P1D"], "instant", "2004-04-16T08:02:41Z"],
  ["add", ["open", "d"], "instant", null],
  ["add", ["d", "neg"], "duration", "PT59M59.999999S"],
  ["add", ["t", "u"], "error", "E_INVALID_ARG"],
  ["add", [{ value: "9999-12-31T23:59:59Z", type: "instant" }, "d"], "error", "E_LIMIT"],
  ["sub", ["m", "i"], "int", -14],
  ["sub", ["least", 1], "error", "E_LIMIT"],
  ["sub", ["u", "t"], "duration", "PT1H0.000001S"],
  ["sub", ["t", "'2004-04-15"], "duration", "PT8H2M41S"],
  ["sub", ["open", "t"], "duration", null],
  ["sub", ["t", "d"], "instant", "2004-04-15T07:02:41Z"],
  ["sub", ["d", "t"], "error", "E_INVALID_ARG"],
  ["sub", [{ value: "-9999-01-01T00:00:00Z", type: "instant" }, "d"], "error", "E_LIMIT"],
  ["mul", ["big", 3], "int", 27021597764222979n],
  ["mul", ["most", 2], "error", "E_LIMIT"],
  ["mul", ["least", -1], "error", "E_LIMIT"],
  ["mul", ["huge", 10], "error", "E_LIMIT"],
  ["mul", ["zero", "m"], "int", 0],
  ["mul", ["d", 1.5], "duration", "PT1H30M"],
  ["mul", [0.5, "neg"], "duration", "PT0S"],
  ["mul", [1.5, "neg"], "duration", "-PT0.000002S"],
  ["div", ["i", 2], "double", 3.5],
  ["div", ["i", "zero"], "double", null],
  ["div", [1, 3], "double", 0.333333333],
  ["div", ["most", "most"], "double", 1],
  ["div", ["d", "'PT40M"], "double", 1.5],
  ["div", ["d", 7], "duration", "PT8M34.285714S"],
  ["div", ["d", 0], "duration", null],
  ["floordiv", ["i", 2], "int", 3],
  ["floordiv", ["m", 2], "int", -4],
  ["floordiv", ["i", -2], "int", -4],
  ["floordiv", ["m", "zero"], "int", null],
  ["floordiv", ["least", -1], "error", "E_LIMIT"],
  ["floordiv", ["least", "most"], "int", -2],
  ["floordiv", [9007199254740991, -2], "int", -4503599627370496],
  ["floordiv", [1, "x"], "double", 9],
  ["floordiv", ["d", "'PT25M"], "int", 2],
  ["mod", ["i", 3], "int", 1],
  ["mod", ["m", 3], "int", 2],
  ["mod", ["i", -3], "int", -2],
  ["mod", ["i", "zero"], "int", null],
  ["mod", ["least", "most"], "int", MOST - 1n],
  ["mod", [1, "x"], "double", 0.1],
  ["mod", ["d", "'PT25M"], "duration", "PT10M"],
  ["abs", ["m"], "int", 7],
  ["abs", ["least"], "error", "E_LIMIT"],
  ["abs", ["neg"], "duration", "PT0.000001S"],
  ["abs", ["s"], "error", "E_INVALID_ARG"],
]);

table("text", [
  ["lower", ["'ÀΣİẞ"], "string", "àσiß"],
  ["upper", ["s"], "string", "STRAßE"],
  ["upper", ["'ǆŉᾳﬁ"], "string", "Ǆŉᾼﬁ"],
  ["lower", ["i"], "error", "E_INVALID_ARG"],
  ["length", ["'a\u{1f600}b"], "int", 3],
  ["length", ["j"], "int", 3],
  ["length", ["k"], "int", null],
  ["concat", ["s", "'!", "'?"], "string", "Straße!?"],
  ["concat", ["s", null], "string", null],
  ["concat", ["s", "i"], "error", "E_INVALID_ARG"],
  ["starts_with", ["s", "'Str"], "bool", true],
  ["ends_with", ["s", "'ße"], "bool", true],
  ["ends_with", ["s", null], "bool", null],
  ["contains", ["s", "'raß"], "bool", true],
  ["contains", ["s", "'x"], "bool", false],
  ["contains", ["j", 1], "bool", true],
  ["contains", ["j", "'1"], "bool", false],
  ["contains", ["k", 1], "bool", null],
  ["contains", ["j", "t"], "error", "E_INVALID_ARG"],
  ["has_label", ["j", "'a"], "bool", true],
  ["has_label", ["s", "'a"], "error", "E_INVALID_ARG"],
]);

table("intervals", [
  ["duration", ["t", "u"], "duration", "PT1H0.000001S"],
  ["duration", ["@f"], "duration", "PT1H0.000001S"],
  ["duration", ["@g"], "duration", null],
  ["duration", ["i", "u"], "error", "E_INVALID_ARG"],
  ["duration", ["t"], "error", "E_INVALID_ARG"],
  ["overlap_from", ["@f", "@h"], "instant", "2004-04-15T08:02:41Z"],
  ["overlap_to", ["@f", "@h"], "instant_open", "2004-04-15T09:02:41.000001Z"],
  ["overlap_from", ["@f", "@g"], "instant", null],
  ["overlap_to", ["@g", "u", "open"], "instant_open", null],
  ["allen", ["@f", "@g"], "string", "meets"],
  ["allen", ["t", "end", "@g"], "string", "overlaps"],
  ["allen", ["@f", "none", "open"], "string", null],
  ["allen", ["@f", "t"], "error", "E_INVALID_ARG"],
  ["eq", ["@f", "t"], "error", "E_INVALID_ARG"],
]);

const PARIS = { zone: "Europe/Paris" };
const at = (text: string): JsonObject => ({ value: text, type: "instant" });
table("calendar", [
  ["trunc", ["t"], "instant", "2004-01-01T00:00:00Z", { unit: "year" }],
  ["trunc", ["t"], "instant", "2004-04-01T00:00:00Z", { unit: "quarter" }],
  ["trunc", ["t"], "instant", "2004-03-31T22:00:00Z", { unit: "month", ...PARIS }],
  ["trunc", ["t"], "instant", "2004-04-12T00:00:00Z", { unit: "week" }],
  ["trunc", ["t"], "instant", "2004-04-14T22:00:00Z", { unit: "day", ...PARIS }],
  ["trunc", ["t"], "instant", "2004-04-15T08:00:00Z", { unit: "hour" }],
  ["trunc", ["t"], "instant", "2004-04-15T07:30:00Z", { unit: "hour", zone: "Asia/Kolkata" }],
  ["trunc", ["t"], "instant", "2004-04-15T08:02:00Z", { unit: "minute" }],
  ["trunc", ["u"], "instant", "2004-04-15T09:02:41Z", { unit: "second" }],
  ["trunc", [at("-0001-12-31T23:59:59Z")], "instant", "-0001-01-01T00:00:00Z", { unit: "year" }],
  ["trunc", ["open"], "instant", null, { unit: "day" }],
  ["trunc", ["none"], "instant", null, { unit: "day" }],
  ["trunc", ["'2004-02-29"], "instant", "2004-02-01T00:00:00Z", { unit: "month" }],
  ["trunc", ["i"], "error", "E_INVALID_ARG", { unit: "day" }],
  ["trunc", [at("-9999-01-01T00:00:00Z")], "error", "E_LIMIT", { unit: "year", zone: "America/New_York" }],
  ["trunc", ["t"], "error", "E_INVALID_ARG", { unit: "day", zone: "Europe/Atlantis" }],
  ["trunc", ["t"], "error", "E_SCHEMA", { unit: "microsecond" }],
  ["part", ["t"], "int", 2004, { unit: "year" }],
  ["part", ["t"], "int", 2, { unit: "quarter" }],
  ["part", ["t"], "int", 4, { unit: "month" }],
  ["part", [at("2021-01-03T23:30:00Z")], "int", 53, { unit: "week" }],
  ["part", [at("2021-01-03T23:30:00Z")], "int", 2020, { unit: "iso_year" }],
  ["part", [at("2021-01-03T23:30:00Z")], "int", 1, { unit: "week", ...PARIS }],
  ["part", [at("2021-01-03T23:30:00Z")], "int", 4, { unit: "day", ...PARIS }],
  ["part", [at("2020-12-31T00:00:00Z")], "int", 366, { unit: "day_of_year" }],
  ["part", [at("2021-01-03T23:30:00Z")], "int", 7, { unit: "day_of_week" }],
  ["part", ["t"], "int", 10, { unit: "hour", ...PARIS }],
  ["part", ["t"], "int", 2, { unit: "minute" }],
  ["part", ["t"], "int", 41, { unit: "second" }],
  ["part", [at("1969-12-31T23:59:59.999999Z")], "int", 999999, { unit: "microsecond" }],
  ["part", [at("-0043-03-15T00:00:00Z")], "int", -43, { unit: "year" }],
  ["part", ["open"], "int", null, { unit: "year" }],
  ["part", ["t"], "error", "E_SCHEMA", { unit: "century" }],
  ["eq", ["i", 7], "error", "E_SCHEMA", { unit: "day" }],
]);

it("has a case for every function", () => expect([...tested].sort()).toEqual([...FUNCTION_NAMES].sort()));

describe("the shape", () => {
  it.each([
    ["eq", 1],
    ["not", 2],
    ["in", 1],
    ["case", 1],
    ["add", 3],
  ])("of %s refuses %i arguments", (fn, count) => {
    expect(evaluated(call(fn, Array(count).fill("i")))).toEqual(["error", "E_SCHEMA"]);
  });

  it("is bounded in depth and in parts", () => {
    let deep: JsonObject = { field: "b" };
    for (let i = 0; i < 31; i += 1) deep = { fn: "not", args: [deep] };
    expect(evaluated(deep)).toEqual(["bool", false]);
    expect(evaluated({ fn: "not", args: [deep] })).toEqual(["error", "E_SCHEMA"]);
    const wide = { fn: "and", args: Array(60).fill({ fn: "and", args: Array(16).fill({ field: "b" }) }) };
    expect(evaluated(wide)).toEqual(["error", "E_SCHEMA"]);
    expect(evaluated(call("in", ["i", Array(10_001).fill(1)]))).toEqual(["error", "E_SCHEMA"]);
  });

  it("does not grow texts without bound", () => {
    let text: JsonObject = { value: "x".repeat(1000) };
    for (let i = 0; i < 12; i += 1) text = { fn: "concat", args: [text, text].slice(0, 1 + (i % 2)) };
    let doubled: JsonObject = { value: "x".repeat(2 ** 17) };
    for (let i = 0; i < 5; i += 1) doubled = { fn: "concat", args: [doubled, doubled] };
    expect(evaluated(text)[0]).toBe("string");
    expect(evaluated(doubled)).toEqual(["error", "E_LIMIT"]);
  });
});

describe("the echo", () => {
  it("shows texts as what they were read as, and zones", () => {
    const { echo } = compiled({
      fn: "and",
      args: [
        call("lt", ["t", "'2005-01-01"]),
        call("in", ["d", ["PT60M", "P1D"]]),
        call("eq", [
          { fn: "trunc", unit: "day", args: [{ field: "t" }] },
          { value: "2004-04-15", type: "instant" },
        ]),
      ],
    });
    expect(echo).toEqual({
      fn: "and",
      args: [
        { fn: "lt", args: [{ field: "t" }, { value: "2005-01-01T00:00:00Z" }] },
        { fn: "in", args: [{ field: "d" }, { value: ["PT1H", "PT24H"] }] },
        {
          fn: "eq",
          args: [
            { fn: "trunc", args: [{ field: "t" }], unit: "day", zone: "UTC" },
            { type: "instant", value: "2004-04-15T00:00:00Z" },
          ],
        },
      ],
    });
  });
});

it("rounds a derived double before it is compared, and not while it is computed with", () => {
  // 1e-10 is nothing when it is compared, but ten thousand million of it are one.
  const tiny = { fn: "mul", args: [{ field: "x" }, { value: 1e-9 }] };
  expect(evaluated({ fn: "eq", args: [tiny, { value: 0 }] })).toEqual(["bool", true]);
  expect(evaluated({ fn: "mul", args: [tiny, { value: 1e10 }] })).toEqual(["double", 1]);
});

it("knows the limits of int64", () => expect([LEAST, MOST]).toEqual([COLUMNS.least![1], COLUMNS.most![1]]));
