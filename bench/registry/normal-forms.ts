// The forms in which answers of different systems are compared, and their digests: plain JSON without internal numbers.
// Reads envelopes of this project's operators; written from the benchmark's definitions alone and independent of the engine.

import { createHash } from "node:crypto";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A list longer than this enters a form as its length and SHA-256. */
const LONGEST_LIST = 10_000;
const MICROSECONDS_PER_SECOND = 1_000_000;

/** One text per value: sorted keys, no spaces. Every name here is ASCII, where UTF-16 order is that of code points. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

export function answerDigest(answer: Json): string {
  return createHash("sha256").update(canonicalText(answer)).digest("hex");
}

/** A list as it is, or what stands for it when it is long. To be sorted before. */
export function whole(rows: readonly Json[]): Json {
  return rows.length <= LONGEST_LIST ? rows : { rows: rows.length, sha256: answerDigest(rows) };
}

/** Order of rows by their fields from the left; fields are strings or numbers, nested objects by canonical text. */
export function compareRows(a: readonly Json[], b: readonly Json[]): number {
  for (let column = 0; column < a.length; column++) {
    const left = comparable(a[column] as Json);
    const right = comparable(b[column] as Json);
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function comparable(field: Json): string | number {
  return typeof field === "string" || typeof field === "number" ? field : canonicalText(field);
}

/** An instant in output form as microseconds since 1970; exact, because the benchmark stays within 2^53 of them. */
export function ticksOf(instant: string): number {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{6}))?Z$/.exec(instant);
  if (parts === null) throw new Error(`not an instant in output form: ${instant}`);
  return Date.parse(`${parts[1]}Z`) * 1_000 + Number(parts[2] ?? "0");
}

/** The inverse of `ticksOf`, for arguments. */
export function instantOf(ticks: number): string {
  const second = Math.floor(ticks / MICROSECONDS_PER_SECOND);
  const fraction = String(ticks - second * MICROSECONDS_PER_SECOND).padStart(6, "0");
  return new Date(second * 1_000).toISOString().replace(".000Z", `.${fraction}Z`);
}

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
  const edges = rows.map((row) => [row.src, row.dst, row.type, ticksOf(row.valid_from), endTicks(row.valid_to)]);
  return {
    nodes: whole(nodes.map(({ uid, hop }) => [uid, hop]).sort(compareRows)),
    edges: whole(edges.sort(compareRows)),
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

export function byCanonicalText(rows: readonly Json[]): Json[] {
  const texts = new Map(rows.map((row) => [row, canonicalText(row)]));
  return [...rows].sort((a, b) => ((texts.get(a) as string) < (texts.get(b) as string) ? -1 : 1));
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

/** The first place where two forms differ, in words; null when they are equal. */
export function firstDifference(answer: Json, expected: Json, at = ""): string | null {
  if (canonicalText(answer) === canonicalText(expected)) return null;
  if (Array.isArray(answer) && Array.isArray(expected)) {
    const lengths = answer.length === expected.length ? "" : ` (${answer.length} rows, expected ${expected.length})`;
    for (let index = 0; index < Math.max(answer.length, expected.length); index++) {
      const found = firstDifference(answer[index] ?? null, expected[index] ?? null, `${at}[${index}]`);
      if (found !== null) return found + lengths;
    }
  }
  if (isObject(answer) && isObject(expected)) {
    for (const name of new Set([...Object.keys(answer), ...Object.keys(expected)])) {
      const found = firstDifference(answer[name] ?? null, expected[name] ?? null, `${at}.${name}`);
      if (found !== null) return found;
    }
  }
  const shown = (value: Json) => canonicalText(value).slice(0, 160);
  return `${at === "" ? "answer" : at}: ${shown(answer)}, expected ${shown(expected)}`;
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
