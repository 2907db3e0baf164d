// The tables and parameters of `select`: their types as the binder takes them, and rows given inline by columns.
import type { ColumnTable } from "../columns/column.js";
import { columnsOfRows } from "../columns/columns-of-rows.js";
import type { ScalarType } from "../columns/types.js";
import { PalimpsestError } from "../contract/errors.js";
import { parseInstant } from "../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import {
  INSTANT,
  JSON_TYPE,
  listOf,
  mixedType,
  NULL_TYPE,
  type ParameterValue,
  type Scope,
  type TableSchema,
  type TqlType,
} from "../relational/index.js";
import type { ColumnTypes, Upstream } from "./declaration.js";
import { mixed, typeOfValue, type ValueType } from "./expressions/types.js";

export interface SelectTable {
  readonly schema: TableSchema;
  readonly table: ColumnTable;
}

/** A step's events have a number, which tells those of one instant apart. */
function identityOf(types: ColumnTypes): string[] {
  return types.seq === "int" && types.at === "instant" ? ["seq"] : [];
}

/** A table whose columns have these types; of an unknown one every name may be a column. */
export function schemaOf(name: string, types: ColumnTypes | undefined): TableSchema {
  if (types === undefined) return { columns: [], column: () => NULL_TYPE, shown: name };
  const columns = Object.entries(types).map(([column, kind]) => ({ name: column, type: { kind } as TqlType }));
  return { columns, identity: identityOf(types), shown: name };
}

function wrongRows(path: string, message: string): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", `${path}: ${message}`, {
    details: { path },
    hint: "give an array of objects",
  });
}

/** Types of inline rows, by what is in them. */
function foundTypes(name: string, rows: readonly JsonValue[]): Record<string, ValueType> {
  // Columns have names of the caller, such as constructor.
  const types = Object.create(null) as Record<string, ValueType>;
  for (const [i, row] of rows.entries()) {
    if (typeof row !== "object" || row === null || Array.isArray(row))
      throw wrongRows(`/tables/${name}/${i}`, "not an object");
    for (const [column, value] of Object.entries(row)) {
      const type = typeOfValue(value);
      const both = mixed(types[column] ?? "null", type);
      if (both === undefined)
        throw wrongRows(`/tables/${name}/${i}/${column}`, `${type}, where the rows before have ${types[column]}`);
      types[column] = both;
    }
  }
  return types;
}

const heldAs = (type: ValueType): ScalarType => (type === "null" ? "json" : type);

/** The tables of a call: inline rows, and those that a plan hands over. */
export async function tablesOf(given: JsonObject, upstream: Upstream): Promise<Map<string, SelectTable>> {
  const tables = new Map<string, SelectTable>();
  for (const [name, rows] of Object.entries(given)) {
    const { tables: all = {} } = upstream;
    const handed = Object.hasOwn(all, name) ? all[name] : undefined;
    if (handed !== undefined) {
      const types = Object.fromEntries(handed.columns.map(({ name: column, column: { type } }) => [column, type]));
      tables.set(name, { schema: schemaOf(name, types), table: handed });
    } else if (Array.isArray(rows)) {
      const types = foundTypes(name, rows);
      const typed = Object.entries(types).map(([column, type]) => ({ name: column, type: heldAs(type) }));
      const table = await columnsOfRows(rows as JsonObject[], typed, `/tables/${name}`);
      tables.set(name, { schema: schemaOf(name, types), table });
    } else {
      throw new PalimpsestError("E_INVALID_ARG", `/tables/${name}: only a plan hands a step's rows over`, {
        details: { path: `/tables/${name}` },
        hint: "give the rows as an array of objects, or run a plan",
      });
    }
  }
  return tables;
}

// ---------------------------------------------------------------- parameters

const isReference = (value: JsonValue): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).join() === "$ref";

const isInstant = (value: JsonValue): value is { us: number | bigint } =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).join() === "us";

/** A value by what it is: `{us}` is an instant, an array a list where its members mix. */
export function parameterValue(value: JsonValue, path: string): ParameterValue {
  // What an earlier step of a plan will give.
  if (isReference(value)) return { type: NULL_TYPE, value: null };
  if (isInstant(value)) return { type: INSTANT, value: parseInstant(value, path) };
  if (!Array.isArray(value)) return { type: { kind: typeOfValue(value) }, value };
  const members = value.map((member, i) => parameterValue(member, `${path}/${i}`));
  let type: TqlType | undefined = NULL_TYPE;
  for (const member of members) type = type === undefined ? undefined : mixedType(type, member.type);
  if (type === undefined) return { type: JSON_TYPE, value };
  return { type: listOf(type), value: members.map((member) => member.value) };
}

/** What the binder is told of a call; the clock is no part of an operator's arguments, so there is none. */
export function scopeOf(schemas: ReadonlyMap<string, TableSchema>, args: JsonObject): Scope {
  const params = Object.entries(args.params as JsonObject);
  return {
    table: (table) =>
      table.kind === "named" && table.path.length === 1 ? (schemas.get(table.path[0]!.text) ?? null) : null,
    tableNames: [...schemas.keys()],
    parameters: Object.fromEntries(params.map(([name, value]) => [name, parameterValue(value, `/params/${name}`)])),
    zone: (args.zone as string | undefined) ?? "UTC",
    nowUs: null,
  };
}
