// The type that a property has in a column of a base table, by the classes of its values (docs/contract.md P7).
import type { ScalarType } from "../../columns/types.js";

/** Bits of PropKind, in native/core/base/types.h. */
const INT = 1;
const DOUBLE = 2;
const BOOL = 4;
const STRING = 8;

export type PropertyType = Extract<ScalarType, "int" | "double" | "bool" | "string" | "json">;

export function typeOfClasses(bits: number): PropertyType {
  if (bits === INT) return "int";
  if (bits === DOUBLE || bits === (INT | DOUBLE)) return "double";
  return bits === BOOL ? "bool" : bits === STRING ? "string" : "json";
}
