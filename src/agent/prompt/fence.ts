// Fences: the one way in which data of a store, or text of a model, reaches a model. A random tag that data cannot guess,
// and content in which no tag can be written: canonical JSON with everything escaped that could end it or hide in it.
import { randomBytes } from "node:crypto";
import { canonicalJson } from "../../contract/canonical.js";
import { parseExact } from "../../contract/exact-json.js";
import type { JsonValue } from "../../contract/values.js";

export type FenceKind = "card" | "notes" | "question" | "rows" | "errors" | "plan" | "tasks";

/** Code points that each kind of content has at most. */
export const CAPS = {
  name: 128,
  text: 512,
  note: 800,
  row: 2_000,
  attempt: 6_000,
  card: 4_000,
  fence: 8_000,
} as const;

const TAG_BYTES = 12;

/**
 * What could end a fence or hide in it: angle brackets, `&`, controls, separators, bidi, zero-width, tag and private
 * characters; and the bracket of marks that templates of models know, `[INST]`, but none of JSON's own.
 */
const ESCAPED =
  /[<>&\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\[(?!(?:true|false|null)\])(?=\/?[A-Za-z_]+\])/gu;

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;

/** The escape of JSON: characters beyond U+FFFF are two of them. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => unit(character.charCodeAt(i))).join("");

/** The text at most so many code points long, with a word on what is missing. */
function cut(text: string, most: number): string {
  const points = [...text];
  return points.length <= most ? text : `${points.slice(0, most).join("")}…[${points.length - most} more]`;
}

/** A copy with long names and texts cut, so that no cut ever falls into an escape. */
function capped(value: JsonValue): JsonValue {
  if (typeof value === "string") return cut(value, CAPS.text);
  if (Array.isArray(value)) return value.map(capped);
  if (typeof value !== "object" || value === null) return value;
  // Two keys may be alike once they are cut; a model sees both.
  const members = Object.entries(value).map(([key, member], i) => {
    const name = cut(key, CAPS.name);
    return [name === key ? key : `${name}#${i}`, capped(member)] as const;
  });
  return Object.fromEntries(members);
}

/** One value as a line of a fence. */
export function fencedLine(value: JsonValue): string {
  const line = canonicalJson(capped(value)).replace(ESCAPED, escaped);
  const length = [...line].length;
  // A line that is too long has no form that a part of it could have.
  return length <= CAPS.row ? line : canonicalJson({ left_out: `${length} characters` });
}

/** What a model wrote earlier: JSON as it is, anything else as one text. */
function attemptLine(written: string, most: number): string {
  let value: JsonValue;
  try {
    value = parseExact(written);
  } catch {
    value = cut(written, most / 2);
  }
  const line = canonicalJson(value).replace(ESCAPED, escaped);
  return [...line].length <= most ? line : fencedLine(cut(written, CAPS.text));
}

/** Opens and closes fences of one request under its tag. */
export class Fences {
  private constructor(private readonly tag: string) {}

  static fresh(): Fences {
    return new Fences(randomBytes(TAG_BYTES).toString("hex"));
  }

  /** The first line of a user message: which fence its data stands in. */
  get notice(): string {
    return `data fence for this request: data-${this.tag}`;
  }

  /** Lines that do not fit are left out from the end, and counted. */
  around(kind: FenceKind, values: readonly JsonValue[]): string {
    const most = kind === "card" ? CAPS.card : CAPS.fence;
    const lines: string[] = [];
    let length = 0;
    for (const [i, value] of values.entries()) {
      const line = fencedLine(value);
      length += [...line].length + 1;
      if (length > most) {
        lines.push(canonicalJson({ left_out: values.length - i }));
        break;
      }
      lines.push(line);
    }
    return [`<data-${this.tag} kind="${kind}">`, ...lines, `</data-${this.tag}>`].join("\n");
  }

  /** A model's own earlier words come back to it as data, too: they may quote what the store holds. */
  aroundAttempt(written: string, most: number = CAPS.attempt): string {
    return [`<data-${this.tag} kind="attempt">`, attemptLine(written, most), `</data-${this.tag}>`].join("\n");
  }

  /** The text with the tag replaced by one that is always the same: what a cache is keyed by. */
  withoutTag(text: string): string {
    return text.replaceAll(this.tag, "TAG");
  }
}
