// Oracle plans through the whole agent: a scripted model writes each in JSON and in TQL, and what the answer says is what the
// files say. Code words the answers, since the model's reports say nothing.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Agent, createAgent, type FrontName } from "../../src/agent/index.js";
import { Database } from "../../src/database.js";
import type { AskedStore } from "./asked.js";
import { ModelServer } from "./model-server.js";
import { isThere, openStore, type StoreName } from "./oracle/data.js";
import type { OraclePlan } from "./oracle/plan.js";
import { expectSaid } from "./oracle/said.js";
import { ORACLE_PLANS } from "./oracle-plans.js";

const STORES: readonly StoreName[] = ["collegemsg", "bitcoin-otc", "primaryschool", "world-leaders"];
const MEMORY_BYTES = 1_073_741_824;

/** Of plans that name nothing but entities, whom the caller names. */
const QUESTION = "Which are they, and how many?";

/** What the model writes for a plan. */
function written({ plan, tql }: OraclePlan, front: FrontName): object {
  if (front === "json") return { thought: "", ...plan };
  const { kind, also = [] } = plan.answer;
  const [from, ...further] = tql.from;
  const parts = also.map((part, i) => ({ kind: part.kind, from: further[i] }));
  return { thought: "", tql: tql.text, answer: { kind, from, ...(parts.length === 0 ? {} : { also: parts }) } };
}

describe.each(STORES.filter(isThere))("questions over %s", (name) => {
  let asked: AskedStore;
  let server: ModelServer;
  let agent: Agent;
  let says = {};
  beforeAll(async () => {
    asked = await openStore(name);
    server = await ModelServer.start(({ body }) => {
      const isReport = body.messages[0]!.content.includes("You word the answer");
      return { text: isReport ? "?" : JSON.stringify(says), pieceLength: 2_000 };
    });
    const model = { base_url: server.url, model: "scripted", context_tokens: 32_768, capability: "text" as const };
    agent = createAgent(new Database(asked.store, undefined, MEMORY_BYTES), { model });
  });
  afterAll(async () => {
    await server?.stop();
    await asked?.close();
  });

  const plans = ORACLE_PLANS.filter(({ store }) => store === name);
  it.each(plans.flatMap((plan) => [["json", plan.name, plan] as const, ["tql", plan.name, plan] as const]))(
    "%s: %s",
    async (front, _, plan) => {
      says = written(plan, front);
      const entities = (plan.mentions ?? []).flatMap(({ uid }) => uid ?? []);
      const { answer } = await agent.ask(plan.question ?? QUESTION, { front, entities });
      expect(answer.attempts).toMatchObject([{ violations: [] }]);
      const expected = plan.expected();
      expect(answer.parts).toHaveLength(expected.length);
      for (const [i, value] of expected.entries()) {
        const claim = answer.claims.find(({ id }) => id === answer.parts[i]!.claim);
        expect(claim, `part ${i} of ${answer.text}`).toBeDefined();
        expectSaid(claim!, value);
      }
      expect(answer.could_not).toEqual([]);
    },
  );
});
