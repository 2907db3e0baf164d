// What a step gives, as types: the envelope's fields, their rows and cells, and where a path leads.
// Made from output schemas; computed columns come from the operator's own pure functions.
import type { TSchema } from "typebox";
import type { OutputKind } from "../contract/output-schemas.js";
import type { ColumnTypes } from "../operators/declaration.js";
import type { ValueType } from "../operators/expressions/types.js";
import type { ReferencePath } from "./references.js";

export interface ScalarOutput {
  readonly kind: "scalar";
  readonly type: ValueType;
  readonly isNullable: boolean;
  /** What a number counts. */
  readonly unit: string | null;
  /** The field that is the other end of the interval, the beginning first. */
  readonly pair: readonly [string, string] | null;
  /** The argument that the field repeats. */
  readonly echoes: string | null;
}
export interface ListOutput {
  readonly kind: "list";
  readonly item: OutputType;
}
export interface ObjectOutput {
  readonly kind: "object";
  readonly fields: Readonly<Record<string, OutputType>>;
  /** A further list with pages of its own; as a whole it is its rows. */
  readonly isPage: boolean;
}
/** Only known when the step has run, or a value inside JSON. */
export interface AnyOutput {
  readonly kind: "any";
}
export type OutputType = ScalarOutput | ListOutput | ObjectOutput | AnyOutput;

export const ANY: AnyOutput = { kind: "any" };
export const scalar = (type: ValueType, isNullable = false, unit: string | null = null): ScalarOutput => ({
  kind: "scalar",
  type,
  isNullable,
  unit,
  pair: null,
  echoes: null,
});

type Node = Record<string, unknown>;

function object(fields: readonly (readonly [string, OutputType])[], isPage = false): ObjectOutput {
  // A column may be called __proto__.
  const own = Object.create(null) as Record<string, OutputType>;
  for (const [name, type] of fields) own[name] = type;
  return { kind: "object", fields: own, isPage };
}

/** Rows of several forms, such as versions of nodes or of edges: what some form has may be null. */
function oneOfObjects(types: readonly OutputType[]): OutputType {
  if (!types.every((type) => type.kind === "object")) return ANY;
  const fields = new Map<string, OutputType>();
  for (const [name, type] of types.flatMap((each) => Object.entries(each.fields))) {
    fields.set(name, type.kind === "scalar" ? { ...type, isNullable: true } : type);
  }
  return object([...fields]);
}

/** The type that an output schema describes. */
export function outputType(schema: TSchema): OutputType {
  const node = schema as unknown as Node;
  if (Array.isArray(node.anyOf)) {
    const members = (node.anyOf as Node[]).filter(({ type }) => type !== "null");
    const types = members.map((member) => outputType(member as unknown as TSchema));
    const type = types.length === 1 ? types[0]! : oneOfObjects(types);
    return type.kind === "scalar" ? { ...type, isNullable: true } : type;
  }
  if (typeof node.kind === "string" && node.kind !== "json") {
    return {
      kind: "scalar",
      type: node.kind as OutputKind,
      isNullable: node.kind === "instant_open",
      unit: (node.unit as string | undefined) ?? null,
      pair: (node.pair as [string, string] | undefined) ?? null,
      echoes: (node.echoes as string | undefined) ?? null,
    };
  }
  if (node.type === "array") return { kind: "list", item: outputType(node.items as TSchema) };
  if (node.type === "object" && node.properties !== undefined) {
    const fields = Object.entries(node.properties as Record<string, TSchema>);
    const typed = fields.map(([name, field]) => [name, outputType(field)] as const);
    return object(typed, node.list === true);
  }
  return ANY;
}

/** Rows whose columns have these types. */
export const rowsOf = (columns: ColumnTypes): ListOutput => ({
  kind: "list",
  item: object(Object.entries(columns).map(([name, type]) => [name, columnOutput(type)] as const)),
});

/** A column of which nothing but null is known may be of any type. */
const columnOutput = (type: ValueType): OutputType => (type === "json" || type === "null" ? ANY : scalar(type, true));

