// Pairs of ends, and how two spans lie in time.
// An open end is later than every instant.
import type { OrderingClaim } from "../../../src/agent/claims/claim.js";
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import type { OutputType } from "../../../src/plan/output-types.js";
import { nameOf, ownerOf, type Place } from "./cells.js";
import { type Finding, refuted, unverifiable } from "./findings.js";
import { kindOf, microsOf } from "./values.js";

/** Names that are two ends of one interval where columns were handed on, or are those of a bucket. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["valid_from", "valid_to"],
  ["from", "to"],
  ["bucket_from", "bucket_to"],
  ["departure", "arrival"],
  ["departs", "arrives"],
];
const HANDED_ON = new Set(["compute", "select", "scan"]);

const isTime = (type: OutputType): boolean =>
  type.kind === "scalar" && (type.type === "instant" || type.type === "instant_open");

function namesOfPairs({ record }: EvidenceStep, from: Place): readonly (readonly [string, string])[] {
  const declared = from.type.kind === "scalar" ? from.type.pair : null;
  if (declared !== null) return [declared];
  if (HANDED_ON.has(record.op)) return PAIRS;
  const dims = (record.args?.group_by ?? []) as unknown as { dim: string }[];
  return dims.some(({ dim }) => dim === "bucket") ? [["from", "to"]] : [];
}

export function isPair(step: EvidenceStep, from: Place, to: Place): boolean {
  if (from.step !== to.step || ownerOf(from) !== ownerOf(to) || !isTime(from.type) || !isTime(to.type)) return false;
  return namesOfPairs(step, from).some(([first, second]) => first === nameOf(from) && second === nameOf(to));
}

export type SpanPlaces = { readonly at: Place } | { readonly from: Place; readonly to: Place };

const FOREVER = 1n << 100n;
const us = ({ value }: Place): bigint => (value === null ? FOREVER : microsOf("instant", value)!);

function isSpan(evidence: Evidence, span: SpanPlaces): boolean {
  if ("at" in span) return kindOf(span.at.type, span.at.value) === "instant";
  return isPair(evidence.step(span.from.step)!, span.from, span.to);
}

/** Allen's relation of [a, b) to [c, d), from the four comparisons that tell them apart. */
function allen(a: bigint, b: bigint, c: bigint, d: bigint): string {
  if (b < c) return "before";
  if (d < a) return "after";
  if (b === c) return "meets";
  if (d === a) return "met_by";
  if (a === c) return b === d ? "equals" : b < d ? "starts" : "started_by";
  if (b === d) return a > c ? "finishes" : "finished_by";
  if (a > c) return b < d ? "during" : "overlapped_by";
  return b > d ? "contains" : "overlaps";
}

const APART = new Set(["before", "after", "meets", "met_by"]);

export function orderingFindings(
  evidence: Evidence,
  a: SpanPlaces,
  b: SpanPlaces,
  claimed: OrderingClaim["relation"],
): Finding[] {
  if (!isSpan(evidence, a) || !isSpan(evidence, b)) return [unverifiable("not_a_pair")];
  if ("at" in a && "at" in b) {
    const found = us(a.at) < us(b.at) ? "before" : us(a.at) > us(b.at) ? "after" : "equals";
    return found === claimed ? [] : [refuted("relation")];
  }
  const ends = (span: SpanPlaces): [bigint, bigint] =>
    "at" in span ? [us(span.at), us(span.at) + 1n] : [us(span.from), us(span.to)];
  const found = allen(...ends(a), ...ends(b));
  const holds = claimed === "intersects" ? !APART.has(found) : found === claimed;
  return holds ? [] : [refuted("relation")];
}
