// Small constructors of bound nodes, and the one text that tells bound expressions apart.
// Used by the function table and the binder.
import { canonicalJson } from "../contract/canonical.js";
import type { JsonValue } from "../contract/values.js";
import type { Bound, BoundSort, CallNode, ColumnNode, ConstantNode, Source } from "./bound.js";
import { exactDouble, round9 } from "./functions/sql.js";
import { DOUBLE, NULL_TYPE, type TqlType, typeName } from "./types.js";

type SqlOf = (args: readonly string[]) => string;

export const call = (name: string, type: TqlType, args: readonly Bound[], sql: SqlOf): CallNode => ({
  kind: "call",
  name,
  args,
  type,
  sql,
});

/** A double that is rounded where it leaves the sum or product that it is part of. */
export const unrounded = (name: string, args: readonly Bound[], sql: SqlOf): CallNode => ({
  ...call(name, DOUBLE, args, sql),
  unrounded: true,
});

/** A call of a function of DuckDB, or of one of the macros in printer/macros.ts. */
export const plain = (sqlName: string, type: TqlType, args: readonly Bound[]): CallNode =>
  call(sqlName, type, args, (texts) => `${sqlName}(${texts.join(", ")})`);

export const columnNode = (source: Source, column: number, type: TqlType): ColumnNode => ({
  kind: "column",
  source,
  column,
  type,
});
export const constant = (value: JsonValue, type: TqlType): ConstantNode => ({ kind: "constant", value, type });
export const NULL: ConstantNode = constant(null, NULL_TYPE);

/** The expression as it is compared, grouped, ordered and written: a derived double is rounded there. */
export function settled(node: Bound): Bound {
  if (!("unrounded" in node) || node.unrounded !== true) return node;
  return node.type.kind === "double" ? call("round9", DOUBLE, [node], ([x]) => round9(x!)) : node;
}

/** Integers among doubles, as doubles; one that a double cannot hold is an error when it is met. */
export function asType(node: Bound, type: TqlType): Bound {
  if (node.type.kind === type.kind && node.type.kind !== "list" && node.type.kind !== "row") return settled(node);
  if (node.type.kind === "null") {
    return node.kind === "constant" ? constant(null, type) : call("typed", type, [node], ([text]) => text!);
  }
  if (type.kind === "double" && node.type.kind === "int") {
    return node.kind === "constant" && typeof node.value === "number"
      ? constant(node.value, type)
      : call("exact_double", type, [node], ([x]) => exactDouble(x!));
  }
  if (node.kind === "constant") return constant(node.value, type);
  return { ...settled(node), type };
}

const sortKey = ({ expr, desc, nullsFirst }: BoundSort): string => `${keyOf(expr)}${desc ? "-" : "+"}${nullsFirst}`;
const keysOf = (nodes: readonly Bound[]): string => nodes.map(keyOf).join(",");

const keys = new WeakMap<Bound, string>();

/** The same for expressions that have the same value in every row, as far as their form tells. */
export function keyOf(node: Bound): string {
  let key = keys.get(node);
  if (key === undefined) {
    key = makeKey(node);
    keys.set(node, key);
  }
  return key;
}

function makeKey(node: Bound): string {
  switch (node.kind) {
    case "column":
      return `c${node.source.id}.${node.column}`;
    case "constant":
      if (node.list !== undefined) return `l${node.list.id}`;
      return `k${typeName(node.type)}:${canonicalJson(node.value)}`;
    case "call":
      return `f${node.name}:${typeName(node.type)}(${keysOf(node.args)})`;
    case "aggregate": {
      const filter = node.filter === null ? "" : keyOf(node.filter);
      return `a${node.name}${node.distinct ? "!" : ""}(${keysOf(node.args)}|${node.orderBy.map(sortKey).join(",")}|${filter})`;
    }
    case "window": {
      const filter = node.filter === null ? "" : keyOf(node.filter);
      const order = `${node.argumentOrder.map(sortKey).join(",")}|${node.orderBy.map(sortKey).join(",")}`;
      const frame =
        node.frame === null
          ? ""
          : JSON.stringify(node.frame, (_, each) => (typeof each === "bigint" ? `${each}` : each));
      return `w${node.name}${node.distinct ? "!" : ""}${node.ignoreNulls}(${keysOf(node.args)}|${keysOf(node.partitionBy)}|${order}|${filter}|${frame})`;
    }
    case "scalar_query":
    case "exists":
      return `${node.kind}${queryNumber(node.query)}`;
    case "in_query":
      return `in(${keysOf(node.of)},${queryNumber(node.query)})`;
  }
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** Two queries are the same expression only where they are one. */
function queryNumber(query: object): number {
  let number = numbers.get(query);
  if (number === undefined) {
    lastNumber += 1;
    number = lastNumber;
    numbers.set(query, number);
  }
  return number;
}

/** The expressions right below. */
export function partsOf(node: Bound): readonly Bound[] {
  const exprs = (sorts: readonly BoundSort[]): Bound[] => sorts.map(({ expr }) => expr);
  const some = (filter: Bound | null): Bound[] => (filter === null ? [] : [filter]);
  switch (node.kind) {
    case "call":
      return node.args;
    case "aggregate":
      return [...node.args, ...exprs(node.orderBy), ...some(node.filter)];
    case "window":
      return [
        ...node.args,
        ...node.partitionBy,
        ...exprs(node.argumentOrder),
        ...exprs(node.orderBy),
        ...some(node.filter),
      ];
    case "in_query":
      return node.of;
    default:
      return [];
  }
}

/** Whether the expression or a part of it, subqueries apart, is as asked. */
export const someNode = (node: Bound, test: (node: Bound) => boolean): boolean =>
  test(node) || partsOf(node).some((part) => someNode(part, test));
