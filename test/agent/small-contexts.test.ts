// Prompts that fit: what is sent to models with contexts of several lengths, in whole asks over a scripted server, and the
// order in which parts of a prompt are left out.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AgentOptions, createAgent } from "../../src/agent/index.js";
import { JSON_EXAMPLES } from "../../src/agent/prompt/json-examples.js";
import { operatorsFor } from "../../src/agent/prompt/operator-search.js";
import { FULL_SYSTEM_TOKENS, promptSizes, SMALL_SYSTEM_TOKENS } from "../../src/agent/prompt/planner-sizes.js";
import { sizeReport, smallPlanner } from "../../src/agent/prompt/size-report.js";
import { FRONTS, type FrontName, plannerSystem, wholePlanner } from "../../src/agent/prompt/systems.js";
import { roughTokens } from "../../src/agent/provider/tokens.js";
import { type Database, open } from "../../src/index.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { DESIGNED_QUESTIONS } from "./designed-questions.js";
import { type Asked, ModelServer } from "./model-server.js";
import { withArgs } from "./payees.js";
import { isReport } from "./replies.js";

const PEOPLE = 40;
let db: Database;
beforeAll(async () => {
  db = await open(":memory:");
  const times = Array.from({ length: 200 }, (_, i) => BigInt(Date.UTC(2020, 4, 1 + (i % 28), i % 24)) * 1000n);
  await db.write(
    Array.from({ length: PEOPLE }, (_, i) => ({
      op: "assert_node" as const,
      uid: `p${i}`,
      labels: ["Person", `Group${i % 12}`],
      props: { name: `A name of some length, number ${i}`, town: `town ${i % 3}` },
      valid_from: "2020-01-01",
    })),
  );
  for (const type of ["CALLED", "PAID", "MET"]) {
    await db.ingest(
      {
        src: times.map((_, i) => `p${i % PEOPLE}`),
        dst: times.map((_, i) => `p${(i * 7 + 1) % PEOPLE}`),
        time: BigInt64Array.from(times),
        props: [{ name: "amount", kind: "int64", values: BigInt64Array.from(times, (_, i) => BigInt(i % 5)) }],
      },
      { type },
    );
  }
});
afterAll(() => db.close());

let server: ModelServer;
afterEach(() => server.stop());

const QUESTION = "Whom did p1 pay most often in May 2020, and how many people did p1 pay?";
const OF_P1 = { types: ["PAID"], src: { uids: ["p1"] } };
const PLAN = { ...withArgs({ where: OF_P1 }), answer: { kind: "count", from: "s1.rows_total" } };
const WRONG = { ...PLAN, steps: withArgs({ where: OF_P1, grouped_by: 1 }).steps };
const REPORT = { text: "{c1} people were paid.", claims: [{ id: "c1", type: "count", cell: "s1.rows_total" }] };

async function ask(context: number, model: AgentOptions["model"] = {}, plans: readonly object[] = [PLAN]) {
  let planned = 0;
  server = await ModelServer.start((asked) => ({
    text: JSON.stringify(isReport(asked) ? REPORT : plans[Math.min(planned++, plans.length - 1)]),
    // The server says nothing, so that the estimate stays the rough one.
    usage: null,
  }));
  server.models = [{ id: "small", max_model_len: context }];
  const agent = createAgent(db, { model: { base_url: server.url, capability: "text", retries: 0, ...model } });
  return (await agent.ask(QUESTION)).answer;
}

