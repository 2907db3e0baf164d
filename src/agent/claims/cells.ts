// Paths to cells: what a claim names, found by output schema and in the rows that are held. Rules V2 to V5.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { digestOfEnvelope } from "../../operators/envelope-builder.js";
import { lookUp } from "../../operators/registry.js";
import { fieldAt, follow, type OutputType, type ScalarOutput } from "../../plan/output-types.js";
import { parsePath, type ReferencePath } from "../../plan/references.js";
import { slicedRows } from "../../plan/run/step-answer.js";
import type { UnverifiableReason } from "./claim.js";
import type { Evidence, EvidenceStep, StoredResult } from "./evidence.js";
import { isWritten } from "./written.js";

/** Where a cell stands, and what it holds. */
export interface Cell {
  readonly step: EvidenceStep;
  readonly path: ReferencePath;
  /** The list that its row is in; null for a field beside lists. */
  readonly list: string | null;
  readonly index: number | null;
  readonly row: JsonObject | null;
  /** The field of its row, or of the answer, dots where it lies deeper. */
  readonly field: string;
  readonly type: ScalarOutput | null;
  readonly value: JsonValue;
}

/** A list of cells: `[*]` in the path, or a list as a whole. */
export interface CellList {
  readonly step: EvidenceStep;
  readonly path: ReferencePath;
  /** The list of the answer that it is, or that its cells are of. */
  readonly list: string;
  readonly type: ScalarOutput | null;
  /** The cells of `[*]`; the rows of a list as a whole. */
  readonly values: readonly JsonValue[];
  readonly rowsTotal: number | null;
}

export type Found<T> = { readonly cell: T } | { readonly wrong: UnverifiableReason };

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

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether an argument of a trace is the address of a list of one of its steps that holds this table. */
function isAddressOf(evidence: Evidence, shown: JsonValue | undefined, table: JsonValue | undefined): boolean {
  if (!isObject(shown) || typeof shown.digest !== "string" || typeof shown.path !== "string") return false;
  const record = evidence.trace.steps.find((each) => each.result_digest === shown.digest);
  const step = record === undefined ? undefined : evidence.step(record.id);
  const parsed = parsePath(`${record?.id}.${shown.path}`);
  if (step === undefined || step.result === null || parsed.kind === "wrong") return false;
  return canonicalJson(listAt(step, parsed.path)) === canonicalJson(table);
}

/** Whether the arguments of a trace are those that an answer holds; tables from earlier steps stand there as addresses. */
function showsArguments(evidence: Evidence, shown: JsonObject, held: JsonObject, tables: readonly string[]): boolean {
  const names = new Set([...Object.keys(shown), ...Object.keys(held)]);
  for (const name of names) {
    if (tables.includes(name) && isAddressOf(evidence, shown[name], held[name])) continue;
    if (!Object.hasOwn(shown, name) || !Object.hasOwn(held, name)) return false;
    if (canonicalJson(shown[name]) !== canonicalJson(held[name])) return false;
  }
  return true;
}

const judgedSteps = new WeakMap<EvidenceStep, Promise<EvidenceStep | UnverifiableReason>>();

/** V2: the step is there, ran well, and what is stored of it is what its digest says. Hashed once for all claims on it. */
export async function evidenceOf(evidence: Evidence, id: string): Promise<EvidenceStep | UnverifiableReason> {
  const step = evidence.step(id);
  if (step === undefined || step.record.status !== "ok" || step.result === null) return "no_evidence";
  let judged = judgedSteps.get(step);
  if (judged === undefined) {
    judged = judgeStep(evidence, step, step.result);
    judgedSteps.set(step, judged);
  }
  return judged;
}

async function judgeStep(
  evidence: Evidence,
  step: EvidenceStep,
  result: StoredResult,
): Promise<EvidenceStep | UnverifiableReason> {
  const { record } = step;
  const { envelope } = result;
  const operator = lookUp(record.op);
  const isSame =
    envelope.op === record.op &&
    canonicalJson(envelope.pin) === canonicalJson(record.pin) &&
    envelope.result_digest === record.result_digest &&
    showsArguments(evidence, record.args ?? {}, envelope.args, operator.tables);
  if (!isSame) return "digest_mismatch";
  const digest = await digestOfEnvelope(operator, envelope);
  return digest === record.result_digest ? step : "digest_mismatch";
}

interface Walked {
  readonly type: OutputType;
  readonly value: JsonValue;
  readonly list: string | null;
  readonly index: number | "*" | null;
  readonly row: JsonObject | null;
  readonly field: string;
}

