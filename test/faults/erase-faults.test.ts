// Every call of the file layer fails once while an identity is erased, or the process or the machine dies there: afterwards
// nothing is erased or everything is, for the next writer and for a reader before it.
import { describe, expect, test } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { replayCommits } from "../../src/reference/index.js";
import { Store } from "../../src/store/store.js";
import { digestOf } from "../support/fault-session.js";
import { type CallKind, FaultyFileLayer } from "../support/faulty-file-layer.js";
import { readAll, STORE } from "../support/log-driver.js";
import { knows, messages, person } from "../support/small-batches.js";

const OPTIONS = { rotateBytes: 900 } as const;
const KINDS: CallKind[] = ["list", "open", "remove", "rename", "syncFolder", "read", "write", "sync", "reserve", "cut"];
const CANARY = "canary";

/** A store of several files with the canary in most of them. */
async function written(): Promise<FaultyFileLayer> {
  const layer = new FaultyFileLayer();
  const store = await Store.openOn(layer, STORE, OPTIONS);
  for (let i = 0; i < 3; i += 1) {
    await store.write([person(CANARY, { i }), knows(CANARY, `other ${i}`), person(`other ${i}`)]);
    await store.ingest(
      { ...messages(20), src: { values: [CANARY, "p1"], codes: new Uint32Array(20).map((_, k) => k % 2) } },
      { type: "M" },
    );
  }
  await store.close();
  return layer.killed();
}

const holdsCanary = (layer: FaultyFileLayer): boolean =>
  layer.paths().some((path) => Buffer.from(layer.bytesOf(path)).includes(CANARY));

interface Ends {
  readonly before: string;
  readonly after: string;
}

async function expectOneOf(
  layer: FaultyFileLayer,
  { before, after }: Ends,
  isErased: boolean,
  what: string,
): Promise<void> {
  // A reader comes first, while nobody has recovered anything.
  const reader = await Store.openOn(layer, STORE, { readOnly: true });
  const seen = await digestOf(reader);
  expect([before, after], `${what}: reader`).toContain(seen);
  await reader.close();
  const store = await Store.openOn(layer, STORE, OPTIONS);
  const digest = await digestOf(store);
  expect(digest, `${what}: writer after reader`).toBe(seen);
  if (isErased) expect(digest, `${what}: acknowledged`).toBe(after);
  for (const path of layer.paths()) expect(path, what).toMatch(/(LOCK|log\/\d{10}\.plog|log\/cut-\d+)$/);
  if (digest === after) expect(holdsCanary(layer), `${what}: bytes`).toBe(false);
  const { commits, error } = await readAll(layer);
  expect(error, what).toBeUndefined();
  expect(replayCommits(commits).digest(), `${what}: replay`).toBe(digest);
  if (digest === before) {
    await store.erase({ uid: CANARY });
    expect(await digestOf(store), `${what}: erased later`).toBe(after);
    expect(holdsCanary(layer), `${what}: bytes later`).toBe(false);
  }
  await store.close();
  expect(layer.openCount, `${what}: open files`).toBe(0);
}

describe("an erasure that is cut short", () => {
  test.each(KINDS)("by a failing %s has ended or never begun", { timeout: 60_000 }, async (kind) => {
    const start = await written();
    const clean = await Store.openOn(start.killed(), STORE, OPTIONS);
    const before = await digestOf(clean);
    await clean.erase({ uid: CANARY });
    const ends = { before, after: await digestOf(clean) };
    await clean.close();
    expect(ends.after).not.toBe(before);

    for (let call = 1; call < 400; call += 1) {
      const layer = start.killed();
      const store = await Store.openOn(layer, STORE, OPTIONS);
      layer.failure = { kind, call: layer.count(kind) + call };
      const error = await store.erase({ uid: CANARY }).then(
        () => undefined,
        (caught: unknown) => caught,
      );
      const what = `${kind} ${call}`;
      if (error !== undefined) {
        expect(error, what).toBeInstanceOf(PalimpsestError);
        expect(error, what).toMatchObject({ code: "E_IO" });
        const shown = await digestOf(store);
        expect(shown, `${what}: this handle`).toBe(before);
      }
      const hasFailed = layer.hasFailed;
      // The process dies here, with the handle open; or the machine does.
      await expectOneOf(layer.killed(), ends, error === undefined, `${what}, killed`);
      await expectOneOf(layer.crashed(), ends, error === undefined, `${what}, crashed`);
      await store.close().catch(() => undefined);
      if (!hasFailed) break;
    }
  });

  test("by a failing sync, and then by the death of the machine while the next writer ends it", async () => {
    const start = await written();
    const clean = await Store.openOn(start.killed(), STORE, OPTIONS);
    const before = await digestOf(clean);
    await clean.erase({ uid: CANARY });
    const ends = { before, after: await digestOf(clean) };
    await clean.close();

    let placed = 0;
    for (let call = 1; call < 50; call += 1) {
      const layer = start.killed();
      const store = await Store.openOn(layer, STORE, OPTIONS);
      layer.failure = { kind: "sync", call: layer.count("sync") + call };
      await store.erase({ uid: CANARY }).catch(() => undefined);
      if (!layer.hasFailed) break;
      const kinds: readonly CallKind[] = ["rename", "syncFolder", "write", "sync"];
      for (const kind of kinds) {
        for (let next = 1; next < 50; next += 1) {
          const second = layer.killed();
          second.failure = { kind, call: next };
          await Store.openOn(second, STORE, OPTIONS).catch(() => undefined);
          placed += second.count("rename");
          await expectOneOf(second.crashed(), ends, false, `sync ${call}, then ${kind} ${next}`);
          if (!second.hasFailed) break;
        }
      }
      await store.close().catch(() => undefined);
    }
    expect(placed).toBeGreaterThan(0);
  });

  test("by a full disk leaves the store as it was, and writable", async () => {
    const layer = await written();
    const store = await Store.openOn(layer, STORE, OPTIONS);
    const before = await digestOf(store);
    layer.capacityBytes = 0;
    await expect(store.erase({ uid: CANARY })).rejects.toMatchObject({
      code: "E_IO",
      details: { outcome: "not_applied" },
    });
    layer.capacityBytes = Number.POSITIVE_INFINITY;
    expect(await digestOf(store)).toBe(before);
    await store.erase({ uid: CANARY });
    expect(holdsCanary(layer)).toBe(false);
    await store.close();
  });
});

describe("an item in the place of another that no receipt names", () => {
  test("is damage", async () => {
    const layer = await written();
    const store = await Store.openOn(layer, STORE, {});
    await store.erase({ uid: CANARY });
    await store.close();
    // The rewritten first file beside a log that ends before the receipt.
    const last = layer.paths().findLast((path) => path.endsWith(".plog"))!;
    layer.setBytes(last, layer.bytesOf(last).slice(0, 88));
    await expect(Store.openOn(layer.killed(), STORE, { readOnly: true })).rejects.toMatchObject({
      code: "E_LOG_CORRUPT",
    });
    await expect(Store.openOn(layer.killed(), STORE, OPTIONS)).rejects.toMatchObject({ code: "E_LOG_CORRUPT" });
  });
});
