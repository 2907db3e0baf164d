// Where a path leads in a stored result, walked over the value and its type side by side.
// Pure: a walk ends at a place or tells that there is none.
import type { EvidenceStep } from "../../../src/agent/claims/evidence.js";
import type { JsonValue } from "../../../src/contract/values.js";
import { ANY, fieldAt, follow, type OutputType } from "../../../src/plan/output-types.js";
import { parsePath, type ReferencePath } from "../../../src/plan/references.js";

/** Fields of an envelope that say how an answer was asked for and kept, not what it is. */
export const ABOUT_THE_CALL: ReadonlySet<string> = new Set([
  "op",
  "args",
  "pin",
  "pins",
  "result_digest",
  "cursor",
  "truncated",
  "complete",
  "incomplete",
  "erased",
  "columns",
  "notices",
]);

export interface Place {
  readonly step: string;
  /** Names from the envelope on, positions among them. */
  readonly keys: readonly (string | number)[];
  readonly type: OutputType;
  readonly value: JsonValue;
}

export interface Spot {
  readonly path: ReferencePath;
  /** One place; with `[*]` one for each element. */
  readonly places: readonly Place[];
  readonly isSpread: boolean;
  /** What the schema says of the end of the path. */
  readonly type: OutputType;
}

const isObject = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Nothing where a text is no path. */
export const pathOf = (text: string): ReferencePath | undefined => {
  const parsed = parsePath(text);
  return parsed.kind === "path" ? parsed.path : undefined;
};

export const isMention = (text: string): boolean => /^q[1-9][0-9]{0,2}$/.test(text);

/** The rows that a step hands on: all, or its slice. */
export function heldRows({ step, result }: EvidenceStep): readonly JsonValue[] | null {
  const rows = (result?.envelope.rows ?? null) as readonly JsonValue[] | null;
  if (rows === null || step.slice === undefined) return rows;
  const [offset, count] = step.slice;
  return rows.slice(offset, count === null ? undefined : offset + count);
}

/** A list, or the rows of a further list; nothing where the value is neither. */
export function listIn(value: unknown): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value;
  return isObject(value) && Array.isArray(value.rows) && "rows_total" in value ? value.rows : undefined;
}

const itemType = (type: OutputType): OutputType => {
  if (type.kind === "list") return type.item;
  return type.kind === "object" && type.isPage ? itemType(type.fields.rows!) : ANY;
};

/** Nothing where the schema or the rows that are held have no such place. */
export function spotAt(step: EvidenceStep, path: ReferencePath): Spot | undefined {
  const { envelope, type: rootType } = step.result!;
  const root = { ...envelope, rows: heldRows(step) } as unknown as Record<string, JsonValue>;
  const first = path.segments[0];
  const isCall = first !== undefined && ABOUT_THE_CALL.has(first.name);
  const isSpread = path.segments.some(({ index }) => index === "*");
  // A step alone is its rows.
  if (first === undefined)
    return { path, places: [{ step: path.step, keys: ["rows"], type: ANY, value: root.rows! }], isSpread, type: ANY };
  if (!Object.hasOwn(root, first.name)) return undefined;
  const followed = isCall || rootType.kind !== "object" ? undefined : follow(rootType, path);
  if (followed?.kind === "wrong") return undefined;

  const walk = (value: JsonValue, type: OutputType, keys: readonly (string | number)[], i: number): Place[] | null => {
    if (i === path.segments.length) return [{ step: path.step, keys, type, value }];
    if (!isObject(value) || (type.kind !== "object" && type.kind !== "any")) return null;
    const has = (name: string): boolean =>
      type.kind === "object" ? Object.hasOwn(type.fields, name) : Object.hasOwn(value, name);
    // A property that a row lacks is null.
    const found = fieldAt(has, path, i) ?? { name: path.segments[i]!.name, next: i + 1 };
    const { index } = path.segments[found.next - 1]!;
    const inner = value[found.name] ?? null;
    const innerType = type.kind === "object" ? (type.fields[found.name] ?? ANY) : ANY;
    const innerKeys = [...keys, found.name];
    if (index === null) return walk(inner, innerType, innerKeys, found.next);
    const list = listIn(inner);
    if (list === undefined) return null;
    if (index !== "*") {
      return index < list.length ? walk(list[index]!, itemType(innerType), [...innerKeys, index], found.next) : null;
    }
    const each = list.map((member, at) => walk(member, itemType(innerType), [...innerKeys, at], found.next));
    return each.some((places) => places === null) ? null : each.flatMap((places) => places!);
  };
  const places = walk(root as JsonValue, isCall ? ANY : rootType, [], 0);
  return places === null ? undefined : { path, places, isSpread, type: followed?.type ?? ANY };
}

export const isScalar = (value: JsonValue): boolean => typeof value !== "object" || value === null;

/** The outermost list with the position in it; nothing for a field beside the lists. `nodes.rows[0]` is `nodes[0]`. */
export function rowOf({ keys }: Place): { readonly list: string; readonly index: number } | undefined {
  const at = keys.findIndex((key) => typeof key === "number");
  if (at < 0) return undefined;
  const names = keys.slice(0, at);
  const list = names.length > 1 && names.at(-1) === "rows" ? names.slice(0, -1) : names;
  return { list: list.join("."), index: keys[at] as number };
}

/** What holds the cell, and its name there. */
export const ownerOf = ({ keys }: Place): string => JSON.stringify(keys.slice(0, -1));
export const nameOf = ({ keys }: Place): string => String(keys.at(-1));
/** The names of a place without its positions. */
export const fieldOf = ({ keys }: Place): string => keys.filter((key) => typeof key === "string").join(".");
