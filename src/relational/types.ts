// The types of TQL values, how they are named to people, and which of them mix.
// Pure; what DuckDB holds for each is in printer/, what a column holds for each is scalarOf.
import type { ScalarType } from "../columns/types.js";

export type SimpleKind =
  | "bool"
  | "string"
  | "int"
  | "double"
  | "instant"
  | "instant_open"
  | "duration"
  | "interval"
  | "period"
  | "json"
  | "null";

/** A calendar step (`interval`) and a row `(a, b)` are types of expressions only, never of an output column. */
export type TqlType =
  | { readonly kind: SimpleKind }
  | { readonly kind: "list"; readonly of: TqlType }
  | { readonly kind: "row"; readonly of: readonly TqlType[] };

const simple = (kind: SimpleKind): TqlType => ({ kind });

export const BOOL = simple("bool");
export const STRING = simple("string");
export const INT = simple("int");
export const DOUBLE = simple("double");
export const INSTANT = simple("instant");
/** An instant that may be FOREVER. */
export const INSTANT_OPEN = simple("instant_open");
export const DURATION = simple("duration");
export const INTERVAL = simple("interval");
export const PERIOD = simple("period");
export const JSON_TYPE = simple("json");
/** Of the literal NULL. */
export const NULL_TYPE = simple("null");
export const listOf = (of: TqlType): TqlType => ({ kind: "list", of });
export const rowOf = (of: readonly TqlType[]): TqlType => ({ kind: "row", of });

export const isNumber = (type: TqlType): boolean => type.kind === "int" || type.kind === "double";
export const isInstant = (type: TqlType): boolean => type.kind === "instant" || type.kind === "instant_open";
export const isNull = (type: TqlType): boolean => type.kind === "null";

export function sameType(a: TqlType, b: TqlType): boolean {
  if (a.kind === "list") return b.kind === "list" && sameType(a.of, b.of);
  if (a.kind === "row") {
    return b.kind === "row" && a.of.length === b.of.length && a.of.every((each, i) => sameType(each, b.of[i]!));
  }
  return a.kind === b.kind;
}

/** The type of a column that holds values of both; undefined where the two do not mix. */
export function mixedType(a: TqlType, b: TqlType): TqlType | undefined {
  if (isNull(b)) return a;
  if (isNull(a)) return b;
  if (isNumber(a) && isNumber(b)) return a.kind === b.kind ? a : DOUBLE;
  if (isInstant(a) && isInstant(b)) return a.kind === b.kind ? a : INSTANT_OPEN;
  if (a.kind === "list" && b.kind === "list") {
    const of = mixedType(a.of, b.of);
    return of === undefined ? undefined : listOf(of);
  }
  if (a.kind === "row" && b.kind === "row" && a.of.length === b.of.length) {
    const of = a.of.map((each, i) => mixedType(each, b.of[i]!));
    return of.includes(undefined) ? undefined : rowOf(of as TqlType[]);
  }
  return sameType(a, b) ? a : undefined;
}

/** The name of a type in answers: `int`, `list(string)`. */
export function typeName(type: TqlType): string {
  if (type.kind === "list") return `list(${typeName(type.of)})`;
  return type.kind === "row" ? `(${type.of.map(typeName).join(", ")})` : type.kind;
}

const SHOWN: Readonly<Record<string, string>> = { int: "INT64", instant_open: "INSTANT" };

/** The name of a type in messages: `INT64`, `LIST(STRING)`. */
export function shownType(type: TqlType): string {
  if (type.kind === "list") return `LIST(${shownType(type.of)})`;
  if (type.kind === "row") return `(${type.of.map(shownType).join(", ")})`;
  return SHOWN[type.kind] ?? type.kind.toUpperCase();
}

/** What a column of the type holds: lists, periods and a bare NULL are held as JSON. */
export function scalarOf(type: TqlType): ScalarType {
  switch (type.kind) {
    case "list":
    case "row":
    case "period":
    case "interval":
    case "null":
      return "json";
    default:
      return type.kind;
  }
}
