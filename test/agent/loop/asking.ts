// What the tests of the loop share: calls and a finish over the store of payments, and a model that plays turns.
import { type AskOptions, type AskResult, createAgent, type Limits } from "../../../src/agent/index.js";
import type { ModelServer } from "../model-server.js";
import { MAY } from "../payments.js";
import { PaymentsSuite } from "../payments-suite.js";
import { isReport, said } from "../replies.js";

const QUESTION = "Whom did ada pay most often in May 2020, and whom did that person pay then?";

/** Calls whom someone paid in May, the most often first. */
export const payees = (src: unknown, more: object = {}) => ({
  call: {
    op: "aggregate_events",
    args: {
      window: MAY,
      where: { src: { uids: [src] } },
      group_by: [{ dim: "node", role: "dst" }],
      aggregates: [{ fn: "count", as: "n" }],
      order_by: [{ column: "n", desc: true }],
      ...more,
    },
  },
});
/** Ends with an answer. */
export const finish = (kind: string, from: string, ...also: { kind: string; from: string }[]) => ({
  finish: { answer: { kind, from, also } },
});
/** The turns of a right loop. */
export const RIGHT = [
  { thought: "Her payees.", tasks: ["find the payee", "see whom they paid"], ...payees("ada") },
  payees("bo"),
  finish("value", "s1.rows[0].dst", { kind: "entity_set", from: "s2.rows[*].dst" }),
];
export const REPORT = {
  text: "{c1} was paid the most and paid {c2}.",
  claims: [
    { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } },
    { id: "c2", type: "entity_set", cells: "s2.rows[*].dst", complete: true, about: ["s1.rows[0].dst"] },
  ],
};

/** The suite of payments, its questions asked by one call after the other. */
export class LoopSuite extends PaymentsSuite {
  /** Plays turns in their order, the last again and again. */
  playTurns(turns: readonly unknown[]): Promise<ModelServer> {
    let taken = 0;
    return this.serve((asked) => said(isReport(asked) ? REPORT : turns[Math.min(taken++, turns.length - 1)]));
  }

  ask(options: AskOptions = {}, limits: Partial<Limits> = {}, question = QUESTION): Promise<AskResult> {
    const agent = createAgent(this.db, {
      model: { base_url: this.server.url, capability: "text", retries: 0 },
      mode: "loop",
      limits,
    });
    return agent.ask(question, options);
  }

  /** The last that the model was told before its turn at a position. */
  lastTold(position: number): string {
    return this.server.asked[position]!.body.messages.at(-1)!.content;
  }
}
