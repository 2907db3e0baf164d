// The auditor itself: it finds nothing in honest answers of any medium, and everything that is planted in them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AskResult, createAgent } from "../../../src/agent/index.js";
import type { Database } from "../../../src/index.js";
import { CONVERSATIONS, type Conversation, MOST_PAID, paymentStore, scripted } from "../conversations.js";
import { audit, type Finding } from "./audit.js";
import type { ReadMedium } from "./medium.js";

let db: Database;
beforeAll(async () => {
  db = await paymentStore();
});
afterAll(() => db.close());

async function asked({ question, plan, report }: Conversation, medium: ReadMedium): Promise<AskResult> {
  const server = await scripted([plan], [report]);
  try {
    const model = { base_url: server.url, capability: "text" as const, retries: 0 };
    return await createAgent(db, { model, medium }).ask(question, { mode: "plan" });
  } finally {
    await server.stop();
  }
}

const MEDIA: readonly ReadMedium[] = ["plain", "terminal", "markdown", "html"];

describe("honest answers", () => {
  it.each(CONVERSATIONS.flatMap((each) => MEDIA.map((medium) => [each.question, medium, each] as const)))(
    "hold nothing untraceable: %s (%s)",
    async (question, medium, conversation) => {
      const result = await asked(conversation, medium);
      // A plan and a report: the words are those of the model.
      expect(result.answer.usage.calls).toBe(2);
      expect(result.answer.blocked).toEqual([]);
      expect(result.answer.text).not.toBe("");
      expect(await audit({ ...result, db, question, medium }), result.answer.text).toEqual([]);
    },
  );
});

/** Sentences that no evidence holds, and what the auditor must say of them. */
const PLANTED: readonly (readonly [string, Finding["kind"]])[] = [
  ...[
    "7",
    "1,251",
    "1250",
    "-3",
    "3.5",
    "42%",
    "٧",
    "７",
    "½",
    "Ⅶ",
    "²",
    "1e3",
    "0",
    "12 h",
    "99 times",
    "2 hours and 1 minute",
    "four",
    "Seven",
    "twenty-one",
    "hundreds",
    "a dozen",
    "half",
    "a third",
    "twice",
    "tenfold",
    "double",
    "fifteen",
    "ninety",
    "XIV",
    "iii",
    "per cent",
    "million",
    "thousands",
    "a quarter",
    "seconds",
    "nil",
    "two",
    "ｔｗｏ",
  ].map((text) => [text, "number"] as const),
  ...[
    "January",
    "March",
    "in may",
    "May",
    "Monday",
    "Fridays",
    "yesterday",
    "Tomorrow",
    "last week",
    "next year",
    "this month",
    "Christmas",
    "midnight",
    "Sept",
    "Dec",
    "BC",
    "UTC",
    "last decade",
  ].map((text) => [text, "date"] as const),
  ...["2020-05-02", "2020-05-09T08:00:00Z", "2021", "08:00", "2020-05-03T08:00:00Z", "1999-12-31", "2020/05/02"].map(
    (text) => [text, "number"] as const,
  ),
  ...[
    "dan",
    "Dan",
    "cy",
    "CY",
    "Zorblax",
    "Alice Cooper",
    "Mallory",
    "IBM",
    "McDonald",
    "forty two",
    "Cy's",
    "bob-dan",
    "Łukasz",
    "Forty Two",
    "van Helsing",
  ].map((text) => [text, "name"] as const),
  ...['"x"', "“bo”", "'x'", "`dan`", "`zoe`", "Bo (`cy`)", "«x»"].map((text) => [text, "quote"] as const),
  ...["семь", "七", "αλφα", "оne"].map((text) => [text, "alphabet"] as const),
  ...["\u202e", "\u200b", "\u0007", "\u001b[31m", "\u034f", "\u3164", "\u{e0041}"].map(
    (text) => [text, "raw"] as const,
  ),
];
const FRAMES = ["It was also _ there.", "So it was _.", "_ was there."];

