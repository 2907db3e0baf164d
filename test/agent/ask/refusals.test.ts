// Questions that are refused before a model is asked, and pins at which they may be.
import { describe, expect, it } from "vitest";
import { type AskOptions, createAgent } from "../../../src/agent/index.js";
import { open } from "../../../src/index.js";
import { PLAN, QUESTION } from "../payees.js";
import { codeOf, QuestionSuite } from "./asking.js";

const suite = QuestionSuite.begin();

describe("questions that are not asked", () => {
  it.each<[string, Promise<unknown> | (() => Promise<unknown>)]>([
    ["an empty question", () => suite.ask(" ")],
    ["a question without end", () => suite.ask("x".repeat(5000))],
    ["an unknown zone", () => suite.ask(QUESTION, { zone: "Mars/Base" })],
    ["an unknown limit", () => suite.ask(QUESTION, {}, { speed: 3 } as never)],
    ["a limit below 0", () => suite.ask(QUESTION, {}, { repairs: -1 })],
    ["no limits at all", () => suite.ask(QUESTION, { limits: null as never })],
    ["half a character", () => suite.ask("who is \ud800?")],
    ["entities that are no names", () => suite.ask(QUESTION, { entities: [3] as never })],
    ["an entity in place of a list", () => suite.ask(QUESTION, { entities: "ada" as never })],
    ["a zone that is no text", () => suite.ask(QUESTION, { zone: 3 as never })],
    ["a pin that is no text", () => suite.ask(QUESTION, { pin: 3 as never })],
    ["a mode that is none", () => suite.ask(QUESTION, { mode: "guess" as never })],
    ["an option that is none", () => suite.ask(QUESTION, { depth: 3 } as never)],
    ["no names of names", async () => createAgent(suite.db, { model: { base_url: suite.server.url }, name_props: [] })],
    [
      "a medium that is none",
      async () => createAgent(suite.db, { model: { base_url: suite.server.url }, medium: "pdf" as never }),
    ],
    ["options that are none", async () => createAgent(suite.db, 3 as never)],
  ])("refuse %s", async (_, asking) => {
    await suite.play([PLAN]);
    expect(await codeOf((asking as () => Promise<unknown>)())).toMatch(/E_INVALID_ARG/);
  });

  it("say of an entity that the store does not know what is like it, before a model is asked", async () => {
    const { asked } = await suite.play([PLAN]);
    const refusalOf = async (entities: readonly string[], more: AskOptions = {}): Promise<unknown> =>
      suite.ask(QUESTION, { entities, ...more }).catch((error: unknown) => error);
    expect(await refusalOf(["ada", "adaa"])).toMatchObject({
      code: "E_INVALID_ARG",
      message: "entities: not known at tx:2: adaa",
      hint: expect.stringMatching(/^did you mean ada\b/),
      details: { path: "/entities", unknown: ["adaa"], nearest: { adaa: expect.arrayContaining(["ada"]) } },
    });
    expect(await refusalOf(["Bo"])).toMatchObject({
      code: "E_INVALID_ARG",
      hint: '"Bo" is a name: give the uid, bo',
      details: { named: ["bo"] },
    });
    expect(await refusalOf(["0123456789"])).toMatchObject({
      hint: expect.stringMatching(/^no known uid looks like it: .*SELECT n\.uid FROM NODES\(\) AS n/),
    });
    expect(await refusalOf(["bo"], { pin: "tx:0" })).toMatchObject({ message: "entities: not known at tx:0: bo" });
    expect(asked).toEqual([]);
    expect(await suite.ask(QUESTION, { entities: ["bo"] })).toMatchObject({ status: "answered" });
  });

  it("tell of a database that is closed, which waits for what is asked", async () => {
    await suite.play([PLAN]);
    const other = await open(":memory:");
    const agent = createAgent(other, { model: { base_url: suite.server.url, capability: "text" } });
    const asking = agent.ask("who?");
    await other.close();
    expect((await asking).answer.status).toBe("failed");
    expect(await codeOf(agent.ask("who?"))).toBe("E_CLOSED");
  });

  it("ask at a pin, and at none that is not there yet", async () => {
    await suite.play([PLAN]);
    expect(await codeOf(suite.ask(QUESTION, { pin: "tx:3" }))).toBe("E_TX_UNKNOWN");
    const answer = await suite.ask(QUESTION, { pin: "tx:1" });
    expect(answer).toMatchObject({ pin: { tx: 1 } });
    expect(answer.text).not.toContain("Bo");
  });
});
