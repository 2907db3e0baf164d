// P2 on the native engine: the belief log as one native call.
// Turns arguments into a request and cells into rows.
import type { RefArgument, WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import type { NativeView } from "../../native/store.js";
import { type LogAnswer, tables } from "../../native/tables.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { ColumnList, type Projection } from "./columns.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after, readPage } from "./page-slices.js";
import { identityTexts, windowEnds } from "./question.js";
import type { RowReader } from "./row-reader.js";

const LOG = new ColumnList([
  "kind",
  "uid",
  "labels",
  "src",
  "type",
  "dst",
  "key",
  "valid_from",
  "valid_to",
  "tx_from",
  "tx_to",
  "ended_by",
  "ended_reason",
  "source",
  "provenance_ref",
  "reason",
  "tx",
  "ended_tx",
]);
/** EndedBy of native/core/base/types.h. */
const ENDED_BY_BITS: Readonly<Record<string, number>> = { overwritten: 2, retracted: 4, corrected: 8 };
const ALL_ENDS = 15;
const NO_FILTER = new Uint8Array(0);

function readVersion(reader: RowReader, projection: Projection): JsonObject {
  return {
    kind: reader.kind(),
    uid: reader.text(),
    labels: reader.labels(),
    src: reader.text(),
    type: reader.text(),
    dst: reader.text(),
    key: reader.text(),
    valid_from: reader.text(),
    valid_to: reader.text(),
    tx_from: reader.text(),
    tx_to: reader.text(),
    ended_by: reader.endedBy(),
    ended_reason: reader.text(),
    source: reader.text(),
    provenance_ref: reader.text(),
    reason: reader.text(),
    tx: reader.number(),
    ended_tx: reader.number(),
    props: projection === null ? null : reader.props(),
  };
}

export function runVersionHistory(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const window = windowEnds(args.window as unknown as WindowArgument | null);
  const txWindow = windowEnds(args.tx_window as unknown as WindowArgument | null);
  const endedBy = args.ended_by as string[] | null;
  const projection = args.props as unknown as Projection;
  const ref = args.ref as unknown as RefArgument | null;
  const { from, to } = pageOf(context, 0)!;
  const request = {
    ordinal: from,
    limit: to - from,
    columns: LOG.with(projection),
    filter: encodeWhere(args.where as unknown as WhereArgument),
    names: NO_FILTER,
    from: window.from,
    to: window.to,
    clamp: false,
    nodes: args.kind !== "edge",
    edges: args.kind !== "node",
    ref: ref === null ? null : identityTexts(ref),
    txFrom: txWindow.from,
    txTo: txWindow.to,
    // Ends that are named imply that belief has ended.
    current: args.belief !== "superseded" && endedBy === null,
    superseded: args.belief !== "current",
    endedByMask: endedBy === null ? ALL_ENDS : endedBy.reduce((mask, name) => mask | ENDED_BY_BITS[name]!, 0),
  };
  const read = ([pack, total, current, overwritten, retracted, corrected]: LogAnswer): RunAnswer | Promise<RunAnswer> =>
    after(
      readPage(pack, (reader) => readVersion(reader, projection)),
      (rows) => ({
        lists: [{ rows, total }],
        fields: { totals: { current, superseded: total - current, overwritten, retracted, corrected } },
      }),
    );
  const answer = withStop(context, (stop) => tables.versionHistory(view, request, stop));
  return after(answer, read);
}
