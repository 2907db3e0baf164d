// The JSON in what a model wrote: reasoning dropped, fences of code unwrapped, the first object that fits.
// Keys that stand twice are refused, since nobody knows which one was meant.
import { parseUnambiguous } from "../../contract/exact-json.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";

export type Extracted =
  | { readonly kind: "object"; readonly value: JsonObject }
  | { readonly kind: "wrong"; readonly message: string };

const REASONING_TAG = /<(\/?)(think|thinking|reasoning|thought)>/gi;
/** One that is not closed takes the rest with it; one that only ends began before the text. */
const OPEN_REASONING = /<(think|thinking|reasoning|thought)>[\s\S]*$/i;
const ENDED_REASONING = /^[\s\S]*<\/(think|thinking|reasoning|thought)>/i;
const CODE_FENCE = "```";
/** Texts that are tried as objects. */
const MOST_CANDIDATES = 64;
/** Passes to the end of a text for braces that nothing closes: more than one only where texts begin and end at odds. */
const MOST_PASSES = 3;

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Without what stands between a tag and the next that ends it. Two passes, whatever is left open: texts are megabytes. */
function withoutClosedReasoning(text: string): string {
  const lastEnds = new Map<string, number>();
  for (const { 1: slash, 2: name, index } of text.matchAll(REASONING_TAG)) {
    if (slash !== "") lastEnds.set(name!.toLowerCase(), index);
  }
  if (lastEnds.size === 0) return text;
  let kept = "";
  let from = 0;
  let open: string | null = null;
  for (const { 0: tag, 1: slash, 2: written, index } of text.matchAll(REASONING_TAG)) {
    const name = written!.toLowerCase();
    if (open === null && slash === "" && index < (lastEnds.get(name) ?? 0)) {
      kept += text.slice(from, index);
      open = name;
    } else if (open === name && slash !== "") {
      from = index + tag.length;
      open = null;
    }
  }
  return kept + text.slice(from);
}

export const withoutReasoning = (text: string): string =>
  withoutClosedReasoning(text).replace(ENDED_REASONING, "").replace(OPEN_REASONING, "");

/** A brace that opens, and the place behind the one that closes it; -1 where none does. */
interface Braces {
  readonly from: number;
  to: number;
}

/**
 * The first objects from `from` on that are in no other that closes, in one pass: the one that begins there, and where it has no
 * end, those inside of it. Braces in texts are passed over.
 */
function outermost(text: string, from: number): readonly Braces[] {
  const found: Braces[] = [];
  const open: number[] = [];
  /** Beyond those that are kept: they began later, so that they end first. */
  let deeper = 0;
  let isInString = false;
  for (let i = from; i < text.length; i += 1) {
    const at = text[i];
    if (isInString) {
      if (at === "\\") i += 1;
      else if (at === '"') isInString = false;
    } else if (at === '"') isInString = true;
    else if (at === "{") {
      if (found.length < MOST_CANDIDATES) open.push(found.push({ from: i, to: -1 }) - 1);
      else deeper += 1;
    } else if (at === "}") {
      if (deeper > 0) {
        deeper -= 1;
        continue;
      }
      const closed = open.pop()!;
      found[closed]!.to = i + 1;
      // Whatever began behind it is inside of it.
      found.length = closed + 1;
      if (closed === 0) break;
    }
  }
  return found;
}

/** The balanced objects of a text that are in no other, from left to right. */
function* balanced(text: string): Generator<string> {
  const ends = new Map<number, number>();
  let passes = 0;
  for (let from = text.indexOf("{"), tried = 0; from >= 0 && tried < MOST_CANDIDATES; tried += 1) {
    // Where nothing closes a brace, the pass has seen those behind it: megabytes are not walked again for each of them.
    if (!ends.has(from)) {
      for (const braces of outermost(text, from)) ends.set(braces.from, braces.to);
      if (ends.get(from) === -1) passes += 1;
      if (passes > MOST_PASSES) return;
    }
    const end = ends.get(from)!;
    if (end >= 0) yield text.slice(from, end);
    from = text.indexOf("{", end >= 0 ? end : from + 1);
  }
}

/** What stands in fences of code, the name of a language with it. */
function* fenced(text: string): Generator<string> {
  for (let from = text.indexOf(CODE_FENCE); from >= 0; ) {
    const end = text.indexOf(CODE_FENCE, from + CODE_FENCE.length);
    if (end < 0) return;
    yield text.slice(from + CODE_FENCE.length, end);
    from = text.indexOf(CODE_FENCE, end + CODE_FENCE.length);
  }
}

function* candidates(text: string): Generator<string> {
  for (const inside of fenced(text)) yield* balanced(inside);
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
