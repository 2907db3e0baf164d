// What claims are, as far as words need to know: extremes, past belief, reasons, and what is tied to which entity.
import type { Cell } from "./claims/cells.js";
import type { Claim, MentionId } from "./claims/claim.js";
import type { Evidence, EvidenceStep } from "./claims/evidence.js";
import { type Places, placesOf } from "./claims/places.js";
import { pathsOf, stepOf } from "./claims/relevance.js";
import { isMention, isTied } from "./claims/ties.js";
import { hasRank, type WordedClaim } from "./words/prose.js";

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

function isExtremeCell({ step, field }: Cell): boolean {
  const { op, args } = step.record;
  if (EXTREME_TIMES[op]?.includes(field) === true) return true;
  if (op !== "aggregate_events") return false;
  const aggregates = (args?.aggregates ?? []) as unknown as readonly { readonly fn: string; readonly as?: string }[];
  return aggregates.some(
    ({ fn, as }) => EXTREME_FUNCTIONS.includes(fn) && (as === field || field.startsWith(`${as ?? ""}_`)),
  );
}

/** The single cells that a claim stands on, of whatever type it is; lists are of no one column. */
const cellsOf = (claim: Claim, places: Places): readonly Cell[] =>
  pathsOf(claim).flatMap((path) => places.find(path) ?? []);

/** The steps that a claim stands on. */
const stepsOf = (evidence: Evidence, claim: Claim): readonly EvidenceStep[] =>
  pathsOf(claim).flatMap((path) => evidence.step(stepOf(path) ?? "") ?? []);

/** What a sentence may name beside values: the subject itself, by the placeholder that prints it. */
type Named = ReadonlyMap<string, MentionId | Cell>;

interface Placed {
  readonly claim: Claim;
  readonly cells: readonly Cell[];
  /** The first subject, where it is an entity. */
  readonly subject: MentionId | Cell | null;
}

const isUidCell = ({ value, type }: Cell): boolean =>
  typeof value === "string" && (type === null || type.type === "string");

function subjectOf(evidence: Evidence, { about }: Claim, places: Places): MentionId | Cell | null {
  const [subject] = about ?? [];
  if (subject === undefined) return null;
  if (isMention(subject)) return (evidence.mention(subject)?.uid ?? null) === null ? null : (subject as MentionId);
  const cell = places.cell(subject);
  return isUidCell(cell) ? cell : null;
}

async function placed(evidence: Evidence, claims: readonly Claim[]): Promise<readonly Placed[]> {
  return Promise.all(
    claims.map(async (claim) => {
      const places = await placesOf(evidence, claim);
      if (typeof places === "string") return { claim, cells: [], subject: null };
      return { claim, cells: cellsOf(claim, places), subject: subjectOf(evidence, claim, places) };
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
}

/** What claims and mentions are to the words around them. */
export async function wordingOf(
  evidence: Evidence,
  claims: readonly Claim[],
  mentions: Iterable<string> = [],
): Promise<Wording> {
  const all = await placed(evidence, claims);
  const named = namedEntities(evidence, all, mentions);
  const worded = all.map(({ claim, cells }): WordedClaim => {
    const tied = [...named].filter(([, entity]) => cells.length > 0 && isTied(evidence, entity, cells));
    return {
      claim,
      isExtreme: hasRank(claim) || cells.some(isExtremeCell),
      isOfBelief: stepsOf(evidence, claim).some(
        (step) => TELLS_OF_BELIEF.includes(step.record.op) || evidence.pinOf(step) < evidence.trace.ask_pin.tx,
      ),
      isOfReason: cells.some(({ field }) => REASON_FIELDS.includes(field.slice(field.lastIndexOf(".") + 1))),
      tiedTo: new Set(tied.map(([id]) => id)),
    };
  });
  return { claims: new Map(worded.map((each) => [each.claim.id, each])), entities: new Set(named.keys()) };
}
