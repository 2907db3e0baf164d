// Every call of the file layer fails once while a store is opened, written, rotated and closed; writes tear, flushes
// fail, the disk is full. After each the four questions of fault-session.ts.
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Store } from "../../src/store/store.js";
import { digestOf, expectTyped, expectWhole, type Session, session } from "../support/fault-session.js";
import { FaultyFileLayer, USUAL_CALLS } from "../support/faulty-file-layer.js";
import { heldFileLayer } from "../support/held-file-layer.js";
import { STORE } from "../support/log-driver.js";
import { messages, person } from "../support/small-batches.js";

describe("every call fails once", () => {
  const started = async (isNew: boolean): Promise<{ layer: FaultyFileLayer; before: Session[] }> => {
    if (isNew) return { layer: new FaultyFileLayer(), before: [] };
    const layer = new FaultyFileLayer();
    const before = await session(layer, "before");
    expect(before.errors).toEqual([]);
    return { layer: layer.killed(), before: [before] };
  };

  test.each(USUAL_CALLS.flatMap((kind) => [true, false].map((isNew) => ({ kind, isNew }))))(
    "$kind, in a new store: $isNew",
    async ({ kind, isNew }) => {
      let reached = 0;
      for (let call = 1; call < 300; call += 1) {
        const { layer, before } = await started(isNew);
        layer.failure = { kind, call: layer.count(kind) + call };
        const failed = await session(layer, "failed");
        const what = `${kind} ${call}`;
        expectTyped(failed.errors, what);
        expect(layer.openCount, `${what}: open files`).toBe(0);
        if (!layer.hasFailed) break;
        reached += 1;
        await expectWhole(layer.killed(), [...before, failed], `${what}, killed`);
        await expectWhole(layer.crashed(), [...before, failed], `${what}, crashed`);
      }
      if (kind !== "remove") expect(reached).toBeGreaterThan(0);
    },
  );

  test("a write torn anywhere leaves what was acknowledged", async () => {
    for (let tornAt = 0; tornAt < 900; tornAt += 61) {
      const { layer, before } = await started(false);
      layer.failure = { kind: "write", call: layer.count("write") + 4 + (tornAt % 3), tornAt };
      const failed = await session(layer, "torn");
      expect(layer.hasFailed).toBe(true);
      expectTyped(failed.errors, `torn at ${tornAt}`);
      await expectWhole(layer.killed(), [...before, failed], `torn at ${tornAt}, killed`);
      await expectWhole(
        layer.crashed((sector) => sector % 2 === 0),
        [...before, failed],
        `torn at ${tornAt}, crashed`,
      );
    }
  });
});

describe("a failed flush", () => {
  test("is E_IO unknown for all that was staged, poisons the handle, and leaves readers what they had", async () => {
    const layer = new FaultyFileLayer();
    const store = await Store.openOn(layer, STORE, {});
    const reader = await Store.openOn(layer, STORE, { readOnly: true });
    const kept = await store.write([person("kept")]);
    const digest = await digestOf(reader);
    layer.failure = { kind: "sync", call: layer.count("sync") + 1 };
    const outcomes = await Promise.allSettled([
      store.write([person("a")]),
      store.ingest(messages(10), { type: "M" }),
      store.write([person("c")], { idempotencyKey: "k" }),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "E_IO", details: { outcome: "unknown" } } });
    }
    for (const write of [() => store.write([person("d")]), () => store.write([person("c")], { idempotencyKey: "k" })]) {
      await expect(write()).rejects.toMatchObject({ code: "E_IO", details: { outcome: "not_applied" } });
    }
    for (const handle of [store, reader]) {
      expect(handle.head()).toEqual(kept);
      expect(await digestOf(handle)).toBe(digest);
    }
    await reader.refresh();
    expect(reader.head()).toEqual(kept);
    await store.close();
    // The bytes are in the cache: reopening finds them, writes them again, and the reader goes on with the new writer.
    const again = await Store.openOn(layer, STORE, {});
    expect(again.head().tx).toBe(4);
    expect(await again.write([person("c")], { idempotencyKey: "k" })).toMatchObject({ tx: 4 });
    const next = await again.write([person("e")]);
    await reader.refresh();
    expect(reader.head()).toEqual(next);
    expect(await digestOf(reader)).toBe(await digestOf(again));
    expect((await again.write([person("f")])).tx).toBe(6);
    expect(reader.head().tx).toBe(6);
    await again.close();
    await reader.close();
    expect(layer.openCount).toBe(0);
    await expectWhole(layer.crashed(), [], "after all");
  });

  test("lets a subscription of a reader go on: every commit once, in order", async () => {
    const layer = new FaultyFileLayer();
    const store = await Store.openOn(layer, STORE, {});
    const reader = await Store.openOn(layer, STORE, { readOnly: true });
    const heard: number[] = [];
    reader.subscribe(({ tx }) => heard.push(tx));
    await store.write([person("1")]);
    layer.failure = { kind: "write", call: layer.count("write") + 1, tornAt: 30 };
    await expect(store.write([person("lost")])).rejects.toMatchObject({ code: "E_IO" });
    await store.close();
    const again = await Store.openOn(layer, STORE, {});
    await reader.refresh();
    for (let i = 2; i <= 4; i += 1) expect((await again.write([person(`${i}`)])).tx).toBe(i);
    await reader.close();
    await again.close();
    expect(heard).toEqual([1, 2, 3, 4]);
  });

  test("also rejects what was staged while it ran", async () => {
    const layer = new FaultyFileLayer();
    const store = await Store.openOn(layer, STORE, {});
    layer.failure = { kind: "write", call: layer.count("write") + 1 };
    const first = store.write([person("first")]);
    first.catch(() => undefined);
    while (store.core.stagedTx < 1) await nextTurn();
    const second = store.write([person("second")]);
    for (const outcome of await Promise.allSettled([first, second])) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "E_IO" } });
    }
    await store.close();
    await expectWhole(layer.killed(), [], "killed");
  });
});

