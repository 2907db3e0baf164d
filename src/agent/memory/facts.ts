// From a window to its facts: the note's plan is run at a commit, and each cell is a fact only where a claim on it is verified.
import type { JsonObject } from "../../contract/values.js";
import { checkCancelled } from "../../operators/cancellation.js";
import { type Plan, tracePlan } from "../../plan/index.js";
import type { ReadableState } from "../../query/index.js";
import { bindClaims } from "../claims/bind.js";
import type { Claim } from "../claims/claim.js";
import type { Evidence } from "../claims/evidence.js";
import { verifyClaim } from "../claims/verify.js";
import { evidenceOfRun } from "../trace-evidence.js";
import { FACT_PLACES, type Fact, type FactPlace, type Facts } from "./note-plan.js";
import { claimIdOf } from "./note-text.js";

export interface Computed {
  readonly facts: Facts;
  /** By fact, under the fact's number: what supports it. */
  readonly claims: readonly Claim[];
  readonly evidence: Evidence;
  readonly trace_digest: string;
}

async function supported(evidence: Evidence, { id, claims }: FactPlace): Promise<Claim | null> {
  const named = claims.map((claim) => ({ id: claimIdOf(id), ...claim }));
  for (const claim of await bindClaims(evidence, named)) {
    if ((await verifyClaim(evidence, claim)).verdict === "supported") return claim;
  }
  return null;
}

/** Runs the plan at a commit. Throws what a step fails of, and E_CANCELLED where the signal came meanwhile. */
export async function computeFacts(
  state: ReadableState,
  plan: Plan,
  askTx: number,
  signal: AbortSignal,
): Promise<Computed> {
  const run = await tracePlan(state.engine, plan, { askTx, signal });
  if (run.error !== null) throw run.error;
  const evidence = evidenceOfRun(state, run, { signal });
  const facts: Record<string, Fact> = {};
  const claims: Claim[] = [];
  for (const place of FACT_PLACES) {
    const claim = await supported(evidence, place);
    const value = (claim as (JsonObject & Claim) | null)?.value;
    if (claim === null || (typeof value !== "number" && typeof value !== "string")) continue;
    facts[place.id] = { cell: place.cell, value, unit: place.unit };
    claims.push(claim);
  }
  // What was cancelled while a claim was verified is not told from what does not hold.
  checkCancelled(signal, Number.POSITIVE_INFINITY);
  return { facts, claims, evidence, trace_digest: run.trace.trace_digest };
}
