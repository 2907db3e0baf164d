// Events of docs/contract.md A5: the beginnings of spells, in event order, and those that pass a filter.
// Events are found first and filtered then, so no filter changes what an event is.

import { EndJudge, passesContent, type Where } from "./filters.js";
import { formatInstant } from "./instants.js";
import type { Row } from "./lists.js";
import type { Belief, Span } from "./question.js";
import { identityFields, type Projection, project } from "./shown.js";
import { compareInstants } from "./values.js";
import { type EdgeVersion, spellsOf } from "./versions.js";

export interface Event {
  /** The first version of the spell. */
  readonly edge: EdgeVersion;
  readonly at: bigint;
  /** The end of the spell. */
  readonly to: bigint;
}

export type Role = "src" | "dst" | "either";

/** Event order: by (at, seq). */
export function compareEvents(a: Event, b: Event): number {
  return compareInstants(a.at, b.at) || a.edge.seq - b.edge.seq;
}

export function eventsOf(belief: Belief): Event[] {
  return spellsOf(belief.believed)
    .map((spell) => ({ edge: spell.versions[0]!, at: spell.from, to: spell.to }))
    .sort(compareEvents);
}

/** Ends are judged at the event. */
export function passingEvents(belief: Belief, where: Where, spared: ReadonlySet<string> = new Set()): Event[] {
  const judge = new EndJudge(belief.believed, where, spared);
  return eventsOf(belief).filter(({ edge, at }) => passesContent(edge, where) && judge.passesEnds(edge, at));
}

export function isIn(window: Span, at: bigint): boolean {
  return window.from <= at && at < window.to;
}

export function touches(edge: { src: string; dst: string }, uid: string, role: Role): boolean {
  return (role !== "dst" && edge.src === uid) || (role !== "src" && edge.dst === uid);
}

/** Event of docs/contract.md A3, with the properties that are asked for. */
export function eventRow({ edge, at }: Event, projection: Projection): Row {
  return { ...identityFields(edge), at: formatInstant(at), seq: edge.seq, props: project(edge.props, projection) };
}
