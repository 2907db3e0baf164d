// O2 on the native engine: one search, then the texts and properties of the two pages.
// Turns arguments into native calls and rows into plain objects; everything else is the kernel's work.
import { parseInstant } from "../../contract/parse-instant.js";
import type { WhereArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { type NativePage, type NativeSnapshot, NO_ROW, ORIENTATIONS, snapshotSubgraph } from "../../native/snapshot.js";
import type { NativeView } from "../../native/store.js";
import { NODE, tables } from "../../native/tables.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { ColumnList, type Projection } from "./columns.js";
import { fetchEdgeSpans, fetchUids, readRows } from "./fetch.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after, inSlices } from "./page-slices.js";

export const nativePage = (page: { from: number; to: number }): NativePage => [page.from, page.to];

const NODE_CONTENT = new ColumnList(["labels"]);

/** `{labels, props}` of node versions. */
function fetchContents(view: NativeView, rows: Uint32Array, projection: Projection): JsonObject[] {
  if (rows.length === 0) return [];
  return readRows(tables.fetchRows(view, NODE, rows, NODE_CONTENT.with(projection)), (reader) => ({
    labels: reader.labels(),
    props: projection === null ? null : reader.props(),
  }));
}

/** `{uid, hop, exists, labels, props}`; a node without a version has no labels and no properties. */
function nodeRows(view: NativeView, found: NativeSnapshot, projection: Projection, from: number, to: number) {
  const rows = found.nodeRows.subarray(from, to);
  const contents = fetchContents(
    view,
    rows.filter((row) => row !== NO_ROW),
    projection,
  );
  let next = 0;
  return fetchUids(view, found.nodes.subarray(from, to)).map((uid, i): JsonObject => {
    const exists = rows[i] !== NO_ROW;
    const content = exists ? contents[next++]! : { labels: [], props: projection === null ? null : {} };
    return { uid, hop: found.hops[from + i]!, exists, ...content };
  });
}

export function runSnapshotSubgraph(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const projection = args.props as Projection;
  const edgePage = pageOf(context, 0);
  const nodePage = pageOf(context, 1);
  const shown = (found: NativeSnapshot): RunAnswer | Promise<RunAnswer> => {
    const edges = inSlices((from, count) => fetchEdgeSpans(view, found.edges.subarray(from, from + count), projection));
    return after(edges, (edgeRows) => {
      const nodes = inSlices((from, count) => nodeRows(view, found, projection, from, from + count));
      return after(nodes, (rows) => ({
        lists: [edgePage && { rows: edgeRows, total: found.edgesTotal }, nodePage && { rows, total: found.nodesTotal }],
        fields: {},
      }));
    });
  };
  const found = withStop(context, (stop) =>
    snapshotSubgraph(
      view,
      stop,
      encodeWhere(args.where as unknown as WhereArgument),
      args.seeds as string[],
      parseInstant(args.at, "/at"),
      args.hops as number,
      ORIENTATIONS[args.orientation as keyof typeof ORIENTATIONS],
      args.nodes_must_exist as boolean,
      edgePage && nativePage(edgePage),
      nodePage && nativePage(nodePage),
    ),
  );
  return after(found, shown);
}
