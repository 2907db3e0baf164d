// What the questions should answer: published digests where there are some, else brute force.
// Other systems are held to the same digests, so a speed here means the speed of the right answer.

import { type Events, type Question, questions } from "../data/corrected-intervals.js";
import { IntervalFacts } from "./brute-force.js";
import { answerDigest, firstDifference, type Json } from "./normal-forms.js";

/** First twelve hex digits by scale, in the order of {@link questions}. */
const PUBLISHED = new Map<number, readonly string[]>([
  [200_000, ["b879356c5840", "c50f52d434aa", "93c2244569a3", "75086687586b", "3a9d80d01386"]],
  [1_000_000, ["cae549d95d55", "36c3bb28077d", "6fd7b1747be7", "237202e9aba6", "5edb642c977a"]],
  [10_000_000, ["3533316f7fbf", "e0a671a3f31d", "10e2327202bf", "31c3cffa3d09", "a0006da089e0"]],
]);

/** The published digest of a question, twelve hex digits, or null at a scale without one. */
export function publishedDigest(scale: number, id: Question["id"]): string | null {
  const position = questions(scale).findIndex((question) => question.id === id);
  return PUBLISHED.get(scale)?.[position] ?? null;
}

/** Throws with the first difference where an answer of family 1 is not the expected one. */
export function checkAnswer(scale: number, data: Events, question: Question, answer: Json): void {
  const published = publishedDigest(scale, question.id);
  if (published !== null && answerDigest(answer).startsWith(published)) return;
  requireEqual(question.id, answer, new IntervalFacts(scale, data).answer(question));
  if (published !== null) throw new Error(`${question.id}: agrees with brute force but not with the published digest`);
}

export function requireEqual(id: string, answer: Json, expected: Json): void {
  const difference = firstDifference(answer, expected);
  if (difference !== null) throw new Error(`${id}: wrong answer at ${difference}`);
}
