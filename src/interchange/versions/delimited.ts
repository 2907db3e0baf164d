// Versions of an export as delimited text: the header names the columns, and the types of properties.
// An empty cell is no value, "" the empty text.
import { PalimpsestError } from "../../contract/errors.js";
import { parseUnambiguous } from "../../contract/exact-json.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import type { ColumnsSeen } from "../columns-seen.js";
import { FIRST_COLUMNS } from "../export/columns.js";
import type { Fields } from "../fields.js";
import type { FileFormat } from "../formats.js";
import { labelsOfText } from "../labels.js";
import { type RecordSink, RecordSource } from "../record-source.js";
import { RefusedValue, refusal } from "../refusal.js";
import type { VersionKind } from "./record.js";
import { OTHER_FILES, type ReadOptions, type ReadVersion, type VersionSource } from "./source.js";

const RECORDS_AT_ONCE = 1024;
const PROPERTY = /^props\.(.+):(int|double|bool|string|json)$/s;

const begins = (header: readonly string[], first: readonly string[]): boolean =>
  first.every((name, i) => header[i] === name);

/** Whose versions a header is of, or null where it is not that of an export. */
export function kindOfHeader(header: readonly string[]): VersionKind | null {
  if (begins(header, FIRST_COLUMNS.nodes)) return "node";
  return begins(header, FIRST_COLUMNS.edges) ? "edge" : null;
}

type Cell = (text: string) => JsonValue;

function exact(text: string): JsonValue {
  try {
    return parseUnambiguous(text);
  } catch (error) {
    if (error instanceof PalimpsestError) throw new RefusedValue(`: ${error.message}`, error.code, error.hint);
    throw error;
  }
}

function typed(type: string, isOfType: (value: JsonValue) => boolean): Cell {
  return (text) => {
    const value = exact(text);
    if (isOfType(value)) return value;
    throw new RefusedValue(`is no ${type}`);
  };
}

const isInteger = (value: JsonValue): boolean => typeof value === "bigint" || Number.isSafeInteger(value);
const CELLS: Readonly<Record<string, Cell>> = {
  string: (text) => text,
  json: exact,
  int: typed("int", isInteger),
  double: typed("double", (value) => typeof value === "number" || typeof value === "bigint"),
  bool: typed("bool", (value) => typeof value === "boolean"),
};
const labels: Cell = (text) => [...labelsOfText(text, { isJson: false })];

interface VersionColumn {
  readonly header: string;
  readonly name: string;
  readonly isProperty: boolean;
  readonly read: Cell;
}

function columnOf(header: string, file: string): VersionColumn {
  if (!header.startsWith("props.")) {
    return { header, name: header, isProperty: false, read: header === "labels" ? labels : CELLS.string! };
  }
  const match = PROPERTY.exec(header);
  if (match === null) {
    throw refusal({ file, line: 1, column: header }, "a property has no type", {
      hint: "write props.NAME:int, :double, :bool, :string or :json",
    });
  }
  return { header, name: match[1]!, isProperty: true, read: CELLS[match[2]!]! };
}

class VersionRows implements RecordSink {
  private read: ReadVersion[] = [];
  private readonly columns: readonly VersionColumn[];
  private readonly kind: VersionKind;

  constructor(
    private readonly file: string,
    seen: ColumnsSeen,
    private readonly bytes: () => Uint8Array,
  ) {
    const header = seen.header ?? [];
    const kind = kindOfHeader(header);
    if (kind === null) throw refusal({ file, line: 1 }, "the header is not that of an export", { hint: OTHER_FILES });
    const names = new Set<string>();
    const twice = header.find((name) => names.size === names.add(name).size);
    if (twice !== undefined) throw refusal({ file, line: 1, column: twice }, "the header has this name twice");
    this.kind = kind;
    this.columns = header.map((name) => columnOf(name, file));
  }

  get isFull(): boolean {
    return this.read.length >= RECORDS_AT_ONCE;
  }

  add(fields: Fields): void {
    const version: JsonObject = { kind: this.kind };
    const props: JsonObject = {};
    for (let slot = 0; slot < this.columns.length; slot += 1) {
      if (!fields.has(slot)) continue;
      const { name, isProperty, read } = this.columns[slot]!;
      setOwn(isProperty ? props : version, name, this.cell(fields, slot, read));
    }
    version.props = props;
    const record = Buffer.from(this.bytes());
    this.read.push({ line: fields.line, version, bytes: () => record });
  }

  private cell(fields: Fields, slot: number, read: Cell): JsonValue {
    const text = fields.text(slot);
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof RefusedValue)) throw error;
      const place = { file: this.file, line: fields.line, column: this.columns[slot]!.header, columnNumber: slot + 1 };
      throw refusal({ ...place, value: text }, error.reason, { code: error.code, hint: error.hint });
    }
  }

  take(): ReadVersion[] {
    const taken = this.read;
    this.read = [];
    return taken;
  }
}

export function versionsOfDelimited(format: FileFormat): VersionSource {
  return async function* (file: string, { onRead, onRefusal }: ReadOptions) {
    const { source, columns } = await RecordSource.open(file, {
      format,
      delimiter: null,
      hasHeader: true,
      onError: onRefusal === undefined ? "stop" : "skip",
      keepsRecords: true,
      mayBeEmpty: true,
      ...(onRead === undefined ? {} : { onRead }),
      ...(onRefusal === undefined ? {} : { onRefusal }),
    });
    const rows = new VersionRows(file, columns, () => source.recordBytes());
    for await (const _ of source.fill(rows)) yield* rows.take();
  };
}
