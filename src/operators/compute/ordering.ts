// sort and topk: rows by the columns of `order`, then by the canonical JSON of the row. Null comes first, also descending.
import { canonicalJson } from "../../contract/canonical.js";
import { compareValues, type Value, type ValueType } from "../expressions/types.js";
import { ceilOf, percentFraction } from "../numbers/fractions.js";
import type { Turns } from "../turns.js";
import { groupRows } from "./groups.js";
import { hasSurrogate, sortedPositions, sortTies } from "./sorting.js";
import type { Table } from "./table.js";
import { pageOf, type TableWork } from "./work.js";

export interface OrderItem {
  readonly field: string;
  readonly desc: boolean;
}

const ROWS_AT_ONCE = 64;

type Compare = (a: number, b: number) => number;

interface Criterion {
  readonly type: ValueType;
  readonly read: ReturnType<Table["reader"]>;
  readonly sign: number;
}

function criteriaOf(table: Table, order: readonly OrderItem[]): Criterion[] {
  return order.map(({ field, desc }, i) => {
    const type = table.typeOf(field, `/order/${i}/field`);
    return { type, read: table.reader(field, type), sign: desc ? -1 : 1 };
  });
}

/** The order of values of one class, texts without surrogates among them: several times faster than by code point. */
function compareAlike(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Keys {
  readonly values: readonly Value[];
  readonly compare: (a: Value, b: Value) => number;
  readonly sign: number;
}

/** The values of a criterion, read once. */
async function keysOf(table: Table, { type, read, sign }: Criterion, turns: Turns): Promise<Keys> {
  const values: Value[] = [];
  let isAlike = type !== "json";
  for (const row of table.rows) {
    const value = read(row);
    if (typeof value === "string") isAlike &&= !hasSurrogate(value);
    values.push(value);
    if (values.length % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  return { values, compare: isAlike ? compareAlike : compareValues, sign };
}

/** Compares rows by their positions. */
async function comparer(table: Table, criteria: readonly Criterion[], turns: Turns): Promise<Compare> {
  const columns: Keys[] = [];
  for (const criterion of criteria) columns.push(await keysOf(table, criterion, turns));
  return (a, b) => {
    for (const { values, compare, sign } of columns) {
      const [left, right] = [values[a]!, values[b]!];
      const order = compare(left, right);
      if (order !== 0) return left === null || right === null ? order : sign * order;
    }
    return 0;
  };
}

async function ordered(table: Table, criteria: readonly Criterion[], turns: Turns): Promise<Uint32Array> {
  const compare = await comparer(table, criteria, turns);
  const sorted = await sortedPositions(table.count, compare, turns);
  await sortTies(sorted, compare, (position) => canonicalJson(table.shown(table.rows[position]!)), turns);
  return sorted;
}

export function sortWork(table: Table, order: readonly OrderItem[]): TableWork {
  const criteria = criteriaOf(table, order);
  return {
    kind: "table",
    columns: table.columns,
    async run(from, to, turns) {
      const sorted = await ordered(table, criteria, turns);
      return pageOf(sorted.length, from, to, (i) => table.shown(table.rows[sorted[i]!]!), turns);
    },
  };
}

export interface TopArguments {
  readonly order: readonly OrderItem[];
  readonly k: number | null;
  readonly pct: number | null;
  readonly side: "top" | "bottom";
  readonly by: readonly string[] | null;
}

/** The first or last `k`, or `pct` percent, of all rows or of each group. The rows keep the order over all. */
export function topWork(table: Table, { order, k, pct, side, by }: TopArguments): TableWork {
  const criteria = criteriaOf(table, order);
  for (const [i, column] of (by ?? []).entries()) table.typeOf(column, `/by/${i}`);
  const share = pct === null ? null : percentFraction(pct);
  const taken = (count: number): number => Math.min(count, share === null ? k! : ceilOf(count, share));
  return {
    kind: "table",
    columns: table.columns,
    async run(from, to, turns) {
      const sorted = await ordered(table, criteria, turns);
      const chosen = await choose(table, sorted, by ?? [], side, taken, turns);
      return pageOf(chosen.length, from, to, (i) => table.shown(table.rows[chosen[i]!]!), turns);
    },
  };
}

async function choose(
  table: Table,
  sorted: Uint32Array,
  by: readonly string[],
  side: "top" | "bottom",
  taken: (count: number) => number,
  turns: Turns,
): Promise<ArrayLike<number>> {
  if (by.length === 0) {
    const count = taken(sorted.length);
    return side === "top" ? sorted.subarray(0, count) : sorted.subarray(sorted.length - count);
  }
  const groups = await groupRows(table, by, turns);
  const groupOf = new Uint32Array(table.count);
  const left: number[] = [];
  for (let group = 0; group < groups.count; group += 1) {
    const rows = groups.rowsOf(group);
    left.push(taken(rows.length));
    for (let i = 0; i < rows.length; i += 1) {
      groupOf[rows[i]!] = group;
      if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
    }
  }
  const chosen: number[] = [];
  for (let i = 0; i < sorted.length; i += 1) {
    const position = sorted[side === "top" ? i : sorted.length - 1 - i]!;
    const group = groupOf[position]!;
    if (left[group]! > 0) chosen.push(position);
    left[group]! -= 1;
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  return side === "top" ? chosen : chosen.reverse();
}
