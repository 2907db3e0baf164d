// Erasing an identity: what the call gives and refuses, that no byte of it stays in any file, what readers see, what it costs.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { memoryFileLayer } from "../../src/log/memory-file-layer.js";
import { Store } from "../../src/store/store.js";
import type { EraseReceipt } from "../../src/store/types.js";
import { startProcess } from "../support/remote-database.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-erase-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SINCE = { valid_from: "2020-01-01T00:00:00Z" } as const;
const CANARY = "canary";

/** The canary as node, as end of edges and of events, in labels, properties, types, keys, sources and reasons. */
async function writeCanary(db: Database): Promise<void> {
  const node = { op: "assert_node", uid: `${CANARY}-9`, ...SINCE } as const;
  await db.write([
    { op: "assert_node", uid: "ann", ...SINCE },
    { ...node, labels: [`${CANARY}-label`], props: { [`${CANARY}-prop`]: `${CANARY}-value`, tags: [`${CANARY}-tag`] } },
  ]);
  await db.write([
    { op: "correct", ref: { uid: `${CANARY}-9` }, mode: "patch", props: { name: `${CANARY} two` }, ...SINCE },
  ]);
  await db.write([
    { op: "assert_edge", src: "bob", type: `${CANARY}-type`, dst: `${CANARY}-9`, key: `${CANARY}-key`, ...SINCE },
    { op: "assert_edge", src: "ann", type: "KNOWS", dst: "bob", ...SINCE },
  ]);
  await db.ingest(
    {
      src: [`${CANARY}-9`, "ann", "cy"],
      dst: ["dan", "cy", `${CANARY}-9`],
      type: [`${CANARY}-sent`, "SENT", "SENT"],
      time: BigInt64Array.of(5n, 6n, 7n),
      props: [{ name: "text", kind: "string", values: [`${CANARY} hello`, "hello", `${CANARY} again`] }],
    },
    { nodeLabels: ["Person"] },
  );
  await db.ingest(
    { src: [`${CANARY}-9`], dst: ["ann"], type: ["SENT"], time: BigInt64Array.of(9n) },
    { source: `${CANARY}-file` },
  );
  await db
    .write([
      { op: "retract", ref: { uid: `${CANARY}-9` }, reason: `${CANARY}-reason`, ...SINCE },
      { op: "retract", ref: { uid: "nobody" }, ...SINCE },
    ])
    .catch(() => undefined);
}

