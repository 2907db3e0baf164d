// The claims of oracle plans: those that code makes for each part of an answer, and those that a plan gives beside them.
import { bindClaims } from "../../../src/agent/claims/bind.js";
import type { Claim } from "../../../src/agent/claims/claim.js";
import type { Evidence } from "../../../src/agent/claims/evidence.js";
import { mechanicalClaim } from "../../../src/agent/claims/mechanical.js";
import { partsOf } from "../../../src/agent/claims/relevance.js";
import { verifyClaim } from "../../../src/agent/claims/verify.js";
import type { OraclePlan } from "./plan.js";

/** For each part of an answer the claim that code makes; null where it makes none. */
export function mechanicalClaims(evidence: Evidence): Promise<(Omit<Claim, "id"> | null)[]> {
  const holds = async (claim: object): Promise<boolean> =>
    (await verifyClaim(evidence, { id: "c1", ...claim })).verdict === "supported";
  return Promise.all(partsOf(evidence.trace.plan.answer).map((part) => mechanicalClaim(evidence, part, holds)));
}

/** Claims of a plan with their values, each of them true. */
export async function claimsOf(evidence: Evidence, { claims }: OraclePlan): Promise<readonly Claim[]> {
  const made = (await mechanicalClaims(evidence)).filter((claim) => claim !== null);
  const named = [...made, ...(claims?.() ?? [])].map((claim, i) => ({ id: `c${i + 1}`, ...claim }));
  const bound = await bindClaims(evidence, named);
  if (bound.length !== named.length) throw new Error(`of ${named.length} claims ${bound.length} have the form of one`);
  return bound;
}
