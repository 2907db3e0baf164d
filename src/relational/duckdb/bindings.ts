// The C interface of DuckDB, loaded at the first statement: it costs tens of milliseconds that no other command should pay.
// Nothing else loads it; numbers of its types are named here, as its enums are values of the module that is not there yet.
import { createRequire } from "node:module";

export type Bindings = typeof import("@duckdb/node-bindings");
export type {
  Connection as DuckConnection,
  Database as DuckDatabase,
  DataChunk,
  LogicalType,
  PreparedStatement,
  Result as DuckResult,
  TableFunction,
  Vector,
} from "@duckdb/node-bindings";

export const TYPE = { boolean: 1, bigint: 5, double: 11, varchar: 17, list: 24, struct: 25 } as const;

/** Rows of a chunk: DuckDB's vectors are never longer. */
export const VECTOR_ROWS = 2048;

let loaded: Bindings | undefined;

export function bindings(): Bindings {
  loaded ??= createRequire(import.meta.url)("@duckdb/node-bindings") as Bindings;
  return loaded;
}
