// What others may use of the relational part: types, schemas, and the bound form of queries.
export type { BoundQuery, ColumnReference, OutputColumn, QueryTree, Source, TableSource } from "./bound.js";
export type { ParameterValue, SchemaColumn, Scope, TableSchema } from "./schema.js";
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
