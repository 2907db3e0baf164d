// What others may use of the relational part: types, schemas, the binder and the bound form of queries.

export { distinctNames, itemName } from "./binder/output-names.js";
export { bindQuery } from "./binder/query.js";
export type { BoundQuery, ColumnReference, OutputColumn, QueryTree, Source, TableSource } from "./bound.js";
export { FUNCTION_TABLE, type FunctionEntry } from "./functions/table.js";
export { type ColumnSort, type ColumnSorter, readsInAnyOrder, type SortRequest } from "./projection.js";
export { type RunOptions, runSelect, SelectResult } from "./run.js";
export type { ParameterValue, SchemaColumn, Scope, TableSchema } from "./schema.js";
export { readQuery, reducesRows } from "./text.js";
export {
  BOOL,
  DOUBLE,
  DURATION,
  INSTANT,
  INSTANT_OPEN,
  INT,
  INTERVAL,
  JSON_TYPE,
  listOf,
  mixedType,
  NULL_TYPE,
  PERIOD,
  type SimpleKind,
  STRING,
  sameType,
  scalarOf,
  type TqlType,
  typeName,
} from "./types.js";
