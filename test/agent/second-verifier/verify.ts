// The verdict of a claim, a second time: rules V1 to V9 as the design says them, one after the other.
// Written from that text alone; what it shares with the product are traces, types and the registry.
import type { CellRef, Claim, Span, Verdict } from "../../../src/agent/claims/claim.js";
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import { canonicalJson } from "../../../src/contract/canonical.js";
import { sha256Hex } from "../../../src/contract/digest.js";
import type { JsonValue } from "../../../src/contract/values.js";
import type { OutputType } from "../../../src/plan/output-types.js";
import { absenceFindings } from "./absence.js";
import {
  ABOUT_THE_CALL,
  heldRows,
  isMention,
  isScalar,
  listIn,
  type Place,
  pathOf,
  rowOf,
  type Spot,
  spotAt,
} from "./cells.js";
import { changeFindings } from "./change.js";
import { isCount } from "./counts.js";
import { type Finding, partial, refuted, unverifiable, verdictOf } from "./findings.js";
import { claimOf } from "./form.js";
import { intervalOf, patternFindings } from "./patterns.js";
import { hasWholeList, rankFindings } from "./ranks.js";
import { isReadSpot } from "./read-cells.js";
import { isPair, orderingFindings, type SpanPlaces } from "./spans.js";
import { isTied, type Tied } from "./ties.js";
import { equals, kindOf } from "./values.js";

type Role = "cell" | "end" | "set" | "list";
interface Named {
  readonly text: CellRef;
  readonly role: Role;
}

const spanPaths = (span: Span): Named[] =>
  "at" in span
    ? [{ text: span.at, role: "cell" }]
    : [
        { text: span.from, role: "cell" },
        { text: span.to, role: "end" },
      ];

/** The paths that the claim itself is about. */
function ownPaths(claim: Claim): Named[] {
  switch (claim.type) {
    case "count":
    case "value":
    case "entity":
      return [{ text: claim.cell, role: "cell" }];
    case "entity_set":
      return [{ text: claim.cells, role: "set" }];
    case "ordering":
      return [...spanPaths(claim.a), ...spanPaths(claim.b)];
    case "interval":
      return spanPaths({ from: claim.from, to: claim.to });
    case "change":
      return [
        { text: claim.before, role: "cell" },
        { text: claim.after, role: "cell" },
      ];
    case "absence":
      return claim.cell === undefined ? [{ text: claim.list!, role: "list" }] : [{ text: claim.cell, role: "cell" }];
    case "temporal_pattern":
      return claim.row === undefined ? [] : [{ text: claim.row, role: "cell" }];
  }
}

function subjectPaths(claim: Claim): Named[] {
  const of = claim.type === "ordering" ? [claim.a.of, claim.b.of] : [];
  const subjects = [...(claim.about ?? []), ...of].filter((each) => each !== undefined && !isMention(each));
  return subjects.map((text) => ({ text: text!, role: "cell" }));
}

/** What a pattern needs beside its form. */
function isWholePattern(claim: Claim): boolean {
  if (claim.type !== "temporal_pattern") return true;
  const { pattern, row, direction, share } = claim;
  if (pattern === "trend") return direction !== undefined && row === undefined && share === undefined;
  if (row === undefined) return false;
  if (pattern === "burst") return direction !== "flat" && share === undefined;
  return share !== undefined && direction === undefined;
}

const judged = new WeakMap<EvidenceStep, boolean>();

/** V2: the payload, under the arguments and the pin of the trace, has the digest of the trace; once for each step of an evidence. */
function digestHolds(evidence: Evidence, step: EvidenceStep): boolean {
  const holds = judged.get(step) ?? hasDigest(evidence, step);
  judged.set(step, holds);
  return holds;
}

function hasDigest(evidence: Evidence, { record, result }: EvidenceStep): boolean {
  const outside = new Set(["op", "args", "pin", "erased", "notices", "result_digest"]);
  const payload = Object.fromEntries(Object.entries(result!.envelope).filter(([key]) => !outside.has(key)));
  const given = Object.entries(record.args!);
  const args = record.op === "compute" ? given.map(([key, value]) => [key, tableAt(evidence, value)] as const) : given;
  const hashed = { args: Object.fromEntries(args), op: record.op, payload, tx: record.pin?.tx ?? null };
  return sha256Hex(canonicalJson(hashed)) === record.result_digest;
}

/** A table of `compute` that came from a step stands in the trace as the address of that step's list. */
function tableAt(evidence: Evidence, value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const from = evidence.trace.steps.find(({ result_digest: digest }) => digest !== null && digest === value.digest);
  const step = from === undefined ? undefined : evidence.step(from.id);
  if (step === undefined || step.result === null) return value;
  const spot = spotAt(step, pathOf(`${step.record.id}.${String(value.path)}`)!);
  if (spot === undefined) return value;
  return spot.isSpread ? spot.places.map((place) => place.value) : [...(listIn(spot.places[0]!.value) ?? [])];
}

