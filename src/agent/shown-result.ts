// A result as a model is shown it: the handle with counts, cut flags and types, and the first rows of each list. Data, for
// a fence.
import type { AnyEnvelope } from "../contract/envelope.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { StepRecord } from "../plan/index.js";
import { type AnyOutput, describeType, type ObjectOutput, type OutputType } from "../plan/output-types.js";
import type { RunStep } from "./loop/growing-plan.js";

export const FIRST_ROWS = 5;
const NO_DATA: readonly string[] = ["erased", "pin", "complete", "rows_total"];

/** What is shown of a step. */
export interface ShownStep {
  readonly id: string;
  readonly record: StepRecord;
  readonly envelope: AnyEnvelope;
  /** Those that are handed on. */
  readonly rows: readonly JsonValue[] | null;
  readonly type: ObjectOutput | AnyOutput;
}

export interface ShownSize {
  /** Of each list. */
  readonly rows: number;
  readonly hasTypes: boolean;
}

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
function listOf({ id, envelope, rows, record }: ShownStep, name: string, type: OutputType): ShownList | undefined {
  const path = `${id}.${name}`;
  const value = name === "rows" ? rows : (envelope as unknown as JsonObject)[name];
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
export function handleLine({ id, record }: Pick<RunStep, "id" | "record">): JsonObject {
  const { op, rows_total, complete, incomplete } = record;
  return { handle: id, op, rows_total, complete, ...(incomplete.length === 0 ? {} : { incomplete: [...incomplete] }) };
}

/** The cells beside lists, then of each list its counts, its types and its first rows; each with its path. */
export function dataLines(step: ShownStep, { rows: mostRows, hasTypes }: ShownSize): readonly JsonValue[] {
  const { id, envelope, type } = step;
  const typed: Readonly<Record<string, OutputType>> =
    type.kind === "object" ? type.fields : { rows: { kind: "list", item: type } };
  const fields = Object.entries(typed).filter(([name]) => !NO_DATA.includes(name));
  const lists = fields.flatMap(([name, of]) => listOf(step, name, of) ?? []);
  const names = new Set(lists.map(({ path }) => path));
  const cells = fields
    .filter(([name]) => !names.has(`${id}.${name}`))
    .map(([name, of]): JsonObject => {
      const value = (envelope as unknown as JsonObject)[name] ?? null;
      return { path: `${id}.${name}`, ...(hasTypes ? { type: describeType(of) } : {}), value };
    });
  const rows = lists.flatMap(({ path, rows: all, told: { types, ...told } }): JsonValue[] => [
    hasTypes ? { ...told, types: types! } : told,
    ...all.slice(0, mostRows).map((row, i): JsonValue => ({ path: `${path}[${i}]`, row })),
  ]);
  return [...cells, ...rows];
}

export function resultLines({ id, answer, record }: RunStep): readonly JsonValue[] {
  const { envelope, rows, type } = answer;
  const size = { rows: FIRST_ROWS, hasTypes: true };
  return [handleLine({ id, record }), ...dataLines({ id, record, envelope, rows, type }, size)];
}
