// The normal form of the answer to each question, from the rows of this project's envelopes.
// Written from the benchmark's definitions and the operators' contracts alone; independent of the engine.

import { byCanonicalText, compareRows, type Json, ticksOf, whole } from "./normal-forms.js";

const MICROSECONDS_PER_SECOND = 1_000_000;

export interface NodeVersionRow {
  readonly labels: readonly string[];
  readonly valid_from: string;
  readonly valid_to: string | null;
  readonly props: { readonly [name: string]: Json };
}

export interface EdgeRow {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
  readonly valid_from: string;
  readonly valid_to: string | null;
}

export interface DiffRow {
  readonly change: "added" | "removed" | "changed";
  readonly element: "node" | "edge";
  readonly uid: string | null;
  readonly src: string | null;
  readonly type: string | null;
  readonly dst: string | null;
  readonly before: { readonly props: { readonly [name: string]: Json } } | null;
  readonly after: { readonly props: { readonly [name: string]: Json } } | null;
}

export interface ReachRow {
  readonly uid: string;
  readonly arrival: string | null;
}

function endTicks(instant: string | null): number | null {
  return instant === null ? null : ticksOf(instant);
}

function edgeFields({ src, dst, type, valid_from, valid_to }: EdgeRow): Json[] {
  return [src, dst, type, ticksOf(valid_from), endTicks(valid_to)];
}

/** hist.single, hist.asof: `[[labels, from, to, props], …]` by from. */
export function historyForm(rows: readonly NodeVersionRow[]): Json {
  const versions = rows.map((row): [Json, number, Json, Json] => [
    row.labels,
    ticksOf(row.valid_from),
    endTicks(row.valid_to),
    row.props,
  ]);
  return whole(versions.sort((a, b) => a[1] - b[1]));
}

/** snap.hop2: `{nodes: sorted [uid, hop], edges: sorted [src, dst, type, from, to]}`. */
export function snapshotForm(rows: readonly EdgeRow[], nodes: readonly { uid: string; hop: number }[]): Json {
  return {
    nodes: whole(nodes.map(({ uid, hop }) => [uid, hop]).sort(compareRows)),
    edges: whole(rows.map(edgeFields).sort(compareRows)),
  };
}

/** diff.global: six lists and their counts. The counts are those that the operator gave, so that they are checked too. */
export function diffForm(rows: readonly DiffRow[], totals: { readonly [list: string]: number }): Json {
  const of = (element: DiffRow["element"], change: DiffRow["change"]) =>
    rows.filter((row) => row.element === element && row.change === change);
  const ends = (row: DiffRow): Json[] => [row.src, row.dst, row.type];
  const states = (row: DiffRow): Json[] => [row.before?.props ?? null, row.after?.props ?? null];
  const uids = (change: DiffRow["change"]) => of("node", change).map((row) => row.uid as string);
  return {
    totals,
    nodes_added: whole(uids("added").sort()),
    nodes_removed: whole(uids("removed").sort()),
    nodes_changed: whole(
      of("node", "changed")
        .map((row) => [row.uid, ...states(row)])
        .sort(compareRows),
    ),
    edges_added: whole(of("edge", "added").map(ends).sort(compareRows)),
    edges_removed: whole(of("edge", "removed").map(ends).sort(compareRows)),
    edges_changed: whole(byCanonicalText(of("edge", "changed").map((row) => [...ends(row), ...states(row)]))),
  };
}

/** reach.window: `[[uid, arrival], …]` by (arrival, uid). */
export function reachForm(rows: readonly ReachRow[]): Json {
  const arrivals = rows.map((row): [string, number] => [row.uid, ticksOf(row.arrival as string)]);
  return whole(arrivals.sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)));
}

