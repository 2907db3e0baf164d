// Whether a cell was read from the store somewhere on its way, or only written in the plan: a literal that a query or a
// computation hands on is what the model said, not what the database found.
import type { Expr, Query, QueryBody, Table } from "../../../grammar/index.js";
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import type { JsonValue } from "../../../src/contract/values.js";
import type { ReferencePath } from "../../../src/plan/references.js";
import { readQuery } from "../../../src/relational/index.js";
import { nameOf, type Spot } from "./cells.js";

/** Whether a column of a table was read. */
type Read = (column: string) => boolean;
type Known = ReadonlyMap<string, Read>;

const COUNTS_ROWS = new Set(["COUNT", "SUM", "NTILE"]);

/** Nodes of an expression that decide what its value is: conditions of CASE, FILTER and OVER only choose. */
function saying(expr: Expr): readonly Expr[] {
  if (expr.kind === "case") return [...expr.when.map(({ then }) => then), ...(expr.else === null ? [] : [expr.else])];
  if (expr.kind === "function") return expr.args;
  const parts = Object.values(expr as object).flat() as unknown[];
  const beside = expr.kind === "is" && typeof expr.what === "object" ? [expr.what.distinctFrom] : [];
  const isExpr = (part: unknown): part is Expr => typeof part === "object" && part !== null && "kind" in part;
  return [...parts.filter(isExpr), ...beside];
}

function exprReads(expr: Expr, sources: Known, known: Known): boolean {
  switch (expr.kind) {
    case "name":
      return [...sources.values()].every((read) => read(expr.name.text));
    case "member":
      if (expr.of.kind !== "name") return exprReads(expr.of, sources, known);
      return sources.get(expr.of.name.text)?.(expr.name.text) ?? true;
    case "exists":
    case "count_pattern":
      return true;
    case "subquery_value": {
      const [first] = columnNames(expr.query.body);
      return first === undefined || queryReads(expr.query, first, known);
    }
    case "function":
      if (expr.args.length === 0 || COUNTS_ROWS.has(expr.name.text)) return true;
      break;
    case "map":
      return true;
    default:
  }
  return saying(expr).some((part) => exprReads(part, sources, known));
}

function columnNames(body: QueryBody): readonly (string | undefined)[] {
  if (body.kind === "query") return columnNames(body.body);
  if (body.kind === "set") return columnNames(body.left);
  if (body.kind !== "select") return [];
  return body.items.map((item) => {
    if (item.kind !== "expr") return undefined;
    const own = item.expr.kind === "name" || item.expr.kind === "member" ? item.expr.name.text : "?";
    return item.as?.text ?? own;
  });
}

function queryReads(query: Query, column: string, outer: Known): boolean {
  const known = new Map(outer);
  for (const { name, query: inner } of query.with) {
    const before = new Map(known);
    known.set(name.text, (asked) => queryReads(inner, asked, before));
  }
  return bodyReads(query.body, column, known);
}

function bodyReads(body: QueryBody, column: string, known: Known): boolean {
  if (body.kind === "query") return queryReads(body, column, known);
  if (body.kind === "set") {
    const at = columnNames(body.left).indexOf(column);
    const other = columnNames(body.right)[at] ?? column;
    return bodyReads(body.left, column, known) && bodyReads(body.right, other, known);
  }
  if (body.kind !== "select") return true;
  const tables = body.from.flatMap(({ table, joins }) => [table, ...joins.map((join) => join.table)]);
  const sources = new Map(tables.map((table, i) => [callName(table) ?? `#${i}`, tableReads(table, known)]));
  const at = columnNames(body).lastIndexOf(column);
  const item = body.items[at];
  if (item?.kind === "expr") return exprReads(item.expr, sources, known);
  const isStarred = body.items.some(({ kind }) => kind !== "expr");
  return !isStarred || [...sources.values()].every((read) => read(column));
}

const callName = (table: Table): string | undefined =>
  table.alias?.name.text ?? (table.kind === "named" ? table.path.at(-1)!.text : undefined);

