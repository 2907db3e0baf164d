// Tables by columns as Arrow tables and record batches (docs: README.md "Arrow"). Loaded by those who ask for Arrow alone.
// A batch holds so many rows, and fewer where their texts would pass the ceiling.
import { type Data, makeData, RecordBatch, Struct, Table } from "apache-arrow";
import { Pace } from "../../event-loop/pace.js";
import type { ColumnTable } from "../column.js";
import { columnsOfRows } from "../columns-of-rows.js";
import type { TypedName } from "../types.js";
import { type Encoder, encoderOf } from "./encode.js";
import { type Shape, type ShapeColumn, shapeOf, type TextForm } from "./shape.js";

interface BatchOptions {
  /** Rows of one batch at most. */
  readonly rows: number;
  /** Bytes of text of one batch, beside those of a single row. */
  readonly textBytes: number;
}

/** What a whole table takes: one batch, unless its texts are longer than Arrow's offsets reach. */
const WHOLE: BatchOptions = { rows: Number.POSITIVE_INFINITY, textBytes: 1 << 30 };

function batchOf({ schema }: Shape, children: Data[], rowCount: number): RecordBatch {
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length: rowCount, nullCount: 0, children }),
  );
}

/** The end of the batch that begins at `from`. */
function endOfBatch(encoders: readonly Encoder[], from: number, rowCount: number, options: BatchOptions): number {
  const most = Math.min(rowCount, from + options.rows);
  const texts = encoders.filter(({ hasPlainTexts }) => hasPlainTexts);
  const mostOfRow = texts.reduce((sum, { mostTextBytes }) => sum + mostTextBytes, 0);
  if ((most - from) * mostOfRow <= options.textBytes) return most;
  let bytes = 0;
  for (let row = from; row < most; row += 1) {
    for (const { textBytes } of texts) bytes += textBytes(row);
    if (bytes > options.textBytes && row > from) return row;
  }
  return most;
}

/** At least one batch. */
async function* batchesOfTable(shape: Shape, table: ColumnTable, options: BatchOptions): AsyncGenerator<RecordBatch> {
  const encoders: Encoder[] = [];
  for (const [i, { column }] of table.columns.entries()) {
    encoders.push(await encoderOf(column, shape.encodings[i]!, shape.schema.fields[i]!.type));
  }
  const pace = new Pace();
  let from = 0;
  do {
    const to = endOfBatch(encoders, from, table.rowCount, options);
    const children: Data[] = [];
    for (const encoder of encoders) {
      children.push(encoder.data(from, to));
      if (pace.isDue) await pace.rest();
    }
    yield batchOf(shape, children, to - from);
    from = to;
  } while (from < table.rowCount);
}

/** The shape of a table whose columns have these types; which of them hold integers that no double does, it shows. */
function shapeOfTable(table: ColumnTable, types: readonly ShapeColumn[], texts: TextForm): Shape {
  const columns = types.map((type, i) => {
    const { column } = table.columns[i]!;
    return { ...type, isWide: column.type === "double" && (column.wide?.rows.length ?? 0) > 0 };
  });
  return shapeOf(columns, texts);
}

/** A whole table; `types` names the columns in their order. */
export async function arrowTable(table: ColumnTable, types: readonly ShapeColumn[]): Promise<Table> {
  const shape = shapeOfTable(table, types, "dictionary");
  const batches: RecordBatch[] = [];
  for await (const batch of batchesOfTable(shape, table, WHOLE)) batches.push(batch);
  return new Table(shape.schema, batches);
}

/** A table batch by batch, at least one; what a batch holds beside the table is made when it is asked for. */
export async function* arrowBatches(
  table: ColumnTable,
  types: readonly ShapeColumn[],
  options: BatchOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  yield* batchesOfTable(shapeOfTable(table, types, "dictionary"), table, options);
}

/** Pieces of one table that are never together in memory, as at least one batch: texts stand there, in no dictionary. */
export async function* arrowBatchesOfPieces(
  pieces: AsyncIterable<ColumnTable>,
  types: readonly ShapeColumn[],
  options: BatchOptions,
): AsyncGenerator<RecordBatch, void, undefined> {
  const shape = shapeOf(types, "plain");
  let isEmpty = true;
  for await (const piece of pieces) {
    isEmpty = false;
    yield* batchesOfTable(shape, piece, options);
  }
  if (isEmpty) yield* batchesOfTable(shape, await columnsOfRows([], types.map(heldAs)), options);
}

/** Lists are held as JSON. */
const heldAs = ({ name, type }: ShapeColumn): TypedName => ({
  name,
  type: type.startsWith("list(") ? "json" : (type as TypedName["type"]),
});
