// What the verifier may know beside the plan. Left out, the checks that need it are left out.
import type { Ceilings } from "../../operators/cost-guard.js";
import type { PropertyReader } from "../../operators/declaration.js";
import type { PinnedEngine } from "../../operators/engine.js";

/** The store as it was when the plan came. */
export interface VerifyStore {
  /** The commit that a pin of null means. */
  readonly headTx: number;
  readonly ceilings: Ceilings;
  /** The store at a commit, up to `headTx`; the owner of the context releases it. */
  at(tx: number): PinnedEngine;
}

export interface VerifyContext {
  /** The names of entities that the caller stands for; null: entities may be named freely. */
  readonly identifiers: ReadonlySet<string> | null;
  readonly store: VerifyStore | null;
  /** The types of properties in the store; left out, they are known when a step has run. */
  readonly properties?: PropertyReader;
}

export const NOTHING_KNOWN: VerifyContext = { identifiers: null, store: null };
