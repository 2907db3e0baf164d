// P7 by columns on the native engine: one native call fills the arrays of the whole list, or of a part of it.
// Commits and buckets are few or cheap and are made here, by way of their rows.
import type { Column, TablePart } from "../../columns/column.js";
import { columnsOfRows } from "../../columns/columns-of-rows.js";
import type { ScalarType, TypedName } from "../../columns/types.js";
import type { JsonObject } from "../../contract/values.js";
import { Pace } from "../../event-loop/pace.js";
import { COLUMN_FORM, type ColumnsAnswer, type NativeColumn, nativeColumns } from "../../native/columns.js";
import type { NativeView } from "../../native/store.js";
import type { RowPack } from "../../native/tables.js";
import type { RunContext } from "../engine.js";
import { columnType, propertyOfColumn, type ScanTable } from "../scan-columns.js";
import { withStop } from "./native-run.js";
import { runScan } from "./scan.js";
import { isRowTable, tableRequest, versionsRequest } from "./scan-request.js";

const TEXTS_AT_ONCE = 1000;

/** The texts of a pack that holds one in each cell. */
async function textsOf([text, lengths]: RowPack): Promise<string[]> {
  const texts: string[] = new Array(lengths.length);
  const pace = new Pace();
  let at = 0;
  for (let i = 0; i < lengths.length; i += 1) {
    const to = at + lengths[i]!;
    texts[i] = text.slice(at, to);
    at = to;
    if (i % TEXTS_AT_ONCE === 0 && pace.isDue) await pace.rest();
  }
  return texts;
}

/** A column of the table itself has the type of its name; words of properties are integers. */
function wordType(name: string): Exclude<ScalarType, "double" | "bool" | "string" | "json"> {
  return propertyOfColumn(name) === undefined ? (columnType(name) as "instant") : "int";
}

async function columnOf(name: string, native: NativeColumn): Promise<Column> {
  switch (native[0]) {
    case COLUMN_FORM.words:
      return { type: wordType(name), values: native[1], valid: native[2] };
    case COLUMN_FORM.doubles: {
      const [, values, valid] = native;
      const rows = native[4];
      const wide = rows === null ? {} : { wide: { rows, values: native[5]! } };
      return { type: "double", values, valid, ...wide };
    }
    case COLUMN_FORM.bools:
      return { type: "bool", values: native[1], valid: native[2] };
    default:
      return {
        type: native[0] === COLUMN_FORM.json ? "json" : "string",
        codes: native[1],
        dictionary: await textsOf(native[3]),
      };
  }
}

async function columnsOfList(view: NativeView, args: JsonObject, context: RunContext): Promise<TablePart> {
  const { lists, fields } = await runScan(view, args, { ...context, list: 0 });
  const { rows, total } = lists[0]!;
  return { ...(await columnsOfRows(rows, fields.columns as unknown as TypedName[])), total };
}

export async function scanColumns(view: NativeView, args: JsonObject, context: RunContext): Promise<TablePart> {
  const of = args.of as ScanTable;
  if (!isRowTable(of)) return columnsOfList(view, args, context);
  const page = { from: context.ordinal, to: context.ordinal + context.limit };
  const [rowCount, total, natives] = await withStop<ColumnsAnswer>(context, (stop) =>
    of === "versions"
      ? nativeColumns.scanVersionsColumns(view, versionsRequest(args, page), stop)
      : nativeColumns.scanTableColumns(view, tableRequest(of, args, page), stop),
  );
  const names = args.columns as string[];
  const columns: { name: string; column: Column }[] = [];
  for (const [i, name] of names.entries()) columns.push({ name, column: await columnOf(name, natives[i]!) });
  return { rowCount, total, columns };
}
