// A store and a user's own connection of @duckdb/node-api: tables handed over by columns, in both directions.
import { DuckDBConnection } from "@duckdb/node-api";
import type { ColumnTable } from "../../columns/column.js";
import { PalimpsestError } from "../../contract/errors.js";
import { checkNames } from "../../store/option-checks.js";
import type { IngestResult } from "../../store/types.js";
import { type StoreTable, storeTables, type TableSource } from "../export/tables.js";
import { ingestTable, type TableTarget } from "../tables/ingest.js";
import { checkTableOptions, instantsOf, type TableIngestOptions } from "../tables/options.js";
import { appendPieces, createTable, type TableName } from "./append-table.js";
import { answerColumns, exportedColumns } from "./exported-columns.js";
import { queryReader } from "./query-reader.js";
import { quotedName } from "./select-given.js";
import { inTransaction } from "./transaction.js";

export interface DuckExportOptions {
  /** Names of the two tables, `nodes` and `edges` unless said; null leaves one out. */
  readonly nodes?: string | null;
  readonly edges?: string | null;
  /** Statements whose answers become tables, by the names of these; then `nodes` and `edges` are left out unless named. */
  readonly answers?: Readonly<Record<string, string>>;
  /** The schema that they are made in; it must be there. */
  readonly schema?: string;
  /** Takes the place of tables that are there; else they are E_STATE. */
  readonly overwrite?: boolean;
  /** `"tx:12"` or an instant; left out: the newest commit. */
  readonly pin?: string;
  /** All versions that were ever written, in place of those believed at the pin. */
  readonly history?: boolean;
  readonly signal?: AbortSignal;
}

export interface DuckExportResult {
  readonly tx: number;
  readonly txTime: string | null;
  /** Rows; null where the table was left out. */
  readonly nodes: number | null;
  readonly edges: number | null;
  /** Rows of each answer. */
  readonly answers: Readonly<Record<string, number>>;
}

/** An answer by columns, as statements give it. */
export interface AnswerByColumns {
  readonly head: { readonly columns: readonly { readonly name: string; readonly type: string }[] };
  readonly table: ColumnTable;
}
export type Ask = (text: string) => Promise<AnswerByColumns>;

export interface DuckImportOptions extends TableIngestOptions {
  /** The table that is read, or else `query`. */
  readonly table?: string;
  readonly schema?: string;
  /** A SELECT whose rows are read. */
  readonly query?: string;
}

const ROWS_PER_PIECE = 1 << 15;

function checkConnection(connection: unknown): asserts connection is DuckDBConnection {
  if (connection instanceof DuckDBConnection) return;
  throw new PalimpsestError("E_INVALID_ARG", "the connection is none of @duckdb/node-api, or of another copy of it", {
    hint: "install the version of @duckdb/node-api that this package depends on, so that there is one copy",
  });
}

function refuse(what: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", what, { hint });
}

function checkName(name: unknown, what: string): void {
  if (name === undefined || name === null) return;
  if (typeof name !== "string" || name === "" || name.includes("\0"))
    refuse(`${what} is the name of a table`, "give a text");
}

const shown = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split("\n")[0]!;

/** What DuckDB says of its own tables is the user's to read. */
function failed(error: unknown): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const text = shown(error);
  const isThere = /already exists/.test(text);
  return new PalimpsestError(isThere ? "E_STATE" : "E_UPSTREAM", `DuckDB: ${text}`, {
    details: { system: "duckdb" },
    hint: isThere ? "give other names, or overwrite: true" : "",
    cause: error,
  });
}

function checkExportOptions(options: DuckExportOptions): void {
  if (typeof options !== "object" || options === null) refuse("options are an object", "see DuckExportOptions");
  checkNames(options, ["nodes", "edges", "answers", "schema", "overwrite", "pin", "history", "signal"], "option");
  const { nodes, edges, schema, overwrite, answers = {} } = options;
  const isTexts =
    typeof answers === "object" && answers !== null && Object.values(answers).every((text) => typeof text === "string");
  if (!isTexts) refuse("answers are statements by the names of their tables", 'give {reached: "SELECT …"}');
  for (const name of Object.keys(answers)) checkName(name, "each of answers");
  checkName(nodes, "nodes");
  checkName(edges, "edges");
  checkName(schema, "schema");
  if (overwrite !== undefined && typeof overwrite !== "boolean")
    refuse("overwrite is true or false", "see DuckExportOptions");
  if ((nodes ?? "nodes") === (edges ?? "edges")) refuse("nodes and edges are two tables", "give them different names");
}

