// O4 on the native engine: one call for all subjects, which gives one page of texts.
// Turns arguments into a question and cells into rows; everything else is the kernel's work.
import { parseDuration } from "../../contract/duration.js";
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { type ReachabilityAnswer, type ReachabilityQuestion, temporalReachability } from "../../native/reachability.js";
import { ORIENTATIONS } from "../../native/snapshot.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after, readPage } from "./page-slices.js";
import { windowEnds } from "./question.js";
import type { RowReader } from "./row-reader.js";

const NO_ROWS = { from: 0, to: 0 };

function questionOf(args: JsonObject): ReachabilityQuestion {
  return {
    subjects: args.uid as string[],
    targets: args.to as string[] | null,
    ...windowEnds(args.window as unknown as WindowArgument | null),
    isBackward: args.direction === "backward",
    orientation: ORIENTATIONS[args.orientation as keyof typeof ORIENTATIONS],
    isRide: args.arrival === "valid_end",
    isStrict: args.ties === "strict",
    maxWait: args.max_wait === null ? null : parseDuration(args.max_wait, "/max_wait"),
    maxHops: (args.max_hops as number | null) ?? 0,
    countsHops: args.hops === true,
  };
}

function countOf(digits: string | null): number | bigint | null {
  if (digits === null) return null;
  const count = Number(digits);
  return Number.isSafeInteger(count) ? count : BigInt(digits);
}

export function runTemporalReachability(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const question = questionOf(args);
  const page = pageOf(context, 0);
  const { from, to } = page ?? NO_ROWS;
  const readRow = (reader: RowReader): JsonObject => {
    const of = question.subjects[reader.number()!]!;
    const uid = reader.word();
    const at = reader.word();
    return {
      of,
      uid,
      arrival: question.isBackward ? null : at,
      departure: question.isBackward ? at : null,
      hops: countOf(reader.text()),
    };
  };
  const shown = ([pack, reached]: ReachabilityAnswer): RunAnswer | Promise<RunAnswer> => {
    const total = reached.reduce((sum, count) => sum + count, 0);
    return after(readPage(pack, readRow), (rows) => ({
      lists: [page && { rows, total }],
      fields: { reached: question.subjects.map((of, i) => ({ of, count: reached[i]! })) },
    }));
  };
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const answer = withStop(context, (stop) => temporalReachability(view, stop, where, question, from, to - from));
  return after(answer, shown);
}