/** The types of columns of rows, for whoever computes with them: lists and objects are JSON. */
export function columnTypes(rows: OutputType): ColumnTypes | undefined {
  const item = rows.kind === "list" ? rows.item : ANY;
  if (item.kind === "any") return undefined;
  if (item.kind !== "object") return { value: scalarType(item) };
  const types = Object.create(null) as Record<string, ValueType>;
  for (const [name, field] of Object.entries(item.fields)) types[name] = scalarType(field);
  return types;
}

/** The type of a cell: what has parts is JSON; "null", which goes with every type, where it is known only later. */
export function scalarType(type: OutputType): ValueType {
  if (type.kind === "scalar") return type.type;
  return type.kind === "any" ? "null" : "json";
}

const PIN = object([
  ["tx", scalar("int", false, "commits")],
  ["tx_time", scalar("instant", true)],
]);

/** The fields of an envelope that a path may name. */
export function envelopeType(fields: Readonly<Record<string, OutputType>>, hasPin: boolean): ObjectOutput {
  return object([
    ...Object.entries(fields),
    ["rows_total", scalar("int", true, "rows")] as const,
    ["complete", scalar("bool")] as const,
    ["erased", scalar("int", false, "erasures")] as const,
    ...(hasPin ? [["pin", PIN] as const] : []),
  ]);
}

type Followed =
  | { readonly kind: "type"; readonly type: OutputType }
  | {
      readonly kind: "wrong";
      readonly problem: "unknown_field" | "not_a_list" | "not_an_object";
      readonly message: string;
      readonly legal: readonly string[];
    };

const nameOf = (type: OutputType): string => {
  if (type.kind === "scalar") return type.type;
  if (type.kind === "list") return `list of ${nameOf(type.item)}`;
  return type.kind;
};

export const describeType = nameOf;

/** The legal fields with their types, as hints show them. */
export const legalFields = (type: ObjectOutput): string[] =>
  Object.entries(type.fields).map(([name, field]) => `${name}: ${nameOf(field)}`);

const pageRows = (type: OutputType): OutputType => (type.kind === "object" && type.isPage ? type.fields.rows! : type);

/**
 * The longest run of names from `from` on that is one field: a column may have dots in its name. A run ends at a name
 * with an index.
 */
export function fieldAt(
  has: (name: string) => boolean,
  { segments }: ReferencePath,
  from: number,
): { readonly name: string; readonly next: number } | undefined {
  let name = "";
  let found: { name: string; next: number } | undefined;
  for (let i = from; i < segments.length; i += 1) {
    name += (i === from ? "" : ".") + segments[i]!.name;
    if (has(name)) found = { name, next: i + 1 };
    if (segments[i]!.index !== null) break;
  }
  return found;
}

/** Where a path leads, from the envelope on. */
export function follow(envelope: ObjectOutput, path: ReferencePath): Followed {
  const { segments } = path;
  if (segments.length === 0) return { kind: "type", type: envelope.fields.rows ?? ANY };
  let type: OutputType = envelope;
  let isSpread = false;
  for (let i = 0; i < segments.length; ) {
    if (type.kind === "any") break;
    if (type.kind !== "object") {
      const message = `${JSON.stringify(segments[i]!.name)} is asked of ${nameOf(type)}`;
      return type.kind === "list"
        ? { kind: "wrong", problem: "not_an_object", message, legal: ["take one row with [0], or all with [*]"] }
        : { kind: "wrong", problem: "not_an_object", message, legal: [] };
    }
    const fields: ObjectOutput["fields"] = type.fields;
    const found = fieldAt((name) => Object.hasOwn(fields, name), path, i);
    if (found === undefined) {
      const message = `there is no field ${JSON.stringify(segments[i]!.name)}`;
      return { kind: "wrong", problem: "unknown_field", message, legal: legalFields(type) };
    }
    const { index } = segments[found.next - 1]!;
    type = fields[found.name]!;
    i = found.next;
    if (index === null) continue;
    const list = pageRows(type);
    if (list.kind === "any") type = ANY;
    else if (list.kind !== "list") {
      const message = `${JSON.stringify(found.name)} is ${nameOf(type)}, and no list`;
      return { kind: "wrong", problem: "not_a_list", message, legal: [] };
    } else type = list.item;
    if (index === "*") isSpread = true;
  }
  type = pageRows(type);
  return { kind: "type", type: isSpread ? { kind: "list", item: type } : type };
}
