// The steps that walks may take (docs/contract.md A8): which edge crossings filters and window let through, and when.
// Crossings are read off spells; how walks chain them is walks.ts, how paths do is paths.ts.

import { EndJudge, passesContent, type Where } from "./filters.js";
import { CALENDAR_END, FOREVER } from "./instants.js";
import { type IntervalSet, intersect, least } from "./interval-set.js";
import type { Belief, Span } from "./question.js";
import type { Orientation } from "./snapshot.js";
import { type EdgeVersion, runs, type Spell, spellsOf } from "./versions.js";

/** Depart from `tail` at any instant of [first, last]; arrive at `head` so much later. */
export interface Step {
  readonly tail: string;
  readonly head: string;
  readonly first: bigint;
  readonly last: bigint;
  readonly travel: bigint;
}

/** One way over one span: all steps that cross it from `tail` to `head`. */
export interface Crossing {
  readonly span: readonly EdgeVersion[];
  readonly tail: string;
  readonly head: string;
  /** Never empty. */
  readonly departures: IntervalSet;
  readonly travel: bigint;
}

export interface StepRules {
  readonly window: Span;
  readonly where: Where;
  readonly orientation: Orientation;
  readonly arrival: "instant" | "valid_end";
  /** Subjects, which `where.node` lets through. */
  readonly spared: readonly string[];
}

/** The spans of a spell that pass the edge filter; with valid_end the whole spell or nothing. */
function spansOf(spell: Spell, { where, arrival }: StepRules): (readonly EdgeVersion[])[] {
  const passing = spell.versions.filter((version) => passesContent(version, where));
  if (arrival === "instant") return runs(passing);
  return passing.length === spell.versions.length && spell.to !== FOREVER ? [spell.versions] : [];
}

/** When a span may be crossed in the window, whatever its ends are. */
function departuresOf([from, to]: readonly [bigint, bigint], { window, arrival }: StepRules): IntervalSet {
  if (arrival === "valid_end") return window.from <= from && to <= window.to ? [[from, from]] : [];
  return intersect([[from, to - 1n]], [[window.from, least([window.to, CALENDAR_END]) - 1n]]);
}

export function crossingsOf(belief: Belief, rules: StepRules): Crossing[] {
  const judge = new EndJudge(belief.believed, rules.where, new Set(rules.spared));
  const crossings: Crossing[] = [];
  for (const span of spellsOf(belief.believed).flatMap((spell) => spansOf(spell, rules))) {
    const { src, dst, validFrom: from } = span[0]!;
    const to = span.at(-1)!.validTo;
    const inWindow = departuresOf([from, to], rules);
    if (src === dst || inWindow.length === 0) continue;
    for (const way of ["out", "in"] as const) {
      if (rules.orientation !== "both" && rules.orientation !== way) continue;
      const [tail, head] = way === "out" ? [src, dst] : [dst, src];
      if (rules.arrival === "valid_end") {
        // The tail is judged at the departure, the head at the arrival.
        const [srcAt, dstAt] = way === "out" ? [from, to] : [to, from];
        if (!judge.passesSrc(src, srcAt) || !judge.passesDst(dst, dstAt)) continue;
        crossings.push({ span, tail, head, departures: inWindow, travel: to - from });
        continue;
      }
      const departures = intersect(inWindow, intersect(judge.instantsOf(src, "src"), judge.instantsOf(dst, "dst")));
      if (departures.length > 0) crossings.push({ span, tail, head, departures, travel: 0n });
    }
  }
  return crossings;
}

export function stepsOf(belief: Belief, rules: StepRules): Step[] {
  return crossingsOf(belief, rules).flatMap(({ tail, head, departures, travel }) =>
    departures.map(([first, last]) => ({ tail, head, first, last, travel })),
  );
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
