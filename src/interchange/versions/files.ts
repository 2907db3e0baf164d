// Which files hold versions of an export: a folder of them, or one file that says so by its header or its first line.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { PalimpsestError } from "../../contract/errors.js";
import { parseExact } from "../../contract/exact-json.js";
import type { JsonValue } from "../../contract/values.js";
import { fileBytes, folderNames } from "../byte-source.js";
import { type FileFormat, type TableFormat, tableFormatOfName, textFormatOfName } from "../formats.js";
import { readLines } from "../lines.js";
import { RecordSource } from "../record-source.js";
import { kindOfHeader, versionsOfDelimited } from "./delimited.js";
import { versionsOfJsonLines } from "./json-lines.js";
import { isVersion } from "./record.js";
import { OTHER_FILES, type VersionSource } from "./source.js";
import { isVersionTable, type OpenTable, versionsOfTable } from "./tables.js";

type VersionFormat = Exclude<FileFormat, "snap">;

const SOURCES: Readonly<Record<VersionFormat, VersionSource>> = {
  csv: versionsOfDelimited("csv"),
  tsv: versionsOfDelimited("tsv"),
  jsonl: versionsOfJsonLines,
};
/** Rows of a table are made into operations one by one, in a few milliseconds. */
const ROWS_PER_PIECE = 1 << 13;
const OPENERS: Readonly<Record<TableFormat, OpenTable>> = {
  parquet: async (file) => {
    const { parquetReader } = await import("../tables/parquet-reader.js");
    return parquetReader(file, { zone: null, rowsPerPiece: ROWS_PER_PIECE });
  },
  arrow: async (file) => {
    const { fileReader } = await import("../tables/arrow-reader.js");
    return fileReader(file, { name: file, zone: null, rowsPerPiece: ROWS_PER_PIECE });
  },
};
const NAMES = "nodes.csv, edges.csv, or .tsv, .jsonl, .parquet, .arrow";
const NAME = /^(nodes|edges)\.(?:(?:csv|tsv|jsonl)(?:\.gz)?|parquet|arrow)$/;
const LONGEST_FIRST_LINE_BYTES = 8 << 20;

export interface VersionFile {
  readonly path: string;
  readonly read: VersionSource;
  /** What the records of the file are counted as. */
  readonly unit: "line" | "row";
}

async function sourceOf(path: string): Promise<VersionFile> {
  // What is not there is told before its name is judged.
  await fileBytes(path);
  const table = tableFormatOfName(path);
  if (table !== undefined) return { path, read: versionsOfTable(OPENERS[table]), unit: "row" };
  const format = textFormatOfName(path);
  if (format === undefined || format === "snap") {
    throw new PalimpsestError("E_INVALID_ARG", `${path}: by its name it is no file of an export`, {
      details: { path },
      hint: `its files are called ${NAMES}; ${OTHER_FILES}`,
    });
  }
  return { path, read: SOURCES[format], unit: "line" };
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** Bytes on disk of what `versionFiles` gives. */
export async function versionBytes(path: string): Promise<number> {
  const sizes = await Promise.all((await versionFiles(path)).map((file) => fileBytes(file.path)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The files of an export at a path; of a folder, those of its nodes before those of its edges. */
export async function versionFiles(path: string): Promise<VersionFile[]> {
  if (!(await isFolder(path))) return [await sourceOf(path)];
  const found = (await folderNames(path)).filter((name) => NAME.test(name)).sort();
  const refuse = (what: string, hint: string): never => {
    throw new PalimpsestError("E_INVALID_ARG", `${path}: ${what}`, { details: { path, files: found }, hint });
  };
  if (found.length === 0) refuse("no files of an export are there", `they are called ${NAMES}`);
  for (const table of ["nodes", "edges"]) {
    const files = found.filter((name) => name.startsWith(`${table}.`));
    if (files.length > 1) refuse(`the ${table} are there as ${files.join(" and ")}`, "name the one file to load");
  }
  const files: VersionFile[] = [];
  for (const name of found.reverse()) files.push(await sourceOf(join(path, name)));
  return files;
}

async function firstLine(path: string): Promise<JsonValue> {
  for await (const { text } of readLines(path, { longestBytes: LONGEST_FIRST_LINE_BYTES })) return parseExact(text);
  return null;
}

/** Whether a file is one of an export. What cannot be read is none: whoever loads it says what is wrong with it. */
export async function isVersionFile(path: string, format: FileFormat | TableFormat): Promise<boolean> {
  try {
    if (format === "parquet" || format === "arrow") {
      const reader = await OPENERS[format](path);
      await reader.close();
      return isVersionTable(reader);
    }
    if (format === "snap") return false;
    if (format === "jsonl") {
      const value = await firstLine(path);
      return typeof value === "object" && value !== null && !Array.isArray(value) && isVersion(value);
    }
    const options = { format, delimiter: null, hasHeader: true, onError: "stop" } as const;
    const { source, columns } = await RecordSource.open(path, options);
    await source.close();
    return kindOfHeader(columns.header ?? []) !== null;
  } catch (error) {
    if (error instanceof PalimpsestError) return false;
    throw error;
  }
}
