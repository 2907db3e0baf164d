// The tool query_tql: one read of TQL as a step, with the steps that it is made of beside it.
import { PalimpsestError } from "../../contract/errors.js";
import { type JsonObject, type JsonValue, utf8Bytes } from "../../contract/values.js";
import type { PlanStep, Violation } from "../../plan/index.js";
import { withReferences } from "../../plan/references.js";
import { type CompiledParts, compileParts } from "../../query/index.js";
import type { AskInput } from "../asking.js";
import { unknownKeys, wrongForm } from "../fronts/front.js";
import { LONGEST_TQL_BYTES, tqlViolation } from "../fronts/tql-front.js";

/** Its name among the operators. */
export const QUERY_TQL = "query_tql";

/** The steps of a call, the one that is its handle last; or why there are none. */
export type CallSteps = readonly PlanStep[] | { readonly violations: readonly Violation[] };

/** The steps under names of this plan: that of the result is `id`, the others `id_1`, `id_2`, … */
function renamed(steps: readonly PlanStep[], result: string, id: string): readonly PlanStep[] {
  const others = steps.filter((step) => step.id !== result);
  const names = new Map([[result, id], ...others.map((step, i) => [step.id, `${id}_${i + 1}`] as const)]);
  const inPlan = (reference: string): string => {
    const [step, ...rest] = reference.split(".");
    return [names.get(step!)!, ...rest].join(".");
  };
  const named = ({ id: own, args, depends_on, ...rest }: PlanStep): PlanStep => ({
    ...rest,
    id: names.get(own)!,
    ...(args === undefined
      ? {}
      : { args: withReferences(args, (reference): JsonValue => ({ $ref: inPlan(reference) })) as JsonObject }),
    ...(depends_on === undefined ? {} : { depends_on: depends_on.map((each) => names.get(each)!) }),
  });
  return [...others.map(named), ...steps.filter((step) => step.id === result).map(named)];
}

const refused = (...violations: readonly Violation[]): CallSteps => ({ violations });

export function tqlSteps(id: string, args: JsonObject, { state, askTx, zone }: AskInput): CallSteps {
  const stray = unknownKeys(args, ["query"], "/args");
  if (stray.length > 0) return refused(...stray);
  const { query } = args;
  const path = "/args/query";
  if (typeof query !== "string")
    return refused(wrongForm("wrong_argument", path, "query is no text", 'write {"query": "SELECT .."}'));
  const bytes = utf8Bytes(query);
  if (bytes > LONGEST_TQL_BYTES) {
    const message = `a statement of ${bytes} bytes, and it may have ${LONGEST_TQL_BYTES}`;
    return refused({ ...wrongForm("tql_too_long", path, message, "ask for less, or group"), code: "E_LIMIT" });
  }
  const nowUs = BigInt(Date.now()) * 1000n;
  let compiled: CompiledParts;
  try {
    compiled = compileParts(query, { catalogue: state.catalogue, tx: askTx, nowUs, zone }, ["rows_total"]);
  } catch (error) {
    if (!(error instanceof PalimpsestError) || error.code === "E_INTERNAL") throw error;
    return refused(tqlViolation(error, path));
  }
  const [total] = compiled.paths;
  if (total instanceof PalimpsestError) throw total;
  return renamed(compiled.steps, total!.split(".")[0]!, id);
}
