// The native core without log or files as a store of the conformance suites: JSON operations go straight into the stage.
// Its own small encoder of the operation buffer, so that kernels are tested apart from what writes batches.
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { OPEN_END_US } from "../../src/contract/instant.js";
import { parseInstant, parseValidTo } from "../../src/contract/parse-instant.js";
import { normaliseNumber } from "../../src/contract/values.js";
import { addon } from "../../src/native/addon.js";
import { ByteWriter } from "../../src/native/byte-writer.js";
import { fromNative } from "../../src/native/errors.js";
import type { NativeCore, NativeProperty, NativeTextColumn } from "../../src/native/store.js";
import { storeDigest } from "../../src/operators/native/digest.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import type { CaseStore } from "../conformance/cases.js";

type Fields = Record<string, unknown>;
type Scalar = { readonly kind: number; readonly value: unknown };

const KINDS = { int64: 0, double: 1, bool: 2, string: 3, json: 4 } as const;
const REMOVE = 255;
const textOf = (value: unknown): string | null => (value === undefined || value === null ? null : String(value));

function scalarOf(value: unknown): Scalar {
  if (typeof value === "string") return { kind: KINDS.string, value };
  if (typeof value === "boolean") return { kind: KINDS.bool, value };
  if (typeof value !== "number" && typeof value !== "bigint") return { kind: KINDS.json, value: canonicalJson(value) };
  const number = normaliseNumber(value, "value");
  const isInteger = typeof number === "bigint" || Number.isSafeInteger(number);
  return { kind: isInteger ? KINDS.int64 : KINDS.double, value: number };
}

function writeScalar(out: ByteWriter, { kind, value }: Scalar): void {
  out.u8(kind);
  if (kind === KINDS.int64) out.i64(BigInt(value as number));
  else if (kind === KINDS.double) out.f64(value as number);
  else if (kind === KINDS.bool) out.u8(value === true ? 1 : 0);
  else out.text(value as string);
}

function writeProps(out: ByteWriter, props: unknown, isPatch: boolean): void {
  const entries = Object.entries((props ?? {}) as Fields).filter(([, value]) => isPatch || value !== null);
  out.u32(entries.length);
  for (const [name, value] of entries) {
    out.text(name);
    if (value === null) out.u8(REMOVE);
    else writeScalar(out, scalarOf(value));
  }
}

/** OpKind of native/core/store/op_buffer.h. */
function opKind(op: Fields, isNode: boolean): number {
  if (op.op === "assert_node") return 1;
  if (op.op === "assert_edge") return 2;
  if (op.op === "retract") return isNode ? 3 : 4;
  return op.mode === "patch" ? (isNode ? 7 : 8) : isNode ? 5 : 6;
}

function writeOperation(out: ByteWriter, op: Fields): void {
  const named = (op.ref ?? op) as Fields;
  const isNode = named.uid !== undefined;
  const kind = opKind(op, isNode);
  out.u8(kind);
  for (const part of isNode ? ["uid"] : ["src", "type", "dst", "key"]) out.text(String(named[part] ?? ""));
  out.i64(parseInstant(op.valid_from as string, "valid_from"));
  const validTo = op.valid_to as string | null | undefined;
  out.i64(validTo === null || validTo === undefined ? OPEN_END_US : parseValidTo(validTo, "valid_to"));
  for (const field of ["source", "provenance_ref", "reason"]) out.text(textOf(op[field]));
  if (op.op === "retract") return;
  const isPatch = op.mode === "patch";
  if (isNode && isPatch) {
    out.texts((op.add_labels ?? []) as string[]);
    out.texts((op.remove_labels ?? []) as string[]);
  } else if (isNode) {
    out.texts([...new Set((op.labels ?? []) as string[])]);
  }
  writeProps(out, op.props, isPatch);
}

function textColumn(texts: readonly (string | null)[]): NativeTextColumn {
  const parts = texts.map((text) => Buffer.from(text ?? "", "utf8"));
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [i, part] of parts.entries()) {
    end += part.length;
    ends[i] = end;
  }
  return { bytes: Buffer.concat(parts), ends, present: Uint8Array.from(texts, (text) => (text === null ? 0 : 1)) };
}

