// What is too much for one statement, said of the statement: `select` takes texts of a length, tables and columns of a number.
// Long constants are taken out of a long text first, and go along as parameters.
import type { Expr, Query } from "../../../grammar/ast.js";
import { printQuery } from "../../../grammar/index.js";
import { type JsonValue, utf8Bytes } from "../../contract/values.js";
import { LONGEST_QUERY_BYTES, MOST_TABLES } from "../../operators/select.js";
import { MOST_ANSWER_COLUMNS, MOST_STEPS } from "../../plan/schema.js";
import { type Placed, refuse } from "./problem.js";
import { replaced, type TreeNode } from "./tree.js";

/** Shorter texts and lists are not worth a parameter. */
const LONG_TEXT = 256;
const LONG_LIST = 64;

const shown = (count: number): string => count.toLocaleString("en-US");

export function judgeColumns(count: number, at: Placed): void {
  if (count <= MOST_ANSWER_COLUMNS) return;
  refuse(
    "E_LIMIT",
    "columns",
    at,
    `the statement has ${shown(count)} columns, and an answer at most ${shown(MOST_ANSWER_COLUMNS)}`,
    "put values together, as {a: x, b: y} or [x, y], or ask in several statements",
  );
}

export function judgeTables(count: number, at: Placed): void {
  if (count <= MOST_TABLES) return;
  refuse(
    "E_LIMIT",
    "tables",
    at,
    `the statement reads ${shown(count)} tables at once, and may read ${MOST_TABLES}`,
    "read several types in one table, EDGES(A | B), or ask in several statements",
  );
}

export function judgeSteps(count: number, at: Placed): void {
  if (count <= MOST_STEPS) return;
  refuse(
    "E_LIMIT",
    "steps",
    at,
    `the statement becomes ${shown(count)} calls of operators, and may become ${MOST_STEPS}`,
    "read several types in one table, EDGES(A | B), or ask in several statements",
  );
}

/** Gives a constant a name that no parameter has. */
type NameConstant = (value: JsonValue) => string;

/** The text of a query; a long one has its long constants as parameters. */
export function textOf(query: Query, nameConstant: NameConstant): string {
  const text = printQuery(query);
  if (utf8Bytes(text) <= LONGEST_QUERY_BYTES) return text;
  const short = printQuery(replaced(query, (node) => asParameter(node, nameConstant)));
  const bytes = utf8Bytes(short);
  if (bytes <= LONGEST_QUERY_BYTES) return short;
  return refuse(
    "E_LIMIT",
    "statement_length",
    query,
    `the statement has ${shown(bytes)} bytes beside its long texts and lists, and may have ${shown(LONGEST_QUERY_BYTES)}`,
    "give values as parameters, x IN $list; join UNNEST($list) instead of writing many conditions; or ask in several statements",
  );
}

function asParameter(node: TreeNode, nameConstant: NameConstant): Expr | undefined {
  const expr = node as unknown as Expr;
  if (expr.kind === "string" && expr.value.length > LONG_TEXT)
    return { kind: "parameter", name: nameConstant(expr.value) };
  if (expr.kind !== "in" || expr.in.kind !== "list" || expr.in.of.length <= LONG_LIST) return undefined;
  const values = plainValues(expr.in.of);
  if (values === undefined) return undefined;
  const of = replaced(expr.of, (each) => asParameter(each, nameConstant));
  return { ...expr, of, in: { kind: "parameter", name: nameConstant(values) } };
}

/** The values of literals of one kind; a list of others stays in the text. */
function plainValues(of: readonly Expr[]): JsonValue[] | undefined {
  const values: JsonValue[] = [];
  for (const each of of) {
    if (each.kind !== of[0]!.kind) return undefined;
    if (each.kind === "string" || each.kind === "number") values.push(each.value);
    else if (each.kind === "integer")
      values.push(Number.isSafeInteger(Number(each.value)) ? Number(each.value) : each.value);
    else return undefined;
  }
  return values;
}
