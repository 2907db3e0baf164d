// The steps that walks may take (operators.md A8): which edge crossings the filters and the window let through, and when.
// Steps are read off spells; how walks chain them is walks.ts.

import { EndJudge, passesContent, type Where } from "./filters.js";
import { CALENDAR_END, FOREVER } from "./instants.js";
import { type IntervalSet, intersect, least, setOf } from "./interval-set.js";
import type { Belief, Span } from "./question.js";
import type { Orientation } from "./snapshot.js";
import { runs, type Spell, spellsOf } from "./versions.js";

/** Depart from `tail` at any instant of [first, last]; arrive at `head` so much later. */
export interface Step {
  readonly tail: string;
  readonly head: string;
  readonly first: bigint;
  readonly last: bigint;
  readonly travel: bigint;
}

export interface StepRules {
  readonly window: Span;
  readonly where: Where;
  readonly orientation: Orientation;
  readonly arrival: "instant" | "valid_end";
  /** The subject, which `where.node` spares. */
  readonly subject: string;
}

/** When an edge may be crossed at all: the spans of its spell that pass, or with valid_end the whole spell or nothing. */
function departures(spell: Spell, rules: StepRules): IntervalSet {
  const { window, where, arrival } = rules;
  const passing = spell.versions.filter((version) => passesContent(version, where));
  if (arrival === "valid_end") {
    const isCrossed = passing.length === spell.versions.length && spell.to !== FOREVER;
    return isCrossed && window.from <= spell.from && spell.to <= window.to ? [[spell.from, spell.from]] : [];
  }
  const end = least([window.to, CALENDAR_END]);
  const spans = runs(passing).map((run) => [run[0]!.validFrom, run.at(-1)!.validTo - 1n] as const);
  return intersect(setOf(spans), [[window.from, end - 1n]]);
}

export function stepsOf(belief: Belief, rules: StepRules): Step[] {
  const judge = new EndJudge(belief.believed, rules.where, new Set([rules.subject]));
  const steps: Step[] = [];
  for (const spell of spellsOf(belief.believed)) {
    const { src, dst } = spell.versions[0]!;
    if (src === dst) continue;
    const crossable = departures(spell, rules);
    if (crossable.length === 0) continue;
    for (const way of ["out", "in"] as const) {
      if (rules.orientation !== "both" && rules.orientation !== way) continue;
      const [tail, head] = way === "out" ? [src, dst] : [dst, src];
      if (rules.arrival === "valid_end") {
        // The tail is judged at the departure, the head at the arrival.
        const [srcAt, dstAt] = way === "out" ? [spell.from, spell.to] : [spell.to, spell.from];
        if (!judge.passesSrc(src, srcAt) || !judge.passesDst(dst, dstAt)) continue;
        steps.push({ tail, head, first: spell.from, last: spell.from, travel: spell.to - spell.from });
        continue;
      }
      const passing = intersect(crossable, intersect(judge.instantsOf(src, "src"), judge.instantsOf(dst, "dst")));
      for (const [first, last] of passing) steps.push({ tail, head, first, last, travel: 0n });
    }
  }
  return steps;
}

/** The same steps walked backwards in mirrored time: what was a departure becomes an arrival. */
export function mirrored(steps: readonly Step[]): Step[] {
  return steps.map(({ tail, head, first, last, travel }) => ({
    tail: head,
    head: tail,
    first: -(last + travel),
    last: -(first + travel),
    travel,
  }));
}