function tableReads(table: Table, known: Known): Read {
  if (table.kind === "subquery") return (column) => queryReads(table.query, column, known);
  const own = table.kind === "named" && table.path.length === 1 ? known.get(table.path[0]!.text) : undefined;
  return own ?? (() => true);
}

function selectReads(evidence: Evidence, step: EvidenceStep, column: string): boolean {
  const tables = step.references
    .filter(({ place }) => place[0] === "tables")
    .map(({ place, path }): [string, Read] => [
      String(place[1]),
      (name) => stepReads(evidence, evidence.step(path.step), "rows", name),
    ]);
  return queryReads(readQuery(step.record.args!.query as string), column, new Map(tables));
}

function pathReads(evidence: Evidence, { step, segments }: ReferencePath, column: string): boolean {
  const from = evidence.step(step);
  const [list, cell] = segments;
  if (list === undefined) return stepReads(evidence, from, "rows", column);
  const isField = cell === undefined && list.index === null && list.name !== "rows";
  return stepReads(evidence, from, isField ? null : list.name, isField ? list.name : (cell?.name ?? column));
}

interface Column {
  readonly as: string;
  readonly from?: string;
  readonly fn?: string;
  readonly field?: string | null;
  readonly expr?: JsonValue;
}

function computeReads(evidence: Evidence, step: EvidenceStep, column: string): boolean {
  const args = step.record.args as Record<string, JsonValue>;
  const { references } = step;
  if (!Object.hasOwn(args, "input")) return references.some(({ path }) => pathReads(evidence, path, column));
  const lists = [args.aggregates, args.columns, args.fields].filter(Array.isArray) as unknown as unknown[][];
  const made = lists.flat().find((each) => (each as Column).as === column) as Column | undefined;
  if (made?.expr !== undefined) return JSON.stringify(made.expr, stringly).includes('"field":');
  const isGroup = ((args.by as string[] | null | undefined) ?? []).includes(column);
  const fn = made?.fn ?? (args.fn as string);
  if (!isGroup && fn.startsWith("count")) return references.length > 0;
  const named = args.fn === "topk" || isGroup ? null : (args.field as string | null | undefined);
  const asked = made === undefined ? (named ?? column) : (made.from ?? made.field ?? "value");
  const of = args.fn === "union" || args.fn === "join" ? ["input", "other"] : ["input"];
  return of.every((argument) => tableArgumentReads(evidence, step, argument, asked));
}

const stringly = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value);

function tableArgumentReads(evidence: Evidence, step: EvidenceStep, argument: string, column: string): boolean {
  const mine = step.references.filter(({ place }) => place[0] === argument);
  const whole = mine.find(({ place }) => place.length === 1);
  if (whole !== undefined) return pathReads(evidence, whole.path, column);
  const rows = (step.record.args![argument] ?? []) as readonly JsonValue[];
  return rows.every((row, i) => {
    const isRow = typeof row === "object" && row !== null;
    const place = isRow ? [argument, i, column] : [argument, i];
    if (isRow && !(column in (row as object))) return true;
    const found = mine.find((each) => each.place.join("\n") === place.join("\n"));
    return found !== undefined && pathReads(evidence, found.path, column);
  });
}

function stepReads(evidence: Evidence, step: EvidenceStep | undefined, list: string | null, column: string): boolean {
  if (step === undefined || step.record.args === null) return true;
  if (step.record.op === "compute") return computeReads(evidence, step, column);
  return step.record.op !== "select" || list !== "rows" || selectReads(evidence, step, column);
}

export function isReadSpot(evidence: Evidence, { path, places }: Spot): boolean {
  const [list, ...rest] = path.segments;
  if (list === undefined) return true;
  const [place] = places;
  const column = place === undefined ? (rest.at(-1)?.name ?? list.name) : nameOf(place);
  return stepReads(evidence, evidence.step(path.step), list.index === null ? null : list.name, column);
}
