// Tables for tests: rows of plain values by column types, as the engine would make them by columns.
// A test names its tables, asks in TQL, and gets rows back.
import { parseSelect } from "../../grammar/index.js";
import type { Column, ColumnTable } from "../../src/columns/column.js";
import type { ScalarType } from "../../src/columns/types.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import type { PalimpsestError } from "../../src/contract/errors.js";
import type { JsonObject } from "../../src/contract/values.js";
import {
  type BoundQuery,
  bindQuery,
  type ParameterValue,
  type RunOptions,
  runSelect,
  type Scope,
  type SelectResult,
  type TableSchema,
} from "../../src/relational/index.js";

export type Value = string | number | bigint | boolean | null | object;
export interface TestTable {
  readonly types: Readonly<Record<string, ScalarType>>;
  /** Times are microseconds. */
  readonly rows: readonly (readonly Value[])[];
  readonly identity?: readonly string[];
}
export type TestTables = Readonly<Record<string, TestTable>>;

function bitsOf(cells: readonly Value[]): Uint8Array | null {
  if (!cells.includes(null)) return null;
  const bits = new Uint8Array(Math.ceil(cells.length / 8));
  for (const [i, cell] of cells.entries()) if (cell !== null) bits[i >> 3]! |= 1 << (i & 7);
  return bits;
}

function columnOf(type: ScalarType, cells: readonly Value[]): Column {
  const valid = bitsOf(cells);
  switch (type) {
    case "string":
    case "json": {
      const texts = cells.map((cell) => (cell === null ? null : type === "json" ? canonicalJson(cell) : String(cell)));
      const dictionary = [...new Set(texts.filter((text) => text !== null))];
      const places = new Map(dictionary.map((text, i) => [text, i]));
      return { type, codes: Int32Array.from(texts, (text) => (text === null ? -1 : places.get(text)!)), dictionary };
    }
    case "double":
      return { type, values: Float64Array.from(cells, (cell) => Number(cell)), valid };
    case "bool":
      return { type, values: Uint8Array.from(cells, (cell) => (cell === true ? 1 : 0)), valid };
    default:
      return { type, values: BigInt64Array.from(cells, (cell) => BigInt((cell ?? 0) as number | bigint)), valid };
  }
}

export function columnTable({ types, rows }: TestTable): ColumnTable {
  const columns = Object.entries(types).map(([name, type], i) => ({
    name,
    column: columnOf(
      type,
      rows.map((row) => row[i]!),
    ),
  }));
  return { rowCount: rows.length, columns };
}

const schemaOf = ({ types, identity }: TestTable): TableSchema => ({
  columns: Object.entries(types).map(([name, kind]) => ({ name, type: { kind } })),
  ...(identity && { identity }),
});

export interface Asked {
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly zone?: string;
  readonly options?: RunOptions;
  readonly scope?: Partial<Scope>;
}

export const NOW_US = 1_740_000_000_000_000n;

export function bound(text: string, tables: TestTables, asked: Asked = {}): BoundQuery {
  const { query, problem } = parseSelect(text);
  if (problem !== null) throw new Error(`${problem.code} ${problem.kind}: ${problem.message}`);
  return bindQuery(query, {
    table: (table) => {
      const name = table.kind === "named" && table.path.length === 1 ? table.path[0]!.text : "";
      return Object.hasOwn(tables, name) ? schemaOf(tables[name]!) : null;
    },
    tableNames: Object.keys(tables),
    parameters: asked.parameters ?? {},
    zone: asked.zone ?? "UTC",
    nowUs: NOW_US,
    ...asked.scope,
  });
}

const made = new WeakMap<TestTable, ColumnTable>();

export async function selected(text: string, tables: TestTables = {}, asked: Asked = {}): Promise<SelectResult> {
  const query = bound(text, tables, asked);
  return runSelect(
    query,
    ({ origin }) => {
      const table = tables[(origin as { readonly path: readonly { readonly text: string }[] }).path[0]!.text]!;
      const columns = made.get(table) ?? columnTable(table);
      made.set(table, columns);
      return columns;
    },
    asked.options,
  );
}

export const rowsOf = async (text: string, tables: TestTables = {}, asked: Asked = {}): Promise<JsonObject[]> =>
  (await selected(text, tables, asked)).rows();

/** The values of a query of one row and one column. */
export async function oneValue(text: string, tables: TestTables = {}, asked: Asked = {}): Promise<unknown> {
  const rows = await rowsOf(text, tables, asked);
  if (rows.length !== 1) throw new Error(`${rows.length} rows`);
  return Object.values(rows[0]!)[0];
}

/** The error of binding or running. */
export async function errorOf(text: string, tables: TestTables = {}, asked: Asked = {}): Promise<PalimpsestError> {
  try {
    await selected(text, tables, asked);
  } catch (error) {
    return error as PalimpsestError;
  }
  throw new Error(`no error: ${text}`);
}
