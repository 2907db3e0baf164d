// Erasing a name: no file of the store's folder holds it afterwards in any encoding, neither in notes nor in answers of models,
// and no note that may have shown it is used at any commit.
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AskedSince } from "../../../src/agent/asked-since.js";
import { createAgent, notesOf } from "../../../src/agent/index.js";
import { headOfLine } from "../../../src/agent/memory/note-head.js";
import { KeptGrounds } from "../../../src/agent/writes/kept-grounds.js";
import type { Erasure } from "../../../src/derived/erasures.js";
import { LineIndex } from "../../../src/derived/line-index.js";
import { type Database, open } from "../../../src/index.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { ModelServer } from "../model-server.js";
import { dayText, load, messages } from "./noted-store.js";

const folder = temporaryFolder();
const NAME = "Zoë Canary-77";
const WINDOW = { from: dayText(7), to: dayText(14) };
const PLAN = {
  thought: `What ${NAME} did.`,
  steps: [
    {
      id: "s1",
      op: "aggregate_events",
      args: { window: WINDOW, where: { src: { uids: [NAME] } }, aggregates: [{ fn: "count", as: "n" }] },
    },
  ],
  answer: { kind: "count", from: "s1.rows[0].n" },
};
const REPORT = { text: "{c1} messages.", claims: [{ id: "c1", type: "count", cell: "s1.rows[0].n" }] };
const QUESTION = `How many messages did "${NAME}" send from ${WINDOW.from} up to ${WINDOW.to}?`;

