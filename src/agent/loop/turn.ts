// One turn of a loop: what a model may write, and what it wrote: a call, or the answer of the plan.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject } from "../../contract/values.js";
import { operatorNames } from "../../operators/registry.js";
import { ANSWER_KEYS, isObject, unknownKeys, type WrittenViolation, wrongForm } from "../fronts/front.js";
import { fullCallSchemas } from "../fronts/full-schema.js";
import type { Guided } from "../fronts/guided.js";
import { answerSchema, closedSchema, textSchema, thoughtSchema } from "../fronts/schemas.js";
import { LONGEST_TQL_BYTES } from "../fronts/tql-front.js";
import type { NamedSchema } from "../provider/capability.js";
import type { ModelAnswer } from "../provider/provider.js";
import type { Call } from "./growing-plan.js";
import { QUERY_TQL } from "./tql-call.js";

const MOST_TASKS = 6;
const LONGEST_TASK = 200;

export type Turn =
  | { readonly kind: "call"; readonly call: Call }
  | { readonly kind: "finish"; readonly answer: JsonObject }
  | { readonly kind: "wrong"; readonly violations: readonly WrittenViolation[] };

export interface Written {
  readonly turn: Turn;
  /** What the model means to do; lines of it are data. */
  readonly tasks: readonly string[];
  /** What it wrote, without thought and tasks. */
  readonly text: string;
}

/** A call of which the name is kept to; arguments are free. */
function callShape(): JsonObject {
  const op: JsonObject = { type: "string", enum: [...operatorNames(), QUERY_TQL] };
  return closedSchema({ op, args: { type: "object" } });
}

/** A call of which every argument is kept to. */
function fullCall(): JsonObject {
  const query = closedSchema({ query: textSchema(LONGEST_TQL_BYTES) });
  return { type: "object", anyOf: [...fullCallSchemas(), closedSchema({ op: { const: QUERY_TQL }, args: query })] };
}

/** What a turn is kept to: a grammar is one of whole plans, and of a turn there is the shape. */
export function turnSchema(guided: Guided): NamedSchema | null {
  if (guided === "off") return null;
  const call = guided === "full" ? fullCall() : callShape();
  const finish = closedSchema({ answer: answerSchema() });
  const tasks: JsonObject = { type: "array", maxItems: MOST_TASKS, items: textSchema(LONGEST_TASK) };
  const forms = [
    closedSchema({ thought: thoughtSchema, tasks, call }, ["call"]),
    closedSchema({ thought: thoughtSchema, finish }, ["finish"]),
  ];
  return { name: "turn", schema: { type: "object", anyOf: forms } };
}

/** Whether a value is a turn of some kind, right or wrong. */
export const isTurn = (value: JsonObject): boolean => isObject(value.call) || isObject(value.finish);

const FORM = 'write {"call": {"op": .., "args": {..}}} or {"finish": {"answer": {..}}} and nothing else';

const wrong = (kind: string, path: string, message: string, hint = FORM): Turn => ({
  kind: "wrong",
  violations: [wrongForm(kind, path, message, hint)],
});

/** The turn, or the members that it may not have. */
const closedTurn = (stray: readonly WrittenViolation[], turn: Turn): Turn =>
  stray.length > 0 ? { kind: "wrong", violations: stray } : turn;

function finishOf(finish: JsonObject): Turn {
  const { answer } = finish;
  if (!isObject(answer)) return wrong("no_answer", "/finish/answer", "there is no answer");
  const stray = [...unknownKeys(finish, ["answer"], "/finish"), ...unknownKeys(answer, ANSWER_KEYS, "/finish/answer")];
  return closedTurn(stray, { kind: "finish", answer });
}

function callOf(call: JsonObject): Turn {
  const { op, args = {} } = call;
  if (typeof op !== "string") return wrong("no_call", "/call/op", "the call names no operator");
  if (!isObject(args)) return wrong("wrong_argument", "/call/args", "args is no object", 'write "args": {..}');
  // Finishing is a call, too, for whoever writes it so.
  if (op === "finish") return finishOf(args);
  return closedTurn(unknownKeys(call, ["op", "args"], "/call"), { kind: "call", call: { op, args } });
}

function turnOf(value: JsonObject): Turn {
  const { call, finish } = value;
  if (isObject(call) && isObject(finish))
    return wrong("two_turns", "", "a call and a finish in one turn", "one at a time");
  const stray = unknownKeys(value, ["thought", "tasks", "call", "finish"], "");
  if (stray.length > 0) return { kind: "wrong", violations: stray };
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
