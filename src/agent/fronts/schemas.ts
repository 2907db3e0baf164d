// Pieces of the schemas that servers are asked to keep answers to: closed objects, texts, and the answer of a plan.
import type { JsonObject } from "../../contract/values.js";
import { ANSWER_KINDS, MOST_FURTHER_PARTS } from "../../plan/schema.js";
import type { NamedSchema } from "../provider/capability.js";

const LONGEST_PATH = 200;
const LONGEST_THOUGHT = 600;

export const textSchema = (maxLength: number): JsonObject => ({ type: "string", maxLength });

export const closedSchema = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

export const thoughtSchema: JsonObject = textSchema(LONGEST_THOUGHT);

/** The schema of an answer, the same in every front. */
export function answerSchema(): JsonObject {
  const part: JsonObject = { kind: { type: "string", enum: [...ANSWER_KINDS] }, from: textSchema(LONGEST_PATH) };
  const also: JsonObject = { type: "array", maxItems: MOST_FURTHER_PARTS, items: closedSchema(part) };
  return closedSchema({ ...part, also }, ["kind", "from"]);
}

/** The schema of a plan around that of its steps. */
export const planSchema = (step: JsonObject, mostSteps: number): NamedSchema => ({
  name: "plan",
  schema: closedSchema({
    thought: thoughtSchema,
    steps: { type: "array", minItems: 1, maxItems: mostSteps, items: step },
    answer: answerSchema(),
  }),
});

/** Ids of steps: s1 to s99. */
export const stepIdSchema: JsonObject = textSchema(3);
