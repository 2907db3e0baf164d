// The names of the rows that stand in an answer, and the columns that name the rows of a list: a trace says both, so that
// a row can be found again wherever a page begins.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { Pace } from "../../event-loop/pace.js";
import type { AnswerColumn } from "../plan.js";
import { parsePath, type ReferencePath } from "../references.js";
import type { ReadAnswer, ReadPart } from "../verify/read-plan.js";
import { isTableOfRows } from "./answer.js";
import { type StepAnswer, typeAtPath } from "./step-answer.js";

export interface RowKeys {
  readonly columns: readonly string[];
  /** For each row that stands in the part, in its order, the values of the columns. */
  readonly rows: readonly (readonly JsonValue[])[];
}

export type ListKeys = Readonly<Record<string, readonly string[]>>;

/** By list of a step's answer, the columns that name its rows. */
export function listKeys({ judged, envelope }: StepAnswer): ListKeys {
  const keys = judged.operator.declaration.lists.flatMap(({ field, key }) => {
    if (key === undefined || (envelope[field] ?? null) === null) return [];
    const columns = typeof key === "function" ? key(envelope.args) : key;
    return columns.length === 0 ? [] : [[field, columns] as const];
  });
  return Object.fromEntries(keys);
}

function rowsOfList({ envelope, rows }: StepAnswer, field: string): readonly JsonObject[] | null {
  if (field === "rows") return rows;
  return (envelope[field] as { readonly rows: readonly JsonObject[] }).rows;
}

/** The rows of the list that a path goes through; null where it names something beside them, such as their total. */
function rowsOnPath(answer: StepAnswer, { segments }: ReferencePath, field: string): readonly JsonObject[] | null {
  const rows = rowsOfList(answer, field);
  if (rows === null) return null;
  const [first, second] = segments;
  const isThroughRows = field !== "rows" && first?.index === null && second?.name === "rows";
  const at = isThroughRows ? second : first;
  const isLast = segments.length <= (isThroughRows ? 2 : 1);
  if (typeof at?.index === "number") return rows.slice(at.index, at.index + 1);
  return at?.index === "*" || isLast ? rows : null;
}

async function keysOfPart(
  { kind, from }: ReadPart,
  columns: readonly AnswerColumn[] | null,
  answers: ReadonlyMap<string, StepAnswer>,
): Promise<RowKeys | null> {
  const parsed = parsePath(from);
  if (parsed.kind === "wrong") throw new Error(`the path ${from} was verified`);
  const { path } = parsed;
  const answer = answers.get(path.step)!;
  if (kind === "table" && !isTableOfRows(typeAtPath(answer, path), columns)) return null;
  const field = path.segments[0]?.name ?? "rows";
  const key = listKeys(answer)[field];
  const rows = key === undefined ? null : rowsOnPath(answer, path, field);
  if (key === undefined || rows === null) return null;
  const pace = new Pace();
  const named: JsonValue[][] = [];
  for (const row of rows) {
    named.push(key.map((column) => (Object.hasOwn(row, column) ? row[column]! : null)));
    if (pace.isDue) await pace.rest();
  }
  return { columns: key, rows: named };
}

/** Of the main part of an answer, then of its further parts. */
export const rowKeysOf = (answer: ReadAnswer, answers: ReadonlyMap<string, StepAnswer>): Promise<(RowKeys | null)[]> =>
  Promise.all([
    keysOfPart(answer, answer.columns, answers),
    ...answer.also.map((part) => keysOfPart(part, null, answers)),
  ]);
