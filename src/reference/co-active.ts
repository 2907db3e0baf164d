// O11 co_active: every pair of spans of two selections, kept where an asked Allen relation holds between them.

import { EndJudge, passesContent, type Where } from "./filters.js";
import { formatDuration, formatEnd, formatInstant, parseDuration } from "./instants.js";
import { greatest, least } from "./interval-set.js";
import type { Answer, Args, Row } from "./lists.js";
import { type Belief, type Span, spanOf } from "./question.js";
import { compareInstants, compareTexts } from "./values.js";
import { type EdgeId, type EdgeVersion, identityOf, identityText, spellsOf } from "./versions.js";

interface Selection {
  readonly src: string | null;
  readonly dst: string | null;
  readonly where: Where;
}
type Fact = Span & { readonly edge: EdgeId };

const APART = ["before", "meets", "met_by", "after"];

/** Exactly one holds for any two intervals. */
function relationOf(a: Span, b: Span): string {
  if (a.to < b.from) return "before";
  if (a.to === b.from) return "meets";
  if (b.to < a.from) return "after";
  if (b.to === a.from) return "met_by";
  const starts = compareInstants(a.from, b.from);
  const ends = compareInstants(a.to, b.to);
  if (starts === 0) return ends === 0 ? "equals" : ends < 0 ? "starts" : "started_by";
  if (ends === 0) return starts > 0 ? "finishes" : "finished_by";
  if (starts < 0) return ends < 0 ? "overlaps" : "contains";
  return ends < 0 ? "during" : "overlapped_by";
}

/** The spans under a selection's filter that touch the window: maximal runs of passing versions inside one spell. */
function factsOf(belief: Belief, { src, dst, where }: Selection, window: Span): Fact[] {
  const judge = new EndJudge(belief.believed, where, new Set([src, dst].filter((uid) => uid !== null)));
  const facts: Fact[] = [];
  for (const { versions, from } of spellsOf(belief.believed)) {
    const edge = versions[0]!;
    if ((src !== null && edge.src !== src) || (dst !== null && edge.dst !== dst)) continue;
    if (!judge.passesEnds(edge, greatest([from, window.from]))) continue;
    const spans: EdgeVersion[][] = [[]];
    for (const version of versions) {
      if (passesContent(version, where)) spans.at(-1)!.push(version);
      else spans.push([]);
    }
    for (const span of spans.filter(({ length }) => length > 0)) {
      facts.push({ edge, from: span[0]!.validFrom, to: span.at(-1)!.validTo });
    }
  }
  return facts.filter((fact) => fact.from < window.to && window.from < fact.to).sort(compareFacts);
}

function compareFacts(a: Fact, b: Fact): number {
  return compareInstants(a.from, b.from) || compareTexts(identityOf(a.edge), identityOf(b.edge));
}

function endsMatch(a: EdgeId, b: EdgeId, on: unknown): boolean {
  const isSame = a.src === b.src && a.dst === b.dst;
  if (on === "pair") return isSame;
  if (on === "unordered_pair") return isSame || (a.src === b.dst && a.dst === b.src);
  if (on === "any_node") return [a.src, a.dst].some((uid) => uid === b.src || uid === b.dst);
  return (on as readonly ["src" | "dst", "src" | "dst"][]).every(([ofA, ofB]) => a[ofA] === b[ofB]);
}

function shownFact({ edge, from, to }: Fact): Row {
  const { src, type, dst, key } = edge;
  return { src, type, dst, key, valid_from: formatInstant(from), valid_to: formatEnd(to) };
}

export function coActive(belief: Belief, args: Args): Answer {
  const [a, b] = [args.a as Selection, args.b as Selection];
  belief.requireUids([a.src, a.dst, b.src, b.dst].filter((uid) => uid !== null));
  const window = spanOf(args.window);
  const relations = args.relations as "intersects" | readonly string[];
  const minGap = args.min_gap === null ? null : parseDuration(args.min_gap as string);
  const maxGap = args.max_gap === null ? null : parseDuration(args.max_gap as string);
  const facts = factsOf(belief, b, window);

  const rows: Row[] = [];
  for (const left of factsOf(belief, a, window)) {
    for (const right of facts) {
      const isItself =
        identityText(left.edge) === identityText(right.edge) && left.from === right.from && left.to === right.to;
      if (isItself || !endsMatch(left.edge, right.edge, args.on)) continue;
      if (args.unordered === true && compareFacts(left, right) >= 0) continue;
      const relation = relationOf(left, right);
      const isAsked = relations === "intersects" ? !APART.includes(relation) : relations.includes(relation);
      if (!isAsked) continue;
      const gap = relation === "before" ? right.from - left.to : relation === "after" ? left.from - right.to : null;
      if (gap !== null && ((minGap !== null && gap < minGap) || (maxGap !== null && gap > maxGap))) continue;
      rows.push({
        a: shownFact(left),
        b: shownFact(right),
        relation,
        overlap: APART.includes(relation)
          ? null
          : { from: formatInstant(greatest([left.from, right.from])), to: formatEnd(least([left.to, right.to])) },
        gap: gap === null ? null : formatDuration(gap),
      });
    }
  }
  return { lists: [["rows", rows]], fields: {} };
}
