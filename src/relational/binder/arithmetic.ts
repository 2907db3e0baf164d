// + - * / % || and the sign: over numbers, durations, instants and texts. FOREVER has no arithmetic: the result is NULL.
// Doubles stay unrounded while they are only part of a sum or a product; leaving int64 is E_LIMIT.
import type { BinaryOperator, Position } from "../../../grammar/ast.js";
import type { Bound } from "../bound.js";
import { moved } from "../functions/calendar.js";
import { quotient } from "../functions/numbers.js";
import { divideHalfEven, finite, inCalendar } from "../functions/sql.js";
import { joinedTexts } from "../functions/text.js";
import { call, constant, NULL, unrounded } from "../nodes.js";
import { wrongType } from "../problems.js";
import { DURATION, INSTANT, INT, isInstant, isNull, isNumber, shownType } from "../types.js";
import { readDurationConstant } from "../values.js";
import { besides } from "./comparisons.js";

interface Placed {
  readonly at?: Position;
}
type ArithmeticOperator = Extract<BinaryOperator, "+" | "-" | "*" | "/" | "%" | "||">;

/** An instant without FOREVER, as text. */
const known = (node: Bound, text: string): string => (node.type.kind === "instant_open" ? finite(text) : text);

function numbers(op: ArithmeticOperator, a: Bound, b: Bound): Bound {
  if (op === "/") return unrounded("/", [a, b], ([x, y]) => `(${x}::DOUBLE / ${y}::DOUBLE)`);
  const areInts = a.type.kind === "int" && b.type.kind === "int";
  if (areInts) return call(op, INT, [a, b], ([x, y]) => `(${x} ${op} ${y})`);
  return unrounded(op, [a, b], ([x, y]) => `(${x}::DOUBLE ${op} ${y}::DOUBLE)`);
}

/** A duration by a number, rounded half to even to the microsecond. */
function scaled(op: "*" | "/", duration: Bound, factor: Bound): Bound {
  const isInt = factor.type.kind === "int";
  return call(`duration${op}`, DURATION, [duration, factor], ([d, x]) => {
    if (isInt) return op === "*" ? `(${d} * ${x})` : `${divideHalfEven(d!, x!)}::BIGINT`;
    return `round_even(${d}::DOUBLE ${op} ${x}, 0)::BIGINT`;
  });
}

function times(op: ArithmeticOperator, a: Bound, b: Bound, zone: string, at: Placed | undefined): Bound | undefined {
  const kind = ({ type }: Bound): string => (isInstant(type) ? "instant" : isNumber(type) ? "number" : type.kind);
  switch (`${kind(a)} ${op} ${kind(b)}`) {
    case "duration + duration":
    case "duration - duration":
      return call(op, DURATION, [a, b], ([x, y]) => `(${x} ${op} ${y})`);
    case "instant + duration":
    case "instant - duration":
      return call(op, INSTANT, [a, b], ([x, y]) => inCalendar(`(${known(a, x!)} ${op} ${y})`));
    case "duration + instant":
      return times(op, b, a, zone, at);
    case "instant - instant":
      return call(op, DURATION, [a, b], ([x, y]) => `(${known(a, x!)} - ${known(b, y!)})`);
    case "instant + interval":
    case "instant - interval":
      if (b.kind !== "constant") return undefined;
      return moved(a, b.value as string, op === "+" ? 1 : -1, zone);
    case "interval + instant":
      return times(op, b, a, zone, at);
    case "duration * number":
      return scaled("*", a, b);
    case "number * duration":
      return scaled("*", b, a);
    case "duration / number":
      return scaled("/", a, b);
    case "duration / duration":
      return unrounded("/", [a, b], ([x, y]) => `(${x}::DOUBLE / ${y}::DOUBLE)`);
    default:
      return undefined;
  }
}

function hintOf(op: ArithmeticOperator, a: Bound, b: Bound): string {
  const isTimed = isInstant(a.type) || isInstant(b.type);
  if (isTimed && (isNumber(a.type) || isNumber(b.type))) return "say the unit: DURATION 'P1D', or INTERVAL 'P1M'";
  if (a.type.kind === "json" || b.type.kind === "json") return "JSON is CAST first: CAST(x AS DOUBLE)";
  if (op === "+" && (a.type.kind === "string" || b.type.kind === "string")) return "texts are joined by ||";
  return "";
}

export function arithmetic(
  op: ArithmeticOperator,
  left: Bound,
  right: Bound,
  zone: string,
  at: Placed | undefined,
): Bound {
  let [a, b] = op === "-" ? besides(left, right, at) : [left, right];
  if (op === "+" || op === "-") {
    if (isInstant(a.type)) b = b.kind === "constant" && b.type.kind === "string" ? readDurationConstant(b, at) : b;
    if (isInstant(b.type)) a = a.kind === "constant" && a.type.kind === "string" ? readDurationConstant(a, at) : a;
  }
  if (op === "||") return joined(a, b, at);
  if (isNull(a.type) || isNull(b.type))
    return isNull(a.type) && isNull(b.type) ? NULL : constant(null, isNull(a.type) ? b.type : a.type);
  const site = { ast: at as never, name: op };
  const result =
    isNumber(a.type) && isNumber(b.type) && op !== "%"
      ? numbers(op, a, b)
      : op === "%"
        ? quotient("%", a, b, site)
        : times(op, a, b, zone, at);
  if (result !== undefined) return result;
  throw wrongType(`${op} has no meaning for ${shownType(a.type)} and ${shownType(b.type)}`, at, hintOf(op, a, b));
}

function joined(a: Bound, b: Bound, at: Placed | undefined): Bound {
  const isText = (node: Bound): boolean => node.type.kind === "string" || isNull(node.type);
  if (isText(a) && isText(b)) return joinedTexts(a, b);
  throw wrongType(
    `|| joins texts, not ${shownType(a.type)} and ${shownType(b.type)}`,
    at,
    "CAST(x AS STRING) makes a text",
  );
}

export function negative(node: Bound, at: Placed | undefined): Bound {
  const { kind } = node.type;
  if (node.kind === "constant" && (typeof node.value === "number" || typeof node.value === "bigint")) {
    const value = typeof node.value === "bigint" ? -node.value : node.value === 0 ? 0 : -node.value;
    if (kind !== "int" || typeof value === "number" || value !== 2n ** 63n) return { ...node, value };
  }
  if (kind === "int" || kind === "duration" || kind === "null") return call("-", node.type, [node], ([x]) => `(-${x})`);
  if (kind === "double") return unrounded("-", [node], ([x]) => `(-${x})`);
  throw wrongType(`- has no meaning for ${shownType(node.type)}`, at);
}
