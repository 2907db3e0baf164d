// Version rows as the plain objects of the contract (docs/contract.md A3), each family of rows by one native call.
// Row, node and edge numbers come from kernels; what is shown never goes beyond the pin.
import type { JsonObject } from "../../contract/values.js";
import type { NativeView } from "../../native/store.js";
import { EDGE, NODE, type RowPack, tables } from "../../native/tables.js";
import { ColumnList, type ColumnName, type Projection } from "./columns.js";
import { RowReader } from "./row-reader.js";

const BELIEF: readonly ColumnName[] = [
  "valid_from",
  "valid_to",
  "tx_from",
  "tx_to",
  "ended_by",
  "ended_reason",
  "source",
  "provenance_ref",
  "reason",
];
const EDGE_ID: readonly ColumnName[] = ["src", "type", "dst", "key"];

export const NODE_VERSION = new ColumnList(["uid", "labels", ...BELIEF]);
export const EDGE_VERSION = new ColumnList([...EDGE_ID, ...BELIEF]);
const EDGE_SPAN = new ColumnList([...EDGE_ID, "valid_from", "valid_to"]);
const EVENT = new ColumnList([...EDGE_ID, "valid_from", "seq"]);
const NODE_STATE = new ColumnList(["labels", "valid_from", "valid_to"]);
const EDGE_STATE = new ColumnList(["valid_from", "valid_to"]);

/** Reads every row of a pack. */
export function readRows<T>(pack: RowPack, read: (reader: RowReader) => T): T[] {
  const reader = new RowReader(pack);
  const rows: T[] = [];
  while (reader.hasMore()) rows.push(read(reader));
  return rows;
}

function belief(row: JsonObject, reader: RowReader): JsonObject {
  row.valid_from = reader.word();
  row.valid_to = reader.text();
  row.tx_from = reader.word();
  row.tx_to = reader.text();
  row.ended_by = reader.endedBy();
  row.ended_reason = reader.text();
  row.source = reader.text();
  row.provenance_ref = reader.text();
  row.reason = reader.text();
  return row;
}

const propsOf = (reader: RowReader, projection: Projection): JsonObject | null =>
  projection === null ? null : reader.props();

/** NodeVersion, from cells of NODE_VERSION. */
export function readNodeVersion(reader: RowReader, projection: Projection): JsonObject {
  const row = belief({ uid: reader.word(), labels: reader.labels() }, reader);
  row.props = propsOf(reader, projection);
  return row;
}

/** EdgeVersion, from cells of EDGE_VERSION. */
export function readEdgeVersion(reader: RowReader, projection: Projection): JsonObject {
  const row = belief({ src: reader.word(), type: reader.word(), dst: reader.word(), key: reader.word() }, reader);
  row.props = propsOf(reader, projection);
  return row;
}

/** EdgeSpan & {props}: identity and interval of edge versions. */
export function fetchEdgeSpans(view: NativeView, rows: Uint32Array, projection: Projection): JsonObject[] {
  if (rows.length === 0) return [];
  return readRows(tables.fetchRows(view, EDGE, rows, EDGE_SPAN.with(projection)), (reader) => ({
    src: reader.word(),
    type: reader.word(),
    dst: reader.word(),
    key: reader.word(),
    valid_from: reader.word(),
    valid_to: reader.text(),
    props: propsOf(reader, projection),
  }));
}

/** Event & {props}: the events that spells begin with, by their first versions. */
export function fetchEvents(view: NativeView, rows: Uint32Array, projection: Projection): JsonObject[] {
  if (rows.length === 0) return [];
  return readRows(tables.fetchRows(view, EDGE, rows, EVENT.with(projection)), (reader) => ({
    src: reader.word(),
    type: reader.word(),
    dst: reader.word(),
    key: reader.word(),
    at: reader.word(),
    seq: reader.number(),
    props: propsOf(reader, projection),
  }));
}

/** `{labels, props, valid_from, valid_to}` of versions; labels are null for edges. */
export function fetchStates(
  view: NativeView,
  kind: "node" | "edge",
  rows: Uint32Array,
  projection: Projection,
): JsonObject[] {
  if (rows.length === 0) return [];
  const isNode = kind === "node";
  const columns = (isNode ? NODE_STATE : EDGE_STATE).with(projection);
  return readRows(tables.fetchRows(view, isNode ? NODE : EDGE, rows, columns), (reader) => {
    const labels = isNode ? reader.labels() : null;
    const state: JsonObject = { labels, props: null, valid_from: reader.word(), valid_to: reader.text() };
    state.props = propsOf(reader, projection);
    return state;
  });
}

/** `{src, type, dst, key}` of edge numbers. */
export function fetchEdgeIds(view: NativeView, edges: Uint32Array): JsonObject[] {
  if (edges.length === 0) return [];
  return readRows(tables.fetchEdgeIds(view, edges), (reader) => ({
    src: reader.word(),
    type: reader.word(),
    dst: reader.word(),
    key: reader.word(),
  }));
}

/** The uids of node numbers. */
export function fetchUids(view: NativeView, nodes: Uint32Array): string[] {
  return nodes.length === 0 ? [] : readRows(tables.fetchUids(view, nodes), (reader) => reader.word());
}

/** Instants in output form; an open end is null. */
export function formatInstants(instants: BigInt64Array): (string | null)[] {
  return instants.length === 0 ? [] : readRows(tables.formatInstants(instants), (reader) => reader.text());
}
