// Whole questions that name a zone: what the model is told of it, what is printed in it, and what is assumed. Payments were
// made at 08:00 UTC; every other time is counted by hand from there.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AskOptions, type AskResult, createAgent } from "../../src/agent/index.js";
import type { Database } from "../../src/index.js";
import { audit, type Finding } from "./auditor/audit.js";
import type { ReadMedium } from "./auditor/medium.js";
import { CONVERSATIONS, type Conversation, MAY, paymentStore, scripted } from "./conversations.js";
import type { ModelServer } from "./model-server.js";

let db: Database;
beforeAll(async () => {
  db = await paymentStore();
});
afterAll(() => db.close());
let server: ModelServer;
afterEach(() => server.stop());

async function asked(
  { question, plan, report }: { question: string; plan: unknown; report: unknown },
  options: AskOptions = {},
  medium: ReadMedium = "plain",
): Promise<AskResult> {
  server = await scripted([plan], [report]);
  const model = { base_url: server.url, capability: "text" as const, retries: 0 };
  return createAgent(db, { model, medium, mode: "plan" }).ask(question, options);
}

const MAY_IN_TOKYO = { from: "2020-04-30T15:00:00Z", to: "2020-05-31T15:00:00Z" };
const count = { fn: "count", as: "n" };
const perDay = (more: object) => ({
  thought: "",
  steps: [
    {
      id: "s1",
      op: "aggregate_events",
      args: {
        window: MAY_IN_TOKYO,
        where: { src: { uids: ["ada"] } },
        group_by: [{ dim: "bucket", stride: "P1D", ...more }],
        aggregates: [count],
      },
    },
  ],
  answer: { kind: "count", from: "s1.rows_total" },
});
const REPORT = {
  text: "{q1} paid on {c1} of the days in {q2}.",
  claims: [{ id: "c1", type: "count", cell: "s1.rows_total" }],
};
/** Code words the answer alone then, and says so. */
const NO_WORDS = { text: "no", claims: [] };
const BY_CODE = [expect.stringMatching(/^words: code \(.*unanswered/)];
const DAYS = "On how many days did ada pay in May 2020 in Asia/Tokyo?";

describe("a question with a zone", () => {
  it("tells the planner of its windows as instants, and of the zone", async () => {
    await asked({ question: DAYS, plan: perDay({ zone: "Asia/Tokyo" }), report: REPORT });
    const told = server.asked[0]!.body.messages[1]!.content.split("\n");
    expect(told).toContain(JSON.stringify({ id: "q2", kind: "window", value: MAY_IN_TOKYO }));
    expect(told).toContain(JSON.stringify({ id: "q3", kind: "zone", text: "Asia/Tokyo", value: "Asia/Tokyo" }));
  });

  it("is answered in it, with evidence in UTC, and values as they are stored", async () => {
    const question = "When did ada pay most in May 2020 in Asia/Tokyo?";
    const args = { ...perDay({}).steps[0]!.args, group_by: [{ dim: "node", role: "dst" }] };
    const first = {
      ...args,
      aggregates: [count, { fn: "min", of: "at", as: "since" }],
      order_by: [{ column: "n", desc: true }],
    };
    const plan = {
      thought: "",
      steps: [{ id: "s1", op: "aggregate_events", args: first }],
      answer: { kind: "value", from: "s1.rows[0].since" },
    };
    const report = {
      text: "In {q2} {c2} was paid the most, first at {c1}; the clocks are those of {q3}.",
      claims: [
        { id: "c1", type: "value", cell: "s1.rows[0].since", about: ["s1.rows[0].dst"] },
        { id: "c2", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } },
      ],
    };
    const result = await asked({ question, plan, report });
    const { answer } = result;
    expect(answer.text).toBe(
      "In 2020-05-01T00:00:00+09:00 to 2020-06-01T00:00:00+09:00 (end excluded) Bo (`bo`) was paid the most, first at 2020-05-02T17:00:00+09:00; the clocks are those of Asia/Tokyo.",
    );
    expect(answer.parts[0]!.value).toBe("2020-05-02T08:00:00Z");
    expect(answer.evidence[0]).toContain("c1 · 2020-05-02T08:00:00Z · s1.rows[0].since");
    expect(answer.evidence.join()).not.toContain("+09:00");
    expect([answer.assumptions, answer.notices]).toEqual([[], []]);
    expect(await audit({ ...result, db, question, medium: "plain" })).toEqual([]);
  });

  it("counts days of a calendar that the plan gives another zone as assumed, or as ignored where it gives none", async () => {
    const of = async (more: object, question = DAYS, options: AskOptions = {}): Promise<unknown> => {
      const { answer } = await asked({ question, plan: perDay(more), report: REPORT }, options);
      expect(answer.status).toBe("answered");
      await server.stop();
      return { assumed: answer.assumptions, notices: answer.notices };
    };
    const none = { assumed: [], notices: [] };
    const [zone, at] = ["Asia/Tokyo", "s1 group_by.0.zone ="];
    expect(await of({ zone })).toEqual(none);
    expect(await of({ zone: "Asia/Seoul" })).toEqual({ assumed: [`${at} Asia/Seoul`], notices: ["ignored: q3"] });
    expect(await of({ zone: "UTC" })).toEqual({ assumed: [`${at} UTC`], notices: ["ignored: q3"] });
    expect(await of({})).toEqual({ assumed: [], notices: ["ignored: q3"] });
    // What is cut by no calendar is the same in every zone.
    expect(await of({ stride: "PT24H" })).toEqual(none);
    // No zone of the question: that of the caller, or UTC.
    const since = "On how many days did ada pay from 2020-04-30T15:00Z to 2020-05-31T15:00Z?";
    expect(await of({ zone }, since, { zone })).toEqual(none);
    expect(await of({ zone }, since)).toEqual({ assumed: [`${at} Asia/Tokyo`], notices: [] });
    expect(await of({ zone: "UTC" }, since)).toEqual(none);
    // The question's zone wins.
    expect(await of({ zone }, DAYS, { zone: "Europe/Berlin" })).toEqual(none);
    server = await scripted([], []);
  });

  it("says how a time is read that clocks showed twice", async () => {
    const question = "What did ada pay from 2020-10-25 02:30 to 2020-10-26 in Europe/Berlin?";
    const window = { from: "2020-10-25T00:30:00Z", to: "2020-10-25T23:00:00Z" };
    const [step] = perDay({}).steps;
    const args = { ...step!.args, window, group_by: [] };
    const plan = { thought: "", steps: [{ ...step, args }], answer: { kind: "count", from: "s1.rows[0].n" } };
    const { answer } = await asked({ question, plan, report: NO_WORDS });
    expect(answer.assumptions).toEqual([
      "2020-10-25 02:30 = 2020-10-25T00:30:00Z: the earlier of two in Europe/Berlin",
    ]);
  });

  it("has its dates of TQL in that zone", async () => {
    // 08:00 on the second of May is 23:00 on the first, nine hours west of UTC.
    const tql = (zone: string) => ({
      question: `How often did ada pay during 2020-05-01 ${zone}?`,
      plan: {
        thought: "",
        tql: "SELECT COUNT(*) AS n FROM EVENTS(PAID) FOR VALID_TIME FROM DATE '2020-05-01' TO DATE '2020-05-02' AS e WHERE e.src = 'ada'",
        answer: { kind: "count", from: "rows[0].n" },
      },
      report: NO_WORDS,
    });
    const west = await asked(tql("UTC-9"), { front: "tql" });
    expect(west.answer.parts[0]).toMatchObject({ value: 1 });
    expect([west.answer.assumptions, west.answer.notices]).toEqual([[], BY_CODE]);
    await server.stop();
    const utc = await asked(tql(""), { front: "tql" });
    expect(utc.answer.parts[0]).toMatchObject({ value: 0 });
  });
});

