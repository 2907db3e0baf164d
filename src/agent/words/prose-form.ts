// The form of a sentence, P4: what may stand in it at all, beside letters and placeholders, and what may touch a placeholder.
import { betweenPlaceholders, PLACEHOLDER, type Sentence } from "./sentences.js";

/** Markup, links, and characters that hide, turn or stand for something else. */
const FORBIDDEN: readonly RegExp[] = [
  /[<>&`*_#|\\[\]{}~^=+$€£¥]/u,
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{So}\p{Sm}]/u,
  /\p{Default_Ignorable_Code_Point}/u,
  // Letters of other alphabets, which may look like ours.
  /[^\P{L}\p{Script=Latin}]/u,
  /(?:https?|ftp|file|data|javascript|mailto):|www\.|:\/\//iu,
];

/** `evil.com`, `mailto:x`: what ends a sentence has a blank behind it. */
const ADDRESS = /[\p{L}\p{N}]+[.:][\p{L}\p{N}]+/gu;

/** What in a text reads as an address, whatever sentences it is cut into. */
export const addressesIn = (text: string): readonly string[] =>
  betweenPlaceholders(text).flatMap((between) => Array.from(between.matchAll(ADDRESS), ([found]) => found));

/** The first thing in a sentence that may not be there. */
function forbiddenIn(bare: string): string | null {
  const text = bare.replace(/[ \n]+/g, " ");
  for (const each of FORBIDDEN) {
    const found = each.exec(text);
    if (found !== null) return found[0];
  }
  return /^[-–—]\s/u.exec(text)?.[0].trim() ?? null;
}

const OPENS = /(?:^|\s)\(?$/u;
const CLOSES = /^(?:['’]s)?[,;:.!?…)]*(?:\s|$)/u;

/** The placeholders that touch something: `{c1}{c2}` or `-{c1}` would print a value that no result holds. */
function touchingIn(text: string): readonly string[] {
  const found: string[] = [];
  for (const { 0: shown, index } of text.matchAll(PLACEHOLDER)) {
    if (!OPENS.test(text.slice(0, index)) || !CLOSES.test(text.slice(index + shown.length))) found.push(shown);
  }
  return found;
}

/** What is wrong with the form of a sentence. */
export function formProblems({ text, bare }: Sentence): readonly string[] {
  const forbidden = forbiddenIn(bare);
  return [...(forbidden === null ? [] : [forbidden]), ...touchingIn(text)];
}

const QUOTES = /["“”„«»‚‹›‘‛‟❛❜❝❞〝〞＂「」『』]/u;
/** An apostrophe belongs to the letter before it. */
const LONE_APOSTROPHE = /(?<!\p{L})['’][^\s'’]{0,40}['’]?/u;

/** What is quoted, or the mark that would begin a quote. */
export function quotedIn({ text }: Sentence): string | null {
  for (const between of betweenPlaceholders(text)) {
    const found = QUOTES.exec(between) ?? LONE_APOSTROPHE.exec(between);
    if (found !== null) return found[0];
  }
  return null;
}
