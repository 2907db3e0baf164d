// IN over written lists, lists as values, and the rows of queries: true, false, or NULL where only a NULL decides.
// Whether two values compare is decided in comparisons.ts.
import type { InTest } from "../../../grammar/ast.js";
import type { Bound, InQueryNode, QueryTree } from "../bound.js";
import { exactKey, once } from "../functions/sql.js";
import { asType, call, constant, settled } from "../nodes.js";
import { wrongType } from "../problems.js";
import { BOOL, isNumber, listOf, mixedType, shownType, type TqlType } from "../types.js";
import { besides, comparison, doNotCompare } from "./comparisons.js";

/** Stands for a value of a type, where only types are compared. */
const ofType = (type: TqlType): Bound => call("value", type, [], () => "NULL");

/** The values are compared with the columns of the query, one by one. */
export function inQuery(values: readonly Bound[], query: QueryTree, at: InTest): InQueryNode {
  const of = values.map((value, i) => {
    const column = ofType(query.columns[i]!.type);
    comparison("=", value, column, at);
    return settled(besides(value, column, at)[0]);
  });
  return { kind: "in_query", type: BOOL, of, query };
}

/** One test of several; of equalities with one side alike DuckDB makes a set by itself. */
export function anyOf(tests: readonly Bound[]): Bound {
  const [first] = tests;
  if (first === undefined) return constant(false, BOOL);
  const isPlain = tests.every((each) => each.kind === "call" && each.name === "=" && each.args[0]!.type.kind !== "row");
  if (!isPlain) return call("or", BOOL, tests, (texts) => `(${texts.join(" OR ")})`);
  const args = tests.map((each) => (each as { args: readonly Bound[] }).args);
  const sides = [args[0]![0]!, ...args.map((each) => each[1]!)];
  return call("in", BOOL, sides, ([x, ...each]) => `(${x} IN (${each.join(", ")}))`);
}

/** A list that is a value: each of its members, whatever they are. */
export function inList(of: Bound, list: Bound, at: InTest): Bound {
  if (list.kind === "constant" && Array.isArray(list.value) && list.type.kind === "list") {
    const member = list.type.of;
    const tests = list.value.map((value) =>
      comparison("=", of, { ...constant(value, member), parameter: list.parameter ?? "" }, at),
    );
    return anyOf(tests);
  }
  if (list.type.kind !== "list") {
    throw wrongType(
      `IN takes a list or a query, not ${shownType(list.type)}`,
      at.in,
      "write IN (a, b), IN (SELECT …), or a list",
    );
  }
  const member = list.type.of;
  const mixed = mixedType(member, of.type);
  if (mixed === undefined) throw doNotCompare(of, ofType(member), at);
  if (isNumber(member) && isNumber(of.type) && member.kind !== of.type.kind) return amongNumbers(of, list);
  return call("in_list", BOOL, [asType(list, listOf(mixed)), asType(of, mixed)], ([x, y]) => among(x!, y!));
}

/** Integers among doubles are compared by exact value. */
function amongNumbers(of: Bound, list: Bound): Bound {
  return call("in_numbers", BOOL, [list, settled(of)], ([x, y]) =>
    of.type.kind === "int"
      ? among(x!, exactKey(y!))
      : among(`list_transform(${x}, lambda member: ${exactKey("member")})`, y!),
  );
}

const among = (list: string, value: string): string =>
  once([list, value], ([l, v]) => {
    const isOpen = `${v} IS NULL OR len(${l}) > list_aggregate(${l}, 'count')`;
    return `CASE WHEN len(${l}) = 0 THEN FALSE WHEN ${l} IS NULL THEN NULL WHEN list_contains(${l}, ${v}) THEN TRUE WHEN ${isOpen} THEN NULL ELSE FALSE END`;
  });
