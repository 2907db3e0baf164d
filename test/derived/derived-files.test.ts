// Files beside the log: lines that vouch for themselves, and what erasures take along, also where a process died or adds late.
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DerivedFiles } from "../../src/derived/derived-files.js";
import { LineIndex } from "../../src/derived/line-index.js";
import { decodeLine, digested, encodeLine, LONGEST_LINE_BYTES } from "../../src/derived/lines.js";
import { Store } from "../../src/store/store.js";
import { FaultyFileLayer } from "../support/faulty-file-layer.js";
import { person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const KEY = "a".repeat(64);

/** A note of the head that holds a text. */
const noteOf = (store: Store, text: string) => {
  const { tx, chain } = store.head();
  return { built_tx: tx, chain, text };
};
/** The notes as lines, all of them read anew. */
async function read(derived: DerivedFiles): Promise<{ notes: readonly object[]; said: readonly string[] }> {
  const { notes, said } = await derived.notes(new LineIndex(() => null));
  return { notes: notes.map(({ line }) => line()), said };
}
const texts = async (derived: DerivedFiles): Promise<unknown[]> =>
  (await read(derived)).notes.map((note) => (note as { text?: unknown }).text);

const filesWith = (path: string, text: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text));

test("a line is read back, and no other line is", () => {
  const bytes = encodeLine(digested({ built_tx: 1, text: "añ" })).subarray(0, -1);
  expect(decodeLine(bytes)).toMatchObject({ built_tx: 1, text: "añ" });
  for (let at = 0; at < bytes.length; at += 1) {
    const altered = Uint8Array.from(bytes);
    altered[at]! ^= 1;
    expect(typeof decodeLine(altered), `byte ${at}`).toBe("string");
    expect(typeof decodeLine(bytes.subarray(0, at)), `cut at ${at}`).toBe("string");
  }
  const wrong = ["", "null", "[]", "{}", '{"digest":1}', "\ufeff{}", `${"[".repeat(30_000)}`];
  for (const text of wrong) expect(typeof decodeLine(Buffer.from(text)), text.slice(0, 20)).toBe("string");
  expect(decodeLine(Buffer.from([0x22, 0xff, 0x22]))).toBe("not UTF-8");
  const huge = encodeLine(digested({ text: "x".repeat(LONGEST_LINE_BYTES) }));
  expect(decodeLine(huge)).toMatch(/longer than/);
  const spaced = Buffer.from(bytes).toString().replace('{"', '{ "');
  expect(decodeLine(Buffer.from(spaced))).toMatch(/altered/);
});

test("notes are added, read by another handle and dropped; what stands between them is said", async () => {
  const path = join(folder(), "store");
  const store = await Store.open(path, {});
  await store.write([person("ann")]);
  const derived = store.derived!;
  expect(await read(derived)).toEqual({ notes: [], said: [] });
  expect(existsSync(join(path, "agent"))).toBe(false);
  await derived.addNotes([noteOf(store, "one")]);
  await derived.addNotes([noteOf(store, "one"), noteOf(store, "two")]);
  appendFileSync(derived.notesFile, '{"text":"torn');
  expect(await texts(derived)).toEqual(["one", "two"]);
  await derived.addNotes([noteOf(store, "three")]);
  const lines = readFileSync(derived.notesFile, "utf8").split("\n");
  writeFileSync(derived.notesFile, [lines[0], lines[1]!.replace("two", "too"), lines[2], "x"].join("\n"));
  const reader = await Store.open(path, { readOnly: true });
  expect(await read(reader.derived!)).toMatchObject({
    notes: [{ text: "one" }, { text: "three" }],
    said: [expect.stringMatching(/line 2 .* altered/), expect.stringMatching(/line 4 .* torn/)],
  });
  expect(await reader.derived!.dropNotes()).toBe(2);
  expect(existsSync(derived.notesFile)).toBe(false);
  expect(await derived.dropNotes()).toBe(0);
  await reader.close();
  await store.close();
});

test("two that add at once lose nothing, and one that was there already is there once", async () => {
  const path = join(folder(), "store");
  const store = await Store.open(path, {});
  await store.write([person("ann")]);
  const reader = await Store.open(path, { readOnly: true });
  const all = Array.from({ length: 20 }, (_, i) => noteOf(store, `note ${i}`));
  await Promise.all(all.map((note, i) => (i % 2 === 0 ? store : reader).derived!.addNotes([note, all[0]!])));
  expect((await texts(store.derived!)).sort()).toEqual(all.map(({ text }) => text).sort());
  await reader.close();
  await store.close();
});

test("notes of another store, of another history and of a later commit are none", async () => {
  const [one, other] = [await Store.open(join(folder(), "one"), {}), await Store.open(join(folder(), "other"), {})];
  for (const store of [one, other]) await store.write([person("ann")]);
  await one.derived!.addNotes([noteOf(one, "mine")]);
  expect(await other.derived!.addNotes([noteOf(one, "not mine")])).toEqual([]);
  mkdirSync(join(folder(), "other", "agent"), { recursive: true });
  const later = encodeLine(digested({ ...noteOf(other, "later"), built_tx: 9 }));
  writeFileSync(other.derived!.notesFile, Buffer.concat([readFileSync(one.derived!.notesFile), later]));
  expect(await read(other.derived!)).toEqual({
    notes: [],
    said: [
      expect.stringMatching(/left out: 1, as it is of another store/),
      expect.stringMatching(/left out: 1, as it was made at a commit/),
    ],
  });
  await one.close();
  await other.close();
});

