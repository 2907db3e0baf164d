// Notes that a model words: what its words may hold, and how often it is asked.
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { notesOf } from "../../../src/agent/index.js";
import { StoreNames } from "../../../src/agent/store-names.js";
import { ModelServer } from "../model-server.js";
import { factsOf } from "./noted-store.js";
import { ALL, NotedSuite } from "./noted-suite.js";

const suite = NotedSuite.begin();

describe("a model's words", () => {
  it("stand with values that code prints", async () => {
    await notesOf(suite.db).build({ model: suite.model() });
    const { notes } = await notesOf(suite.db).list();
    const { f1, f5, f6 } = factsOf(ALL, 1);
    expect(notes[1]).toMatchObject({
      note: { by: "model" },
      text: `${f1} messages were sent. ${f5} sent ${f6} of them.`,
    });
    expect(readFileSync(suite.file, "utf8")).toContain("{f1} messages");
  });

  it.each<[string, string]>([
    ["a number", "42 messages, {f1} of them."],
    ["a name of the store", "s1 sent {f6} of {f1}."],
    ["a fact that is not there", "{f99} messages."],
    ["a claim of its own", "{c1} messages."],
    ["markup", "[{f1}](http://x.test)"],
    ["a value of another subject", "{f1} messages were sent, and {f5} sent most."],
    ["a superlative that nothing licenses", "{f1} is the most of all weeks."],
    ["nothing of the window", "Nothing happened."],
  ])("with %s are asked for once more, then code words the note", async (_, wrong) => {
    suite.words = [wrong];
    await notesOf(suite.db).build({ model: suite.model() });
    const { notes } = await notesOf(suite.db).list();
    expect(notes.map(({ note }) => note.by)).toEqual(["code", "code", "code", "code"]);
    expect(suite.server.asked.filter(({ body }) => body.messages[0]!.content.includes("word a note"))).toHaveLength(8);
  });

  it("that were rejected come back to the model in a fence, as they may quote the store", async () => {
    suite.words = ["s1 sent {f6} of {f1}.", "{f1} messages were sent."];
    await notesOf(suite.db).build({ model: suite.model() });
    const { messages: told } = suite.server.asked[1]!.body;
    const tag = /data-[0-9a-f]{24}/.exec(told[1]!.content)![0];
    const [open, close] = [`<${tag} kind="attempt">`, `</${tag}>`];
    expect(told[2]).toEqual({ role: "assistant", content: `${open}\n{"text":"s1 sent {f6} of {f1}."}\n${close}` });
  });

  it("that are too long are refused for that, and no names are looked for in them", async () => {
    const known = vi.spyOn(StoreNames.prototype, "known");
    const long = Array.from({ length: 1_000 }, (_, i) => `w${i}`).join(" ");
    suite.words = [long, "{f1} messages were sent."];
    await notesOf(suite.db).build({ model: suite.model() });
    const mostTexts = Math.max(...known.mock.calls.map(([texts]) => texts.size));
    known.mockRestore();
    expect(suite.server.asked[1]!.body.messages[3]!.content).toContain(
      `{"rejected":"form","text":"${long.length} characters"}`,
    );
    expect(mostTexts).toBeLessThan(100);
  });

  it("without an end are paid for, and code words the note", async () => {
    const endless = await ModelServer.start(() => ({ text: '{"text": "{f1} {f1}', finish: "length" }));
    const config = { base_url: endless.url, capability: "text" as const, retries: 0 };
    const built = await notesOf(suite.db).build({ model: config });
    await endless.stop();
    // Each is asked for twice, the second time with room for a longer answer.
    expect(built).toMatchObject({ built: 4, said: [], usage: { calls: 8, prompt_tokens: 800 } });
    expect((await notesOf(suite.db).list()).notes.map(({ note }) => note.by)).toEqual(["code", "code", "code", "code"]);
  });

  it("are asked for as often as the limit says, then code words the rest", async () => {
    const by = async () => (await notesOf(suite.db).list()).notes.map(({ note }) => note.by);
    const built = await notesOf(suite.db).build({ model: suite.model(), limits: { model_calls: 2 } });
    expect(built).toMatchObject({ built: 4, usage: { calls: 2 } });
    expect(built.said).toEqual(["limits.model_calls is spent: notes worded by code: 2"]);
    expect(await by()).toEqual(["model", "model", "code", "code"]);
    // What holds is good enough where nobody may be asked for better words.
    const none = await notesOf(suite.db).build({ model: suite.model(), limits: { model_calls: 0 } });
    expect(none).toMatchObject({ built: 0, kept: 4, said: [], usage: { calls: 0 } });
    const one = await notesOf(suite.db).build({ model: suite.model(), limits: { model_calls: 1 } });
    expect(one).toMatchObject({ built: 1, kept: 3, said: [], usage: { calls: 1 } });
    expect(suite.server.asked).toHaveLength(3);
  });

  it("take no more tokens than the limit says", async () => {
    // The server says 110 tokens a call.
    const built = await notesOf(suite.db).build({ model: suite.model(), limits: { tokens: 120 } });
    expect(built).toMatchObject({ built: 4, usage: { calls: 2, prompt_tokens: 200, completion_tokens: 20 } });
    expect(built.said).toEqual(["limits.tokens is spent: notes worded by code: 2"]);
  });

  it("take no longer than the limit says, and what was finished stays", async () => {
    let calls = 0;
    const slow = await ModelServer.start(() => {
      calls += 1;
      return { text: JSON.stringify({ text: "{f1} messages." }), ...(calls > 2 ? { firstAfterMs: 60_000 } : {}) };
    });
    const slowly = { base_url: slow.url, capability: "text" as const, retries: 0 };
    const stopping = notesOf(suite.db).build({ model: slowly, limits: { wall_ms: 1_000 } });
    await expect(stopping).rejects.toMatchObject({
      code: "E_CANCELLED",
      details: { reason: "deadline", limit: "wall_ms" },
    });
    await slow.stop();
    // Two, unless the machine is slow.
    const finished = (await notesOf(suite.db).list()).notes;
    expect(finished.length).toBeLessThan(3);
    expect(finished.every(({ note }) => note.by === "model")).toBe(true);
    const kept = finished.length;
    expect(await notesOf(suite.db).build({ limits: { wall_ms: 60_000 } })).toMatchObject({ built: 4 - kept, kept });
  });

  it("that are right the second time stand", async () => {
    suite.words = ["42 messages, {f1} of them.", "{f1} messages were sent."];
    await notesOf(suite.db).build({ model: suite.model() });
    expect((await notesOf(suite.db).list()).notes.map(({ note }) => note.by)).toEqual([
      "model",
      "model",
      "model",
      "model",
    ]);
  });
});
