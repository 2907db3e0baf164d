// O12 on the native engine: one call, which gives the matches of one page and the counts of all.
// Turns arguments into a question and cells into rows; everything else is the kernel's work.
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject } from "../../contract/values.js";
import {
  type EntitiesAnswer,
  type EntitiesQuestion,
  knownNames,
  NAME_KINDS,
  resolveEntities,
  TIERS,
} from "../../native/entities.js";
import type { NativeView } from "../../native/store.js";
import { type CallLimits, pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { withStop } from "./native-run.js";
import { after, readPage } from "./page-slices.js";
import type { RowReader } from "./row-reader.js";

function aliasOf(reader: RowReader): JsonObject | null {
  const kind = NAME_KINDS[reader.number()!]!;
  if (kind === "current") return null;
  return { kind, how: TIERS[reader.number()!]!, valid_from: reader.word(), valid_to: reader.text() };
}

/** Those of the texts that are uids or names. */
export function runKnownNames(
  view: NativeView,
  texts: readonly string[],
  nameProps: readonly string[],
  limits: CallLimits,
): ReadonlySet<string> | Promise<ReadonlySet<string>> {
  return after(
    withStop(limits, (stop) => knownNames(view, stop, nameProps, texts)),
    (marks) => new Set(texts.filter((_, i) => marks[i] === 1)),
  );
}

export function runResolveEntities(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const { from, to } = pageOf(context, 0)!;
  const names = args.name_props as string[];
  const question: EntitiesQuestion = {
    query: args.query as string,
    names,
    labels: (args.labels as string[] | null) ?? [],
    at: args.at === null ? null : parseInstant(args.at, "/at"),
    minTier: TIERS.indexOf(args.min_tier as (typeof TIERS)[number]),
    maxDistance: args.max_distance as number | null,
  };
  const readRow = (reader: RowReader): JsonObject => {
    const row: JsonObject = { uid: reader.word(), labels: reader.labels(), name: reader.text() };
    row.tier = TIERS[reader.number()!]!;
    const position = reader.number();
    row.on = position === null ? "uid" : names[position]!;
    row.matched = reader.word();
    row.distance = reader.number();
    row.alias = aliasOf(reader);
    return row;
  };
  const shown = ([pack, total, tiers]: EntitiesAnswer): RunAnswer | Promise<RunAnswer> =>
    after(readPage(pack, readRow), (rows) => ({
      lists: [{ rows, total }],
      fields: { tiers: Object.fromEntries(TIERS.map((tier, i) => [tier, tiers[i]!])) },
    }));
  return after(
    withStop(context, (stop) => resolveEntities(view, stop, question, from, to - from)),
    shown,
  );
}
