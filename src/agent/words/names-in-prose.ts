// What in a text may be a name: runs of its words for whoever asks the store which of them are, and words that are written
// like names whatever the store knows. Between placeholders only: what code prints is not looked at.
import { FUNCTION_WORDS } from "./function-words.js";
import { CAUSE_WORDS, DATE_WORDS, LICENSED_WORDS, NUMBER_WORDS, OPENING_WORDS } from "./lexicon.js";
import { betweenPlaceholders, type Sentence } from "./sentences.js";

const MOST_WORDS = 6;
/** Of words that are all common: `The Who`. */
const MOST_COMMON_WORDS = 3;
const MOST_PARTS = 10;
/** Marks around a word that may be a part of a name: `C++`, `@ada`. */
const MOST_MARKS = 3;

/** Letters and digits, with what an apostrophe adds to a word. */
const PART = /[\p{L}\p{M}\p{N}]+(?:['’](?:s|t|re|ve|ll|d|m)(?![\p{L}\p{N}]))?/gu;
const SUFFIX = /['’](?:s|re|ve|ll|d|m)$/u;

/** The same for all ways to write the same letters, small or capital. */
const ASCII = /^[ -~]*$/;
/** There and back again: what has two small forms, or is two capitals, has one form then. */
const foldedLetter = (letter: string): string =>
  // The i without a dot is a letter of its own.
  letter === "\u0131" ? letter : letter.toLowerCase().toUpperCase().toLowerCase();

/** Normal form C, case folded: `STRASSE` is `straße`. */
export const folded = (text: string): string =>
  ASCII.test(text) ? text.toLowerCase() : Array.from(text.normalize("NFC"), foldedLetter).join("");
/** Other forms of the same letters and marks. */
const plainForm = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/[’ʼ‘]/gu, "'")
    .replace(/\p{Pd}/gu, "-");

const isFunctionWord = new Set(FUNCTION_WORDS);
const isCommonWord: ReadonlySet<string> = new Set(
  [
    ...FUNCTION_WORDS,
    ...OPENING_WORDS,
    ...NUMBER_WORDS,
    ...DATE_WORDS,
    ...CAUSE_WORDS,
    ...Object.values(LICENSED_WORDS).flat(),
  ].flatMap((entry) => entry.split(" ")),
);

export const isCommon = (word: string): boolean => isCommonWord.has(folded(word));

/** The marks that touch a run on one side, from none to all of them. */
const widenings = (marks: string): readonly string[] =>
  Array.from({ length: Math.min(marks.length, MOST_MARKS) + 1 }, (_, i) => marks.slice(0, i));

interface Part {
  readonly from: number;
  readonly to: number;
  /** Where it ends without what an apostrophe adds. */
  readonly stem: number;
  readonly isCommon: boolean;
  /** Whether a blank stands before it: where it begins a word. */
  readonly isBegin: boolean;
}

function partsOf(text: string): readonly Part[] {
  return Array.from(text.matchAll(PART), ({ 0: part, index: from }) => ({
    from,
    to: from + part.length,
    stem: from + part.replace(SUFFIX, "").length,
    isCommon: isFunctionWord.has(folded(part)),
    isBegin: from === 0 || text[from - 1] === " ",
  }));
}

const MARKS_BEFORE = /[^\s\p{L}\p{M}\p{N}]+$/u;
const MARKS_AFTER = /^[^\s\p{L}\p{M}\p{N}]+/u;

function* runsFrom(text: string, parts: readonly Part[], first: number): Generator<string> {
  const { from } = parts[first]!;
  const near = text.slice(Math.max(0, from - MOST_MARKS), from);
  const before = near.endsWith(" ") ? "" : (MARKS_BEFORE.exec(near)?.[0] ?? "");
  let words = 0;
  let isCommon = true;
  for (let last = first; last < Math.min(parts.length, first + MOST_PARTS); last += 1) {
    const { to, stem, isBegin, isCommon: isCommonPart } = parts[last]!;
    if (last === first || isBegin) words += 1;
    isCommon &&= isCommonPart && (last === first || isBegin);
    if (words > MOST_WORDS) return;
    if (isCommon && (words === 1 || words > MOST_COMMON_WORDS)) continue;
    const after = text[to] === " " ? "" : (MARKS_AFTER.exec(text.slice(to, to + MOST_MARKS))?.[0] ?? "");
    for (const left of widenings([...before].reverse().join(""))) {
      for (const right of widenings(after)) yield text.slice(from - left.length, to + right.length);
    }
    if (stem < to) yield text.slice(from, stem);
  }
}

/** The runs of up to six words that might be a name: all but a common word, and long runs of them. */
function nameRuns(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const between of betweenPlaceholders(text)) {
    const line = between.replace(/\s+/gu, " ");
    const parts = partsOf(line);
    for (const first of parts.keys()) for (const run of runsFrom(line, parts, first)) found.add(run);
  }
  return found;
}

const formsOf = (run: string): readonly string[] =>
  ASCII.test(run) ? [run.toLowerCase()] : [folded(run), folded(plainForm(run))];

/** The texts of a report that may be names, for whoever asks the store which are. */
export const possibleNames = (text: string): ReadonlySet<string> => new Set([...nameRuns(text)].flatMap(formsOf));

/** The runs of a text that are names of the store; a name may reach over what looks like the end of a sentence. */
export const namesIn = (text: string, isKnown: (folded: string) => boolean): readonly string[] =>
  [...nameRuns(text)].filter((run) => formsOf(run).some(isKnown));

/** The words of a sentence with a capital that are no common words: names, though no store knows them. */
export function writtenLikeNames({ bare }: Sentence): readonly string[] {
  const words = Array.from(bare.matchAll(PART), ([word]) => word.replace(/['’].*$/u, ""));
  return words.filter((word) => /\p{Lu}|\p{Lt}/u.test(word) && !isCommon(word));
}

const LEAST_WORDS = 6;
const LEAST_SHARE = 1 / 3;

/** Whether a text is in English, as far as its words tell; a few words tell nothing. */
export function isEnglish(text: string): boolean {
  const words = betweenPlaceholders(text).flatMap((between) => Array.from(between.matchAll(PART), ([word]) => word));
  return words.length < LEAST_WORDS || words.filter(isCommon).length >= words.length * LEAST_SHARE;
}
