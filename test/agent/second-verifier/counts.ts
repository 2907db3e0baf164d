// Whether a cell counts: by the unit that the registry gives its field, or by the function that made its column.
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import type { JsonObject } from "../../../src/contract/values.js";
import { lookUp } from "../../../src/operators/registry.js";
import { readQuery } from "../../../src/relational/index.js";
import { type Place, rowOf } from "./cells.js";
import { queryCounts } from "./select-counts.js";

const COUNTING = new Set(["count", "count_distinct"]);
const RATIOS = new Set(["mean_out_degree", "reciprocity"]);

const isWhole = (value: unknown): boolean => typeof value === "bigint" || Number.isInteger(value);

export function isCount(evidence: Evidence, step: EvidenceStep, place: Place): boolean {
  const { type, value, keys } = place;
  if (!isWhole(value)) return false;
  if (type.kind === "scalar" && type.unit !== null && type.unit !== "1") {
    if (type.type === "int") return true;
    // A series holds whole counts and ratios in one column.
    return step.record.op === "graph_metric_timeseries" && !RATIOS.has(metricOf(step, place));
  }
  const field = lookUp(step.record.op).declaration.output.properties[keys[0] as string] as
    | { unit?: string }
    | undefined;
  if (keys.length === 2 && field?.unit !== undefined && field.unit !== "1") return true;
  return keys[0] === "value" || rowOf(place)?.list === "rows"
    ? isCountColumn(evidence, step, String(keys.at(-1)))
    : false;
}

const metricOf = (step: EvidenceStep, place: Place): string =>
  (step.result!.envelope.rows![rowOf(place)!.index] as { metric: string }).metric;

/** Whether a computed column, or the single value of `compute`, is a count. */
function isCountColumn(evidence: Evidence, step: EvidenceStep, column: string): boolean {
  const args = step.record.args as JsonObject;
  if (step.record.op === "compute") {
    if (args.fn === "group") {
      const made = args.aggregates as unknown as { as: string; fn: string }[];
      return made.some(({ as, fn }) => as === column && COUNTING.has(fn));
    }
    return COUNTING.has(args.fn as string) && !((args.by ?? []) as string[]).includes(column);
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

/** Whether a column of a step that a select reads is a count. */
function isCountedInput(evidence: Evidence, step: EvidenceStep, name: string): boolean {
  const rows = step.result?.type.kind === "object" ? step.result.type.fields.rows : undefined;
  const item = rows?.kind === "list" && rows.item.kind === "object" ? rows.item.fields[name] : undefined;
  if (item?.kind === "scalar" && item.type === "int" && item.unit !== null && item.unit !== "1") return true;
  return isCountColumn(evidence, step, name);
}
