// resolve_entities by the reference engine: worked examples, folding, distance, tiers and aliases.

import { describe, expect, it } from "vitest";
import { alignmentDistance, fold } from "../../src/reference/folding.js";
import { at, type Fields, PAGE, s2, shown, storeOf } from "../support/example-stores.js";

const DEFAULTS = { name_props: ["name"], labels: null, at: null, min_tier: "alias", max_distance: null, ...PAGE };

describe("resolve_entities", () => {
  const ask = (query: string, args: Fields = {}) =>
    s2().call("resolve_entities", { query, as_of_tt: "tx:5", ...DEFAULTS, ...args }).payload;

  it("finds names, and former names", () => {
    const ada = { uid: "a", labels: ["P"], name: "Ada", on: "name", distance: 0 };
    expect(shown(ask("ada").rows)).toEqual([{ ...ada, tier: "exact", matched: "Ada" }]);
    const alias = { kind: "former", how: "exact", valid_from: at(80), valid_to: at(120) };
    expect(shown(ask("Ada L").rows)).toEqual([{ ...ada, tier: "alias", matched: "Ada L", alias }]);
    expect(ask("Ada L", { as_of_tt: "tx:4" }).rows).toEqual([]);
    expect(ask("Ada L", { min_tier: "fuzzy" }).rows).toEqual([]);
    expect(ask("Ada L", { at: at(90), labels: ["Q"] }).tiers).toMatchObject({ exact: 1, alias: 0 });
  });

  it("finds entities without a node version by uid", () => {
    const found = {
      uid: "c",
      labels: [],
      name: null,
      tier: "exact",
      on: "uid",
      matched: "c",
      distance: 0,
      alias: null,
    };
    expect(ask("C").rows).toEqual([found]);
    expect(ask("C", { labels: ["P"] }).rows).toEqual([]);
  });

  it("orders tiers, and shows corrected names last", () => {
    const node = (uid: string, name: string) => ({ op: "assert_node", uid, props: { name }, valid_from: at(0) });
    const store = storeOf([
      [node("1", "Marta"), node("2", "Martha"), node("3", "St. Marta"), node("4", "marta"), node("5", "Marta B")],
      [{ ...node("6", "Mrata") }, { ...node("7", "Marta") }],
      [{ op: "correct", ref: { uid: "7" }, labels: [], props: { name: "Anna" }, valid_from: at(0), valid_to: null }],
    ]);
    const { rows, tiers } = store.call("resolve_entities", { query: "Marta", as_of_tt: "tx:3", ...DEFAULTS }).payload;
    expect((rows as Fields[]).map(({ uid, tier, distance }) => [uid, tier, distance])).toEqual([
      ["1", "exact", 0],
      ["4", "exact", 0],
      ["5", "prefix", 0],
      ["3", "substring", 0],
      ["6", "fuzzy", 1],
      ["2", "fuzzy", 1],
      ["7", "alias", 0],
    ]);
    expect((rows as Fields[]).at(-1)).toMatchObject({ name: "Anna", matched: "Marta", alias: { kind: "corrected" } });
    expect(tiers).toEqual({ exact: 2, prefix: 1, substring: 1, fuzzy: 2, alias: 1 });
  });
});

describe("folding", () => {
  it("is full case folding", () => {
    const pairs = [
      ["Straße", "strasse"],
      ["\u1e9e", "ss"],
      ["ΣΑΣ ς", "σασ σ"],
      ["\u0130", "i\u0307"],
      ["\u0131I", "\u0131i"],
      ["\ufb03", "ffi"],
      ["\u1f88\u1fb3", "\u1f00\u03b9\u03b1\u03b9"],
      ["\u212a\u2126\u017f", "k\u03c9s"],
      ["\u13a0\uab70\u13f8", "\u13a0\u13a0\u13f0"],
      ["\u{10400}", "\u{10428}"],
    ];
    expect(pairs.map(([text]) => fold(text!))).toEqual(pairs.map(([, folded]) => folded));
  });

  it("counts edits and swaps of code points", () => {
    const pairs = [
      ["abc", "abc", 0],
      ["abc", "acb", 1],
      ["ca", "abc", 3],
      ["", "ab", 2],
      ["😀a", "a😀", 1],
    ] as const;
    expect(pairs.map(([a, b]) => alignmentDistance(a, b))).toEqual(pairs.map(([, , distance]) => distance));
  });
});
