// Notes of windows are built: what they say against a count by definition, which are kept, and what is refused.
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { notesOf } from "../../../src/agent/index.js";
import { open } from "../../../src/index.js";
import { dayText, factsOf, load } from "./noted-store.js";
import { ALL, NotedSuite, WEEK_2 } from "./noted-suite.js";

const suite = NotedSuite.begin();

describe("building", () => {
  it("makes a note of each week, whose facts are those of a count by definition", async () => {
    expect(await notesOf(suite.db).build()).toMatchObject({
      tx: 1,
      stride: "P7D",
      windows: 4,
      built: 4,
      kept: 0,
      said: [],
    });
    const { notes, said } = await notesOf(suite.db).list();
    expect(said).toEqual([]);
    expect(notes).toHaveLength(4);
    for (const [week, { note, holds }] of notes.entries()) {
      expect(note.window).toEqual({ from: dayText(7 * week), to: dayText(7 * week + 7) });
      const values = Object.fromEntries(Object.entries(note.facts).map(([id, { value }]) => [id, value]));
      expect(values).toMatchObject(factsOf(ALL, week));
      expect(holds).toEqual({ from: 1, to: 1 });
      expect(note).toMatchObject({ by: "code", built_tx: 1, depends: { from: null, to: note.window.to } });
    }
    const first = factsOf(ALL, 0);
    expect(notes[0]!.text).toContain(
      `Events: ${first.f1}. Active nodes: ${first.f2}, new nodes: ${first.f3}, new pairs: ${first.f4}.`,
    );
    expect(notes[0]!.text).toContain(`Most events sent: ${first.f5} (${first.f6}), ${first.f7} (${first.f8})`);
  });

  it("counts corrections, keeps what holds, and makes the rest anew", async () => {
    await notesOf(suite.db).build();
    const late = ALL.map((message, i) => ({ ...message, key: `#${i + 1}` })).find(({ day }) => day >= 21.1)!;
    const ref = { src: late.src, type: "SENT", dst: late.dst, key: late.key };
    const [from, to] = [dayText(late.day), dayText(late.day).replace("Z", ".000001Z")];
    await suite.db.write([
      { op: "correct", ref, mode: "replace", valid_from: from, valid_to: to, props: { wrong: 1 } },
    ]);
    expect(await notesOf(suite.db).build()).toMatchObject({ tx: 2, windows: 4, built: 1, kept: 3 });
    const { notes } = await notesOf(suite.db).list();
    const last = notes.filter(({ note }) => note.window.from === dayText(21));
    expect(last.map(({ holds, note }) => [holds, note.facts.f21!.value])).toEqual([
      [{ from: 1, to: 1 }, 0],
      [{ from: 2, to: 2 }, 1],
    ]);
    expect(notes.filter(({ holds }) => holds!.to === 2 && holds!.from === 1)).toHaveLength(3);
  });

  it("stops when it is told to, and what was finished stays", async () => {
    const controller = new AbortController();
    const stopping = notesOf(suite.db).build({
      stride: "P1D",
      signal: controller.signal,
      on_window: (done) => {
        if (done === 20) controller.abort();
      },
    });
    await expect(stopping).rejects.toMatchObject({ code: "E_CANCELLED" });
    expect((await notesOf(suite.db).list()).notes).toHaveLength(20);
    expect(await notesOf(suite.db).build({ stride: "P1D" })).toMatchObject({ kept: 20, built: 8 });
  });

  it("is done by two at once, and each note is there once", async () => {
    const reader = await open(suite.path, { readOnly: true });
    await Promise.all([notesOf(suite.db).build(), notesOf(reader).build()]);
    expect((await notesOf(suite.db).list()).notes).toHaveLength(4);
    await reader.close();
  });

  it.each([
    ["P1X", "E_INVALID_ARG"],
    ["P9999Y", "E_INVALID_ARG"],
    ["PT1S", "E_LIMIT"],
  ])("refuses the stride %s", async (stride, code) => {
    await expect(notesOf(suite.db).build({ stride })).rejects.toMatchObject({ code });
    expect(existsSync(suite.file)).toBe(false);
  });

  it.each<[string, object]>([
    ["an option that is none", { weeks: 1 }],
    ["a stride that is no text", { stride: 7 }],
    // There is no plan and no answer that a model could write in another form.
    ["a front", { front: "tql" }],
    ["a mode", { mode: "loop" }],
    ["a limit that means nothing here", { limits: { repairs: 1 } }],
    ["a limit that is no number", { limits: { wall_ms: "1" } }],
    ["a limit below zero", { limits: { wall_ms: -1 } }],
    ["a limit of a model where there is none", { limits: { tokens: 100 } }],
  ])("refuses %s", async (_, options) => {
    await expect(notesOf(suite.db).build(options as never)).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    expect(existsSync(suite.file)).toBe(false);
  });

  it("of a store in memory is refused, and a question there has no notes", async () => {
    const inMemory = await open(":memory:");
    for (const work of [
      () => notesOf(inMemory).build(),
      () => notesOf(inMemory).list(),
      () => notesOf(inMemory).drop(),
    ])
      await expect(work()).rejects.toMatchObject({ code: "E_STATE" });
    await load(inMemory, ALL);
    const { digests, answer } = await suite.asked(WEEK_2, undefined, "read", inMemory);
    expect([digests, answer.notices, answer.status]).toEqual([[], [`ignored: q1`], "answered"]);
    await inMemory.close();
  });
});
