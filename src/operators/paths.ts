// Dotted paths into arguments, and which arguments of a schema are windows, instants, pins or durations.
// Derived from the marks; nothing here is written per operator.
import type { TSchema } from "typebox";
import type { JsonObject, JsonValue } from "../contract/values.js";

export interface TimeArguments {
  readonly windows: readonly string[];
  readonly pin_windows: readonly string[];
  readonly instants: readonly string[];
  readonly instant_opens: readonly string[];
  readonly pins: readonly string[];
  readonly durations: readonly string[];
  readonly strides: readonly string[];
}

type Node = Record<string, unknown>;

/** The value at a dotted path, undefined where there is none. */
export function valueAt(args: JsonObject, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = value[key];
  }
  return value;
}

/** A copy of the arguments with the value at a dotted path replaced; the path must exist. */
export function withValueAt(args: JsonObject, path: string, value: JsonValue): JsonObject {
  const [key, ...rest] = path.split(".");
  if (rest.length === 0) return { ...args, [key!]: value };
  return { ...args, [key!]: withValueAt(args[key!] as JsonObject, rest.join("."), value) };
}

function collect(node: Node, path: string, out: Record<keyof TimeArguments, string[]>): void {
  const list = typeof node.kind === "string" ? out[`${node.kind}s` as keyof TimeArguments] : undefined;
  if (list !== undefined) {
    if (!list.includes(path)) list.push(path);
    return;
  }
  for (const member of (node.anyOf as Node[] | undefined) ?? []) collect(member, path, out);
  for (const [key, member] of Object.entries((node.properties as Record<string, Node> | undefined) ?? {})) {
    collect(member, path === "" ? key : `${path}.${key}`, out);
  }
}

export function timeArguments(schema: TSchema): TimeArguments {
  const out = { windows: [], pin_windows: [], instants: [], instant_opens: [], pins: [], durations: [], strides: [] };
  collect(schema as unknown as Node, "", out);
  return out;
}

/** The names of the arguments that hold tables, which are never inside others. */
export function tableArguments(schema: TSchema): string[] {
  const node = schema as unknown as Node;
  const members = (node.anyOf as Node[] | undefined) ?? [node];
  const names = members.flatMap(({ properties }) =>
    Object.entries((properties ?? {}) as Record<string, Node>)
      .filter(([, { kind }]) => kind === "table")
      .map(([name]) => name),
  );
  return [...new Set(names)];
}

/** JSON pointers to the arguments where an instant may stand. */
export function instantPlaces({ windows, pin_windows, instants, instant_opens, pins }: TimeArguments): Set<string> {
  const ends = [...windows, ...pin_windows].flatMap((path) => [`${path}.from`, `${path}.to`]);
  return new Set([...instants, ...instant_opens, ...pins, ...ends].map((path) => `/${path.replaceAll(".", "/")}`));
}
