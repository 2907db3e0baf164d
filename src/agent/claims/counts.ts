// Which cells count something: by the unit of their field, by the function of their column, or by what a query counts.
import type { Expr, Query, QueryBody, Table } from "../../../grammar/index.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { lookUp } from "../../operators/registry.js";
import { readQuery } from "../../relational/index.js";
import type { Cell } from "./cells.js";
import type { Evidence, EvidenceStep } from "./evidence.js";
import { aliasOf, nameOf } from "./query-names.js";

/** The unit of numbers that count nothing, as a position. */
const NO_UNIT = "1";
const COUNTING_FUNCTIONS: readonly string[] = ["count", "count_distinct"];

interface NamedAggregate {
  readonly fn: string;
  readonly field?: string | null;
  readonly as?: string;
}

/** Whether the rows of a step have a column that counts. */
type Counts = (column: string) => boolean;
const NOTHING: Counts = () => false;

export function isCount(evidence: Evidence, { step, list, field, type, value }: Cell): boolean {
  if (typeof value !== "number" && typeof value !== "bigint") return false;
  if (type !== null && type.unit !== null && type.unit !== NO_UNIT) return type.type === "int";
  const { op, args } = step.record;
  if (list === null && isInCountedField(op, field)) return Number.isInteger(value) || typeof value === "bigint";
  if (op === "compute" && list === null && field === "value") return isCountOfCompute(evidence, step, args ?? {});
  return (list === "rows" || list === null) && countsOf(evidence, step)(field);
}

/** A number inside a field whose unit the registry gives for all of it. */
function isInCountedField(op: string, field: string): boolean {
  const { properties } = lookUp(op).declaration.output;
  const unit = (properties[field.split(".")[0]!] as { readonly unit?: string } | undefined)?.unit;
  return field.includes(".") && unit !== undefined && unit !== NO_UNIT;
}

function isCountOfCompute(evidence: Evidence, step: EvidenceStep, args: JsonObject): boolean {
  if (COUNTING_FUNCTIONS.includes(args.fn as string)) return true;
  return args.fn === "sum" && inputCounts(evidence, step, ["input"])((args.field ?? "value") as string);
}

/** What counts in the table that a reference hands to an argument. */
function inputCounts(evidence: Evidence, { references }: EvidenceStep, place: readonly string[]): Counts {
  const found = references.find(
    (each) => each.place.length === place.length && place.every((key, i) => each.place[i] === key),
  );
  const from = found === undefined ? undefined : evidence.step(found.path.step);
  if (found === undefined || from === undefined) return NOTHING;
  const [first, second] = found.path.segments;
  if (first !== undefined && first.name !== "rows") return NOTHING;
  // A list of single cells has the one column `value`.
  return second === undefined
    ? countsOf(evidence, from)
    : (column) => column === "value" && countsOf(evidence, from)(second.name);
}

function countsOf(evidence: Evidence, step: EvidenceStep): Counts {
  const { op, args } = step.record;
  if (args === null) return NOTHING;
  switch (op) {
    case "aggregate_events": {
      const counting = (args.aggregates as unknown as readonly NamedAggregate[]).filter(({ fn }) =>
        COUNTING_FUNCTIONS.includes(fn),
      );
      return (column) => counting.some(({ as }) => as === column);
    }
    case "compute":
      return computed(evidence, step, args);
    case "select":
      return selected(evidence, step, args);
    default:
      return (column) => {
        const type = step.result?.type;
        const rows = type?.kind === "object" ? type.fields.rows : undefined;
        const item = rows?.kind === "list" ? rows.item : undefined;
        const cell = item?.kind === "object" ? item.fields[column] : undefined;
        return cell?.kind === "scalar" && cell.type === "int" && cell.unit !== null && cell.unit !== NO_UNIT;
      };
  }
}

/** Functions of compute whose rows are those of their input. */
const KEEPS_COLUMNS: readonly string[] = ["filter", "sort", "topk", "distinct", "derive"];

function computed(evidence: Evidence, step: EvidenceStep, args: JsonObject): Counts {
  const input = inputCounts(evidence, step, ["input"]);
  if (args.fn === "group") {
    const named = args.aggregates as unknown as readonly NamedAggregate[];
    return (column) =>
      named.some(
        ({ fn, field, as }) =>
          as === column && (COUNTING_FUNCTIONS.includes(fn) || (fn === "sum" && input(field ?? "value"))),
      );
  }
  if (args.fn === "project") {
    const fields = args.fields as unknown as readonly { readonly from: string; readonly as: string }[];
    return (column) => fields.some(({ from, as }) => as === column && input(from));
  }
  if (KEEPS_COLUMNS.includes(args.fn as string)) return input;
  if (!isCountOfCompute(evidence, step, args)) return NOTHING;
  // One row a group: its key, and what was counted.
  return (column) => !((args.by ?? []) as readonly JsonValue[]).includes(column);
}

function selected(evidence: Evidence, step: EvidenceStep, args: JsonObject): Counts {
  const tables = new Map<string, Counts>();
  for (const name of Object.keys((args.tables ?? {}) as JsonObject)) {
    tables.set(name, inputCounts(evidence, step, ["tables", name]));
  }
  return countsOfQuery(readQuery(args.query as string), tables);
}

type Tables = ReadonlyMap<string, Counts>;

function countsOfQuery(query: Query, outer: Tables): Counts {
  const tables = new Map(outer);
  for (const { name, query: common } of query.with) tables.set(name.text, countsOfQuery(common, tables));
  return countsOfBody(query.body, tables);
}

function countsOfBody(body: QueryBody, tables: Tables): Counts {
  switch (body.kind) {
    case "query":
      return countsOfQuery(body, tables);
    case "set": {
      // Columns of a set operation have the names of its left side.
      const left = countsOfBody(body.left, tables);
      const right = countsOfBody(body.right, tables);
      return (column) => left(column) && right(column);
    }
    case "select": {
      const sources = body.from.flatMap(({ table, joins }) => [table, ...joins.map((join) => join.table)]);
      const named = sources.map((table) => [aliasOf(table), countsOfTable(table, tables)] as const);
      const counted = new Map<string, boolean>();
      for (const item of body.items) {
        if (item.kind !== "expr") continue;
        const name = item.as?.text ?? nameOf(item.expr);
        if (name !== null) counted.set(name, counts(item.expr, named));
      }
      return (column) => counted.get(column) ?? false;
    }
    default:
      return NOTHING;
  }
}

function countsOfTable(table: Table, tables: Tables): Counts {
  if (table.kind === "subquery") return countsOfQuery(table.query, tables);
  if (table.kind !== "named" || table.path.length !== 1) return NOTHING;
  return tables.get(table.path[0]!.text) ?? NOTHING;
}

function counts(expr: Expr, sources: readonly (readonly [string | null, Counts])[]): boolean {
  if (expr.kind === "function") {
    const name = expr.name.text.toUpperCase();
    if (name === "COUNT") return true;
    const [argument] = expr.args;
    return name === "SUM" && argument !== undefined && counts(argument, sources);
  }
  if (expr.kind === "member" && expr.of.kind === "name") {
    const qualifier = expr.of.name.text;
    return sources.some(([alias, of]) => alias === qualifier && of(expr.name.text));
  }
  return expr.kind === "name" && sources.length === 1 && sources[0]![1](expr.name.text);
}
