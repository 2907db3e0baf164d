// A table of ours as a table of DuckDB: made, and filled by columns through an appender.
import { type DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";
import type { ColumnTable } from "../../columns/column.js";
import { Pace } from "../../event-loop/pace.js";
import { ChunkWriter, type DuckForm, SQL_TYPES } from "./chunk-writer.js";
import { quotedName } from "./select-given.js";

export interface AppendedColumn {
  readonly name: string;
  readonly form: DuckForm;
}

export interface TableName {
  readonly schema: string | null;
  readonly table: string;
}

export const quotedTable = ({ schema, table }: TableName): string =>
  schema === null ? quotedName(table) : `${quotedName(schema)}.${quotedName(table)}`;

export async function createTable(
  connection: DuckDBConnection,
  name: TableName,
  columns: readonly AppendedColumn[],
  how: "CREATE TABLE" | "CREATE OR REPLACE TABLE" | "CREATE TEMP TABLE",
): Promise<void> {
  const list = columns.map(({ name: column, form }) => `${quotedName(column)} ${SQL_TYPES[form]}`);
  await connection.run(`${how} ${quotedTable(name)} (${list.join(", ")})`);
}

/**
 * Appends all pieces; gives how many rows. `onRows` hears of each piece. After an error nothing more comes into the table:
 * an appender writes what it still holds when it is collected, long after the transaction was taken back, and into
 * whatever has the name then.
 */
export async function appendPieces(
  connection: DuckDBConnection,
  { schema, table }: TableName,
  columns: readonly AppendedColumn[],
  pieces: AsyncIterable<ColumnTable> | Iterable<ColumnTable>,
  onRows: (rows: number) => void = () => {},
): Promise<number> {
  const appender = await connection.createAppender(table, schema);
  const writer = new ChunkWriter(columns.map(({ form }) => form));
  const pace = new Pace();
  const rest = async (): Promise<void> => {
    if (pace.isDue) await pace.rest();
  };
  let rows = 0;
  try {
    for await (const piece of pieces) {
      await writer.write(piece, (chunk) => appender.appendDataChunk(new DuckDBDataChunk(chunk)), rest);
      rows += piece.rowCount;
      onRows(piece.rowCount);
    }
    appender.closeSync();
    return rows;
  } catch (error) {
    appender.clear();
    throw error;
  }
}
