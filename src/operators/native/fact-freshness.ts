// P6 on the native engine: one call for both lists. Weights are made here, from exact ages, by the one power that all
// engines share.
import { roundedTo } from "../../contract/decimals.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { WhereArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import {
  type FreshnessAnswer,
  type FreshnessQuestion,
  factFreshness,
  type PageEnds,
  STATUSES,
} from "../../native/freshness.js";
import type { NativeView } from "../../native/store.js";
import { pageOf, type RunAnswer, type RunContext } from "../engine.js";
import { encodeWhere } from "./filter-buffer.js";
import { withStop } from "./native-run.js";
import { after, readPage } from "./page-slices.js";
import type { RowReader } from "./row-reader.js";

interface HalfLives {
  readonly default: number | null;
  readonly by_type: Readonly<Record<string, number | null>>;
}

function questionOf(args: JsonObject): FreshnessQuestion {
  const halfLives = args.half_life as unknown as HalfLives;
  const included = args.include as string[];
  return {
    src: args.src as string,
    types: args.types as string[] | null,
    at: parseInstant(args.at, "/at"),
    halfLife: halfLives.default,
    halfLives: Object.entries(halfLives.by_type),
    functional: args.functional as string[],
    confirmedProp: args.confirmed_prop as string | null,
    hasExactAges: args.age === "exact",
    include: STATUSES.reduce((mask, status, i) => (included.includes(status) ? mask | (1 << i) : mask), 0),
  };
}

const readSpan = (src: string, reader: RowReader): JsonObject => ({
  src,
  type: reader.word(),
  dst: reader.word(),
  key: reader.word(),
  valid_from: reader.word(),
  valid_to: reader.text(),
});

function weightOf(ageDays: number, halfLife: number | null, digits: number): number {
  return halfLife === null ? 1 : roundedTo(2 ** -(ageDays / halfLife), digits);
}

function rowReader(src: string, halfLives: HalfLives, digits: number): (reader: RowReader) => JsonObject {
  return (reader) => {
    const row = readSpan(src, reader);
    const type = row.type as string;
    const isOwn = Object.hasOwn(halfLives.by_type, type);
    const halfLife = isOwn ? halfLives.by_type[type]! : halfLives.default;
    row.status = STATUSES[reader.number()!]!;
    const isLater = reader.number() === 1;
    row.weight = weightOf(reader.double(), halfLife, digits);
    if (isLater) row.weight = null;
    row.age_days = reader.double();
    row.basis = reader.word();
    row.basis_kind = reader.number() === 1 ? "confirmed" : "asserted";
    row.half_life = halfLife;
    row.half_life_from = isOwn ? "type" : "default";
    row.superseded_by = reader.number() === 1 ? readSpan(src, reader) : null;
    row.conflicts_total = reader.number();
    row.conflict_group = reader.number() || null;
    row.ended_by = reader.endedBy();
    row.ended_reason = reader.text();
    row.ended_tx = reader.number();
    return row;
  };
}

export function runFactFreshness(
  view: NativeView,
  args: JsonObject,
  context: RunContext,
): RunAnswer | Promise<RunAnswer> {
  const src = args.src as string;
  const readRow = rowReader(src, args.half_life as unknown as HalfLives, args.digits as number);
  const readConflict = (reader: RowReader): JsonObject => ({ group: reader.number(), ...readSpan(src, reader) });
  const [rowsPage, conflictsPage] = [pageOf(context, 0), pageOf(context, 1)];
  const shown = ([pack, total, contradicting, conflicts, totals]: FreshnessAnswer): RunAnswer | Promise<RunAnswer> =>
    after(readPage(pack, readRow), (rows) =>
      after(readPage(contradicting, readConflict), (conflictRows) => ({
        lists: [rowsPage && { rows, total }, conflictsPage && { rows: conflictRows, total: conflicts }],
        fields: { totals: Object.fromEntries(STATUSES.map((status, i) => [status, totals[i]!])) },
      })),
    );
  const where = encodeWhere(args.where as unknown as WhereArgument);
  const ends = (page: { from: number; to: number } | null): PageEnds => page && [page.from, page.to];
  const answer = withStop(context, (stop) =>
    factFreshness(view, stop, where, questionOf(args), ends(rowsPage), ends(conflictsPage)),
  );
  return after(answer, shown);
}
