// What claims stand on, from a run or from a trace that came from anywhere: its plan is run again at its pin, and everything
// is compared. No model, no words; for the agent, the command line and MCP.
import { isPlainObject } from "../contract/values.js";
import { checkCancelled } from "../operators/cancellation.js";
import { type RunOptions, rerunTrace, type TraceDifference, type TracedRun } from "../plan/index.js";
import type { ReadableState } from "../query/index.js";
import type { Verdict } from "./claims/claim.js";
import { readClaim } from "./claims/claim-schema.js";
import { Evidence, type MentionedSubject, type StoredResult } from "./claims/evidence.js";
import { StoreQuestions } from "./claims/store-questions.js";
import { verifyClaim } from "./claims/verify.js";

export interface EvidenceOptions extends Pick<RunOptions, "signal" | "timeoutMs" | "onStep"> {
  /** What the question names, for claims that are about `q1`. */
  readonly mentions?: readonly MentionedSubject[];
}

/** What the claims of a run stand on: the payloads of its steps by their digests. */
export function evidenceOfRun(
  { engine, catalogue }: ReadableState,
  { trace, answers }: TracedRun,
  { signal, mentions }: EvidenceOptions = {},
): Evidence {
  const results = Array.from(answers.values(), ({ envelope, type }): [string, StoredResult] => [
    envelope.result_digest,
    { envelope, type },
  ]);
  return new Evidence(trace, new Map(results), new StoreQuestions(engine, catalogue, signal), mentions);
}

/** Evidence, where the trace is in everything what a run of its plan gives; else the first difference. */
export type TracedEvidence =
  | { readonly evidence: Evidence; readonly difference: null }
  | { readonly evidence: null; readonly difference: TraceDifference };

/** E_SCHEMA for what is no trace, and the error of a run that came to no end. */
export async function evidenceOfTrace(
  state: ReadableState,
  trace: unknown,
  options: EvidenceOptions = {},
): Promise<TracedEvidence> {
  const { mentions: _, ...run } = options;
  const { difference, run: ran } = await rerunTrace(state.engine, trace, run);
  if (difference !== null) return { evidence: null, difference };
  return { evidence: evidenceOfRun(state, ran!, options), difference };
}

/**
 * A claim as it is now, without what an answer said of it: what a getter gives is read once, and what cannot be read is
 * none.
 */
export function claimOf(given: unknown): unknown {
  try {
    const claim: unknown = structuredClone(given);
    if (!isPlainObject(claim)) return claim;
    const { verdict: _verdict, reasons: _reasons, ...own } = claim;
    return own;
  } catch {
    return null;
  }
}

/** A verdict for each claim, in their order, whatever they are. On a trace that differs nothing stands. */
export async function verdictsOn(
  { evidence }: TracedEvidence,
  claims: readonly unknown[],
  signal?: AbortSignal,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const given of claims) {
    checkCancelled(signal, Number.POSITIVE_INFINITY);
    const claim = claimOf(given);
    if (evidence !== null) verdicts.push(await verifyClaim(evidence, claim));
    else verdicts.push(unverifiable(claim));
  }
  return verdicts;
}

function unverifiable(claim: unknown): Verdict {
  const id = isPlainObject(claim) && typeof claim.id === "string" ? claim.id : null;
  return { id, verdict: "unverifiable", reasons: [readClaim(claim) === null ? "malformed" : "digest_mismatch"] };
}
