// Values that are known before anything is read: literals, parameters, and lists and maps of them, as stored values.
// JSON has no instants: one is stored as its text.
import type { Expr } from "../../../grammar/ast.js";
import { formatDuration } from "../../contract/duration.js";
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";
import { type JsonObject, type JsonValue, normaliseNumber, setOwn } from "../../contract/values.js";
import type { Folder } from "../compile/fold.js";
import { givenValue, literalOf } from "../compile/parameters.js";
import { refuse } from "../compile/problem.js";

/** Undefined for what has to be computed. */
export function constantOf(expr: Expr, folder: Folder): JsonValue | undefined {
  switch (expr.kind) {
    case "null":
      return null;
    case "string":
    case "boolean":
      return expr.value;
    case "integer":
    case "number":
      return normaliseNumber(expr.value, "value");
    case "unary":
      return negated(expr, folder);
    case "parameter": {
      const given = givenValue(expr, folder.context);
      // While parameters have no values, any will do.
      return folder.context.parameters === null ? null : constantOf(literalOf(expr, given), folder);
    }
    case "list": {
      const members = expr.of.map((member) => constantOf(member, folder));
      return members.includes(undefined) ? undefined : (members as JsonValue[]);
    }
    case "map": {
      const map: JsonObject = {};
      for (const { key, value } of expr.entries) {
        const member = constantOf(value, folder);
        if (member === undefined) return undefined;
        setOwn(map, key.text, member);
      }
      return map;
    }
    case "named_instant":
    case "instant":
    case "epoch": {
      const us = folder.instant(expr);
      if (us !== OPEN_END_US) return formatInstant(us);
      return refuse(
        "E_SCHEMA",
        "forever",
        expr,
        "FOREVER is an end of valid time and no value",
        "leave it out, or NULL",
      );
    }
    case "duration":
      return formatDuration(folder.duration(expr));
    default:
      return undefined;
  }
}

function negated(expr: Extract<Expr, { kind: "unary" }>, folder: Folder): JsonValue | undefined {
  const of = expr.op === "not" ? undefined : constantOf(expr.of, folder);
  if (typeof of !== "number" && typeof of !== "bigint") return undefined;
  return expr.op === "+" ? of : normaliseNumber(-of, "value");
}
