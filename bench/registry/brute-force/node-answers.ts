// Brute force for the questions about one or two nodes: neighbours over time, facts that overlap, names that contain a text.

import { NODE_LABEL, nodeName } from "../../data/corrected-intervals.js";
import { compareRows, type Json, whole } from "../normal-forms.js";
import type { CoActiveQuestion, EvolutionQuestion, ResolveQuestion } from "../questions.js";
import type { EdgeVersion, IntervalFacts } from "./interval-facts.js";

export function evolution(facts: IntervalFacts, { node, left, right, step }: EvolutionQuestion): Json {
  const touching: EdgeVersion[] = [];
  for (const version of facts.versions()) {
    if (facts.src(version.event) === node || facts.dst(version.event) === node) touching.push(version);
  }
  const validAt = (at: number) => touching.filter(({ from, to }) => from <= at && at < to);
  const neighboursAt = (at: number) => {
    const ends = validAt(at).flatMap(({ event }) => [facts.src(event), facts.dst(event)]);
    return new Set(ends.filter((end) => end !== node).map(nodeName));
  };
  const before = neighboursAt(left);
  const after = neighboursAt(right);
  const degree: Json[] = [];
  for (let at = left; at < right; at += step) degree.push([at, validAt(at).length]);
  return {
    gained: [...after].filter((uid) => !before.has(uid)).sort(),
    lost: [...before].filter((uid) => !after.has(uid)).sort(),
    degree,
  };
}

export function coActive(facts: IntervalFacts, { aSrc, bSrc }: CoActiveQuestion): Json {
  const ofA: EdgeVersion[] = [];
  const ofB: EdgeVersion[] = [];
  for (const spell of facts.spells()) {
    if (facts.src(spell.event) === aSrc) ofA.push(spell);
    if (facts.src(spell.event) === bSrc) ofB.push(spell);
  }
  const shown = ({ event, from, to }: EdgeVersion): Json[] => [...facts.ends(event), from, to];
  const pairs = ofA.flatMap((a) =>
    ofB.filter((b) => a.from < b.from && b.from < a.to && a.to < b.to).map((b): Json[] => [shown(a), shown(b)]),
  );
  return whole(pairs.sort(compareRows));
}

export function resolve(facts: IntervalFacts, { text }: ResolveQuestion): Json {
  const wanted = text.toLowerCase();
  const rows: Json[][] = [];
  for (let node = 0; node < facts.nodeCount; node++) {
    const latest = facts.nodeVersions(node, null).at(-1);
    if (latest === undefined) continue;
    const uid = nodeName(node);
    const name = latest.content;
    const tier =
      uid === text ? 0 : uid.toLowerCase().includes(wanted) ? 1 : name.toLowerCase().includes(wanted) ? 2 : null;
    if (tier !== null) rows.push([tier, uid, [NODE_LABEL], name === "" ? null : name]);
  }
  return whole(rows.sort(compareRows));
}
