// The front in which a model writes one statement of TQL that reads, and which of its cells answer. It is compiled to the
// same plans that the other front writes; what is wrong with the plan is told of the statement.
import { PalimpsestError } from "../../contract/errors.js";
import { type JsonObject, type JsonValue, utf8Bytes } from "../../contract/values.js";
import type { Plan, Violation } from "../../plan/index.js";
import { type CompiledParts, compileParts, type ReadableState } from "../../query/index.js";
import type { NamedSchema } from "../provider/capability.js";
import {
  ANSWER_KEYS,
  type Front,
  isObject,
  type Reading,
  tooManySteps,
  unknownKeys,
  type WrittenViolation,
  wrongForm,
} from "./front.js";
import type { Guided } from "./guided.js";
import { answerSchema, closedSchema, textSchema, thoughtSchema } from "./schemas.js";
import { tqlGrammar } from "./tql-grammar/grammar.js";

export const LONGEST_TQL_BYTES = 4096;
const KEYS: readonly string[] = ["thought", "tql", "answer"];

export interface TqlInput {
  readonly state: ReadableState;
  readonly askTx: number;
  readonly zone: string;
  readonly nowUs: bigint;
  readonly mostSteps: number;
  readonly guided: Guided;
}

/** What the compiler refuses, with its place in the text. */
export function tqlViolation({ code, message, hint, details }: PalimpsestError, path: string): WrittenViolation {
  const { kind, line, column } = details;
  const place = typeof line === "number" && typeof column === "number" ? { line, column } : {};
  return { code, kind: typeof kind === "string" ? kind : "tql", step: null, path, message, hint, ...place };
}

/** Line and column of a text literal, counted as the parser counts them: code points, from 1. */
function placeOf(literal: JsonValue | undefined, text: string): { line: number; column: number } | undefined {
  if (typeof literal !== "string") return undefined;
  const at = text.indexOf(`'${literal.replaceAll("'", "''")}'`);
  if (at < 0) return undefined;
  const lines = text.slice(0, at).split("\n");
  return { line: lines.length, column: [...lines.at(-1)!].length + 1 };
}

const atPointer = (plan: JsonValue, path: string): JsonValue | undefined =>
  path
    .split("/")
    .slice(1)
    .reduce<JsonValue | undefined>(
      (value, key) =>
        typeof value === "object" && value !== null ? (value as Record<string, JsonValue>)[key] : undefined,
      plan,
    );

/** Hints speak of plans: references are paths behind a WITH name. */
const inTql = (hint: string): string =>
  hint.replace(/\{"\$ref": "s1\.([^"]+)"\}/g, "top.$1, with top a WITH name").replace(/\bs1\./g, "");

interface Part {
  readonly kind?: JsonValue;
  readonly from?: JsonValue;
}

/** The parts of an answer that have a path, with the pointer of the path. */
function partsOf(answer: JsonObject): readonly { readonly pointer: string; readonly path: string }[] {
  const also = Array.isArray(answer.also) ? answer.also : [];
  const parts: readonly (readonly [string, JsonValue | undefined])[] = [
    ["/answer/from", answer.from],
    ...also.map((part, i) => [`/answer/also/${i}/from`, isObject(part) ? part.from : undefined] as const),
  ];
  return parts.flatMap(([pointer, path]) => (typeof path === "string" ? [{ pointer, path }] : []));
}

class TqlReading implements Reading {
  readonly plan: Plan | null;
  readonly violations: readonly WrittenViolation[];
  /** What was written for each path of the plan's answer. */
  private readonly written = new Map<string, string>();

  constructor(
    private readonly text: string,
    answer: JsonObject,
    form: readonly WrittenViolation[],
    private readonly input: TqlInput,
  ) {
    const found = [...form];
    const parts = partsOf(answer);
    const compiled = this.compiled(
      parts.map(({ path }) => path),
      found,
    );
    const refs = new Map<string, string>();
    for (const [i, { pointer, path }] of parts.entries()) {
      const ref = compiled?.paths[i];
      if (ref instanceof PalimpsestError) found.push(tqlViolation(ref, pointer));
      else if (ref !== undefined) {
        refs.set(path, ref);
        this.written.set(ref, path);
      }
    }
    this.violations = found;
    const withRef = (part: Part): Part =>
      typeof part.from === "string" ? { ...part, from: refs.get(part.from) ?? part.from } : part;
    const also = Array.isArray(answer.also)
      ? { also: answer.also.map((part) => (isObject(part) ? withRef(part) : part)) }
      : {};
    const isWhole = compiled !== null && refs.size === new Set(parts.map(({ path }) => path)).size;
    this.plan = isWhole ? ({ steps: compiled.steps, answer: { ...withRef(answer), ...also } } as Plan) : null;
  }

  private compiled(paths: readonly string[], found: WrittenViolation[]): CompiledParts | null {
    const bytes = utf8Bytes(this.text);
    if (bytes > LONGEST_TQL_BYTES) {
      const message = `a statement of ${bytes} bytes, and it may have ${LONGEST_TQL_BYTES}`;
      found.push({ ...wrongForm("tql_too_long", "/tql", message, "ask for less, or group"), code: "E_LIMIT" });
      return null;
    }
    const { state, askTx, zone, nowUs, mostSteps } = this.input;
    try {
      const compiled = compileParts(this.text, { catalogue: state.catalogue, tx: askTx, nowUs, zone }, paths);
      if (compiled.steps.length > mostSteps) found.push(tooManySteps(compiled.steps.length, mostSteps, "/tql"));
      return compiled;
    } catch (error) {
      if (!(error instanceof PalimpsestError) || error.code === "E_INTERNAL") throw error;
      found.push(tqlViolation(error, "/tql"));
      return null;
    }
  }

  told(violation: Violation): WrittenViolation {
    const { step, path } = violation;
    const hint = inTql(violation.hint);
    if (path.startsWith("/answer")) {
      let { message } = violation;
      for (const [ref, written] of this.written) message = message.replaceAll(ref, written);
      return { ...violation, step: null, message, hint };
    }
    const op = this.plan?.steps.find(({ id }) => id === step)?.op;
    const place = placeOf(atPointer(this.plan as unknown as JsonValue, path), this.text);
    const argument = /^\/steps\/\d+\/args\/(.+)$/.exec(path)?.[1]?.replaceAll("/", ".");
    const where = [op, argument].filter((part) => part !== undefined).join(" ");
    const message = where === "" ? violation.message : `${where}: ${violation.message}`;
    return { ...violation, step: null, path: "/tql", message, hint, ...place };
  }
}

function statementSchema(guided: Guided): NamedSchema | null {
  if (guided === "off") return null;
  const schema = closedSchema({ thought: thoughtSchema, tql: textSchema(LONGEST_TQL_BYTES), answer: answerSchema() });
  return { name: "statement", schema, ...(guided === "grammar" ? { grammar: tqlGrammar() } : {}) };
}

export function tqlFront(input: TqlInput): Front {
  return {
    name: "tql",
    schema: statementSchema(input.guided),
    form: '{"thought": .., "tql": "..", "answer": {..}}',
    fits: ({ tql, answer }) => typeof tql === "string" && isObject(answer),
    read({ tql, answer, ...rest }) {
      const ofForm = [...unknownKeys(rest, KEYS, ""), ...unknownKeys(answer as JsonObject, ANSWER_KEYS, "/answer")];
      return new TqlReading(tql as string, answer as JsonObject, ofForm, input);
    },
  };
}
