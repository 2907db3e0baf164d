// Brute force for the questions about walks in time order: earliest arrival by relaxing every spell, best paths by trying all.

import { nodeName } from "../../data/corrected-intervals.js";
import { compareRows, type Json, whole } from "../normal-forms.js";
import type { PathsQuestion, ReachQuestion } from "../questions.js";
import { bySource, type EdgeVersion, type IntervalFacts } from "./interval-facts.js";

function touching(facts: IntervalFacts, from: number, to: number): EdgeVersion[] {
  const spells: EdgeVersion[] = [];
  for (const spell of facts.spells()) if (spell.from < to && spell.to > from) spells.push(spell);
  return spells;
}

/** Relaxes every spell of the window until nothing improves. */
export function reach(facts: IntervalFacts, { node: start, from, to }: ReachQuestion): Json {
  const spells = touching(facts, from, to);
  const arrival = new Map([[start, from]]);
  for (let improved = true; improved; ) {
    improved = false;
    for (const spell of spells) {
      const here = arrival.get(facts.src(spell.event));
      if (here === undefined) continue;
      const dst = facts.dst(spell.event);
      const crossing = Math.max(here, spell.from);
      if (crossing >= spell.to || crossing >= to || crossing >= (arrival.get(dst) ?? Number.POSITIVE_INFINITY))
        continue;
      arrival.set(dst, crossing);
      improved = true;
    }
  }
  arrival.delete(start);
  const rows = [...arrival].map(([node, at]): [number, string] => [at, nodeName(node)]).sort(compareRows);
  return whole(rows.map(([at, uid]) => [uid, at]));
}

interface FoundPath {
  readonly steps: readonly EdgeVersion[];
  /** Least arrival, greatest departure, fewest hops, then (begin, event) of each step. */
  readonly order: readonly Json[];
}

/** Every node-simple path within the hops, then the best k. */
export function paths(facts: IntervalFacts, question: PathsQuestion): Json {
  const { src, dst, from, to, k, maxHops } = question;
  const outgoing = bySource(facts, touching(facts, from, to));
  const found: FoundPath[] = [];
  const extend = (node: number, arrival: number, steps: readonly EdgeVersion[], visited: ReadonlySet<number>): void => {
    for (const spell of outgoing.get(node) ?? []) {
      const head = facts.dst(spell.event);
      const at = Math.max(arrival, spell.from);
      if (visited.has(head) || at >= spell.to || at >= to) continue;
      const path = [...steps, spell];
      if (head === dst) {
        const departure = Math.min(at, ...path.map((step) => step.to - 1));
        const sequence = path.map((step) => [step.from, step.event]);
        found.push({ steps: path, order: [at, -departure, path.length, sequence] });
      } else if (path.length < maxHops) {
        extend(head, at, path, new Set([...visited, head]));
      }
    }
  };
  extend(src, from, [], new Set([src]));
  found.sort((a, b) => compareRows(a.order, b.order));
  return found.slice(0, k).map(({ steps }) => steps.map((step): Json[] => [...facts.ends(step.event), step.from]));
}
