// Arguments of CALL: constants of the language as the JSON that operators read; paths into WITH steps as references.
import type { Expr } from "../../../grammar/ast.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { type Folder, strideText } from "./fold.js";
import { givenValue, instantForm } from "./parameters.js";
import { instantValue, isRef, pointText } from "./periods.js";
import { refuse } from "./problem.js";

/** Gives the reference of a path, of a WITH name alone too. */
export type References = (expr: Expr) => string | undefined;

export function jsonOf(expr: Expr, folder: Folder, references: References): JsonValue {
  const ref = references(expr);
  if (ref !== undefined) return { $ref: ref };
  switch (expr.kind) {
    case "string":
    case "number":
    case "boolean":
      return expr.value;
    case "null":
      return null;
    case "integer":
      return plainInteger(expr.value);
    case "unary": {
      if (expr.op === "not") break;
      if (expr.op === "+") return jsonOf(expr.of, folder, references);
      if (expr.of.kind === "integer") return plainInteger(-expr.of.value);
      if (expr.of.kind === "number") return -expr.of.value;
      break;
    }
    case "duration":
      return strideText({ kind: "exact", us: folder.duration(expr) });
    case "interval":
      return strideText(folder.stride(expr));
    case "parameter":
      return jsonOfValue(givenValue(expr, folder.context), (value) => instantForm(value, expr));
    case "list":
      return expr.of.map((member) => jsonOf(member, folder, references));
    case "row":
      return expr.of.map((member) => jsonOf(member, folder, references));
    case "map": {
      const object: JsonObject = {};
      for (const { key, value } of expr.entries) {
        if (Object.hasOwn(object, key.text)) {
          refuse("E_INVALID_ARG", "map", key, `the key ${JSON.stringify(key.text)} stands twice`, "leave one out");
        }
        Object.defineProperty(object, key.text, {
          value: jsonOf(value, folder, references),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return object;
    }
    case "function":
      if (expr.name.text === "PERIOD" && expr.args.length === 2) {
        const [from, to] = expr.args.map((end) => folder.point(end)) as [
          ReturnType<Folder["point"]>,
          ReturnType<Folder["point"]>,
        ];
        if (!isRef(from) && !isRef(to) && from.us >= to.us) {
          refuse(
            "E_PERIOD_ORDER",
            "period",
            expr,
            `${pointText(from.us)} is not before ${pointText(to.us) ?? "FOREVER"}`,
            "exchange the two",
          );
        }
        return { from: instantValue(from), to: instantValue(to) };
      }
      break;
    default:
      break;
  }
  const us = folder.tryInstant(expr);
  if (us !== undefined) return pointText(us);
  return refuse(
    "E_INVALID_ARG",
    "not_constant",
    expr,
    "an argument is a constant, a parameter, or a path into a WITH step",
    "compute it in a WITH query, and name its rows: w.rows[0].x, w.rows[*].x",
  );
}

const plainInteger = (value: bigint): JsonValue =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

/** A parameter's value as it was given, but with its instants as text. */
function jsonOfValue(value: unknown, instantOf: (value: unknown) => bigint | undefined): JsonValue {
  if (value === undefined) return null;
  const us = instantOf(value);
  if (us !== undefined) return pointText(us);
  if (Array.isArray(value)) return value.map((member) => jsonOfValue(member, instantOf));
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, member]) => [key, jsonOfValue(member, instantOf)] as const);
    return Object.fromEntries(members);
  }
  return value as JsonValue;
}
