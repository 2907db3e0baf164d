// A store at a pin into files: `nodes.EXT` and `edges.EXT`, rows in the order of the store digest.
// Both files appear when both are whole; nothing that is there is overwritten unless that is asked for.
import { existsSync } from "node:fs";
import { rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ColumnTable } from "../../columns/column.js";
import { PalimpsestError } from "../../contract/errors.js";
import { readGiven } from "../../contract/given.js";
import { Pace } from "../../event-loop/pace.js";
import { checkCancelled } from "../../operators/cancellation.js";
import { checkNames } from "../../store/option-checks.js";
import { isGzip } from "../byte-source.js";
import { delimitedText } from "./delimited.js";
import { ExportFile } from "./export-file.js";
import { EXPORT_FORMATS, type ExportFormat, type TextExportFormat } from "./formats.js";
import { jsonLines } from "./json-lines.js";
import { makeFolders } from "./make-folders.js";
import { alreadyThere } from "./put-in-place.js";
import { type StoreTable, storeTables, type TableSource } from "./tables.js";

/** A format of text: a header, and each row of a piece. */
interface TextFormat {
  header(table: StoreTable): string;
  rows(table: StoreTable, piece: ColumnTable): (row: number) => string;
}

const WRITERS: Readonly<Record<TextExportFormat, TextFormat>> = {
  csv: delimitedText(","),
  tsv: delimitedText("\t"),
  jsonl: jsonLines,
};

export interface ExportOptions {
  /** By the name of a single file, else csv. */
  readonly format?: ExportFormat | undefined;
  /** One of the two tables alone; then the destination may be the name of its file. */
  readonly only?: "nodes" | "edges" | undefined;
  /** `"tx:12"` or an instant; left out: the newest commit. */
  readonly pin?: string | undefined;
  /** Versions that are no longer believed too, with tx_to, ended_by and ended_reason. */
  readonly history?: boolean | undefined;
  /** Packs the files; a name that ends in .gz says so too. */
  readonly gzip?: boolean | undefined;
  /** Whether files that are there may be replaced. */
  readonly overwrite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Hears how many rows were written, of how many. */
  readonly onRows?: ((written: number, total: number) => void) | undefined;
}

export interface ExportResult {
  readonly tx: number;
  readonly txTime: string | null;
  /** Rows written; null where the table was not asked for. */
  readonly nodes: number | null;
  readonly edges: number | null;
  readonly files: readonly string[];
}

function refuse(what: string, hint: string, details: Record<string, unknown> = {}): never {
  throw new PalimpsestError("E_INVALID_ARG", what, { details, hint });
}

const OPTIONS = ["format", "only", "pin", "history", "gzip", "overwrite", "signal", "onRows"];

function checkOptions(dest: unknown, options: ExportOptions): void {
  const see = "see ExportOptions";
  if (typeof dest !== "string" || dest === "" || dest.includes("\0")) refuse("the destination is a path", see);
  if (typeof options !== "object" || options === null) refuse("options are an object", see);
  checkNames(options, OPTIONS, "option");
  const { format, only, onRows } = options;
  if (format !== undefined && !EXPORT_FORMATS.includes(format)) {
    refuse(`${JSON.stringify(format)} is no format of an export`, `formats are ${EXPORT_FORMATS.join(", ")}`);
  }
  if (only !== undefined && only !== "nodes" && only !== "edges") refuse('only is "nodes" or "edges"', see);
  for (const name of ["history", "gzip", "overwrite"] as const) {
    if (options[name] !== undefined && typeof options[name] !== "boolean") refuse(`${name} is true or false`, see);
  }
  if (onRows !== undefined && typeof onRows !== "function") refuse("onRows is a function", see);
}

/** The format that a name ends in, `.gz` apart; undefined where it says none. */
function formatOf(name: string): ExportFormat | undefined {
  const bare = isGzip(name) ? name.slice(0, -3) : name;
  return EXPORT_FORMATS.find((format) => bare.toLowerCase().endsWith(`.${format}`));
}

function checkPacked(format: ExportFormat): void {
  if (format === "parquet" || format === "arrow") refuse(`${format} is not packed with gzip`, "leave gzip out");
}

interface Target {
  readonly table: "nodes" | "edges";
  readonly path: string;
}

