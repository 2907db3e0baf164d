// The answer of a run: each part taken from the steps, with its type and whether it is whole.
import type { ColumnTable } from "../../columns/column.js";
import { rowsInSlices, rowsOfColumns } from "../../columns/rows-of-columns.js";
import type { IncompleteReason } from "../../contract/envelope.js";
import { PalimpsestError } from "../../contract/errors.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import { Pace } from "../../event-loop/pace.js";
import type { ValueType } from "../../operators/expressions/types.js";
import { type ListOutput, type OutputType, scalarType } from "../output-types.js";
import type { AnswerColumn, AnswerKind } from "../plan.js";
import { parsePath, type ReferencePath } from "../references.js";
import type { ReadAnswer, ReadPart } from "../verify/read-plan.js";
import { isPartial, type StepAnswer, typeAtPath, valueAtPath } from "./step-answer.js";

export interface TypedColumn {
  readonly name: string;
  readonly type: ValueType;
}

/** Rows between two looks at the clock. */
const ROWS_AT_ONCE = 200;

interface PartHead {
  readonly from: string;
  readonly complete: boolean;
  readonly incomplete: readonly IncompleteReason[];
}
export interface TablePart extends PartHead {
  readonly kind: "table";
  readonly columns: readonly TypedColumn[];
  readonly rows: readonly JsonObject[];
  /** Of the whole list, also where a slice or a page of it is shown. */
  readonly rows_total: number;
}
/** A number, a cell, a row or a list. */
export interface ValuePart extends PartHead {
  readonly kind: Exclude<AnswerKind, "table">;
  readonly type: ValueType | "list" | "object";
  readonly value: JsonValue;
}
export type AnswerPart = TablePart | ValuePart;
export type RunAnswerParts = AnswerPart & { readonly also: readonly AnswerPart[] };

/** The type of a cell in an answer: what only the data could have told is JSON. */
const columnType = (type: OutputType): ValueType => {
  const found = scalarType(type);
  return found === "null" ? "json" : found;
};

function headOf(part: ReadPart, answer: StepAnswer, path: ReferencePath): PartHead {
  const isWhole = !isPartial(answer, path);
  const isUpstream = answer.envelope.incomplete.includes("upstream");
  const incomplete: IncompleteReason[] = isWhole ? [] : isUpstream ? ["upstream"] : ["page"];
  return { from: part.from, complete: isWhole, incomplete };
}

/** Columns as the type lists them, or as the rows do where no type does. */
function allColumns(item: OutputType, rows: readonly JsonValue[]): readonly (AnswerColumn & { type: OutputType })[] {
  if (item.kind === "object") {
    return Object.entries(item.fields).map(([name, type]) => ({ from: name, as: name, type }));
  }
  const [first] = rows;
  if (item.kind === "any" && typeof first === "object" && first !== null && !Array.isArray(first)) {
    return Object.keys(first).map((name) => ({ from: name, as: name, type: item }));
  }
  return [{ from: "value", as: "value", type: item }];
}

/** The total of the list that a path names, where it names a whole list of the envelope. */
function totalOf(answer: StepAnswer, { segments }: ReferencePath, count: number): number {
  const [first, second] = segments;
  if (first === undefined || first.name === "rows") {
    return typeof first?.index === "number" ? count : (answer.envelope.rows_total ?? count);
  }
  const page = answer.envelope[first.name] as { rows_total?: unknown } | null | undefined;
  const isWholePage = typeof first.index !== "number" && typeof second?.index !== "number";
  return isWholePage && typeof page?.rows_total === "number" ? page.rows_total : count;
}

/** A table of single fields of the envelope: one row, none where a list that a field looks into is empty. */
function fieldTable(head: PartHead, columns: readonly AnswerColumn[], answer: StepAnswer): TablePart {
  const row: JsonObject = {};
  const typed: TypedColumn[] = [];
  let isEmpty = false;
  for (const { from, as } of columns) {
    const parsed = parsePath(`s.${from}`);
    if (parsed.kind === "wrong") throw new Error(`the column ${from} was verified`);
    typed.push({ name: as, type: columnType(typeAtPath(answer, parsed.path)) });
    try {
      setOwn(row, as, valueAtPath(answer, parsed.path));
    } catch (error) {
      if (!(error instanceof PalimpsestError) || error.code !== "E_NOT_FOUND") throw error;
      isEmpty = true;
    }
  }
  const rows = isEmpty ? [] : [row];
  return { ...head, kind: "table", columns: typed, rows, rows_total: rows.length };
}

/** The columns of an answer, by the names that they have there. */
export function shownTable(table: ColumnTable, shown: readonly AnswerColumn[] | null): ColumnTable {
  if (shown === null) return table;
  const byName = new Map(table.columns.map(({ name, column }) => [name, column]));
  const columns = shown.map(({ from, as }) => ({ name: as, column: byName.get(from)! }));
  return { rowCount: table.rowCount, columns };
}

