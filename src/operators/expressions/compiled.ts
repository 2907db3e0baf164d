// A compiled expression: its type, and a function from a row to its value. What the families of functions share.
// Knows nothing of tables or variables: leaves come from a scope.
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { derived } from "../numbers/fractions.js";
import { doNotMix, fromJson, isInstant, isTime, mixed, toJson, type Value, type ValueType } from "./types.js";

export interface Compiled<Row> {
  readonly kind: "value";
  readonly type: ValueType;
  readonly path: string;
  /** A double that arithmetic made: it is rounded before it is compared or shown, and not before. */
  readonly isDerived: boolean;
  /** Whether it is the same for every row: it then reads none. */
  readonly isConstant: boolean;
  /** The expression with its texts in canonical form. */
  readonly echo: JsonObject;
  /** What stands in a literal that names no type: a text can still become an instant or a duration. */
  readonly literal?: JsonValue;
  read(row: Row): Value;
}

/** A leaf that stands for two columns, the ends of an interval. */
export interface Interval<Row> {
  readonly kind: "interval";
  readonly path: string;
  readonly from: Compiled<Row>;
  readonly to: Compiled<Row>;
  readonly echo: JsonObject;
}

/** What the leaves of an expression stand for. */
export interface Scope<Row> {
  /** E_SCHEMA for a name that is not there, E_INVALID_ARG for one that cannot be computed with. */
  leaf(node: JsonObject, path: string): Compiled<Row> | Interval<Row>;
}

/** A call of a function whose arguments are compiled. */
export interface Call<Row> {
  readonly fn: string;
  readonly args: readonly Compiled<Row>[];
  readonly node: JsonObject;
  readonly path: string;
}

/** What a family makes of a call; echo and path are added where it is called. */
export interface Made<Row> {
  readonly type: ValueType;
  readonly isDerived?: boolean;
  read(row: Row): Value;
}

const always =
  <Row>(value: Value) =>
  (_row: Row): Value =>
    value;

export const NULL: Made<never> = { type: "null", read: () => null };

export function invalidType(path: string, message: string, hint = ""): PalimpsestError {
  return new PalimpsestError("E_INVALID_ARG", `${path}: ${message}`, { details: { path }, hint });
}

/** The argument, refused unless its type is one of these. */
export function wanted<Row>(part: Compiled<Row>, fn: string, types: readonly ValueType[]): Compiled<Row> {
  if (types.includes(part.type) || part.type === "null") return part;
  throw invalidType(part.path, `${fn} takes ${types.join(" or ")}, not ${part.type}`);
}

/** The same expression, rounded where it is a double that arithmetic made. */
export function settled<Row>(part: Compiled<Row>): Compiled<Row> {
  if (!part.isDerived) return part;
  const { read } = part;
  const rounded = (row: Row): Value => {
    const value = read(row);
    return typeof value === "number" ? derived(value) : value;
  };
  return { ...part, isDerived: false, read: rounded };
}

/** A literal that names no type, read as a time of this type; anything else as it is. */
export function asTime<Row>(part: Compiled<Row>, type: ValueType): Compiled<Row> {
  const { literal } = part;
  if (literal === undefined || literal === null || part.type === "bool") return part;
  if (typeof literal !== "string" && (type === "duration" || part.type !== "json")) return part;
  const value = fromJson(literal, type, part.path);
  // The echo is that of the literal itself, which its expression holds already: it shows what the text was read as.
  part.echo.value = toJson(value, type);
  const { kind, path, echo } = part;
  return { kind, path, echo, type, isDerived: false, isConstant: true, read: always(value) };
}

/** Literals among them read as the times that the others are, every double settled. */
export function alike<Row>(parts: readonly Compiled<Row>[]): readonly Compiled<Row>[] {
  const time = parts.find((part) => isTime(part.type))?.type;
  const typed = time === undefined ? parts : parts.map((part) => asTime(part, isInstant(time) ? "instant" : time));
  return typed.map(settled);
}

/** The type of all of them together; E_INVALID_ARG where they do not mix. */
export function commonType<Row>(parts: readonly Compiled<Row>[], path: string): ValueType {
  return parts.reduce<ValueType>((type, part) => {
    const both = mixed(type, part.type);
    if (both === undefined) throw doNotMix(type, part.type, path);
    return both;
  }, "null");
}
