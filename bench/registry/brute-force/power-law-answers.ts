// Brute force on power-law events: arrivals in one pass over the ordered list, motifs by looking at every ordered triple of events
// that hang together. The motifs are for small lists; a million events have published digests.

import type { PowerLaw } from "../../data/power-law.js";
import { compareRows, type Json, whole } from "../normal-forms.js";

export function powerLawArrivals({ count, src, dst, second }: PowerLaw, start: number): Json {
  const arrival = new Map([[start, 0]]);
  for (let event = 0; event < count; event++) {
    const to = dst[event] as number;
    if (arrival.has(src[event] as number) && !arrival.has(to)) arrival.set(to, second[event] as number);
  }
  arrival.delete(start);
  return whole([...arrival].map(([node, at]): Json[] => [node, at]).sort(compareRows));
}

const LETTERS = ["a", "b", "c"];
const LATER_EDGES = ["a>b", "b>a", "a>c", "c>a", "b>c", "c>b"];

/** The code of three events with nodes named by first appearance, or null where they span more than three nodes. */
function codeOf({ src, dst }: PowerLaw, events: readonly number[]): string | null {
  const names = new Map<number, string>();
  const letterOf = (node: number): string | undefined => {
    const letter = names.get(node) ?? LETTERS[names.size];
    if (letter !== undefined) names.set(node, letter);
    return letter;
  };
  const edges: string[] = [];
  for (const event of events) {
    const from = letterOf(src[event] as number);
    const to = letterOf(dst[event] as number);
    if (from === undefined || to === undefined) return null;
    edges.push(`${from}>${to}`);
  }
  return edges.join(",");
}

export function powerLawMotifs(list: PowerLaw, deltaSeconds: number): Json {
  const { count, src, dst, second } = list;
  const counts = new Map<string, number>();
  for (const later of LATER_EDGES) for (const last of LATER_EDGES) counts.set(`a>b,${later},${last}`, 0);
  for (let first = 0; first < count; first++) {
    const ends = new Set([src[first], dst[first]]);
    // Both later events touch an end of the first: three nodes leave no room for an event apart from them.
    const later: number[] = [];
    const until = (second[first] as number) + deltaSeconds;
    for (let event = first + 1; event < count && (second[event] as number) <= until; event++) {
      if (ends.has(src[event]) || ends.has(dst[event])) later.push(event);
    }
    for (const [place, middle] of later.entries()) {
      for (const last of later.slice(place + 1)) {
        const code = codeOf(list, [first, middle, last]);
        if (code !== null) counts.set(code, (counts.get(code) as number) + 1);
      }
    }
  }
  return [...counts].sort(compareRows);
}
