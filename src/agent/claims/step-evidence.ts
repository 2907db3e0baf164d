// V2: a step is there, ran well, and what is stored of it is what its digest says.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { digestOfEnvelope } from "../../operators/envelope-builder.js";
import { lookUp } from "../../operators/registry.js";
import { parsePath } from "../../plan/references.js";
import type { UnverifiableReason } from "./claim.js";
import type { Evidence, EvidenceStep, StoredResult } from "./evidence.js";
import { isObject, listAt } from "./held-values.js";

/** Whether an argument of a trace is the address of a list of one of its steps that holds this table. */
function isAddressOf(evidence: Evidence, shown: JsonValue | undefined, table: JsonValue | undefined): boolean {
  if (!isObject(shown) || typeof shown.digest !== "string" || typeof shown.path !== "string") return false;
  const record = evidence.trace.steps.find((each) => each.result_digest === shown.digest);
  const step = record === undefined ? undefined : evidence.step(record.id);
  const parsed = parsePath(`${record?.id}.${shown.path}`);
  if (step === undefined || step.result === null || parsed.kind === "wrong") return false;
  return canonicalJson(listAt(step, parsed.path)) === canonicalJson(table);
}

/** Whether the arguments of a trace are those that an answer holds; tables from earlier steps stand there as addresses. */
function showsArguments(evidence: Evidence, shown: JsonObject, held: JsonObject, tables: readonly string[]): boolean {
  const names = new Set([...Object.keys(shown), ...Object.keys(held)]);
  for (const name of names) {
    if (tables.includes(name) && isAddressOf(evidence, shown[name], held[name])) continue;
    if (!Object.hasOwn(shown, name) || !Object.hasOwn(held, name)) return false;
    if (canonicalJson(shown[name]) !== canonicalJson(held[name])) return false;
  }
  return true;
}

const judgedSteps = new WeakMap<EvidenceStep, Promise<EvidenceStep | UnverifiableReason>>();

/** The step, or what is wrong with it. Hashed once for all claims on it. */
export async function evidenceOf(evidence: Evidence, id: string): Promise<EvidenceStep | UnverifiableReason> {
  const step = evidence.step(id);
  if (step === undefined || step.record.status !== "ok" || step.result === null) return "no_evidence";
  let judged = judgedSteps.get(step);
  if (judged === undefined) {
    judged = judgeStep(evidence, step, step.result);
    judgedSteps.set(step, judged);
  }
  return judged;
}

async function judgeStep(
  evidence: Evidence,
  step: EvidenceStep,
  result: StoredResult,
): Promise<EvidenceStep | UnverifiableReason> {
  const { record } = step;
  const { envelope } = result;
  const operator = lookUp(record.op);
  const isSame =
    envelope.op === record.op &&
    canonicalJson(envelope.pin) === canonicalJson(record.pin) &&
    envelope.result_digest === record.result_digest &&
    showsArguments(evidence, record.args ?? {}, envelope.args, operator.tables);
  if (!isSame) return "digest_mismatch";
  const digest = await digestOfEnvelope(operator, envelope);
  return digest === record.result_digest ? step : "digest_mismatch";
}
