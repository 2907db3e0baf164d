// What a column of an answer may hold in JavaScript, by the text of its expression: columns of the one base table that is
// read, literals, calls of the closed list, casts and sums. Types only. Of anything else it is any value, as of properties.
import type { JsonValue } from "../../contract/values.js";
import type { PlainName, Trimmed } from "./text-types.js";

/** A bigint where no number holds the integer. */
type Int = number | bigint;

interface VersionColumns {
  valid_from: string;
  valid_to: string | null;
  tx_from: string;
  tx_to: string | null;
  tx: Int;
  ended_by: string | null;
  ended_reason: string | null;
  reason: string | null;
  source: string | null;
  provenance_ref: string | null;
}
interface Identity {
  src: string;
  type: string;
  dst: string;
  key: string;
  seq: Int;
}
interface EventColumns extends Identity {
  at: string;
  duration: string | null;
}
/** The columns of src/operators/scan-columns.ts, by the tables that TQL has. */
interface BaseTables {
  nodes: VersionColumns & { uid: string; labels: string[] };
  edges: VersionColumns & Identity;
  events: EventColumns;
  endpoints: EventColumns & { uid: string; other: string; role: string };
}

// ---------------------------------------------------------------- the table

/** Words after which a column of the first table may be NULL, or another table's; and comments, which may hide commas. */
type Joined = "join" | "union" | "except" | "intersect" | "--" | "/*";
type Until<T extends string, Stop extends string> = T extends `${infer Head}${Stop}${string}` ? Head : T;
/** The sources of FROM: what stands before the next clause. */
type Sources<T extends string> = Until<
  Until<Until<Until<Until<Until<T, " where ">, " group ">, " having ">, " qualify ">, " order ">,
  " limit "
>;

/** The types of the columns of the one base table that a statement reads; none where it reads anything else. */
export type ColumnsOf<Line extends string> =
  Lowercase<Line> extends `${string} from ${infer Rest}`
    ? Rest extends `${string}${Joined}${string}`
      ? unknown
      : Sources<Rest> extends `${infer Name}(${string})${infer Alias}`
        ? Alias extends `${string},${string}`
          ? unknown
          : Trimmed<Name> extends keyof BaseTables
            ? BaseTables[Trimmed<Name>]
            : unknown
        : unknown
    : unknown;

// ---------------------------------------------------------------- expressions

/** The column that a path names: `src` or `e.src`. */
type ColumnName<Path extends string> = Path extends `${infer Table}.${infer Name}`
  ? [PlainName<Table>] extends [never]
    ? never
    : PlainName<Name>
  : PlainName<Path>;

type Constants = { TRUE: boolean; FALSE: boolean; NULL: null };

export type ValueOf<Text extends string, Columns> =
  Uppercase<Text> extends keyof Constants
    ? Constants[Uppercase<Text>]
    : Text extends `${bigint}`
      ? Int
      : Text extends `${number}`
        ? number
        : [ColumnName<Text>] extends [never]
          ? Computed<Text, Columns>
          : ColumnName<Text> extends keyof Columns
            ? Columns[ColumnName<Text>]
            : JsonValue;

type Computed<Text extends string, Columns> = Text extends `${infer Name}(${infer Args})`
  ? Args extends `${string}${"(" | ")"}${string}`
    ? JsonValue
    : Call<Uppercase<Name>, Trimmed<Args>, Columns>
  : Arithmetic<Text, Columns>;

type IsNumber<Value> = [Value] extends [Int | null] ? true : false;

/** Numbers give numbers; what else can be added or subtracted are times. */
type Arithmetic<
  Text extends string,
  Columns,
> = Text extends `${infer Left} ${"+" | "-" | "*" | "/" | "%"} ${infer Right}`
  ? IsNumber<ValueOf<Trimmed<Left>, Columns>> extends true
    ? IsNumber<ValueOf<Trimmed<Right>, Columns>> extends true
      ? Int | null
      : JsonValue
    : JsonValue
  : JsonValue;

type CastTypes = { INT64: Int; DOUBLE: number; STRING: string; BOOL: boolean; INSTANT: string; DURATION: string };
type Cast<Args extends string> =
  Uppercase<Args> extends `${string} AS ${infer Type}`
    ? Trimmed<Type> extends keyof CastTypes
      ? CastTypes[Trimmed<Type>] | null
      : JsonValue
    : JsonValue;

/** Functions whose result has one type, whatever they are given. */
type Results = Record<"COUNT", Int> &
  Record<"LENGTH" | "SIGN" | "DATE_PART" | "EPOCH_MICROS" | "MAX_IN_SPAN" | "FLOOR" | "CEIL" | "ROUND", Int | null> &
  Record<"DIV" | "MOD", Int | null> &
  Record<"SQRT" | "POWER" | "SECONDS" | "MINUTES" | "HOURS" | "DAYS" | "STDDEV_POP" | "STDDEV_SAMP", number | null> &
  Record<"LOWER" | "UPPER" | "TRIM" | "LTRIM" | "RTRIM" | "SUBSTRING" | "REPLACE" | "LPAD" | "RPAD", string | null> &
  Record<"CONCAT" | "STRING_AGG" | "DAY_NAME" | "MONTH_NAME" | "FORMAT_TIME" | "ALLEN" | "ID", string | null> &
  Record<"DATE_TRUNC" | "BUCKET" | "PERIOD_FROM" | "PERIOD_TO" | "WIDTH", string | null> &
  Record<"MIN_GAP" | "MEAN_GAP" | "MAX_GAP" | "LONGEST_SESSION", string | null> &
  Record<"BOOL_AND" | "BOOL_OR" | "LIST_CONTAINS", boolean | null> &
  Record<"SPLIT", string[] | null>;

type Undistinct<Args extends string> =
  Uppercase<Args> extends `DISTINCT ${string}` ? (Args extends `${string} ${infer Of}` ? Trimmed<Of> : Args) : Args;

type Call<Name extends string, Args extends string, Columns> = Name extends keyof Results
  ? Results[Name]
  : Name extends "CAST" | "TRY_CAST"
    ? Cast<Args>
    : Name extends "MIN" | "MAX"
      ? ValueOf<Undistinct<Args>, Columns> | null
      : Name extends "SUM" | "ABS"
        ? IsNumber<ValueOf<Undistinct<Args>, Columns>> extends true
          ? Int | null
          : Int | string | null
        : Name extends "AVG" | "MEDIAN"
          ? IsNumber<ValueOf<Undistinct<Args>, Columns>> extends true
            ? number | null
            : number | string | null
          : JsonValue;
