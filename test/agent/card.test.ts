// The card of a store: counted by hand on a small store at several pins, on a sample of a large one, and cut.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Card, cardOf, WHOLE_CARD } from "../../src/agent/prompt/card.js";
import { CAPS, Fences } from "../../src/agent/prompt/fence.js";
import { roughTokens } from "../../src/agent/provider/tokens.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import type { JsonObject, JsonValue } from "../../src/contract/values.js";
import { NativeCatalogue } from "../../src/operators/native/catalogue.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { Catalogue } from "../../src/query/compile/catalogue.js";
import { Store } from "../../src/store/store.js";

class Carded {
  private readonly engine: NativeEngine;
  private readonly catalogue: Catalogue;

  private constructor(readonly store: Store) {
    this.engine = new NativeEngine(store);
    this.catalogue = new Catalogue(new NativeCatalogue(store));
  }

  static async open(): Promise<Carded> {
    return new Carded(await Store.open(":memory:", {}));
  }

  card(tx = this.engine.headTx(), nameProps: readonly string[] = ["name"]): Card {
    return cardOf(this.engine, this.catalogue, tx, nameProps);
  }

  /** The lines that have these members. */
  lines(given: JsonObject, card = this.card()): readonly JsonValue[] {
    const has = (line: JsonValue): boolean =>
      Object.entries(given).every(([name, value]) => (line as JsonObject)[name] === value);
    return card.lines(WHOLE_CARD).filter(has);
  }
}

const person = (uid: string, town: string): object => ({
  op: "assert_node",
  uid,
  labels: ["Person"],
  props: { name: uid.toUpperCase(), town },
  valid_from: "2020-01-01",
});
const called = (src: string, dst: string, at: string, mood: string): object => ({
  op: "assert_edge",
  src,
  type: "CALLED",
  dst,
  key: `${at}${mood}`,
  props: { mood, rank: mood.length },
  valid_from: at,
  valid_to: at.replace("Z", ".000001Z"),
});
const job = (src: string, valid_from: string, valid_to: string | null): object => ({
  op: "assert_edge",
  src,
  type: "WORKS_AT",
  dst: "firm",
  props: { pay: 100 },
  valid_from,
  ...(valid_to === null ? {} : { valid_to }),
});

describe("the card of a small store", () => {
  let small: Carded;
  beforeAll(async () => {
    small = await Carded.open();
    const write = (ops: readonly object[], txTime: string) => small.store.write(ops as never, { txTime });
    await write([person("ada", "Rome"), person("bo", "Oslo"), person("cy", "Oslo")], "2021-01-01T00:00:00Z");
    await write(
      [
        called("ada", "bo", "2020-05-01T10:00:00Z", "glad"),
        called("bo", "cy", "2020-05-01T10:00:00Z", "sad"),
        called("cy", "ada", "2020-05-02T10:00:00Z", "sad"),
        called("cy", "bo", "2020-05-03T10:00:00Z", "calm"),
        called("ada", "cy", "2020-05-04T10:00:00Z", "bored"),
        job("ada", "2019-01-01T00:00:00Z", "2022-01-01T00:00:00Z"),
        job("bo", "2018-01-01T00:00:00Z", null),
      ],
      "2021-02-01T00:00:00Z",
    );
    // A correction inside a fact cuts versions, and is no further fact.
    await write(
      [
        {
          op: "correct",
          ref: { src: "ada", type: "WORKS_AT", dst: "firm" },
          props: { pay: 120 },
          valid_from: "2020-01-01",
          valid_to: "2021-01-01",
        },
      ],
      "2021-03-01T00:00:00Z",
    );
  });
  afterAll(() => small.store.close());

  it("tells the commit, both extents, and what there is", () => {
    expect(small.card().lines(WHOLE_CARD).slice(0, 5)).toEqual([
      { pin: "tx:3", pin_time: "2021-03-01T00:00:00Z" },
      { valid_time: { from: "2018-01-01T00:00:00Z", to: "2022-01-01T00:00:00Z" } },
      { beliefs_begin: "2021-01-01T00:00:00Z", beliefs_until: "2021-03-01T00:00:00Z", commits: 3 },
      // firm is known, and has no version; three versions of ada's job are believed, and one no more.
      { known_nodes: 4, node_versions: 3, edge_versions: 9, events: 7, versions_ever_written: 13 },
      { name_properties: ["name"] },
    ]);
  });

  it("tells of types how many facts, how long they last, and how many share their instant", () => {
    expect(small.lines({ type: "CALLED", are: "instants" })).toEqual([
      { type: "CALLED", facts: 5, are: "instants", tied_instants: "40%" },
    ]);
    expect(small.lines({ type: "WORKS_AT", are: "spells" })).toEqual([
      { type: "WORKS_AT", facts: 2, are: "spells", tied_instants: "0%" },
    ]);
    expect(small.lines({ label: "Person", nodes: 3 })).toHaveLength(1);
  });

  it("shows three values of a property, the most frequent first, then by code point", () => {
    const values = (given: JsonObject) => (small.lines(given)[0] as { values: JsonValue[] }).values;
    expect(values({ type: "CALLED", property: "mood" })).toEqual(["sad", "bored", "calm"]);
    expect(values({ type: "CALLED", property: "rank" })).toEqual([3, 4, 5]);
    expect(values({ label: "Person", property: "town" })).toEqual(["Oslo", "Rome"]);
    expect(values({ type: "WORKS_AT", property: "pay" })).toEqual([100, 120]);
    expect(small.lines({ type: "CALLED", property: "rank" })).toMatchObject([{ class: "int" }]);
    expect(small.card().valuesOf("mood")).toEqual(["sad", "bored", "calm"]);
    expect(small.card().valuesOf("none")).toEqual([]);
  });

  it("knows nothing that was written after its pin", () => {
    const before = small.card(2);
    expect(small.lines({ type: "WORKS_AT", property: "pay" }, before)).toMatchObject([{ values: [100] }]);
    const first = JSON.stringify(small.card(1).lines(WHOLE_CARD));
    expect(first).not.toMatch(/CALLED|WORKS_AT|glad/);
    expect(first).toContain(
      '"beliefs_begin":"2021-01-01T00:00:00Z","beliefs_until":"2021-01-01T00:00:00Z","commits":1',
    );
    expect(small.card(0).lines(WHOLE_CARD)).toContainEqual({ beliefs_begin: null, beliefs_until: null, commits: 0 });
  });

  it("is made once for a commit and its names of entities, and told again after an erasure", async () => {
    expect(small.card()).toBe(small.card());
    expect(small.card(3, ["title"]).lines(WHOLE_CARD)).toContainEqual({ name_properties: ["title"] });
    const erased = await Carded.open();
    await erased.store.write([person("eve", "Secretville"), person("ada", "Rome")] as never);
    expect(JSON.stringify(erased.card(1).lines(WHOLE_CARD))).toContain("Secretville");
    await erased.store.write([{ op: "erase", ref: { uid: "eve" } }] as never);
    expect(JSON.stringify(erased.card(1).lines(WHOLE_CARD))).not.toContain("Secretville");
    await erased.store.close();
  });

  it("without samples has the properties, and no value of any", () => {
    const lines = small.card().lines({ hasSamples: false, cardTokens: null });
    expect(lines).toContainEqual({ type: "CALLED", properties: { mood: "string", rank: "int" } });
    expect(JSON.stringify(lines)).not.toMatch(/sad|Oslo|ADA/);
  });
});

