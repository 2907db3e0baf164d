// P7 on the native engine: one native call for the page, and one for the classes of properties where they are shown.
// Commits and buckets need no rows of the store and are made here.

import { bucketsOf, countBuckets } from "../../calendar/buckets.js";
import { formatInstant } from "../../contract/instant.js";
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import type { NativeView } from "../../native/store.js";
import { CLASS_ROWS, EDGE, NODE, type RowPack, SCAN_TABLES, tables } from "../../native/tables.js";
import { type ListPage, pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { columnType, propertyOfColumn, type ScanTable } from "../scan-columns.js";
import { type ColumnName, type ColumnRequest, encodeColumns } from "./columns.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { inSlices } from "./page-slices.js";
import { windowEnds } from "./question.js";
import { RowReader } from "./row-reader.js";

type RowTable = Exclude<ScanTable, "commits" | "buckets">;
type Valid = { at: string } | { window: WindowArgument | null; clamp: boolean } | null;
type TxArgument = { at: string } | { window: WindowArgument | null } | null;
type Cell = (reader: RowReader) => JsonValue;
interface Page {
  readonly from: number;
  readonly to: number;
}

/** Bits of PropKind, in native/core/base/types.h. */
const INT = 1;
const DOUBLE = 2;
const BOOL = 4;
const STRING = 8;

const readText: Cell = (reader) => reader.text();
const readNumber: Cell = (reader) => reader.number();
const readValue: Cell = (reader) => reader.value();
const CELLS: Readonly<Record<string, Cell>> = {
  labels: (reader) => reader.labels(),
  seq: readNumber,
  tx: readNumber,
  ended_by: (reader) => reader.endedBy(),
  role: (reader) => reader.role(),
};

function columnRequest(column: string): ColumnRequest {
  const property = propertyOfColumn(column);
  if (property !== undefined) return { prop: property };
  return column === "at" ? "valid_from" : (column as ColumnName);
}

/** Rows have no cell where no column is named, so the pack does not tell how many there are. */
function readScanned(pack: RowPack, columns: readonly string[], total: number): JsonObject[] | Promise<JsonObject[]> {
  const reader = new RowReader(pack);
  const cells = columns.map((name) => (propertyOfColumn(name) === undefined ? (CELLS[name] ?? readText) : readValue));
  return inSlices((from, count) => {
    const rows: JsonObject[] = [];
    for (let i = from; i < Math.min(from + count, total); i += 1) {
      const row: JsonObject = {};
      for (let c = 0; c < columns.length; c += 1) setOwn(row, columns[c]!, cells[c]!(reader));
      rows.push(row);
    }
    return rows;
  });
}

/** `names` as a second filter: any of the labels, or the types. */
function encodeNames(names: string[] | null, isNode: boolean): Uint8Array {
  if (names === null) return encodeWhere({});
  return isNode
    ? encodeWhere({ node: { uids: null, labels: [], any_labels: names, props: [] } })
    : encodeWhere({ types: names });
}

function windowOf(valid: Valid): { from: bigint | null; to: bigint | null; clamp: boolean } {
  if (valid === null) return { from: null, to: null, clamp: false };
  if ("window" in valid) return { ...windowEnds(valid.window), clamp: valid.clamp };
  // An instant is the microsecond that it begins.
  const { from } = windowEnds({ from: valid.at, to: null });
  return { from, to: from! + 1n, clamp: false };
}

function typeOfClasses(bits: number): string {
  if (bits === INT) return "int";
  if (bits === DOUBLE || bits === (INT | DOUBLE)) return "double";
  return bits === BOOL ? "bool" : bits === STRING ? "string" : "json";
}

async function columnTypes(
  view: NativeView,
  of: RowTable,
  isNode: boolean,
  columns: readonly string[],
  names: Uint8Array,
  context: RunContext,
): Promise<JsonObject[]> {
  const properties = columns.map(propertyOfColumn).filter((name) => name !== undefined);
  const isOfEvents = of === "events" || of === "endpoints";
  const rows = isOfEvents ? CLASS_ROWS.events : of === "versions" ? CLASS_ROWS.allVersions : CLASS_ROWS.believed;
  const classes =
    properties.length === 0
      ? []
      : await withStop(context, (stop) =>
          tables.propertyClasses(view, isNode ? NODE : EDGE, rows, names, properties, stop),
        );
  return columns.map((name) => {
    const property = propertyOfColumn(name);
    return {
      name,
      type: property === undefined ? columnType(name) : typeOfClasses(classes[properties.indexOf(property)]!),
    };
  });
}

async function scanRows(view: NativeView, of: RowTable, args: JsonObject, page: Page, context: RunContext) {
  const columns = args.columns as string[];
  const isNode = of === "nodes" || args.kind === "node";
  const names = encodeNames(args.names as string[] | null, isNode);
  const tx = args.tx as unknown as TxArgument;
  const txWindow = windowEnds(tx !== null && "window" in tx ? tx.window : null);
  const request = {
    ordinal: page.from,
    limit: page.to - page.from,
    columns: encodeColumns(columns.map(columnRequest)),
    filter: encodeWhere(args.where as unknown as WhereArgument),
    names,
    ...windowOf(args.valid as unknown as Valid),
  };
  const [pack, total] = await withStop<readonly [RowPack, number, ...number[]]>(context, (stop) => {
    if (of !== "versions") {
      const clamp = request.clamp && (of === "nodes" || of === "edges");
      return tables.scanTable(view, { ...request, clamp, table: SCAN_TABLES[of] }, stop);
    }
    const txAt = tx !== null && "at" in tx ? Number(tx.at.slice("tx:".length)) : null;
    const kind = isNode ? NODE : EDGE;
    return tables.scanVersions(view, { ...request, kind, txAt, txFrom: txWindow.from, txTo: txWindow.to }, stop);
  });
  const count = Math.max(0, Math.min(page.to, total) - page.from);
  const types = await columnTypes(view, of, isNode, columns, names, context);
  return { list: { rows: await readScanned(pack, columns, count), total }, types };
}

const pick = (row: JsonObject, columns: readonly string[]): JsonObject =>
  Object.fromEntries(columns.map((name) => [name, row[name]!]));

function commitsPage(view: NativeView, columns: readonly string[], page: Page): ListPage {
  const rows: JsonObject[] = [];
  for (let tx = page.from + 1; tx <= Math.min(page.to, view.tx); tx += 1) {
    const { txTime, operations, asserted, retracted, corrected, ingested } = view.commit(tx);
    const row = { tx, tx_time: formatInstant(txTime!), operations, asserted, retracted, corrected, ingested };
    rows.push(pick(row, columns));
  }
  return { rows, total: view.tx };
}

function bucketsPage(args: JsonObject, columns: readonly string[], page: Page): ListPage {
  const { from, to } = windowOf(args.valid as unknown as Valid);
  // An end that is still open found no event to resolve it by.
  if (from === null || to === null) return { rows: [], total: 0 };
  const stride = args.stride as string;
  const zone = args.zone as string;
  const rows = bucketsOf(stride, zone, from, to, page.from, page.to - page.from).map(({ fromUs, toUs, partial }) =>
    pick({ bucket_from: formatInstant(fromUs), bucket_to: formatInstant(toUs), partial }, columns),
  );
  return { rows, total: countBuckets(stride, zone, from, to) };
}

export async function runScan(view: NativeView, args: JsonObject, context: RunContext): Promise<RunAnswer> {
  const of = args.of as ScanTable;
  const columns = args.columns as string[];
  const page = pageOf(context, 0)!;
  if (of === "commits" || of === "buckets") {
    const list = of === "commits" ? commitsPage(view, columns, page) : bucketsPage(args, columns, page);
    return { lists: [list], fields: { columns: columns.map((name) => ({ name, type: columnType(name) })) } };
  }
  const { list, types } = await scanRows(view, of, args, page, context);
  return { lists: [list], fields: { columns: types } };
}
