// What `palimpsest ask --trace` keeps of an answer for `palimpsest run --check`: the trace, the claims with their verdicts,
// and what the question names. A digest over all of it tells of any change; the store tells whether it still holds.
import { type AskResult, createAgent, type Mention, type ShownClaim } from "../agent/index.js";
import { canonicalJson } from "../contract/canonical.js";
import { sha256Hex } from "../contract/digest.js";
import { PalimpsestError } from "../contract/errors.js";
import { isPlainObject, type JsonObject, type JsonValue } from "../contract/values.js";
import type { Database, Trace } from "../index.js";
import { differs } from "./differs.js";

interface KeptContent {
  readonly trace: Trace;
  readonly claims: readonly ShownClaim[];
  /** What the claims may be about. */
  readonly mentions: readonly Pick<Mention, "id" | "uid">[];
}

interface KeptAnswer extends KeptContent {
  readonly digest: string;
}

const digestOf = (content: object): string => sha256Hex(canonicalJson(content as JsonObject));

/** One line of canonical JSON. */
export function keptAnswer({ answer, mentions }: AskResult, trace: Trace): string {
  const content: KeptContent = {
    trace,
    claims: answer.claims,
    mentions: mentions.map(({ id, uid }) => (uid === undefined ? { id } : { id, uid })),
  };
  return canonicalJson({ ...content, digest: digestOf(content) } as unknown as JsonObject);
}

const isKeptAnswer = (given: JsonValue): given is JsonObject => isPlainObject(given) && "trace" in given;

/** A claim with the verdict that it had; what else stands in it is for the verifier. */
function isShownClaim(given: unknown): given is ShownClaim {
  if (!isPlainObject(given)) return false;
  const { verdict, reasons } = given;
  return typeof verdict === "string" && Array.isArray(reasons) && reasons.every((each) => typeof each === "string");
}

const notKept = (path: string, what: string): PalimpsestError =>
  new PalimpsestError("E_SCHEMA", `this is no trace of an answer: ${what}`, {
    details: { path },
    hint: "give what palimpsest ask --trace wrote, as it was written",
  });

/** The answer whose digest is that of what stands there; what was changed differs. */
function readKeptAnswer({ digest, ...content }: JsonObject): KeptAnswer {
  if (digestOf(content) !== digest) throw differs("the file is not the one that was written", { field: "digest" });
  const { trace, claims, mentions } = content;
  if (!isPlainObject(trace) || !Array.isArray(claims) || !Array.isArray(mentions)) {
    throw notKept("", "it has no trace, claims and mentions");
  }
  const strange = claims.findIndex((claim) => !isShownClaim(claim));
  if (strange >= 0) throw notKept(`/claims/${strange}`, "a claim in it has no verdict with its reasons");
  return { trace, claims, mentions, digest } as unknown as KeptAnswer;
}

async function checkClaims(db: Database, { trace, claims, mentions }: KeptAnswer, signal: AbortSignal): Promise<void> {
  const verdicts = await createAgent(db).verify(claims, trace, { mentions, signal });
  for (const [i, { id, verdict, reasons }] of verdicts.entries()) {
    const told = claims[i]!;
    if (told.verdict === verdict && canonicalJson([...told.reasons]) === canonicalJson([...reasons])) continue;
    const found = [verdict, ...reasons].join(" ");
    throw differs(`claim ${id} was ${[told.verdict, ...told.reasons].join(" ")}, and is ${found}`, { claim: id });
  }
}

export interface Checked {
  readonly traceDigest: string;
  /** How many claims were verified again; null for a trace alone. */
  readonly claimCount: number | null;
}

/** Runs the plan of a kept answer, or of a trace alone, again and compares; what differs is refused. */
export async function checkKept(db: Database, given: JsonValue, signal: AbortSignal): Promise<Checked> {
  const kept = isKeptAnswer(given) ? readKeptAnswer(given) : null;
  const trace = kept === null ? (given as unknown as Trace) : kept.trace;
  const difference = await db.check(trace, { signal });
  if (difference !== null) throw differs(difference.message, difference);
  if (kept !== null) await checkClaims(db, kept, signal);
  return { traceDigest: trace.trace_digest, claimCount: kept?.claims.length ?? null };
}

/** The digest of the plan that a kept answer, or a trace alone, is of. */
export function planDigestOf(given: JsonValue): JsonValue | undefined {
  const trace = isKeptAnswer(given) ? given.trace : given;
  return isPlainObject(trace) ? trace.plan_digest : undefined;
}
