// The answer of a step as later steps see it: values behind paths, and whether a path shows all of what it names.
import type { ColumnTable } from "../../columns/column.js";
import type { AnyEnvelope, ListOf } from "../../contract/envelope.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { ANY, fieldAt, follow, type ObjectOutput, type OutputType } from "../output-types.js";
import { printPath, type ReferencePath } from "../references.js";
import type { JudgedStep } from "../verify/step.js";

export interface StepAnswer {
  readonly judged: JudgedStep;
  readonly envelope: AnyEnvelope;
  /** The rows that are handed on: all that are held, or the slice. */
  readonly rows: readonly JsonObject[] | null;
  /** The rows by columns, instead, where only a select reads them. */
  readonly columns: ColumnTable | null;
  /** The types of the envelope, now that the data is known. */
  readonly type: ObjectOutput;
  /** For the trace: arguments with the addresses of tables that came from earlier steps. */
  readonly shownArgs: JsonObject;
  readonly ms: number;
}

export function slicedRows(
  rows: readonly JsonObject[] | null,
  slice: readonly [number, number | null] | null,
): readonly JsonObject[] | null {
  if (rows === null || slice === null) return rows;
  const [offset, count] = slice;
  return rows.slice(offset, count === null ? undefined : offset + count);
}

/** Rows of all lists of an answer. */
export function rowsIn({ judged, envelope, columns }: StepAnswer): number {
  let count = columns?.rowCount ?? 0;
  for (const { field } of judged.operator.declaration.lists) {
    const list = envelope[field];
    if (Array.isArray(list)) count += list.length;
    else if (typeof list === "object" && list !== null) count += (list as { rows: readonly unknown[] }).rows.length;
  }
  return count;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Rows of a further list; the value itself of anything else. */
const pageRows = (value: unknown): unknown =>
  isObject(value) && Array.isArray(value.rows) && "rows_total" in value ? value.rows : value;

const missing = (path: ReferencePath, what: string): PalimpsestError =>
  new PalimpsestError("E_NOT_FOUND", `${printPath(path)}: ${what}`, {
    details: { path: printPath(path), kind: "no_row" },
    hint: "the step found less than the plan counts on: ask for the whole list with [*], or look at rows_total",
  });

/** What a path names in the answer of its step. E_NOT_FOUND for an element that is not there. */
export function valueAtPath(answer: StepAnswer, path: ReferencePath): JsonValue {
  const { segments } = path;
  const fields: Record<string, unknown> = { ...answer.envelope, rows: answer.rows };
  if (segments.length === 0) return (answer.rows ?? []) as JsonValue;
  const follow = (from: unknown, start: number): JsonValue => {
    let value = from;
    for (let i = start; i < segments.length; ) {
      const found = isObject(value) ? fieldAt((name) => Object.hasOwn(value as JsonObject, name), path, i) : undefined;
      // A property that a row lacks is null, and so is what is inside it.
      if (found === undefined) return null;
      value = (value as JsonObject)[found.name];
      const { index } = segments[found.next - 1]!;
      i = found.next;
      if (index === null) continue;
      const list = pageRows(value);
      if (!Array.isArray(list)) throw missing(path, `${found.name} is no list here`);
      if (index === "*") return list.map((member) => follow(member, i));
      if (index >= list.length) {
        const count = list.length === 0 ? "no rows" : `rows 0 to ${list.length - 1}`;
        throw missing(path, `there is no element ${index}: ${found.name} has ${count}`);
      }
      value = list[index];
    }
    return (pageRows(value) ?? null) as JsonValue;
  };
  return follow(fields, 0);
}

/** The type of what a path names. */
export function typeAtPath(answer: StepAnswer, path: ReferencePath): OutputType {
  const followed = follow(answer.type, path);
  return followed.kind === "type" ? followed.type : ANY;
}

/** Whether rows of the main list are missing that the step did not choose to leave out. */
function isCut({ envelope, judged }: StepAnswer): boolean {
  return judged.step.slice === null && (envelope.cursor !== null || typeof envelope.args.cursor === "string");
}

/**
 * Whether what a path names is only a part: everything of a step over incomplete input, and lists that were cut. One cell
 * of a cut list is whole, and so is a total.
 */
export function isPartial(answer: StepAnswer, { segments }: ReferencePath): boolean {
  if (answer.envelope.incomplete.includes("upstream")) return true;
  const [first, second] = segments;
  if (first === undefined || first.name === "rows") return typeof first?.index !== "number" && isCut(answer);
  const page = answer.envelope[first.name];
  if (!isObject(page) || !("truncated" in page) || typeof first.index === "number") return false;
  if (second !== undefined && (second.name !== "rows" || typeof second.index === "number")) return false;
  return (page as unknown as ListOf).truncated;
}
