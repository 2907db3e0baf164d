// Shape of arguments: ajv over the declaration's schema without its marks.
// One validator per operator, compiled on its first call; what it finds is told by shape-errors.ts.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { PredSchema } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { isWithinPredicateBounds } from "./predicate-bounds.js";
import { shapeError } from "./shape-errors.js";

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

/** What ajv checks of a declared schema: no marks, no defaults, nothing required that has a default. */
function validationSchema(schema: Node): Node {
  const kind = schema.kind;
  if (kind === "instant" || kind === "pin") return { instantForm: true };
  if (kind === "json") return {};
  if (typeof schema.$ref === "string") return { $ref: `#/$defs/${schema.$ref}` };
  const out: Node = kind === "predicates" ? { predicates: true } : {};
  for (const key of ["type", "const", "enum", "minimum", "maximum", "minLength", "minItems", "maxItems"]) {
    if (schema[key] !== undefined) out[key] = schema[key];
  }
  if (Array.isArray(schema.anyOf)) out.anyOf = schema.anyOf.map((member) => validationSchema(member as Node));
  if (isNode(schema.items)) out.items = validationSchema(schema.items);
  if (isNode(schema.properties)) {
    const properties = Object.entries(schema.properties as Record<string, Node>);
    const required = (schema.required as string[] | undefined) ?? [];
    out.properties = Object.fromEntries(properties.map(([name, member]) => [name, validationSchema(member)]));
    out.required = required.filter((name) => !("default" in (schema.properties as Record<string, Node>)[name]!));
    out.additionalProperties = false;
  }
  return out;
}

function ajvOf(isThorough: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: isThorough,
    verbose: isThorough,
    // Checking our own schemas against the meta-schema, and polishing the code, took most of an operator's first call;
    // a test validates every declaration instead.
    validateSchema: false,
    code: { optimize: false },
  });
  ajv.addKeyword({
    keyword: "instantForm",
    schemaType: "boolean",
    validate: (_: boolean, value: unknown) => hasInstantForm(value),
  });
  ajv.addKeyword({
    keyword: "predicates",
    schemaType: "boolean",
    validate: (_: boolean, value: unknown) => isWithinPredicateBounds(value),
  });
  return ajv;
}

/** The JSON Schema by which arguments are judged: defaults may be left out, nothing unknown may be there. */
export function shapeSchema(schema: TSchema): Node {
  return {
    ...validationSchema(schema as unknown as Node),
    $defs: { Pred: validationSchema(PredSchema as unknown as Node) },
  };
}

/** A function that throws E_SCHEMA for arguments of another shape than the schema's. */
export function compileShape(schema: TSchema): (args: JsonObject) => void {
  const checked = shapeSchema(schema);
  const validate = ajvOf(false).compile(checked);
  let explain: ValidateFunction | undefined;
  return (args) => {
    if (validate(args)) return;
    // Only an error needs every finding, so the thorough validator is compiled on the first.
    explain ??= ajvOf(true).compile(checked);
    explain(args);
    throw shapeError(explain.errors ?? validate.errors ?? []);
  };
}
