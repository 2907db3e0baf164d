// The words of a text as lexicons have them: in small letters, without accents and in plain forms of letters, so that no
// way of writing a word hides it.

export interface WordToken {
  /** As it was written, in plain letters. */
  readonly written: string;
  /** All that it says: `wasn't` is `was` and `n't`, `monday's` is `monday`. */
  readonly forms: readonly string[];
}

const APOSTROPHES = /['’ʼ＇‘‛`´]/gu;
const WORD = /[\p{L}\p{N}]+(?:'[\p{L}\p{N}]+)*/gu;

/** Letters that look otherwise and are the same: full width, bold, with accents, ligatures. */
const plain = (text: string): string =>
  text.replace(APOSTROPHES, "'").normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFKC");

function formsOf(word: string): readonly string[] {
  const negated = /^(.+)n't$/.exec(word);
  if (negated !== null) return [word, negated[1]!, "n't"];
  const stem = /^(.+)'[a-z]{1,2}$/.exec(word);
  return stem === null ? [word] : [word, stem[1]!];
}

export const wordTokens = (text: string): readonly WordToken[] =>
  Array.from(plain(text).matchAll(WORD), ([written]) => ({ written, forms: formsOf(written.toLowerCase()) }));

/** Entries of a lexicon, phrases of some words each, by their first word. */
export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

export function phrases(entries: readonly string[]): Phrases {
  const byFirst = new Map<string, string[][]>();
  for (const entry of entries) {
    const words = entry.split(" ");
    byFirst.set(words[0]!, [...(byFirst.get(words[0]!) ?? []), words]);
  }
  return byFirst;
}

/** The entries that stand in the words from one on. */
export function phrasesAt(
  tokens: readonly WordToken[],
  from: number,
  entries: Phrases,
): readonly (readonly string[])[] {
  const begun = tokens[from]!.forms.flatMap((form) => entries.get(form) ?? []);
  return begun.filter((phrase) => phrase.every((word, k) => tokens[from + k]?.forms.includes(word) === true));
}

/** Some words as they were written. */
export const writtenAt = (tokens: readonly WordToken[], from: number, length: number): string =>
  tokens
    .slice(from, from + length)
    .map(({ written }) => written)
    .join(" ");
