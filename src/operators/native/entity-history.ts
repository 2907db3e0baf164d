// O1 on the native engine: point reads, answered at once unless a hub's edges are asked for.
// Turns arguments into two native calls and cells into rows; everything else is the kernels' work.
import type { RefArgument, WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import type { NativeView } from "../../native/store.js";
import { type PageAnswer, tables } from "../../native/tables.js";
import { type ListPage, pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { EDGE_VERSION, NODE_VERSION, readEdgeVersion, readNodeVersion, readRows } from "./fetch.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after, readPage } from "./page-slices.js";
import { identityTexts, type WindowEnds, windowEnds } from "./question.js";

const NO_ROWS = { from: 0, to: 0 };

function incidentEdges(
  view: NativeView,
  uid: string,
  window: WindowEnds,
  where: WhereArgument,
  page: { readonly from: number; readonly to: number },
  context: RunContext,
): ListPage | Promise<ListPage> {
  const read = ([pack, total]: PageAnswer): ListPage | Promise<ListPage> =>
    after(
      readPage(pack, (reader) => readEdgeVersion(reader, "all")),
      (rows) => ({ rows, total }),
    );
  const columns = EDGE_VERSION.with("all");
  const filter = encodeWhere(where);
  const answer = withStop(context, (stop) =>
    tables.incidentEdges(view, uid, window.from, window.to, filter, columns, page.from, page.to - page.from, stop),
  );
  return after(answer, read);
}

export function runEntityHistory(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const ref = args.ref as unknown as RefArgument;
  const isNode = "uid" in ref;
  const window = windowEnds(args.window as unknown as WindowArgument | null);
  const rowsPage = pageOf(context, 0);
  const { from, to } = rowsPage ?? NO_ROWS;
  const columns = (isNode ? NODE_VERSION : EDGE_VERSION).with("all");
  const [pack, total, spells] = tables.entityHistory(
    view,
    identityTexts(ref),
    window.from,
    window.to,
    columns,
    from,
    to - from,
  );
  const read = isNode ? readNodeVersion : readEdgeVersion;
  const rows = rowsPage === null ? null : { rows: readRows(pack, (reader) => read(reader, "all")), total };
  const fields: JsonObject = { kind: isNode ? "node" : "edge", spells };
  const edgesPage = pageOf(context, 1);
  if (!isNode || args.include_edges !== true || edgesPage === null) return { lists: [rows, null], fields };
  const edges = incidentEdges(view, ref.uid, window, args.where as unknown as WhereArgument, edgesPage, context);
  return after(edges, (page) => ({ lists: [rows, page], fields }));
}
