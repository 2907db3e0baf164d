// How many batches were written on a trace, as the log says: the key of each commit begins with the digest of its trace.
import type { ReadProposal } from "./proposal.js";
import { refused } from "./refusal.js";

type Named = Pick<ReadProposal, "traceDigest" | "digest">;

/** The idempotency key of a proposal: two digests, as long as a key may be. */
export const keyOf = ({ traceDigest, digest }: Named): string => traceDigest + digest;

/** E_STATE where as many others have been written on its trace as a policy allows, by whomever. */
export async function checkBatches(
  store: { keysUnder(prefix: string): Promise<readonly string[]> },
  proposal: Named,
  most: number,
): Promise<void> {
  const keys = await store.keysUnder(proposal.traceDigest);
  const others = keys.filter((key) => key !== keyOf(proposal)).length;
  if (others < most) return;
  const hint = "ask again: another answer is another trace";
  const written = others === 1 ? "1 batch was" : `${others} batches were`;
  throw refused("max_batches", `${written} written on this trace, and ${most} is the most`, hint);
}
