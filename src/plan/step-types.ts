// The types of a step's inputs and of its answer, from its declaration, its arguments and what its references give.
// The verifier asks before anything runs, the executor when the answers of earlier steps are there.
import type { TSchema } from "typebox";
import type { AnyEnvelope } from "../contract/envelope.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { ColumnTypes, OperatorDeclaration, PropertyReader } from "../operators/declaration.js";
import { mixed, typeOfValue, type ValueType } from "../operators/expressions/types.js";
import type { Operator } from "../operators/registry.js";
import {
  ANY,
  columnTypes,
  envelopeType,
  type ObjectOutput,
  type OutputType,
  outputType,
  rowsOf,
  scalar,
  scalarType,
} from "./output-types.js";
import { isReference } from "./references.js";

/** A reference and the type of what it gives. */
export interface TypedReference {
  readonly place: readonly (string | number)[];
  readonly type: OutputType;
}

/** Types by argument, as operators without a pin take them (`Upstream`). */
type InputTypes = Readonly<Record<string, ColumnTypes>>;

function together(types: readonly ValueType[]): ValueType | undefined {
  let all: ValueType | undefined = "null";
  for (const type of types) all = all === undefined ? undefined : mixed(all, type);
  return all;
}

/** The types of inputs that are references; of an inline list whose elements all are, under the name `value`. */
export function inputTypes(operator: Operator, args: JsonObject, references: readonly TypedReference[]): InputTypes {
  // Tables of select have names of the caller, such as constructor.
  const types = Object.create(null) as Record<string, ColumnTypes>;
  const elements = new Map<string, ValueType[]>();
  for (const { place, type } of references) {
    const [name, key] = place;
    if (typeof name !== "string") continue;
    if (place.length === 1) {
      const told = operator.tables.includes(name) ? columnTypes(type) : { value: scalarType(type) };
      if (told !== undefined) types[name] = told;
    } else if (place.length === 2 && name === "tables" && typeof key === "string") {
      // A table of select, by its name.
      const told = columnTypes(type);
      if (told !== undefined) types[key] = told;
    } else if (place.length === 2 && operator.tables.includes(name)) {
      elements.set(name, [...(elements.get(name) ?? []), scalarType(type)]);
    }
  }
  for (const [name, found] of elements) {
    const all = found.length === (args[name] as unknown[]).length ? together(found) : undefined;
    if (all !== undefined && all !== "null") types[name] = { value: all };
  }
  return types;
}

/** A row of a table that is no scalar; a reference stands for a scalar. */
const isRow = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isReference(value);

/** The types of a table that is written out, as the call will find them; what the caller says of texts goes first. */
function inlineTypes(rows: readonly JsonValue[], told: ColumnTypes): ColumnTypes {
  const types = Object.create(null) as Record<string, ValueType>;
  const take = (column: string, value: JsonValue): void => {
    const type = isReference(value) ? "null" : typeOfValue(value);
    types[column] = mixed(types[column] ?? "null", type) ?? "json";
  };
  for (const row of rows) {
    if (!isRow(row)) take("value", row);
    else for (const [column, value] of Object.entries(row)) take(column, value);
  }
  for (const [column, type] of Object.entries(told)) if (Object.hasOwn(types, column)) types[column] = type;
  return types;
}

/** The types of all tables of a call: those that are told, and those of tables that are written out. */
function withInlineTypes(operator: Operator, args: JsonObject, inputs: InputTypes): InputTypes {
  const types: Record<string, ColumnTypes> = Object.assign(Object.create(null), inputs);
  for (const name of operator.tables) {
    const rows = args[name];
    if (types[name] !== undefined || !Array.isArray(rows) || rows.length === 0) continue;
    types[name] = inlineTypes(rows, (args.types ?? {}) as ColumnTypes);
  }
  return types;
}

const declared = new WeakMap<OperatorDeclaration, Readonly<Record<string, OutputType>>>();

function declaredFields(declaration: OperatorDeclaration): Readonly<Record<string, OutputType>> {
  let fields = declared.get(declaration);
  if (fields === undefined) {
    const entries = Object.entries(declaration.output.properties as Record<string, TSchema>);
    fields = Object.fromEntries(entries.map(([name, schema]) => [name, outputType(schema)]));
    declared.set(declaration, fields);
  }
  return fields;
}

/** The envelope of a call with these canonical arguments; throws what the operator finds wrong with the types. */
export function answerType(
  operator: Operator,
  args: JsonObject,
  inputs: InputTypes,
  properties?: PropertyReader,
): ObjectOutput {
  const { declaration } = operator;
  const { rows, value, value_type, ...others } = declaredFields(declaration);
  const hasPin = declaration.pins !== null;
  if (declaration.answerTypes !== undefined) {
    const { kind, columns } = declaration.answerTypes(
      args as never,
      withInlineTypes(operator, args, inputs),
      properties,
    );
    const own: Record<string, OutputType> =
      kind === "table" ? { rows: rowsOf(columns) } : { value: cell(columns.value!), value_type: value_type ?? ANY };
    return envelopeType({ ...others, ...own }, hasPin);
  }
  const schema = declaration.rowSchema?.(args as never, {});
  const typed: OutputType = schema === undefined ? (rows ?? ANY) : { kind: "list", item: outputType(schema) };
  return envelopeType({ ...others, rows: typed, ...(value === undefined ? {} : { value }) }, hasPin);
}

/** The envelope that a call gave: columns whose types the data decided are known by now. */
export function answeredType(
  operator: Operator,
  args: JsonObject,
  inputs: InputTypes,
  envelope: AnyEnvelope,
): ObjectOutput {
  const type = answerType(operator, args, inputs);
  const { columns, value_type: valueType } = envelope as { columns?: unknown; value_type?: unknown };
  if (Array.isArray(columns) && operator.declaration.answerTypes !== undefined) {
    const typed = (columns as { name: string; type: ValueType }[]).map(({ name, type: of }) => [name, of] as const);
    return withField(type, "rows", rowsOf(Object.fromEntries(typed)));
  }
  return typeof valueType === "string" ? withField(type, "value", cell(valueType as ValueType)) : type;
}

function withField(type: ObjectOutput, name: string, field: OutputType): ObjectOutput {
  return { ...type, fields: { ...type.fields, [name]: field } };
}

const cell = (type: ValueType): OutputType => (type === "json" || type === "null" ? ANY : scalar(type, true));
