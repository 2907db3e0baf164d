// What the questions should answer: digests published by an independent program where there are some, else brute force.
// Other systems are held to the same digests, so a speed here means the speed of the right answer.

import { events } from "../data/corrected-intervals.js";
import type { PowerLaw } from "../data/power-law.js";
import { bruteForce, powerLawBruteForce } from "./brute-force/answers.js";
import { IntervalFacts } from "./brute-force/interval-facts.js";
import { answerDigest, firstDifference, type Json } from "./normal-forms.js";
import { PUBLISHED_DIGESTS } from "./published-digests.js";
import { type IntervalQuestion, type PowerLawQuestion, powerLawQuestions, type QuestionId } from "./questions.js";

/** The SHA-256 of the right answer, or null at a scale for which none was published. */
export function publishedDigest(scale: number, id: QuestionId): string | null {
  return PUBLISHED_DIGESTS[scale]?.[id] ?? null;
}

/** Null where an answer is right, else where it first differs from brute force. */
export type Judge<Question> = (question: Question, answer: Json) => string | null;

function judgedBy<Question extends { readonly id: QuestionId }>(
  published: (id: QuestionId) => string | null,
  right: (question: Question) => Json,
): Judge<Question> {
  return (question, answer) => {
    const digest = published(question.id);
    if (digest !== null && answerDigest(answer) === digest) return null;
    const difference = firstDifference(answer, right(question));
    if (difference !== null) return difference;
    return digest === null ? null : "agrees with brute force but not with the published digest";
  };
}

/** The judge of answers on interval edges after the standing writes. */
export function intervalJudge(scale: number): Judge<IntervalQuestion> {
  let facts: IntervalFacts | undefined;
  const right = (question: IntervalQuestion): Json => {
    facts ??= new IntervalFacts(scale, events(scale));
    return bruteForce(facts, question);
  };
  return judgedBy((id) => publishedDigest(scale, id), right);
}

/** The judge of answers from facts of which no digests are known. */
export function variantJudge(facts: IntervalFacts): Judge<IntervalQuestion> {
  return judgedBy(
    () => null,
    (question) => bruteForce(facts, question),
  );
}

/** Above this many events motifs by brute force take too long. */
const MOST_EVENTS_BY_BRUTE_FORCE = 20_000;

/** The questions whose right answer can be known at a scale: all where digests were published and on small lists. */
export function judgedPowerLawQuestions(scale: number): PowerLawQuestion[] {
  const isKnown = ({ id }: PowerLawQuestion) =>
    id === "arrival.node0" || scale <= MOST_EVENTS_BY_BRUTE_FORCE || publishedDigest(scale, id) !== null;
  return powerLawQuestions().filter(isKnown);
}

export function powerLawJudge(scale: number, list: () => PowerLaw): Judge<PowerLawQuestion> {
  return judgedBy(
    (id) => publishedDigest(scale, id),
    (question) => powerLawBruteForce(list(), question),
  );
}
