// Values of Arrow data as JSON has them, one at a time: for the types that have no form of their own, and for members of
// lists.
import { type Data, type DataType, Type } from "apache-arrow";
import { formatDuration } from "../../contract/duration.js";
import { formatInstant } from "../../contract/instant.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import {
  dateReader,
  dateText,
  decimalReader,
  doubleReader,
  durationReader,
  inCalendar,
  inInt64,
  instantReader,
  intervalReader,
  isValidAt,
  safe,
  timeReader,
  Unfit,
  wordReader,
} from "./given-scalars.js";
import type { LocalTime } from "./given-types.js";

type ValueReader = (row: number) => JsonValue;

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new Unfit(Buffer.from(bytes).toString("latin1"), "is not UTF-8", "write the column as UTF-8");
  }
}

/** Bytes of a text, wherever its form keeps them. */
function textBytesReader(data: Data): (row: number) => Uint8Array {
  const values = data.values as unknown as Uint8Array;
  if (data.type.typeId !== Type.Utf8View) {
    const offsets = data.valueOffsets as unknown as Int32Array | BigInt64Array;
    return (row) => values.subarray(Number(offsets[row]), Number(offsets[row + 1]));
  }
  const views = new DataView(values.buffer, values.byteOffset, values.byteLength);
  return (row) => {
    const at = row * 16;
    const length = views.getInt32(at, true);
    if (length <= 12) return values.subarray(at + 4, at + 4 + length);
    const from = views.getInt32(at + 12, true);
    return data.variadicBuffers[views.getInt32(at + 8, true)]!.subarray(from, from + length);
  };
}

function listReader(data: Data, local: LocalTime): ValueReader {
  const [child] = data.children;
  const member = valueReader(child!, local);
  const offsets = data.valueOffsets as unknown as Int32Array | BigInt64Array | undefined;
  const { stride } = data;
  const ends = (row: number): readonly [number, number] =>
    offsets === undefined ? [row * stride, (row + 1) * stride] : [Number(offsets[row]), Number(offsets[row + 1])];
  return (row) => {
    const [from, to] = ends(row);
    return Array.from({ length: to - from }, (_, i) => member(from + i));
  };
}

function structReader(data: Data, local: LocalTime): ValueReader {
  const fields = (data.type as unknown as { children: readonly { name: string }[] }).children;
  const members = data.children.map((child, i) => [fields[i]!.name, valueReader(child, local)] as const);
  return (row) => {
    const object: JsonObject = {};
    for (const [name, member] of members) {
      if (Object.hasOwn(object, name)) throw new Unfit(name, "is a field that stands twice");
      setOwn(object, name, member(row));
    }
    return object;
  };
}

/** An object where keys are texts, else a list of pairs. */
function mapReader(data: Data, local: LocalTime): ValueReader {
  const [keys, values] = data.children[0]!.children.map((child) => valueReader(child, local));
  const offsets = data.valueOffsets as unknown as Int32Array;
  return (row) => {
    const pairs = Array.from({ length: offsets[row + 1]! - offsets[row]! }, (_, i) => {
      const at = offsets[row]! + i;
      return [keys!(at), values!(at)] as [JsonValue, JsonValue];
    });
    if (!pairs.every(([key]) => typeof key === "string")) return pairs;
    const object: JsonObject = {};
    for (const [key, value] of pairs as [string, JsonValue][]) {
      if (Object.hasOwn(object, key)) throw new Unfit(key, "is a key that stands twice in one map");
      setOwn(object, key, value);
    }
    return object;
  };
}

function rawReader(data: Data, local: LocalTime): ValueReader {
  const type = data.type as DataType;
  switch (type.typeId) {
    case Type.Null:
      return () => null;
    case Type.Int: {
      const word = wordReader(data);
      return (row) => safe(inInt64(word(row)));
    }
    case Type.Decimal: {
      const word = decimalReader(data);
      return (row) => safe(word(row));
    }
    case Type.Float:
      return doubleReader(data);
    case Type.Bool: {
      const bits = data.values as unknown as Uint8Array;
      return (row) => ((bits[(data.offset + row) >> 3]! >> ((data.offset + row) & 7)) & 1) === 1;
    }
    case Type.Date: {
      const midnight = dateReader(data);
      return (row) => dateText(inCalendar(midnight(row)));
    }
    case Type.Timestamp: {
      const instant = instantReader(data, local);
      return (row) => formatInstant(inCalendar(instant(row)));
    }
    case Type.Time:
      return timeReader(data);
    case Type.Duration: {
      const duration = durationReader(data);
      return (row) => formatDuration(duration(row));
    }
    case Type.Interval:
      return intervalReader(data);
    case Type.List:
    case Type.LargeList:
    case Type.FixedSizeList:
      return listReader(data, local);
    case Type.Struct:
      return structReader(data, local);
    case Type.Map:
      return mapReader(data, local);
    case Type.Dictionary:
      return dictionaryReader(data, local);
    default: {
      const bytes = textBytesReader(data);
      return (row) => decoded(bytes(row));
    }
  }
}

/** The part of a dictionary that a code is of, and its place there. */
export function placeIn(chunks: readonly Data[], code: number): readonly [Data, number] {
  let at = code;
  for (const chunk of chunks) {
    if (at < chunk.length) return [chunk, at];
    at -= chunk.length;
  }
  throw new Unfit(String(code), "is a code that the dictionary does not have");
}

function dictionaryReader(data: Data, local: LocalTime): ValueReader {
  const chunks = data.dictionary!.data;
  const readers = new Map(chunks.map((chunk) => [chunk, valueReader(chunk, local)]));
  const codes = data.values as unknown as Int32Array | BigInt64Array;
  return (row) => {
    const [chunk, at] = placeIn(chunks, Number(codes[row]));
    return readers.get(chunk)!(at);
  };
}

/** Reads a value as JSON has it: times as text, integers with every digit. Throws Unfit. */
export function valueReader(data: Data, local: LocalTime): ValueReader {
  const read = rawReader(data, local);
  return (row) => (isValidAt(data, row) ? read(row) : null);
}
