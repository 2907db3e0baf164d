// What the manual says of an operator, taken from its declaration: no words of its own, no layout.
import { COMMON_ARGUMENTS, closed } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import type { OperatorDeclaration, StoreScript } from "../operators/declaration.js";
import { S1, S2 } from "../operators/example-stores.js";
import { RECURSIVE_SCHEMAS } from "../operators/recursive-schemas.js";
import { DECLARATIONS } from "../operators/registry.js";
import { type ArgumentEntry, entriesOf } from "./arguments.js";
import { isNull, membersOf, type NamedType, namedTypes, type SchemaNode, typeText } from "./types.js";

export interface ArgumentForm {
  /** Null of what every call has. */
  readonly title: string | null;
  /** What this form gives. */
  readonly meaning: string;
  readonly arguments: readonly ArgumentEntry[];
}

export interface FieldEntry {
  /** `rows[].uid`: the path in the envelope. */
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
}

export interface OperatorEntry {
  readonly declaration: OperatorDeclaration;
  readonly forms: readonly ArgumentForm[];
  readonly fields: readonly FieldEntry[];
  readonly types: readonly NamedType[];
}

/** The arguments that every operator has; the manual explains them once. */
export const SHARED_ARGUMENTS = Object.keys(COMMON_ARGUMENTS);
export const sharedEntries = (): ArgumentEntry[] => entriesOf(closed(COMMON_ARGUMENTS) as unknown as SchemaNode);
/** The fields that every envelope has. */
export const SHARED_FIELDS = new Set([
  ...["op", "args", "pin", "rows_total", "truncated", "cursor", "complete", "incomplete"],
  ...["erased", "notices", "result_digest"],
]);

/** The stores that recur in examples. */
export const STORES: Readonly<Record<string, StoreScript>> = { S1, S2 };

export const storeName = (store: StoreScript): string | undefined =>
  Object.keys(STORES).find((name) => STORES[name] === store);

/** One form, or of a union: what all have, then what each has beside it, named by its first argument. */
function argumentForms(schema: SchemaNode): ArgumentForm[] {
  const forms = membersOf(schema);
  if (forms.length === 1) return [{ title: null, meaning: "", arguments: entriesOf(schema) }];
  const all = forms.map((form) => entriesOf(form));
  const tag = all[0]![0]!;
  const tags = all.map(([first]) => first!.type);
  const isShared = (entry: ArgumentEntry): boolean =>
    all.every((entries) => entries.some((other) => other.name === entry.name && other.type === entry.type));
  return [
    { title: null, meaning: "", arguments: [{ ...tag, type: tags.join(" | ") }, ...all[0]!.filter(isShared)] },
    ...all.map((entries, i) => ({
      title: `${tag.name}: ${tags[i]}`,
      meaning: meaningOf(forms[i]!),
      arguments: entries.filter((entry) => entry.name !== tag.name && !isShared(entry)),
    })),
  ];
}

function meaningOf(node: SchemaNode): string {
  const { description = "", unit, echoes } = node as { description?: string; unit?: string; echoes?: string };
  const counted = unit === undefined || unit === "1" ? "" : ` [${unit}]`;
  return `${description}${counted}${echoes === undefined ? "" : `; repeats ${echoes}`}`;
}

/** The field and, where it has an inside of its own, what is in it. */
function fieldEntries(given: SchemaNode, path: string): FieldEntry[] {
  const choices = membersOf(given).filter((member) => !isNull(member));
  const orNull = choices.length < membersOf(given).length ? " or null" : "";
  const node = choices.length === 1 ? choices[0]! : given;
  if (node.list === true) {
    const rows = (node.properties as Readonly<Record<string, SchemaNode>>).rows!;
    return [
      { path, type: `list with pages of its own${orNull}`, meaning: meaningOf(node) },
      ...fieldEntries(rows.items as SchemaNode, `${path}.rows[]`),
    ];
  }
  const isTitled = typeof node.title === "string" || choices.some((choice) => typeof choice.title === "string");
  if (node.type === "array" && node.kind === undefined && !isTitled) {
    return fieldEntries(node.items as SchemaNode, `${path}[]`).map((entry, i) =>
      i === 0 && entry.path === `${path}[]` ? { ...entry, meaning: entry.meaning || meaningOf(node) } : entry,
    );
  }
  if (node.kind === undefined && node.properties !== undefined && !isTitled) {
    const members = Object.entries(node.properties as Readonly<Record<string, SchemaNode>>);
    const own = orNull === "" ? [] : [{ path, type: "object or null", meaning: meaningOf(node) }];
    return [...own, ...members.flatMap(([name, member]) => fieldEntries(member, `${path}.${name}`))];
  }
  const open = node.kind === "instant_open" ? "instant, or null for ever" : undefined;
  const isEnum = Array.isArray(node.enum);
  // The columns of such rows depend on the arguments.
  if (node.kind === undefined && Object.keys(node).every((key) => key === "description")) {
    return [{ path, type: "object", meaning: meaningOf(node) }];
  }
  const type = open ?? (isEnum || isTitled || node.kind === undefined ? typeText(node) : (node.kind as string));
  return [{ path, type: `${type}${orNull}`, meaning: meaningOf(node) }];
}

/** The types of rows that several operators show. */
export function rowTypes(entries: readonly OperatorEntry[]): readonly SchemaNode[] {
  const found = new Map<string, SchemaNode>();
  const visit = (node: SchemaNode): void => {
    if (typeof node.title === "string") found.set(node.title, node);
    for (const member of (node.anyOf as readonly SchemaNode[] | undefined) ?? []) visit(member);
    for (const member of Object.values((node.properties as Record<string, SchemaNode> | undefined) ?? {}))
      visit(member);
    if (node.items !== undefined) visit(node.items as SchemaNode);
  };
  for (const { declaration } of entries) visit(declaration.output as unknown as SchemaNode);
  return [...found.values()];
}

export const fieldsOfType = (node: SchemaNode): FieldEntry[] =>
  Object.entries(node.properties as Readonly<Record<string, SchemaNode>>).flatMap(([name, member]) =>
    fieldEntries(member, name),
  );

const NAMED: ReadonlyMap<string, SchemaNode> = new Map(
  Object.entries(RECURSIVE_SCHEMAS) as unknown as [string, SchemaNode][],
);

export function operatorEntry(declaration: OperatorDeclaration): OperatorEntry {
  const args = declaration.args as unknown as SchemaNode;
  return {
    declaration,
    forms: argumentForms(args),
    fields: fieldsOfType(declaration.output as unknown as SchemaNode),
    types: namedTypes(args, NAMED),
  };
}

/** All operators by name. */
export const operatorEntries = (): OperatorEntry[] =>
  [...DECLARATIONS].sort((a, b) => (a.name < b.name ? -1 : 1)).map(operatorEntry);

/** What an example's envelope says beside what every envelope says. */
export function shownAnswer(envelope: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(envelope).filter(([name]) => !SHARED_FIELDS.has(name)));
}
