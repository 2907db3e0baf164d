// Compiles an expression over a scope: types are checked once, then each row costs calls of closures.
// The one way in; the families of functions are in the files of their names.

import { zoneOf } from "../../calendar/zones.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { arithmetic } from "./arithmetic.js";
import { comparison } from "./comparison.js";
import { type Call, type Compiled, type Interval, invalidType, type Made, type Scope, settled } from "./compiled.js";
import { type Family, FUNCTIONS, type FunctionName } from "./functions.js";
import { choice, logic } from "./logic.js";
import { text } from "./text.js";
import { time } from "./time.js";
import { fromJson, toJson, typeOfValue, type ValueType } from "./types.js";

type Builder = <Row>(call: Call<Row>) => Made<Row>;
const FAMILIES: Readonly<Record<Family, Builder>> = { arithmetic, choice, comparison, logic, text, time };

function literal<Row>(node: JsonObject, path: string): Compiled<Row> {
  const given = node.value as JsonValue;
  const fixed = { kind: "value", path, isDerived: false, isConstant: true } as const;
  const type = node.type as ValueType | undefined;
  if (type === undefined) {
    return { ...fixed, type: typeOfValue(given), echo: { value: given }, literal: given, read: () => given };
  }
  const value = fromJson(given, type, `${path}/value`);
  return { ...fixed, type, echo: { type, value: toJson(value, type) }, read: () => value };
}

/** The arguments of a call, an interval as its two ends where the function takes intervals. */
function flattened<Row>(parts: readonly (Compiled<Row> | Interval<Row>)[], fn: FunctionName): Compiled<Row>[] {
  const takesIntervals = FUNCTIONS[fn].family === "time" && FUNCTIONS[fn].units === undefined;
  return parts.flatMap((part) => {
    if (part.kind === "value") return [part];
    if (!takesIntervals) throw invalidType(part.path, `${fn} takes values, not an interval`, "name one of its ends");
    return [part.from, part.to];
  });
}

function part<Row>(node: JsonObject, scope: Scope<Row>, path: string): Compiled<Row> | Interval<Row> {
  if (typeof node.fn !== "string") return "value" in node ? literal(node, path) : scope.leaf(node, path);
  const fn = node.fn as FunctionName;
  const parts = (node.args as JsonObject[]).map((argument, i) => part(argument, scope, `${path}/args/${i}`));
  const { units } = FUNCTIONS[fn];
  const zone = (node.zone as string | undefined) ?? "UTC";
  if (units !== undefined) zoneOf(zone, `${path}/zone`);
  const made = FAMILIES[FUNCTIONS[fn].family]({ fn, args: flattened(parts, fn), node, path });
  return {
    kind: "value",
    type: made.type,
    path,
    isDerived: made.isDerived ?? false,
    isConstant: false,
    echo: { args: parts.map(({ echo }) => echo), fn, ...(units === undefined ? {} : { unit: node.unit!, zone }) },
    read: made.read,
  };
}

/**
 * The value of an expression for each row, doubles rounded as they are shown, and its type.
 * E_INVALID_ARG for types that do not go together and texts that do not parse; `checkExpression` comes before.
 */
export function compileExpression<Row>(expression: JsonValue, scope: Scope<Row>, path: string): Compiled<Row> {
  const compiled = part(expression as JsonObject, scope, path);
  if (compiled.kind === "interval") throw invalidType(path, "an interval is no value", "name one of its ends");
  return settled(compiled);
}