function filesWith(store: string, text: string): string[] {
  return readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

describe("erase", () => {
  it("takes every byte of an identity out of every file, and says what it removed", async () => {
    const path = join(folder, "bytes");
    const db = await open(path);
    await writeCanary(db);
    writeFileSync(join(path, "log/cut-99"), `${CANARY} in a torn tail`);
    expect(filesWith(path, CANARY)).not.toEqual([]);
    const before = await db.head();
    const erased = await db.write([{ op: "erase", ref: { uid: `${CANARY}-9` }, reason: "request 4411" }]);
    expect(erased.tx).toBe(before.tx + 1);
    expect(erased).toMatchObject({ commits: 5, versions: expect.any(Number), bytes: expect.any(Number) });
    expect((erased as EraseReceipt).bytes).toBeGreaterThan(100);
    expect(filesWith(path, CANARY)).toEqual([]);
    expect(filesWith(path, "request 4411")).toHaveLength(1);
    // Who was named by the canary's events alone is gone with them.
    expect(filesWith(path, "dan")).toEqual([]);

    const info = await db.info();
    expect(JSON.stringify(info)).not.toContain(CANARY);
    expect(info).toMatchObject({ types: ["KNOWS", "SENT"], nodes: 3, edges: 2 });
    const digest = await db.digest();
    const unknown = db.call("entity_history", { ref: { uid: `${CANARY}-8` } });
    await expect(unknown).rejects.toMatchObject({
      code: "E_NOT_FOUND",
      message: expect.not.stringContaining(`${CANARY}-9`),
    });
    for (const tx of [1, 2, 3, 4, 5]) {
      const answer = await db.call("version_history", { as_of_tt: `tx:${tx}`, limit: 1000 });
      expect(JSON.stringify(answer.rows)).not.toContain(CANARY);
      expect(answer.erased).toBe(1);
    }
    expect((await db.call("version_history", {})).erased).toBe(0);
    await db.close();
    const again = await open(path);
    expect(await again.head()).toMatchObject({ tx: erased.tx, chain: erased.chain });
    expect(await again.digest()).toBe(digest);
    await again.close();
  });

  it("refuses what nothing names, once more what it erased, and company", async () => {
    const db = await open(":memory:");
    await db.write([{ op: "assert_node", uid: "a", ...SINCE }]);
    const erase = (ref: { uid: string }) => db.write([{ op: "erase", ref }]);
    await expect(erase({ uid: "b" })).rejects.toMatchObject({ code: "E_NOT_FOUND" });
    expect((await erase({ uid: "a" })).tx).toBe(2);
    await expect(erase({ uid: "a" })).rejects.toMatchObject({ code: "E_NOT_FOUND" });
    await expect(
      db.write([
        { op: "erase", ref: { uid: "a" } },
        { op: "assert_node", uid: "c", ...SINCE },
      ]),
    ).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    expect((await db.write([{ op: "assert_node", uid: "a", ...SINCE }])).tx).toBe(3);
    await db.close();
  });

  it("erases an edge alone, by a key that the store chose, and spends that key", async () => {
    const store = await Store.open(":memory:", {});
    await store.write([{ op: "assert_edge", src: "a", type: "M", dst: "b", key: "#2", ...SINCE }]);
    const message = { src: ["a"], dst: ["b"], time: BigInt64Array.of(5n) };
    await store.ingest(message, { type: "M" }); // seq 2, and #2 is taken: #3
    await store.erase({ src: "a", type: "M", dst: "b", key: "#3" }, { reason: "request" });
    // Seq 3 would be given #3.
    await store.ingest(message, { type: "M" });
    const { nodes, edges } = store.info();
    expect({ nodes, edges }).toEqual({ nodes: 2, edges: 2 });
    await expect(store.erase({ src: "a", type: "M", dst: "b", key: "#3" })).rejects.toMatchObject({
      code: "E_NOT_FOUND",
    });
    expect(await store.erase({ src: "a", type: "M", dst: "b", key: "#4" })).toMatchObject({ versions: 3 });
    await store.close();
  });

  it("tells beforehand what it would remove, and writes nothing", async () => {
    const layer = memoryFileLayer();
    const store = await Store.openOn(layer, "/store", {});
    await store.write([
      { op: "assert_node", uid: "a", ...SINCE },
      { op: "assert_edge", src: "a", type: "M", dst: "b", ...SINCE },
    ]);
    await store.write([{ op: "assert_node", uid: "a", props: { n: 1 }, valid_from: "2021-01-01" }]);
    const bytes = layer.files.get("/store/log/0000000001.plog")!.view().slice();
    const touched = await store.touchedByErase({ uid: "a" });
    expect(touched).toMatchObject({ versions: 4, commits: 2 });
    expect(Buffer.from(layer.files.get("/store/log/0000000001.plog")!.view()).equals(bytes)).toBe(true);
    expect([...layer.files.keys()].sort()).toEqual(["/store/LOCK", "/store/log/0000000001.plog"]);
    await expect(store.touchedByErase({ uid: "b2" })).rejects.toMatchObject({ code: "E_NOT_FOUND" });
    await expect(store.touchedByErase({ uid: 5 })).rejects.toMatchObject({ code: "E_SCHEMA" });
    expect(await store.erase({ uid: "a" })).toMatchObject(touched);
    await store.close();
  });

  it("gives the first result for a key that is committed, and keeps the conditions of a write", async () => {
    const db = await open(":memory:");
    await db.write([{ op: "assert_node", uid: "a", ...SINCE }]);
    const ops = [{ op: "erase", ref: { uid: "a" } }] as const;
    await expect(db.write(ops, { ifTx: 0 })).rejects.toMatchObject({ code: "E_STATE" });
    const first = await db.write(ops, { idempotencyKey: "k" });
    expect(await db.write(ops, { idempotencyKey: "k" })).toEqual(first);
    await db.close();
  });

  it("keeps statements about others, even where they corrected what the erased events had brought", async () => {
    const path = join(folder, "others");
    const db = await open(path);
    await db.ingest({ src: ["a"], dst: ["b"], time: BigInt64Array.of(5n) }, { type: "M", nodeLabels: ["P"] });
    await db.write([{ op: "retract", ref: { uid: "b" }, valid_from: "2030-01-01" }]);
    await db.write([{ op: "correct", ref: { uid: "b" }, labels: ["Q"], ...SINCE, valid_to: "2021-01-01" }]);
    await db.write([{ op: "erase", ref: { uid: "a" } }]);
    const { rows } = await db.call("version_history", {});
    expect(rows).toMatchObject([{ uid: "b", labels: ["Q"], valid_to: "2021-01-01T00:00:00Z" }]);
    const digest = await db.digest();
    await db.close();
    const again = await open(path);
    expect(await again.digest()).toBe(digest);
    await again.close();
  });
});

describe("readers", () => {
  it("in this process go on with the store without the identity; a call under way ends as it began", async () => {
    const path = join(folder, "readers");
    const db = await open(path);
    await writeCanary(db);
    const reader = await open(path, { readOnly: true });
    const heard: number[] = [];
    reader.subscribe(({ tx }) => heard.push(tx));
    const calls = Array.from({ length: 20 }, () => reader.call("version_history", { as_of_tt: "tx:5", limit: 1000 }));
    const { tx } = await db.write([{ op: "erase", ref: { uid: `${CANARY}-9` } }]);
    for (const { rows, erased } of await Promise.all(calls)) {
      expect(JSON.stringify(rows).includes(CANARY)).toBe(erased === 0);
    }
    expect((await reader.head()).tx).toBe(tx);
    expect(await reader.digest()).toBe(await db.digest());
    await db.write([{ op: "assert_node", uid: "after", ...SINCE }]);
    expect(await reader.digest()).toBe(await db.digest());
    await db.close();
    await reader.refresh();
    const again = await open(path);
    expect(await reader.digest()).toBe(await again.digest());
    expect(heard).toEqual([tx, tx + 1]);
    await reader.close();
    await again.close();
  });

  it("in another process follow, before and after", { timeout: 60_000 }, async () => {
    const path = join(folder, "processes");
    const db = await open(path);
    await writeCanary(db);
    const [early, late] = [startProcess(), startProcess()];
    await early.call("open", path, { readOnly: true });
    expect(await early.call("digest")).toBe(await db.digest());
    await db.write([{ op: "erase", ref: { uid: `${CANARY}-9` } }]);
    await db.write([{ op: "assert_node", uid: "after", ...SINCE }]);
    await early.call("refresh");
    await late.call("open", path, { readOnly: true });
    for (const remote of [early, late]) {
      expect(await remote.call("head")).toEqual(await db.head());
      expect(await remote.call("digest")).toBe(await db.digest());
    }
    await db.write([{ op: "erase", ref: { uid: "ann" } }]);
    await early.call("refresh");
    expect(await early.call("digest")).toBe(await db.digest());
    await db.close();
    await late.call("refresh");
    expect(await late.call("head")).toEqual(await early.call("head"));
  });
});

describe("a node with a hundred thousand edges", () => {
  it("is erased, and others go on being written and read", { timeout: 60_000 }, async () => {
    const count = 100_000;
    const db = await open(join(folder, "hub"));
    const others = Array.from({ length: 1000 }, (_, i) => `n${i}`);
    const codes = Uint32Array.from({ length: count }, (_, i) => i % others.length);
    const time = BigInt64Array.from({ length: count }, (_, i) => BigInt(i));
    const hub = { values: [CANARY], codes: new Uint32Array(count) };
    await db.ingest({ src: hub, dst: { values: others, codes }, time }, { type: "M" });
    await db.ingest({ src: { values: others, codes }, dst: { values: others, codes }, time }, { type: "M" });
    const erasing = db.write([{ op: "erase", ref: { uid: CANARY } }]);
    const next = db.write([{ op: "assert_node", uid: "next", ...SINCE }]);
    expect((await db.info()).edges).toBe(2 * count);
    expect(await erasing).toMatchObject({ tx: 3, versions: expect.any(Number), commits: 1 });
    expect((await next).tx).toBe(4);
    expect(await db.info()).toMatchObject({ edges: count, nodes: 1001 });
    expect(filesWith(join(folder, "hub"), CANARY)).toEqual([]);
    await db.close();
  });
});
