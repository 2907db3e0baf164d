// Words by which a sentence speaks of what an earlier one named: what they say is said of those entities.
import { wordList } from "./word-list.js";
import type { WordToken } from "./word-tokens.js";

const OF_ENTITIES = wordList(`
  he, she, him, her, his, hers, its, they, them, their, theirs, itself, himself, herself, themselves, former,
  latter
`);
/** Behind `it`, where that stands for nothing: `it is`, `it took`. */
const BEHIND_NO_ONE = wordList(`
  is, was, were, be, been, has, will, would, may, might, can, could, must, should, took, takes, came, comes,
  seems, appears, appeared, follows, adds, added, amounts, amounted, totals, totalled, makes, made, did, does
`);

/** Words of a sentence that speaks of nobody: `Yes.`, `Of course.`, `Here is the answer.` */
const OF_NOBODY = wordList(`
  yes, no, indeed, certainly, sure, surely, of, course, well, so, right, exactly, ok, okay, here, is, are,
  the, answer, answers, result, results
`);

/** Whether some words speak of nobody, so that none behind them can stand for what they speak of. */
export const speaksOfNobody = (tokens: readonly WordToken[]): boolean =>
  tokens.every(({ forms }) => OF_NOBODY.includes(forms[0]!));

/** Whether some words stand for entities that were named before them. */
export function refersBack(tokens: readonly WordToken[]): boolean {
  const first = tokens.map(({ forms }) => forms);
  return first.some((forms, i) => {
    if (forms.some((form) => OF_ENTITIES.includes(form))) return true;
    const next = first[i + 1];
    const isIt = forms[0] === "it" && next !== undefined;
    return isIt && !next.some((form) => BEHIND_NO_ONE.includes(form));
  });
}