/** DuckDB knows no difference between names that only case tells apart. */
function checkCases(columns: readonly { readonly name: string }[]): void {
  const seen = new Map<string, string>();
  for (const { name } of columns) {
    const other = seen.get(name.toLowerCase());
    if (other !== undefined) {
      const both = `${JSON.stringify(other)} and ${JSON.stringify(name)}`;
      refuse(`columns ${both} are one name to DuckDB`, "select them under names of their own, by answers");
    }
    seen.set(name.toLowerCase(), name);
  }
}

/** The text as one SELECT: what closes our parenthesis, or goes on behind a semicolon, is none. */
async function oneSelect(connection: DuckDBConnection, query: string): Promise<string> {
  const { count } = await connection.extractStatements(query).catch((error: unknown) => {
    throw failed(error);
  });
  if (count !== 1) refuse(`query is one SELECT, and not ${count} statements`, "run the others by themselves");
  // A comment at its end must not take the parenthesis with it.
  return `(${query.replace(/[\s;]+$/, "")}\n)`;
}

/** Makes the tables of a store in DuckDB, both or none. */
export async function exportToDuck(
  source: TableSource,
  ask: Ask,
  connection: unknown,
  options: DuckExportOptions = {},
): Promise<DuckExportResult> {
  checkConnection(connection);
  checkExportOptions(options);
  const { pin, history, signal, schema = null, overwrite } = options;
  const tables = await storeTables(source, { pin, history, signal });
  const how = overwrite === true ? "CREATE OR REPLACE TABLE" : "CREATE TABLE";
  const whole = options.answers === undefined;
  const write = async (table: StoreTable, given: string | null | undefined): Promise<number | null> => {
    const name = given === undefined && whole ? table.name : (given ?? null);
    if (name === null) return null;
    const target: TableName = { schema, table: name };
    const columns = exportedColumns(table);
    checkCases(columns);
    await createTable(connection, target, columns, how);
    return appendPieces(connection, target, columns, table.pieces());
  };
  const writeAnswer = async (name: string, text: string): Promise<number> => {
    const answer = await ask(text);
    const target: TableName = { schema, table: name };
    const columns = answerColumns(answer);
    checkCases(columns);
    await createTable(connection, target, columns, how);
    return appendPieces(connection, target, columns, [answer.table]);
  };
  try {
    return await inTransaction(connection, async () => {
      const nodes = await write(tables.nodes, options.nodes);
      const edges = await write(tables.edges, options.edges);
      const answers: Record<string, number> = {};
      for (const [name, text] of Object.entries(options.answers ?? {})) answers[name] = await writeAnswer(name, text);
      return { tx: tables.tx, txTime: tables.txTime, nodes, edges, answers };
    });
  } catch (error) {
    throw failed(error);
  } finally {
    tables.close();
  }
}

/** Takes a table of DuckDB, or the rows of a SELECT, into a store: read as `ingest` reads an Arrow table. */
export async function importFromDuck(
  target: TableTarget,
  connection: unknown,
  options: DuckImportOptions,
): Promise<IngestResult> {
  checkConnection(connection);
  if (typeof options !== "object" || options === null) refuse("options are an object", "give {table} or {query}");
  const { table, schema, query, ...rest } = options;
  if ((table === undefined) === (query === undefined))
    refuse("a table or a query is read", "give one of {table} and {query}");
  checkName(table, "table");
  checkName(schema, "schema");
  if (query !== undefined && (typeof query !== "string" || query.trim() === ""))
    refuse("query is a SELECT", "give a text");
  checkTableOptions(rest);
  const from =
    table === undefined
      ? await oneSelect(connection, query!)
      : `${schema === undefined ? "" : `${quotedName(schema)}.`}${quotedName(table)}`;
  return inTransaction(connection, async () => {
    const reader = await queryReader(connection, from, {
      name: table === undefined ? "the query" : `the table ${table}`,
      zone: instantsOf(rest).zone,
      rowsPerPiece: ROWS_PER_PIECE,
      failed,
      close: async () => {},
    });
    return ingestTable(target, reader, rest);
  }).catch((error: unknown) => {
    throw failed(error);
  });
}