interface Destination {
  readonly format: ExportFormat;
  readonly targets: readonly Target[];
  /** Null where the destination is one file. */
  readonly folder: string | null;
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

async function destinationOf(dest: string, options: ExportOptions): Promise<Destination> {
  const named = (await isFolder(dest)) ? undefined : formatOf(dest);
  if (named !== undefined) {
    if (options.only === undefined) {
      refuse(`${dest} is one file, and nodes and edges are two`, "name a folder, or ask for nodes or edges alone");
    }
    if (options.format !== undefined && options.format !== named) {
      refuse(`${dest} does not end in .${options.format}`, "leave the format out, or give the file its name");
    }
    if (isGzip(dest)) checkPacked(named);
    if (options.gzip === true && !isGzip(dest)) refuse(`${dest} is not named .gz`, `write it to ${dest}.gz`);
    return { format: named, targets: [{ table: options.only, path: dest }], folder: null };
  }
  const format = options.format ?? "csv";
  if (options.gzip === true) checkPacked(format);
  const ending = `${format}${options.gzip === true ? ".gz" : ""}`;
  const tables = options.only === undefined ? (["nodes", "edges"] as const) : [options.only];
  return { format, targets: tables.map((table) => ({ table, path: join(dest, `${table}.${ending}`) })), folder: dest };
}

function checkAbsent({ targets }: Destination, { overwrite }: ExportOptions): void {
  const there = overwrite === true ? undefined : targets.find(({ path }) => existsSync(path));
  if (there === undefined) return;
  throw alreadyThere(there.path);
}

const ROWS_PER_LOOK = 256;
const TEXT_LENGTH = 1 << 16;

/** A file under another name, until all of them are whole. */
interface PendingFile {
  readonly path: string;
  /** All of the table is on the disk. */
  write(table: StoreTable, onRows: (rows: number) => void): Promise<void>;
  keep(how: { readonly isReplacing: boolean }): Promise<void>;
  drop(): Promise<void>;
}

async function pendingFile(format: ExportFormat, path: string): Promise<PendingFile> {
  if (format === "parquet") {
    const { ParquetFile } = await import("./parquet.js");
    return new ParquetFile(path);
  }
  const file = new ExportFile(path);
  const write: PendingFile["write"] = async (table, onRows) => {
    if (format !== "arrow") await writeTexts(table, WRITERS[format], file, onRows);
    else {
      const { arrowFileBytes } = await import("./arrow.js");
      for await (const bytes of arrowFileBytes(table, onRows)) await file.write(bytes);
    }
    await file.finish();
  };
  return { path, write, keep: (how) => file.keep(how), drop: () => file.drop() };
}

/** The texts of a table in chunks, giving the event loop its turns. */
async function writeTexts(table: StoreTable, format: TextFormat, file: ExportFile, onRow: (rows: number) => void) {
  const pace = new Pace();
  let waiting = format.header(table);
  const flush = async (): Promise<void> => {
    await file.write(Buffer.from(waiting, "utf8"));
    waiting = "";
  };
  for await (const piece of table.pieces()) {
    const textOf = format.rows(table, piece);
    for (let row = 0; row < piece.rowCount; row += 1) {
      waiting += textOf(row);
      if (waiting.length > TEXT_LENGTH) await flush();
      if (row % ROWS_PER_LOOK === 0 && pace.isDue) await pace.rest();
    }
    onRow(piece.rowCount);
  }
  if (waiting !== "") await flush();
}

async function makeFoldersOf(path: string, made: string[]): Promise<void> {
  try {
    await makeFolders(path, made);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new PalimpsestError("E_IO", `${path}: ${text}`, {
      details: { path },
      hint: "name a place that is there and may be written to",
      cause: error,
    });
  }
}

/** Writes the files of an export. A failure or a cancellation leaves nothing new. */
export async function exportStore(
  source: TableSource,
  dest: string,
  options: ExportOptions = {},
): Promise<ExportResult> {
  readGiven("options", "the options", () => checkOptions(dest, options));
  const { pin, history, signal } = options;
  const destination = await destinationOf(dest, options);
  checkAbsent(destination, options);
  const tables = await storeTables(source, { pin, history, signal });
  const folders: string[] = [];
  const files: PendingFile[] = [];
  const total = destination.targets.reduce((sum, { table }) => sum + tables[table].rowCount, 0);
  const placed: string[] = [];
  let written = 0;
  try {
    if (destination.folder !== null) await makeFoldersOf(destination.folder, folders);
    for (const { table, path } of destination.targets) {
      const file = await pendingFile(destination.format, path);
      files.push(file);
      await file.write(tables[table], (rows) => {
        checkCancelled(signal, Number.POSITIVE_INFINITY);
        written += rows;
        options.onRows?.(written, total);
      });
    }
    for (const file of files) {
      await file.keep({ isReplacing: options.overwrite === true });
      placed.push(file.path);
    }
  } catch (error) {
    for (const file of files) await file.drop();
    // Another export came first with one of the files: what of this one is there goes, and nothing is mixed.
    if (options.overwrite !== true) for (const path of placed) await rm(path, { force: true });
    for (const folder of folders) await rmdir(folder).catch(() => undefined);
    throw error;
  } finally {
    tables.close();
  }
  const rows = (name: "nodes" | "edges") =>
    destination.targets.some(({ table }) => table === name) ? tables[name].rowCount : null;
  return {
    tx: tables.tx,
    txTime: tables.txTime,
    nodes: rows("nodes"),
    edges: rows("edges"),
    files: files.map(({ path }) => path),
  };
}
