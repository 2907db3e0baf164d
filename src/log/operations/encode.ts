// Operations as the compact buffer that the core reads; its layout is native/core/store/op_buffer.h.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { ByteWriter } from "../../native/byte-writer.js";
import { isNodeRef, type RowOperation } from "./types.js";

const KINDS = { assert: 1, retract: 3, replace: 5, patch: 7 } as const; // + 1 for edges
const PROP = { int64: 0, double: 1, bool: 2, string: 3, json: 4, remove: 255 } as const;

function writeNumber(writer: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value)) {
    writer.u8(PROP.int64);
    writer.i64(BigInt(value));
  } else {
    writer.u8(PROP.double);
    writer.f64(value);
  }
}

function writeValue(writer: ByteWriter, value: JsonValue): void {
  switch (typeof value) {
    case "string":
      writer.u8(PROP.string);
      writer.text(value);
      break;
    case "boolean":
      writer.u8(PROP.bool);
      writer.u8(value ? 1 : 0);
      break;
    case "bigint":
      writer.u8(PROP.int64);
      writer.i64(value);
      break;
    case "number":
      writeNumber(writer, value);
      break;
    default:
      if (value === null) {
        writer.u8(PROP.remove);
      } else {
        writer.u8(PROP.json);
        writer.text(canonicalJson(value));
      }
  }
}

function writeProps(writer: ByteWriter, props: JsonObject): void {
  const names = Object.keys(props);
  writer.u32(names.length);
  for (const name of names) {
    writer.text(name);
    writeValue(writer, props[name]!);
  }
}

function writeLabels(writer: ByteWriter, labels: readonly string[]): void {
  writer.u32(labels.length);
  for (const label of labels) writer.text(label);
}

function writeOperation(writer: ByteWriter, operation: RowOperation): void {
  const { ref, period, by } = operation;
  const isNode = isNodeRef(ref);
  writer.u8(KINDS[operation.kind] + (isNode ? 0 : 1));
  if (isNode) writer.text(ref.uid);
  else {
    writer.text(ref.src);
    writer.text(ref.type);
    writer.text(ref.dst);
    writer.text(ref.key);
  }
  writer.i64(period.fromUs);
  writer.i64(period.toUs);
  writer.text(by.source);
  writer.text(by.provenanceRef);
  writer.text(by.reason);
  if (operation.kind === "retract") return;
  if (isNode) {
    if (operation.kind === "patch") {
      writeLabels(writer, operation.addLabels);
      writeLabels(writer, operation.removeLabels);
    } else writeLabels(writer, operation.labels ?? []);
  }
  writeProps(writer, operation.props);
}

/** Encodes operations one after the other; `take` closes the buffer with their count. */
export class OperationEncoder {
  private readonly writer = new ByteWriter();
  count = 0;

  constructor() {
    this.writer.u32(0);
  }
  add(operation: RowOperation): void {
    writeOperation(this.writer, operation);
    this.count += 1;
  }
  take(): Uint8Array {
    const bytes = this.writer.finish();
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, this.count, true);
    return bytes;
  }
}
