// Intervals in time: two ends that are a declared pair in one row, or an instant; and how two of them lie.
import type { AllenRelation } from "../../contract/allen.js";
import { OPEN_END_US } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { Cell } from "./cells.js";
import type { SpanRelation } from "./claim.js";

/** [fromUs, toUs); an instant is one microsecond long. */
export interface Interval {
  readonly fromUs: bigint;
  readonly toUs: bigint;
  readonly isInstant: boolean;
}

/** Names of ends that operators declare; columns that were handed on through rows keep the name and lose the mark. */
export const PAIRS: readonly (readonly [from: string, to: string])[] = [
  ["valid_from", "valid_to"],
  ["from", "to"],
  ["bucket_from", "bucket_to"],
  ["departure", "arrival"],
  ["departs", "arrives"],
];
const COLUMNAR: readonly string[] = ["compute", "select", "scan"];

const lastName = (field: string): string => field.slice(field.lastIndexOf(".") + 1);
const holder = (field: string): string => field.slice(0, Math.max(0, field.lastIndexOf(".")));

function isDeclared(from: Cell, to: Cell): boolean {
  const pair = from.type?.pair ?? null;
  const names = [lastName(from.field), lastName(to.field)];
  if (pair !== null) return pair[0] === names[0] && pair[1] === names[1];
  const { op, args } = from.step.record;
  const isNamed = PAIRS.some(([first, second]) => first === names[0] && second === names[1]);
  if (COLUMNAR.includes(op)) return isNamed && isTime(from) && isTime(to);
  const dims = op === "aggregate_events" ? (args?.group_by as unknown as readonly { readonly dim: string }[]) : [];
  return dims.some(({ dim }) => dim === "bucket") && names[0] === "from" && names[1] === "to";
}

const isTime = ({ type }: Pick<Cell, "type">): boolean => type?.type === "instant" || type?.type === "instant_open";

/** Whether two cells are the ends of one interval: in one row, or both beside the lists of one answer. */
export function isPair(from: Cell, to: Cell): boolean {
  const isTogether =
    from.step === to.step &&
    from.list === to.list &&
    from.index === to.index &&
    holder(from.field) === holder(to.field);
  return isTogether && isDeclared(from, to);
}

/** An instant, out of a cell that is one. */
function instantUs({ value, type }: Cell): bigint | null {
  if (!isTime({ type }) || typeof value !== "string") return null;
  try {
    return parseInstant(value, "");
  } catch {
    return null;
  }
}

/** The interval of one cell, an instant, or of two that are its ends; null where they are none. */
export function intervalOf(from: Cell, to: Cell | null): Interval | null {
  const fromUs = instantUs(from);
  if (fromUs === null) return null;
  if (to === null) return { fromUs, toUs: fromUs + 1n, isInstant: true };
  const toUs = to.value === null ? OPEN_END_US : instantUs(to);
  return isPair(from, to) && toUs !== null ? { fromUs, toUs, isInstant: false } : null;
}

/** The one of Allen's thirteen relations that holds (Allen, CACM 26(11), 1983). */
export function relationOf(a: Interval, b: Interval): AllenRelation {
  if (a.toUs < b.fromUs) return "before";
  if (a.toUs === b.fromUs) return "meets";
  if (b.toUs < a.fromUs) return "after";
  if (b.toUs === a.fromUs) return "met_by";
  if (a.fromUs === b.fromUs) return a.toUs === b.toUs ? "equals" : a.toUs < b.toUs ? "starts" : "started_by";
  if (a.toUs === b.toUs) return a.fromUs > b.fromUs ? "finishes" : "finished_by";
  if (a.fromUs < b.fromUs) return a.toUs < b.toUs ? "overlaps" : "contains";
  return a.toUs < b.toUs ? "during" : "overlapped_by";
}

/** Two instants only come before, after, or at once. */
export function holds(relation: SpanRelation, a: Interval, b: Interval): boolean {
  if (a.isInstant && b.isInstant) {
    const found = a.fromUs < b.fromUs ? "before" : a.fromUs > b.fromUs ? "after" : "equals";
    return relation === found;
  }
  if (relation === "intersects") return a.fromUs < b.toUs && b.fromUs < a.toUs;
  return relationOf(a, b) === relation;
}
