// What claims are, as far as words need to know: extremes, past belief, reasons, and what is tied to which entity.
import { askedWith, isCondition } from "./asked-with.js";
import { type Cell, cellAt } from "./claims/cells.js";
import type { Claim, MentionId, Span } from "./claims/claim.js";
import type { Evidence, EvidenceStep } from "./claims/evidence.js";
import { type Places, placesOf } from "./claims/places.js";
import { isCutByArguments } from "./claims/ranks.js";
import { pathsOf, stepOf } from "./claims/relevance.js";
import { isMention, isTied, type Tied } from "./claims/ties.js";
import type { Mention } from "./types.js";
import type { WordedClaim } from "./words/prose-input.js";

const EXTREME_FUNCTIONS: readonly string[] = [
  "min",
  "max",
  "first",
  "last",
  "min_gap",
  "max_gap",
  "max_in_span",
  "longest_session",
];
/** Operators whose times are least or greatest by what they are. */
const EXTREME_TIMES: Readonly<Record<string, readonly string[]>> = {
  temporal_reachability: ["arrival", "departure", "hops"],
  temporal_paths: ["arrival", "departure", "duration", "hops"],
};
const REASON_FIELDS: readonly string[] = ["reason", "ended_reason"];
/** Operators that tell of belief. */
const TELLS_OF_BELIEF: readonly string[] = ["diff_snapshots", "version_history"];

type Side = "max" | "min";
const BOTH: readonly Side[] = ["max", "min"];
const LEAST: readonly string[] = ["min", "first", "min_gap"];

/** The sides that a column of a step tells of by what it is; none for one that is no extreme by these functions. */
function sidesOfColumn(
  { record: { op, args } }: EvidenceStep,
  column: string,
  functions: readonly string[] = EXTREME_FUNCTIONS,
): readonly Side[] {
  if (EXTREME_TIMES[op]?.includes(column) === true) return BOTH;
  if (op !== "aggregate_events") return [];
  const aggregates = (args?.aggregates ?? []) as unknown as readonly { readonly fn: string; readonly as?: string }[];
  return aggregates.flatMap(({ fn, as }): Side[] => {
    const isOf = as === column || column.startsWith(`${as ?? ""}_`);
    if (!isOf || !functions.includes(fn)) return [];
    return [LEAST.includes(fn) ? "min" : "max"];
  });
}

/** On which sides a claim is the first: by its rank, by the column of the rank, and by its own. */
function sidesOf(claim: Claim, cells: readonly Cell[]): ReadonlySet<Side> {
  const rank = "rank" in claim ? claim.rank : undefined;
  const columns = cells.flatMap(({ step, field }) =>
    [field, ...(rank === undefined ? [] : [rank.by])].map((column) => ({ step, column })),
  );
  return new Set([
    ...(rank === undefined ? [] : [rank.side]),
    ...columns.flatMap(({ step, column }) => sidesOfColumn(step, column)),
  ]);
}

const isTime = ({ step, field, type }: Cell): boolean =>
  type?.type === "instant" ||
  type?.type === "instant_open" ||
  // A commit is a time of belief.
  (step.record.op === "version_history" && field === "tx");

/** The sides in time that a cell tells of: as the extreme of a column of instants, or as what `first` or `last` found. */
function sidesOfTime(cell: Cell): readonly Side[] {
  const { step, field } = cell;
  if (isTime(cell)) return sidesOfColumn(step, field);
  return step.record.op === "aggregate_events" ? sidesOfColumn(step, field, ["first", "last"]) : [];
}

/** On which sides a claim is the first in time. */
async function sidesInTimeOf(evidence: Evidence, claim: Claim, cells: readonly Cell[]): Promise<ReadonlySet<Side>> {
  const rank = "rank" in claim ? claim.rank : undefined;
  const [cell] = cells;
  if (rank === undefined || cell === undefined) return new Set(cells.flatMap(sidesOfTime));
  const by = await cellAt(evidence, `${cell.step.record.id}.rows[0].${rank.by}`, true);
  if ("wrong" in by) return new Set(cells.flatMap(sidesOfTime));
  return new Set([...(isTime(by.cell) ? [rank.side] : []), ...[...cells, by.cell].flatMap(sidesOfTime)]);
}