describe("planted items", () => {
  let honest: AskResult;
  beforeAll(async () => {
    honest = await asked(MOST_PAID, "plain");
  });
  const auditText = (text: string, medium: ReadMedium = "plain"): Promise<readonly Finding[]> =>
    audit({ ...honest, answer: { ...honest.answer, text }, db, question: MOST_PAID.question, medium });

  it(`are found, all ${PLANTED.length * FRAMES.length}`, async () => {
    expect(PLANTED.length * FRAMES.length).toBeGreaterThanOrEqual(100);
    const missed: string[] = [];
    for (const [item, kind] of PLANTED) {
      for (const frame of FRAMES) {
        const text = `${honest.answer.text} ${frame.replace("_", () => item)}`;
        const kinds = (await auditText(text)).map((found) => found.kind);
        if (!kinds.includes(kind)) missed.push(`${kind} ${JSON.stringify(text.slice(-40))}: ${kinds.join()}`);
      }
    }
    expect(missed).toEqual([]);
  });

  it.each<[string, (text: string) => string, Finding["kind"]]>([
    ["a number of another", (text) => text.replace("namely 2", "namely 3"), "untied"],
    ["a number that is none's", (text) => text.replace("3 people", "4 people"), "number"],
    ["another person", (text) => text.replace("Bo (`bo`)", "`dan`"), "quote"],
    ["a name without its uid", (text) => text.replace("Bo (`bo`)", "Bo"), "name"],
    ["another month", (text) => text.replace("2020-06-01", "2020-07-01"), "number"],
    ["digits before a number", (text) => text.replace("3 people", "13 people"), "number"],
    ["digits behind a number", (text) => text.replace("3 people", "3.5 people"), "number"],
    ["a sign before a number", (text) => text.replace("3 people", "-3 people"), "number"],
    ["a percent sign behind a number", (text) => text.replace("3 people", "3% of people"), "number"],
  ])("in place of right ones are found: %s", async (_, change, kind) => {
    const text = change(honest.answer.text);
    expect(text).not.toBe(honest.answer.text);
    expect((await auditText(text)).map((found) => found.kind)).toContain(kind);
  });

  it.each<[ReadMedium, string]>([
    ["html", "<b>so</b>"],
    ["html", "<script>"],
    ["html", "so &half; so"],
    ["markdown", "*so*"],
    ["markdown", "[so](so)"],
    ["markdown", "`open"],
    ["terminal", "\u001b[2J"],
  ])("of markup are found: %s %s", async (medium, text) => {
    const { answer } = await asked(MOST_PAID, medium);
    expect((await auditText(`${answer.text} So ${text}.`, medium)).map((found) => found.kind)).toContain("raw");
  });

  it("in what programs read are found", async () => {
    const parts = honest.answer.parts.map((part, i) => (i === 1 ? { ...part, value: 4 } : part));
    const wrong = { ...honest, answer: { ...honest.answer, parts } };
    const found = await audit({ ...wrong, db, question: MOST_PAID.question, medium: "plain" });
    expect(found).toEqual([{ kind: "value", text: "s1.rows_total = 4" }]);
  });

  it("in the evidence are found", async () => {
    const evidence = honest.answer.evidence.map((line) => line.replace(/sha256 ./, "sha256 x"));
    const wrong = { ...honest, answer: { ...honest.answer, evidence } };
    const found = await audit({ ...wrong, db, question: MOST_PAID.question, medium: "plain" });
    expect(found.map(({ kind }) => kind)).toEqual(["evidence", "evidence", "evidence"]);
  });

  it("in the results are found", async () => {
    const steps = honest.trace!.steps.map((step) => ({ ...step, result_digest: "0".repeat(64) }));
    const wrong = { ...honest, trace: { ...honest.trace!, steps } };
    const found = await audit({ ...wrong, db, question: MOST_PAID.question, medium: "plain" });
    expect(found.map(({ kind }) => kind)).toContain("evidence");
  });
});
