// The shape of expressions: one tree for every place that computes with values; only its leaves differ.
// Schema and bounds alone; types are checked where an expression is compiled.
import { type TSchema, type TUnsafe, Type } from "typebox";
import { PalimpsestError } from "../../contract/errors.js";
import { closed, described, Json, Zone } from "../../contract/schemas.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { FUNCTION_NAMES, FUNCTIONS, type FunctionName, UNITS } from "./functions.js";

export const LITERAL_TYPES = ["instant", "instant_open", "duration"] as const;

interface Literal {
  readonly value: unknown;
  readonly type?: (typeof LITERAL_TYPES)[number];
}
interface Application<Leaf> {
  readonly fn: FunctionName;
  readonly args: readonly ExpressionOf<Leaf>[];
  readonly unit?: string;
  readonly zone?: string;
}
export type ExpressionOf<Leaf> = Literal | Leaf | Application<Leaf>;

const MOST_ARGUMENTS = 64;
const MOST_MEMBERS = 10_000;
const MOST_NODES = 1000;
const MOST_NESTING = 32;

/** The schema of expressions with these leaves; `name` is what the expressions inside refer to. */
export function expressionSchema<Leaf>(name: string, leaves: readonly TSchema[]): TUnsafe<ExpressionOf<Leaf>> {
  return Type.Union(
    [
      closed(
        {
          value: described(Json, "the value itself"),
          type: described(Type.Optional(Type.Enum([...LITERAL_TYPES])), "what a text is, or a null that is for ever"),
        },
        { description: "a value" },
      ),
      ...leaves,
      closed(
        {
          fn: described(Type.Enum([...FUNCTION_NAMES]), "name of a function"),
          args: described(Type.Array(Type.Ref(name), { maxItems: MOST_ARGUMENTS }), "what it is applied to"),
          unit: described(Type.Optional(Type.String()), "trunc and part: the unit of the calendar"),
          zone: described(Type.Optional(Zone), "trunc and part: the zone of local time; UTC if left out"),
        },
        { description: "a function of other expressions" },
      ),
    ],
    { title: name },
  ) as unknown as TUnsafe<ExpressionOf<Leaf>>;
}

/** An expression over the columns of a table. */
export type ColumnExpression = ExpressionOf<{ readonly field: string }>;
export const COLUMN_EXPRESSION = "ColumnExpression";
export const ColumnExpressionSchema = expressionSchema<{ readonly field: string }>(COLUMN_EXPRESSION, [
  closed({ field: described(Type.String(), "name of the column") }, { description: "a column" }),
]);
export const ColumnExpressionRef = Type.Unsafe<ColumnExpression>(Type.Ref(COLUMN_EXPRESSION));

const wrong = (message: string, path: string, hint = ""): PalimpsestError =>
  new PalimpsestError("E_SCHEMA", `${path}: ${message}`, { details: { path }, hint });

function checkApplication(node: JsonObject, path: string): void {
  const fn = node.fn as FunctionName;
  const { least, most, units } = FUNCTIONS[fn];
  const count = (node.args as JsonValue[]).length;
  if (count < least || count > most) {
    const wanted = least === most ? String(least) : most === Infinity ? `${least} or more` : `${least} to ${most}`;
    throw wrong(`${fn} takes ${wanted} arguments, not ${count}`, `${path}/args`, `give ${wanted} of them in args`);
  }
  const legal = units === undefined ? undefined : UNITS[units];
  if (legal === undefined) {
    for (const key of ["unit", "zone"]) {
      if (node[key] !== undefined) throw wrong(`${fn} has no ${key}`, `${path}/${key}`, "trunc and part have one");
    }
  } else if (!legal.includes(node.unit as string)) {
    throw wrong(
      `${JSON.stringify(node.unit ?? null)} is no unit of ${fn}`,
      `${path}/unit`,
      `one of ${legal.join(", ")}`,
    );
  }
}

/**
 * E_SCHEMA for an expression of legal shape that takes a wrong number of arguments, a unit that does not exist, or is
 * too large; gives the number of its nodes.
 */
export function checkExpression(expression: JsonValue, path: string): number {
  let nodes = 0;
  const visit = (given: JsonValue, at: string, nesting: number): void => {
    nodes += 1;
    if (nodes > MOST_NODES) throw wrong(`more than ${MOST_NODES} parts`, path, "compute it in steps");
    if (nesting > MOST_NESTING) throw wrong(`nested deeper than ${MOST_NESTING}`, path, "compute it in steps");
    const node = given as JsonObject;
    if (typeof node.fn !== "string") {
      if (Array.isArray(node.value) && node.value.length > MOST_MEMBERS) {
        throw wrong(`a list of more than ${MOST_MEMBERS}`, `${at}/value`, "join with a table instead");
      }
      return;
    }
    checkApplication(node, at);
    for (const [i, argument] of (node.args as JsonValue[]).entries()) visit(argument, `${at}/args/${i}`, nesting + 1);
  };
  visit(expression, path, 1);
  return nodes;
}
