// A report as sentences with their placeholders, before anything is filled in.
// Pure text work.

/** `{c1}` a claim, `{q1}` a mention of the question, `{c1.of}` the subject of a claim. */
export interface Placeholder {
  readonly kind: "claim" | "mention" | "subject";
  /** `c1`, `q1`; for a subject that of its claim. */
  readonly id: string;
  /** As it stands in the text, braces included. */
  readonly text: string;
}

export interface Sentence {
  /** As it was written, its end included, blanks around it left out. */
  readonly text: string;
  readonly placeholders: readonly Placeholder[];
  /** The text without its placeholders, each of which is one blank. */
  readonly bare: string;
}

export const PLACEHOLDER = /\{(?:(c[1-9]\d?)(\.of)?|(q[1-9]\d{0,2}))\}/g;
/** `.`, `!`, `?`, line ends, `…` and what ends sentences in other writing. */
const END = /[.\n…\p{Sentence_Terminal}]/u;

/** Where sentences end: at their marks outside braces. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const at = text[i]!;
    if (at === "{") depth += 1;
    else if (at === "}") depth = Math.max(0, depth - 1);
    else if (depth === 0 && END.test(at)) {
      found.push(text.slice(from, i + 1));
      from = i + 1;
    }
  }
  found.push(text.slice(from));
  return found;
}

/** A match of `PLACEHOLDER`. */
function placeholderOf(text: string, claim?: string, subject?: string, mention?: string): Placeholder {
  if (mention !== undefined) return { kind: "mention", id: mention, text };
  return { kind: subject === undefined ? "claim" : "subject", id: claim!, text };
}

function sentence(piece: string): Sentence {
  const text = piece.trim();
  const placeholders = Array.from(text.matchAll(PLACEHOLDER), ([whole, ...groups]) => placeholderOf(whole, ...groups));
  return { text, placeholders, bare: text.replace(PLACEHOLDER, " ") };
}

/** The sentences of a text that say something; an end alone, as in `...`, is none. */
export function sentencesOf(text: string): readonly Sentence[] {
  return pieces(text)
    .map(sentence)
    .filter(({ text: said }) => /[^\s.…\p{Sentence_Terminal}]/u.test(said));
}

/** Whether a sentence has a placeholder: what has none says nothing that could be verified. */
export const hasPlaceholder = ({ placeholders }: Sentence): boolean => placeholders.length > 0;

/** The sentences of a text that have placeholders, in lines, so that they are the same sentences. */
export const withPlaceholders = (text: string): string =>
  sentencesOf(text)
    .filter(hasPlaceholder)
    .map(({ text: said }) => said)
    .join("\n");

/** What stands between the placeholders of a text, without the genitive of what they print. */
export const betweenPlaceholders = (text: string): readonly string[] =>
  text
    .replace(PLACEHOLDER, "\0")
    .split("\0")
    .map((piece, i) => (i === 0 ? piece : piece.replace(/^['’]s(?!\p{L})/u, "")));

/** A text with each placeholder replaced. */
export const filled = (text: string, fill: (placeholder: Placeholder) => string): string =>
  text.replace(PLACEHOLDER, (whole: string, claim?: string, subject?: string, mention?: string) =>
    fill(placeholderOf(whole, claim, subject, mention)),
  );
