// The registry's schemas as plain JSON Schema, as any client reads them: arguments of a call, and its envelope.
// Marks become words or are left out; what several arguments share stands once, under $defs.
import type { TSchema } from "typebox";
import type { OperatorDeclaration } from "../operators/declaration.js";
import { RECURSIVE_SCHEMAS } from "../operators/recursive-schemas.js";

export type JsonSchema = { readonly [keyword: string]: unknown };

type Node = Readonly<Record<string, unknown>>;

/** Keywords that mean here what they mean there. */
const KEPT = [
  "type",
  "const",
  "enum",
  "default",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "minLength",
  "minItems",
  "maxItems",
  "maxProperties",
  "additionalProperties",
  "pattern",
];

/** What the text of an argument has to look like, where its type is only "string". */
const FORMS: Readonly<Record<string, string>> = {
  instant: "an instant, such as 2024-03-01T09:00:00Z, or a date",
  instant_open: "an instant, or null for an open end",
  pin: "a commit as tx:12, or an instant of transaction time",
  duration: "an ISO 8601 duration, such as PT12H",
  stride: "an ISO 8601 duration or a calendar unit, such as P1D or P1M",
  zone: "UTC, an offset such as +02:00, or a name such as Europe/Paris",
};

/** Titles of what is written once for all arguments that have it. */
const SHARED = ["Where", "NodeFilter"];

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const mapped = <T>(members: Node, of: (member: Node) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, of(member as Node)]));

function meaningOf({ description, choices, kind, unit }: Node): string {
  const chosen = isNode(choices) ? Object.entries(choices).map(([name, means]) => `${name}: ${String(means)}`) : [];
  const parts = [description, FORMS[kind as string], ...chosen].filter((part) => typeof part === "string");
  const counted = typeof unit === "string" && unit !== "1" ? ` [${unit}]` : "";
  return parts.join("; ") + counted;
}

class Arguments {
  readonly shared: Record<string, JsonSchema> = {};

  schemaOf(node: Node): JsonSchema {
    const { title, $ref, description } = node;
    const name = typeof $ref === "string" ? $ref : SHARED.includes(title as string) ? (title as string) : null;
    if (name === null) return this.members(node);
    if (!Object.hasOwn(this.shared, name)) {
      // Its place is taken first: it may hold itself.
      this.shared[name] = {};
      const { default: _, ...own } = typeof $ref === "string" ? (RECURSIVE_SCHEMAS[name] as unknown as Node) : node;
      this.shared[name] = this.members({ ...own, description: undefined });
    }
    return {
      $ref: `#/$defs/${name}`,
      ...(description === undefined ? {} : { description }),
      ...("default" in node ? { default: node.default } : {}),
    };
  }

  private members(node: Node): JsonSchema {
    const out: Record<string, unknown> = {};
    for (const key of KEPT) if (node[key] !== undefined) out[key] = node[key];
    const meaning = meaningOf(node);
    if (meaning !== "") out.description = meaning;
    if (Array.isArray(node.anyOf)) out.anyOf = node.anyOf.map((member) => this.schemaOf(member as Node));
    if (isNode(node.items)) out.items = this.schemaOf(node.items);
    if (isNode(node.patternProperties)) {
      out.patternProperties = mapped(node.patternProperties, (member) => this.schemaOf(member));
    }
    if (isNode(node.properties)) {
      const { properties } = node;
      out.properties = mapped(properties, (member) => this.schemaOf(member));
      // What has a default may be left out.
      const required = ((node.required as string[] | undefined) ?? []).filter(
        (name) => !("default" in (properties[name] as Node)),
      );
      if (required.length > 0) out.required = required;
    }
    return out;
  }
}

/** The arguments of a tool. The root is an object also where the declaration is one of several. */
export function argumentsSchema(args: TSchema): JsonSchema {
  const read = new Arguments();
  const root = read.schemaOf(args as unknown as Node);
  const { shared } = read;
  return { type: "object", ...root, ...(Object.keys(shared).length === 0 ? {} : { $defs: shared }) };
}

/** A type beside the text that stands for an integer which a JSON number cannot hold. */
const WIDE: Readonly<Record<string, readonly string[]>> = {
  integer: ["integer", "string"],
  number: ["number", "string"],
};

function outputOf(node: Node): JsonSchema {
  const out: Record<string, unknown> = {};
  for (const key of KEPT) if (node[key] !== undefined) out[key] = node[key];
  if (typeof node.type === "string" && WIDE[node.type] !== undefined) out.type = WIDE[node.type];
  const meaning = meaningOf({ ...node, kind: undefined });
  if (meaning !== "") out.description = meaning;
  if (Array.isArray(node.anyOf)) out.anyOf = node.anyOf.map((member) => outputOf(member as Node));
  if (isNode(node.items)) out.items = outputOf(node.items);
  if (isNode(node.properties)) out.properties = mapped(node.properties, outputOf);
  if (Array.isArray(node.required)) out.required = node.required;
  return out;
}

export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
export const closedSchema = (properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

export const COUNT: JsonSchema = { type: "integer", minimum: 0 };
export const TEXT: JsonSchema = { type: "string" };
export const FLAG: JsonSchema = { type: "boolean" };
export const CURSOR: JsonSchema = {
  type: ["string", "null"],
  description: "where the next page begins; null on the last one",
};
export const PIN_SCHEMA = closedSchema({ tx: COUNT, tx_time: { type: ["string", "null"] } });
export const TEXTS: JsonSchema = { type: "array", items: TEXT };

/** The envelope of an operator. A list is null on a page of another list. */
export function envelopeSchema({ name, output, lists, pins }: OperatorDeclaration): JsonSchema {
  const { properties, required = [] } = output as unknown as { properties: Record<string, Node>; required?: string[] };
  const own = Object.keys(properties);
  const isList = (field: string): boolean => lists.some((list) => list.field === field);
  const fields = mapped(properties, outputOf);
  const shown = Object.fromEntries(
    own.map((field) => [field, isList(field) ? orNull(fields[field]!) : fields[field]!]),
  );
  return closedSchema(
    {
      op: { const: name },
      args: { type: "object", description: "the arguments as they were understood" },
      pin: pins === null ? { type: "null" } : PIN_SCHEMA,
      ...(pins?.other == null ? {} : { pins: closedSchema({ left: PIN_SCHEMA, right: PIN_SCHEMA }) }),
      ...shown,
      rows_total: { type: ["integer", "null"], description: "rows of the whole list" },
      truncated: { type: "boolean", description: "more rows follow in some list" },
      cursor: CURSOR,
      complete: { type: "boolean", description: "whether this is the whole answer" },
      incomplete: TEXTS,
      erased: { ...COUNT, description: "erasures that touched this answer's past" },
      notices: TEXTS,
      result_digest: TEXT,
    },
    ["notices", ...own.filter((field) => !required.includes(field))],
  );
}
