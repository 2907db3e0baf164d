// Then and now: two cells of one question at two corners of time, and which way the value went.
import type { ChangeClaim } from "../../../src/agent/claims/claim.js";
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import { canonicalJson } from "../../../src/contract/canonical.js";
import type { JsonObject, JsonValue } from "../../../src/contract/values.js";
import { lookUp } from "../../../src/operators/registry.js";
import { fieldOf, heldRows, type Place, rowOf } from "./cells.js";
import { type Finding, refuted, unverifiable } from "./findings.js";
import { compare, equals, kindOf, microsOf } from "./values.js";

type Node = Readonly<Record<string, unknown>>;
const PINS = new Set(["pin", "pin_window"]);
/** Each call has the pin that its answer was given at: under "valid" the two must be one. */
const ANY_TIMES = new Set([...PINS, "instant", "instant_open", "window"]);

/** Arguments without the values whose schema has one of the kinds. */
function withoutTimes(value: JsonValue, node: Node, kinds: ReadonlySet<string>): JsonValue {
  const members = (node.anyOf as Node[] | undefined) ?? [];
  if ([node, ...members].some(({ kind }) => kinds.has(kind as string))) return null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const inner = [node, ...members].find(
    ({ properties }) =>
      properties !== undefined && Object.keys(value).every((key) => Object.hasOwn(properties as Node, key)),
  );
  if (inner === undefined) return value;
  const properties = inner.properties as Record<string, Node>;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutTimes(each, properties[key]!, kinds)]),
  );
}

/** Where in valid time a call looks: at its instant, else from the beginning of its window on; null where that is open. */
function lookedAt(args: JsonObject): string | null {
  const { at, valid, window, t2 } = args as unknown as Record<
    string,
    { at?: string; from?: string; window?: { from?: string } }
  >;
  const found = [at, valid?.at, window?.from, valid?.window?.from, t2];
  return (found.find((each) => typeof each === "string") as string | undefined) ?? null;
}

/** The values that name the row of a cell: [] beside the lists, nothing where rows have no names. */
function rowKey(step: EvidenceStep, place: Place, withoutTimes: boolean): JsonValue[] | undefined {
  const row = rowOf(place);
  if (row === undefined) return [];
  const { declaration } = lookUp(step.record.op);
  const key = declaration.lists.find(({ field }) => field === row.list)?.key;
  if (key === undefined) return undefined;
  const columns = typeof key === "function" ? key(step.record.args as JsonObject) : key;
  const list = row.list === "rows" ? heldRows(step)! : (step.result!.envelope[row.list] as { rows: JsonValue[] }).rows;
  const held = list[row.index] as JsonObject;
  const type = step.result!.type;
  const listType = type.kind === "object" ? type.fields[row.list] : undefined;
  const rowsType = listType?.kind === "object" ? listType.fields.rows : listType;
  const isInstant = (column: string): boolean => {
    const item =
      rowsType?.kind === "list" && rowsType.item.kind === "object" ? rowsType.item.fields[column] : undefined;
    return item?.kind === "scalar" && (item.type === "instant" || item.type === "instant_open");
  };
  return columns.filter((column) => !withoutTimes || !isInstant(column)).map((column) => held[column] ?? null);
}

function directionFindings(before: Place, after: Place, claimed: ChangeClaim["direction"]): Finding[] {
  const kinds = [kindOf(before.type, before.value), kindOf(after.type, after.value)] as const;
  const order = compare(kinds[0], before.value, kinds[1], after.value);
  const isSame = kinds[0] === kinds[1] && equals(kinds[0], before.value, after.value);
  const found = order === undefined ? (isSame ? "same" : "different") : order < 0 ? "up" : order > 0 ? "down" : "same";
  return found === claimed ? [] : [refuted("direction")];
}

/** What is wrong with two corners of one row of a difference: the left one stands before the right one. */
function problemInOneRow({ record }: EvidenceStep, before: Place, after: Place, axis: ChangeClaim["axis"]) {
  const [, , sideBefore, ...restBefore] = before.keys;
  const [, , sideAfter, ...restAfter] = after.keys;
  const isState = (side: unknown): boolean => side === "before" || side === "after";
  if (!isState(sideBefore) || !isState(sideAfter) || String(restBefore) !== String(restAfter)) return "not_comparable";
  if (sideBefore === sideAfter) return "same_corner";
  if (sideBefore !== "before") return "not_comparable";
  const { left, right } = record.args as unknown as Record<"left" | "right", { at: string; as_of_tt: string }>;
  const tx = (pin: string): number => Number(pin.slice("tx:".length));
  const [from, to] = [microsOf("instant", left.at)!, microsOf("instant", right.at)!];
  const isSameAt = from === to;
  const isSamePin = left.as_of_tt === right.as_of_tt;
  if (isSameAt && isSamePin) return "same_corner";
  const isInOrder = axis === "belief" ? isSameAt && tx(left.as_of_tt) < tx(right.as_of_tt) : isSamePin && from < to;
  return isInOrder ? undefined : "not_comparable";
}

export function changeFindings(evidence: Evidence, claim: ChangeClaim, before: Place, after: Place): Finding[] {
  const [a, b] = [evidence.step(before.step)!, evidence.step(after.step)!];
  const row = rowOf(before);
  const isOneRow =
    before.step === after.step && row !== undefined && row.list === "rows" && row.index === rowOf(after)?.index;
  if (a.record.op === "diff_snapshots" && isOneRow) {
    const problem = problemInOneRow(a, before, after, claim.axis);
    const turned = directionFindings(before, after, claim.direction);
    return problem === undefined ? turned : [unverifiable(problem), ...turned];
  }
  const { args: schema, pins } = lookUp(a.record.op).declaration;
  if (a.record.op !== b.record.op || fieldOf(before) !== fieldOf(after)) return away(before, after, claim);
  // Two corners in one call, or none at all, compare with no other call.
  if (pins === null || pins.other !== null) return away(before, after, claim);
  const kinds = claim.axis === "belief" ? PINS : ANY_TIMES;
  const rest = [a, b].map(({ record }) => withoutTimes(record.args!, schema as unknown as Node, kinds));
  const keys = [rowKey(a, before, claim.axis === "valid"), rowKey(b, after, claim.axis === "valid")];
  const isEqual = (x: unknown, y: unknown): boolean => canonicalJson(x) === canonicalJson(y);
  if (!isEqual(rest[0], rest[1]) || keys[0] === undefined || !isEqual(keys[0], keys[1] ?? null)) {
    return away(before, after, claim);
  }
  return [...cornerFindings(evidence, claim, a, b), ...directionFindings(before, after, claim.direction)];
}

const away = (before: Place, after: Place, claim: ChangeClaim): Finding[] => [
  unverifiable("not_comparable"),
  ...directionFindings(before, after, claim.direction),
];

function cornerFindings(evidence: Evidence, { axis }: ChangeClaim, a: EvidenceStep, b: EvidenceStep): Finding[] {
  const [pinA, pinB] = [evidence.pinOf(a), evidence.pinOf(b)];
  if (axis === "belief") {
    return pinA < pinB ? [] : [unverifiable(pinA === pinB ? "same_corner" : "not_comparable")];
  }
  if (pinA !== pinB) return [unverifiable("not_comparable")];
  const [from, to] = [lookedAt(a.record.args!), lookedAt(b.record.args!)];
  if (from === to) return [unverifiable("same_corner")];
  const isEarlier = from !== null && to !== null && microsOf("instant", from)! < microsOf("instant", to)!;
  return isEarlier ? [] : [unverifiable("not_comparable")];
}
