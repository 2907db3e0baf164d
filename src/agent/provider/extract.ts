// The JSON in what a model wrote: reasoning dropped, fences of code unwrapped, the first object that fits.
// Keys that stand twice are refused, since nobody knows which one was meant.
import { parseUnambiguous } from "../../contract/exact-json.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";

export type Extracted =
  | { readonly kind: "object"; readonly value: JsonObject }
  | { readonly kind: "wrong"; readonly message: string };

const REASONING = /<(think|thinking|reasoning|thought)>[\s\S]*?<\/\1>/gi;
/** One that is not closed takes the rest with it; one that only ends began before the text. */
const OPEN_REASONING = /<(think|thinking|reasoning|thought)>[\s\S]*$/i;
const ENDED_REASONING = /^[\s\S]*<\/(think|thinking|reasoning|thought)>/i;
const CODE_FENCE = /```[a-z0-9_-]*\s*\n?([\s\S]*?)```/gi;
/** Texts that are tried as objects. */
const MOST_CANDIDATES = 64;

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const withoutReasoning = (text: string): string =>
  text.replace(REASONING, "").replace(ENDED_REASONING, "").replace(OPEN_REASONING, "");

/** Where the object that begins at `from` ends; -1 where its braces do not balance. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  let isInString = false;
  for (let i = from; i < text.length; i += 1) {
    const at = text[i];
    if (isInString) {
      if (at === "\\") i += 1;
      else if (at === '"') isInString = false;
    } else if (at === '"') isInString = true;
    else if (at === "{") depth += 1;
    else if (at === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

/** The balanced objects of a text that are in no other, from left to right. */
function* balanced(text: string): Generator<string> {
  for (let from = text.indexOf("{"), tried = 0; from >= 0 && tried < MOST_CANDIDATES; tried += 1) {
    const end = endOfObject(text, from);
    if (end >= 0) yield text.slice(from, end);
    from = text.indexOf("{", end >= 0 ? end : from + 1);
  }
}

function* candidates(text: string): Generator<string> {
  for (const [, inside] of text.matchAll(CODE_FENCE)) yield* balanced(inside!);
  yield* balanced(text);
}

/** The first object that `fits`, else the first that parses. */
export function extractObject(text: string, fits: (value: JsonObject) => boolean): Extracted {
  let first: JsonObject | null = null;
  let problem = "there is no JSON object in the answer";
  for (const candidate of candidates(withoutReasoning(text))) {
    let value: JsonValue;
    try {
      value = parseUnambiguous(candidate);
    } catch (error) {
      problem = error instanceof Error ? error.message : "the answer is no JSON";
      continue;
    }
    if (!isObject(value)) continue;
    if (fits(value)) return { kind: "object", value };
    first ??= value;
  }
  return first === null ? { kind: "wrong", message: problem } : { kind: "object", value: first };
}
