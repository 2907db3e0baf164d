// compute by brute force, from the words of docs/contract.md O13 alone: arrays, no pages, no slices.
// Statistics come from the reference engine; values, orders and everything else are written here.

import { canonicalJson } from "../../src/contract/canonical.js";
import { formatDuration, parseDuration } from "../../src/contract/duration.js";
import { formatInstant } from "../../src/contract/instant.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import {
  deviationOf,
  deviationTime,
  meanOf,
  meanTime,
  medianOf,
  medianTime,
  sumOf,
} from "../../src/reference/statistics.js";

export type Type = "int" | "double" | "string" | "bool" | "instant" | "instant_open" | "duration" | "json";
export type Types = Readonly<Record<string, Type>>;
// biome-ignore lint/suspicious/noExplicitAny: a row is whatever a caller gives
export type Row = Record<string, any>;

export const FOREVER = 2n ** 62n;

/** A value as it is compared: times in microseconds. */
export function comparable(given: unknown, type: Type): unknown {
  if (type === "instant_open" && (given === null || given === undefined)) return FOREVER;
  if (given === null || given === undefined) return null;
  if (type === "duration") return parseDuration(given, "");
  return type === "instant" || type === "instant_open" ? parseInstant(given, "") : given;
}

function shown(value: unknown, type: Type): unknown {
  if (value === null || value === FOREVER) return null;
  if (type === "duration") return formatDuration(value as bigint);
  return type === "instant" || type === "instant_open" ? formatInstant(value as bigint) : value;
}

const rank = (value: unknown): number => {
  if (value === null) return 0;
  return { boolean: 1, number: 2, bigint: 2, string: 3 }[typeof value as string] ?? 4;
};

const byCodePoint = (a: string, b: string): number => {
  const [left, right] = [Array.from(a, (c) => c.codePointAt(0)!), Array.from(b, (c) => c.codePointAt(0)!)];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1)
    if (left[i] !== right[i]) return left[i]! - right[i]!;
  return left.length - right.length;
};

export function compare(a: unknown, b: unknown): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (rank(a) === 3) return byCodePoint(a as string, b as string);
  if (rank(a) === 4) return byCodePoint(canonicalJson(a), canonicalJson(b));
  return a === b ? 0 : (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0;
}

const compareLists = (a: unknown[], b: unknown[]): number => {
  for (let i = 0; i < a.length; i += 1) if (compare(a[i], b[i]) !== 0) return compare(a[i], b[i]);
  return 0;
};

/** Of equal numbers an int64 comes before a double. */
const preferred = (values: unknown[]): unknown => values.find((value) => typeof value === "bigint") ?? values[0];

export class PlainCompute {
  constructor(private readonly types: Types) {}

  private value(row: Row, column: string): unknown {
    return comparable(row[column], this.types[column]!);
  }
  private key(row: Row, columns: string[]): unknown[] {
    return columns.map((column) => this.value(row, column));
  }

  aggregate(rows: Row[], fn: string, field: string | null, p = 0): unknown {
    if (field === null) return fn === "count" ? rows.length : new Set(rows.map((row) => canonicalJson(row))).size;
    const type = this.types[field]!;
    // biome-ignore lint/suspicious/noExplicitAny: numbers or times, as the function asks
    const values: any[] = rows.map((row) => this.value(row, field)).filter((value) => value !== null);
    const isTime = type === "instant" || type === "instant_open" || type === "duration";
    const bigFirst = (a: unknown, b: unknown) => Number(typeof b === "bigint") - Number(typeof a === "bigint");
    const sorted = [...values].sort((a, b) => compare(a, b) || bigFirst(a, b));
    const at = (i: number): unknown => preferred(values.filter((value) => compare(value, sorted[i]) === 0));
    if (fn === "count") return values.length;
    if (fn === "count_distinct")
      return sorted.filter((value, i) => i === 0 || compare(value, sorted[i - 1]) !== 0).length;
    if (values.length === 0) return null;
    if (fn === "min") return shown(at(0), type);
    if (fn === "max") return shown(at(sorted.length - 1), type);
    // p has at most one decimal here.
    if (fn === "percentile") {
      const rank = Math.ceil(Math.round(values.length * p * 10) / 1000);
      return shown(sorted[Math.max(1, rank) - 1], type);
    }
    const hasForever = values.includes(FOREVER);
    if (fn === "median") {
      const half = (values.length - 1) / 2;
      const middle = Number.isInteger(half) ? sorted[half] : null;
      if (middle !== null) return shown(middle, type);
      if (!isTime) return medianOf(values);
      return sorted[Math.ceil(half)] === FOREVER && sorted[Math.floor(half)] !== FOREVER
        ? null
        : shown(medianTime(values), type);
    }
    if (hasForever) return null;
    if (fn === "sum") return isTime ? formatDuration(values.reduce((a, b) => a + b, 0n)) : sumOf(values);
    if (fn === "mean") return isTime ? shown(meanTime(values), type) : meanOf(values);
    return isTime ? formatDuration(deviationTime(values)!) : deviationOf(values);
  }