const tokensOf = ({ body }: Asked): number => roughTokens(body.messages.map(({ content }) => content).join("\n"));
const manualOf = (text: string): string[] => Array.from(text.matchAll(/^### ([a-z_]+)/gm), ([, name]) => name!);
const plansAsked = (): readonly Asked[] => server.asked.filter((asked) => !isReport(asked));

describe("a model with a context of", () => {
  it("32,768 tokens is sent everything", async () => {
    expect((await ask(32_768)).status).toBe("answered");
    const [system, user] = server.asked[0]!.body.messages;
    expect(system!.content).toBe(plannerSystem().text);
    expect(manualOf(system!.content)).toEqual(DECLARATIONS.map(({ name }) => name).sort());
    expect(user!.content).toContain('"property":"amount"');
  });

  it.each([
    // A context of 8,192 leaves 6,144 for the prompt, and all of it needs more.
    [8_192, 2_048],
    [8_192, 4_096],
    [4_096, 1_024],
    [4_096, 2_048],
    [2_048, 512],
  ])("%i tokens, %i of them for the answer, is sent what fits, with the whole question", async (context, output) => {
    expect((await ask(context, { max_output_tokens: output })).status).toBe("answered");
    expect(server.asked).toHaveLength(2);
    for (const asked of server.asked) expect(tokensOf(asked)).toBeLessThanOrEqual(context - output);
    const [system, user] = plansAsked()[0]!.body.messages;
    expect(user!.content).toContain(JSON.stringify(QUESTION));
    // Every fence is whole.
    const [, tag] = /data-([0-9a-f]{24})/.exec(user!.content)!;
    const lines = user!.content.split("\n");
    expect(lines.filter((line) => line.startsWith(`<data-${tag}`))).toHaveLength(2);
    expect(lines.filter((line) => line === `</data-${tag}>`)).toHaveLength(2);
    for (const line of lines.filter((each) => each.startsWith("{"))) expect(() => JSON.parse(line)).not.toThrow();
    expect(manualOf(system!.content)).not.toHaveLength(0);
    if (context - output < 6_000) expect(roughTokens(system!.content)).toBeLessThanOrEqual(SMALL_SYSTEM_TOKENS);
  });

  it.each([
    [2_048, 2_048],
    [2_048, 1_800],
    [512, 128],
    [512, 512],
  ])(
    "%i tokens, %i of them for the answer, holds no question: a failed answer with E_LIMIT, and nothing is sent",
    async (context, output) => {
      const answer = await ask(context, { max_output_tokens: output });
      expect(answer).toMatchObject({ status: "failed", could_not: [{ code: "E_LIMIT" }] });
      expect(answer.could_not[0]!.why).toContain("context");
      expect(server.asked).toHaveLength(0);
    },
  );

  it("unknown length is taken for one of 8,192", async () => {
    server = await ModelServer.start((asked) => ({ text: JSON.stringify(isReport(asked) ? REPORT : PLAN) }));
    server.models = [{ id: "unknown" }];
    const agent = createAgent(db, { model: { base_url: server.url, capability: "text" } });
    await agent.ask(QUESTION);
    for (const asked of server.asked) expect(tokensOf(asked)).toBeLessThanOrEqual(8_192 - 2_048);
  });
});

describe("a prompt that fits whole", () => {
  it("is sent whole, however small the context is", async () => {
    server = await ModelServer.start(() => ({ text: "{}" }));
    server.models = [{ id: "small", max_model_len: 6_000 }];
    const model = { base_url: server.url, capability: "text" as const, max_output_tokens: 512 };
    await createAgent(db, { model, front: "tql", mode: "plan" }).ask(QUESTION);
    const [system] = server.asked[0]!.body.messages;
    expect(system!.content).toBe(plannerSystem(wholePlanner("tql")).text);
  });
});

describe("what servers report of usage", () => {
  it("makes later prompts shorter, where the model has more tokens than were thought", async () => {
    server = await ModelServer.start((asked) => ({
      text: JSON.stringify(isReport(asked) ? REPORT : PLAN),
      usage: { prompt_tokens: 2 * tokensOf(asked), completion_tokens: 10, total_tokens: 2 * tokensOf(asked) + 10 },
    }));
    server.models = [{ id: "m", max_model_len: 10_000 }];
    const agent = createAgent(db, { model: { base_url: server.url, capability: "text" } });
    for (let i = 0; i < 4; i += 1) await agent.ask(QUESTION);
    const [first, last] = [plansAsked()[0]!, plansAsked().at(-1)!];
    expect(tokensOf(first)).toBeGreaterThan(6_000);
    expect(tokensOf(last)).toBeLessThan(4_500);
  });
});

describe("a repair in a small context", () => {
  it("explains the operators that the violations are about", async () => {
    const wrong = { ...PLAN, steps: [{ id: "s1", op: "co_active", args: { a: {}, b: {} } }] };
    await ask(8_192, { max_output_tokens: 4_096 }, [wrong, PLAN]);
    const [first, second] = plansAsked();
    expect(manualOf(first!.body.messages[0]!.content)).not.toContain("co_active");
    expect(manualOf(second!.body.messages[0]!.content)).toContain("co_active");
    expect(second!.body.messages).toHaveLength(4);
    expect(tokensOf(second!)).toBeLessThanOrEqual(4_096);
  });

  it("fits, too", async () => {
    await ask(2_560, { max_output_tokens: 1_024 }, [WRONG, PLAN]);
    expect(plansAsked()).toHaveLength(2);
    for (const asked of server.asked) expect(tokensOf(asked)).toBeLessThanOrEqual(1_536);
    expect(plansAsked()[1]!.body.messages[3]!.content).toContain("grouped_by");
  });
});

describe("the sizes of prompts", () => {
  it.each(Object.keys(FRONTS) as FrontName[])("of the front %s are within their budgets", (front) => {
    expect(plannerSystem(wholePlanner(front)).tokens).toBeLessThanOrEqual(FULL_SYSTEM_TOKENS);
    const { examples } = FRONTS[front];
    for (const [question] of DESIGNED_QUESTIONS) {
      const operators = operatorsFor(question, examples);
      const sent = plannerSystem(smallPlanner(front, question));
      expect(sent.tokens).toBeLessThanOrEqual(SMALL_SYSTEM_TOKENS);
      // What the question needs most is explained; in TQL some of it has a syntax of its own.
      if (front === "json") expect(manualOf(sent.text)).toEqual(expect.arrayContaining(["compute", operators[0]!]));
    }
  });

  it("are printed, every part of each", () => {
    const report = sizeReport(QUESTION);
    for (const front of Object.keys(FRONTS)) expect(report).toContain(`planner ${front}, in a small context`);
    for (const name of ["role", "form", "policy", "manual", "examples"])
      expect(report).toMatch(new RegExp(`^  ${name} +\\d+$`, "m"));
  });

  it("go down in the order of examples, notes, samples of the card, manual", () => {
    const operators = operatorsFor(QUESTION, JSON_EXAMPLES);
    const sizes = [...promptSizes({ examples: 5, notes: 3, operators }, false)];
    expect(sizes[0]).toMatchObject({ examples: 5, notes: 3, hasSamples: true, operators: null, cardTokens: null });
    const firstWithout = (test: (size: (typeof sizes)[number]) => boolean): number => sizes.findIndex(test);
    const order = [
      firstWithout(({ examples }) => examples === 0),
      firstWithout(({ notes }) => notes === 0),
      firstWithout(({ hasSamples }) => !hasSamples),
      firstWithout((size) => size.operators !== null),
      firstWithout((size) => size.operators !== null && size.operators.length < operators.length),
    ];
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(order).size).toBe(order.length);
    // In a small context three examples, and a card of 600 tokens.
    expect([...promptSizes({ examples: 5, notes: 3, operators }, true)][1]).toMatchObject({
      examples: 3,
      cardTokens: 600,
      operators,
    });
  });
});
