// How a server keeps an answer to a schema, and whether to a grammar: found by asking, not believed. What the probe allows is
// one random word while the prompt asks for another; an answer that keeps to it is the proof that it is enforced.
import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../contract/values.js";
import type { Rung } from "./config.js";
import { AttemptFailure } from "./failure.js";
import type { ChatMessage, Shape, WireAnswer } from "./wire.js";

export interface NamedSchema {
  readonly name: string;
  /** An object schema of the subset that servers know. */
  readonly schema: JsonObject;
  /** What is asked for in place of the schema, where the server keeps to grammars: the same, and more of it. */
  readonly grammar?: string;
}

/** What an answer is kept to. */
export type Keeping = Rung | "grammar";

/** Forms of an answer of which a request has one at most, whatever `extra` holds. */
const NO_FORM: Shape = { response_format: undefined, tools: undefined, tool_choice: undefined };

/** The members of a request that ask for an answer by a schema; none where words alone do. */
export function shapeOf(keeping: Keeping, { name, schema, grammar }: NamedSchema): Shape {
  switch (keeping) {
    case "grammar":
      // vLLM refuses it beside a format.
      return { ...NO_FORM, structured_outputs: { grammar } };
    case "schema":
      return { ...NO_FORM, response_format: { type: "json_schema", json_schema: { name, schema, strict: true } } };
    case "tool":
      return {
        ...NO_FORM,
        tools: [{ type: "function", function: { name, parameters: schema } }],
        tool_choice: { type: "function", function: { name } },
      };
    case "text":
      return {};
  }
}

const PROBE_TOKENS = 64;

function isKept(text: string, word: string): boolean {
  try {
    const value = JSON.parse(text) as { word?: unknown };
    return typeof value === "object" && value !== null && value.word === word;
  } catch {
    return false;
  }
}

/** Asks a server once. */
export type AskProbe = (messages: readonly ChatMessage[], shape: Shape, maxTokens: number) => Promise<WireAnswer>;

/** A server that refuses a form does not have it. A failure that another attempt may mend is none. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AttemptFailure &&
  error.kind === "status" &&
  error.status !== null &&
  error.status < 500 &&
  error.status !== 401 &&
  error.status !== 403 &&
  error.status !== 404;

/** Whether an answer keeps to a random word. */
async function holds(ask: AskProbe, shape: (word: string) => Shape): Promise<boolean> {
  const word = `w${randomBytes(4).toString("hex")}`;
  const messages: ChatMessage[] = [
    { role: "user", content: 'Answer with the JSON {"word": "hello"} and nothing else.' },
  ];
  try {
    return isKept((await ask(messages, shape(word), PROBE_TOKENS)).text, word);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return false;
  }
}

/** The schema of one word. */
const wordSchema = (word: string): JsonObject => ({
  type: "object",
  properties: { word: { type: "string", enum: [word] } },
  required: ["word"],
  additionalProperties: false,
});

/** The highest rung that holds. */
export async function probe(ask: AskProbe): Promise<Rung> {
  for (const rung of ["schema", "tool"] as const) {
    if (await holds(ask, (word) => shapeOf(rung, { name: "probe", schema: wordSchema(word) }))) return rung;
  }
  return "text";
}

/** Whether answers are kept to a grammar: servers that do not know it say nothing. */
export const probeGrammar = (ask: AskProbe): Promise<boolean> =>
  holds(ask, (word) => {
    const grammar = String.raw`root ::= "{\"word\": \"${word}\"}"`;
    return shapeOf("grammar", { name: "probe", schema: wordSchema(word), grammar });
  });
