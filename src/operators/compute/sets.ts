// distinct, and union, intersect, difference: rows as elements of sets, or of bags where all are kept.
// An element is the values of some columns; null is a value like any other.
import { type JsonObject, setOwn } from "../../contract/values.js";
import { toJson, type ValueType } from "../expressions/types.js";
import type { Turns } from "../turns.js";
import { Identities } from "./identities.js";
import { compareKeys, identityOfKey, type Key, keyReader, merge } from "./keys.js";
import { sortedPositions } from "./sorting.js";
import { type Columns, SCALAR, type Table, typesTogether } from "./table.js";
import { pageOf, type TableWork } from "./work.js";

const ROWS_AT_ONCE = 64;

function rowOf(key: Key, columns: readonly string[], types: readonly ValueType[]): JsonObject {
  const row: JsonObject = {};
  for (const [i, column] of columns.entries()) setOwn(row, column, toJson(key[i]!, types[i]!));
  return row;
}

const columnsOf = (columns: readonly string[], types: readonly ValueType[]): Columns =>
  new Map(columns.map((column, i) => [column, types[i]!]));

/** The elements of a table in the order in which they come first. */
export function distinctWork(table: Table, fields: readonly string[] | null): TableWork {
  const columns = fields ?? [...table.columns.keys()];
  const types = columns.map((column, i) => table.typeOf(column, `/fields/${i}`));
  return {
    kind: "table",
    columns: columnsOf(columns, types),
    async run(from, to, turns) {
      const readKey = keyReader(table, columns);
      const elements = new Identities();
      const keys: Key[] = [];
      for (let i = 0; i < table.count; i += 1) {
        const key = readKey(table.rows[i]!);
        const element = elements.numberOf(identityOfKey(key));
        if (element === keys.length) keys.push(key);
        else merge(keys[element]!, key);
        if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
      }
      return pageOf(keys.length, from, to, (i) => rowOf(keys[i]!, columns, types), turns);
    },
  };
}

export interface SetArguments {
  readonly fn: "union" | "intersect" | "difference";
  readonly fields: readonly string[] | null;
  readonly all: boolean;
}

/** The elements of two tables, and how often each is in the one and the other. */
interface Elements {
  readonly numbers: Identities;
  readonly keys: Key[];
  readonly counts: [number, number][];
}

/** How often an element is in the answer that is `left` and `right` times in the two tables. */
function timesIn(fn: SetArguments["fn"], all: boolean, [left, right]: readonly [number, number]): number {
  const times = { union: left + right, intersect: Math.min(left, right), difference: Math.max(0, left - right) }[fn];
  if (all) return times;
  return fn === "difference" && right > 0 ? 0 : Math.min(1, times);
}

/** All columns of both; a table without rows has none of its own. */
function allColumns(a: Table, b: Table): string[] {
  const names = new Set([...a.columns.keys(), ...b.columns.keys()]);
  return names.size === 0 ? [SCALAR] : [...names];
}

export function setWork(a: Table, b: Table, { fn, fields, all }: SetArguments): TableWork {
  const columns = fields ?? allColumns(a, b);
  const types = typesTogether(
    a,
    b,
    columns.map((column) => [column, column] as const),
    "/fields",
  );
  return {
    kind: "table",
    columns: columnsOf(columns, types),
    async run(from, to, turns) {
      const elements: Elements = { numbers: new Identities(), keys: [], counts: [] };
      await countInto(elements, a, columns, 0, turns);
      await countInto(elements, b, columns, 1, turns);
      const { keys, counts } = elements;
      const order = await sortedPositions(keys.length, (x, y) => compareKeys(keys[x]!, keys[y]!), turns);
      const shown: number[] = [];
      for (const [i, element] of order.entries()) {
        for (let times = timesIn(fn, all, counts[element]!); times > 0; times -= 1) shown.push(element);
        if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
      }
      return pageOf(shown.length, from, to, (i) => rowOf(keys[shown[i]!]!, columns, types), turns);
    },
  };
}

async function countInto(
  { numbers, keys, counts }: Elements,
  table: Table,
  columns: readonly string[],
  side: 0 | 1,
  turns: Turns,
): Promise<void> {
  const readKey = keyReader(table, columns);
  for (let i = 0; i < table.count; i += 1) {
    const key = readKey(table.rows[i]!);
    const element = numbers.numberOf(identityOfKey(key));
    if (element === keys.length) {
      keys.push(key);
      counts.push([0, 0]);
    } else merge(keys[element]!, key);
    counts[element]![side] += 1;
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
}
