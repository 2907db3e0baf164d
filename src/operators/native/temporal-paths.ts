// O5 on the native engine: one call, which gives one page of paths with their steps.
// Turns arguments into a question and cells into rows; everything else is the kernel's work.
import { parseDuration } from "../../contract/duration.js";
import type { NodeFilterArgument, WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { CRITERIA, type PathsAnswer, type PathsQuestion, temporalPaths } from "../../native/paths.js";
import { ORIENTATIONS } from "../../native/snapshot.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { ColumnList, type Projection } from "./columns.js";
import { readRows } from "./fetch.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { windowEnds } from "./question.js";
import type { RowReader } from "./row-reader.js";

const STEP_COLUMNS = new ColumnList(["src", "type", "dst", "key", "seq"]);
const NO_ROWS = { from: 0, to: 0 };

const endFilter = (node: unknown): Uint8Array | null =>
  node === null
    ? null
    : encodeWhere({ types: null, keys: null, edge: [], src: null, dst: null, node: node as NodeFilterArgument });

function questionOf(args: JsonObject): PathsQuestion {
  return {
    src: args.src as string,
    dst: args.dst as string,
    srcFilter: endFilter(args.src_filter),
    dstFilter: endFilter(args.dst_filter),
    criterion: CRITERIA[args.criterion as keyof typeof CRITERIA],
    k: args.k as number,
    minHops: args.min_hops as number,
    maxHops: args.max_hops as number,
    ...windowEnds(args.window as unknown as WindowArgument | null),
    orientation: ORIENTATIONS[args.orientation as keyof typeof ORIENTATIONS],
    isRide: args.arrival === "valid_end",
    isStrict: args.ties === "strict",
    maxWait: args.max_wait === null ? null : parseDuration(args.max_wait, "/max_wait"),
  };
}

function readStep(reader: RowReader, projection: Projection): JsonObject {
  const [valid_from, valid_to] = [reader.word(), reader.text()];
  const [departs, arrives] = [reader.word(), reader.word()];
  const [from, to] = [reader.word(), reader.word()];
  return {
    src: reader.word(),
    type: reader.word(),
    dst: reader.word(),
    key: reader.word(),
    seq: reader.number(),
    valid_from,
    valid_to,
    from,
    to,
    departs,
    arrives,
    props: projection === null ? null : reader.props(),
  };
}

function readPath(reader: RowReader, src: string, projection: Projection): JsonObject {
  const [departure, arrival, duration] = [reader.word(), reader.word(), reader.word()];
  const hops = reader.number()!;
  const edges = Array.from({ length: hops }, () => readStep(reader, projection));
  return { departure, arrival, duration, hops, nodes: [src, ...edges.map((edge) => edge.to as string)], edges };
}

export function runTemporalPaths(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const question = questionOf(args);
  const projection = args.props as Projection;
  const page = pageOf(context, 0);
  const { from, to } = page ?? NO_ROWS;
  const shown = ([pack, total, hasMore]: PathsAnswer): RunAnswer => ({
    lists: [page && { rows: readRows(pack, (reader) => readPath(reader, question.src, projection)), total }],
    fields: { more_paths: hasMore },
  });
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const columns = STEP_COLUMNS.with(projection);
  const answer = withStop(context, (stop) => temporalPaths(view, stop, where, question, columns, from, to - from));
  return answer instanceof Promise ? answer.then(shown) : shown(answer);
}
