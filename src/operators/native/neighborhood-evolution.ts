// O10 on the native engine: one call, which gives both pages and the totals.
import { parseDuration } from "../../contract/duration.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { WhereArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { CHANGES, type EvolutionQuestion, neighborhoodEvolution } from "../../native/neighborhood.js";
import { ORIENTATIONS } from "../../native/snapshot.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after, readPage } from "./page-slices.js";
import type { RowReader } from "./row-reader.js";

function questionOf(args: JsonObject): EvolutionQuestion {
  const include = args.include as readonly string[];
  return {
    uid: args.uid as string,
    orientation: ORIENTATIONS[args.orientation as keyof typeof ORIENTATIONS],
    first: parseInstant(args.t1, "/t1"),
    last: parseInstant(args.t2, "/t2"),
    stride: args.stride === null ? 0n : parseDuration(args.stride, "/stride"),
    lookback: args.lookback === null ? 1n : parseDuration(args.lookback, "/lookback"),
    gained: include.includes("gained"),
    kept: include.includes("kept"),
    lost: include.includes("lost"),
  };
}

const readChange = (reader: RowReader): JsonObject => ({
  change: CHANGES[reader.number()!]!,
  uid: reader.word(),
  edges: reader.number(),
});
const readSample = (reader: RowReader): JsonObject => ({
  t: reader.word(),
  degree: reader.number(),
  neighbours: reader.number(),
});

export function runNeighborhoodEvolution(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const question = questionOf(args);
  const [rowsPage, seriesPage] = [pageOf(context, 0), pageOf(context, 1)];
  const ends = (page: typeof rowsPage) => page && ([page.from, page.to] as const);
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const answer = withStop(context, (stop) =>
    neighborhoodEvolution(view, stop, where, question, ends(rowsPage), ends(seriesPage)),
  );
  return after(answer, ([changes, [gained, kept, lost], samples, sampleCount]) => {
    const total = (question.gained ? gained : 0) + (question.kept ? kept : 0) + (question.lost ? lost : 0);
    return after(readPage(changes, readChange), (rows) =>
      after(readPage(samples, readSample), (series) => ({
        lists: [rowsPage && { rows, total }, seriesPage && { rows: series, total: sampleCount }],
        fields: { totals: { gained, lost, kept }, stride: args.stride as string | null },
      })),
    );
  });
}
