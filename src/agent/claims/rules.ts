// What each type of claim says, V7, and that a given value is the cell's, V8: what speaks against it, in that order.
import { canonicalJson } from "../../contract/canonical.js";
import { roundedTo } from "../../contract/decimals.js";
import { parseDuration } from "../../contract/duration.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonValue } from "../../contract/values.js";
import type { ValueType } from "../../operators/expressions/types.js";
import { absenceProblems } from "./absences.js";
import type { Cell, CellList } from "./cells.js";
import { comparabilityProblem, went } from "./changes.js";
import type { Claim, EntitySetClaim, PatternClaim, Rank, Reason, Span } from "./claim.js";
import { isCount } from "./counts.js";
import type { Evidence, EvidenceStep } from "./evidence.js";
import { rowsOf } from "./held-values.js";
import { holds, intervalOf, isPair } from "./pairs.js";
import { patternProblem } from "./patterns.js";
import type { Places } from "./places.js";
import { rankProblem } from "./ranks.js";
import { isMention, isTied, type Tied } from "./ties.js";

/** What the rule of a type found, and what the claim stands on. */
export interface Ruling {
  readonly reasons: readonly Reason[];
  readonly cells: readonly Tied[];
  /** Whether nothing may be missing from what fed the steps (V9). */
  readonly needsWhole: boolean;
}

const when = (isSo: boolean, reason: Reason): readonly Reason[] => (isSo ? [reason] : []);

function integer(value: JsonValue): bigint | null {
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : null;
}

const isNumber = (value: JsonValue): value is number | bigint => typeof value === "number" || typeof value === "bigint";
const nineDecimals = (value: number | bigint): string => canonicalJson(roundedTo(Number(value), 9));

const READ_TIME: Readonly<Partial<Record<ValueType, (value: unknown, where: string) => bigint>>> = {
  instant: parseInstant,
  instant_open: parseInstant,
  duration: parseDuration,
};

/** Whether two texts are one time, however each is written. */
function sameTime(read: (value: unknown, where: string) => bigint, value: string, given: JsonValue): boolean {
  if (typeof given !== "string") return false;
  try {
    return read(value, "") === read(given, "");
  } catch {
    return false;
  }
}

/** V8: whether a given value is that of the cell, by type. */
function hasValue({ value, type }: Cell, given: JsonValue): boolean {
  if (type?.type === "double" && isNumber(value) && isNumber(given)) return nineDecimals(value) === nineDecimals(given);
  const read = type === null ? undefined : READ_TIME[type.type];
  if (read !== undefined && typeof value === "string") return sameTime(read, value, given);
  const isMixed = typeof value !== typeof given;
  if (isMixed && type?.type !== "double") return integer(value) !== null && integer(value) === integer(given);
  return !isMixed && canonicalJson(value) === canonicalJson(given);
}

const valueProblem = (cell: Cell, given: JsonValue | undefined): readonly Reason[] =>
  when(given !== undefined && !hasValue(cell, given), "value");

function rankProblems(cell: Cell, rank: Rank | undefined): readonly Reason[] {
  const problem = rank === undefined ? null : rankProblem(cell, rank);
  return problem === null ? [] : [problem];
}

/** Whether all values are uids that are known at the pin of their step. */
function areEntities(evidence: Evidence, step: EvidenceStep, values: readonly JsonValue[]): boolean {
  const texts = values.filter((value) => typeof value === "string");
  return texts.length === values.length && evidence.store.unknownUids(texts, evidence.pinOf(step)).length === 0;
}

/** More rows than one at the best tier of a search by name, or a best tier that is not the name itself. */
function isAmbiguous({ step }: Cell): boolean {
  if (step.record.op !== "resolve_entities") return false;
  const [best] = rowsOf(step, "rows") as readonly { readonly tier: JsonValue }[];
  // Counted over the whole answer: a page may show one of several.
  const { exact } = step.result!.envelope.tiers as { readonly exact: number };
  return best?.tier !== "exact" || exact > 1;
}

function entityProblems(evidence: Evidence, cell: Cell): readonly Reason[] {
  if (!areEntities(evidence, cell.step, [cell.value])) return ["not_an_entity"];
  return when(isAmbiguous(cell), "ambiguous_name");
}

/** Whether every row of the list is there, none left out by a slice; a list inside a row always is. */
const isWhole = ({ rowsTotal, values }: CellList): boolean => rowsTotal === null || values.length === rowsTotal;

