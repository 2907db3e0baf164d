// The question of aggregate_events as the native core reads it: native/core/kernels/aggregate/question.h.
// Takes resolved arguments only; judges nothing.

import { zoneOf } from "../../calendar/zones.js";
import { parseDuration } from "../../contract/duration.js";
import { PalimpsestError } from "../../contract/errors.js";
import { parseValidTo } from "../../contract/parse-instant.js";
import type { WindowArgument } from "../../contract/schemas.js";
import type { JsonObject } from "../../contract/values.js";
import { ByteWriter } from "../../native/byte-writer.js";
import {
  type Aggregate,
  type AggregateColumn,
  columnsOfCall,
  countedProperties,
  type Dimension,
} from "../aggregate-columns.js";
import { boundariesOf } from "../bucket-boundaries.js";
import { countOfWindow } from "../bucketed-window.js";
import { opNumber, writeOperand } from "./filter-buffer.js";
import { windowEnds } from "./question.js";

/** Orders are those of the enums in question.h and periods.h. */
const DIMENSIONS = ["bucket", "trunc", "calendar", "type", "node", "pair", "labels", "prop"];
const LOOKED_AT = ["", "at", "duration", "prop", "src", "dst", "other", "pair", "type", "either", "edge"];
const FUNCTIONS = [
  "count",
  "count_distinct",
  "min",
  "max",
  "sum",
  "mean",
  "median",
  "stddev",
  "percentile",
  "first",
  "last",
  "min_gap",
  "mean_gap",
  "max_gap",
  "max_in_span",
  "longest_session",
];
const UNITS = [
  "year",
  "quarter",
  "month",
  "week",
  "day",
  "hour",
  "minute",
  "second",
  "month_of_year",
  "day_of_month",
  "day_of_week",
  "hour_of_day",
];
const NEVER = 255;
const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;
const MOST_DECIMALS = 30;

interface Having {
  readonly column: string;
  readonly op: string;
  readonly value: unknown;
}
interface Ordering {
  readonly column: string;
  readonly desc: boolean;
  readonly nulls: "first" | "last";
}

/** Any stretch will do where a window has no buckets: then it has no events either. */
const NO_BUCKETS = BigInt64Array.of(LEAST, GREATEST);

/** The boundaries of each dimension of buckets, in their order; at once where there is none. */
export function bucketBoundaries(args: JsonObject): BigInt64Array[] | Promise<BigInt64Array[]> {
  const window = args.window as unknown as WindowArgument | null;
  const { from, to } = windowEnds(window);
  const made: Promise<BigInt64Array>[] = [];
  for (const dim of args.group_by as unknown as Dimension[]) {
    if (dim.dim !== "bucket") continue;
    const { stride, zone } = dim;
    const count = countOfWindow(stride, zone, window);
    if (count === 0) made.push(Promise.resolve(NO_BUCKETS));
    else made.push(boundariesOf({ stride, zone, fromUs: from!, toUs: to! }, 0, count).then(({ us }) => us));
  }
  return made.length === 0 ? [] : Promise.all(made);
}

function writeDimension(out: ByteWriter, dim: Dimension, boundaries: BigInt64Array): void {
  out.u8(DIMENSIONS.indexOf(dim.dim));
  const of = "role" in dim ? dim.role : "of" in dim ? dim.of : "";
  out.u8(LOOKED_AT.indexOf(of));
  out.u8("undirected" in dim && dim.undirected ? 1 : 0);
  const unit = "unit" in dim ? dim.unit : "year";
  out.u8(UNITS.indexOf(unit === "date" ? "day" : unit));
  out.text("prop" in dim ? dim.prop : "");
  const offsets = "unit" in dim ? zoneOf(dim.zone, "/zone").offsets() : [];
  out.u32(offsets.length);
  for (const { fromUs, offsetUs } of offsets) {
    out.i64(fromUs);
    out.i64(offsetUs);
  }
  out.u32(boundaries.length);
  out.i64s(boundaries);
}

/** p as the decimal that it is written as: digits and how many of them stand behind the point. */
function decimalOf(p: number): { numerator: bigint; decimals: number } {
  const [digits, exponent = "0"] = String(p).split("e") as [string, string?];
  const [whole, fraction = ""] = digits.split(".") as [string, string?];
  return { numerator: BigInt(whole + fraction), decimals: Math.min(fraction.length - Number(exponent), MOST_DECIMALS) };
}

function writeAggregate(out: ByteWriter, { fn, of, prop, p, span, gap }: Aggregate): void {
  const looked = prop !== undefined ? "prop" : of === "events" ? "" : (of ?? "").replace("distinct_", "");
  out.u8(FUNCTIONS.indexOf(fn));
  out.u8(LOOKED_AT.indexOf(looked));
  out.text(prop ?? "");
  const length = span ?? gap;
  out.i64(length === undefined ? 0n : parseDuration(length, "/aggregates"));
  const { numerator, decimals } = decimalOf(p ?? 0);
  out.i64(numerator);
  out.u32(decimals);
}

/** A value as a column of times compares it; undefined where it does not parse. */
function timeOf(compared: "instant" | "duration", value: unknown): bigint | undefined {
  try {
    return compared === "instant" ? parseValidTo(value, "/having") : parseDuration(value, "/having");
  } catch (error) {
    if (error instanceof PalimpsestError) return undefined;
    throw error;
  }
}

function operandsOf({ op, value }: Having, compared: AggregateColumn["compared"]): unknown[] | undefined {
  const isList = op === "in" || op === "between";
  const given = isList ? (value as unknown[]) : [value];
  if (compared === "plain") return given;
  const times = given.map((one) => timeOf(compared, one));
  if (op === "in") return times.filter((time) => time !== undefined);
  return times.includes(undefined) ? undefined : times;
}

function writeHaving(out: ByteWriter, having: Having, columns: readonly AggregateColumn[]): void {
  const position = columns.findIndex(({ name }) => name === having.column);
  const operands = operandsOf(having, columns[position]!.compared);
  out.u32(position);
  out.u8(operands === undefined ? NEVER : opNumber(having.op));
  out.u32(operands?.length ?? 0);
  for (const operand of operands ?? []) writeOperand(out, operand);
}

/** `boundaries` as `bucketBoundaries` gives them. */
export function encodeQuestion(args: JsonObject, boundaries: readonly BigInt64Array[]): Uint8Array {
  const out = new ByteWriter();
  const columns = columnsOfCall(args);
  const list = <T>(members: readonly T[], write: (member: T) => void): void => {
    out.u32(members.length);
    for (const member of members) write(member);
  };
  out.u8(args.pairs === "reciprocal" ? 1 : 0);
  const left = [...boundaries];
  list(args.group_by as unknown as Dimension[], (dim) =>
    writeDimension(out, dim, dim.dim === "bucket" ? left.shift()! : new BigInt64Array(0)),
  );
  list(args.aggregates as unknown as Aggregate[], (aggregate) => writeAggregate(out, aggregate));
  list([...countedProperties(args)], ([name, needsNumber]) => {
    out.text(name);
    out.u8(needsNumber ? 1 : 0);
  });
  list(args.having as unknown as Having[], (having) => writeHaving(out, having, columns));
  list(args.order_by as unknown as Ordering[], ({ column, desc, nulls }) => {
    out.u32(columns.findIndex(({ name }) => name === column));
    out.u8(desc ? 1 : 0);
    out.u8(nulls === "last" ? 1 : 0);
  });
  return out.finish();
}
