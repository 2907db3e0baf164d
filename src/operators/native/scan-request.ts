// What native code is asked of a scan, from its resolved arguments: rows and columns have the same request.
// Commits and buckets are not in the store's tables and have none.
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { EDGE, NODE, SCAN_TABLES, type TableRequest, type VersionsRequest } from "../../native/tables.js";
import { ALL_PROPERTIES, propertyOfColumn, type ScanTable } from "../scan-columns.js";
import { type ColumnName, type ColumnRequest, encodeColumns } from "./columns.js";
import { encodeWhere } from "./filter-buffer.js";
import { windowEnds } from "./question.js";

export type RowTable = Exclude<ScanTable, "commits" | "buckets">;
export interface Page {
  readonly from: number;
  readonly to: number;
}
type Valid = { at: string } | { window: WindowArgument | null; clamp: boolean } | null;
type TxArgument = { at: string } | { window: WindowArgument | null } | null;

export const isRowTable = (of: ScanTable): of is RowTable => of !== "commits" && of !== "buckets";
export const isOfNodes = (args: JsonObject): boolean => args.of === "nodes" || args.kind === "node";

function columnRequest(column: string): ColumnRequest {
  const property = propertyOfColumn(column);
  if (property !== undefined) return { prop: property };
  if (column === ALL_PROPERTIES) return { props: "all" };
  return column === "at" ? "valid_from" : (column as ColumnName);
}

/** `names` as a second filter: any of the labels, or the types. */
export function encodeNames(names: string[] | null, isNode: boolean): Uint8Array {
  if (names === null) return encodeWhere({});
  return isNode
    ? encodeWhere({ node: { uids: null, labels: [], any_labels: names, props: [] } })
    : encodeWhere({ types: names });
}

export function windowOf(valid: Valid): { from: bigint | null; to: bigint | null; clamp: boolean } {
  if (valid === null) return { from: null, to: null, clamp: false };
  if ("window" in valid) return { ...windowEnds(valid.window), clamp: valid.clamp };
  // An instant is the microsecond that it begins.
  const { from } = windowEnds({ from: valid.at, to: null });
  return { from, to: from! + 1n, clamp: false };
}

const pageRequest = (args: JsonObject, page: Page) => ({
  ordinal: page.from,
  limit: page.to - page.from,
  columns: encodeColumns((args.columns as string[]).map(columnRequest)),
  filter: encodeWhere(args.where as unknown as WhereArgument),
  names: encodeNames(args.names as string[] | null, isOfNodes(args)),
  ...windowOf(args.valid as unknown as Valid),
});

export function tableRequest(
  of: Exclude<RowTable, "versions">,
  args: JsonObject,
  page: Page,
  ordered = true,
): TableRequest {
  const request = pageRequest(args, page);
  return { ...request, clamp: request.clamp && (of === "nodes" || of === "edges"), table: SCAN_TABLES[of], ordered };
}

export function versionsRequest(args: JsonObject, page: Page): VersionsRequest {
  const tx = args.tx as unknown as TxArgument;
  const { from: txFrom, to: txTo } = windowEnds(tx !== null && "window" in tx ? tx.window : null);
  const txAt = tx !== null && "at" in tx ? Number(tx.at.slice("tx:".length)) : null;
  return { ...pageRequest(args, page), kind: isOfNodes(args) ? NODE : EDGE, txAt, txFrom, txTo };
}
