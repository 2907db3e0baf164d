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
const TIMES = new Set(["instant", "instant_open", "window"]);

/** The values of arguments whose schema has one of the kinds, in the order of the schema, and the rest without them. */
function takenOut(args: JsonObject, schema: Node, kinds: ReadonlySet<string>): { taken: JsonValue[]; rest: JsonValue } {
  const taken: JsonValue[] = [];
  const visit = (value: JsonValue, node: Node): JsonValue => {
    const members = (node.anyOf as Node[] | undefined) ?? [];
    const marked = kinds.has(node.kind as string) ? node : members.find(({ kind }) => kinds.has(kind as string));
    if (marked !== undefined) {
      taken.push(value);
      return null;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const inner = [node, ...members].find(
      ({ properties }) =>
        properties !== undefined && Object.keys(value).every((key) => Object.hasOwn(properties as Node, key)),
    );
    if (inner === undefined) return value;
    const properties = inner.properties as Record<string, Node>;
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, visit(value[key]!, properties[key]!)]),
    );
  };
  return { rest: visit(args, schema), taken };
}

const BEGINNING = -(1n << 100n);

/** The first instant of a window, or the instant. */
const beginOf = (value: JsonValue): bigint => {
  const text = typeof value === "object" && value !== null ? (value as JsonObject).from : value;
  return text === null || text === undefined ? BEGINNING : microsOf("instant", text)!;
};
const endOf = (value: JsonValue): bigint => {
  const text = typeof value === "object" && value !== null ? (value as JsonObject).to : value;
  return text === null || text === undefined ? -BEGINNING : microsOf("instant", text)!;
};

/** Whether the first of the instants that differ is earlier. */
function isEarlier(before: readonly JsonValue[], after: readonly JsonValue[]): boolean {
  const ends = (values: readonly JsonValue[]) => [...values.map(beginOf), ...values.map(endOf)];
  const [a, b] = [ends(before), ends(after)];
  const at = a.findIndex((us, i) => us !== b[i]);
  return at >= 0 && a[at]! < b[at]!;
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

/** The corners of one row of a difference: whether the first cell is of the earlier one. */
function comparedInOneRow({ record }: EvidenceStep, before: Place, after: Place, axis: ChangeClaim["axis"]) {
  const [, , sideBefore, ...restBefore] = before.keys;
  const [, , sideAfter, ...restAfter] = after.keys;
  const isState = (side: unknown): boolean => side === "before" || side === "after";
  if (!isState(sideBefore) || !isState(sideAfter) || String(restBefore) !== String(restAfter)) return "not_comparable";
  if (sideBefore === sideAfter) return "same_corner";
  const args = record.args as unknown as Record<"left" | "right", { at: string; as_of_tt: string }>;
  const corner = (side: unknown) => (side === "before" ? args.left : args.right);
  const [a, b] = [corner(sideBefore), corner(sideAfter)];
  const tx = (pin: string): number => Number(pin.slice("tx:".length));
  const instants = [microsOf("instant", a.at)!, microsOf("instant", b.at)!] as const;
  const isGood =
    axis === "belief"
      ? instants[0] === instants[1] && tx(a.as_of_tt) < tx(b.as_of_tt)
      : a.as_of_tt === b.as_of_tt && instants[0] < instants[1];
  return isGood ? undefined : "not_comparable";
}

export function changeFindings(evidence: Evidence, claim: ChangeClaim, before: Place, after: Place): Finding[] {
  const [a, b] = [evidence.step(before.step)!, evidence.step(after.step)!];
  const row = rowOf(before);
  const isOneRow =
    before.step === after.step && row !== undefined && row.list === "rows" && row.index === rowOf(after)?.index;
  if (a.record.op === "diff_snapshots" && isOneRow) {
    const problem = comparedInOneRow(a, before, after, claim.axis);
    return problem === undefined
      ? directionFindings(before, after, claim.direction)
      : [unverifiable(problem as "same_corner")];
  }
  if (a.record.op !== b.record.op || fieldOf(before) !== fieldOf(after)) return [unverifiable("not_comparable")];
  const schema = lookUp(a.record.op).declaration.args as unknown as Node;
  const kinds = claim.axis === "belief" ? PINS : TIMES;
  const [argsA, argsB] = [takenOut(a.record.args!, schema, kinds), takenOut(b.record.args!, schema, kinds)];
  const isEqual = (x: unknown, y: unknown): boolean => canonicalJson(x) === canonicalJson(y);
  if (isEqual(a.record.args, b.record.args)) return [unverifiable("same_corner")];
  const keys = [rowKey(a, before, claim.axis === "valid"), rowKey(b, after, claim.axis === "valid")];
  const isSameRow = keys[0] !== undefined && isEqual(keys[0], keys[1] ?? null);
  const isInOrder =
    claim.axis === "belief"
      ? evidence.pinOf(a) < evidence.pinOf(b)
      : evidence.pinOf(a) === evidence.pinOf(b) && isEarlier(argsA.taken, argsB.taken);
  if (!isEqual(argsA.rest, argsB.rest) || !isSameRow || !isInOrder) return [unverifiable("not_comparable")];
  return directionFindings(before, after, claim.direction);
}
