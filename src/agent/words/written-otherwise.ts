// Words in disguise: numbers in letters, words cut by marks or into letters, superlatives that no list has, and words that turn
// the number behind them into another.
import { BEFORE_OTHER_NUMBERS, NO_SUPERLATIVES } from "./lexicon.js";
import type { ProseInput } from "./prose-input.js";
import { plain, type WordToken } from "./word-tokens.js";

/** In letters: `XII`, `iv`, `mcm`. A single letter is a letter. */
const ROMAN = /^(?=..)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;
const NO_ROMAN = "mix";
/** Tallies, `iiii`, and letters that look like digits, `ll`, `lo`. */
const TALLY = /^(?:([a-z])\1+|[lo]{2,})$/i;

const isNumberInLetters = (word: string): boolean =>
  word !== NO_ROMAN &&
  (TALLY.test(word) || ROMAN.test(word) || (/^[ivxlcdm]+$/.test(word) && ROMAN.test(word.toUpperCase())));

/** The words that are numbers, though no list has them. */
export const numbersOtherwise = (tokens: readonly WordToken[]): readonly string[] =>
  tokens.flatMap(({ written }) => (isNumberInLetters(written) ? [written] : []));

const CUT = /[\p{L}\p{N}']+(?:[^\s\p{L}\p{N}']+[\p{L}\p{N}']+)+/gu;
/** Words of one letter, and the genitive of what a placeholder prints. */
const LETTERS: readonly string[] = ["a", "i", "s"];
const isLetter = (word: string): boolean => word.length === 1 && !LETTERS.includes(word.toLowerCase());

/** Words of the lexicon that marks cut, `se-ven`, and letters that stand alone, `f i v e`. */
export function wordsOtherwise(
  bare: string,
  tokens: readonly WordToken[],
  isEntry: (word: string) => boolean,
): readonly string[] {
  const cut = Array.from(plain(bare).matchAll(CUT), ([written]) => written);
  const joined = cut.filter((written) => isEntry(written.replace(/[^\p{L}\p{N}']/gu, "").toLowerCase()));
  return [...joined, ...tokens.flatMap(({ written }) => (isLetter(written) ? [written] : []))];
}

const phrases = BEFORE_OTHER_NUMBERS.map((phrase) => phrase.replaceAll(" ", "\\s+")).join("|");
/** `add up to {c1}`, `spread over {c1}`, and a beginning `Over {c1} payments, `: sums and stretches. */
const SAME_NUMBER = /\b(?:add(?:s|ed|ing)?\s+up\s+to|spread\s+over)\s+\{c[1-9]\d?\}$/iu;
const OVER_ALL = /(?:^|[.!?…\n])\s*over\s+\{c[1-9]\d?\}\s+\p{Ll}+,$/iu;
const OTHER_NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${phrases})\\s+(?:some\\s+|the\\s+|a\\s+)?\\{(c[1-9]\\d?)\\}`,
  "giu",
);
/** Two numbers with nothing between them read as one. */
const NEIGHBOURS = /\{(c[1-9]\d?)\}\s+(?=\{(c[1-9]\d?)\})/gu;

/** Where a text makes another number of what a claim prints: `over {c1}`, `{c1} {c2}`; sentences that no mark ends touch. */
export function otherNumbersIn({ text, claims }: ProseInput): readonly string[] {
  const isValue = (id: string | undefined): boolean =>
    id !== undefined && ["count", "value"].includes(claims.get(id)?.claim.type ?? "");
  const said = plain(text);
  const isSame = (end: number): boolean => {
    const behind = /^\s+\p{L}+,/u.exec(said.slice(end))?.[0] ?? "";
    return SAME_NUMBER.test(said.slice(0, end)) || OVER_ALL.test(said.slice(0, end) + behind);
  };
  const turned = Array.from(said.matchAll(OTHER_NUMBER)).filter(
    ({ 0: found, 1: id, index }) => isValue(id) && !isSame(index + found.length),
  );
  const joined = Array.from(text.matchAll(NEIGHBOURS)).filter(([, one, other]) => isValue(one) && isValue(other));
  return [...turned.map(([found]) => found), ...joined.map(([found, , other]) => `${found}{${other}}`)];
}

const SUPERLATIVE = /^[a-z]{2,}(?:[ie]|[b-df-hj-np-tv-z])est$/;

/** Whether a word is made like `deepest`. */
export const isSuperlative = (word: string): boolean => SUPERLATIVE.test(word) && !NO_SUPERLATIVES.includes(word);
