// Parameters as the binder and the operator `select` take them: a type, a value, and JSON.
import type { Parameter } from "../../../grammar/ast.js";
import { INT64_MAX, INT64_MIN, type JsonValue } from "../../contract/values.js";
import {
  BOOL,
  DOUBLE,
  INT,
  JSON_TYPE,
  listOf,
  mixedType,
  NULL_TYPE,
  type ParameterValue,
  STRING,
  type TqlType,
} from "../../relational/index.js";
import { instantForm } from "./parameters.js";
import { pointText } from "./periods.js";
import { refuse } from "./problem.js";

const MOST_DEEP = 64;

/** The value with its instants as text; refuses what no JSON of the language holds. */
export function plainJson(value: unknown, parameter: Parameter, depth = 0): JsonValue {
  const bad = (what: string): never =>
    refuse("E_INVALID_ARG", "parameter", parameter, `$${parameter.name}: ${what}`, "give a value of the language");
  if (depth > MOST_DEEP) return bad(`it is nested more than ${MOST_DEEP} deep`);
  switch (typeof value) {
    case "undefined":
      return null;
    case "string":
    case "boolean":
      return value;
    case "bigint":
      if (value < INT64_MIN || value > INT64_MAX) return bad(`${value} is out of the range of int64`);
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case "number":
      return Number.isFinite(value) ? (value === 0 ? 0 : value) : bad(`${value} is not a value`);
    case "object": {
      if (value === null) return null;
      const us = instantForm(value, parameter);
      if (us !== undefined) return pointText(us);
      if (Array.isArray(value)) return value.map((member) => plainJson(member, parameter, depth + 1));
      const members = Object.entries(value).map(([key, each]) => [key, plainJson(each, parameter, depth + 1)] as const);
      return Object.fromEntries(members);
    }
    default:
      return bad(`a ${typeof value} is no value`);
  }
}

function typeOfJson(value: JsonValue): TqlType {
  switch (typeof value) {
    case "string":
      return STRING;
    case "boolean":
      return BOOL;
    case "bigint":
      return INT;
    case "number":
      return Number.isSafeInteger(value) ? INT : DOUBLE;
    default: {
      if (value === null) return NULL_TYPE;
      if (!Array.isArray(value)) return JSON_TYPE;
      let of: TqlType | undefined = NULL_TYPE;
      for (const member of value) of = of === undefined ? undefined : mixedType(of, typeOfJson(member));
      return of === undefined ? JSON_TYPE : listOf(of);
    }
  }
}

/** `undefined`: no value is given yet. */
export function parameterValue(value: unknown, parameter: Parameter): ParameterValue {
  if (value === undefined) return { type: NULL_TYPE, value: null, isUnknown: true };
  const json = plainJson(value, parameter);
  return { type: typeOfJson(json), value: json };
}