async function tableOf(
  part: ReadPart,
  columns: readonly AnswerColumn[] | null,
  answer: StepAnswer,
  path: ReferencePath,
): Promise<TablePart> {
  const head = headOf(part, answer, path);
  const type = typeAtPath(answer, path);
  if (!isTableOfRows(type, columns))
    return fieldTable({ ...head, complete: true, incomplete: [] }, columns ?? [], answer);
  const { item } = type;
  // Where the step has its rows by columns, its table is all that is asked of it.
  const table = answer.columns;
  const rows = table === null ? (valueAtPath(answer, path) as JsonValue[]) : rowsOfColumns(table, 0, 1);
  const shown =
    columns === null
      ? allColumns(item, rows)
      : columns.map((column) => ({ ...column, type: columnOf(item, column.from) }));
  const typed = shown.map(({ as, type: of }) => ({ name: as, type: columnType(of) }));
  const isSame = item.kind === "object" && shown.every(({ from, as }) => from === as);
  const asIs = isSame && columns === null ? (rows as JsonObject[]) : null;
  const rowsShown =
    table === null ? (asIs ?? (await projectedRows(rows, shown))) : await rowsInSlices(shownTable(table, columns));
  return {
    ...head,
    kind: "table",
    columns: typed,
    rows: rowsShown,
    rows_total: totalOf(answer, path, rowsShown.length),
  };
}

async function projectedRows(rows: readonly JsonValue[], columns: readonly AnswerColumn[]): Promise<JsonObject[]> {
  const pace = new Pace();
  const shown: JsonObject[] = [];
  for (const [i, row] of rows.entries()) {
    shown.push(projected(row, columns));
    if (i % ROWS_AT_ONCE === ROWS_AT_ONCE - 1 && pace.isDue) await pace.rest();
  }
  return shown;
}

/** Whether a table shows rows of the list that it is taken from, and not single fields of the envelope. */
export const isTableOfRows = (type: OutputType, columns: readonly AnswerColumn[] | null): type is ListOutput =>
  type.kind === "list" && (columns === null || columns.some(({ from }) => hasColumn(type.item, from)));

const hasColumn = (item: OutputType, name: string): boolean =>
  item.kind === "object" ? Object.hasOwn(item.fields, name) : item.kind === "any" || name === "value";

const columnOf = (item: OutputType, name: string): OutputType => (item.kind === "object" ? item.fields[name]! : item);

function projected(row: JsonValue, columns: readonly AnswerColumn[]): JsonObject {
  const isRow = typeof row === "object" && row !== null && !Array.isArray(row);
  const out: JsonObject = {};
  for (const { from, as } of columns) {
    const value = isRow ? (Object.hasOwn(row, from) ? row[from]! : null) : row;
    setOwn(out, as, value);
  }
  return out;
}

async function partOf(
  part: ReadPart,
  columns: readonly AnswerColumn[] | null,
  answers: ReadonlyMap<string, StepAnswer>,
): Promise<AnswerPart> {
  const parsed = parsePath(part.from);
  if (parsed.kind === "wrong") throw new Error(`the path ${part.from} was verified`);
  const { path } = parsed;
  const answer = answers.get(path.step)!;
  if (part.kind === "table") return tableOf(part, columns, answer, path);
  const type = typeAtPath(answer, path);
  const value = valueAtPath(answer, path);
  checkKind(part, value);
  return {
    ...headOf(part, answer, path),
    kind: part.kind,
    type: type.kind === "list" ? "list" : type.kind === "object" ? "object" : columnType(type),
    value,
  };
}

/** What only the data could tell: that the value is of its kind. */
function checkKind({ kind, from }: ReadPart, value: JsonValue): void {
  const isFit =
    kind === "count"
      ? typeof value === "bigint" || Number.isSafeInteger(value)
      : kind === "entity_set"
        ? Array.isArray(value) && value.every((uid) => typeof uid === "string")
        : kind === "series" || kind === "paths"
          ? Array.isArray(value)
          : true;
  if (isFit) return;
  throw new PalimpsestError("E_PLAN_INVALID", `${from} gave what is no answer of kind ${kind}`, {
    details: { path: from, kind: "kind_mismatch" },
    hint: "look at the step's answer, and choose the kind that it is",
  });
}

export async function answerParts(
  answer: ReadAnswer,
  answers: ReadonlyMap<string, StepAnswer>,
): Promise<RunAnswerParts> {
  const main = await partOf(answer, answer.columns, answers);
  const also: AnswerPart[] = [];
  for (const part of answer.also) also.push(await partOf(part, null, answers));
  return { ...main, also };
}
