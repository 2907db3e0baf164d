// The keys of a GraphML file: which attribute a <data> is, its type, its default. Values are read exactly.
// Knows the format's types, nothing of elements.
import { INT64_MAX, INT64_MIN, type JsonValue } from "../../contract/values.js";
import { RefusedValue } from "../refusal.js";

export type KeyDomain = "node" | "edge" | "all" | "graph";

export interface Key {
  readonly id: string;
  readonly domain: KeyDomain;
  readonly name: string;
  readonly type: string;
  default: string | null;
}

const TYPES = ["boolean", "int", "long", "float", "double", "string"];
const DOMAINS: readonly string[] = ["node", "edge", "all", "graph"] satisfies KeyDomain[];
const WHOLE = /^[+-]?\d+$/;
const REAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INT_MAX = 2n ** 31n - 1n;

export function keyOf(attributes: Readonly<Record<string, string>>): Key {
  const { id, for: domain = "all", "attr.name": name, "attr.type": type = "string" } = attributes;
  if (id === undefined || id === "") throw new RefusedValue("a key has no id");
  if (!DOMAINS.includes(domain)) {
    throw new RefusedValue(`key ${JSON.stringify(id)} is for ${domain}, which is neither node nor edge`);
  }
  if (!TYPES.includes(type)) {
    throw new RefusedValue(
      `key ${JSON.stringify(id)} has the type ${JSON.stringify(type)}, none of ${TYPES.join(", ")}`,
    );
  }
  return { id, domain: domain as KeyDomain, name: name ?? id, type, default: null };
}

function whole(text: string, least: bigint, most: bigint, type: string): bigint | number {
  if (!WHOLE.test(text)) throw new RefusedValue(`${JSON.stringify(text)} is no ${type}`);
  const value = BigInt(text);
  if (value < least || value > most) throw new RefusedValue(`${text} is out of the range of ${type}`);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

function real(text: string, type: string): number {
  const value = Number(text);
  if (REAL.test(text) && Number.isFinite(value)) return value;
  throw new RefusedValue(`${JSON.stringify(text)} is no finite ${type}`);
}

/** The value of a text; spaces around anything but a string say nothing. */
export function readValue({ type }: Key, text: string): JsonValue {
  const bare = text.trim();
  switch (type) {
    case "boolean":
      if (/^(true|1)$/i.test(bare)) return true;
      if (/^(false|0)$/i.test(bare)) return false;
      throw new RefusedValue(`${JSON.stringify(text)} is neither true nor false`);
    case "int":
      return whole(bare, -INT_MAX - 1n, INT_MAX, type);
    case "long":
      return whole(bare, INT64_MIN, INT64_MAX, type);
    case "float":
    case "double":
      return real(bare, type);
    default:
      return text;
  }
}
