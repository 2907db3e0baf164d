// The columns of the base tables, for readers: which table has which, their types, and what they say.
import type { ManualTable } from "../declaration.js";
import {
  type ColumnName,
  columnType,
  hasProperties,
  SCAN_TABLES,
  type ScanTable,
  tableColumns,
} from "../scan-columns.js";

const MEANINGS: Readonly<Record<ColumnName, string>> = {
  uid: "the node; of endpoints the end that the row is about",
  labels: "its labels, sorted",
  src: "tail of the edge",
  type: "type of the edge",
  dst: "head of the edge",
  key: "key among parallel edges",
  seq: "number of the edge, in the order in which edges were first written",
  valid_from: "when the version begins to hold",
  valid_to: "when it stops",
  tx_from: "time of the commit that wrote it",
  tx_to: "time of the commit that ended belief in it",
  tx: "number of the commit that wrote it",
  ended_by: "how belief in it ended: overwritten, retracted or corrected",
  ended_reason: "reason of the operation that ended it",
  reason: "reason of the operation that wrote it",
  source: "source given by that operation",
  provenance_ref: "provenance reference of that operation",
  at: "when the event happens",
  duration: "how long its fact holds; null where that is open",
  other: "the other end",
  role: "which end uid is: src, dst, or both for a self-loop",
  tx_time: "time of the commit",
  operations: "its operations",
  asserted: "those that assert nodes or edges",
  retracted: "those that retract",
  corrected: "those that correct",
  ingested: "events that it ingested in bulk",
  bucket_from: "where the bucket begins",
  bucket_to: "where it ends",
  partial: "whether an end of the window cuts it",
};

type Columns = readonly [table: string, columns: readonly ColumnName[]];
const TABLES = Object.keys(SCAN_TABLES) as ScanTable[];
const columnsOf: readonly Columns[] = TABLES.flatMap((of): Columns[] =>
  of === "versions"
    ? [
        ["versions of nodes", tableColumns(of, "node")],
        ["versions of edges", tableColumns(of, "edge")],
      ]
    : [[of, tableColumns(of, null)]],
);
const shown = (column: string): string => `\`${column}\``;

export const SCAN_MANUAL: readonly ManualTable[] = [
  {
    title: "Columns of each table",
    head: ["table", "columns"],
    rows: columnsOf.map(([table, columns]) => [
      table,
      [...columns.map(shown), ...(hasProperties(table as ScanTable) ? ["`props.<name>`"] : [])].join(", "),
    ]),
  },
  {
    title: "Columns",
    head: ["column", "type", "meaning"],
    rows: [...new Set(columnsOf.flatMap(([, columns]) => columns))].map((column) => [
      shown(column),
      columnType(column),
      MEANINGS[column],
    ]),
  },
];
