// What the tests of whole questions share: honest claims and a report over the store of payments, and how it is asked.
import { type AgentAnswer, type AskOptions, createAgent, type Limits } from "../../../src/agent/index.js";
import { PalimpsestError } from "../../../src/contract/errors.js";
import type { ModelServer } from "../model-server.js";
import { QUESTION } from "../payees.js";
import { PaymentsSuite } from "../payments-suite.js";

export const CLAIMS = [
  { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } },
  { id: "c2", type: "count", cell: "s1.rows_total" },
  { id: "c3", type: "count", cell: "s1.rows[0].n", about: ["s1.rows[0].dst"] },
];
export const REPORT = {
  text: "{c1} was paid the most, namely {c3} times. {q1} paid {c2} people in {q2}.",
  claims: CLAIMS,
};

/** The suite of payments, its questions asked by plans. */
export class QuestionSuite extends PaymentsSuite {
  /** Plays plans and reports in their order, the last of each again and again. */
  override play(plans: readonly unknown[], reports: readonly unknown[] = [REPORT]): Promise<ModelServer> {
    return super.play(plans, reports);
  }

  async ask(question = QUESTION, options: AskOptions = {}, limits: Partial<Limits> = {}): Promise<AgentAnswer> {
    const agent = createAgent(this.db, {
      model: { base_url: this.server.url, capability: "text", retries: 0 },
      limits,
    });
    return (await agent.ask(question, options)).answer;
  }
}

/** The code of the error that some work ends with; undefined where it ends well. */
export const codeOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof PalimpsestError ? error.code : String(error)),
  );
