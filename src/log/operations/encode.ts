// Operations as the compact buffer that the core reads; its layout is native/core/store/op_buffer.h.
import { canonicalJson } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { isNodeRef, type RowOperation } from "./types.js";

const KINDS = { assert: 1, retract: 3, replace: 5, patch: 7 } as const; // + 1 for edges
const NO_TEXT = 0xffff_ffff;
const PROP = { int64: 0, double: 1, bool: 2, string: 3, json: 4, remove: 255 } as const;

class Writer {
  private bytes = Buffer.allocUnsafeSlow(4096);
  private used = 0;

  private room(byteCount: number): number {
    const at = this.used;
    if (at + byteCount > this.bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(at + byteCount, this.bytes.length * 2));
      this.bytes.copy(larger, 0, 0, at);
      this.bytes = larger;
    }
    this.used = at + byteCount;
    return at;
  }
  u8(value: number): void {
    const at = this.room(1);
    this.bytes[at] = value;
  }
  u32(value: number): void {
    const at = this.room(4);
    this.bytes.writeUInt32LE(value, at);
  }
  i64(value: bigint): void {
    const at = this.room(8);
    this.bytes.writeBigInt64LE(value, at);
  }
  f64(value: number): void {
    const at = this.room(8);
    this.bytes.writeDoubleLE(value, at);
  }
  text(text: string | undefined): void {
    if (text === undefined) {
      this.u32(NO_TEXT);
      return;
    }
    const at = this.room(4 + text.length * 3);
    const length = this.bytes.write(text, at + 4, "utf8");
    this.bytes.writeUInt32LE(length, at);
    this.used = at + 4 + length;
  }
  take(): Uint8Array {
    return this.bytes.subarray(0, this.used);
  }
}

function writeNumber(writer: Writer, value: number): void {
  if (Number.isSafeInteger(value)) {
    writer.u8(PROP.int64);
    writer.i64(BigInt(value));
  } else {
    writer.u8(PROP.double);
    writer.f64(value);
  }
}

function writeValue(writer: Writer, value: JsonValue): void {
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

function writeProps(writer: Writer, props: JsonObject): void {
  const names = Object.keys(props);
  writer.u32(names.length);
  for (const name of names) {
    writer.text(name);
    writeValue(writer, props[name]!);
  }
}

function writeLabels(writer: Writer, labels: readonly string[]): void {
  writer.u32(labels.length);
  for (const label of labels) writer.text(label);
}

function writeOperation(writer: Writer, operation: RowOperation): void {
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
  private readonly writer = new Writer();
  count = 0;

  constructor() {
    this.writer.u32(0);
  }
  add(operation: RowOperation): void {
    writeOperation(this.writer, operation);
    this.count += 1;
  }
  take(): Uint8Array {
    const bytes = this.writer.take();
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(0, this.count, true);
    return bytes;
  }
}
