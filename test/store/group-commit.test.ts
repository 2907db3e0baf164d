// Concurrent writers share a flush and keep their own commits; what each durability flushes, and when.
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Store } from "../../src/store/store.js";
import { FaultyFileLayer } from "../support/faulty-file-layer.js";
import { heldFileLayer } from "../support/held-file-layer.js";
import { person, retraction } from "../support/small-batches.js";

describe("group commit", () => {
  test("32 concurrent writers share flushes, and each gets its own commit", async () => {
    const layer = heldFileLayer();
    const store = await Store.openOn(layer, "/store", {});
    const before = layer.flushCount;
    const rounds = 20;
    const writer = async (name: number): Promise<number[]> => {
      const seen: number[] = [];
      for (let i = 0; i < rounds; i += 1) seen.push((await store.write([person(`${name}-${i}`)])).tx);
      return seen;
    };
    const seen = await Promise.all(Array.from({ length: 32 }, (_, name) => writer(name)));
    expect(seen.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 32 * rounds }, (_, i) => i + 1));
    expect((32 * rounds) / (layer.flushCount - before)).toBeGreaterThanOrEqual(16);
    await store.close();
  });

  test("what comes while a flush runs is the next group, and results come in order", async () => {
    const layer = heldFileLayer();
    const store = await Store.openOn(layer, "/store", {});
    layer.hold();
    const settled: string[] = [];
    const note = (name: string, write: Promise<unknown>) =>
      write.then(
        () => settled.push(name),
        () => settled.push(`${name} rejected`),
      );
    const before = layer.flushCount;
    const all = [note("a", store.write([person("a")]))];
    while (layer.flushCount === before) await nextTurn();
    for (const name of ["b", "c", "d"]) {
      all.push(note(name, store.write([name === "c" ? retraction("nobody") : person(name)])));
    }
    while (store.core.stagedTx < 3) await nextTurn();
    expect(layer.flushCount - before).toBe(1);
    expect(settled).toEqual([]);
    layer.release();
    await Promise.all(all);
    expect(settled).toEqual(["a", "b", "c rejected", "d"]);
    expect(layer.flushCount - before).toBe(2);
    await store.close();
  });
});

describe("durability", () => {
  const syncsOf = async (durability: "full" | "interval" | "none") => {
    const layer = new FaultyFileLayer();
    const store = await Store.openOn(layer, "/store", { durability });
    const opened = layer.count("sync");
    for (let i = 0; i < 5; i += 1) await store.write([person(`n${i}`)]);
    const written = layer.count("sync") - opened;
    const lost = await headAfter(layer.crashed());
    await store.checkpoint();
    const kept = await headAfter(layer.crashed());
    await store.write([person("last")]);
    await store.close();
    return { written, lost, kept, closed: await headAfter(layer.crashed()) };
  };
  const headAfter = async (layer: FaultyFileLayer): Promise<number> => {
    const store = await Store.openOn(layer, "/store", {});
    const { tx } = store.head();
    await store.close();
    return tx;
  };

  test("full: a commit is on disk when write resolves", async () => {
    expect(await syncsOf("full")).toEqual({ written: 5, lost: 5, kept: 5, closed: 6 });
  });
  test.each(["interval", "none"] as const)("%s: only a checkpoint and close make sure", async (durability) => {
    expect(await syncsOf(durability)).toEqual({ written: 0, lost: 0, kept: 5, closed: 6 });
  });
});
