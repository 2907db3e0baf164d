// Literals and parameters as constants in the form of columns. Time literals are read here, as they need the zone and the clock.
import type { Expr, InstantLiteral, Literal, NamedInstant, Parameter, StringLiteral } from "../../../grammar/ast.js";
import { periodBegins } from "../../calendar/units.js";
import { zoneOf } from "../../calendar/zones.js";
import { parseDuration, parseStride } from "../../contract/duration.js";
import { BEGINNING_US, OPEN_END_US } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { Bound } from "../bound.js";
import { constant, NULL } from "../nodes.js";
import { problem, unknownName } from "../problems.js";
import type { Scope } from "../schema.js";
import { BOOL, DOUBLE, DURATION, INSTANT, INSTANT_OPEN, INT, INTERVAL, STRING, shownType } from "../types.js";
import { reading } from "../values.js";

const DATE_ONLY = /^[+-]?\d{4,6}-\d\d-\d\d$/;
const MICROS_PER_DAY = 86_400_000_000n;
const SCALE = { s: 1_000_000n, ms: 1000n, us: 1n } as const;

export function parameter(expr: Parameter, scope: Scope): Bound & { kind: "constant" } {
  const given = Object.hasOwn(scope.parameters, expr.name) ? scope.parameters[expr.name] : undefined;
  if (given === undefined) {
    throw unknownName(
      "there is no parameter",
      `$${expr.name}`,
      expr,
      Object.keys(scope.parameters).map((name) => `$${name}`),
    );
  }
  return { ...constant(given.value, given.type), parameter: expr.name };
}

function text(given: StringLiteral | Parameter, scope: Scope): string {
  if (given.kind === "string") return given.value;
  const { value, type } = parameter(given, scope);
  if (typeof value === "string") return value;
  throw problem("wrong_type", `$${given.name} is ${shownType(type)}, and a text is needed here`, given);
}

/** Microseconds of TIMESTAMP '…' and DATE '…'. */
function instant(expr: InstantLiteral, scope: Scope): bigint {
  const known = scope.instant?.(expr);
  if (known !== undefined) return known;
  const written = text(expr.text, scope);
  const isDate = DATE_ONLY.test(written);
  if (isDate !== (expr.form === "date")) {
    const meant = isDate ? `DATE '${written}'` : `TIMESTAMP '${written.slice(0, 60)}'`;
    throw problem("literal", `${JSON.stringify(written.slice(0, 60))} is no ${expr.form.toUpperCase()}`, expr, {
      code: "E_INVALID_ARG",
      hint: `write ${meant}`,
    });
  }
  const us = reading(expr, "literal", () => parseInstant(written, expr.form.toUpperCase()));
  return isDate ? zoneOf(scope.zone, "zone").dayBegins(Number(us / MICROS_PER_DAY)) : us;
}

export function literal(expr: Literal, scope: Scope): Bound {
  switch (expr.kind) {
    case "string":
      return constant(expr.value, STRING);
    case "integer": {
      const small = Number(expr.value);
      return constant(Number.isSafeInteger(small) ? small : expr.value, INT);
    }
    case "number":
      return constant(expr.value, DOUBLE);
    case "boolean":
      return constant(expr.value, BOOL);
    case "null":
      return NULL;
    case "named_instant":
      return namedInstant(expr, scope);
    case "instant":
      return constant(instant(expr, scope), INSTANT);
    case "epoch": {
      const value = expr.value.kind === "integer" ? expr.value.value : wholeNumber(expr.value, scope);
      return constant(
        reading(expr, "literal", () => parseInstant(value * SCALE[expr.unit], `EPOCH_${expr.unit.toUpperCase()}`)),
        INSTANT,
      );
    }
    case "duration":
      return constant(
        reading(expr, "literal", () => parseDuration(text(expr.text, scope), "DURATION")),
        DURATION,
      );
    case "interval": {
      const written = text(expr.text, scope);
      reading(expr, "literal", () => parseStride(written, "INTERVAL"));
      return constant(written, INTERVAL);
    }
  }
}

/** Whether the value of a parameter is still to come. */
export const isUnknown = ({ name }: Parameter, { parameters }: Scope): boolean =>
  Object.hasOwn(parameters, name) && parameters[name]!.isUnknown === true;

function wholeNumber(expr: Parameter, scope: Scope): bigint {
  if (isUnknown(expr, scope)) return 1n;
  const { value, type } = parameter(expr, scope);
  if (type.kind === "int" && (typeof value === "number" || typeof value === "bigint")) return BigInt(value);
  throw problem("wrong_type", `$${expr.name} is ${shownType(type)}, and a whole number is needed here`, expr);
}

function namedInstant(expr: NamedInstant, scope: Scope): Bound {
  const { name } = expr;
  if (name === "forever") return constant(OPEN_END_US, INSTANT_OPEN);
  if (name === "beginning") return constant(BEGINNING_US, INSTANT);
  const { nowUs, zone } = scope;
  if (nowUs === null) {
    throw problem("no_clock", `${name.toUpperCase()} has no value here`, expr, {
      code: "E_INVALID_ARG",
      hint: "give the instant as a parameter: the same arguments have the same answer",
    });
  }
  return constant(name === "current_timestamp" ? nowUs : periodBegins(nowUs, "day", zoneOf(zone, "zone")), INSTANT);
}

/** LIMIT and OFFSET: a whole number from 0. */
export function count(expr: { readonly kind: "integer"; readonly value: bigint } | Parameter, scope: Scope): bigint {
  const value = expr.kind === "integer" ? expr.value : wholeNumber(expr, scope);
  if (value >= 0n) return value;
  throw problem("out_of_range", `${value} rows cannot be asked for`, expr as Expr, { code: "E_INVALID_ARG" });
}
