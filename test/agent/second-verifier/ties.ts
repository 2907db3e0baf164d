// 5.2: whether a subject is tied to a cell, by its row or by an argument that the plan fills with it.
// Follows the edges of the plan; equal values elsewhere tie nothing.
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import type { JsonValue } from "../../../src/contract/values.js";
import { lookUp } from "../../../src/operators/registry.js";
import { printPath } from "../../../src/plan/references.js";
import { isMention, type Place, pathOf, rowOf, spotAt } from "./cells.js";

/** A cell, or a step as a whole for what is no single cell. */
export type Tied = Place | { readonly step: string; readonly keys: readonly [] };

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((node, key) => (node as Record<string, unknown> | null)?.[key], value);

/** The uid that an argument holds and nothing beside it. */
function oneUid(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.length === 1 ? oneUid(value[0]) : undefined;
  return undefined;
}

function uidLists(value: unknown, path: readonly string[], isInWhere: boolean): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (isInWhere && key === "uids") return [[...path, key].join(".")];
    return uidLists(member, [...path, key], isInWhere || key === "where");
  });
}

/** The arguments of a call that say whom it is about. */
export function subjectArguments({ record }: EvidenceStep): string[] {
  const { paths } = lookUp(record.op).declaration.subjects;
  // A reference to a node or to an edge holds its uids under names.
  const inside = paths.flatMap((path) => ["uid", "src", "dst"].map((name) => `${path}.${name}`));
  return [...paths, ...inside, ...uidLists(record.args, [], false)];
}

/** The argument at which a place of the plan stands; `uid` of entity_history is short for its reference. */
function argumentOf(step: EvidenceStep, place: readonly (string | number)[], candidates: readonly string[]) {
  const names = place.filter((key) => typeof key === "string").join(".");
  const path = step.record.op === "entity_history" && names === "uid" ? "ref.uid" : names;
  return candidates.find((candidate) => path === candidate);
}

export function isTied(evidence: Evidence, subject: string, cell: Tied): boolean {
  const step = evidence.step(cell.step)!;
  const candidates = subjectArguments(step);
  const holds = (argument: string, uid: JsonValue): boolean => oneUid(at(step.record.args, argument)) === uid;
  const filled = step.references.map(({ place, path }) => ({ argument: argumentOf(step, place, candidates), path }));

  if (isMention(subject)) {
    const uid = evidence.mention(subject)?.uid ?? null;
    const literal = candidates.filter((candidate) => filled.every(({ argument }) => argument !== candidate));
    return uid !== null && literal.some((argument) => holds(argument, uid));
  }

  const path = pathOf(subject)!;
  const place = spotAt(evidence.step(path.step)!, path)!.places[0]!;
  const row = rowOf(place);
  const own = cell.keys.length === 0 ? undefined : rowOf(cell as Place);
  if (place.step === cell.step && row !== undefined && row.list === own?.list && row.index === own.index) return true;
  return filled.some(
    ({ argument, path: from }) =>
      argument !== undefined && printPath(from) === printPath(path) && holds(argument, place.value),
  );
}
