// The facts about a subject for fact_freshness: believed spells and what is believed no more, which supersede which
// and which contradict each other.

import { formatEnd, formatInstant } from "./instants.js";
import { type IntervalSet, setOf, subtract } from "./interval-set.js";
import type { Row } from "./lists.js";
import type { Belief } from "./question.js";
import { compareInstants, compareTexts } from "./values.js";
import {
  compareVersions,
  type EdgeVersion,
  identityOf,
  identityText,
  isEdge,
  overlaps,
  spellsOf,
  type Version,
} from "./versions.js";

export interface Fact {
  readonly edge: EdgeVersion;
  /** Those of the spell; of a retracted fact the one that is its content. */
  readonly versions: readonly EdgeVersion[];
  readonly from: bigint;
  readonly to: bigint;
  /** What ended the belief; null for a believed fact. */
  readonly retracted: Version["ending"];
}

function setOfVersions(versions: readonly EdgeVersion[]): IntervalSet {
  return setOf(versions.map(({ validFrom, validTo }) => [validFrom, validTo - 1n] as const));
}

/** Maximal intervals of closed versions of one identity that no believed version of it overlaps. */
function retractedFacts(versions: readonly EdgeVersion[]): Fact[] {
  const closed = versions.filter(({ ending }) => ending !== null);
  const believed = versions.filter(({ ending }) => ending === null);
  return subtract(setOfVersions(closed), setOfVersions(believed)).map(([first, last]) => {
    const [content] = closed
      .filter((version) => overlaps(version, first, last + 1n))
      .sort((a, b) => b.ending!.tx - a.ending!.tx || compareInstants(b.validFrom, a.validFrom));
    return { edge: content!, versions: [content!], from: first, to: last + 1n, retracted: content!.ending };
  });
}

export function factsAbout(belief: Belief, src: string): Fact[] {
  const written = belief.written.filter(isEdge).filter((edge) => edge.src === src);
  const believed = spellsOf(written.filter(({ ending }) => ending === null)).map(
    ({ versions, from, to }): Fact => ({ edge: versions[0]!, versions, from, to, retracted: null }),
  );
  const identities = new Map<string, EdgeVersion[]>();
  for (const edge of written.sort(compareVersions)) {
    identities.set(identityText(edge), [...(identities.get(identityText(edge)) ?? []), edge]);
  }
  return [...believed, ...[...identities.values()].flatMap(retractedFacts)];
}

/** The believed facts that replaced a believed one by `at`, the first to begin first. */
export function supersedersOf(fact: Fact, all: readonly Fact[], at: bigint, functional: readonly string[]): Fact[] {
  const isRival = (other: Fact) =>
    functional.includes(fact.edge.type)
      ? other.edge.type === fact.edge.type
      : identityText(other.edge) === identityText(fact.edge);
  return all
    .filter((other) => other.retracted === null && isRival(other))
    .filter((other) => fact.from < other.from && other.from <= at)
    .sort((a, b) => compareInstants(a.from, b.from) || compareTexts(identityOf(a.edge), identityOf(b.edge)));
}

/** The believed facts of the same functional type with another object that hold at `at` together with this one. */
export function conflictsOf(fact: Fact, all: readonly Fact[], at: bigint, functional: readonly string[]): Fact[] {
  const holds = ({ retracted, from, to }: Fact) => retracted === null && from <= at && at < to;
  if (!functional.includes(fact.edge.type) || !holds(fact)) return [];
  return all.filter((other) => holds(other) && other.edge.type === fact.edge.type && other.edge.dst !== fact.edge.dst);
}

export function shownSpan({ edge: { src, type, dst, key }, from, to }: Fact): Row {
  return { src, type, dst, key, valid_from: formatInstant(from), valid_to: formatEnd(to) };
}
