// IN over written lists, lists as values, and the rows of queries: true, false, or NULL where only a NULL decides.
// Whether two values compare is decided in comparisons.ts.
import type { Expr, InTest } from "../../../grammar/ast.js";
import type { JsonValue } from "../../contract/values.js";
import type { Bound, ConstantNode, InQueryNode, QueryTree } from "../bound.js";
import { exactKey, once } from "../functions/sql.js";
import { asType, call, constant, settled } from "../nodes.js";
import { wrongType } from "../problems.js";
import { BOOL, isInstant, isNumber, listOf, mixedType, sameType, shownType, type TqlType } from "../types.js";
import { besides, comparison, doNotCompare } from "./comparisons.js";
import type { LongLists } from "./long-lists.js";

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
function anyOf(tests: readonly Bound[]): Bound {
  const [first] = tests;
  if (first === undefined) return constant(false, BOOL);
  const isPlain = tests.every((each) => each.kind === "call" && each.name === "=" && each.args[0]!.type.kind !== "row");
  if (!isPlain) return call("or", BOOL, tests, (texts) => `(${texts.join(" OR ")})`);
  const args = tests.map((each) => (each as { args: readonly Bound[] }).args);
  const sides = [args[0]![0]!, ...args.map((each) => each[1]!)];
  return call("in", BOOL, sides, ([x, ...each]) => `(${x} IN (${each.join(", ")}))`);
}

/** A written list: where it is long and of constants, the rows of a table. */
export function inWritten(
  of: Bound,
  members: readonly Bound[],
  at: InTest,
  places: readonly Expr[],
  lists: LongLists,
): Bound {
  const tests = members.map((member, i) => comparison("=", of, member, places[i]));
  if (members.length > 0 && members.every((member) => member.kind === "constant")) {
    const type = members.map((member) => member.type).reduce((a, b) => mixedType(a, b) ?? a);
    const values = members.map((member) => (member as ConstantNode).value);
    const table = lists.table(type, values, undefined);
    if (table !== undefined) return inQuery([of], lists.query(table), at);
  }
  return anyOf(tests);
}

/** The members of a parameter in the form that they have beside a value: texts and microseconds as times. */
function besideTimes(of: Bound, list: ConstantNode, at: InTest): ConstantNode {
  const member = (list.type as { readonly of: TqlType }).of;
  const isTime = isInstant(of.type) || of.type.kind === "duration";
  if (!isTime || list.parameter === undefined || sameType(member, of.type)) return list;
  const { parameter } = list;
  const values = (list.value as JsonValue[]).map((value) =>
    value === null ? constant(null, of.type) : besides(of, { ...constant(value, member), parameter }, at)[1],
  );
  const [first] = values;
  if (first === undefined || values.some(({ kind, type }) => kind !== "constant" || !sameType(type, first.type)))
    return list;
  return {
    ...constant(
      values.map((value) => (value as ConstantNode).value),
      listOf(first.type),
    ),
    parameter,
  };
}

/** A list that is a value: each of its members, whatever they are. */
export function inList(of: Bound, list: Bound, at: InTest, lists: LongLists): Bound {
  if (list.kind === "constant" && Array.isArray(list.value) && list.type.kind === "list") {
    const table = list.list === undefined ? undefined : lists.held(besideTimes(of, list, at)).list;
    if (table !== undefined) return inQuery([of], lists.query(table), at);
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
