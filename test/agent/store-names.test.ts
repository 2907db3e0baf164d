// Names of entities as a question sees them: mentions, what is printed, and the card agree on the properties and on the pin.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cardOf, WHOLE_CARD } from "../../src/agent/prompt/card.js";
import { StoreNames } from "../../src/agent/store-names.js";
import { NativeCatalogue } from "../../src/operators/native/catalogue.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { Catalogue } from "../../src/query/compile/catalogue.js";
import { Store } from "../../src/store/store.js";

/** More than one page of versions. */
const VERSIONS = 130;

let store: Store;
let engine: NativeEngine;
beforeAll(async () => {
  store = await Store.open(":memory:", {});
  engine = new NativeEngine(store);
  const year = (i: number): string => `${1900 + i}-01-01`;
  await store.write(
    [
      ...Array.from({ length: VERSIONS }, (_, i) => ({
        op: "assert_node",
        uid: "often",
        props: { name: `Name ${i}` },
        valid_from: year(i),
        valid_to: year(i + 1),
      })),
      { op: "assert_node", uid: "both", props: { name: "By name", title: "By title" }, valid_from: "2020-01-01" },
      { op: "assert_node", uid: "number", props: { name: 7, title: "Seven" }, valid_from: "2020-01-01" },
      { op: "assert_node", uid: "nameless", props: {}, valid_from: "2020-01-01" },
    ] as never,
    { txTime: "2021-01-01T00:00:00Z" },
  );
  await store.write(
    [{ op: "assert_node", uid: "both", props: { name: "New name" }, valid_from: "2020-01-01" }] as never,
    { txTime: "2022-01-01T00:00:00Z" },
  );
});
afterAll(() => store.close());

async function namesOf(tx: number, nameProps: readonly string[]): Promise<(string | null)[]> {
  const uids = ["often", "both", "number", "nameless"];
  const names = new StoreNames(engine, tx, nameProps);
  await names.load(uids);
  return uids.map((uid) => names.nameOf(uid));
}

describe("names of entities", () => {
  it("are those of the version that begins last, however many there are", async () => {
    expect(await namesOf(2, ["name"])).toEqual([`Name ${VERSIONS - 1}`, "New name", null, null]);
  });

  it("are those that the pin of the question believes", async () => {
    expect(await namesOf(1, ["name"])).toEqual([`Name ${VERSIONS - 1}`, "By name", null, null]);
  });

  it("come from the properties that the caller names, the best first", async () => {
    expect(await namesOf(1, ["title", "name"])).toEqual([`Name ${VERSIONS - 1}`, "By title", "Seven", null]);
    expect(await namesOf(1, ["title"])).toEqual([null, "By title", "Seven", null]);
  });

  it("are found by mentions as they are printed, and the card names the properties", async () => {
    for (const [tx, nameProps] of [
      [1, ["name"]],
      [2, ["name"]],
      [1, ["title"]],
    ] as const) {
      const names = new StoreNames(engine, tx, nameProps);
      for (const [i, name] of (await namesOf(tx, nameProps)).entries()) {
        if (name !== null) expect(await names.named(name)).toEqual([["often", "both", "number"][i]]);
      }
      const card = cardOf(engine, new Catalogue(new NativeCatalogue(store)), tx, nameProps);
      expect(card.lines(WHOLE_CARD)).toContainEqual({ name_properties: [...nameProps] });
    }
    // A name that is believed no more, or stands under another property, is none.
    expect(await new StoreNames(engine, 2, ["name"]).named("By name")).toEqual([]);
    expect(await new StoreNames(engine, 1, ["title"]).named("By name")).toEqual([]);
  });
});

describe("a name that ever so many bear", () => {
  it("is looked up in less time than it took to write it, and by who may stop it", async () => {
    const many = await Store.open(":memory:", {});
    try {
      const ops = Array.from({ length: 60_000 }, (_, i) => ({
        op: "assert_node",
        uid: `n${i}`,
        props: { name: "X" },
        valid_from: "2020-01-01",
      }));
      const writtenMs = await timed(() => many.write(ops as never));
      const asked = new Set(["X", "x", "n7", "Y", "n60000"]);
      const aborted = new StoreNames(new NativeEngine(many), 1, ["name"], AbortSignal.abort());
      await expect(aborted.known(asked)).rejects.toMatchObject({ code: "E_CANCELLED" });
      const names = new StoreNames(new NativeEngine(many), 1, ["name"]);
      let known: ReadonlySet<string> = new Set();
      const knownMs = await timed(async () => {
        known = await names.known(asked);
      });
      expect([...known].sort()).toEqual(["X", "n7", "x"]);
      expect(knownMs).toBeLessThan(writtenMs);
    } finally {
      await many.close();
    }
  });
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return performance.now() - beganMs;
}
