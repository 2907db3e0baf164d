// One life of a store on a file layer that may fail: writes of every kind, alone and in groups, over several log files,
// with a reader beside them; then what must hold of whatever is left. Four questions: are acknowledged batches there,
// does the digest equal a clean replay, is one state visible, are leftovers handled?
import { expect } from "vitest";
import type { PalimpsestError } from "../../src/contract/errors.js";
import { storeDigest } from "../../src/operators/native/digest.js";
import { replayCommits } from "../../src/reference/replay.js";
import { Store } from "../../src/store/store.js";
import type { CommitHead } from "../../src/store/types.js";
import { readCommits, withViewAsync } from "../../src/store/views.js";
import type { FaultyFileLayer } from "./faulty-file-layer.js";
import { readAll, STORE } from "./log-driver.js";
import { knows, messages, person, retraction } from "./small-batches.js";

const OPTIONS = { rotateBytes: 900 } as const;

export const digestOf = (store: Store): Promise<string> => withViewAsync(store.core, null, storeDigest);

export interface Session {
  readonly acknowledged: CommitHead[];
  readonly errors: PalimpsestError[];
  /** Results by idempotency key, of acknowledged batches. */
  readonly keys: Map<string, CommitHead>;
}

/** What a reader shows must be a published state and stay it, whatever happens to the writer. */
async function lookThrough(reader: Store): Promise<void> {
  const head = reader.head();
  const digest = await withViewAsync(reader.core, head.tx, storeDigest);
  expect(await withViewAsync(reader.core, head.tx, storeDigest)).toBe(digest);
}

export async function session(layer: FaultyFileLayer, name: string): Promise<Session> {
  const { acknowledged, errors, keys }: Session = { acknowledged: [], errors: [], keys: new Map() };
  const attempt = async (work: () => Promise<CommitHead>, key?: string): Promise<void> => {
    try {
      const { tx, txTime, chain } = await work();
      acknowledged.push({ tx, txTime, chain });
      if (key !== undefined) keys.set(key, { tx, txTime, chain });
    } catch (error) {
      const { code } = error as PalimpsestError;
      if (code !== "E_NOT_FOUND") errors.push(error as PalimpsestError);
    }
  };
  let store: Store | undefined;
  let reader: Store | undefined;
  try {
    store = await Store.openOn(layer, STORE, OPTIONS);
    reader = await Store.openOn(layer, STORE, { readOnly: true });
    const writer = store;
    const key = `${name}'s key`;
    await attempt(() => writer.write([person(`${name} alone`)], { idempotencyKey: key }), key);
    await lookThrough(reader);
    await Promise.all([
      attempt(() => writer.write([knows(name, "b"), person(name)])),
      attempt(() => writer.write([retraction("nobody")])),
      attempt(() => writer.ingest(messages(30), { type: "M" })),
      attempt(() => writer.write([person("late", { text: "x".repeat(300) })])),
    ]);
    await lookThrough(reader);
    for (let i = 0; i < 2; i += 1) await attempt(() => writer.write([person(`${name} ${i}`)]));
    await reader.refresh();
    await lookThrough(reader);
  } catch (error) {
    errors.push(error as PalimpsestError);
  }
  for (const handle of [reader, store]) {
    await handle?.close().catch((error: PalimpsestError) => void errors.push(error));
  }
  return { acknowledged, errors, keys };
}

export function expectTyped(errors: readonly PalimpsestError[], what: string): void {
  for (const error of errors) {
    expect(error, `${what}: ${error.stack}`).toMatchObject({ code: "E_IO", details: expect.any(Object) });
    const { outcome } = error.details;
    if (outcome !== undefined) expect(["not_applied", "unknown"], what).toContain(outcome);
  }
}

/** The digest of what the log of the layer holds, by the reference engine. */
async function replayedDigest(layer: FaultyFileLayer, what: string): Promise<string> {
  const { commits, error } = await readAll(layer);
  expect(error, what).toBeUndefined();
  return replayCommits(commits).digest();
}

/** The four questions of a layer on which sessions have ended, well or not. */
export async function expectWhole(layer: FaultyFileLayer, sessions: readonly Session[], what: string): Promise<void> {
  const store = await Store.openOn(layer, STORE, OPTIONS);
  const reader = await Store.openOn(layer, STORE, { readOnly: true });
  const heads = new Map(readCommits(store.core, 0, store.head().tx).map((head) => [head.tx, head]));
  for (const { acknowledged, keys } of sessions) {
    for (const head of acknowledged) expect(heads.get(head.tx), `${what}: acknowledged`).toEqual(head);
    for (const [idempotencyKey, head] of keys) {
      expect(await store.write([person("again")], { idempotencyKey }), `${what}: ${idempotencyKey}`).toEqual(head);
    }
  }
  const digest = await digestOf(store);
  expect(digest, `${what}: replay`).toBe(await replayedDigest(layer, what));
  expect(reader.head(), `${what}: reader`).toEqual(store.head());
  expect(await digestOf(reader), `${what}: reader`).toBe(digest);
  const after = await store.write([person("after")]);
  expect(after.tx, what).toBe(heads.size + 1);
  expect(reader.head(), `${what}: reader`).toEqual(after);
  await reader.close();
  await store.close();
  expect(layer.openCount, `${what}: open files`).toBe(0);
  const names = layer.paths().map((path) => path.slice(STORE.length + 1));
  for (const name of names) expect(name, `${what}: names`).toMatch(/^(LOCK|log\/\d{10}\.plog|log\/cut-\d+(-\d+)?)$/);
  const again = await Store.openOn(layer.crashed(), STORE, OPTIONS);
  expect(again.head(), `${what}: after one more crash`).toEqual(after);
  expect(again.report.cut, what).toBeNull();
  await again.close();
}