/** The name as any file might hold it: as bytes, in escapes, in the middle of something packed as base64. */
function encodings(name: string): readonly Buffer[] {
  const utf8 = Buffer.from(name, "utf8");
  const utf16 = Buffer.from(name, "utf16le");
  const escaped = [...name].map((c) => (c > "~" ? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}` : c)).join("");
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), utf8]).toString("base64");
    // Only what the name alone decides.
    return text.slice(shift === 0 ? 0 : 4, 4 * Math.floor((shift + utf8.length) / 3));
  });
  return [
    utf8,
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(name, "latin1"),
    Buffer.from(name.normalize("NFD"), "utf8"),
    ...[
      escaped,
      escaped.toUpperCase(),
      encodeURIComponent(name),
      utf8.toString("hex"),
      utf8.toString("hex").toUpperCase(),
      ...base64,
    ].map((text) => Buffer.from(text, "latin1")),
  ];
}

const filesWith = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return encodings(NAME).some((encoded) => bytes.includes(encoded));
    });

let db: Database;
let server: ModelServer;
const path = (): string => join(folder(), "store");
beforeEach(async () => {
  db = await open(path());
  await load(db, messages(100, 3));
  await notesOf(db).build();
  // From the second week on there is one who writes the most.
  await load(
    db,
    Array.from({ length: 40 }, (_, i) => ({ src: NAME, dst: `d${i % 7}`, day: 7 + i / 3 })),
  );
  server = await ModelServer.start(({ body }) => ({
    text: JSON.stringify(body.messages[0]!.content.includes("You word the answer") ? REPORT : PLAN),
  }));
  await notesOf(db).build();
});
afterEach(async () => {
  await db.close();
  await server.stop();
});

const agent = (of: Database, cache: "store" | "memory") =>
  createAgent(of, { model: { base_url: server.url, capability: "text" }, memory: "read", cache });

it("finds each of the encodings that it looks for", () => {
  for (const encoded of encodings(NAME)) expect(encoded.length).toBeGreaterThan(12);
  const within = (text: Buffer): string => text.toString("base64");
  for (const before of ["", "a", "ab", "abc"]) {
    const packed = Buffer.from(within(Buffer.from(`${before}${NAME}xyz`)));
    expect(
      encodings(NAME).some((encoded) => packed.includes(encoded)),
      before,
    ).toBe(true);
  }
});

it("leaves the name in no file, and notes of before it alone", async () => {
  const { answer } = await agent(db, "store").ask(QUESTION);
  expect(answer).toMatchObject({ status: "answered", parts: [{ value: 21 }] });
  const held = filesWith(path());
  expect(held.some((file) => file.endsWith("notes.jsonl"))).toBe(true);
  expect(held.filter((file) => file.includes("answers"))).toHaveLength(1);
  const before = (await notesOf(db).list()).notes.length;
  expect(before).toBeGreaterThan(4);

  await db.write([{ op: "erase", ref: { uid: NAME }, reason: "request" }]);
  expect(filesWith(path())).toEqual([]);
  // The four of tx:1 are older than the name; an erasure ends them.
  const { notes } = await notesOf(db).list();
  expect(notes.map(({ note, holds }) => [note.built_tx, holds!.to < 3])).toEqual(Array(4).fill([1, true]));
  await notesOf(db).build();
  expect(filesWith(path())).toEqual([]);
  expect((await notesOf(db).list()).notes.filter(({ holds }) => holds!.to === 3)).toHaveLength(4);
});

it("is nowhere in what an agent keeps of notes from one question to the next", async () => {
  const bytes = readFileSync(join(path(), "agent/notes.jsonl"));
  expect(bytes.includes(NAME)).toBe(true);
  const seen = async (index: LineIndex<unknown>): Promise<string> => {
    expect((await index.read(bytes)).lines.length).toBeGreaterThan(4);
    return inspect(index, { depth: null, maxArrayLength: null, maxStringLength: null, showHidden: true });
  };
  expect(await seen(new LineIndex((line) => line))).toContain("Canary");
  const kept = await seen(new LineIndex(headOfLine));
  expect(kept).toContain(WINDOW.from);
  expect(kept).not.toContain("Canary");
});

it("is not undone by a folder that is put back", async () => {
  cpSync(join(path(), "agent"), join(folder(), "copy"), { recursive: true });
  await db.write([{ op: "erase", ref: { uid: NAME } }]);
  const putBack = (): void => cpSync(join(folder(), "copy"), join(path(), "agent"), { recursive: true });
  putBack();
  expect(filesWith(path())).not.toEqual([]);
  const { digests } = await notesOf(db)
    .list()
    .then(({ notes }) => ({ digests: notes.filter(({ note }) => note.built_tx === 2) }));
  expect(digests).toEqual([]);
  expect(filesWith(path())).toEqual([]);
  putBack();
  await db.close();
  db = await open(path());
  expect(filesWith(path())).toEqual([]);
});

it("is not undone by a question that went on meanwhile, whose answers are kept nowhere", async () => {
  const reader = await open(path(), { readOnly: true });
  for (const cache of ["store", "memory"] as const) {
    let erase = cache === "store";
    const asking = agent(reader, cache).ask(QUESTION, {
      on_event: ({ at }) => {
        if (at !== "card" || !erase) return;
        erase = false;
        erasing = db.write([{ op: "erase", ref: { uid: NAME } }]);
      },
    });
    let erasing: Promise<unknown> = Promise.resolve();
    await asking;
    await erasing;
    expect(filesWith(path()), cache).toEqual([]);
  }
  await reader.close();
});

it("is not undone by a build that went on meanwhile", async () => {
  await notesOf(db).drop();
  let erasing: Promise<unknown> | undefined;
  const slow = await ModelServer.start(async () => {
    erasing ??= db.write([{ op: "erase", ref: { uid: NAME } }]);
    await erasing;
    return { text: JSON.stringify({ text: "{f5} sent {f6} messages." }) };
  });
  const built = await notesOf(db).build({ model: { base_url: slow.url, capability: "text" } });
  await slow.stop();
  expect(built).toMatchObject({ built: 0, said: ["4 notes were not kept: something was erased meanwhile"] });
  expect(filesWith(path())).toEqual([]);
});

it("ends what an agent remembers of its answers for proposals", async () => {
  let erasures: Erasure[] = [];
  const since = new AskedSince(() => ({ headTx: 4 + erasures.length, erasures, chainAt: () => "" }));
  const grounds = new KeptGrounds(since);
  const result = await agent(db, "memory").ask(QUESTION);
  const digest = result.trace!.trace_digest;
  await since.during(async () => grounds.keep(QUESTION, result));
  expect(grounds.of(digest)).toMatchObject({ question: QUESTION });
  await since.during(async () => {
    erasures = [{ tx: 5, firstTx: 2 }];
    grounds.keep(QUESTION, result);
  });
  expect(grounds.of(digest)).toBeUndefined();
  await since.during(async () => grounds.keep(QUESTION, result));
  expect(grounds.of(digest)).toBeDefined();
});
