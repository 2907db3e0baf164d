// Ties: whether a cell is said of a subject, by row or by the references of the plan, never by equal values.
import type { JsonValue } from "../../contract/values.js";
import { lookUp } from "../../operators/registry.js";
import type { Cell, CellList } from "./cells.js";
import type { CellRef, MentionId } from "./claim.js";
import type { Evidence, EvidenceStep } from "./evidence.js";

const MENTION = /^q[1-9]\d{0,2}$/;

export const isMention = (subject: CellRef | MentionId): boolean => MENTION.test(subject);

type Place = readonly (string | number)[];
/** What a subject is tied to: a cell; the cells of a list, or a step as a whole, which are of no single row. */
export type Tied = Cell | CellList | { readonly step: EvidenceStep };

/** A uid list of a `where`: `where.node.uids`, `where.src.uids`, … */
function isUidFilter(place: Place): boolean {
  const at = place.indexOf("uids");
  return at > 0 && place.includes("where");
}

const isUnder = (place: Place, path: string): boolean => {
  const keys = path.split(".");
  return keys.every((key, i) => place[i] === key);
};

/** The `uid` of entity_history, which is short for its reference. */
const isShorthand = (op: string, place: Place): boolean =>
  op === "entity_history" && place.length === 1 && place[0] === "uid";

/** Whether an argument at this place narrows the whole answer to one subject. */
function isSubjectPlace({ record }: EvidenceStep, place: Place): boolean {
  if (isShorthand(record.op, place)) return true;
  const { subjects } = lookUp(record.op).declaration;
  return subjects.paths.some((path) => isUnder(place, path)) || isUidFilter(place);
}

/** The value at the argument that holds a place: the list, where the place is one of its elements. */
function argumentAt({ record }: EvidenceStep, place: Place): JsonValue | undefined {
  const given = typeof place.at(-1) === "number" ? place.slice(0, -1) : place;
  const path = isShorthand(record.op, given) ? ["ref", ...given] : given;
  let value: JsonValue | undefined = record.args ?? undefined;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, JsonValue>)[key];
  }
  return value;
}

const holdsAlone = (value: JsonValue | undefined, uid: JsonValue): boolean =>
  Array.isArray(value) ? value.length === 1 && value[0] === uid : value === uid;

/** Every place of the given arguments where a text stands as a literal. */
function* literalPlaces(value: JsonValue | undefined, place: Place = []): Generator<readonly [Place, string]> {
  if (typeof value === "string") yield [place, value];
  else if (Array.isArray(value)) for (const [i, member] of value.entries()) yield* literalPlaces(member, [...place, i]);
  else if (typeof value === "object" && value !== null) {
    if (Object.hasOwn(value, "$ref")) return;
    for (const [key, member] of Object.entries(value)) yield* literalPlaces(member, [...place, key]);
  }
}

/** Whether a step was asked of this one entity, by its name. */
export function isNamedBy(uid: string, step: EvidenceStep): boolean {
  for (const [place, text] of literalPlaces(step.step.args)) {
    if (text === uid && isSubjectPlace(step, place) && holdsAlone(argumentAt(step, place), uid)) return true;
  }
  return false;
}

function isTiedByMention(evidence: Evidence, id: string, { step }: Tied): boolean {
  const uid = evidence.mention(id)?.uid ?? null;
  return uid !== null && isNamedBy(uid, step);
}

function isTiedByRow(subject: Cell, to: Tied): boolean {
  if (!("index" in to) || to.index === null) return false;
  return subject.step === to.step && subject.list === to.list && subject.index === to.index;
}

function isTiedByReference(subject: Cell, { step }: Tied): boolean {
  const { path, value } = subject;
  return step.references.some(
    (reference) =>
      JSON.stringify(reference.path) === JSON.stringify(path) &&
      isSubjectPlace(step, reference.place) &&
      holdsAlone(argumentAt(step, reference.place), value),
  );
}

/** Whether a subject, a mention or the cell that stands for it, is tied to every one of the cells. */
export function isTied(evidence: Evidence, subject: MentionId | Cell, cells: readonly Tied[]): boolean {
  if (typeof subject === "string") return cells.every((cell) => isTiedByMention(evidence, subject, cell));
  return cells.every((to) => isTiedByRow(subject, to) || isTiedByReference(subject, to));
}
