// Shape of arguments: ajv over the declaration's schema, and its findings as E_SCHEMA with path and hint.
// One validator per operator, compiled on its first call.
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { TSchema } from "typebox";
import { PalimpsestError } from "../contract/errors.js";
import { nearestNames } from "../contract/nearest.js";
import { PredSchema } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";

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
  const out: Node = {};
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

/** Steps from the arguments down to the place of an error: the deeper, the more it tells. */
const depthOf = (error: ErrorObject): number => error.instancePath.split("/").length;

/** Of the findings below an `anyOf`, the one nearest to what the caller wrote. */
function mostTelling(errors: readonly ErrorObject[]): ErrorObject {
  const candidates = errors.filter((error) => error.keyword !== "anyOf");
  const deepest = Math.max(...candidates.map(depthOf));
  const there = candidates.filter((error) => depthOf(error) === deepest);
  const notNull = there.filter((error) => !(error.keyword === "type" && error.params.type === "null"));
  return notNull[0] ?? there[0] ?? errors[0]!;
}

function hintOf(error: ErrorObject, value: unknown): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "additionalProperties": {
      const legal = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      const nearest = nearestNames(String(params.additionalProperty), legal, 1);
      return nearest.length > 0 ? `did you mean ${nearest[0]}?` : `known here: ${legal.join(", ")}`;
    }
    case "required":
      return `give ${params.missingProperty}`;
    case "enum":
      return `one of ${(params.allowedValues as unknown[]).map((allowed) => JSON.stringify(allowed)).join(", ")}`;
    case "instantForm": {
      const us = typeof value === "number" && Number.isInteger(value) ? value : 1082016161000000;
      return `write "2004-04-15T08:02:41Z", or {"us": ${us}} for microseconds`;
    }
    case "minimum":
    case "maximum":
    case "minLength":
    case "minItems":
    case "maxItems":
      return `the bound is ${params.limit}`;
    default:
      return "";
  }
}

function shapeError(errors: readonly ErrorObject[]): PalimpsestError {
  const error = mostTelling(errors);
  const params = error.params as Record<string, unknown>;
  const member = error.keyword === "additionalProperties" ? `/${params.additionalProperty}` : "";
  const path = `${error.instancePath}${member}`;
  const where = path || "the arguments";
  const says: Record<string, string> = {
    additionalProperties: "no such argument",
    required: `${params.missingProperty} is missing`,
    enum: "not one of the legal values",
    const: "not one of the legal values",
    instantForm: "not an instant",
  };
  return new PalimpsestError("E_SCHEMA", `${where}: ${says[error.keyword] ?? error.message ?? "wrong shape"}`, {
    details: { path },
    hint: hintOf(error, error.data),
  });
}

/** A function that throws E_SCHEMA for arguments of another shape than the schema's. */
export function compileShape(schema: TSchema): (args: JsonObject) => void {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true });
  ajv.addKeyword({
    keyword: "instantForm",
    schemaType: "boolean",
    validate: (_: boolean, value: unknown) => hasInstantForm(value),
  });
  const validate = ajv.compile({
    ...validationSchema(schema as unknown as Node),
    $defs: { Pred: validationSchema(PredSchema as unknown as Node) },
  });
  return (args) => {
    if (!validate(args)) throw shapeError(validate.errors ?? []);
  };
}
