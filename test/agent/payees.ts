// Whom ada of payments.ts paid most often: the question, a right plan for it, and a server that plays plans and reports.
import { ModelServer } from "./model-server.js";
import { MAY } from "./payments.js";
import { isReport, said } from "./replies.js";

export const QUESTION = "Whom did ada pay most often in May 2020, and how many people did she pay?";

export const PAYEES = {
  op: "aggregate_events",
  args: {
    window: MAY,
    where: { src: { uids: ["ada"] } },
    group_by: [{ dim: "node", role: "dst" }],
    aggregates: [{ fn: "count", as: "n" }],
    order_by: [{ column: "n", desc: true }],
  },
};
export const STEP = { id: "s1", ...PAYEES };
export const ANSWER = { kind: "value", from: "s1.rows[0].dst", also: [{ kind: "count", from: "s1.rows_total" }] };
export const PLAN = { thought: "Group by receiver.", steps: [STEP], answer: ANSWER };

/** The plan with other arguments of its step. */
export const withArgs = (args: object) => ({ ...PLAN, steps: [{ ...STEP, args: { ...STEP.args, ...args } }] });

/** Plays plans and reports in their order, the last of each again and again. */
export function planServer(plans: readonly unknown[], reports: readonly unknown[]): Promise<ModelServer> {
  let planned = 0;
  let reported = 0;
  return ModelServer.start((asked) => {
    if (isReport(asked)) return said(reports[Math.min(reported++, reports.length - 1)]);
    return said(plans[Math.min(planned++, plans.length - 1)]);
  });
}
