// What verifying found of the plans of statements, kept by their text: a statement that comes again has the same plan.
// Verifying without a store is a pure function of the plan, so what is kept never grows old.
import { canonicalJson } from "../../contract/canonical.js";
import { type CanonicalPlan, canonicalOf } from "../canonical.js";
import type { Violation } from "../plan.js";
import { readVerified, type VerifiedPlan } from "../verify/verify.js";

interface SeenPlan {
  readonly verified: VerifiedPlan;
  readonly canonical: CanonicalPlan;
}
type Found = SeenPlan | { readonly violations: readonly Violation[] };

const MOST_PLANS = 256;
/** Longer plans are verified each time: they would keep much, and cost more to compare. */
const LONGEST_TEXT = 16_384;

const seen = new Map<string, SeenPlan>();

function verifiedPlan(plan: unknown): Found {
  const read = readVerified(plan, { identifiers: null, store: null });
  return "violations" in read ? read : { verified: read.verified, canonical: canonicalOf(read.verified) };
}

/** The plan of a statement, verified. */
export function seenPlan(plan: unknown): Found {
  const text = canonicalJson(plan);
  if (text.length > LONGEST_TEXT) return verifiedPlan(plan);
  const known = seen.get(text);
  // The ones that were asked for last stand at the end.
  if (known !== undefined) seen.delete(text);
  const found = known ?? verifiedPlan(plan);
  if ("violations" in found) return found;
  seen.set(text, found);
  if (seen.size > MOST_PLANS) seen.delete(seen.keys().next().value!);
  return found;
}
