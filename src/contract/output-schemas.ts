// The types of answers: one constructor per output type, and the row shapes that operators share.
// Marks: `unit` (what a number counts; "1" where it counts nothing, as a position), `echoes` (repeats an argument), `pair`
// (the two ends of one interval).
import { type TSchema, Type } from "typebox";
import { closed, nullable, setOf } from "./schemas.js";

export type OutputKind = "int" | "double" | "string" | "bool" | "instant" | "instant_open" | "duration" | "json";

export interface FieldMarks {
  readonly unit?: string;
  /** The argument, by its path, that the field repeats. */
  readonly echoes?: string;
  /** Names of the two fields that are the ends of one interval. */
  readonly pair?: readonly [string, string];
}

type Marks = FieldMarks & { readonly [mark: string]: unknown };

export const int = (description: string, unit: string, marks: Marks = {}) =>
  Type.Integer({ kind: "int", description, unit, ...marks });
export const double = (description: string, marks: Marks = {}) =>
  Type.Number({ kind: "double", description, ...marks });
export const text = (description: string, marks: Marks = {}) => Type.String({ kind: "string", description, ...marks });
export const bool = (description: string, marks: Marks = {}) => Type.Boolean({ kind: "bool", description, ...marks });
export const instant = (description: string, marks: Marks = {}) =>
  Type.String({ kind: "instant", description, ...marks });
/** An end: null is a value, for ever, above every instant. */
export const instantOpen = (description: string, marks: Marks = {}) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], kind: "instant_open", description, ...marks });
export const duration = (description: string, marks: Marks = {}) =>
  Type.String({ kind: "duration", description, ...marks });
export const json = (description: string, marks: Marks = {}) =>
  Type.Unsafe<unknown>({ kind: "json", description, ...marks });
export const oneOf = <const V extends string[]>(values: V, description: string, marks: Marks = {}) =>
  Type.Enum(values, { kind: "string", description, ...marks });
export const orNull = <S extends TSchema>(schema: S) => nullable(schema);

/** A secondary list: pages of its own beside `rows`. */
export const listOf = <S extends TSchema>(row: S, description: string) =>
  closed(
    {
      rows: Type.Array(row),
      rows_total: int("rows of the whole list", "rows"),
      truncated: bool("more rows follow"),
      cursor: nullable(text("where the next page begins")),
    },
    { list: true, description },
  );

const VALID_PAIR = ["valid_from", "valid_to"] as const;
const TX_PAIR = ["tx_from", "tx_to"] as const;

export const VALID_TIME = {
  valid_from: instant("when the fact began to hold", { pair: VALID_PAIR }),
  valid_to: instantOpen("when it stopped", { pair: VALID_PAIR }),
};
export const ENDED_BY = oneOf(["overwritten", "retracted", "corrected"], "how belief in the version ended");
/** What every shown version carries beside identity and content. */
export const VERSION_TIMES = {
  ...VALID_TIME,
  tx_from: instant("time of the commit that wrote the version", { pair: TX_PAIR }),
  tx_to: instantOpen("time of the commit that ended belief in it", { pair: TX_PAIR }),
  ended_by: orNull(ENDED_BY),
  ended_reason: orNull(text("reason given by the operation that ended it")),
  source: orNull(text("source given by the operation that wrote it")),
  provenance_ref: orNull(text("provenance reference of that operation")),
  reason: orNull(text("reason of that operation")),
};

export const LABELS = setOf(text("a label"), { kind: "json", description: "labels, sorted by code point" });
export const PROPS = json("properties by name");

export const EDGE_IDENTITY = {
  src: text("uid at the tail of the edge"),
  type: text("type of the edge"),
  dst: text("uid at its head"),
  key: text("key among parallel edges"),
};
export const EdgeSpan = closed({ ...EDGE_IDENTITY, ...VALID_TIME }, { title: "EdgeSpan" });
export const NodeVersion = closed(
  { uid: text("uid of the node"), labels: LABELS, props: PROPS, ...VERSION_TIMES },
  { title: "NodeVersion" },
);
export const EdgeVersion = closed({ ...EDGE_IDENTITY, props: PROPS, ...VERSION_TIMES }, { title: "EdgeVersion" });
