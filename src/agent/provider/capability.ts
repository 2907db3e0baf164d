// How a server keeps an answer to a schema: found by asking, not believed. The schema of the probe allows one random word
// while the prompt asks for another; an answer that keeps to the schema is the proof that it is enforced.
import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../contract/values.js";
import type { Rung } from "./config.js";
import { AttemptFailure } from "./failure.js";
import type { ChatMessage, Shape, WireAnswer } from "./wire.js";

export interface NamedSchema {
  readonly name: string;
  /** An object schema of the subset that servers know. */
  readonly schema: JsonObject;
}

/** The members of a request that ask for an answer by a schema; none where words alone do. */
export function shapeOf(rung: Rung, { name, schema }: NamedSchema): Shape {
  switch (rung) {
    case "schema":
      return { response_format: { type: "json_schema", json_schema: { name, schema, strict: true } } };
    case "tool":
      return {
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

/** The highest rung that holds. A failure that another attempt may mend is thrown. */
export async function probe(
  ask: (messages: readonly ChatMessage[], shape: Shape, maxTokens: number) => Promise<WireAnswer>,
): Promise<Rung> {
  for (const rung of ["schema", "tool"] as const) {
    const word = `w${randomBytes(4).toString("hex")}`;
    const schema: JsonObject = {
      type: "object",
      properties: { word: { type: "string", enum: [word] } },
      required: ["word"],
      additionalProperties: false,
    };
    const messages: ChatMessage[] = [
      { role: "user", content: 'Answer with the JSON {"word": "hello"} and nothing else.' },
    ];
    try {
      const answer = await ask(messages, shapeOf(rung, { name: "probe", schema }), PROBE_TOKENS);
      if (isKept(answer.text, word)) return rung;
    } catch (error) {
      // A server that refuses the form does not have it.
      const isRefusal =
        error instanceof AttemptFailure &&
        error.kind === "status" &&
        error.status !== null &&
        error.status < 500 &&
        error.status !== 401 &&
        error.status !== 403 &&
        error.status !== 404;
      if (!isRefusal) throw error;
    }
  }
  return "text";
}
