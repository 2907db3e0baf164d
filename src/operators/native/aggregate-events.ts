// P1 on the native engine: one call, which gives one page of cells.
// Reads each column's cells as its type says; everything else is the kernel's work.
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import { type AggregateAnswer, aggregateEvents } from "../../native/aggregate.js";
import type { NativeView } from "../../native/store.js";
import { type AggregateColumn, columnsOfCall, countedProperties, type Dimension } from "../aggregate-columns.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { bucketBoundaries, encodeQuestion } from "./aggregate-question.js";
import { encodeWhere } from "./filter-buffer.js";
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

export function runAggregateEvents(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const page = pageOf(context, 0)!;
  const window = windowEnds(args.window as unknown as WindowArgument | null);
  const names = columnsOfCall(args).map(({ name }) => name);
  const cells = cellsOf(args);
  const readRow = (reader: RowReader): JsonObject => {
    const row: JsonObject = {};
    for (let i = 0; i < names.length; i += 1) setOwn(row, names[i]!, cells[i]!(reader));
    return row;
  };
  const shown = ([pack, total, events, skipped]: AggregateAnswer): RunAnswer | Promise<RunAnswer> =>
    after(readPage(pack, readRow), (rows) => {
      const byName: JsonObject = {};
      for (const [i, name] of [...countedProperties(args).keys()].entries()) setOwn(byName, name, skipped[i]!);
      return { lists: [{ rows, total }], fields: { events, skipped: byName } };
    });
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const ask = (boundaries: readonly BigInt64Array[]) =>
    withStop(context, (stop) => {
      const question = encodeQuestion(args, boundaries);
      return aggregateEvents(view, stop, where, question, window.from, window.to, page.from, page.to - page.from);
    });
  return after(after(bucketBoundaries(args), ask), shown);
}
