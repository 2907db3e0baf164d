// A result as a model is shown it: the handle with counts, cut flags and types, and the first rows of each list. Data, for
// a fence.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { describeType, type OutputType } from "../../plan/output-types.js";
import type { RunStep } from "./growing-plan.js";

const FIRST_ROWS = 5;
const NO_DATA: readonly string[] = ["erased", "pin", "complete", "rows_total"];

interface ShownList {
  readonly path: string;
  readonly rows: readonly JsonValue[];
  readonly told: JsonObject;
}

function columnsOf(item: OutputType): JsonValue {
  if (item.kind !== "object") return describeType(item);
  return Object.fromEntries(Object.entries(item.fields).map(([name, type]) => [name, describeType(type)]));
}

/** A list of the answer; undefined for a field that is none. */
function listOf({ id, answer, record }: RunStep, name: string, type: OutputType): ShownList | undefined {
  const path = `${id}.${name}`;
  const value = name === "rows" ? answer.rows : (answer.envelope as unknown as JsonObject)[name];
  if (type.kind === "list" && Array.isArray(value)) {
    const counts: JsonObject =
      name === "rows"
        ? { rows_total: record.rows_total, rows_held: record.rows_held, cut: record.incomplete.includes("page") }
        : { rows_total: value.length };
    return { path, rows: value as readonly JsonValue[], told: { list: path, ...counts, types: columnsOf(type.item) } };
  }
  if (type.kind === "object" && type.isPage && typeof value === "object" && value !== null) {
    const page = value as unknown as { rows: readonly JsonValue[]; rows_total: number; truncated: boolean };
    const { rows: item } = type.fields;
    const types = item?.kind === "list" ? columnsOf(item.item) : "any";
    return { path, rows: page.rows, told: { list: path, rows_total: page.rows_total, cut: page.truncated, types } };
  }
  return undefined;
}

/** The line that stays when the rows are left out. */
export function handleLine({ id, record }: RunStep): JsonObject {
  const { op, rows_total, complete, incomplete } = record;
  return { handle: id, op, rows_total, complete, ...(incomplete.length === 0 ? {} : { incomplete: [...incomplete] }) };
}

export function resultLines(step: RunStep): readonly JsonValue[] {
  const { id, answer } = step;
  const fields = Object.entries(answer.type.fields).filter(([name]) => !NO_DATA.includes(name));
  const lists = fields.flatMap(([name, type]) => listOf(step, name, type) ?? []);
  const names = new Set(lists.map(({ path }) => path));
  const cells = fields
    .filter(([name]) => !names.has(`${id}.${name}`))
    .map(([name, type]): JsonObject => {
      const value = (answer.envelope as unknown as JsonObject)[name] ?? null;
      return { path: `${id}.${name}`, type: describeType(type), value };
    });
  const rows = lists.flatMap(({ path, rows: all, told }): JsonValue[] => [
    told,
    ...all.slice(0, FIRST_ROWS).map((row, i): JsonValue => ({ path: `${path}[${i}]`, row })),
  ]);
  return [handleLine(step), ...cells, ...rows];
}
