// The words of notes: sentences with placeholders of facts, those of code and those of a model, and how values stand in them.

import { checkProse, type RejectionKind } from "../words/prose.js";
import type { WordedClaim } from "../words/prose-input.js";
import { sentencesOf } from "../words/sentences.js";
import type { Facts } from "./note-plan.js";

const LONGEST_VALUE = 128;
const PLACEHOLDER = /\{f([1-9][0-9]?)\}/g;

/** The placeholders of facts as those of claims, which the prose check knows. */
export const asClaims = (text: string): string => text.replace(PLACEHOLDER, "{c$1}");
export const claimIdOf = (factId: string): string => factId.replace("f", "c");

const ranked = (facts: Facts, ids: readonly number[]): string =>
  ids
    .filter((id) => `f${id}` in facts && `f${id + 1}` in facts)
    .map((id) => `{f${id}} ({f${id + 1}})`)
    .join(", ");

/** The sentences of code, of the facts that there are; their numbers are the places of `FACT_PLACES`, from 1. */
export function codeText(facts: Facts): string {
  const has = (...ids: number[]): boolean => ids.every((id) => `f${id}` in facts);
  const senders = ranked(facts, [5, 7, 9]);
  const receivers = ranked(facts, [11, 13, 15]);
  return [
    has(1) ? "Events: {f1}." : "",
    has(2, 3, 4) ? "Active nodes: {f2}, new nodes: {f3}, new pairs: {f4}." : "",
    senders === "" ? "" : `Most events sent: ${senders}.`,
    receivers === "" ? "" : `Most events received: ${receivers}.`,
    has(17, 18) ? "Busiest part begins {f17}, events: {f18}." : "",
    has(19, 20) ? "Bursts: {f19}, from {f20} on." : has(19) ? "Bursts: {f19}." : "",
    has(21, 22) ? "Versions corrected: {f21}, retracted: {f22}." : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** What a file cannot show the licence of was judged when the note was made. */
const OF_LICENCES: readonly RejectionKind[] = ["unlicensed", "untied", "cause"];

/** Whether the words of a model write no number, date or markup, and name no fact that is not there. */
export function isSafeText(text: string, facts: ReadonlySet<string>): boolean {
  const worded = { isExtreme: false, isOfBelief: false, isOfReason: false, tiedTo: new Set<string>() };
  const claims = new Map(
    Array.from(facts, (id): [string, WordedClaim] => {
      const claim = { type: "value", id: claimIdOf(id), cell: "s1.rows_total" } as const;
      return [claim.id, { ...worded, claim }];
    }),
  );
  const input = { text: asClaims(text), claims, mentions: new Set<string>(), names: new Set<string>() };
  const isUnknown = text.includes("{c") || text.includes("{q");
  return !isUnknown && checkProse(input).every(({ kind }) => OF_LICENCES.includes(kind));
}

function shownValue(value: number | string): string {
  const points = [...String(value)];
  return points.length <= LONGEST_VALUE ? points.join("") : `${points.slice(0, LONGEST_VALUE).join("")}…`;
}

/** The sentences with the values in them. */
export function filledSentences(text: string, facts: Facts): readonly string[] {
  return sentencesOf(asClaims(text)).map(({ text: said }) =>
    said.replace(/\{c([1-9][0-9]?)\}/g, (_, n: string) => shownValue(facts[`f${n}`]!.value)),
  );
}