  groups(rows: Row[], by: string[]): { key: Row; rows: Row[] }[] {
    const groups: Row[][] = [];
    for (const row of rows) {
      const group = groups.find((each) => compareLists(this.key(each[0]!, by), this.key(row, by)) === 0);
      if (group === undefined) groups.push([row]);
      else group.push(row);
    }
    groups.sort((a, b) => compareLists(this.key(a[0]!, by), this.key(b[0]!, by)));
    return groups.map((group) => ({ key: this.element(group, by), rows: group }));
  }

  /** The columns of rows that are equal in them. */
  private element(rows: Row[], columns: string[]): Row {
    return Object.fromEntries(columns.map((column) => [column, preferred(rows.map((row) => row[column] ?? null))]));
  }

  sort(rows: Row[], order: { field: string; desc: boolean }[]): Row[] {
    return [...rows].sort((a, b) => {
      for (const { field, desc } of order) {
        const [x, y] = [this.value(a, field), this.value(b, field)];
        const by = compare(x, y);
        if (by !== 0) return x === null || y === null || !desc ? by : -by;
      }
      return byCodePoint(canonicalJson(a), canonicalJson(b));
    });
  }

  /** Sorted rows of each group, cut, in the order over all. */
  top(sorted: Row[], by: string[], count: (size: number) => number, side: "top" | "bottom"): Row[] {
    const kept = new Set<Row>();
    for (const group of this.groups(sorted, by)) {
      const size = Math.min(group.rows.length, count(group.rows.length));
      for (const row of side === "top" ? group.rows.slice(0, size) : group.rows.slice(group.rows.length - size))
        kept.add(row);
    }
    return sorted.filter((row) => kept.has(row));
  }

  distinct(rows: Row[], fields: string[]): Row[] {
    const first: Row[][] = [];
    for (const row of rows) {
      const same = first.find((each) => compareLists(this.key(each[0]!, fields), this.key(row, fields)) === 0);
      if (same === undefined) first.push([row]);
      else same.push(row);
    }
    return first.map((same) => this.element(same, fields));
  }

  set(fn: string, left: Row[], right: Row[], fields: string[], all: boolean): Row[] {
    const both = this.groups([...left, ...right], fields);
    return both.flatMap(({ key, rows }) => {
      const [l, r] = [
        rows.filter((row) => left.includes(row)).length,
        rows.filter((row) => right.includes(row)).length,
      ];
      const bag = fn === "union" ? l + r : fn === "intersect" ? Math.min(l, r) : Math.max(0, l - r);
      const isIn = fn === "union" ? l + r > 0 : fn === "intersect" ? l > 0 && r > 0 : l > 0 && r === 0;
      return Array(all ? bag : Number(isIn)).fill(key);
    });
  }

  join(left: Row[], right: Row[], on: [string, string][], how: string, prefix: string): Row[] {
    const keys = on.map(([, key]) => key);
    const columns = Object.keys(right[0] ?? {}).filter((column) => !keys.includes(column));
    return left.flatMap((row) => {
      const found = right.filter((other) =>
        on.every(([a, b]) => {
          const [x, y] = [this.value(row, a), this.value(other, b)];
          return x !== null && y !== null && compare(x, y) === 0;
        }),
      );
      if (how === "semi") return found.length > 0 ? [row] : [];
      if (how === "anti") return found.length > 0 ? [] : [row];
      const added = (other: Row | null) =>
        Object.fromEntries(
          columns.map((column) => [column in row ? `${prefix}${column}` : column, other?.[column] ?? null]),
        );
      const matched = found.length === 0 && how === "left" ? [null] : found;
      return matched.map((other) => ({ ...row, ...added(other) }));
    });
  }
}