describe("the card of a large store", () => {
  let large: Carded;
  const EVENTS = 20_000;
  beforeAll(async () => {
    large = await Carded.open();
    const indices = Array.from({ length: EVENTS }, (_, i) => i);
    for (const [type, share] of [
      ["OFTEN", 4],
      ["RARE", 1],
    ] as const) {
      const some = indices.slice(0, (EVENTS * share) / 5);
      await large.store.ingest(
        {
          src: some.map((i) => `n${i % 100}`),
          dst: some.map((i) => `n${(i + 1) % 100}`),
          // Two events at each instant of OFTEN, one of RARE elsewhere.
          time: BigInt64Array.from(some, (i) => BigInt(share === 4 ? i >> 1 : EVENTS + i) * 1_000_000n),
          props: [{ name: "kind", kind: "string", values: some.map((i) => (i % 10 < 7 ? "a" : "b")) }],
        },
        { type },
      );
    }
  });
  afterAll(() => large.store.close());

  it("says that its figures are of a sample, and they are near", () => {
    const card = large.card();
    expect(card.lines(WHOLE_CARD)).toContainEqual({ about: "figures of a sample of 1024 versions" });
    const [often, rare] = ["OFTEN", "RARE"].map(
      (type) => large.lines({ type, are: "instants" }, card)[0] as JsonObject,
    );
    const figure = (text: JsonValue | undefined): number => Number(/^about (\d+)$/.exec(String(text))![1]);
    expect(figure(often!.facts)).toBeGreaterThan(15_000);
    expect(figure(often!.facts)).toBeLessThan(17_000);
    expect(figure(rare!.facts)).toBeGreaterThan(3_500);
    expect(often!.tied_instants).toBe("100%");
    expect(rare!.tied_instants).toBe("0%");
    expect(large.lines({ type: "OFTEN", property: "kind" }, card)).toMatchObject([{ values: ["a", "b"] }]);
    // These are exact.
    expect(card.lines(WHOLE_CARD)[3]).toMatchObject({ edge_versions: EVENTS, known_nodes: 100 });
  });
});

describe("a card that is too long", () => {
  let wide: Carded;
  beforeAll(async () => {
    wide = await Carded.open();
    const long = "x".repeat(400);
    await wide.store.write(
      Array.from({ length: 60 }, (_, i) => ({
        op: "assert_node",
        uid: `n${i}`,
        labels: [`Label${i}`],
        props: { [`prop${i}`]: `${long}${i}`, other: i },
        valid_from: "2020-01-01",
      })) as never,
    );
  });
  afterAll(() => wide.store.close());

  it("is cut at its cap of code points, between lines, and says how much is missing", () => {
    const lines = wide.card().lines(WHOLE_CARD);
    const text = Fences.fresh().around("card", lines);
    const inside = text.split("\n").slice(1, -1);
    expect([...inside.join("\n")].length).toBeLessThanOrEqual(CAPS.card + 30);
    expect(JSON.parse(inside.at(-1)!)).toEqual({ left_out: lines.length - inside.length + 1 });
    for (const line of inside) expect(() => JSON.parse(line)).not.toThrow();
    // Of 60 labels 40 are told of.
    expect(lines).toContainEqual({ types_and_labels_left_out: 20 });
  });

  it("keeps to the tokens that it is given, the head first", () => {
    const lines = wide.card().lines({ hasSamples: true, cardTokens: 150 });
    const told = lines.slice(0, -1);
    expect(told.reduce<number>((sum, line) => sum + roughTokens(canonicalJson(line)), 0)).toBeLessThanOrEqual(150);
    expect(told[0]).toMatchObject({ pin: "tx:1" });
    expect(lines.at(-1)).toEqual({ left_out: wide.card().lines(WHOLE_CARD).length - told.length });
  });
});
