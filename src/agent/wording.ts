// What claims are, as far as words need to know: extremes, past belief, reasons, and what is tied to which entity.
import type { Cell } from "./claims/cells.js";
import type { Claim } from "./claims/claim.js";
import type { Evidence, EvidenceStep } from "./claims/evidence.js";
import { type Places, placesOf } from "./claims/places.js";
import { isTied } from "./claims/ties.js";
import type { WordedClaim } from "./words/prose.js";

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

const cellsOf = (claim: Claim, places: Places): readonly Cell[] => {
  switch (claim.type) {
    case "count":
    case "value":
    case "entity":
      return [places.cell(claim.cell)];
    case "interval":
      return [places.cell(claim.from), places.cell(claim.to)];
    default:
      return [];
  }
};

const hasRank = (claim: Claim): boolean => "rank" in claim && claim.rank !== undefined;

const stepsOf = (evidence: Evidence, claim: Claim, cells: readonly Cell[]): readonly EvidenceStep[] => {
  const cited = claim.type === "temporal_pattern" ? evidence.step(claim.step) : undefined;
  return [...cells.map(({ step }) => step), ...(cited === undefined ? [] : [cited])];
};

/** By id, the claims whose places are there. */
export async function wordedClaims(
  evidence: Evidence,
  claims: readonly Claim[],
): Promise<ReadonlyMap<string, WordedClaim>> {
  const placed = new Map<string, { readonly claim: Claim; readonly cells: readonly Cell[] }>();
  for (const claim of claims) {
    const places = await placesOf(evidence, claim);
    placed.set(claim.id, { claim, cells: typeof places === "string" ? [] : cellsOf(claim, places) });
  }
  const entities = [...placed.values()].filter(({ claim, cells }) => claim.type === "entity" && cells.length === 1);
  const worded = Array.from(placed.values(), ({ claim, cells }): WordedClaim => {
    const tied = entities.filter((entity) => cells.length > 0 && isTied(evidence, entity.cells[0]!, cells));
    return {
      claim,
      isExtreme: hasRank(claim) || cells.some(isExtremeCell),
      isOfBelief: stepsOf(evidence, claim, cells).some(
        (step) => TELLS_OF_BELIEF.includes(step.record.op) || evidence.pinOf(step) < evidence.trace.ask_pin.tx,
      ),
      isOfReason: cells.some(({ field }) => REASON_FIELDS.includes(field.slice(field.lastIndexOf(".") + 1))),
      tiedTo: new Set(tied.map(({ claim: entity }) => entity.id)),
    };
  });
  return new Map(worded.map((each) => [each.claim.id, each]));
}
