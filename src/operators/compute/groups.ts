// Aggregates over all rows or per group: rows are put to their groups once, then each group is measured in turn.
import type { JsonObject } from "../../contract/values.js";
import { setOwn } from "../../contract/values.js";
import { toJson, type Value, type ValueType } from "../expressions/types.js";
import type { Turns } from "../turns.js";
import type { Aggregate } from "./aggregates.js";
import { Identities } from "./identities.js";
import { compareKeys, identityOfKey, type Key, keyReader, merge } from "./keys.js";
import { sortedPositions } from "./sorting.js";
import type { Table } from "./table.js";
import type { TableWork, ValueWork } from "./work.js";

const ROWS_AT_ONCE = 64;

/** The aggregate of the rows at these positions, null where no value takes part. */
async function measure(
  table: Table,
  positions: Uint32Array | null,
  aggregate: Aggregate,
  turns: Turns,
): Promise<Value> {
  const accumulator = aggregate.start();
  const count = positions?.length ?? table.count;
  for (let i = 0; i < count; i += 1) {
    const value = aggregate.read(table.rows[positions === null ? i : positions[i]!]!);
    if (value !== null) accumulator.add(value);
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  return accumulator.finish(turns);
}

export function ofAll(table: Table, aggregate: Aggregate): ValueWork {
  return {
    kind: "value",
    type: aggregate.type,
    async run(turns) {
      const value = await measure(table, null, aggregate, turns);
      return { value: toJson(value, aggregate.type), type: value === null ? "null" : aggregate.type };
    },
  };
}

export interface Groups {
  readonly count: number;
  /** Groups are in the order of their keys. */
  keyOf(group: number): Key;
  /** Positions of the rows of a group, in their order. */
  rowsOf(group: number): Uint32Array;
}

/** Puts rows to groups. Grouping holds one number per row and one key per group. */
export async function groupRows(table: Table, columns: readonly string[], turns: Turns): Promise<Groups> {
  const readKey = keyReader(table, columns);
  const groups = new Identities();
  const keys: Key[] = [];
  const sizes: number[] = [];
  const groupOf = new Uint32Array(table.count);
  for (let i = 0; i < table.count; i += 1) {
    const key = readKey(table.rows[i]!);
    const group = groups.numberOf(identityOfKey(key));
    if (group === keys.length) {
      keys.push(key);
      sizes.push(0);
    } else merge(keys[group]!, key);
    sizes[group]! += 1;
    groupOf[i] = group;
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  const begins = new Uint32Array(keys.length + 1);
  for (let group = 0; group < keys.length; group += 1) begins[group + 1] = begins[group]! + sizes[group]!;
  const next = begins.slice();
  const rows = new Uint32Array(table.count);
  for (let i = 0; i < table.count; i += 1) {
    rows[next[groupOf[i]!]!++] = i;
    if (i % ROWS_AT_ONCE === 0 && turns.isDue) await turns.rest();
  }
  const order = await sortedPositions(keys.length, (a, b) => compareKeys(keys[a]!, keys[b]!), turns);
  return {
    count: keys.length,
    keyOf: (place) => keys[order[place]!]!,
    rowsOf: (place) => rows.subarray(begins[order[place]!]!, begins[order[place]! + 1]!),
  };
}

export interface NamedAggregate {
  readonly as: string;
  readonly aggregate: Aggregate;
}

/** One row per group, by key; only the groups of the page are measured. */
export function perGroup(
  table: Table,
  by: readonly string[],
  types: readonly ValueType[],
  aggregates: readonly NamedAggregate[],
): TableWork {
  return {
    kind: "table",
    columns: new Map([
      ...by.map((column, i) => [column, types[i]!] as const),
      ...aggregates.map(({ as, aggregate }) => [as, aggregate.type] as const),
    ]),
    async run(from, to, turns) {
      const groups = await groupRows(table, by, turns);
      const rows: JsonObject[] = [];
      for (let place = from; place < Math.min(to, groups.count); place += 1) {
        const row: JsonObject = {};
        for (const [i, column] of by.entries()) setOwn(row, column, toJson(groups.keyOf(place)[i]!, types[i]!));
        for (const { as, aggregate } of aggregates) {
          setOwn(row, as, toJson(await measure(table, groups.rowsOf(place), aggregate, turns), aggregate.type));
        }
        rows.push(row);
      }
      return { rows, total: groups.count };
    },
  };
}