function sameOutcome(evidence: Evidence, ids: readonly string[]): Finding[] {
  const steps = ids.map((id) => evidence.step(id));
  const isMissing = steps.some((step) => step === undefined || step.record.status !== "ok" || step.result === null);
  if (isMissing) return [unverifiable("no_evidence")];
  return steps.every((step) => digestHolds(evidence, step!)) ? [] : [unverifiable("digest_mismatch")];
}

/** V3: one cell; a list for sets and lists. What begins outside the payload is for V4. */
function resolves(spot: Spot | undefined, role: Role): boolean {
  if (spot === undefined) return false;
  if (ABOUT_THE_CALL.has(spot.path.segments[0]?.name ?? "rows")) return true;
  if (role === "set") return spot.isSpread;
  if (role === "list") return spot.isSpread || listIn(spot.places[0]!.value) !== undefined;
  if (spot.isSpread || spot.path.segments.length === 0) return false;
  return spot.type.kind !== "object" && spot.type.kind !== "list" && isScalar(spot.places[0]!.value);
}

const isEcho = (type: OutputType): boolean =>
  type.kind === "list" ? isEcho(type.item) : type.kind === "scalar" && type.echoes !== null;
const isEvidence = ({ path, type }: Spot): boolean =>
  !ABOUT_THE_CALL.has(path.segments[0]?.name ?? "rows") &&
  !path.segments.some(({ name }) => name.includes("extent")) &&
  !isEcho(type);

/** V5: `to` of an open interval may be null. */
const isNull = ({ type, value }: Place, role: Role): boolean =>
  value === null && !(role === "end" && type.kind === "scalar" && type.type === "instant_open");

function entityFindings(evidence: Evidence, step: EvidenceStep, places: readonly Place[]): Finding[] {
  const values = places.map(({ value }) => value);
  const uids = values.filter((value) => typeof value === "string");
  const areKnown = uids.length === values.length && evidence.store.unknownUids(uids, evidence.pinOf(step)).length === 0;
  return areKnown ? [] : [unverifiable("not_an_entity")];
}

/** A name that several entities answer to, or that is not quite theirs. */
function nameFindings({ record, result }: EvidenceStep): Finding[] {
  if (record.op !== "resolve_entities") return [];
  const { rows, tiers } = result!.envelope as unknown as { rows: { tier: string }[]; tiers: Record<string, number> };
  const best = rows[0]?.tier;
  return best !== "exact" || tiers[best]! > 1 ? [partial("ambiguous_name")] : [];
}

function setFindings(step: EvidenceStep, claim: Extract<Claim, { type: "entity_set" }>, spot: Spot): Finding[] {
  const list = spot.path.segments[0]!;
  const isOfStep = list.index === "*" || spot.path.segments[1]?.index === "*";
  // A slice of the rows that leaves some out is a page of them.
  const isSliced = list.name === "rows" && heldRows(step)?.length !== step.record.rows_held;
  const isWhole = !isOfStep || (hasWholeList(step, list.name) && !isSliced);
  const held = new Set(spot.places.map(({ value }) => value));
  const named = new Set<JsonValue>(claim.value ?? held);
  const extra = [...named].some((uid) => !held.has(uid));
  const missing = [...held].some((uid) => !named.has(uid));
  const members = extra || (claim.complete && missing) ? [refuted("members")] : [];
  if (claim.complete) return [...(isWhole ? [] : [unverifiable("page")]), ...members];
  return [...members, ...(isWhole && !missing ? [] : [partial("subset")])];
}

/** V7, but for ranks. */
async function typeFindings(evidence: Evidence, claim: Claim, spots: readonly Spot[]): Promise<Finding[]> {
  const place = (i: number): Place => spots[i]!.places[0]!;
  const stepOf = (i: number): EvidenceStep => evidence.step(spots[i]!.path.step)!;
  switch (claim.type) {
    case "count":
      return isCount(evidence, stepOf(0), place(0)) ? [] : [unverifiable("not_a_count")];
    case "value":
      return [];
    case "entity":
      return [...entityFindings(evidence, stepOf(0), [place(0)]), ...nameFindings(stepOf(0))];
    case "entity_set":
      return [...entityFindings(evidence, stepOf(0), spots[0]!.places), ...setFindings(stepOf(0), claim, spots[0]!)];
    case "interval":
      return isPair(stepOf(0), place(0), place(1)) ? [] : [unverifiable("not_a_pair")];
    case "ordering": {
      const second = "at" in claim.a ? 1 : 2;
      const span = (from: number, of: Span): SpanPlaces =>
        "at" in of ? { at: place(from) } : { from: place(from), to: place(from + 1) };
      return orderingFindings(evidence, span(0, claim.a), span(second, claim.b), claim.relation);
    }
    case "change":
      return changeFindings(evidence, claim, place(0), place(1));
    case "absence":
      return absenceFindings(evidence, stepOf(0), spots[0]!, claim.list !== undefined);
    case "temporal_pattern": {
      const row = spots[0] === undefined ? undefined : rowOf(place(0));
      const held = row === undefined ? null : (rowsOf(stepOf(0), row.list)?.[row.index] ?? null);
      return patternFindings(evidence, claim, intervalOf(held));
    }
  }
}