describe("a full disk", () => {
  const used = (layer: FaultyFileLayer): number =>
    layer.paths().reduce((sum, path) => sum + layer.bytesOf(path).length, 0);

  test.each<[string, (store: Store) => Promise<unknown>]>([
    [
      "a large batch",
      (store) => store.write([person("x", { text: "x".repeat(900_000) }), person("y", { text: "y".repeat(900_000) })]),
    ],
    [
      "text that is longer in the log than in memory",
      (store) => store.write(["x", "y", "z"].map((uid) => person(uid, { text: "語".repeat(300_000) }))),
    ],
    ["bulk events", (store) => store.ingest(messages(3_000), { type: "M" })],
    [
      "bulk events whose texts repeat in every block",
      (store) => {
        const names = [0, 1].map((n) => `${n}`.repeat(1000));
        const { time, ...columns } = messages(3_000);
        return store.ingest(
          {
            ...columns,
            time,
            props: [
              {
                name: "text",
                kind: "string",
                values: { values: names, codes: Uint32Array.from(time, (_, i) => i % 2) },
              },
            ],
          },
          { type: "M" },
        );
      },
    ],
  ])("%s: E_IO not_applied, nothing is seen of it, and the handle stays writable", async (_, write) => {
    for (const room of [0, 4_000, 30_000, 200_000, 1_000_000]) {
      const layer = new FaultyFileLayer();
      const store = await Store.openOn(layer, STORE, {});
      await store.write([person("a")]);
      const digest = await digestOf(store);
      layer.capacityBytes = used(layer) + room;
      const error = await write(store).then(
        () => undefined,
        (caught: unknown) => caught,
      );
      if (error !== undefined) {
        expect(error).toMatchObject({ code: "E_IO", details: { outcome: "not_applied", os_code: "ENOSPC" } });
        expect(await digestOf(store)).toBe(digest);
      }
      const { tx } = store.head();
      expect(tx).toBe(error === undefined ? 2 : 1);
      expect((await store.write([person("small")])).tx).toBe(tx + 1);
      layer.capacityBytes = Number.POSITIVE_INFINITY;
      await write(store);
      await store.close();
      await expectWhole(layer.crashed(), [], `room for ${room}`);
    }
  });

  test("of a rotation in the middle of a large batch keeps the promise of its space", async () => {
    const layer = new FaultyFileLayer();
    const store = await Store.openOn(layer, STORE, { rotateBytes: 500 });
    await store.write([person("a")]);
    layer.capacityBytes = used(layer) + 100_000;
    const outcomes = await Promise.allSettled([
      ...Array.from({ length: 8 }, (_, i) => store.write([person(`n${i}`)])),
      store.ingest(messages(2_000), { type: "M" }),
      ...Array.from({ length: 8 }, (_, i) => store.write([person(`m${i}`)])),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ details: { outcome: "not_applied" } });
    }
    layer.capacityBytes = Number.POSITIVE_INFINITY;
    await store.write([person("after")]);
    await store.close();
    await expectWhole(layer.crashed(), [], "rotated");
  });
});

test("a store in use is one state for a reader, whatever is under way", async () => {
  const layer = heldFileLayer();
  const store = await Store.openOn(layer, STORE, {});
  const reader = await Store.openOn(layer, STORE, { readOnly: true });
  await store.write([person("a")]);
  const digest = await digestOf(reader);
  layer.hold();
  const write = store.write([person("b")]);
  while (store.core.stagedTx < 2) await nextTurn();
  expect(reader.head().tx).toBe(1);
  expect(await digestOf(reader)).toBe(digest);
  layer.release();
  expect((await write).tx).toBe(2);
  expect(reader.head().tx).toBe(2);
  await reader.close();
  await store.close();
});
