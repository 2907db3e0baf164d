// The inputs of a step: its references as values, and what the pipeline must know of where they come from.
import type { ColumnTable } from "../../columns/column.js";
import { columnsOfRows } from "../../columns/columns-of-rows.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { ColumnTypes, Upstream } from "../../operators/declaration.js";
import { isInstant, mixed, typeOfValue, type ValueType } from "../../operators/expressions/types.js";
import { ANY, columnTypes, type OutputType } from "../output-types.js";
import { pointer, printPath, type ReferencePath, withReferences } from "../references.js";
import { inputTypes, type TypedReference } from "../step-types.js";
import { schemasAt } from "../verify/places.js";
import { argumentsOf, type JudgedStep } from "../verify/step.js";
import { isPartial, type StepAnswer, typeAtPath, valueAtPath } from "./step-answer.js";

interface StepInputs {
  /** The arguments with every reference replaced. */
  readonly args: JsonObject;
  readonly upstream: Upstream;
  /** By argument, the address of the table that stands there. */
  readonly addresses: Readonly<Record<string, JsonObject>>;
}

/** The type of values that no schema types: all alike, or JSON. */
function foundType(values: Iterable<JsonValue>): ValueType {
  let all: ValueType = "null";
  for (const value of values) {
    if (value === null || (all !== "null" && typeOfValue(value) === all)) continue;
    const both = mixed(all, typeOfValue(value));
    if (both === undefined) return "json";
    all = both;
  }
  return all;
}

const cellOf = (row: JsonObject, name: string): JsonValue => (Object.hasOwn(row, name) ? row[name]! : null);

/** Types of a table in which every column has one: those that the schema leaves open come from the rows. */
function tableTypes(type: OutputType, rows: readonly JsonValue[]): ColumnTypes | undefined {
  const told = columnTypes(type);
  if (told === undefined) return undefined;
  const item = type.kind === "list" ? type.item : ANY;
  if (item.kind !== "object") return told;
  const types: Record<string, ValueType> = Object.assign(Object.create(null), told);
  for (const [name, column] of Object.entries(item.fields)) {
    if (column.kind === "any") types[name] = foundType(rows.map((row) => cellOf(row as JsonObject, name)));
  }
  return types;
}

const isStepTable = ({ operator, step }: JudgedStep, place: readonly (string | number)[]): boolean =>
  schemasAt(operator.declaration.args, step.args, place).some(({ kind }) => kind === "step_table");

/** Whether a path names the rows of a step as a whole. */
export const isOfAllRows = ({ segments }: ReferencePath): boolean =>
  segments.length === 0 ||
  (segments.length === 1 && segments[0]!.name === "rows" && typeof segments[0]!.index !== "number");

/** Whether all that a step refers to in the rows of another is its table, to be handed over by columns. */
export function readsByColumns(judged: JudgedStep, id: string): boolean {
  return judged.references.every(
    ({ path, place }) =>
      path.step !== id || (isOfAllRows(path) ? isStepTable(judged, place) : path.segments[0]!.name !== "rows"),
  );
}

/** Whether a step gives the same in whatever order the rows of another come. */
export function readsInAnyOrder({ references, operator, step }: JudgedStep, id: string): boolean {
  if (!references.some(({ path }) => path.step === id)) return true;
  return operator.declaration.readsInAnyOrder?.(argumentsOf(step).args as never) ?? false;
}

/** The columns of what a path names; their types come from the rows where no schema has them. */
async function columnsOf(answer: StepAnswer, path: ReferencePath): Promise<ColumnTable> {
  if (answer.columns !== null && isOfAllRows(path)) return answer.columns;
  const rows = valueAtPath(answer, path) as readonly JsonObject[];
  const types = tableTypes(typeAtPath(answer, path), rows) ?? {};
  const named = Object.entries(types).map(([name, type]) => ({ name, type: type === "null" ? "json" : type }) as const);
  return columnsOfRows(rows, named);
}

/** A parameter of select says by its form that it is an instant. */
function parameterOf(place: readonly (string | number)[], type: OutputType, value: JsonValue): JsonValue {
  if (place[0] !== "params" || value === null) return value;
  if (Array.isArray(value)) {
    const item = type.kind === "list" ? type.item : ANY;
    return value.map((member) => parameterOf(place, item, member));
  }
  const isTime = type.kind === "scalar" && isInstant(type.type);
  return isTime ? { us: parseInstant(value, pointer(place)) } : value;
}

/** Collects what the references of a step give. */
export async function inputsOf(judged: JudgedStep, answers: ReadonlyMap<string, StepAnswer>): Promise<StepInputs> {
  const { operator, step } = judged;
  const { args } = argumentsOf(step);
  const values = new Map<string, JsonValue>();
  const typed: TypedReference[] = [];
  const addresses: Record<string, JsonObject> = {};
  const tables = Object.create(null) as Record<string, ColumnTable>;
  let isIncomplete = false;
  let erased = 0;
  for (const { place, path } of judged.references) {
    const answer = answers.get(path.step)!;
    const isTable = isStepTable(judged, place);
    const inside = isOfAllRows(path) ? "rows" : printPath(path).slice(path.step.length + 1);
    if (isTable) {
      const table = await columnsOf(answer, path);
      tables[place.at(-1) as string] = table;
      values.set(pointer(place), addressOf(answer, inside));
    } else values.set(pointer(place), parameterOf(place, typeAtPath(answer, path), valueAtPath(answer, path)));
    isIncomplete ||= isPartial(answer, path);
    erased = Math.max(erased, answer.envelope.erased);
    const type = typeAtPath(answer, path);
    const [name] = place;
    const isWholeTable = place.length === 1 && operator.tables.includes(name as string);
    if (isWholeTable) addresses[name as string] = addressOf(answer, inside);
    typed.push({ place, type });
  }
  const resolved = withReferences(args, (_, place) => values.get(pointer(place))!) as JsonObject;
  const types = inputTypes(operator, args, typed) as Record<string, ColumnTypes>;
  for (const { place, type } of typed) {
    const name = place[0] as string;
    if (place.length !== 1) continue;
    if (type.kind === "any" && !operator.tables.includes(name)) delete types[name];
    else if (operator.tables.includes(name)) {
      const told = tableTypes(type, resolved[name] as JsonValue[]);
      if (told === undefined) delete types[name];
      else types[name] = told;
    }
  }
  for (const [name, { columns }] of Object.entries(tables)) {
    types[name] = Object.fromEntries(columns.map((column) => [column.name, column.column.type]));
  }
  return { args: resolved, upstream: { isIncomplete, erased, types, tables }, addresses };
}

const addressOf = (answer: StepAnswer, path: string): JsonObject => ({
  digest: answer.envelope.result_digest,
  path,
  ...(answer.judged.step.slice === null ? {} : { slice: answer.judged.step.slice as unknown as JsonValue }),
});
