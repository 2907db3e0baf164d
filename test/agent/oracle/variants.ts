// The clean pool: true claims of oracle plans and of their variants, with longer pages, moved windows and named pins.
// A variant whose answer points at a row that is not there is left out.
import type { Claim } from "../../../src/agent/claims/claim.js";
import type { Evidence } from "../../../src/agent/claims/evidence.js";
import { PalimpsestError } from "../../../src/contract/errors.js";
import { lookUp } from "../../../src/operators/registry.js";
import type { AskedStore } from "../asked.js";
import type { StoreName } from "./data.js";
import type { OraclePlan, Plan } from "./plan.js";
import { claimsOf } from "./pool.js";

export interface Entry {
  readonly plan: OraclePlan;
  readonly evidence: Evidence;
  readonly claim: Claim;
  /** Whether code made it for a part of the answer. */
  readonly isMechanical: boolean;
}

type Arguments = Record<string, unknown>;

function withArguments(plan: Plan, change: (args: Arguments, op: string) => Arguments): Plan {
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, args: change(step.args as Arguments, step.op) })) };
}

function moved(window: unknown, days: number): unknown {
  const { from, to } = window as { from: string; to: string };
  const move = (text: string): string => new Date(Date.parse(text) + days * 86_400_000).toISOString();
  return { from: move(from), to: move(to) };
}

function inWindow(args: Arguments, days: number): Arguments {
  if (args.window !== undefined) return { ...args, window: moved(args.window, days) };
  const valid = args.valid as { window?: unknown } | undefined;
  return valid?.window === undefined ? args : { ...args, valid: { window: moved(valid.window, days) } };
}

const hasPin = (op: string): boolean => lookUp(op).declaration.pins !== null;

const VARIANTS: Readonly<Record<StoreName, readonly ((plan: Plan) => Plan)[]>> = {
  collegemsg: [1, 2, 3].map((days) => (plan) => withArguments(plan, (args) => inWindow(args, days))),
  "bitcoin-otc": [7, 30].map((days) => (plan) => withArguments(plan, (args) => inWindow(args, days))),
  primaryschool: [1 / 24, -1 / 48].map((days) => (plan) => withArguments(plan, (args) => inWindow(args, days))),
  "world-leaders": [90, 91].map(
    (tx) => (plan) =>
      withArguments(plan, (args, op) =>
        hasPin(op) && args.as_of_tt === "tx:93" ? { ...args, as_of_tt: `tx:${tx}` } : args,
      ),
  ),
};

const longer = (plan: Plan): Plan =>
  withArguments(plan, (args) => (typeof args.limit === "number" ? { ...args, limit: args.limit + 20 } : args));
const pinned = (plan: Plan): Plan =>
  withArguments(plan, (args, op) => (hasPin(op) && args.as_of_tt === undefined ? { ...args, as_of_tt: "tx:1" } : args));

export function variantsOf({ store, plan }: OraclePlan): readonly Plan[] {
  const made = [
    longer(plan),
    ...(store === "world-leaders" ? [] : [pinned(plan)]),
    ...VARIANTS[store].map((vary) => vary(plan)),
  ];
  const seen = new Set([JSON.stringify(plan)]);
  return made.filter((each) => !seen.has(JSON.stringify(each)) && seen.add(JSON.stringify(each)));
}

/** What plans, and what variants of them that run, claim. */
export async function cleanPool(asked: AskedStore, plans: readonly OraclePlan[]): Promise<readonly Entry[]> {
  const pool: Entry[] = [];
  const add = async (oracle: OraclePlan): Promise<void> => {
    const evidence = await asked.ask(oracle.plan, oracle.mentions);
    const count = 1 + (oracle.plan.answer.also?.length ?? 0);
    const claims = await claimsOf(evidence, oracle);
    pool.push(...claims.map((claim, i) => ({ plan: oracle, evidence, claim, isMechanical: i < count })));
  };
  for (const oracle of plans) {
    await add(oracle);
    for (const plan of variantsOf(oracle)) {
      try {
        await add({ ...oracle, plan, claims: () => [] });
      } catch (error) {
        if (!(error instanceof PalimpsestError) || error.code !== "E_NOT_FOUND") throw error;
      }
    }
  }
  return pool;
}
