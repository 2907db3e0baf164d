// P5 on the native engine: one call for the chain, and one for what is shown of a page of it.
// Turns arguments into a question and events into rows; everything else is the kernel's work.
import { formatDuration, parseDuration } from "../../contract/duration.js";
import { formatInstant } from "../../contract/instant.js";
import type { WhereArgument, WindowArgument } from "../../contract/schemas.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { type ChainAnswer, longestChain } from "../../native/chain.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import type { Projection } from "./columns.js";
import { fetchEvents } from "./fetch.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { windowEnds } from "./question.js";

const NO_ROWS = { from: 0, to: 0 };

const durationOf = (value: JsonValue | undefined, path: string): bigint | null =>
  value === null ? null : parseDuration(value, path);

export function runLongestTemporalChain(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const page = pageOf(context, 0);
  const { from, to } = page ?? NO_ROWS;
  const shown = ([events, length, distinctNodes, departure, arrival]: ChainAnswer): RunAnswer => {
    const isEmpty = length === 0;
    const rows = fetchEvents(view, events, args.props as Projection).map(
      (event, i): JsonObject => ({ step: from + i + 1, ...event }),
    );
    return {
      lists: [page && { rows, total: length }],
      fields: {
        length,
        nodes: isEmpty ? 0 : length + 1,
        distinct_nodes: distinctNodes,
        departure: isEmpty ? null : formatInstant(departure),
        arrival: isEmpty ? null : formatInstant(arrival),
        span: isEmpty ? null : formatDuration(arrival - departure),
      },
    };
  };
  const question = {
    ...windowEnds(args.window as unknown as WindowArgument | null),
    isStrict: args.ties === "strict",
    maxWait: durationOf(args.max_wait, "/max_wait"),
    within: durationOf(args.within, "/within"),
    start: args.start as string | null,
    end: args.end as string | null,
  };
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const answer = withStop(context, (stop) => longestChain(view, stop, where, question, from, to - from));
  return answer instanceof Promise ? answer.then(shown) : shown(answer);
}
