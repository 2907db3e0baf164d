// The pieces of a table while rows are made of them: columns by name, times as they are to be read, and which rows are taken.
import type { GivenColumn, GivenPiece } from "../../columns/given.js";
import type { InstantFormat } from "../instants.js";
import { PieceRows } from "./rows.js";
import type { TableReader } from "./table-reader.js";
import { timesOf } from "./times.js";

export class PieceColumns {
  constructor(
    private readonly piece: GivenPiece,
    readonly rows: PieceRows,
    private readonly format: InstantFormat,
  ) {
    for (const refused of piece.refusals) rows.refuse(refused);
  }

  column(name: string): GivenColumn {
    return this.piece.columns.get(name)!;
  }

  times(name: string, isEnd: boolean): BigInt64Array {
    const { format, rows } = this;
    return timesOf({ name, column: this.column(name) }, { format, isEnd, rows });
  }
}

/** Reads the wanted columns; refusals are by the numbers of rows in the whole table. */
export async function* piecesOf(
  reader: TableReader,
  wanted: Iterable<string>,
  format: InstantFormat,
): AsyncGenerator<PieceColumns, void, undefined> {
  let firstRow = 1;
  for await (const piece of reader.pieces([...new Set(wanted)])) {
    yield new PieceColumns(piece, new PieceRows(piece.rowCount, reader.name, firstRow), format);
    firstRow += piece.rowCount;
  }
}
