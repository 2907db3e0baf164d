// Batches that are made in their turn: they read what is staged and not yet published, and nothing comes between.
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { NativeCore } from "../../src/native/store.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { callOperator } from "../../src/operators/pipeline.js";
import { Store } from "../../src/store/store.js";
import { heldFileLayer } from "../support/held-file-layer.js";
import { person, retraction } from "../support/small-batches.js";

/** Uids that a scan of the staged head shows. */
async function stagedUids(core: NativeCore): Promise<unknown[]> {
  const staged = { view: (tx: number | null) => core.stagedView(tx), publishedTx: core.stagedTx };
  const engine = new NativeEngine({ core: staged, resolveInstant: () => ({ tx: core.stagedTx, notices: [] }) });
  const { rows } = await callOperator(engine, "scan", { of: "nodes", columns: ["uid"] });
  return rows!.map((row) => (row as { uid: string }).uid);
}

describe("writes that are made in their turn", () => {
  test("read the staged head, durable or not", async () => {
    const layer = heldFileLayer();
    const store = await Store.openOn(layer, "/store", {});
    await store.write([person("a")]);
    layer.hold();
    const b = store.write([person("b")]);
    let seen: unknown[] = [];
    const c = store.writeInTurn(async (core) => {
      seen = await stagedUids(core);
      return [[person("c")], [person("d")]];
    });
    while (store.core.stagedTx < 4) await nextTurn();
    expect(store.core.publishedTx).toBe(1);
    expect(seen).toEqual(["a", "b"]);
    layer.release();
    expect((await b).tx).toBe(2);
    expect((await c).map((head) => head?.tx)).toEqual([3, 4]);
    await store.close();
  });

  test("keep later writes waiting until the last of their batches is staged", async () => {
    const store = await Store.openOn(heldFileLayer(), "/store", {});
    const made = store.writeInTurn(async (core) => {
      await nextTurn();
      return [[person(`n${core.stagedTx}`)]];
    });
    const later = store.write([person("later")]);
    expect([(await made)[0]!.tx, (await later).tx]).toEqual([1, 2]);
    await store.close();
  });

  test("may find nothing to write, and then there is no commit", async () => {
    const store = await Store.openOn(heldFileLayer(), "/store", {});
    expect(await store.writeInTurn(async () => [])).toEqual([]);
    expect(store.head().tx).toBe(0);
    await store.close();
  });

  test("fail alone: what was staged before counts, what comes after goes on", async () => {
    const store = await Store.openOn(heldFileLayer(), "/store", {});
    await expect(store.writeInTurn(async () => [[person("a")], []])).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    expect(store.core.stagedTx).toBe(0);
    await expect(store.writeInTurn(async () => [[person("a")], [retraction("nobody")]])).rejects.toMatchObject({
      code: "E_NOT_FOUND",
    });
    expect((await store.write([person("b")])).tx).toBe(2);
    await store.close();
  });
});
