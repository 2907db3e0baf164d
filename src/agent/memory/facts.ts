// From a window to its facts: the note's plan is run at a commit, and each cell is a fact only where a claim on it is verified.
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject } from "../../contract/values.js";
import { type Plan, tracePlan } from "../../plan/index.js";
import type { ReadableState } from "../../query/index.js";
import { bindClaims } from "../claims/bind.js";
import type { Claim } from "../claims/claim.js";
import { Evidence, type StoredResult } from "../claims/evidence.js";
import { StoreQuestions } from "../claims/store-questions.js";
import { verifyClaim } from "../claims/verify.js";
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

/** Runs the plan at a commit. Throws what a step fails of. */
export async function computeFacts(
  { engine, catalogue }: ReadableState,
  plan: Plan,
  askTx: number,
  signal: AbortSignal,
): Promise<Computed> {
  const { trace, answers, error } = await tracePlan(engine, plan, { askTx, signal });
  if (error !== null) throw error;
  const results = Array.from(answers.values(), ({ envelope, type }): [string, StoredResult] => [
    envelope.result_digest,
    { envelope, type },
  ]);
  const evidence = new Evidence(trace, new Map(results), new StoreQuestions(engine, catalogue, signal));
  const facts: Record<string, Fact> = {};
  const claims: Claim[] = [];
  for (const place of FACT_PLACES) {
    const claim = await supported(evidence, place);
    const value = (claim as (JsonObject & Claim) | null)?.value;
    if (claim === null || (typeof value !== "number" && typeof value !== "string")) continue;
    facts[place.id] = { cell: place.cell, value, unit: place.unit };
    claims.push(claim);
  }
  if (signal.aborted) throw new PalimpsestError("E_CANCELLED", "the notes were not finished", { hint: "" });
  return { facts, claims, evidence, trace_digest: trace.trace_digest };
}
