// Twenty questions through the whole agent with a real model. What must hold of any model: no text holds a value, a date or a
// name that cannot be traced. How good its plans are is told, not judged.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AskResult, createAgent } from "../../src/agent/index.js";
import { type Rung, readConfig } from "../../src/agent/provider/config.js";
import { Provider } from "../../src/agent/provider/provider.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { Database } from "../../src/database.js";
import type { AskedStore } from "../agent/asked.js";
import { audit } from "../agent/auditor/audit.js";
import { isThere, openStore, type StoreName } from "../agent/oracle/data.js";
import { QUESTIONS, type Question } from "./questions.js";
import { PLANNER, type Served, serve } from "./served.js";

const STORES: readonly StoreName[] = ["collegemsg", "bitcoin-otc", "primaryschool", "world-leaders"];
const MEMORY_BYTES = 1_073_741_824;
/** How long the agent may take to end when its time is over. */
const SLACK_MS = 60_000;
/** Of one question: the agent's default, or what a slow machine needs. */
const WALL_MS = Number(process.env.PALIMPSEST_LLM_WALL_MS ?? 120_000);
/** Told to the agent, so that its prompts are short: a processor reads fifty tokens a second. */
const CONTEXT_TOKENS = Number(process.env.PALIMPSEST_LLM_CONTEXT ?? 4_096);

/** What came of a question. */
interface Told {
  readonly status: string;
  readonly isFirstValid: boolean;
  readonly repairs: number;
  readonly isRight: boolean;
  readonly tokens: number;
  readonly seconds: number;
}

const told: Told[] = [];

const inOneForm = (value: unknown): string => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);

function tell({ text, expected }: Question, { answer }: AskResult, seconds: number): void {
  const { attempts, status, parts, usage } = answer;
  const isFirstValid = attempts[0]?.violations.length === 0;
  const isRight = parts[0]?.value !== undefined && inOneForm(parts[0].value) === inOneForm(expected());
  const tokens = usage.prompt_tokens + usage.completion_tokens;
  told.push({ status, isFirstValid, repairs: attempts.length - 1, isRight, tokens, seconds });
  const kinds = attempts.flatMap(({ violations, error }) => error?.code ?? violations[0]?.kind ?? []);
  console.log(`${text}\n  ${answer.text}\n  ${JSON.stringify({ ...told.at(-1), kinds })}`);
}

describe("a model that plans", () => {
  let served: Served;
  let capability: Rung;
  beforeAll(async () => {
    served = await serve(PLANNER, 8_141);
    // Found once for all questions: a processor makes a grammar of each probe's schema for half a minute.
    const provider = new Provider(readConfig({ base_url: served.url }), null);
    capability = await provider.capability(new AbortController().signal);
  });
  afterAll(async () => {
    await served?.stop();
    const share = (isSo: (each: Told) => boolean): string => `${told.filter(isSo).length} of ${told.length}`;
    const sum = (of: (each: Told) => number): number => told.reduce((total, each) => total + of(each), 0);
    console.log(
      [
        `answered: ${share(({ status }) => status === "answered" || status === "partial")}`,
        `right: ${share(({ isRight }) => isRight)}`,
        `abstained: ${share(({ status }) => status === "abstained")}`,
        `no plan held, or no time was left: ${share(({ status }) => status === "failed" || status === "E_CANCELLED")}`,
        `valid at first emission: ${share(({ isFirstValid }) => isFirstValid)}`,
        `repairs: ${sum(({ repairs }) => repairs)}`,
        `tokens: ${sum(({ tokens }) => tokens)}`,
        `seconds: ${Math.round(sum(({ seconds }) => seconds))}`,
      ].join("\n"),
    );
  });

  describe.each(STORES.filter(isThere))("over %s", (name) => {
    let asked: AskedStore;
    beforeAll(async () => {
      asked = await openStore(name);
    });
    afterAll(() => asked?.close());

    it.each(QUESTIONS.filter(({ store }) => store === name).map((question) => [question.text, question] as const))(
      "%s",
      async (text, question) => {
        const db = new Database(asked.store, undefined, MEMORY_BYTES);
        const model = {
          base_url: served.url,
          capability,
          timeout_ms: WALL_MS,
          max_output_tokens: 512,
          context_tokens: CONTEXT_TOKENS,
        };
        const agent = createAgent(db, { model, mode: "plan", limits: { wall_ms: WALL_MS } });
        const began = performance.now();
        const secondsUntilNow = (): number => Math.round((performance.now() - began) / 100) / 10;
        try {
          const result = await agent.ask(text);
          tell(question, result, secondsUntilNow());
          expect(await audit({ ...result, db, question: text, medium: "plain" })).toEqual([]);
        } catch (error) {
          // No time was left: on a slow processor that is no fault of the client.
          if (!(error instanceof PalimpsestError) || error.code !== "E_CANCELLED") throw error;
          const none = { isFirstValid: false, repairs: 0, isRight: false, tokens: 0 };
          told.push({ status: error.code, ...none, seconds: secondsUntilNow() });
        }
      },
      WALL_MS + SLACK_MS,
    );
  });
});
