// The gate: what of a report may be shown. A sentence stands or falls with its claims; a claim with its verdict and with
// where it stands to the question. Pure.
import type { Claim, Verdict } from "./claims/claim.js";
import type { AskedPart, Standing } from "./claims/relevance.js";
import type { PrintedLists } from "./printed-lists.js";
import { refersBack, speaksOfNobody } from "./words/references-back.js";
import { hasPlaceholder, type Sentence, sentencesOf } from "./words/sentences.js";
import { wordTokens } from "./words/word-tokens.js";

export interface JudgedClaim {
  readonly claim: Claim;
  readonly verdict: Verdict;
  readonly standing: Standing;
}

export type AnswerStatus = "answered" | "partial" | "abstained";

export interface Shown {
  /** Sentences whose claims are all shown, in their order. */
  readonly sentences: readonly Sentence[];
  readonly claims: readonly JudgedClaim[];
  /** For auditors; in no text. */
  readonly blocked: readonly JudgedClaim[];
  /** By part, its main claim; null where no sentence says one, or where code prints the part. */
  readonly mains: readonly (JudgedClaim | null)[];
  /** Parts whose main claim is missing, or in no sentence that is shown, and lists that cannot be shown; by position. */
  readonly lost: readonly number[];
  readonly status: AnswerStatus;
}

const holds = ({ verdict }: Verdict): boolean => verdict === "supported" || verdict === "supported_partial";

export const isShown = ({ verdict, standing }: JudgedClaim): boolean => holds(verdict) && standing.as !== "off_topic";

/** Of several main claims of one part the first that is wholly supported, else the first. */
function mainOf(part: number, said: readonly JudgedClaim[]): JudgedClaim | null {
  const mains = said.filter(({ standing }) => standing.as === "main" && standing.part === part);
  return mains.find(({ verdict }) => verdict.verdict === "supported") ?? mains[0] ?? null;
}

/**
 * The sentences all of whose claims are shown, and none that speaks of what a fallen one before it named. One without a
 * placeholder is not shown, as nothing can verify it.
 */
function standing(sentences: readonly Sentence[], shown: ReadonlySet<string>): readonly Sentence[] {
  const left: Sentence[] = [];
  let hasFallen = false;
  for (const sentence of sentences) {
    const tokens = wordTokens(sentence.bare);
    if (!hasPlaceholder(sentence)) {
      hasFallen ||= !speaksOfNobody(tokens);
      continue;
    }
    const isShown = sentence.placeholders.every(({ kind, id }) => kind === "mention" || shown.has(id));
    hasFallen = !isShown || (hasFallen && refersBack(tokens));
    if (!hasFallen) left.push(sentence);
  }
  return left;
}

/**
 * `lists` are those of parts that code prints.
 * A claim answers its part where a sentence that is shown says it: a program reads no more than a person does.
 */
export function gate(
  text: string,
  judged: readonly JudgedClaim[],
  parts: readonly AskedPart[],
  lists: PrintedLists,
): Shown {
  const claims = judged.filter(isShown);
  const blocked = judged.filter((each) => !isShown(each));
  const shownIds = new Set(claims.map(({ claim }) => claim.id));
  const sentences = standing(sentencesOf(text), shownIds);
  const saidIds = new Set(
    sentences.flatMap(({ placeholders }) => placeholders.flatMap(({ kind, id }) => (kind === "claim" ? [id] : []))),
  );
  const said = claims.filter(({ claim }) => saidIds.has(claim.id));
  const mains = parts.map((_, i) => (lists.has(i) ? null : mainOf(i, said)));
  const isThere = (i: number): boolean => {
    const list = lists.get(i);
    return list === undefined ? mains[i] !== null : !("wrong" in list);
  };
  const lost = [...parts.keys()].filter((i) => !isThere(i));
  const isPartial =
    lost.length > 0 ||
    mains.some((main) => main?.verdict.verdict === "supported_partial") ||
    [...lists.values()].some((list) => "isCut" in list && list.isCut);
  const status = lost.length === parts.length ? "abstained" : isPartial ? "partial" : "answered";
  return { sentences, claims, blocked, mains, lost, status };
}
