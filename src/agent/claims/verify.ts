// The claim verifier: what may be said of the results of a run. Rules V1 to V9 in their order; no rule throws.
// Knows no prose, no model, and not who made a claim.
import type { Claim, Reason, Verdict, VerdictKind } from "./claim.js";
import { readClaim } from "./claim-schema.js";
import type { Evidence } from "./evidence.js";
import { placesOf } from "./places.js";
import { rulingOf } from "./rules.js";
import { isMention, isTied } from "./ties.js";

const REFUTED: readonly Reason[] = ["value", "members", "relation", "direction", "present", "pattern"];
const PARTIAL: readonly Reason[] = ["subset", "tied", "ambiguous_name", "vacuous", "outside_data"];

interface Finding {
  readonly reason: Reason;
  readonly kind: VerdictKind;
}

function kindOf(reason: Reason): VerdictKind {
  if (REFUTED.includes(reason)) return "refuted";
  return PARTIAL.includes(reason) ? "supported_partial" : "unverifiable";
}

const finding = (reason: Reason): Finding => ({ reason, kind: kindOf(reason) });

/** The worst class wins; its reasons stand in the order of the rules, each once. */
function verdictOf(id: string | null, findings: readonly Finding[]): Verdict {
  for (const verdict of ["unverifiable", "refuted", "supported_partial"] as const) {
    const reasons = findings.filter(({ kind }) => kind === verdict).map(({ reason }) => reason);
    if (reasons.length > 0) return { id, verdict, reasons: [...new Set(reasons)] };
  }
  return { id, verdict: "supported", reasons: [] };
}

const idOf = (given: unknown): string | null => {
  const id = typeof given === "object" && given !== null ? (given as { id?: unknown }).id : undefined;
  return typeof id === "string" ? id : null;
};

async function findingsOf(evidence: Evidence, claim: Claim): Promise<readonly Finding[]> {
  const places = await placesOf(evidence, claim);
  if (typeof places === "string") return [finding(places)];
  const { reasons, cells, needsWhole } = await rulingOf(evidence, claim, places);
  const subjects = (claim.about ?? []).map((subject) => (isMention(subject) ? subject : places.cell(subject)));
  const isUntied = subjects.some((subject) => !isTied(evidence, subject, cells));
  const isUpstreamCut = cells.some(({ step }) => step.record.incomplete.includes("upstream"));
  const upstream: Finding = { reason: "upstream", kind: needsWhole ? "unverifiable" : "supported_partial" };
  return [...(isUntied ? [finding("untied")] : []), ...reasons.map(finding), ...(isUpstreamCut ? [upstream] : [])];
}

/** The verdict on one claim, whatever it is. */
export async function verifyClaim(evidence: Evidence, given: unknown): Promise<Verdict> {
  const claim = readClaim(given);
  if (claim === null) return verdictOf(idOf(given), [finding("malformed")]);
  return verdictOf(claim.id, await findingsOf(evidence, claim));
}

/** A verdict for each claim, in their order. */
export async function verifyClaims(evidence: Evidence, claims: readonly unknown[]): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const claim of claims) verdicts.push(await verifyClaim(evidence, claim));
  return verdicts;
}