/** The single cells that a claim stands on, of whatever type it is; lists are of no one column. */
const cellsOf = (claim: Claim, places: Places): readonly Cell[] =>
  pathsOf(claim).flatMap((path) => places.find(path) ?? []);

/**
 * What a claim stands on, in groups: it is said of an entity that is tied to all of one group. The two sides of an ordering may
 * be of two.
 */
function groupsOf(evidence: Evidence, claim: Claim, places: Places): readonly (readonly Tied[])[] {
  const ofSpan = (span: Span): readonly Tied[] =>
    "at" in span ? [places.cell(span.at)] : [places.cell(span.from), places.cell(span.to)];
  switch (claim.type) {
    case "entity_set":
      return [[places.list(claim.cells)]];
    case "absence":
      return [[claim.cell === undefined ? places.list(claim.list!) : places.cell(claim.cell)]];
    case "ordering":
      return [ofSpan(claim.a), ofSpan(claim.b)];
    case "change":
      return [[places.cell(claim.before), places.cell(claim.after)]];
    case "temporal_pattern":
      return [[{ step: evidence.step(claim.step)! }]];
    default:
      return [cellsOf(claim, places)];
  }
}

/** Operators that look at what they are handed, and nowhere else. */
const OF_WHAT_THEY_ARE_HANDED: readonly string[] = ["select", "compute"];

/** Whether all that a step looked at is of an entity: it was asked of that one alone, or handed only what is of it. */
function isWhollyOf(evidence: Evidence, entity: MentionId | Cell, step: EvidenceStep): boolean {
  // Each step is looked at once, however often others refer to it: of such ways there may be ever so many.
  const looked = new Set([step]);
  for (const each of looked) {
    if (isTied(evidence, entity, [{ step: each }])) continue;
    if (!OF_WHAT_THEY_ARE_HANDED.includes(each.record.op) || each.references.length === 0) return false;
    for (const { path } of each.references) {
      const from = evidence.step(path.step);
      if (from === undefined) return false;
      looked.add(from);
    }
  }
  return true;
}

/**
 * A step that was fed by one which was asked of an entity speaks of it, too; a count or a value only where all that its step
 * was handed is of it.
 */
function isTiedFromAfar(
  evidence: Evidence,
  { type }: Claim,
  entity: MentionId | Cell,
  group: readonly Tied[],
): boolean {
  if (type === "count" || type === "value") return group.every(({ step }) => isWhollyOf(evidence, entity, step));
  return group.every(({ step }) =>
    [...evidence.ancestors(step.record.id)].some((id) => {
      const from = evidence.step(id);
      return from !== undefined && isTied(evidence, entity, [{ step: from }]);
    }),
  );
}

/** The steps that a claim stands on. */
const stepsOf = (evidence: Evidence, claim: Claim): readonly EvidenceStep[] =>
  pathsOf(claim).flatMap((path) => evidence.step(stepOf(path) ?? "") ?? []);

/** Arguments that are handed tables. */
const TABLES: readonly (string | number | undefined)[] = ["input", "other", "tables"];

/** Whether a step, or one whose rows it was handed, was asked for the first rows of an order alone. */
function isOfFirstFew(evidence: Evidence, step: EvidenceStep): boolean {
  const looked = new Set([step]);
  for (const each of looked) {
    if (each.result !== null && isCutByArguments(each)) return true;
    for (const { place, path } of each.references) {
      const from = evidence.step(path.step);
      if (from !== undefined && TABLES.includes(place[0])) looked.add(from);
    }
  }
  return false;
}

/** What a sentence may name beside values: the subject itself, by the placeholder that prints it. */
type Named = ReadonlyMap<string, MentionId | Cell>;

interface Placed {
  readonly claim: Claim;
  readonly cells: readonly Cell[];
  readonly groups: readonly (readonly Tied[])[];
  readonly sidesInTime: ReadonlySet<Side>;
  /** The first subject, where it is a cell that is no entity. */
  readonly value: Cell | null;
  /** The first subject, where it is an entity. */
  readonly subject: MentionId | Cell | null;
}

const isUidCell = ({ value, type }: Cell): boolean =>
  typeof value === "string" && (type === null || type.type === "string");

