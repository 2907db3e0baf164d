// The cells and lists that claims name, found by output schema and in the rows that are held: rules V3 to V5, behind V2 of their
// steps.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { OutputType, ScalarOutput } from "../../plan/output-types.js";
import { parsePath, type ReferencePath } from "../../plan/references.js";
import type { UnverifiableReason } from "./claim.js";
import type { Evidence, EvidenceStep } from "./evidence.js";
import { isObject, isOutside, listRows, rowsOf, totalOf, type Walked, walk } from "./held-values.js";
import { evidenceOf } from "./step-evidence.js";
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
