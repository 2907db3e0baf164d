// Whether a cell counts: by the unit that the registry gives its field, or by the function that made its column.
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import type { JsonObject } from "../../../src/contract/values.js";
import { lookUp } from "../../../src/operators/registry.js";
import { readQuery } from "../../../src/relational/index.js";
import { type Place, rowOf } from "./cells.js";
import { queryCounts } from "./select-counts.js";

const COUNTING = new Set(["count", "count_distinct"]);

const isWhole = (value: unknown): boolean => typeof value === "bigint" || Number.isInteger(value);

export function isCount(evidence: Evidence, step: EvidenceStep, place: Place): boolean {
  const { type, value, keys } = place;
  if (!isWhole(value)) return false;
  if (type.kind === "scalar" && type.unit !== null && type.unit !== "1") {
    return type.type === "int";
  }
  const field = lookUp(step.record.op).declaration.output.properties[keys[0] as string] as
    | { unit?: string }
    | undefined;
  if (keys.length === 2 && field?.unit !== undefined && field.unit !== "1") return true;
  return keys[0] === "value" || rowOf(place)?.list === "rows"
    ? isCountColumn(evidence, step, String(keys.at(-1)))
    : false;
}

/** Whether a computed column, or the single value of `compute`, is a count. */
function isCountColumn(evidence: Evidence, step: EvidenceStep, column: string): boolean {
  const args = step.record.args as JsonObject;
  if (step.record.op === "compute") {
    return isMadeCount(evidence, step, args, column);
  }
  if (step.record.op === "select") {
    const tables = step.references.flatMap(({ place, path }): (readonly [string, (name: string) => boolean])[] => {
      const from = place[0] === "tables" ? evidence.step(path.step) : undefined;
      if (from === undefined) return [];
      return [[String(place[1]), (name: string) => isCountedInput(evidence, from, name)]];
    });
    return queryCounts(readQuery(args.query as string), column, new Map(tables));
  }
  return false;
}

/** Functions whose rows have the columns of their input. */
const HANDS_ON = new Set(["filter", "sort", "topk", "distinct", "derive"]);

/** Counts of compute: made there, summed there, or handed on with the rows. */
function isMadeCount(evidence: Evidence, step: EvidenceStep, args: JsonObject, column: string): boolean {
  const input = step.references.find(({ place }) => place.length === 1 && place[0] === "input")?.path;
  const from = input === undefined ? undefined : evidence.step(input.step);
  const isCounted = (name: string): boolean => {
    const [first, second] = input?.segments ?? [];
    if (from === undefined || (first !== undefined && first.name !== "rows")) return false;
    // Single cells of the rows are the one column `value`.
    if (second !== undefined) return name === "value" && isCountedInput(evidence, from, second.name);
    return isCountedInput(evidence, from, name);
  };
  if (args.fn === "group") {
    const made = args.aggregates as unknown as { as: string; fn: string; field: string | null }[];
    return made.some(
      ({ as, fn, field }) => as === column && (COUNTING.has(fn) || (fn === "sum" && isCounted(field ?? "value"))),
    );
  }
  if (args.fn === "project") {
    const fields = args.fields as unknown as { from: string; as: string }[];
    return fields.some(({ from: of, as }) => as === column && isCounted(of));
  }
  if (HANDS_ON.has(args.fn as string)) return isCounted(column);
  if (((args.by ?? []) as string[]).includes(column)) return false;
  return COUNTING.has(args.fn as string) || (args.fn === "sum" && isCounted((args.field ?? "value") as string));
}

/** Whether a column of a step that a select reads is a count. */
function isCountedInput(evidence: Evidence, step: EvidenceStep, name: string): boolean {
  const rows = step.result?.type.kind === "object" ? step.result.type.fields.rows : undefined;
  const item = rows?.kind === "list" && rows.item.kind === "object" ? rows.item.fields[name] : undefined;
  if (item?.kind === "scalar" && item.type === "int" && item.unit !== null && item.unit !== "1") return true;
  return isCountColumn(evidence, step, name);
}
