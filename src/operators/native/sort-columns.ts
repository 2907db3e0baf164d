// Columns in another order, by native code: for a select that shows columns of one table and nothing else.
// Reads no store. Texts pass as bytes, so that no two strings are compared.
import { fitOffsets, textsOf } from "../../columns/arrow/texts.js";
import type { Column, DoubleColumn, TextColumn, Utf8Texts, WordColumn } from "../../columns/column.js";
import { Pace } from "../../event-loop/pace.js";
import { COLUMN_FORM, type GivenColumn, nativeColumns, type SortedColumns } from "../../native/columns.js";
import { fromNative } from "../../native/errors.js";
import type { ColumnSorter } from "../../relational/index.js";
import { checkCancelled } from "../cancellation.js";
import { withStop } from "./native-run.js";
import { widened, wideOf } from "./wide-integers.js";

const TEXTS_AT_ONCE = 1000;
/** What a row takes while it is sorted, beside the columns themselves. */
const BYTES_PER_ROW = 32;
const BYTES_PER_VALUE = 8;

const isText = (column: Column): column is TextColumn => column.type === "string" || column.type === "json";

function givenColumn(column: Column, texts: Utf8Texts | null): GivenColumn {
  switch (column.type) {
    case "string":
      return [COLUMN_FORM.texts, column.codes, null, texts!.bytes, texts!.offsets];
    case "json":
      return [COLUMN_FORM.json, column.codes, null, texts!.bytes, texts!.offsets];
    case "double":
      return [COLUMN_FORM.doubles, column.values, column.valid, null, null];
    case "bool":
      return [COLUMN_FORM.bools, column.values, column.valid, null, null];
    default:
      return [COLUMN_FORM.words, column.values, column.valid, null, null];
  }
}

/** The texts that are left of a dictionary, in their new order. */
async function dictionaryOf({ dictionary }: TextColumn, numbers: Uint32Array): Promise<readonly string[]> {
  if (numbers.length === dictionary.length && numbers.every((number, i) => number === i)) return dictionary;
  const pace = new Pace();
  const texts: string[] = new Array(numbers.length);
  for (let i = 0; i < numbers.length; i += 1) {
    texts[i] = dictionary[numbers[i]!]!;
    if (i % TEXTS_AT_ONCE === 0 && pace.isDue) await pace.rest();
  }
  return texts;
}

async function sortedColumn(column: Column, [columns, texts]: SortedColumns, i: number): Promise<Column> {
  const [, values, valid] = columns[i]!;
  if (!isText(column)) return { type: column.type, values, valid } as Column;
  return { type: column.type, codes: values as Int32Array, dictionary: await dictionaryOf(column, texts[i]!) };
}

/** A sorted column of doubles together with the integers beside it. */
function withExact(column: Column, [columns]: SortedColumns, place: number | undefined): Column {
  if (place === undefined) return column;
  const [, values, valid] = columns[place]!;
  return { ...column, wide: wideOf({ values, valid } as WordColumn) } as DoubleColumn;
}

export const sortColumns: ColumnSorter = async (request, limits) => {
  const { rowCount, columns, shownCount, order, exactOf } = await widened(request);
  if (rowCount * (BYTES_PER_ROW + columns.length * BYTES_PER_VALUE) > limits.memoryBytes) return null;
  // What no offset reaches is sorted by who needs none.
  if (columns.some((column) => isText(column) && column.utf8 === undefined && !fitOffsets(column.dictionary)))
    return null;
  const given: GivenColumn[] = [];
  for (const column of columns) given.push(givenColumn(column, isText(column) ? await textsOf(column) : null));
  const keys = Uint32Array.from(order.flatMap(({ column, desc, nullsFirst }) => [column, +desc, +nullsFirst]));
  const { signal, deadlineMs } = limits;
  checkCancelled(signal, deadlineMs);
  try {
    const sorted = await withStop({ signal, deadlineMs, stepCeiling: Number.MAX_SAFE_INTEGER }, (stop) =>
      nativeColumns.sortColumns(rowCount, given, keys, shownCount, stop),
    );
    const shown = request.columns.slice(0, request.shownCount);
    return await Promise.all(
      shown.map(async (column, i) => withExact(await sortedColumn(column, sorted, i), sorted, exactOf.get(i))),
    );
  } catch (error) {
    throw fromNative(error, "position", "run");
  }
};