test("an erasure takes notes and answers that may name the identity along, and leaves what came before it", async () => {
  const path = join(folder(), "store");
  const store = await Store.open(path, {});
  const derived = store.derived!;
  await store.write([person("ann")]);
  await derived.addNotes([noteOf(store, "before")]);
  await store.write([person("canary")]);
  await derived.addNotes([noteOf(store, "about canary")]);
  await derived.keepAnswer(KEY, { text: "canary" }, store.head().tx);
  expect(await derived.answer(KEY)).toMatchObject({ text: "canary" });
  appendFileSync(derived.notesFile, "canary, torn");
  writeFileSync(`${derived.notesFile}.new`, "canary, unfinished");
  await store.erase({ uid: "canary" });
  expect(filesWith(path, "canary")).toEqual([]);
  expect(await texts(derived)).toEqual(["before"]);
  expect(await derived.answer(KEY)).toBeNull();
  await store.close();
});

test("who adds after an erasure what was derived before it adds nothing", async () => {
  const path = join(folder(), "store");
  const store = await Store.open(path, {});
  const reader = await Store.open(path, { readOnly: true });
  await store.write([person("ann"), person("canary")]);
  await reader.refresh();
  const note = noteOf(reader, "about canary");
  await store.erase({ uid: "canary" });
  expect(await reader.derived!.addNotes([note])).toEqual([]);
  await reader.derived!.keepAnswer(KEY, { text: "canary" }, note.built_tx);
  expect(filesWith(path, "canary")).toEqual([]);
  await reader.close();
  await store.close();
});

test("what an erasure left behind goes when the store is opened for writing, and when notes are read", async () => {
  const path = join(folder(), "store");
  const write = async (): Promise<Buffer> => {
    const store = await Store.open(path, {});
    await store.write([person("ann"), person("canary")]);
    await store.derived!.addNotes([noteOf(store, "about canary")]);
    const bytes = readFileSync(store.derived!.notesFile);
    await store.erase({ uid: "canary" });
    await store.close();
    return bytes;
  };
  const left = await write();
  const file = join(path, "agent/notes.jsonl");
  // As if the process had died between the two.
  writeFileSync(file, left);
  const reader = await Store.open(path, { readOnly: true });
  expect(await read(reader.derived!)).toMatchObject({ notes: [], said: [expect.stringMatching(/was erased/)] });
  expect(filesWith(path, "canary")).toEqual([]);
  writeFileSync(file, left);
  await (await Store.open(path, {})).close();
  expect(filesWith(path, "canary")).toEqual([]);
  await reader.close();
});

test("an erasure whose notes cannot be removed has not happened", async () => {
  const layer = new FaultyFileLayer();
  const store = await Store.openOn(layer, "/s", {});
  await store.write([person("ann"), person("canary")]);
  await store.derived!.addNotes([noteOf(store, "about canary")]);
  layer.failure = { kind: "remove", call: layer.count("remove") + 1, osCode: "EROFS" };
  await expect(store.erase({ uid: "canary" })).rejects.toMatchObject({
    code: "E_IO",
    details: { file: "/s/agent/notes.jsonl", os_code: "EROFS", outcome: "not_applied" },
  });
  expect(layer.hasFailed).toBe(true);
  layer.failure = undefined;
  expect(store.head().tx).toBe(1);
  expect(await texts(store.derived!)).toEqual(["about canary"]);
  await store.erase({ uid: "canary" });
  expect(layer.list("/s/agent")).toEqual(["LOCK"]);
  await store.close();
});

test("a folder that cannot be written is E_IO for who adds, and said to who reads", async () => {
  const layer = new FaultyFileLayer();
  const store = await Store.openOn(layer, "/s", {});
  await store.write([person("ann"), person("canary")]);
  const note = noteOf(store, "about canary");
  layer.failure = { kind: "makeFolder", call: layer.count("makeFolder") + 1, osCode: "EROFS" };
  await expect(store.derived!.addNotes([note])).rejects.toMatchObject({ code: "E_IO", details: { os_code: "EROFS" } });
  layer.failure = undefined;
  await store.erase({ uid: "canary" });
  // A copy of the folder that was put back.
  const file = layer.open("/s/agent/notes.jsonl", "create");
  await file.write([encodeLine(digested(note))], 0, { sync: true });
  file.close();
  layer.failure = { kind: "remove", call: layer.count("remove") + 1, osCode: "EROFS" };
  expect(await read(store.derived!)).toMatchObject({
    notes: [],
    said: [expect.stringMatching(/was erased/), expect.stringMatching(/what was erased is still in \/s\/agent/)],
  });
  await store.close();
});

test("who reads where nothing has to go changes nothing, so that a disk that takes no writes is none of its concern", async () => {
  const layer = new FaultyFileLayer();
  const store = await Store.openOn(layer, "/s", {});
  await store.write([person("ann"), person("canary")]);
  await store.erase({ uid: "canary" });
  await store.derived!.addNotes([noteOf(store, "later")]);
  const reader = await Store.openOn(layer, "/s", { readOnly: true });
  const changes = ["makeFolder", "remove", "rename", "write", "sync", "syncFolder", "cut"] as const;
  const before = changes.map((kind) => layer.count(kind));
  expect(await read(reader.derived!)).toMatchObject({ notes: [{ text: "later" }], said: [] });
  expect(changes.map((kind) => layer.count(kind))).toEqual(before);
  await reader.close();
  await store.close();
});
