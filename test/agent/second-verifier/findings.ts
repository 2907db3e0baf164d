// What rules find, and the verdict that follows: the worst class wins, with its reasons in the order of the rules.
// Knows no rule.
import type { Reason, Verdict, VerdictKind } from "../../../src/agent/claims/claim.js";

export type Class = Exclude<VerdictKind, "supported">;
export interface Finding {
  readonly as: Class;
  readonly reason: Reason;
}

export const unverifiable = (reason: Reason): Finding => ({ as: "unverifiable", reason });
export const refuted = (reason: Reason): Finding => ({ as: "refuted", reason });
export const partial = (reason: Reason): Finding => ({ as: "supported_partial", reason });

const WORST_FIRST: readonly Class[] = ["unverifiable", "refuted", "supported_partial"];

export function verdictOf(id: string | null, findings: readonly Finding[]): Verdict {
  const verdict = WORST_FIRST.find((each) => findings.some(({ as }) => as === each));
  if (verdict === undefined) return { id, verdict: "supported", reasons: [] };
  const reasons = findings.filter(({ as }) => as === verdict).map(({ reason }) => reason);
  return { id, verdict, reasons: [...new Set(reasons)] };
}
