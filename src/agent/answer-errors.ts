// Runs that came to nothing, told so that another plan may do better: the parts of an answer that the results do not hold, and
// steps that failed. An empty look-up says what was looked for, as the plan has it; no name is suggested that nobody named.
import { canonicalJson } from "../contract/canonical.js";
import { PalimpsestError } from "../contract/errors.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { mendOf } from "../operators/mend.js";
import type { Plan, TracedRun, Violation } from "../plan/index.js";
import { follow, legalFields } from "../plan/output-types.js";
import { parsePath, type ReferencePath } from "../plan/references.js";
import { type StepAnswer, valueAtPath } from "../plan/run/step-answer.js";

const LONGEST_ARGS = 400;
const MOST_FIELDS = 40;

/** What a step looked for, as the plan says it. */
function lookedFor(plan: Plan, id: string): string {
  const step = plan.steps.find((each) => each.id === id);
  const text = canonicalJson((step?.args ?? {}) as JsonValue);
  return `${step?.op ?? id} ${text.length > LONGEST_ARGS ? `${text.slice(0, LONGEST_ARGS)}…` : text}`;
}

/** The list that a path takes an element of; the rows where it takes none. */
function listOf({ step, segments }: ReferencePath): ReferencePath {
  const at = segments.findIndex(({ index }) => index !== null);
  return { step, segments: segments.slice(0, at + 1).map((segment) => ({ ...segment, index: null })) };
}

function fieldsOf(answer: StepAnswer, list: ReferencePath): readonly string[] {
  const followed = follow(answer.type, list);
  const item = followed.kind === "type" && followed.type.kind === "list" ? followed.type.item : answer.type;
  return item.kind === "object" ? legalFields(item).slice(0, MOST_FIELDS) : [];
}

/** What could be asked in place of a path that does not lead where it should. */
function legalInstead(plan: Plan, { answers }: TracedRun, path: ReferencePath): string {
  const answer = answers.get(path.step);
  if (answer === undefined) return "";
  const list = listOf(path);
  const held = valueAtPath(answer, list);
  const fields = `fields: ${fieldsOf(answer, list).join(", ")}`;
  if (!Array.isArray(held)) return fields;
  if (held.length === 0) return `no rows; looked for: ${lookedFor(plan, path.step)}`;
  return `rows held: 0 to ${held.length - 1}; ${fields}`;
}

function pathOf(text: unknown): ReferencePath | null {
  const parsed = typeof text === "string" ? parsePath(text) : null;
  return parsed?.kind === "path" ? parsed.path : null;
}

/** Why a part has no value in the results; null where it has one. */
function missing({ answers }: TracedRun, path: ReferencePath): PalimpsestError | null {
  try {
    const answer = answers.get(path.step);
    if (answer !== undefined) valueAtPath(answer, path);
    return null;
  } catch (error) {
    if (error instanceof PalimpsestError && error.details.kind === "no_row") return error;
    throw error;
  }
}

/** Whether all steps ran, and only the answer is not there. */
export const lacksAnswer = ({ trace, error }: TracedRun): boolean =>
  error !== null && trace.steps.every(({ status }) => status === "ok");

/** The parts that have no row. */
function emptyParts(plan: Plan, run: TracedRun): readonly Violation[] {
  const { from, also = [] } = plan.answer;
  const parts = [
    { from, path: "/answer/from" },
    ...also.map((part, i) => ({ ...part, path: `/answer/also/${i}/from` })),
  ];
  return parts.flatMap(({ from: text, path }) => {
    const parsed = pathOf(text);
    const error = parsed === null ? null : missing(run, parsed);
    if (parsed === null || error === null) return [];
    const { code, message } = error;
    return [{ code, kind: "no_row", step: parsed.step, path, message, hint: legalInstead(plan, run, parsed) }];
  });
}

/** What is wrong with a run that has no answer. */
export function runViolations(plan: Plan, run: TracedRun, error: PalimpsestError): readonly Violation[] {
  const { code, message, details } = error;
  const isOfAnswer = lacksAnswer(run);
  const empty = isOfAnswer ? emptyParts(plan, run) : [];
  if (empty.length > 0) return empty;
  const step = typeof details.step === "string" ? details.step : null;
  const place = isOfAnswer ? "/answer" : step === null ? "" : `/steps/${step}`;
  const kind = isOfAnswer && typeof details.kind === "string" ? details.kind : "run_error";
  const path = pathOf(details.path);
  const legal = path === null ? "" : legalInstead(plan, run, path);
  return [{ code, kind, step, path: place, message, hint: legal === "" ? mendOf(error) : legal }];
}

/** The steps that ran, so that a mended plan may keep them. */
export const ranSteps = ({ trace }: TracedRun): readonly JsonObject[] =>
  trace.steps.flatMap(({ id, op, status, rows_total, result_digest }) =>
    status === "ok" ? [{ id, op, rows_total, result_digest }] : [],
  );
