// Which zone each date of a question stands with, where the question names several: the one behind it, else the one before it,
// else that of a date which it is listed with.
import type { Span } from "./cover.js";
import type { QuestionZone } from "./zones.js";

const MOST_BETWEEN = 32;

/** From a date to its zone: `2004-06-01 09:00 (Asia/Tokyo)`, `1 June 2004 in the time zone Asia/Tokyo`. */
const BEHIND = /^[\s(]*(?:local\s+)?(?:time\s+)?(?:in\s+)?(?:the\s+)?(?:(?:time\s*)?zone\s+)?$/i;
/** From a zone to its date: `in Asia/Tokyo on 1 June 2004`. */
const BEFORE =
  /^[\s),]*(?:time\s+)?(?:(?:on|at|in|of|from|between|for|during|since|until|before|after|by|through|as\s+of)\s+)?(?:the\s+)?$/i;
/** From a date to the next one of the same list or stretch. */
const LISTED = /^[\s,)]*(?:(?:and|or|to|up\s+to|until|till|through|\.\.|–|-)\s*)?(?:(?:on|from|at)\s+)?(?:the\s+)?$/i;

/** The zone that stands with a date, and where both of them end. */
export interface Standing {
  readonly zone: QuestionZone | null;
  readonly to: number;
}

const isBetween = (text: string, from: number, to: number, words: RegExp): boolean =>
  to >= from && to - from <= MOST_BETWEEN && words.test(text.slice(from, to));

/** Both lists go from left to right; no zone lies across a date. */
export function standings(text: string, dates: readonly Span[], zones: readonly QuestionZone[]): readonly Standing[] {
  let next = 0;
  const behind = dates.map(({ to }) => {
    while (next < zones.length && zones[next]!.from < to) next += 1;
    const zone = zones[next];
    return zone !== undefined && isBetween(text, to, zone.from, BEHIND) ? zone : null;
  });
  const trailing = new Set(behind);
  let last = -1;
  const chosen = dates.map(({ from }, i) => {
    while (last + 1 < zones.length && zones[last + 1]!.to <= from) last += 1;
    if (behind[i] !== null) return behind[i]!;
    const zone = zones[last];
    const leads = zone !== undefined && !trailing.has(zone) && isBetween(text, zone.to, from, BEFORE);
    return leads ? zone : null;
  });
  const ends = dates.map(({ to }, i) => behind[i]?.to ?? to);
  const isListed = (i: number): boolean => isBetween(text, ends[i]!, dates[i + 1]!.from, LISTED);
  // What is listed before a zone has it, too: `1 June and 2 June 2004 in Asia/Tokyo`; then what is listed behind one.
  for (let i = dates.length - 2; i >= 0; i -= 1) if (chosen[i] === null && isListed(i)) chosen[i] = chosen[i + 1]!;
  for (let i = 1; i < dates.length; i += 1) if (chosen[i] === null && isListed(i - 1)) chosen[i] = chosen[i - 1]!;
  return ends.map((to, i) => ({ zone: chosen[i]!, to }));
}
