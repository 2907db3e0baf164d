// Changes: two cells that differ in nothing but when they were so, or were believed, and which way the value went.
import { canonicalJson } from "../../contract/canonical.js";
import { parseDuration } from "../../contract/duration.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { valueAt } from "../../operators/paths.js";
import { lookUp } from "../../operators/registry.js";
import type { Cell } from "./cells.js";
import type { ChangeClaim, ChangeDirection, Reason } from "./claim.js";
import type { Evidence } from "./evidence.js";

type Axis = ChangeClaim["axis"];

/** Arguments that say when in valid time, by name: instants and windows. */
const VALID_ARGUMENTS: readonly string[] = ["at", "window", "t1", "t2", "valid"];

/** The arguments without what may differ. */
function fixedArguments(args: JsonObject, pins: readonly string[], axis: Axis): JsonObject {
  const free = new Set([...pins.map((path) => path.split(".")[0]!), ...(axis === "valid" ? VALID_ARGUMENTS : [])]);
  return Object.fromEntries(Object.entries(args).filter(([name]) => !free.has(name)));
}

/** The columns that name the rows of a list: none where it has one row alone. */
function keyOf({ op, args }: Cell["step"]["record"], list: string): readonly string[] | undefined {
  const key = lookUp(op).declaration.lists.find(({ field }) => field === list)?.key;
  return typeof key === "function" ? key(args ?? {}) : key;
}

/** The columns that name a row, but for those that tell when. */
function rowName({ step, list, row }: Cell, axis: Axis): JsonValue | undefined {
  if (list === null || row === null) return null;
  const key = keyOf(step.record, list);
  if (key === undefined) return undefined;
  const { fields } = rowType(step.result!.type, list);
  const named = key.filter((column) => {
    const type = fields[column];
    return !(axis === "valid" && type?.kind === "scalar" && (type.type === "instant" || type.type === "instant_open"));
  });
  return named.map((column) => row[column] ?? null);
}

type Types = NonNullable<Cell["step"]["result"]>["type"];
type Fields = Extract<Types, { kind: "object" }>["fields"];

function rowType(type: Types, list: string): { readonly fields: Fields } {
  const given = type.kind === "object" ? type.fields[list] : undefined;
  const rows = given?.kind === "object" && given.isPage ? given.fields.rows : given;
  return rows?.kind === "list" && rows.item.kind === "object" ? rows.item : { fields: {} };
}

/** When in valid time a call asked: the instant, or where its window begins. */
function validFrom(args: JsonObject): string | null {
  for (const path of ["at", "valid.at", "window.from", "valid.window.from", "t2"]) {
    const found = valueAt(args, path);
    if (typeof found === "string") return found;
  }
  return null;
}

const SIDES = /^(before|after)\.(.+)$/;

/** `before.x` and `after.x` of one row of a diff. */
function isOneRow(before: Cell, after: Cell): boolean {
  const then = SIDES.exec(before.field);
  const now = SIDES.exec(after.field);
  return (
    before.step === after.step &&
    before.step.record.op === "diff_snapshots" &&
    before.list === after.list &&
    before.index === after.index &&
    before.index !== null &&
    then?.[1] === "before" &&
    now?.[1] === "after" &&
    then[2] === now[2]
  );
}

/** Both cells of the same corner of one row of a diff. */
const isOneCorner = (before: Cell, after: Cell): boolean =>
  before.step === after.step &&
  before.step.record.op === "diff_snapshots" &&
  before.list === "rows" &&
  before.index === after.index &&
  before.field === after.field &&
  SIDES.test(before.field);

/** Whether a row of a diff compares what the axis says: two pins at one instant, or two instants at one pin. */
function diffAxisProblem({ step }: Cell, axis: Axis): Reason | null {
  const args = step.record.args ?? {};
  const [left, right] = [args.left, args.right] as unknown as readonly { at: string; as_of_tt: string }[];
  const isSameAt = left!.at === right!.at;
  const isSamePin = left!.as_of_tt === right!.as_of_tt;
  if (isSameAt && isSamePin) return "same_corner";
  if (axis === "belief") return isSameAt && txOf(left!.as_of_tt) < txOf(right!.as_of_tt) ? null : "not_comparable";
  return isSamePin && instant(left!.at) < instant(right!.at) ? null : "not_comparable";
}

const txOf = (pin: string): number => Number(pin.slice(3));
const instant = (text: string): bigint => parseInstant(text, "");

export function comparabilityProblem(evidence: Evidence, before: Cell, after: Cell, axis: Axis): Reason | null {
  if (isOneRow(before, after)) return diffAxisProblem(before, axis);
  const [then, now] = [before.step, after.step];
  const { op } = then.record;
  if (isOneCorner(before, after)) return "same_corner";
  if (op !== now.record.op || before.field !== after.field || before.list !== after.list) return "not_comparable";
  const { pins } = lookUp(op).declaration;
  if (pins === null || pins.other !== null) return "not_comparable";
  const [thenArgs, nowArgs] = [then.record.args ?? {}, now.record.args ?? {}];
  const fixed = [thenArgs, nowArgs].map((args) => canonicalJson(fixedArguments(args, [pins.envelope], axis)));
  if (fixed[0] !== fixed[1]) return "not_comparable";
  const names = [rowName(before, axis), rowName(after, axis)];
  if (names.includes(undefined) || canonicalJson(names[0]) !== canonicalJson(names[1])) return "not_comparable";
  const [thenTx, nowTx] = [evidence.pinOf(then), evidence.pinOf(now)];
  if (axis === "belief") return thenTx === nowTx ? "same_corner" : thenTx < nowTx ? null : "not_comparable";
  if (thenTx !== nowTx) return "not_comparable";
  const [thenAt, nowAt] = [validFrom(thenArgs), validFrom(nowArgs)];
  if (thenAt === null || nowAt === null) return thenAt === nowAt ? "same_corner" : "not_comparable";
  return thenAt === nowAt ? "same_corner" : instant(thenAt) < instant(nowAt) ? null : "not_comparable";
}

/** A value on a scale: numbers, instants and durations; null for what only is or is not the same. */
function scaled({ value, type }: Cell): bigint | number | null {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value !== "string" || type === null) return null;
  try {
    if (type.type === "instant" || type.type === "instant_open") return parseInstant(value, "");
    return type.type === "duration" ? parseDuration(value, "") : null;
  } catch {
    return null;
  }
}

/** Whether a value went in a direction: values on a scale rise, fall or stay; others stay or do not. */
export function went(direction: ChangeDirection, before: Cell, after: Cell): boolean {
  const [then, now] = [scaled(before), scaled(after)];
  const isSame = canonicalJson(before.value) === canonicalJson(after.value);
  if (then === null || now === null) return direction === (isSame ? "same" : "different");
  // An int64 and a double compare by value.
  const found = then === now || isSame ? "same" : then < now ? "up" : "down";
  return direction === found;
}