/** A conversation in a zone: the same May by its clocks. */
function inTokyo({ question, plan, report }: Conversation): Conversation {
  const years = ["2020", "2031"] as const;
  const text = years.reduce(
    (json, year) =>
      json
        .replaceAll(MAY.from.replace("2020", year), MAY_IN_TOKYO.from.replace("2020", year))
        .replaceAll(MAY.to.replace("2020", year), MAY_IN_TOKYO.to.replace("2020", year)),
    JSON.stringify(plan),
  );
  return { question: question.replace("?", " in Asia/Tokyo?"), plan: JSON.parse(text), report };
}
const IN_TOKYO = CONVERSATIONS.map(inTokyo);
const MEDIA: readonly ReadMedium[] = ["plain", "terminal", "markdown", "html"];

describe("what a reader sees of it", () => {
  it.each(IN_TOKYO.flatMap((each) => MEDIA.map((medium) => [each.question, medium, each] as const)))(
    "holds nothing untraceable: %s (%s)",
    async (question, medium, conversation) => {
      const result = await asked(conversation, {}, medium);
      const { text, notices, blocked } = result.answer;
      expect([notices, blocked]).toEqual([[], []]);
      expect(await audit({ ...result, db, question, medium }), text).toEqual([]);
      // Wherever a day or a time is printed, it is one of Tokyo.
      expect(text.match(/\d{4}-\d{2}-\d{2}/g)?.length ?? 0).toBe(
        text.match(/T\d{2}:\d{2}:\d{2}(?:\.\d+)?\+09:00/g)?.length ?? 0,
      );
    },
  );

  it("are times of orderings, of absences and of rows", async () => {
    const texts: string[] = [];
    for (const conversation of IN_TOKYO) {
      texts.push((await asked(conversation)).answer.text);
      await server.stop();
    }
    const [, , ordering, rows, , outside] = texts;
    expect(ordering).toContain("2020-05-02T17:00:00+09:00 before 2020-05-05T17:00:00+09:00");
    expect(rows).toContain('"since":"2020-05-05T17:00:00+09:00"');
    expect(outside).toContain("2031-05-01T00:00:00+09:00 to 2031-06-01T00:00:00+09:00 (end excluded)");
    expect(outside).toContain("data run from 2020-05-02T17:00:00+09:00 to 2020-05-09T17:00:00.000001+09:00");
    server = await scripted([], []);
  });

  it.each<[string, (text: string) => string]>([
    ["another offset", (text) => text.replace("17:00:00+09:00", "17:00:00+08:00")],
    ["the offset turned", (text) => text.replace("17:00:00+09:00", "17:00:00-09:00")],
    ["clocks of another zone", (text) => text.replace("17:00:00+09:00", "18:00:00+09:00")],
    ["the time of UTC with the offset", (text) => text.replace("17:00:00+09:00", "08:00:00+09:00")],
    ["the time of UTC", (text) => text.replace("17:00:00+09:00", "08:00:00Z")],
    ["local time as UTC", (text) => text.replace("17:00:00+09:00", "17:00:00Z")],
    ["no offset", (text) => text.replace("17:00:00+09:00", "17:00:00")],
    ["half of an offset", (text) => text.replace("17:00:00+09:00", "17:00:00+09")],
    ["the date alone", (text) => text.replace("T17:00:00+09:00", "")],
    ["another day", (text) => text.replace("05-02T17", "05-03T17")],
    ["another zone's name", (text) => `${text} It was so in Asia/Seoul.`],
  ])("is refused by the auditor: %s", async (_, change) => {
    const conversation = IN_TOKYO[2]!;
    const honest = await asked(conversation);
    const text = change(honest.answer.text);
    expect(text).not.toBe(honest.answer.text);
    const wrong = { ...honest, answer: { ...honest.answer, text } };
    const kinds = (await audit({ ...wrong, db, question: conversation.question, medium: "plain" })).map(
      ({ kind }: Finding) => kind,
    );
    expect(kinds.some((kind) => kind === "number" || kind === "name")).toBe(true);
  });

  it("is refused by the auditor in a zone that nobody named", async () => {
    const conversation = IN_TOKYO[2]!;
    const result = await asked(conversation);
    const question = conversation.question.replace(" in Asia/Tokyo", "");
    const found = await audit({ ...result, db, question, medium: "plain" });
    expect(found.map(({ kind }) => kind)).toContain("number");
  });
});
