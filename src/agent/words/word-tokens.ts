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
export const plain = (text: string): string =>
  text.replace(APOSTROPHES, "'").normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFKC");

function formsOf(word: string): readonly string[] {
  const negated = /^(.+)n't$/.exec(word);
  if (negated !== null) return [word, negated[1]!, "n't"];
  const stem = /^(.+)'[a-z]{1,2}$/.exec(word);
  return stem === null ? [word] : [word, stem[1]!];
}

export const wordTokens = (text: string): readonly WordToken[] =>
  Array.from(plain(text).matchAll(WORD), ([written]) => ({ written, forms: formsOf(written.toLowerCase()) }));

/** Entries of lexicons, phrases of some words each, by their first word; `of` says which lexicon has it. */
export type Lexicon<T> = ReadonlyMap<string, readonly { readonly words: readonly string[]; readonly of: T }[]>;

export function lexiconOf<T>(lists: Iterable<readonly [T, readonly string[]]>): Lexicon<T> {
  const byFirst = new Map<string, { words: readonly string[]; of: T }[]>();
  for (const [of, entries] of lists) {
    for (const entry of entries) {
      const words = entry.split(" ");
      byFirst.set(words[0]!, [...(byFirst.get(words[0]!) ?? []), { words, of }]);
    }
  }
  return byFirst;
}

/** Where an entry stands among the words of a text. */
export interface StandingEntry<T> {
  /** The position of its first word. */
  readonly at: number;
  /** Its words. */
  readonly length: number;
  /** As the lexicon has it. */
  readonly entry: string;
  readonly of: T;
}

/** The entries that stand in some words, from left to right. */
export function entriesIn<T>(tokens: readonly WordToken[], lexicon: Lexicon<T>): readonly StandingEntry<T>[] {
  const standing: StandingEntry<T>[] = [];
  for (const [at, { forms }] of tokens.entries()) {
    for (const form of forms) {
      for (const { words, of } of lexicon.get(form) ?? []) {
        const stands = words.every((word, k) => tokens[at + k]?.forms.includes(word) === true);
        if (stands) standing.push({ at, length: words.length, entry: words.join(" "), of });
      }
    }
  }
  return standing;
}

/** Some words as they were written. */
export const writtenAt = (tokens: readonly WordToken[], at: number, length: number): string =>
  tokens
    .slice(at, at + length)
    .map(({ written }) => written)
    .join(" ");
