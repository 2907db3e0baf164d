// What a proposal stands on, looked at again: its trace is run again at its pin, its claims are verified over that, and each
// operation is of an entity that one of them speaks of.
import { readGiven } from "../../contract/given.js";
import { isPlainObject } from "../../contract/values.js";
import type { ReadableState } from "../../query/index.js";
import { type Cell, cellAt, cellsAt } from "../claims/cells.js";
import type { Claim } from "../claims/claim.js";
import type { Evidence } from "../claims/evidence.js";
import { pathsOf, stepOf } from "../claims/relevance.js";
import { isNamedBy } from "../claims/ties.js";
import { verifyClaim } from "../claims/verify.js";
import { claimOf, evidenceOfName } from "../trace-evidence.js";
import type { ReadProposal } from "./proposal.js";
import { refused } from "./refusal.js";
import type { WriteGrounds } from "./types.js";

/** The commit that the trace was asked at. E_STATE for grounds that are not those of the proposal. */
export function askTxOf({ engine }: ReadableState, grounds: WriteGrounds | undefined, digest: string): number {
  const again = "ask again, and propose on that answer";
  const trace = grounds?.trace;
  if (!isPlainObject(trace) || trace.trace_digest !== digest) {
    throw refused("trace", "nothing is known of this trace", again, { trace_digest: digest });
  }
  const tx = isPlainObject(trace.ask_pin) ? trace.ask_pin.tx : undefined;
  if (typeof tx === "number" && Number.isSafeInteger(tx) && tx >= 0 && tx <= engine.headTx()) return tx;
  throw refused("trace", "its trace is of no commit of this store", again, { trace_digest: digest });
}

/** E_STATE unless a run of the plan leaves behind the same trace. */
async function evidenceAgain(
  state: ReadableState,
  { trace, mentions = [] }: WriteGrounds,
  signal: AbortSignal | undefined,
): Promise<Evidence> {
  const subjects = mentions.map(({ id, uid = null }) => ({ id, uid }));
  const options = { mentions: subjects, ...(signal === undefined ? {} : { signal }) };
  const evidence = await evidenceOfName(state, trace, options);
  if (evidence !== null) return evidence;
  const { trace_digest } = trace;
  throw refused("trace", "its plan gives another trace now", "ask again, and propose on that answer", { trace_digest });
}

const idOf = (claim: unknown): unknown => (isPlainObject(claim) ? claim.id : undefined);

async function supportedClaims(
  evidence: Evidence,
  given: readonly unknown[],
  because: readonly string[],
): Promise<readonly Claim[]> {
  const claims = given.map(claimOf);
  const supported: Claim[] = [];
  for (const id of because) {
    const named = claims.filter((claim) => idOf(claim) === id);
    const [claim] = named;
    const hint = "name claims of the answer that are supported";
    if (named.length !== 1) {
      const what = named.length === 0 ? "no claim is" : `${named.length} claims are`;
      throw refused("evidence", `${what} called ${id}`, hint, { claim: id });
    }
    const { verdict, reasons } = await verifyClaim(evidence, claim);
    if (verdict !== "supported") {
      const details = { claim: id, verdict, reasons };
      throw refused(
        "evidence",
        `${id} is ${verdict}${reasons.length === 0 ? "" : `: ${reasons.join(", ")}`}`,
        hint,
        details,
      );
    }
    supported.push(claim as Claim);
  }
  return supported;
}

/** The texts of a cell and of the row that it is in. */
const textsAt = ({ row, value }: Cell): readonly string[] =>
  [value, ...Object.values(row ?? {})].filter((member) => typeof member === "string");

/** What a claim speaks of: the texts of its cells and of their rows, and of its subjects. */
async function textsOf(evidence: Evidence, claim: Claim): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  for (const ref of [...pathsOf(claim), ...(claim.about ?? [])]) {
    const single = await cellAt(evidence, ref, true);
    if ("cell" in single) for (const text of textsAt(single.cell)) texts.add(text);
    const many = await cellsAt(evidence, ref, false);
    if ("cell" in many) for (const text of many.cell.values) if (typeof text === "string") texts.add(text);
  }
  return texts;
}

/** Whether an entity stands in what a claim is of, or its step was asked of that entity by name. */
async function speaksOf(evidence: Evidence, claim: Claim, uids: readonly string[]): Promise<boolean> {
  const texts = await textsOf(evidence, claim);
  const steps = new Set(pathsOf(claim).flatMap((path) => stepOf(path) ?? []));
  const isNamed = (uid: string): boolean =>
    [...steps].some((id) => {
      const step = evidence.step(id);
      return step !== undefined && isNamedBy(uid, step);
    });
  return uids.some((uid) => texts.has(uid) || isNamed(uid));
}

/** Every claim that is named is supported, and for each operation one of them speaks of an entity that it names. */
export async function checkEvidence(
  state: ReadableState,
  { ops, because }: ReadProposal,
  grounds: WriteGrounds,
  isNew: (uid: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const evidence = await evidenceAgain(state, grounds, signal);
  const given = readGiven("grounds", "the claims", () => [...grounds.claims]);
  const claims = await supportedClaims(evidence, given, because);
  for (const [i, { uids }] of ops.entries()) {
    // Of what is new no claim can speak.
    if (uids.every(isNew)) continue;
    let isBacked = false;
    for (const claim of claims) isBacked ||= await speaksOf(evidence, claim, uids);
    if (isBacked) continue;
    const hint = "name in because a claim about one of its entities";
    throw refused("evidence", `no claim speaks of the entities of /ops/${i}`, hint, { path: `/ops/${i}` });
  }
}
