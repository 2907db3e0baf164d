// What is left of a loop that was ended: the parts of its last answer that some step gives, as a plan of their own.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { Plan, PlanAnswer, ResultStore } from "../../plan/index.js";
import { ANSWER_KINDS, MOST_FURTHER_PARTS } from "../../plan/schema.js";
import type { Asking } from "../asking.js";
import { attempted, isReentering, type Ran, runAt } from "../running.js";
import type { GrowingPlan } from "./growing-plan.js";

type Part = Pick<PlanAnswer, "kind" | "from">;

/** A part that is not answered, and why. */
export interface DroppedPart extends Part {
  readonly code: "no_step" | "too_many_parts";
  readonly why: string;
}

export interface Salvaged {
  readonly ran: Ran;
  readonly dropped: readonly DroppedPart[];
}

const MOST_PARTS = 1 + MOST_FURTHER_PARTS;
const ofNoStep = (part: Part): DroppedPart => ({ ...part, code: "no_step", why: "no step gives it" });
const beyondMost = (part: Part): DroppedPart => ({
  ...part,
  code: "too_many_parts",
  why: `an answer has at most ${MOST_PARTS} parts`,
});

const isPart = (value: JsonValue): boolean =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  ANSWER_KINDS.some((kind) => kind === value.kind) &&
  typeof value.from === "string";

function partsOf({ kind, from, also }: JsonObject): readonly Part[] {
  const given = [{ kind: kind ?? null, from: from ?? null }, ...(Array.isArray(also) ? also : [])];
  return given.filter(isPart) as unknown as readonly Part[];
}

const answerOf = ([main, ...also]: readonly Part[]): PlanAnswer => ({
  ...main!,
  ...(also.length === 0 ? {} : { also }),
});

/** Whether the steps give what the plan asks for. Throws what no other plan could mend. */
async function hasAnswer(asking: Asking, plan: Plan, results: ResultStore): Promise<boolean> {
  const { error } = await runAt(asking, plan, results);
  if (error !== null && !isReentering(error)) throw error;
  return error === null;
}

/** The run of the parts that hold; null where none does. */
export async function salvaged(
  asking: Asking,
  { steps, results }: GrowingPlan,
  written: JsonObject | null,
): Promise<Salvaged | null> {
  if (written === null || steps.length === 0) return null;
  const planOf = (parts: readonly Part[]): Plan => ({ steps, answer: answerOf(parts) });
  const held: Part[] = [];
  const dropped: DroppedPart[] = [];
  const parts = partsOf(written);
  // A model may write thousands, and each is a run.
  for (const part of parts.slice(0, MOST_PARTS)) {
    const plan = planOf([part]);
    if (asking.verify(plan).valid && (await hasAnswer(asking, plan, results))) held.push(part);
    else dropped.push(ofNoStep(part));
  }
  if (held.length === 0) return null;
  dropped.push(...parts.slice(MOST_PARTS).map(beyondMost));
  const plan = planOf(held);
  const { run, error } = await attempted(asking, plan, results);
  return run === null || error !== null ? null : { ran: { plan, run }, dropped };
}
