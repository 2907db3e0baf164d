// P7 on the native engine: one native call for the page, and one for the classes of properties where they are shown.
// Commits and buckets need no rows of the store and are made here.

import { bucketsOf, countBuckets } from "../../calendar/buckets.js";
import { formatInstant } from "../../contract/instant.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import type { NativeView } from "../../native/store.js";
import { CLASS_ROWS, EDGE, NODE, type RowPack, tables } from "../../native/tables.js";
import { type ListPage, pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { columnType, propertyOfColumn, type ScanTable } from "../scan-columns.js";
import { withStop } from "./native-run.js";
import { inSlices } from "./page-slices.js";
import { typeOfClasses } from "./property-types.js";
import { RowReader } from "./row-reader.js";
import {
  encodeNames,
  isOfNodes,
  isRowTable,
  type Page,
  type RowTable,
  tableRequest,
  versionsRequest,
  windowOf,
} from "./scan-request.js";

type Cell = (reader: RowReader) => JsonValue;

const readText: Cell = (reader) => reader.text();
const readNumber: Cell = (reader) => reader.number();
const readValue: Cell = (reader) => reader.value();
const CELLS: Readonly<Record<string, Cell>> = {
  labels: (reader) => reader.labels(),
  props: (reader) => reader.props(),
  seq: readNumber,
  tx: readNumber,
  ended_by: (reader) => reader.endedBy(),
  role: (reader) => reader.role(),
};

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
  const isNode = isOfNodes(args);
  const names = encodeNames(args.names as string[] | null, isNode);
  const [pack, total] = await withStop<readonly [RowPack, number, ...number[]]>(context, (stop) =>
    of === "versions"
      ? tables.scanVersions(view, versionsRequest(args, page), stop)
      : tables.scanTable(view, tableRequest(of, args, page), stop),
  );
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
  const { from, to } = windowOf(args.valid as never);
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
  if (!isRowTable(of)) {
    const list = of === "commits" ? commitsPage(view, columns, page) : bucketsPage(args, columns, page);
    return { lists: [list], fields: { columns: columns.map((name) => ({ name, type: columnType(name) })) } };
  }
  const { list, types } = await scanRows(view, of, args, page, context);
  return { lists: [list], fields: { columns: types } };
}
