// A proposal in normal form: its operations as the log would hold them, and the digest that is its idempotency key.
import { canonicalJson } from "../../contract/canonical.js";
import { sha256Hex } from "../../contract/digest.js";
import { PalimpsestError } from "../../contract/errors.js";
import { parseExact } from "../../contract/exact-json.js";
import { isPlainObject, isWellFormed, type JsonObject } from "../../contract/values.js";
import { operationText } from "../../log/operations/operation-text.js";
import { readOperation } from "../../log/operations/read-operation.js";
import { isNodeRef, type Ref, type RowOperation } from "../../log/operations/types.js";
import { cutText, withoutHidden } from "../words/media.js";
import type { ReadPolicy } from "./policy.js";
import { refused } from "./refusal.js";
import { PROPOSABLE, type ProposableOp } from "./types.js";

const LONGEST_REASON = 200;
const MOST_CLAIMS = 64;
const MEMBERS = ["ops", "reason", "because", "trace_digest"];
const CLAIM_ID = /^c[1-9]\d?$/;
const DIGEST = /^[0-9a-f]{64}$/;

export interface ProposedOp {
  readonly name: ProposableOp;
  readonly operation: RowOperation;
  /** Of its reference. */
  readonly uids: readonly string[];
  /** Without source, provenance_ref and reason. */
  readonly input: JsonObject;
}

export interface ReadProposal {
  readonly ops: readonly ProposedOp[];
  readonly reason: string;
  readonly because: readonly string[];
  readonly traceDigest: string;
  readonly digest: string;
}

const FORM = 'give {"ops": [{"op": …}], "reason": "…", "because": ["c1"], "trace_digest": "…"}';

function misshapen(path: string, what: string, hint = FORM): PalimpsestError {
  return refused("shape", `${path === "" ? "the proposal" : path} ${what}`, hint, { path });
}

/** What a getter gives is read once; what cannot be copied is no JSON. */
function copied(given: unknown): Readonly<Record<string, unknown>> {
  let copy: unknown;
  try {
    copy = structuredClone(given);
  } catch (cause) {
    throw refused("shape", "the proposal cannot be read", FORM, { path: "" }, cause);
  }
  if (!isPlainObject(copy)) throw misshapen("", "is no object");
  const unknown = Object.keys(copy).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) throw misshapen(`/${unknown.slice(0, 64)}`, "is none of its members");
  return copy;
}

export const uidsOf = (ref: Ref): readonly string[] => (isNodeRef(ref) ? [ref.uid] : [ref.src, ref.dst]);

function readOp(given: unknown, i: number): ProposedOp {
  const path = `/ops/${i}`;
  const name = isPlainObject(given) ? given.op : undefined;
  if (typeof name === "string" && !(PROPOSABLE as readonly string[]).includes(name)) {
    throw refused("operation", `${path} is ${JSON.stringify(name.slice(0, 64))}`, `known: ${PROPOSABLE.join(", ")}`, {
      path: `${path}/op`,
    });
  }
  let operation: RowOperation;
  try {
    operation = readOperation(given, path, false) as RowOperation;
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    const at = typeof error.details.path === "string" ? error.details.path : path;
    throw refused("shape", error.message, error.hint === "" ? FORM : error.hint, { path: at, code: error.code }, error);
  }
  const { source, provenanceRef, reason } = operation.by;
  if (source !== undefined || provenanceRef !== undefined || reason !== undefined) {
    throw misshapen(path, "says in whose name or why", "leave source, provenance_ref and reason to the policy");
  }
  const input = parseExact(operationText(operation)) as JsonObject;
  return { name: name as ProposableOp, operation, uids: uidsOf(operation.ref), input };
}

function becauseOf(given: unknown): readonly string[] {
  const isId = (each: unknown): boolean => typeof each === "string" && CLAIM_ID.test(each);
  const isList = Array.isArray(given) && given.length > 0 && given.length <= MOST_CLAIMS && given.every(isId);
  if (!isList || new Set(given).size !== given.length) {
    throw misshapen("/because", `is no list of 1 to ${MOST_CLAIMS} different ids of claims`);
  }
  return given as string[];
}

/** A text of a model that becomes data: on one line, without what hides or turns text, cut. */
const cleaned = (text: string): string => cutText(withoutHidden(text), LONGEST_REASON);

/** Shape and limits: what the proposal and the policy decide alone. */
export function readProposal(given: unknown, policy: ReadPolicy): ReadProposal {
  const { ops: givenOps, reason: said, because: ids, trace_digest: traceDigest } = copied(given);
  if (!Array.isArray(givenOps) || givenOps.length === 0) throw misshapen("/ops", "is no list of operations");
  if (typeof said !== "string" || !isWellFormed(said)) throw misshapen("/reason", "is no text");
  const reason = cleaned(said);
  if (reason === "") throw misshapen("/reason", "is empty");
  const because = becauseOf(ids);
  if (typeof traceDigest !== "string" || !DIGEST.test(traceDigest)) throw misshapen("/trace_digest", "is no digest");
  if (givenOps.length > policy.maxOps) {
    const hint = "propose less at once";
    throw refused("max_ops", `${givenOps.length} operations, and at most ${policy.maxOps} are allowed`, hint);
  }
  const ops = givenOps.map(readOp);
  const other = ops.findIndex(({ name }) => !policy.ops.has(name));
  if (other >= 0) {
    const hint = policy.ops.size === 0 ? "the policy allows nothing" : `allowed: ${[...policy.ops].join(", ")}`;
    throw refused("ops", `the policy does not allow ${ops[other]!.name}`, hint, { path: `/ops/${other}/op` });
  }
  const inputs = ops.map(({ input }) => input);
  const digest = sha256Hex(canonicalJson({ ops: inputs, reason: said, because, trace_digest: traceDigest }));
  return { ops, reason, because, traceDigest, digest };
}