function propertyColumns(rows: readonly Fields[]): NativeProperty[] {
  const columns = new Map<string, { name: string; kind: number; values: unknown[] }>();
  for (const [row, props] of rows.entries()) {
    for (const [name, value] of Object.entries(props)) {
      if (value === null) continue;
      const { kind, value: stored } = scalarOf(value);
      const id = `${kind} ${name}`;
      if (!columns.has(id)) columns.set(id, { name, kind, values: new Array(rows.length).fill(null) });
      columns.get(id)!.values[row] = stored;
    }
  }
  return [...columns.values()].map(({ name, kind, values }) => {
    const present = Uint8Array.from(values, (value) => (value === null ? 0 : 1));
    if (kind === KINDS.int64) {
      return { name, kind, present, values: BigInt64Array.from(values, (value) => BigInt((value ?? 0) as number)) };
    }
    if (kind === KINDS.double)
      return { name, kind, present, values: Float64Array.from(values, (value) => Number(value ?? 0)) };
    if (kind === KINDS.bool)
      return { name, kind, present, values: Uint8Array.from(values, (value) => (value === true ? 1 : 0)) };
    return { name, kind, present, values: textColumn(values as (string | null)[]) };
  });
}

async function stageEvents(core: NativeCore, op: Fields): Promise<void> {
  const src = op.src as string[];
  const column = (values: unknown): (string | null)[] =>
    Array.isArray(values) ? (values as (string | null)[]) : new Array(src.length).fill(values ?? null);
  const validTo = op.valid_to as (string | null)[] | null | undefined;
  const props = (op.props ?? []) as (Fields | null)[];
  const columns = {
    rowCount: src.length,
    src: textColumn(src),
    dst: textColumn(op.dst as string[]),
    type: textColumn(column(op.type)),
    key: op.key === undefined || op.key === null ? null : textColumn(column(op.key)),
    time: BigInt64Array.from(op.time as string[], (time) => parseInstant(time, "time")),
    validTo:
      validTo === null || validTo === undefined
        ? null
        : BigInt64Array.from(validTo, (end) => (end === null ? OPEN_END_US : parseValidTo(end, "valid_to"))),
    props: propertyColumns(src.map((_, row) => props[row] ?? {})),
  };
  const header = {
    nodeLabels: (op.node_labels ?? []) as string[],
    source: textOf(op.source),
    provenanceRef: textOf(op.provenance_ref),
    reason: textOf(op.reason),
  };
  await core.checkEvents(columns);
  await core.stageEvents(header, columns);
}

/** Stages, seals and publishes one batch; a failure leaves the core as it was. */
export async function writeToCore(core: NativeCore, ops: readonly Fields[], txTimeUs: bigint): Promise<number> {
  try {
    for (const [position, op] of ops.entries()) {
      if (op.op === "ingest_events") {
        await stageEvents(core, op);
        continue;
      }
      const out = new ByteWriter();
      out.u32(1);
      writeOperation(out, op);
      await core.stageOps(out.finish(), position);
    }
    await core.seal(txTimeUs);
  } catch (error) {
    core.abort();
    throw error instanceof PalimpsestError ? error : fromNative(error, "operation");
  }
  core.publish(new Uint8Array(32));
  return core.publishedTx;
}

export function nativeEngineOf(core: NativeCore): NativeEngine {
  const resolveInstant = (us: bigint) => {
    const view = core.view(null);
    try {
      return { tx: view.txAt(us), notices: [] };
    } finally {
      view.release();
    }
  };
  return new NativeEngine({ core, resolveInstant });
}

export function coreCaseStore(): CaseStore {
  const core = addon.openCore(null);
  core.acquireWriter();
  return {
    engine: nativeEngineOf(core),
    judgesBatches: false,
    write: async (ops, txTime) => ({ tx: await writeToCore(core, ops, parseInstant(txTime, "txTime")) }),
    digest: async () => {
      const view = core.view(null);
      try {
        return await storeDigest(view);
      } finally {
        view.release();
      }
    },
    close: async () => core.close(),
  };
}
