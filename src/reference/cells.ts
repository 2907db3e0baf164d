// Typed cells of a computed table: which type a column has, the order of its values, and `having`.
// Instants and durations stand in cells as text and are compared as time.

import { type Pred, passesPred } from "./filters.js";
import { parseDuration, parseInstant } from "./instants.js";
import type { Row } from "./lists.js";
import { canonicalText, compareText, type Value } from "./values.js";

export type CellType = "instant" | "duration" | "plain";
export type Columns = ReadonlyMap<string, CellType>;

const UNITS = { W: 168n * 3600n, D: 24n * 3600n, H: 3600n, M: 60n, S: 1n };

/** Any accepted exact duration, also weeks, days and short fractions; anything else is an error. */
function readDuration(text: string): bigint {
  const match = /^(-?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,6})0*)?S)?)?$/.exec(
    text,
  );
  if (match === null || !/\d/.test(text)) return parseDuration(text);
  const counts = match.slice(2, 7).map((digits) => BigInt(digits ?? 0));
  const seconds = Object.values(UNITS).reduce((sum, size, i) => sum + counts[i]! * size, 0n);
  const us = seconds * 1_000_000n + BigInt((match[7] ?? "").padEnd(6, "0"));
  return match[1] === "-" ? -us : us;
}

/** A cell, or a value held against one, as what it is compared by; undefined is what does not parse. */
function comparable(type: CellType, value: unknown): Value | undefined {
  if (type === "plain" || value === null) return value as Value;
  try {
    return type === "instant" ? parseInstant(value, { isEnd: true }) : readDuration(value as string);
  } catch {
    return undefined;
  }
}

/** null, bools, numbers, strings, arrays, objects. */
function rankOf(value: Value): number {
  if (value === null) return 0;
  if (typeof value === "object") return Array.isArray(value) ? 4 : 5;
  return { boolean: 1, number: 2, bigint: 2, string: 3 }[typeof value as "boolean" | "number" | "bigint" | "string"];
}

/** The first difference decides, then the shorter is first. */
function compareArrays(a: readonly Value[], b: readonly Value[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareValues(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareValues(a: Value, b: Value): number {
  if (rankOf(a) !== rankOf(b)) return rankOf(a) - rankOf(b);
  if (typeof a === "string") return compareText(a, b as string);
  if (Array.isArray(a)) return compareArrays(a, b as Value[]);
  if (a !== null && typeof a === "object") return compareText(canonicalText(a), canonicalText(b));
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

/** The standing order of two cells of a column, null first. */
export function compareCells(type: CellType, a: unknown, b: unknown): number {
  return compareValues(comparable(type, a) ?? null, comparable(type, b) ?? null);
}

export interface Ordering {
  readonly column: string;
  readonly desc: boolean;
  readonly nulls: "first" | "last";
}

/** `desc` turns the values, never the place of the nulls. */
export function compareBy(columns: Columns, { column, desc, nulls }: Ordering, a: Row, b: Row): number {
  const [left, right] = [a[column], b[column]];
  if (left === null || right === null) {
    if (left === right) return 0;
    return (left === null) === (nulls === "first") ? -1 : 1;
  }
  const order = compareCells(columns.get(column)!, left, right);
  return desc ? -order : order;
}

export interface Having {
  readonly column: string;
  readonly op: string;
  readonly value: unknown;
}

export function passesHaving(columns: Columns, { column, op, value }: Having, row: Row): boolean {
  const type = columns.get(column)!;
  const cell = comparable(type, row[column]);
  const isList = op === "in" || op === "between";
  const wanted =
    type !== "plain" && isList ? (value as unknown[]).map((one) => comparable(type, one)) : comparable(type, value);
  if (cell === undefined || wanted === undefined) return false;
  return passesPred({ cell }, { prop: "cell", op, value: wanted } as Pred);
}
