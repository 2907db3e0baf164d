// The file formats that can be read, and which one a file name means.
// Tokenizers are made here; how their fields become columns is in layout.ts.
import { PalimpsestError } from "../contract/errors.js";
import { isGzip } from "./byte-source.js";
import { DelimitedTokenizer } from "./delimited.js";
import { JsonLinesTokenizer } from "./json-lines.js";
import type { Tokenizer } from "./tokenizer.js";
import { WhitespaceTokenizer } from "./whitespace.js";

export const FILE_FORMATS = ["snap", "csv", "tsv", "jsonl"] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Files that say themselves what each of their records is, so that no option names columns. */
export const DOCUMENT_FORMATS = ["tgms-log", "graphml", "ldbc"] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** Files of columns with types: read as tables, by columns. */
export const TABLE_FORMATS = ["parquet", "arrow"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

const TABLES_BY_ENDING: Readonly<Record<string, TableFormat>> = {
  parquet: "parquet",
  arrow: "arrow",
  arrows: "arrow",
  feather: "arrow",
  ipc: "arrow",
};

const endingOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? "";

/** The format of a table that a file's name means, if any. */
export const tableFormatOfName = (file: string): TableFormat | undefined => TABLES_BY_ENDING[endingOf(file)];

const BY_ENDING: Readonly<Record<string, FileFormat>> = {
  txt: "snap",
  edges: "snap",
  csv: "csv",
  tsv: "tsv",
  jsonl: "jsonl",
  ndjson: "jsonl",
};

const unpackedName = (file: string): string => (isGzip(file) ? file.slice(0, -3) : file);

/** The one of these formats that a file's name means; the others have to be said. */
export const documentFormatOf = (file: string): DocumentFormat | undefined =>
  endingOf(unpackedName(file)) === "graphml" ? "graphml" : undefined;

/** The format of text that a file's name means, `.gz` apart, if any. */
export const textFormatOfName = (file: string): FileFormat | undefined => BY_ENDING[endingOf(unpackedName(file))];

/** The same; a name that means none is refused. */
export function formatOfName(file: string): FileFormat {
  const format = textFormatOfName(file);
  if (format === undefined) {
    throw new PalimpsestError("E_INVALID_ARG", `${file}: its name does not say the format`, {
      details: { file },
      hint: `give --format ${[...FILE_FORMATS, ...TABLE_FORMATS, ...DOCUMENT_FORMATS].join("|")}`,
    });
  }
  return format;
}

function delimiterByte(delimiter: string): number {
  const text = delimiter === "\\t" ? "\t" : delimiter;
  const byte = text.charCodeAt(0);
  if (text.length !== 1 || byte > 127 || '"\r\n\0'.includes(text)) {
    throw new PalimpsestError("E_INVALID_ARG", `${JSON.stringify(delimiter)} cannot be a delimiter`, {
      hint: 'give one ASCII character other than a quote or a line end, "\\t" for a tab',
    });
  }
  return byte;
}

export function tokenizerOf(file: string, format: FileFormat, delimiter: string | null): Tokenizer {
  if (delimiter !== null && format !== "csv" && format !== "tsv") {
    throw new PalimpsestError("E_INVALID_ARG", `the format ${format} has no delimiter to choose`, {
      hint: "leave --delimiter out, or give --format csv",
    });
  }
  switch (format) {
    case "snap":
      return new WhitespaceTokenizer(file);
    case "jsonl":
      return new JsonLinesTokenizer(file);
    case "csv":
      return new DelimitedTokenizer(file, delimiterByte(delimiter ?? ","));
    case "tsv":
      return new DelimitedTokenizer(file, delimiterByte(delimiter ?? "\t"));
  }
}
