// The Arrow schema of a table by columns: one field a column, which says in its metadata what it holds here.
// FOREVER is null in a field of type `instant_open`, as it is in JSON.
import {
  Bool,
  type DataType,
  Dictionary,
  DurationMicrosecond,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  Schema,
  TimestampMicrosecond,
  Utf8,
} from "apache-arrow";
import type { ScalarType } from "../types.js";

/** Metadata of a field: our name of the type (`int`, `instant_open`, `list(string)`), and how its values are written. */
const TYPE_KEY = "palimpsest:type";
export const ENCODING_KEY = "palimpsest:encoding";

/** How texts are held: once each with a code a row, or one behind the other. */
export type TextForm = "dictionary" | "plain";

export interface ShapeColumn {
  readonly name: string;
  /** A scalar type, or a type of answers, whose values stand as JSON unless they are lists of texts. */
  readonly type: string;
  /** Numbers that no column of doubles holds: they stand as JSON. */
  readonly isWide?: boolean;
}

/** What a column is made into. */
export type Encoding = "words" | "doubles" | "bools" | "texts" | "json" | "text-lists";

export interface Shape {
  readonly schema: Schema;
  readonly encodings: readonly Encoding[];
}

const UTC = "UTC";

function wordType(type: string): DataType | undefined {
  switch (type as ScalarType) {
    case "int":
      return new Int64();
    case "instant":
    case "instant_open":
      return new TimestampMicrosecond(UTC);
    case "duration":
      return new DurationMicrosecond();
    default:
      return undefined;
  }
}

function encoded({ type, isWide }: ShapeColumn, texts: TextForm): readonly [Encoding, DataType] {
  const word = wordType(type);
  if (word !== undefined) return ["words", word];
  if (type === "double") return isWide === true ? ["json", new Utf8()] : ["doubles", new Float64()];
  if (type === "bool") return ["bools", new Bool()];
  if (type === "string") {
    return ["texts", texts === "plain" ? new Utf8() : new Dictionary(new Utf8(), new Int32())];
  }
  if (type === "list(string)") return ["text-lists", new List(new Field("item", new Utf8(), true))];
  return ["json", new Utf8()];
}

export function shapeOf(columns: readonly ShapeColumn[], texts: TextForm): Shape {
  const made = columns.map((column) => encoded(column, texts));
  const fields = columns.map(({ name, type }, i) => {
    const [encoding, arrowType] = made[i]!;
    const metadata = new Map([[TYPE_KEY, type]]);
    if (encoding === "json") metadata.set(ENCODING_KEY, "json");
    return new Field(name, arrowType, true, metadata);
  });
  return { schema: new Schema(fields), encodings: made.map(([encoding]) => encoding) };
}
