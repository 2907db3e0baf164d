// The schema of calls with every argument constrained by its operator (`guided: "full"`), in the keywords that servers know:
// no $ref, no pattern, no format, no conditions. Schemas that hold themselves are written out once, and are free below that.
// As nothing can be shared, it has nothing that says no more than what stands beside it.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { RECURSIVE_SCHEMAS } from "../../operators/recursive-schemas.js";
import { DECLARATIONS } from "../../operators/registry.js";
import type { NamedSchema } from "../provider/capability.js";
import { closedSchema, planSchema, stepIdSchema } from "./schemas.js";

type Node = Readonly<Record<string, unknown>>;

const TEXT: JsonObject = { type: "string" };
const REFERENCE = closedSchema({ $ref: TEXT });
const NULL: JsonObject = { type: "null" };
const ANY_OBJECT: JsonObject = { type: "object" };
const ANY: JsonObject = {
  anyOf: [TEXT, { type: "number" }, { type: "boolean" }, NULL, { type: "array" }, ANY_OBJECT],
};
/** Kinds that are written as a text, whatever other forms a program may give. */
const TEXTS: ReadonlySet<unknown> = new Set(["instant", "pin", "duration", "stride", "zone"]);
const BOUNDS = ["minLength", "maxLength", "minItems", "maxItems"];
/** Beyond what a model writes: to servers that count, each step up to a bound is work. */
const MOST_COUNTED = 64;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const isChoice = ({ const: only, enum: some }: Node): boolean => only !== undefined || some !== undefined;

const alternativesOf = (schema: JsonObject): readonly JsonValue[] =>
  (schema.anyOf as JsonValue[] | undefined) ?? [schema];

/** What may stand in place of a value: what an earlier step gave, but where one of a few words is wanted. */
function orReference(node: Node, schema: JsonObject): JsonObject {
  const alternatives = alternativesOf(schema);
  // Any object is a reference, too.
  if (isChoice(node) || alternatives.includes(ANY_OBJECT)) return schema;
  return { anyOf: [...alternatives, REFERENCE] };
}

function objectOf({ properties, required = [] }: Node, inside: ReadonlySet<string>): JsonObject {
  if (!isNode(properties)) return ANY_OBJECT;
  const members = Object.entries(properties).map(([name, member]) => {
    const node = member as Node;
    return [name, orReference(node, schemaOf(node, inside))] as const;
  });
  // What has a default may be left out.
  const needed = (required as string[]).filter((name) => !("default" in (properties[name] as Node)));
  return closedSchema(Object.fromEntries(members), needed);
}

/** `inside`: the schemas that hold this one. */
function schemaOf(node: Node, inside: ReadonlySet<string>): JsonObject {
  const { kind, $ref, anyOf, items, type } = node;
  if (typeof $ref === "string") {
    if (inside.has($ref)) return ANY_OBJECT;
    return schemaOf(RECURSIVE_SCHEMAS[$ref] as unknown as Node, new Set([...inside, $ref]));
  }
  if (TEXTS.has(kind)) return TEXT;
  if (kind === "instant_open") return { anyOf: [TEXT, NULL] };
  if (kind === "json") return ANY;
  if (Array.isArray(anyOf)) return { anyOf: anyOf.map((member) => schemaOf(member as Node, inside)) };
  if (node.const !== undefined) return { const: node.const as JsonValue };
  if (Array.isArray(node.enum)) return { type: "string", enum: node.enum as JsonValue[] };
  if (type === "object") return objectOf(node, inside);
  const bounds = Object.fromEntries(
    BOUNDS.flatMap((name) =>
      typeof node[name] === "number" && node[name] <= MOST_COUNTED ? [[name, node[name]]] : [],
    ),
  );
  if (type !== "array" || !isNode(items)) return { type, ...bounds } as JsonObject;
  return { type, ...bounds, items: orReference(items, schemaOf(items, inside)) } as JsonObject;
}

/** The arguments of an operator; the root is an object also where they are one of several. */
const argumentsSchema = (args: Node): JsonObject => ({ type: "object", ...schemaOf(args, new Set()) });

let forms: readonly (readonly [name: string, args: JsonObject])[] | undefined;

/** Every operator with its arguments. */
function fullForms(): readonly (readonly [name: string, args: JsonObject])[] {
  forms ??= DECLARATIONS.map(({ name, args }) => [name, argumentsSchema(args as unknown as Node)]);
  return forms;
}

/** One call of an operator, without the name that a plan gives it. */
export const fullCallSchemas = (): JsonObject[] =>
  fullForms().map(([name, args]) => closedSchema({ op: { const: name }, args }));

let kept: { readonly mostSteps: number; readonly schema: NamedSchema } | undefined;

export function fullPlanSchema(mostSteps: number): NamedSchema {
  if (kept?.mostSteps !== mostSteps) {
    const steps = fullForms().map(([name, args]) => closedSchema({ id: stepIdSchema, op: { const: name }, args }));
    kept = { mostSteps, schema: planSchema({ anyOf: steps }, mostSteps) };
  }
  return kept.schema;
}
