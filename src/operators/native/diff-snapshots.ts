// O3 on the native engine: one comparison, then the states of the rows on the page.
// Turns arguments into native calls and rows into plain objects; everything else is the kernel's work.
import { parseInstant } from "../../contract/parse-instant.js";
import type { WhereArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { DIFFERENCES, diffSnapshots, type NativeCorner, type NativeDiff, type NativeScope } from "../../native/diff.js";
import { NO_ROW, ORIENTATIONS } from "../../native/snapshot.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { fetchEdgeIds, fetchStates, fetchUids } from "./fetch.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after, inSlices } from "./page-slices.js";
import { RowReader } from "./row-reader.js";
import { nativePage } from "./snapshot-subgraph.js";

const NO_NODE = { uid: null };
const NO_EDGE = { src: null, type: null, dst: null, key: null };
const FIRST_EDGE_CHANGE = 3;
const EMPTY_PAGE = { from: 0, to: 0 };

/** The states of one corner's rows, null where the identity is absent; nodes stand before edges. */
function states(view: NativeView, rows: Uint32Array, nodeCount: number): (JsonObject | null)[] {
  const isPresent = (row: number): boolean => row !== NO_ROW;
  const present = [
    ...fetchStates(view, "node", rows.subarray(0, nodeCount).filter(isPresent), "all"),
    ...fetchStates(view, "edge", rows.subarray(nodeCount).filter(isPresent), "all"),
  ];
  let next = 0;
  return Array.from(rows, (row) => (isPresent(row) ? present[next++]! : null));
}

/** The rows of the page from one position to another, or to its end. */
function rowsBetween(view: NativeView, found: NativeDiff, changed: RowReader, from: number, to: number): JsonObject[] {
  const changes = found.changes.subarray(from, to);
  const numbers = found.identities.subarray(from, to);
  const nodeCount = changes.filter((change) => change < FIRST_EDGE_CHANGE).length;
  const identities = [
    ...fetchUids(view, numbers.subarray(0, nodeCount)).map((uid) => ({ uid, ...NO_EDGE })),
    ...fetchEdgeIds(view, numbers.subarray(nodeCount)).map((edge) => ({ ...NO_NODE, ...edge })),
  ];
  const befores = states(view, found.leftRows.subarray(from, to), nodeCount);
  const afters = states(view, found.rightRows.subarray(from, to), nodeCount);
  return identities.map((identity, i) => {
    const [element, change] = DIFFERENCES[changes[i]!]!.split("s_") as [string, string];
    return { change, element, ...identity, before: befores[i]!, after: afters[i]!, changed: changed.labels() };
  });
}

function scopeOf(args: JsonObject): NativeScope | null {
  const scope = args.scope as { seeds: string[]; hops: number; orientation: keyof typeof ORIENTATIONS } | null;
  return scope && [scope.seeds, scope.hops, ORIENTATIONS[scope.orientation]];
}

export function runDiffSnapshots(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const corner = (name: "left" | "right", tx: number): NativeCorner => [
    tx,
    parseInstant((args[name] as JsonObject).at, `/${name}/at`),
  ];
  const listed = args.include as string[];
  const included = DIFFERENCES.reduce((bits, name, i) => (listed.includes(name) ? bits | (1 << i) : bits), 0);
  const page = pageOf(context, 0);
  const answerOf = (found: NativeDiff, rows: JsonObject[]): RunAnswer => ({
    lists: [page && { rows, total: found.rowsTotal }],
    fields: { totals: Object.fromEntries(DIFFERENCES.map((name, i) => [name, found.totals[i]!])) },
  });
  const shown = (found: NativeDiff): RunAnswer | Promise<RunAnswer> => {
    const changed = new RowReader(found.changed);
    const rows = inSlices((from, count) => rowsBetween(view, found, changed, from, from + count));
    return after(rows, (all) => answerOf(found, all));
  };
  const found = withStop(context, (stop) =>
    diffSnapshots(
      view,
      stop,
      encodeWhere(args.where as unknown as WhereArgument),
      corner("left", context.otherTx),
      corner("right", context.tx),
      scopeOf(args),
      args.compare === "content_and_interval",
      included,
      nativePage(page ?? EMPTY_PAGE),
    ),
  );
  return after(found, shown);
}
