// P1 on the native engine: one call, which gives one page of cells, or the whole list by columns.
// Reads each column's cells as its type says; everything else is the kernel's work.
import type { WordColumn } from "../../columns/column.js";
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import { type AggregateAnswer, aggregateEvents } from "../../native/aggregate.js";
import { COLUMN_FORM } from "../../native/columns.js";
import type { NativeView } from "../../native/store.js";
import { type AggregateColumn, columnsOfCall, countedProperties, type Dimension } from "../aggregate-columns.js";
import { type ColumnsAndFields, pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { bucketBoundaries, encodeQuestion } from "./aggregate-question.js";
import { encodeWhere } from "./filter-buffer.js";
import { namedColumns } from "./named-columns.js";
import { withStop } from "./native-run.js";
import { after, readPage } from "./page-slices.js";
import { windowEnds } from "./question.js";
import type { RowReader } from "./row-reader.js";

type Cell = (reader: RowReader) => JsonValue;

const readText: Cell = (reader) => reader.text();
const readLabels: Cell = (reader) => reader.labels();
const readValue: Cell = (reader) => reader.value();

function cellOf({ kind }: AggregateColumn): Cell {
  return kind === "string" || kind === "instant" || kind === "duration" ? readText : readValue;
}

/** How the cells of each column are read: label sets are json as properties are, but stand otherwise. */
function cellsOf(args: JsonObject): Cell[] {
  const cells = columnsOfCall(args).map(cellOf);
  let column = 0;
  for (const dim of args.group_by as unknown as Dimension[]) {
    if (dim.dim === "labels") cells[column] = readLabels;
    column += dim.dim === "bucket" || dim.dim === "pair" ? 2 : 1;
  }
  return cells;
}

function skippedByName(args: JsonObject, skipped: readonly number[]): JsonObject {
  const byName: JsonObject = {};
  for (const [i, name] of [...countedProperties(args).keys()].entries()) setOwn(byName, name, skipped[i]!);
  return byName;
}

/** What native code is asked, but for the stop token: the page and the question. */
function questionOf(args: JsonObject, context: RunContext) {
  const page = pageOf(context, 0)!;
  const window = windowEnds(args.window as unknown as WindowArgument | null);
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const { from, to } = window;
  return { where, from, to, ordinal: page.from, limit: page.to - page.from };
}

export function runAggregateEvents(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const { where, from, to, ordinal, limit } = questionOf(args, context);
  const names = columnsOfCall(args).map(({ name }) => name);
  const cells = cellsOf(args);
  const readRow = (reader: RowReader): JsonObject => {
    const row: JsonObject = {};
    for (let i = 0; i < names.length; i += 1) setOwn(row, names[i]!, cells[i]!(reader));
    return row;
  };
  const shown = ([pack, total, events, skipped]: AggregateAnswer): RunAnswer | Promise<RunAnswer> =>
    after(readPage(pack, readRow), (rows) => ({
      lists: [{ rows, total }],
      fields: { events, skipped: skippedByName(args, skipped) },
    }));
  const ask = (boundaries: readonly BigInt64Array[]) =>
    withStop(context, (stop) =>
      aggregateEvents(view, stop, where, encodeQuestion(args, boundaries), from, to, ordinal, limit),
    );
  return after(after(bucketBoundaries(args), ask), shown);
}

const FORMS: Readonly<Record<string, number>> = {
  double: COLUMN_FORM.doubles,
  string: COLUMN_FORM.texts,
  json: COLUMN_FORM.json,
};

/** The groups by columns, of the types that the columns are declared with, and the fields of the answer. */
export async function aggregateColumns(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): Promise<ColumnsAndFields> {
  const { where, from, to, ordinal, limit } = questionOf(args, context);
  const columns = columnsOfCall(args);
  const types = new Map(columns.map(({ name, kind }) => [name, kind as WordColumn["type"]]));
  const forms = Uint8Array.from(columns, ({ kind }) => FORMS[kind] ?? COLUMN_FORM.words);
  const question = encodeQuestion(args, await bucketBoundaries(args));
  const [natives, total, events, skipped, rowCount] = await withStop(context, (stop) =>
    aggregateEvents(view, stop, where, question, from, to, ordinal, limit, forms),
  );
  const named = await namedColumns([...types.keys()], natives, (name) => types.get(name)!);
  return {
    table: { rowCount, total, columns: named },
    fields: { events, skipped: skippedByName(args, skipped) },
  };
}
