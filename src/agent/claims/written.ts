// Which cells hold what the author of a plan wrote: a literal that a query or a computation hands through is evidence of
// nothing, however many steps it passes.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { ReferencePath } from "../../plan/references.js";
import { readQuery } from "../../relational/index.js";
import type { Evidence, EvidenceStep } from "./evidence.js";
import { columnsOf, type Written } from "./written-columns.js";

const COUNTING: readonly string[] = ["count", "count_distinct"];
/** Functions that hand rows of their second table on, too. */
const OF_BOTH: readonly string[] = ["union", "join"];

/** By step, then by list and field. Many steps may refer to one, and each many times: the ways to it are past counting. */
const judged = new WeakMap<EvidenceStep, Map<string, boolean>>();

/** Whether a cell of a step's answer, by its list and field, holds nothing that was read. */
export function isWritten(evidence: Evidence, step: EvidenceStep, list: string | null, field: string): boolean {
  const known = judged.get(step) ?? new Map<string, boolean>();
  judged.set(step, known);
  const cell = JSON.stringify([list, field]);
  const verdict = known.get(cell) ?? judge(evidence, step, list, field);
  known.set(cell, verdict);
  return verdict;
}

function judge(evidence: Evidence, step: EvidenceStep, list: string | null, field: string): boolean {
  const { op, args } = step.record;
  if (args === null) return false;
  if (op === "compute") return isComputed(evidence, step, args, field);
  return op === "select" && list === "rows" && selected(evidence, step, args)(field);
}

function selected(evidence: Evidence, { references }: EvidenceStep, args: JsonObject): Written {
  const tables = new Map<string, Written>();
  for (const { place, path } of references) {
    const from = evidence.step(path.step);
    if (place[0] !== "tables" || from === undefined) continue;
    tables.set(String(place[1]), (column) => isWritten(evidence, from, "rows", column));
  }
  return columnsOf(readQuery(args.query as string), tables);
}

/** Whether a path leads to what was written; of a list of rows, to a column of it. */
function isWrittenAt(evidence: Evidence, { step: id, segments }: ReferencePath, column: string): boolean {
  const step = evidence.step(id);
  if (step === undefined) return false;
  const [first, second] = segments;
  if (first === undefined) return isWritten(evidence, step, "rows", column);
  if (second === undefined && first.index === null && first.name !== "rows") {
    return isWritten(evidence, step, null, first.name);
  }
  return isWritten(evidence, step, first.name, second?.name ?? column);
}

interface Named {
  readonly as: string;
  readonly from?: string;
  readonly fn?: string;
  readonly field?: string | null;
  readonly expr?: JsonValue;
}

const namesColumn = (expr: JsonValue): boolean =>
  typeof expr === "object" &&
  expr !== null &&
  (Object.hasOwn(expr, "field") || Object.values(expr).some((part) => namesColumn(part as JsonValue)));

function isComputed(evidence: Evidence, step: EvidenceStep, args: JsonObject, field: string): boolean {
  const { references } = step;
  const fn = args.fn as string;
  if (args.input === undefined) return references.every(({ path }) => isWrittenAt(evidence, path, field));
  const isGiven = (column: string): boolean =>
    (OF_BOTH.includes(fn) ? ["input", "other"] : ["input"]).some((table) =>
      isOfTable(evidence, step, table, args[table], column),
    );
  const made = [args.aggregates, args.columns, args.fields]
    .flatMap((each) => (Array.isArray(each) ? (each as unknown as (Named | string)[]) : []))
    .find((each): each is Named => typeof each !== "string" && each.as === field);
  if (made?.expr !== undefined) return !namesColumn(made.expr);
  const by = (args.by ?? []) as readonly string[];
  const isCount = COUNTING.includes(made?.fn ?? fn) && !by.includes(field);
  if (isCount) return references.length === 0;
  if (made !== undefined) return isGiven(made.from ?? made.field ?? "value");
  return isGiven(by.includes(field) || fn === "topk" ? field : ((args.field as string | null | undefined) ?? field));
}

/** Whether a column of the rows that an argument holds was written: those of inline rows that are no references. */
function isOfTable(
  evidence: Evidence,
  { references }: EvidenceStep,
  argument: string,
  rows: JsonValue | undefined,
  column: string,
): boolean {
  const inside = references.filter(({ place }) => place[0] === argument);
  const whole = inside.find(({ place }) => place.length === 1);
  if (whole !== undefined) return isWrittenAt(evidence, whole.path, column);
  const given = new Map(inside.map(({ place, path }) => [place.slice(1).join("/"), path]));
  return ((rows ?? []) as readonly JsonValue[]).some((row, i) => {
    const isRow = typeof row === "object" && row !== null;
    if (isRow && !Object.hasOwn(row, column)) return false;
    const path = given.get(isRow ? `${i}/${column}` : String(i));
    return path === undefined || isWrittenAt(evidence, path, column);
  });
}