const listRows = (value: unknown): readonly JsonValue[] | null => {
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
function walk({ step, result }: EvidenceStep, path: ReferencePath): Walked | null {
  const { envelope, type } = result!;
  const handedOn = { ...envelope, rows: slicedRows(envelope.rows, step.slice ?? null) };
  const found = walkValues(handedOn as unknown as JsonObject, path, 0);
  if (found === null) return null;
  if (type.kind !== "object" || isOutside(path)) return { ...found, type: { kind: "any" } };
  const followed = follow(type, path);
  return followed.kind === "type" ? { ...found, type: followed.type } : null;
}

async function walked(
  evidence: Evidence,
  ref: string,
): Promise<{ step: EvidenceStep; path: ReferencePath; found: Walked } | UnverifiableReason> {
  const parsed = parsePath(ref);
  if (parsed.kind === "wrong") return "no_cell";
  const { path } = parsed;
  const step = await evidenceOf(evidence, path.step);
  if (typeof step === "string") return step;
  const found = walk(step, path);
  if (found === null) return "no_cell";
  return { step, path, found };
}

/** Whether a path begins outside the payload. */
const isOutside = ({ segments }: ReferencePath): boolean =>
  segments.length > 0 && NOT_EVIDENCE.includes(segments[0]!.name);

const echoes = (type: OutputType): boolean =>
  type.kind === "list" ? echoes(type.item) : type.kind === "scalar" && type.echoes !== null;

const isNotEvidence = (evidence: Evidence, step: EvidenceStep, path: ReferencePath, found: Walked): boolean =>
  isOutside(path) ||
  echoes(found.type) ||
  path.segments.some(({ name }) => name.includes("extent")) ||
  isWritten(evidence, step, found.list, found.field);

/** V2 to V5 of a single cell; the later end of an open interval may be null. */
export async function cellAt(evidence: Evidence, ref: string, isEnd: boolean): Promise<Found<Cell>> {
  const at = await walked(evidence, ref);
  if (typeof at === "string") return { wrong: at };
  const { step, path, found } = at;
  const { type, value, list, index, row, field } = found;
  const isCell = path.segments.length > 0 && type.kind !== "list" && type.kind !== "object" && index !== "*";
  if (!isCell || Array.isArray(value) || isObject(value)) {
    return { wrong: isOutside(path) ? "not_evidence" : "no_cell" };
  }
  if (isNotEvidence(evidence, step, path, found)) return { wrong: "not_evidence" };
  const isOpenEnd = isEnd && type.kind === "scalar" && type.type === "instant_open";
  if (value === null && !isOpenEnd) return { wrong: "null_cell" };
  const position = typeof index === "number" ? index : null;
  return { cell: { step, path, list, index: position, row, field, type: type.kind === "scalar" ? type : null, value } };
}

/** V2 to V4 of a list: the cells of `[*]`, or, where `isWhole`, a list of the answer. */
export async function cellsAt(evidence: Evidence, ref: string, isWhole: boolean): Promise<Found<CellList>> {
  const at = await walked(evidence, ref);
  if (typeof at === "string") return { wrong: at };
  const { step, path, found } = at;
  if (isOutside(path)) return { wrong: "not_evidence" };
  const isStep = path.segments.length === 0;
  // An answer of one value has no rows.
  const hasRows = step.result!.envelope.rows !== null;
  const values = isStep ? (hasRows ? rowsOf(step, "rows") : null) : listRows(found.value);
  if (values === null || (!isWhole && found.index !== "*")) return { wrong: "no_cell" };
  if (isNotEvidence(evidence, step, path, found)) return { wrong: "not_evidence" };
  const { type } = found;
  const item = type.kind === "list" ? type.item : null;
  const list = isStep ? "rows" : (found.list ?? found.field);
  return {
    cell: {
      step,
      path,
      list,
      type: item?.kind === "scalar" ? item : null,
      values,
      // A list inside a row is no page.
      rowsTotal: typeof found.index === "number" ? null : totalOf(step, list),
    },
  };
}

/** A list as it is handed on: what of it is held, and how many rows it has. */
export interface HeldList {
  readonly rows: readonly JsonValue[];
  readonly total: number;
  readonly item: OutputType;
}

/** V2 and V3 of a list that code prints, `[*]` or whole: its rows in their order. */
export async function heldListAt(evidence: Evidence, ref: string): Promise<HeldList | UnverifiableReason> {
  const at = await walked(evidence, ref);
  if (typeof at === "string") return at;
  const { step, path, found } = at;
  const isStep = path.segments.length === 0;
  const rows = isStep ? rowsOf(step, "rows") : listRows(found.value);
  if (rows === null) return "no_cell";
  const list = isStep ? "rows" : (found.list ?? found.field);
  const isWhole = typeof found.index !== "number" && (list !== "rows" || (step.step.slice ?? null) === null);
  const { type } = found;
  const listed = type.kind === "object" && (isStep || type.isPage) ? type.fields.rows : type;
  return {
    rows,
    total: (isWhole ? totalOf(step, list) : null) ?? rows.length,
    item: listed?.kind === "list" ? listed.item : { kind: "any" },
  };
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
