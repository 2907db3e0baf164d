// Which columns native code shall fetch, as the buffer that native/core/kernels/rows/fetch.h reads.
// Shared lists of columns are encoded once; only projections depend on a call.
import { ByteWriter } from "../../native/byte-writer.js";

/** Order is that of Column in native/core/kernels/rows/fetch.h. */
const COLUMN_CODES = [
  "kind",
  "uid",
  "labels",
  "src",
  "type",
  "dst",
  "key",
  "seq",
  "valid_from",
  "valid_to",
  "tx_from",
  "tx_to",
  "tx",
  "ended_tx",
  "ended_by",
  "ended_reason",
  "reason",
  "source",
  "provenance_ref",
  "props",
  "prop",
  "duration",
  "other",
  "role",
] as const;

export type ColumnName = (typeof COLUMN_CODES)[number];
const CODE_OF = new Map<string, number>(COLUMN_CODES.map((name, code) => [name, code]));

/** Which properties are shown: none, all, or the named ones. */
export type Projection = readonly string[] | "all" | null;
export type ColumnRequest = ColumnName | { readonly prop: string } | { readonly props: Exclude<Projection, null> };

function writeColumn(out: ByteWriter, column: ColumnRequest): void {
  if (typeof column === "string") {
    out.u8(CODE_OF.get(column)!);
  } else if ("prop" in column) {
    out.u8(CODE_OF.get("prop")!);
    out.text(column.prop);
  } else {
    out.u8(CODE_OF.get("props")!);
    out.texts(column.props === "all" ? null : column.props);
  }
}

export function encodeColumns(columns: readonly ColumnRequest[]): Uint8Array {
  const out = new ByteWriter();
  out.u32(columns.length);
  for (const column of columns) writeColumn(out, column);
  return out.finish();
}

/** The buffers of one list of columns without properties, with all of them, and with those that a call names. */
export class ColumnList {
  private readonly none: Uint8Array;
  private readonly all: Uint8Array;

  constructor(private readonly columns: readonly ColumnName[]) {
    this.none = encodeColumns(columns);
    this.all = encodeColumns([...columns, { props: "all" }]);
  }

  /** Properties, where they are asked for, stand last. */
  with(projection: Projection): Uint8Array {
    if (projection === null) return this.none;
    return projection === "all" ? this.all : encodeColumns([...this.columns, { props: projection }]);
  }
}
