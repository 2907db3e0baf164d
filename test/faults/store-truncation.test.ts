// The log of a small store, cut at every byte: opening gives a state that was there once, or E_LOG_CORRUPT and nothing.
import { describe, expect, test } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { MemoryFile } from "../../src/log/memory-file-layer.js";
import { MemoryFileLayer } from "../../src/log/memory-file-layer.js";
import { Store } from "../../src/store/store.js";
import { digestOf } from "../support/fault-session.js";
import { STORE } from "../support/log-driver.js";
import { knows, messages, person, retraction } from "../support/small-batches.js";

interface Made {
  readonly layer: MemoryFileLayer;
  /** Digest by commit; 0 is the empty store. */
  readonly digests: readonly string[];
}

/** Commits of every kind; `rotateBytes` decides over how many files. */
async function make(rotateBytes: number): Promise<Made> {
  const layer = new MemoryFileLayer();
  const store = await Store.openOn(layer, STORE, { rotateBytes });
  const digests = [await digestOf(store)];
  const writes: (() => Promise<unknown>)[] = [
    () => store.write([person("a", { w: 1 })]),
    () => store.write([knows("a", "b"), person("b")], { idempotencyKey: "k" }),
    () => store.ingest(messages(5), { type: "M", reason: "test" }),
    () => store.write([retraction("nobody")]).catch(() => undefined),
    () => store.write([{ op: "retract", ref: { uid: "a" }, valid_from: "2021-01-01T00:00:00Z" }]),
  ];
  for (const write of writes) {
    await write();
    if (store.head().tx === digests.length) digests.push(await digestOf(store));
  }
  await store.close();
  return { layer, digests };
}

/** A copy in which one file is cut, or gone. LOCK says nothing of a machine that is no more. */
function cutLayer(from: MemoryFileLayer, path: string, length: number | undefined): MemoryFileLayer {
  const layer = new MemoryFileLayer();
  for (const [name, file] of from.files) {
    if (name.endsWith("/LOCK") || (name === path && length === undefined)) continue;
    const copy: MemoryFile = file.copy();
    layer.files.set(name, copy);
    if (name === path) copy.cut(length!);
  }
  return layer;
}

/** What a reader makes of it, by itself. */
async function readOnly(layer: MemoryFileLayer): Promise<number | string> {
  try {
    // A reader finds a store by its LOCK, and this one is of a machine that is no more.
    layer.open(`${STORE}/LOCK`, "create").close();
    const reader = await Store.openOn(layer, STORE, { readOnly: true });
    const { tx } = reader.head();
    await reader.close();
    return tx;
  } catch (error) {
    return (error as PalimpsestError).code;
  }
}

/** The commit whose state was opened, or the code of the error. Whoever opens for writing goes on. */
async function opened(layer: MemoryFileLayer, digests: readonly string[], what: string): Promise<number | string> {
  const seen = await readOnly(layer);
  const before = new Map([...layer.files].map(([name, file]) => [name, file.view().slice()]));
  let store: Store;
  try {
    store = await Store.openOn(layer, STORE, {});
  } catch (error) {
    expect(error, what).toBeInstanceOf(PalimpsestError);
    for (const [name, bytes] of before) expect(layer.files.get(name)!.view(), what).toEqual(bytes);
    expect(seen, what).toBe((error as PalimpsestError).code);
    return seen;
  }
  const { tx } = store.head();
  expect(seen, what).toBe(tx);
  expect(await digestOf(store), what).toBe(digests[tx]);
  expect((await store.write([person("next")])).tx, what).toBe(tx + 1);
  await store.close();
  return tx;
}

describe("a log of one file", () => {
  test("cut at every byte is a prefix", async () => {
    const { layer, digests } = await make(1 << 20);
    expect(digests.length).toBe(5);
    const path = [...layer.files.keys()].find((name) => name.endsWith(".plog"))!;
    const { length } = layer.files.get(path)!;
    const states: (number | string)[] = [];
    for (let at = 0; at <= length; at += 1) {
      states.push(await opened(cutLayer(layer, path, at), digests, `cut at ${at}`));
    }
    expect(new Set(states)).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(states).toEqual([...states].sort());
    expect(states.at(-1)).toBe(4);
  });
});

describe("a log of several files", () => {
  test("cut in the last is a prefix, cut or missing before it is E_LOG_CORRUPT", async () => {
    const { layer, digests } = await make(300);
    const paths = [...layer.files.keys()].filter((name) => name.endsWith(".plog")).sort();
    expect(paths.length).toBeGreaterThan(2);
    for (const [i, path] of paths.entries()) {
      const { length } = layer.files.get(path)!;
      for (let at = 0; at < length; at += 13) {
        const state = await opened(cutLayer(layer, path, at), digests, `${path} cut at ${at}`);
        if (i < paths.length - 1) expect(state, `${path} cut at ${at}`).toBe("E_LOG_CORRUPT");
        else expect(state, `${path} cut at ${at}`).toEqual(expect.any(Number));
      }
      const state = await opened(cutLayer(layer, path, undefined), digests, `${path} missing`);
      if (i < paths.length - 1) expect(state, `${path} missing`).toBe("E_LOG_CORRUPT");
    }
  });
});
