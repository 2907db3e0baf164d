// Where paths lead in what a step holds: through its values and their types alike, in the rows that it handed on. Knows no claim
// and no rule.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { fieldAt, follow, type OutputType } from "../../plan/output-types.js";
import type { ReferencePath } from "../../plan/references.js";
import { slicedRows } from "../../plan/run/step-answer.js";
import type { EvidenceStep } from "./evidence.js";

/** Fields of an envelope that repeat what was asked, or say how it was answered. */
const NOT_EVIDENCE: readonly string[] = [
  "op",
  "args",
  "pin",
  "pins",
  "result_digest",
  "cursor",
  "truncated",
  "complete",
  "incomplete",
  "erased",
  "columns",
  "notices",
];

/** Whether a path begins outside the payload. */
export const isOutside = ({ segments }: ReferencePath): boolean =>
  segments.length > 0 && NOT_EVIDENCE.includes(segments[0]!.name);

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export interface Walked {
  readonly type: OutputType;
  readonly value: JsonValue;
  readonly list: string | null;
  readonly index: number | "*" | null;
  readonly row: JsonObject | null;
  readonly field: string;
}

/** The rows of a list, or of a page of one; null for what is no list. */
export const listRows = (value: unknown): readonly JsonValue[] | null => {
  if (Array.isArray(value)) return value;
  return isObject(value) && Array.isArray(value.rows) && "rows_total" in value ? value.rows : null;
};

/** What a name of the path stands for in a value: fields may have dots in their names. */
function member(value: JsonValue, path: ReferencePath, at: number) {
  if (!isObject(value)) return null;
  const found = fieldAt((name) => Object.hasOwn(value, name), path, at);
  // A property that a row lacks is null.
  if (found === undefined) return at === 0 ? null : { name: path.segments[at]!.name, value: null, next: at + 1 };
  return { name: found.name, value: value[found.name] ?? null, next: found.next };
}

/** Follows a path through the values from a segment on; null where there is no such place. */
function walkValues(from: JsonValue, path: ReferencePath, at: number): Omit<Walked, "type"> | null {
  const { segments } = path;
  let value = from;
  let list: string | null = null;
  let index: number | "*" | null = null;
  let row: JsonObject | null = null;
  let field = "";
  for (let i = at; i < segments.length; ) {
    const found = member(value, path, i);
    if (found === null) return null;
    value = found.value;
    i = found.next;
    field += (field === "" ? "" : ".") + found.name;
    const position = segments[i - 1]!.index;
    if (position === null) continue;
    const rows = listRows(value);
    if (rows === null || (position !== "*" && position >= rows.length)) return null;
    const isOuter = list === null;
    if (isOuter) {
      list = field;
      index = position;
      field = "";
    }
    if (position === "*") {
      const members = rows.map((each) => walkValues(each, path, i));
      if (members.some((each) => each === null)) return null;
      return {
        value: members.map((each) => each!.value),
        list,
        index: "*",
        row: null,
        field: members[0]?.field ?? field,
      };
    }
    value = rows[position]!;
    if (isOuter && isObject(value)) row = value;
  }
  return { value, list, index, row, field };
}

/** Follows a path through types and values alike; null where either has no such place. */
export function walk({ step, result }: EvidenceStep, path: ReferencePath): Walked | null {
  const { envelope, type } = result!;
  const handedOn = { ...envelope, rows: slicedRows(envelope.rows, step.slice ?? null) };
  const found = walkValues(handedOn as unknown as JsonObject, path, 0);
  if (found === null) return null;
  if (type.kind !== "object" || isOutside(path)) return { ...found, type: { kind: "any" } };
  const followed = follow(type, path);
  return followed.kind === "type" ? { ...found, type: followed.type } : null;
}

/** Rows of a whole list of the answer; null for a list inside a row, which is always whole. */
export function totalOf({ result }: EvidenceStep, list: string): number | null {
  const { envelope } = result!;
  if (list === "rows") return envelope.rows_total;
  const page = envelope[list];
  return isObject(page) && typeof page.rows_total === "number" ? page.rows_total : null;
}

/** Rows of a list that are held. */
export function rowsOf({ step, result }: EvidenceStep, list: string): readonly JsonValue[] {
  const { envelope } = result!;
  if (list === "rows") return (slicedRows(envelope.rows, step.slice ?? null) ?? []) as readonly JsonValue[];
  return listRows(envelope[list]) ?? [];
}

/** The list that a path names, `[*]` or whole; null where it names none. */
export function listAt(step: EvidenceStep, path: ReferencePath): readonly JsonValue[] | null {
  if (path.segments.length === 0) return rowsOf(step, "rows");
  return listRows(walk(step, path)?.value);
}
