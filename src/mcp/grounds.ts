// What traces that this server gave stand for: the plan and the pin, to run them again, and the claims that were made over them.
import { evidenceOfName, type TracedEvidence } from "../agent/trace-evidence.js";
import type { WriteGrounds } from "../agent/writes/types.js";
import { PalimpsestError } from "../contract/errors.js";
import { isPlainObject } from "../contract/values.js";
import type { Trace } from "../index.js";
import type { ReadableState } from "../query/index.js";
import { byteLength, jsonText } from "./json.js";
import { type Held, keepText } from "./tool.js";

function keepGrounds(held: Held, grounds: WriteGrounds): void {
  held.grounds.put(grounds.trace.trace_digest, grounds, byteLength(jsonText(grounds)));
}

/** Keeps a trace as its resource, and what else it is needed for. Claims of before stay, unless others are given. */
export function keepTrace(held: Held, trace: Trace, more: Omit<WriteGrounds, "trace"> | null = null): void {
  const { plan, ask_pin, trace_digest } = trace;
  keepText(held.traces, trace_digest, jsonText(trace));
  const known = more ?? held.grounds.get(trace_digest) ?? { claims: [] };
  keepGrounds(held, { ...known, trace: { plan, ask_pin, trace_digest } });
}

/** E_NOT_FOUND for a trace that is not held. */
export function heldGrounds(held: Held, digest: string): WriteGrounds {
  const grounds = held.grounds.get(digest);
  if (grounds !== undefined) return grounds;
  throw new PalimpsestError("E_NOT_FOUND", `no trace ${digest.slice(0, 16)}… is held here`, {
    details: { trace_digest: digest },
    hint: "run its plan with run_plan, or ask again: what was not asked for lately is gone",
  });
}

export async function evidenceOfHeld(
  state: ReadableState,
  { trace, mentions = [] }: WriteGrounds,
  signal: AbortSignal,
): Promise<Pick<TracedEvidence, "evidence">> {
  const subjects = mentions.map(({ id, uid = null }) => ({ id, uid }));
  return { evidence: await evidenceOfName(state, trace, { signal, mentions: subjects }) };
}

const idOf = (claim: unknown): unknown => (isPlainObject(claim) ? claim.id : undefined);
const MOST_CLAIMS = 99;

/**
 * Claims take the place of those with their ids, so that a proposal may name them. What is held by now counts: other claims
 * may have come while these were verified, and a trace that is gone stays gone.
 */
export function keepClaims(held: Held, digest: string, claims: readonly unknown[]): void {
  const grounds = held.grounds.get(digest);
  if (grounds === undefined) return;
  const ids = new Set(claims.map(idOf));
  const kept = grounds.claims.filter((claim) => !ids.has(idOf(claim)));
  keepGrounds(held, {
    ...grounds,
    claims: [...kept, ...claims.filter((claim) => idOf(claim) !== undefined)].slice(-MOST_CLAIMS),
  });
}
