// IN over the rows of a query, with three truth values: a row that is equal makes it true, one that only NULL keeps from
// being equal makes it unknown. Equal rows are found by hashing; only rows with a NULL in them are compared one by one.
import { exactKey } from "../functions/sql.js";
import type { TqlType } from "../types.js";
import { duckType } from "./types.js";

/** One value of the row that is looked for, and the column of the query that it is compared with. */
export interface Member {
  readonly text: string;
  readonly type: TqlType;
  readonly column: TqlType;
}

/** The two sides in one type; a column of nothing but NULL takes the type beside it. */
function sides({ text, type, column }: Member, i: number): readonly [string, string] {
  const own = `q.c${i}`;
  if (type.kind === "int" && column.kind === "double") return [exactKey(text), own];
  if (type.kind === "double" && column.kind === "int") return [text, exactKey(own)];
  if (column.kind === "null" && type.kind !== "null") return [text, `${own}::${duckType(type)}`];
  return [text, own];
}

const all = (tests: readonly string[]): string => tests.join(" AND ");
const any = (tests: readonly string[]): string => `(${tests.join(" OR ")})`;

/** Whether some row of the query is equal; where none is, it may be unknown and is said to be false. */
export function isAmong(members: readonly Member[], query: string): string {
  const pairs = members.map(sides);
  if (pairs.length === 1) return `(${pairs[0]![0]} IN (SELECT ${pairs[0]![1]} FROM (${query}) AS q))`;
  const [left, right] = [0, 1].map((side) => pairs.map((pair) => pair[side]!));
  const known = all(right!.map((x) => `${x} IS NOT NULL`));
  const found = `row(${left!.join(", ")}) IN (SELECT row(${right!.join(", ")}) FROM (${query}) AS q WHERE ${known})`;
  return `(${all(left!.map((x) => `${x} IS NOT NULL`))} AND ${found})`;
}

/** The same with all its truth values. DuckDB has them for one column, and takes NULL in rows for a value. */
export function membership(members: readonly Member[], query: string): string {
  if (members.length === 1) return isAmong(members, query);
  const pairs = members.map(sides);
  const isUnknown = all(pairs.map(([x, y]) => any([`${x} = ${y}`, `${x} IS NULL`, `${y} IS NULL`])));
  const among = (rows: string): string => `EXISTS (SELECT 1 FROM (${query}) AS q WHERE ${rows} AND ${isUnknown})`;
  const hasNull = any(pairs.map(([x]) => `${x} IS NULL`));
  const rowHasNull = any(pairs.map(([, y]) => `${y} IS NULL`));
  return (
    `CASE WHEN ${isAmong(members, query)} THEN TRUE WHEN ${hasNull} THEN CASE WHEN ${among(hasNull)} THEN NULL ELSE FALSE END ` +
    `WHEN ${among(rowHasNull)} THEN NULL ELSE FALSE END`
  );
}