type Subject = Pick<Placed, "subject" | "value">;

function subjectOf(evidence: Evidence, { about }: Claim, places: Places): Subject {
  const [subject] = about ?? [];
  if (subject === undefined) return { subject: null, value: null };
  if (isMention(subject)) {
    const uid = evidence.mention(subject)?.uid ?? null;
    return { subject: uid === null ? null : (subject as MentionId), value: null };
  }
  const cell = places.cell(subject);
  return isUidCell(cell) ? { subject: cell, value: null } : { subject: null, value: cell };
}

async function placed(evidence: Evidence, claims: readonly Claim[]): Promise<readonly Placed[]> {
  return Promise.all(
    claims.map(async (claim) => {
      const places = await placesOf(evidence, claim);
      if (typeof places === "string") {
        return { claim, cells: [], groups: [], sidesInTime: new Set<Side>(), subject: null, value: null };
      }
      const groups = groupsOf(evidence, claim, places);
      const cells = cellsOf(claim, places);
      const sidesInTime = await sidesInTimeOf(evidence, claim, cells);
      return { claim, cells, groups, sidesInTime, ...subjectOf(evidence, claim, places) };
    }),
  );
}

/** The entities that sentences can name: claims of entities, entities of the question, and subjects of claims. */
function namedEntities(evidence: Evidence, claims: readonly Placed[], mentions: Iterable<string>): Named {
  const named = new Map<string, MentionId | Cell>();
  for (const id of mentions) if ((evidence.mention(id)?.uid ?? null) !== null) named.set(id, id as MentionId);
  for (const { claim, cells, subject } of claims) {
    if (claim.type === "entity" && cells.length === 1) named.set(claim.id, cells[0]!);
    if (subject !== null) named.set(`${claim.id}.of`, subject);
  }
  return named;
}

export interface Wording {
  /** By id. */
  readonly claims: ReadonlyMap<string, WordedClaim>;
  /** The placeholders that print an entity. */
  readonly entities: ReadonlySet<string>;
  /** The mentions that may stand only where a claim was asked with them. */
  readonly conditions: ReadonlySet<string>;
}

/** What claims and mentions are to the words around them. */
export async function wordingOf(
  evidence: Evidence,
  claims: readonly Claim[],
  mentions: readonly Mention[] = [],
): Promise<Wording> {
  const all = await placed(evidence, claims);
  const named = namedEntities(
    evidence,
    all,
    mentions.map(({ id }) => id),
  );
  const tiedWhere = (isSo: (entity: MentionId | Cell) => boolean): ReadonlySet<string> =>
    new Set([...named].flatMap(([id, entity]) => (isSo(entity) ? [id] : [])));
  const worded = all.map(({ claim, cells, groups, sidesInTime, value }): WordedClaim => {
    const isTiedTo = (entity: MentionId | Cell): boolean =>
      groups.some(
        (group) =>
          group.length > 0 && (isTied(evidence, entity, group) || isTiedFromAfar(evidence, claim, entity, group)),
      );
    const sides = sidesOf(claim, cells);
    return {
      claim,
      isExtreme: sides.size > 0,
      sides,
      sidesInTime,
      ...(claim.type === "entity_set" && claim.value !== undefined ? { members: new Set(claim.value).size } : {}),
      isFirstFew: claim.type === "entity_set" && stepsOf(evidence, claim).some((step) => isOfFirstFew(evidence, step)),
      isOfBelief: stepsOf(evidence, claim).some(
        (step) => TELLS_OF_BELIEF.includes(step.record.op) || evidence.pinOf(step) < evidence.trace.ask_pin.tx,
      ),
      isOfReason: cells.some(({ field }) => REASON_FIELDS.includes(field.slice(field.lastIndexOf(".") + 1))),
      tiedTo: tiedWhere(isTiedTo),
      ...(value === null ? {} : { subjectTiedTo: tiedWhere((entity) => isTied(evidence, entity, [value])) }),
      askedWith: askedWith(evidence, claim, mentions),
    };
  });
  return {
    claims: new Map(worded.map((each) => [each.claim.id, each])),
    entities: new Set(named.keys()),
    conditions: new Set(mentions.filter(isCondition).map(({ id }) => id)),
  };
}
