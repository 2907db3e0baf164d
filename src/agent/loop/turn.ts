// One turn of a loop: what a model may write, and what it wrote: a call, or the answer of the plan.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { operatorNames } from "../../operators/registry.js";
import type { Violation } from "../../plan/index.js";
import { ANSWER_KINDS, MOST_FURTHER_PARTS } from "../../plan/schema.js";
import type { NamedSchema } from "../provider/capability.js";
import type { ModelAnswer } from "../provider/provider.js";
import type { Call } from "./growing-plan.js";

const MOST_TASKS = 6;
const LONGEST_TASK = 200;
const LONGEST_THOUGHT = 600;
const LONGEST_PATH = 200;

export type Turn =
  | { readonly kind: "call"; readonly call: Call }
  | { readonly kind: "finish"; readonly answer: JsonObject }
  | { readonly kind: "wrong"; readonly violation: Violation };

export interface Written {
  readonly turn: Turn;
  /** What the model means to do; lines of it are data. */
  readonly tasks: readonly string[];
  /** What it wrote, without thought and tasks. */
  readonly text: string;
}

/** The skeleton and the names of operators; arguments are free. */
export function turnShape(): NamedSchema {
  const text = (maxLength: number): JsonObject => ({ type: "string", maxLength });
  const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
    type: "object",
    properties,
    required: [...required],
    additionalProperties: false,
  });
  const part: JsonObject = { kind: { type: "string", enum: [...ANSWER_KINDS] }, from: text(LONGEST_PATH) };
  const also: JsonObject = { type: "array", maxItems: MOST_FURTHER_PARTS, items: closed(part, ["kind", "from"]) };
  const call = closed({ op: { type: "string", enum: [...operatorNames()] }, args: { type: "object" } }, ["op", "args"]);
  const finish = closed({ answer: closed({ ...part, also }, ["kind", "from"]) }, ["answer"]);
  const thought = text(LONGEST_THOUGHT);
  const tasks: JsonObject = { type: "array", maxItems: MOST_TASKS, items: text(LONGEST_TASK) };
  const forms = [closed({ thought, tasks, call }, ["call"]), closed({ thought, finish }, ["finish"])];
  return { name: "turn", schema: { type: "object", anyOf: forms } };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a value is a turn of some kind, right or wrong. */
export const isTurn = (value: JsonObject): boolean => isObject(value.call) || isObject(value.finish);

const FORM = 'write {"call": {"op": .., "args": {..}}} or {"finish": {"answer": {..}}} and nothing else';

const wrong = (kind: string, path: string, message: string, hint = FORM): Turn => ({
  kind: "wrong",
  violation: { code: "E_SCHEMA", kind, step: null, path, message, hint },
});

function unknownKey(value: JsonObject, legal: readonly string[], path: string): Turn | null {
  const key = Object.keys(value).find((each) => !legal.includes(each));
  if (key === undefined) return null;
  const shown = key.slice(0, 64);
  return wrong(
    "unknown_key",
    `${path}/${shown}`,
    `${JSON.stringify(shown)} is no member here`,
    `legal: ${legal.join(", ")}`,
  );
}

function finishOf(finish: JsonObject): Turn {
  const { answer } = finish;
  if (!isObject(answer)) return wrong("no_answer", "/finish/answer", "there is no answer");
  return (
    unknownKey(finish, ["answer"], "/finish") ??
    unknownKey(answer, ["kind", "from", "also"], "/finish/answer") ?? { kind: "finish", answer }
  );
}

function callOf(call: JsonObject): Turn {
  const { op, args = {} } = call;
  if (typeof op !== "string") return wrong("no_call", "/call/op", "the call names no operator");
  if (!isObject(args)) return wrong("wrong_argument", "/call/args", "args is no object", 'write "args": {..}');
  // Finishing is a call, too, for whoever writes it so.
  if (op === "finish") return finishOf(args);
  return unknownKey(call, ["op", "args"], "/call") ?? { kind: "call", call: { op, args } };
}

function turnOf(value: JsonObject): Turn {
  const { call, finish } = value;
  if (isObject(call) && isObject(finish))
    return wrong("two_turns", "", "a call and a finish in one turn", "one at a time");
  const stray = unknownKey(value, ["thought", "tasks", "call", "finish"], "");
  if (stray !== null) return stray;
  if (isObject(call)) return callOf(call);
  return isObject(finish) ? finishOf(finish) : wrong("no_call", "", "there is no call and no finish");
}

const tasksOf = ({ tasks }: JsonObject): readonly string[] =>
  (Array.isArray(tasks) ? tasks : [])
    .filter((task) => typeof task === "string")
    .slice(0, MOST_TASKS)
    .map((task) => task.slice(0, LONGEST_TASK));

export function readTurn(answer: ModelAnswer): Written {
  if (answer.kind === "wrong") return { turn: wrong("no_call", "", answer.message), tasks: [], text: answer.text };
  const { thought: _thought, tasks: _tasks, ...rest } = answer.value;
  return { turn: turnOf(answer.value), tasks: tasksOf(answer.value), text: canonicalJson(rest) };
}
