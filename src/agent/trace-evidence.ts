// What claims stand on, from a run or from a trace that came from anywhere: its plan is run again at its pin, and everything
// is compared. No model, no words; for the agent, the command line and MCP.
import { PalimpsestError } from "../contract/errors.js";
import { isPlainObject } from "../contract/values.js";
import { checkCancelled } from "../operators/cancellation.js";
import {
  type RunOptions,
  rerunTrace,
  type Trace,
  type TraceDifference,
  type TracedRun,
  tracePlan,
} from "../plan/index.js";
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

/** Enough of a trace to have all of it again. */
export type TraceName = Pick<Trace, "plan" | "ask_pin" | "trace_digest">;

/** Evidence, where a run of the plan at that pin leaves behind the same trace, digest by digest; else null. */
export async function evidenceOfName(
  state: ReadableState,
  { plan, ask_pin, trace_digest }: TraceName,
  options: EvidenceOptions = {},
): Promise<Evidence | null> {
  const { mentions: _, ...limits } = options;
  try {
    const run = await tracePlan(state.engine, plan, { ...limits, askTx: ask_pin.tx });
    return run.trace.trace_digest === trace_digest ? evidenceOfRun(state, run, options) : null;
  } catch (error) {
    if (error instanceof PalimpsestError && error.code === "E_PLAN_INVALID") return null;
    throw error;
  }
}

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

interface VerdictOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told after each claim how many are done. */
  readonly onVerdict?: (done: number) => void;
}

/** A verdict for each claim, in their order, whatever they are. On a trace that differs nothing stands. */
export async function verdictsOn(
  { evidence }: Pick<TracedEvidence, "evidence">,
  claims: readonly unknown[],
  { signal, onVerdict }: VerdictOptions = {},
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const given of claims) {
    checkCancelled(signal, Number.POSITIVE_INFINITY);
    const claim = claimOf(given);
    if (evidence !== null) verdicts.push(await verifyClaim(evidence, claim));
    else verdicts.push(unverifiable(claim));
    onVerdict?.(verdicts.length);
  }
  return verdicts;
}

function unverifiable(claim: unknown): Verdict {
  const id = isPlainObject(claim) && typeof claim.id === "string" ? claim.id : null;
  return { id, verdict: "unverifiable", reasons: [readClaim(claim) === null ? "malformed" : "digest_mismatch"] };
}
