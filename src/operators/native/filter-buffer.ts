// `where` as the native filter reads it: the form is described in native/core/kernels/filter/filter.h.
// Takes resolved arguments only; judges nothing.
import { canonicalJson, canonicalString } from "../../contract/canonical.js";
import type { NodeFilterArgument, Pred, WhereArgument } from "../../contract/schemas.js";
import { ByteWriter } from "../../native/byte-writer.js";

/** Order is that of PredOp in native/core/kernels/filter/predicate.h. */
const OPS = [
  "any",
  "not",
  "eq",
  "ne",
  "lt",
  "le",
  "gt",
  "ge",
  "in",
  "between",
  "contains",
  "starts_with",
  "ends_with",
  "is_null",
  "not_null",
] as const;
const OP_NUMBERS: ReadonlyMap<string, number> = new Map(OPS.map((op, number) => [op, number]));

/** PropKind of native/core/base/types.h, and null. */
const INT64 = 0;
const DOUBLE = 1;
const BOOL = 2;
const STRING = 3;
const JSON_VALUE = 4;
const NULL = 5;

const TRIVIAL = new Uint8Array(0);

export const opNumber = (op: string): number => OP_NUMBERS.get(op)!;

/** A value that is compared with: its class and itself. */
export function writeOperand(out: ByteWriter, value: unknown): void {
  if (typeof value === "number" || typeof value === "bigint") {
    const isInteger = typeof value === "bigint" || Number.isSafeInteger(value);
    out.u8(isInteger ? INT64 : DOUBLE);
    if (isInteger) out.i64(BigInt(value));
    else out.f64(value as number);
  } else if (typeof value === "boolean") {
    out.u8(BOOL);
    out.u8(value ? 1 : 0);
  } else if (typeof value === "string") {
    out.u8(STRING);
    out.text(value);
    out.text(canonicalString(value));
  } else if (value === null || value === undefined) {
    out.u8(NULL);
  } else {
    out.u8(JSON_VALUE);
    out.text(canonicalJson(value));
  }
}

function operandsOf(pred: Extract<Pred, { prop: string }>): readonly unknown[] {
  if (!("value" in pred)) return [];
  return pred.op === "in" || pred.op === "between" ? (pred.value as readonly unknown[]) : [pred.value];
}

function writePredicate(out: ByteWriter, pred: Pred): void {
  if ("any" in pred) {
    out.u8(opNumber("any"));
    writePredicates(out, pred.any);
    return;
  }
  if ("not" in pred) {
    out.u8(opNumber("not"));
    writePredicate(out, pred.not);
    return;
  }
  out.u8(opNumber(pred.op));
  out.text(pred.prop);
  const operands = operandsOf(pred);
  out.u32(operands.length);
  for (const operand of operands) writeOperand(out, operand);
}

function writePredicates(out: ByteWriter, preds: readonly Pred[]): void {
  out.u32(preds.length);
  for (const pred of preds) writePredicate(out, pred);
}

function writeNodeFilter(out: ByteWriter, filter: NodeFilterArgument | null): void {
  if (filter === null) {
    out.u8(0);
    return;
  }
  out.u8(1);
  out.texts(filter.uids);
  out.texts(filter.labels);
  out.texts(filter.any_labels);
  writePredicates(out, filter.props as readonly Pred[]);
}

/** The filter's buffer; parts that are left out do not restrict. An empty buffer passes everything. */
export function encodeWhere(where: Partial<WhereArgument>): Uint8Array {
  const { types = null, keys = null, edge = [], src = null, dst = null, node = null } = where;
  if (types === null && keys === null && edge.length === 0 && src === null && dst === null && node === null) {
    return TRIVIAL;
  }
  const out = new ByteWriter();
  out.texts(types);
  out.texts(keys);
  writePredicates(out, edge as readonly Pred[]);
  writeNodeFilter(out, src);
  writeNodeFilter(out, dst);
  writeNodeFilter(out, node);
  return out.finish();
}
