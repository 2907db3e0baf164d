// The gate: what of a report may be shown. A sentence stands or falls with its claims; a claim with its verdict and with
// where it stands to the question. Pure.
import type { Claim, Verdict } from "./claims/claim.js";
import { type AskedPart, isPrinted, type Standing } from "./claims/relevance.js";
import { type Sentence, sentencesOf } from "./words/sentences.js";

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
  /** By part, its main claim; null where none is shown, or where code prints the part. */
  readonly mains: readonly (JudgedClaim | null)[];
  /** Parts whose main claim is missing, by position. */
  readonly lost: readonly number[];
  readonly status: AnswerStatus;
}

const holds = ({ verdict }: Verdict): boolean => verdict === "supported" || verdict === "supported_partial";

export const isShown = ({ verdict, standing }: JudgedClaim): boolean => holds(verdict) && standing.as !== "off_topic";

/** Of several main claims of one part the first that is wholly supported, else the first. */
function mainOf(part: number, shown: readonly JudgedClaim[]): JudgedClaim | null {
  const mains = shown.filter(({ standing }) => standing.as === "main" && standing.part === part);
  return mains.find(({ verdict }) => verdict.verdict === "supported") ?? mains[0] ?? null;
}

/**
 * `isCut` tells of a part that code prints whether rows are missing.
 * A claim that is mentioned in no sentence may still answer its part.
 */
export function gate(
  text: string,
  judged: readonly JudgedClaim[],
  parts: readonly AskedPart[],
  isCut: (part: AskedPart) => boolean,
): Shown {
  const claims = judged.filter(isShown);
  const blocked = judged.filter((each) => !isShown(each));
  const shownIds = new Set(claims.map(({ claim }) => claim.id));
  const sentences = sentencesOf(text).filter(({ placeholders }) =>
    placeholders.every(({ kind, id }) => kind === "mention" || shownIds.has(id)),
  );
  const mains = parts.map((part, i) => (isPrinted(part) ? null : mainOf(i, claims)));
  const lost = parts.flatMap((part, i) => (isPrinted(part) || mains[i] !== null ? [] : [i]));
  const isPartial =
    lost.length > 0 ||
    mains.some((main) => main?.verdict.verdict === "supported_partial") ||
    parts.some((part) => isPrinted(part) && isCut(part));
  const status = lost.length === parts.length ? "abstained" : isPartial ? "partial" : "answered";
  return { sentences, claims, blocked, mains, lost, status };
}
