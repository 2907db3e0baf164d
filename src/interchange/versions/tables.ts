// Versions of an export as typed columns: Parquet and Arrow. Columns are named as in the header of CSV, without types.
// Rows are made one by one, as they go on as operations.
import { isValid, type Utf8Texts } from "../../columns/column.js";
import type { GivenColumn, GivenPiece } from "../../columns/given.js";
import { WordReader } from "../../columns/words.js";
import { canonicalJson } from "../../contract/canonical.js";
import { PalimpsestError } from "../../contract/errors.js";
import { parseUnambiguous } from "../../contract/exact-json.js";
import { BEGINNING_US, END_OF_CALENDAR_US, formatInstant, OPEN_END_US } from "../../contract/instant.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import { fileBytes } from "../byte-source.js";
import { PROPERTY_PREFIX } from "../export/columns.js";
import { labelsOfText } from "../labels.js";
import { RefusedValue, refusal } from "../refusal.js";
import type { TableReader } from "../tables/table-reader.js";
import { kindOfHeader } from "./delimited.js";
import { OTHER_FILES, type VersionSource } from "./source.js";

type Cell = (row: number) => JsonValue;

/** The texts of a column by code, each made once. */
function textAt({ bytes, offsets }: Utf8Texts): (code: number) => string {
  const made: string[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (code) => {
    made[code] ??= buffer.toString("utf8", offsets[code]!, offsets[code + 1]!);
    return made[code]!;
  };
}

/** An instant beyond the calendar stays a number, which is refused where instants belong. */
function instantText(us: bigint): JsonValue {
  if (us === OPEN_END_US) return null;
  return us >= BEGINNING_US && us <= END_OF_CALENDAR_US ? formatInstant(us) : us;
}

function cellOf(name: string, column: GivenColumn): Cell {
  switch (column.form) {
    case "none":
      return () => null;
    case "int":
    case "duration": {
      const reader = new WordReader(column.values);
      return (row) => (isValid(column.valid, row) ? reader.at(row) : null);
    }
    case "instant":
    case "date":
      return (row) => (isValid(column.valid, row) ? instantText(column.values[row]!) : null);
    case "double":
      return (row) => (isValid(column.valid, row) ? column.values[row]! : null);
    case "bool":
      return (row) => (isValid(column.valid, row) ? column.values[row] === 1 : null);
    default: {
      const text = textAt(column.texts);
      const isJson = column.form === "json";
      const read = (code: number): JsonValue => {
        if (name === "labels") return [...labelsOfText(text(code), { isJson })];
        return isJson ? parseUnambiguous(text(code)) : text(code);
      };
      return (row) => (column.codes[row]! < 0 ? null : read(column.codes[row]!));
    }
  }
}

function explained(error: unknown, file: string, line: number, column: string): unknown {
  const place = { file, line, column };
  if (error instanceof RefusedValue) return refusal(place, error.reason, { unit: "row", hint: error.hint });
  if (!(error instanceof PalimpsestError)) return error;
  return refusal(place, error.message, { unit: "row", code: error.code, hint: error.hint, cause: error });
}

class PieceVersions {
  private readonly cells: readonly { readonly name: string; readonly cell: Cell }[];
  private readonly refused: ReadonlyMap<number, GivenPiece["refusals"][number]>;

  constructor(
    private readonly file: string,
    private readonly kind: string,
    columns: readonly string[],
    piece: GivenPiece,
    private readonly firstRow: number,
  ) {
    this.cells = columns.map((name) => ({ name, cell: cellOf(name, piece.columns.get(name)!) }));
    this.refused = new Map(piece.refusals.map((each) => [each.row, each]));
  }

  at(row: number): JsonObject {
    const line = this.firstRow + row;
    const refused = this.refused.get(row);
    if (refused !== undefined) {
      const { column, value, reason, code = "E_INVALID_ARG", hint = "" } = refused;
      throw refusal({ file: this.file, line, column, value }, reason, { unit: "row", code, hint });
    }
    const version: JsonObject = { kind: this.kind };
    const props: JsonObject = {};
    for (const { name, cell } of this.cells) {
      let value: JsonValue;
      try {
        value = cell(row);
      } catch (error) {
        throw explained(error, this.file, line, name);
      }
      if (value === null) continue;
      if (name.startsWith(PROPERTY_PREFIX)) setOwn(props, name.slice(PROPERTY_PREFIX.length), value);
      else setOwn(version, name, value);
    }
    version.props = props;
    return version;
  }
}

/** How much of a table was read; 0 where nobody knows how much there is. */
function shareGiven({ rowCount, shareGiven: share }: TableReader, rows: number): number {
  return rowCount === null ? (share ?? 0) : Math.min(1, rows / Math.max(1, rowCount));
}

export type OpenTable = (file: string) => Promise<TableReader>;

/** Whether a table has the columns of an exported one. */
export const isVersionTable = ({ columns }: TableReader): boolean => kindOfHeader(columns) !== null;

export function versionsOfTable(open: OpenTable): VersionSource {
  return async function* (file: string, { onRefusal, onRead }) {
    const totalBytes = await fileBytes(file);
    const reader = await open(file);
    try {
      const { columns } = reader;
      const kind = kindOfHeader(columns);
      if (kind === null)
        throw refusal({ file, line: 0 }, "the columns are not those of an export", { hint: OTHER_FILES });
      let firstRow = 1;
      for await (const piece of reader.pieces(columns)) {
        const versions = new PieceVersions(file, kind, columns, piece, firstRow);
        for (let row = 0; row < piece.rowCount; row += 1) {
          let version: JsonObject;
          try {
            version = versions.at(row);
          } catch (error) {
            if (onRefusal === undefined || !(error instanceof PalimpsestError)) throw error;
            onRefusal(error);
            continue;
          }
          yield { line: firstRow + row, version, bytes: () => Buffer.from(canonicalJson(version), "utf8") };
        }
        firstRow += piece.rowCount;
        onRead?.(Math.round(totalBytes * shareGiven(reader, firstRow - 1)));
      }
    } finally {
      await reader.close();
    }
  };
}
