// What a part of a statement gives to the rest: the rows of a step, or single fields of its envelope, with their types.
import type { Expr } from "../../../grammar/ast.js";
import type { OutputKind } from "../../contract/output-schemas.js";
import {
  BOOL,
  DOUBLE,
  DURATION,
  INSTANT,
  INSTANT_OPEN,
  INT,
  JSON_TYPE,
  STRING,
  type TqlType,
} from "../../relational/index.js";
import { nameOf } from "./syntax.js";

export interface RelationColumn {
  /** As the statement calls it. */
  readonly name: string;
  /** As the step calls it. */
  readonly from: string;
  readonly type: TqlType;
  /** What the step says of the column where that is less than is known of it. */
  readonly declared?: TqlType;
}

export interface Relation {
  /** The step, or one of its lists: `s1`, `s1.edges`. */
  readonly table: string;
  /** "fields": the columns are fields of the envelope, which stand for one row. */
  readonly kind: "rows" | "fields";
  readonly columns: readonly RelationColumn[];
  /** What a path can name beside `rows`. */
  readonly fields: ReadonlyMap<string, TqlType>;
  /** The further lists, with the columns of each. */
  readonly lists: ReadonlyMap<string, readonly RelationColumn[]>;
}

const TYPES: Readonly<Record<OutputKind, TqlType>> = {
  int: INT,
  double: DOUBLE,
  string: STRING,
  bool: BOOL,
  instant: INSTANT,
  instant_open: INSTANT_OPEN,
  duration: DURATION,
  json: JSON_TYPE,
};

export const typeOfKind = (kind: OutputKind): TqlType => TYPES[kind];

interface SchemaNode {
  readonly kind?: string;
  readonly anyOf?: readonly SchemaNode[];
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly list?: boolean;
}

/** A field that may be null has the type of what it else is; objects and arrays are JSON. */
export function typeOfSchema(schema: unknown): TqlType {
  const node = schema as SchemaNode;
  if (node.kind !== undefined && Object.hasOwn(TYPES, node.kind)) return TYPES[node.kind as OutputKind];
  const member = node.anyOf?.find(({ type }) => type !== "null");
  return member === undefined ? JSON_TYPE : typeOfSchema(member);
}

/** Of rows of one of several forms: the columns of all of them. */
export function columnsOfRow(row: unknown): RelationColumn[] {
  const { properties = {}, anyOf } = row as SchemaNode;
  const columns = new Map<string, RelationColumn>();
  for (const [name, schema] of Object.entries(properties)) {
    columns.set(name, { name, from: name, type: typeOfSchema(schema) });
  }
  for (const column of (anyOf ?? []).flatMap(columnsOfRow)) {
    if (!columns.has(column.name)) columns.set(column.name, column);
  }
  return [...columns.values()];
}

export function columnsOfRows(rows: unknown): RelationColumn[] {
  const { items } = (rows ?? {}) as SchemaNode;
  return items === undefined ? [] : columnsOfRow(items);
}

/** The row of a list of the answer, also of one that may be null. */
export function listRow(schema: unknown): unknown {
  const node = schema as SchemaNode;
  if (node.list === true) return node.properties?.rows?.items;
  const member = node.anyOf?.find(({ list }) => list === true);
  return member === undefined ? undefined : listRow(member);
}

const CASTS: Readonly<Record<string, string>> = { string: "STRING", int: "INT64", double: "DOUBLE", bool: "BOOL" };

/** The column with the type that is known of it. */
export function castColumn(expr: Expr, { type, declared }: RelationColumn): Expr {
  const name = CASTS[type.kind];
  if (declared === undefined || name === undefined) return expr;
  return { kind: "cast", try: false, of: expr, type: nameOf(name), list: false };
}