/** arrival.node0: sorted `[node, second]`; nodes are called by their numbers and events fall on whole seconds. */
export function arrivalForm(rows: readonly ReachRow[]): Json {
  const arrivals = rows.map((row): [number, number] => [
    Number(row.uid),
    ticksOf(row.arrival as string) / MICROSECONDS_PER_SECOND,
  ]);
  return whole(arrivals.sort(compareRows));
}

export interface PathRow {
  readonly edges: readonly EdgeRow[];
}

/** paths.k: `[[[src, dst, type, from], …], …]` best first; from = begin of the crossed spell. */
export function pathsForm(rows: readonly PathRow[]): Json {
  return rows.map(({ edges }) => edges.map(({ src, dst, type, valid_from }) => [src, dst, type, ticksOf(valid_from)]));
}

export interface SeriesRow {
  readonly value: number | null;
}

/** series.count: `[value, …]`, one for each bucket. */
export function seriesForm(rows: readonly SeriesRow[]): Json {
  return rows.map(({ value }) => value);
}

export interface BurstRow {
  readonly from: string;
  readonly score: number | null;
}

/** burst.zscore: `[[bucket begin, score or null], …]`. */
export function burstForm(rows: readonly BurstRow[]): Json {
  return rows.map(({ from, score }) => [ticksOf(from), score]);
}

export interface ChangeRow {
  readonly change: "gained" | "kept" | "lost";
  readonly uid: string;
}

export interface DegreeRow {
  readonly t: string;
  readonly degree: number;
}

/** nbr.evolution: `{gained, lost: sorted uids, degree: [[t, degree], …]}`; the sample at the right instant itself is not asked for. */
export function evolutionForm(rows: readonly ChangeRow[], series: readonly DegreeRow[], right: number): Json {
  const uids = (change: ChangeRow["change"]) => rows.filter((row) => row.change === change).map(({ uid }) => uid);
  const degree = series.map(({ t, degree }): [number, number] => [ticksOf(t), degree]);
  return {
    gained: whole(uids("gained").sort()),
    lost: whole(uids("lost").sort()),
    degree: degree.filter(([t]) => t !== right),
  };
}

export interface CoActiveRow {
  readonly a: EdgeRow;
  readonly b: EdgeRow;
}

/** coactive.narrow: sorted `[a, b]`, each `[src, dst, type, from, to]`. */
export function coActiveForm(rows: readonly CoActiveRow[]): Json {
  return whole(rows.map(({ a, b }) => [edgeFields(a), edgeFields(b)]).sort(compareRows));
}

export interface ResolveRow {
  readonly uid: string;
  readonly labels: readonly string[];
  readonly name: string | null;
  readonly tier: string;
  readonly on: string;
}

/** resolve.substr: sorted `[tier, uid, labels, name or null]`; tier 0 = uid equals, 1 = uid contains, 2 = name contains. */
export function resolveForm(rows: readonly ResolveRow[]): Json {
  const rank = ({ on, tier }: ResolveRow) => (on !== "uid" ? 2 : tier === "exact" ? 0 : 1);
  return whole(rows.map((row) => [rank(row), row.uid, row.labels, row.name]).sort(compareRows));
}

export interface AggregateRow {
  readonly type: string;
  readonly from: string;
  readonly count: number;
  readonly distinct_dst: number;
}

/** agg.rel_bucket: sorted `[type, bucket begin, count, distinct heads]`. */
export function aggregateForm(rows: readonly AggregateRow[]): Json {
  return whole(
    rows.map(({ type, from, count, distinct_dst }) => [type, ticksOf(from), count, distinct_dst]).sort(compareRows),
  );
}

export interface MotifRow {
  readonly motif: string;
  readonly count: number | bigint;
}

/** motif.filtered: the count. */
export function motifCountForm(rows: readonly MotifRow[]): Json {
  return Number(rows[0]?.count);
}

/** motifs36: sorted `[code, count]` of all 36. */
export function motifTableForm(rows: readonly MotifRow[]): Json {
  return rows.map(({ motif, count }): [string, number] => [motif, Number(count)]).sort(compareRows);
}
