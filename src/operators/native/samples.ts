// Believed versions of a native store, all of them or so many at even distances: what summaries of a store are made from.

import type { NativeView } from "../../native/store.js";
import { EDGE, type NativeKind, NODE, tables } from "../../native/tables.js";
import type { SampledVersion, VersionSample } from "../version-sample.js";
import { ColumnList } from "./columns.js";
import { readRows } from "./fetch.js";

const NODE_COLUMNS = new ColumnList(["uid", "labels", "valid_from", "valid_to", "duration", "tx_to"]).with("all");
const EDGE_COLUMNS = new ColumnList(["src", "type", "dst", "key", "valid_from", "valid_to", "duration", "tx_to"]).with(
  "all",
);

/** Rows at even distances among those that the pin sees. */
function evenly(rowCount: number, most: number): Uint32Array {
  const taken = Math.min(rowCount, most);
  return Uint32Array.from({ length: taken }, (_, i) => Math.floor((i * rowCount) / taken));
}

function versionsOf(view: NativeView, kind: NativeKind, rows: Uint32Array): SampledVersion[] {
  const isNode = kind === NODE;
  const read = readRows(tables.fetchRows(view, kind, rows, isNode ? NODE_COLUMNS : EDGE_COLUMNS), (reader) => {
    const identity = isNode ? [reader.word()] : [reader.word(), reader.word(), reader.word(), reader.word()];
    const names = isNode ? (reader.labels() ?? []) : [identity[1]!];
    const [valid_from, valid_to] = [reader.word(), reader.text()];
    const duration = reader.text();
    const isBelieved = reader.text() === null;
    return { isBelieved, version: { identity, names, valid_from, valid_to, duration, props: reader.props() } };
  });
  return read.filter(({ isBelieved }) => isBelieved).map(({ version }) => version);
}

/** What the pin believes, of at most so many rows. */
export function sampleVersions(view: NativeView, of: "nodes" | "edges", most: number): VersionSample {
  const commit = view.commit(view.tx);
  const [kind, rowCount, total] =
    of === "nodes"
      ? ([NODE, commit.nodeRows, commit.believedNodes] as const)
      : ([EDGE, commit.edgeRows, commit.believedEdges] as const);
  const rows = evenly(rowCount, most);
  const versions = rows.length === 0 ? [] : versionsOf(view, kind, rows);
  return { versions, total, isWhole: rows.length === rowCount };
}