function setProblems(
  evidence: Evidence,
  { complete, value: given }: EntitySetClaim,
  list: CellList,
): readonly Reason[] {
  const members = new Set(list.values.map((value) => canonicalJson(value)));
  const named = given === undefined ? null : new Set(given.map((value) => canonicalJson(value)));
  const isMissing = named !== null && [...members].some((member) => !named.has(member));
  const isExtra = named !== null && [...named].some((member) => !members.has(member));
  return [
    ...when(!areEntities(evidence, list.step, list.values), "not_an_entity"),
    ...when(complete && !isWhole(list), "page"),
    ...when(isExtra || (complete && isMissing), "members"),
    ...when(!complete && (!isWhole(list) || isMissing), "subset"),
  ];
}

/** The cells of a span: its instant, or both its ends. */
const cellsOf = (span: Span, places: Places): readonly [Cell, Cell | null] =>
  "at" in span ? [places.cell(span.at), null] : [places.cell(span.from), places.cell(span.to)];

function orderingRuling(evidence: Evidence, claim: Claim & { type: "ordering" }, places: Places): Ruling {
  const sides = [claim.a, claim.b].map((span) => ({ span, ends: cellsOf(span, places) }));
  const [a, b] = sides.map(({ ends: [from, to] }) => intervalOf(from, to));
  const cells = sides.flatMap(({ ends }) => ends.filter((cell) => cell !== null));
  const isUntied = sides.some(({ span, ends: [from, to] }) => {
    if (span.of === undefined) return false;
    const subject = isMention(span.of) ? span.of : places.cell(span.of);
    return !isTied(evidence, subject, to === null ? [from] : [from, to]);
  });
  const isNone = a === null || a === undefined || b === null || b === undefined;
  const reasons = [
    ...when(isUntied, "untied"),
    ...when(isNone, "not_a_pair"),
    ...when(!isNone && !holds(claim.relation, a, b), "relation"),
  ];
  return { reasons, cells, needsWhole: false };
}

function absenceRuling(evidence: Evidence, claim: Claim & { type: "absence" }, places: Places): Ruling {
  const place = claim.cell === undefined ? places.list(claim.list!) : places.cell(claim.cell);
  const isNothing = "value" in place ? place.value === 0 : (place.rowsTotal ?? place.values.length) === 0;
  const reasons = [...when(!isNothing, "present"), ...absenceProblems(evidence, place.step)];
  return { reasons, cells: [place], needsWhole: true };
}

async function patternRuling(evidence: Evidence, claim: PatternClaim, places: Places): Promise<Ruling> {
  const step = evidence.step(claim.step)!;
  const cell = claim.row === undefined ? null : places.cell(claim.row);
  const problem = await patternProblem(evidence, claim, step, cell);
  return { reasons: problem === null ? [] : [problem], cells: [cell ?? { step }], needsWhole: true };
}

/** The rule of a claim's type over the places that it names. */
export async function rulingOf(evidence: Evidence, claim: Claim, places: Places): Promise<Ruling> {
  switch (claim.type) {
    case "count": {
      const cell = places.cell(claim.cell);
      const reasons = [...when(!isCount(evidence, cell), "not_a_count"), ...valueProblem(cell, claim.value)];
      return { reasons, cells: [cell], needsWhole: true };
    }
    case "value": {
      const cell = places.cell(claim.cell);
      const reasons = [...rankProblems(cell, claim.rank), ...valueProblem(cell, claim.value)];
      return { reasons, cells: [cell], needsWhole: claim.rank !== undefined };
    }
    case "entity": {
      const cell = places.cell(claim.cell);
      const ranked = rankProblems(cell, claim.rank);
      const reasons = [...entityProblems(evidence, cell), ...ranked, ...valueProblem(cell, claim.value)];
      return { reasons, cells: [cell], needsWhole: claim.rank !== undefined };
    }
    case "entity_set": {
      const list = places.list(claim.cells);
      return { reasons: setProblems(evidence, claim, list), cells: [list], needsWhole: claim.complete };
    }
    case "interval": {
      const [from, to] = [places.cell(claim.from), places.cell(claim.to)];
      const { value } = claim;
      const isOther = value !== undefined && !(hasValue(from, value.from) && hasValue(to, value.to));
      const ranked = [...rankProblems(from, claim.rank), ...rankProblems(to, claim.rank)];
      const reasons = [...when(!isPair(from, to), "not_a_pair"), ...ranked, ...when(isOther, "value")];
      return { reasons, cells: [from, to], needsWhole: claim.rank !== undefined };
    }
    case "change": {
      const [before, after] = [places.cell(claim.before), places.cell(claim.after)];
      const problem = comparabilityProblem(evidence, before, after, claim.axis);
      const turned = when(!went(claim.direction, before, after), "direction");
      return { reasons: problem === null ? turned : [problem, ...turned], cells: [before, after], needsWhole: true };
    }
    case "ordering":
      return orderingRuling(evidence, claim, places);
    case "absence":
      return absenceRuling(evidence, claim, places);
    case "temporal_pattern":
      return patternRuling(evidence, claim, places);
  }
}
