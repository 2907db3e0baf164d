// Which notes a question is given: those of its windows that hold at its pin.
import { describe, expect, it } from "vitest";
import { createAgent, notesOf } from "../../../src/agent/index.js";
import { open } from "../../../src/index.js";
import { dayText, factsOf, load, type Message, messages } from "./noted-store.js";
import { ALL, NotedSuite, WEEK_2, weekOf } from "./noted-suite.js";

const suite = NotedSuite.begin();

describe("a question", () => {
  it("is given the notes of its own windows, the best overlap first, three at most, in a fence", async () => {
    await notesOf(suite.db).build();
    const { notes } = await notesOf(suite.db).list();
    const { digests, prompt, answer } = await suite.asked(
      `How many were sent from ${dayText(5)} up to ${dayText(24)}?`,
    );
    expect(answer.status).toBe("answered");
    // Weeks 2 and 3 whole, then three days of week 4, of week 1 two.
    expect(digests).toEqual([1, 2, 3].map((week) => notes[week]!.note.digest));
    const inside = /<data-[0-9a-f]{24} kind="notes">\n([\s\S]*?)\n<\/data-/.exec(prompt)![1]!;
    expect(inside.split("\n").map((line) => (JSON.parse(line) as { window: object }).window)).toEqual(
      [1, 2, 3].map((week) => notes[week]!.note.window),
    );
    expect(prompt.indexOf('kind="card"')).toBeLessThan(prompt.indexOf('kind="notes"'));
    expect(prompt.indexOf('kind="notes"')).toBeLessThan(prompt.indexOf('kind="question"'));
  });

  it("is given of a long note the sentences that 800 characters hold, whole", async () => {
    const long = (name: string, i: number): string => `${name}${i}-${"x".repeat(120)}`;
    const of = (i: number) => ({ src: long("s", i % 3), dst: long("d", i % 4), day: 56 + i / 10 });
    await load(
      suite.db,
      Array.from({ length: 30 }, (_, i) => of(i)),
    );
    await notesOf(suite.db).build();
    const { prompt } = await suite.asked(weekOf(8));
    const [line] = /<data-[0-9a-f]{24} kind="notes">\n([\s\S]*?)\n<\/data-/.exec(prompt)!.slice(1);
    expect([...line!].length).toBeLessThanOrEqual(800);
    const { note } = JSON.parse(line!) as { note: string[] };
    expect(note[0]).toBe("Events: 30.");
    expect(note.at(-1)).toMatch(/^Most events (?:sent|received): .*\(\d+\)\.$/);
  });

  it("sees none where it names no window, where there is none of it, where memory is off, or by default", async () => {
    await notesOf(suite.db).build();
    expect((await suite.asked(WEEK_2)).digests).toHaveLength(1);
    expect((await suite.asked("How many messages were sent?")).digests).toEqual([]);
    expect((await suite.asked("How many messages were sent in May 2010?")).digests).toEqual([]);
    const off = await suite.asked(WEEK_2, undefined, "off");
    expect([off.digests, off.prompt.includes('kind="notes"')]).toEqual([[], false]);
    const from = suite.server.asked.length;
    await createAgent(suite.db, { model: suite.model() }).ask(WEEK_2);
    expect(suite.server.asked[from]!.body.messages[1]!.content).not.toContain('kind="notes"');
  });

  it("sees a note at the pins at which it holds, and at no other", async () => {
    await notesOf(suite.db).build();
    // Of week 3, so that weeks 1 and 2 go on.
    await load(suite.db, [{ src: "s0", dst: "d0", day: 15 }]);
    const week3 = `How many messages were sent from ${dayText(14)} up to ${dayText(21)}?`;
    expect((await suite.asked(WEEK_2)).digests).toHaveLength(1);
    expect((await suite.asked(week3)).digests).toEqual([]);
    expect((await suite.asked(week3, "tx:1")).digests).toHaveLength(1);
    await notesOf(suite.db).build();
    expect((await suite.asked(week3)).digests).toHaveLength(1);
    expect((await suite.asked(week3)).digests).not.toEqual((await suite.asked(week3, "tx:1")).digests);
  });

  it("sees a note though something older came late, as long as the same is new in its window", async () => {
    await notesOf(suite.db).build();
    const news = (all: readonly Message[], week: number) => {
      const { f3, f4 } = factsOf(all, week);
      return [f3, f4];
    };
    const [known] = ALL.filter(({ day }) => day < 7);
    const again = { ...known!, day: known!.day + 1 / 48 };
    await load(suite.db, [again]);
    const later = [...ALL, again];
    for (const week of [1, 2, 3]) {
      expect(news(later, week)).toEqual(news(ALL, week));
      expect((await suite.asked(weekOf(week))).digests, `week ${week}`).toHaveLength(1);
    }
    expect((await suite.asked(weekOf(0))).digests).toEqual([]);
    // Two that met in the second week for the first time, a week earlier.
    const met = (all: readonly Message[]) => new Set(all.map(({ src, dst }) => `${src} ${dst}`));
    const before = met(later.filter(({ day }) => day < 7));
    const fresh = later.find(({ src, dst, day }) => day >= 7 && day < 14 && !before.has(`${src} ${dst}`))!;
    const early = { ...fresh, day: 0.5 };
    await load(suite.db, [early]);
    expect(news([...later, early], 1)).not.toEqual(news(later, 1));
    expect((await suite.asked(weekOf(1))).digests).toEqual([]);
    expect((await suite.asked(weekOf(1), "tx:2")).digests).toHaveLength(1);
    expect((await suite.asked(weekOf(2))).digests).toHaveLength(1);
  });

  it("sees notes of what was before a commit of very many events, and no others", async () => {
    await notesOf(suite.db).build();
    await load(
      suite.db,
      messages(700, 9).map((message) => ({ ...message, day: 21 + message.day / 4 })),
    );
    for (const week of [3, 0, 2, 1]) {
      expect((await suite.asked(weekOf(week))).digests, `week ${week}`).toHaveLength(week < 3 ? 1 : 0);
    }
    expect((await suite.asked(weekOf(3), "tx:1")).digests).toHaveLength(1);
  });

  it("sees no note that another process has ended", async () => {
    const reader = await open(suite.path, { readOnly: true });
    await notesOf(reader).build();
    expect((await suite.asked(WEEK_2, undefined, "read", reader)).digests).toHaveLength(1);
    await load(suite.db, [{ src: "s0", dst: "d0", day: 1 }]);
    await reader.refresh();
    expect((await suite.asked(WEEK_2, undefined, "read", reader)).digests).toEqual([]);
    expect((await suite.asked(WEEK_2, "tx:1", "read", reader)).digests).toHaveLength(1);
    await reader.close();
  });
});
