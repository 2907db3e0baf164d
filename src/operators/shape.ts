// Shape of arguments: ajv over the declaration's schema without its marks.
// One validator per operator, compiled on its first call, over sub-schemas that all operators share; what it finds is
// told by shape-errors.ts.
import { Ajv2020 } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import type { PalimpsestError } from "../contract/errors.js";
import { NodeFilter, nullable, Where } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { nextTurn } from "../event-loop/pace.js";
import { isWithinPredicateBounds } from "./predicate-bounds.js";
import { RECURSIVE_SCHEMAS } from "./recursive-schemas.js";
import { shapeErrors } from "./shape-errors.js";

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** The forms of an instant, JavaScript's own included, which JSON Schema cannot name. */
function hasInstantForm(value: unknown): boolean {
  if (typeof value === "string" || typeof value === "bigint") return true;
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof Date || typeof (value as { epochNanoseconds?: unknown }).epochNanoseconds === "bigint")
    return true;
  const us = (value as { us?: unknown }).us;
  return Object.keys(value).length === 1 && (typeof us === "bigint" || Number.isInteger(us));
}

const BOUNDS = [
  "type",
  "const",
  "enum",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "minLength",
  "minItems",
  "maxItems",
  "maxProperties",
];

/** The name of the shared schema that this one is, if any. */
function sharedName(schema: Node): string | undefined {
  if (schema.title === "Where") return "Where";
  const [member, other] = (schema.anyOf ?? []) as Node[];
  return member?.title === "NodeFilter" && other?.type === "null" ? "NodeFilter" : undefined;
}

/** What ajv checks of a declared schema: no marks, no defaults, nothing required that has a default. */
function validationSchema(schema: Node): Node {
  const shared = sharedName(schema);
  return shared === undefined ? membersSchema(schema) : { $ref: shared };
}

function membersSchema(schema: Node): Node {
  const kind = schema.kind;
  if (kind === "instant" || kind === "pin") return { instantForm: true };
  if (kind === "instant_open") return { anyOf: [{ instantForm: true }, { type: "null" }] };
  if (kind === "json") return {};
  if (typeof schema.$ref === "string") return { $ref: schema.$ref };
  const out: Node = kind === "predicates" ? { predicates: true } : {};
  for (const key of BOUNDS) {
    if (schema[key] !== undefined) out[key] = schema[key];
  }
  if (Array.isArray(schema.anyOf)) out.anyOf = schema.anyOf.map((member) => validationSchema(member as Node));
  if (isNode(schema.items)) out.items = validationSchema(schema.items);
  if (isNode(schema.patternProperties)) {
    const members = Object.entries(schema.patternProperties as Record<string, Node>);
    out.patternProperties = Object.fromEntries(members.map(([keys, member]) => [keys, validationSchema(member)]));
    out.additionalProperties = false;
  }
  if (isNode(schema.properties)) {
    const properties = Object.entries(schema.properties as Record<string, Node>);
    const required = (schema.required as string[] | undefined) ?? [];
    out.properties = Object.fromEntries(properties.map(([name, member]) => [name, validationSchema(member)]));
    out.required = required.filter((name) => !("default" in (schema.properties as Record<string, Node>)[name]!));
    out.additionalProperties = false;
  }
  return out;
}

/** The sub-schemas that operators share, each compiled once; a reference to one is its name. */
export const SHARED_SCHEMAS: Readonly<Record<string, Node>> = {
  ...Object.fromEntries(
    Object.entries(RECURSIVE_SCHEMAS).map(([name, schema]) => [name, validationSchema(schema as unknown as Node)]),
  ),
  NodeFilter: membersSchema(nullable(NodeFilter) as unknown as Node),
  Where: membersSchema(Where as unknown as Node),
};

let shared: Ajv2020 | undefined;

function sharedAjv(): Ajv2020 {
  if (shared !== undefined) return shared;
  shared = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    // shape-errors.ts chooses among all findings.
    allErrors: true,
    verbose: true,
    inlineRefs: false,
    // Checking our own schemas against the meta-schema, and polishing the code, took most of an operator's first call;
    // a test validates every declaration instead.
    meta: false,
    validateSchema: false,
    code: { optimize: false },
  });
  shared.addKeyword({
    keyword: "instantForm",
    schemaType: "boolean",
    validate: (_: boolean, value: unknown) => hasInstantForm(value),
  });
  shared.addKeyword({
    keyword: "predicates",
    schemaType: "boolean",
    validate: (_: boolean, value: unknown) => isWithinPredicateBounds(value),
  });
  for (const [name, schema] of Object.entries(SHARED_SCHEMAS)) shared.addSchema(schema, name);
  return shared;
}

/** Compiles what operators share, a part in each turn, so that the first call does not hold the event loop for all. */
export async function prepareShapes(): Promise<void> {
  const ajv = sharedAjv();
  for (const name of Object.keys(SHARED_SCHEMAS)) {
    await nextTurn();
    ajv.getSchema(name);
  }
}

/** The JSON Schema by which arguments are judged: defaults may be left out, nothing unknown may be there. */
export const shapeSchema = (schema: TSchema): Node => validationSchema(schema as unknown as Node);

/** All errors of arguments of another shape than the schema's, the most telling first. */
export type ShapeCheck = (args: JsonObject) => readonly PalimpsestError[];

export function compileShape(schema: TSchema): ShapeCheck {
  const validate = sharedAjv().compile(shapeSchema(schema));
  return (args) => (validate(args) ? [] : shapeErrors(validate.errors!));
}