const rowsOf = (step: EvidenceStep, list: string): readonly JsonValue[] | undefined =>
  list === "rows" ? (heldRows(step) ?? undefined) : listIn((step.result!.envelope as Record<string, unknown>)[list]);

/** V6. */
function tieFindings(evidence: Evidence, claim: Claim, spots: readonly Spot[]): Finding[] {
  const step = claim.type === "temporal_pattern" ? claim.step : spots[0]!.path.step;
  const places = (given: readonly Spot[]): Tied[] => given.flatMap((spot) => [...spot.places]);
  // A set, or a list, is of no single row.
  const isList = claim.type === "entity_set" || (claim.type === "absence" && claim.list !== undefined);
  const own = isList ? [] : places(spots);
  const cells: readonly Tied[] = own.length === 0 ? [{ step, keys: [] }] : own;
  const areTied = (subject: string | undefined, to: readonly Tied[]): boolean =>
    subject === undefined || to.every((cell) => isTied(evidence, subject, cell));
  const isAbout = (claim.about ?? []).every((subject) => areTied(subject, cells));
  if (claim.type !== "ordering") return isAbout ? [] : [unverifiable("untied")];
  const second = "at" in claim.a ? 1 : 2;
  const isOf = areTied(claim.a.of, places(spots.slice(0, second))) && areTied(claim.b.of, places(spots.slice(second)));
  return isAbout && isOf ? [] : [unverifiable("untied")];
}

/** V8. */
function valueFindings(claim: Claim, spots: readonly Spot[]): Finding[] {
  const isCell = (i: number, given: unknown): boolean => {
    const { type, value } = spots[i]!.places[0]!;
    return equals(kindOf(type, value), value, given);
  };
  if (claim.type === "count" || claim.type === "value" || claim.type === "entity") {
    return claim.value === undefined || isCell(0, claim.value) ? [] : [refuted("value")];
  }
  if (claim.type !== "interval" || claim.value === undefined) return [];
  return isCell(0, claim.value.from) && isCell(1, claim.value.to) ? [] : [refuted("value")];
}

const NEEDS_ALL: ReadonlySet<string> = new Set(["count", "absence", "change", "temporal_pattern"]);

/** V9. */
function upstreamFindings(evidence: Evidence, claim: Claim, ids: readonly string[]): Finding[] {
  if (!ids.some((id) => evidence.step(id)!.record.incomplete.includes("upstream"))) return [];
  const isRanked = "rank" in claim && claim.rank !== undefined;
  const isWholeSet = claim.type === "entity_set" && claim.complete;
  return [NEEDS_ALL.has(claim.type) || isRanked || isWholeSet ? unverifiable("upstream") : partial("upstream")];
}

async function findingsOf(evidence: Evidence, claim: Claim): Promise<Finding[]> {
  const own = ownPaths(claim);
  const all = [...own, ...subjectPaths(claim)].map((named) => ({ ...named, path: pathOf(named.text) }));
  const cited = claim.type === "temporal_pattern" ? [claim.step] : [];
  const steps = all.flatMap(({ path }) => (path === undefined ? [] : [path.step]));
  const unproven = sameOutcome(evidence, [...cited, ...steps]);
  if (unproven.length > 0) return unproven;

  const spots = all.map(({ path }) => (path === undefined ? undefined : spotAt(evidence.step(path.step)!, path)));
  // The row of a pattern is one of the step that it cites.
  if (claim.type === "temporal_pattern" && own.length > 0 && all[0]!.path?.step !== claim.step) {
    return [unverifiable("no_cell")];
  }
  if (!spots.every((spot, i) => resolves(spot, all[i]!.role))) return [unverifiable("no_cell")];
  const found = spots as Spot[];
  if (!found.every((spot) => isEvidence(spot) && isReadSpot(evidence, spot))) return [unverifiable("not_evidence")];
  if (found.some(({ places }, i) => all[i]!.role !== "list" && places.some((place) => isNull(place, all[i]!.role)))) {
    return [unverifiable("null_cell")];
  }

  const mine = found.slice(0, own.length);
  const ids = [...cited, ...mine.map(({ path }) => path.step)];
  const places = mine.flatMap((spot) => [...spot.places]);
  const rank = "rank" in claim ? claim.rank : undefined;
  return [
    ...tieFindings(evidence, claim, mine),
    ...(await typeFindings(evidence, claim, mine)),
    ...(rank === undefined ? [] : rankFindings(evidence.step(ids[0]!)!, places, rank)),
    ...valueFindings(claim, mine),
    ...upstreamFindings(evidence, claim, ids),
  ];
}

const idOf = (given: unknown): string | null => {
  const id = (given as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" ? id : null;
};

export async function verifyAgain(evidence: Evidence, given: unknown): Promise<Verdict> {
  const claim = claimOf(given);
  if (claim === undefined || !isWholePattern(claim)) return verdictOf(idOf(given), [unverifiable("malformed")]);
  return verdictOf(claim.id, await findingsOf(evidence, claim));
}
