// P7 by columns on the native engine: one native call fills the arrays of the whole list, or of a part of it.
// Commits and buckets are few or cheap and are made here, by way of their rows.
import type { TablePart, WordColumn } from "../../columns/column.js";
import { columnsOfRows } from "../../columns/columns-of-rows.js";
import type { TypedName } from "../../columns/types.js";
import type { JsonObject } from "../../contract/values.js";
import { type ColumnsAnswer, nativeColumns } from "../../native/columns.js";
import type { NativeView } from "../../native/store.js";
import type { RunContext } from "../engine.js";
import { ALL_PROPERTIES, columnType, propertyOfColumn, type ScanTable } from "../scan-columns.js";
import { namedColumns } from "./named-columns.js";
import { withStop } from "./native-run.js";
import { runScan } from "./scan.js";
import { isRowTable, tableRequest, versionsRequest } from "./scan-request.js";

/** A column of the table itself has the type of its name; words of properties are integers. */
function wordType(name: string): WordColumn["type"] {
  return propertyOfColumn(name) === undefined ? (columnType(name) as WordColumn["type"]) : "int";
}

async function columnsOfList(view: NativeView, args: JsonObject, context: RunContext): Promise<TablePart> {
  const { lists, fields } = await runScan(view, args, { ...context, list: 0 });
  const { rows, total } = lists[0]!;
  return { ...(await columnsOfRows(rows, fields.columns as unknown as TypedName[])), total };
}

export async function scanColumns(view: NativeView, args: JsonObject, context: RunContext): Promise<TablePart> {
  const of = args.of as ScanTable;
  // Whole objects have no array of their own: they come by way of rows.
  const isByRows = !isRowTable(of) || (args.columns as string[]).includes(ALL_PROPERTIES);
  if (isByRows) return columnsOfList(view, args, context);
  const page = { from: context.ordinal, to: context.ordinal + context.limit };
  const [rowCount, total, natives] = await withStop<ColumnsAnswer>(context, (stop) =>
    of === "versions"
      ? nativeColumns.scanVersionsColumns(view, versionsRequest(args, page), stop)
      : nativeColumns.scanTableColumns(view, tableRequest(of, args, page, context.isAnyOrder !== true), stop),
  );
  const names = args.columns as string[];
  return { rowCount, total, columns: await namedColumns(names, natives, wordType) };
}
