// Schemas in fewer bytes that allow the same: what stands more than once stands under $defs, and "or null" is a type.
// Clients read the list of tools whole.
import type { JsonSchema } from "./json-schema.js";

/** A reference and its name take about as much as what is shorter. */
const LEAST_LENGTH = 60;

const BY_NAME = ["properties", "patternProperties", "$defs"];

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same schema with `of` in place of each one inside. */
function mapped(schema: JsonSchema, of: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (keyword === "anyOf") return [keyword, (value as JsonSchema[]).map(of)];
    if (keyword === "items" && isSchema(value)) return [keyword, of(value)];
    if (!BY_NAME.includes(keyword)) return [keyword, value];
    return [keyword, Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, of(member)]))];
  });
  return Object.fromEntries(entries);
}

/** `anyOf` of a schema with a type, and null: the schema with both types. A const needs no type. */
function simplified(given: JsonSchema): JsonSchema {
  const schema = mapped(given, simplified);
  const { anyOf, type: _type, ...rest } = schema;
  if ("const" in schema && anyOf === undefined) return rest;
  const [first, second, ...more] = (anyOf ?? []) as JsonSchema[];
  const isOrNull =
    second !== undefined && more.length === 0 && Object.keys(second).join() === "type" && second.type === "null";
  if (!isOrNull || first === undefined || first.type === undefined || "enum" in first) return schema;
  const said = [rest.description, first.description].filter((text) => text !== undefined).join("; ");
  const description = said === "" ? {} : { description: said };
  return { ...first, ...rest, ...description, type: [...new Set([first.type, "null"].flat())] };
}

/** Apart from what a place says of it: its description and its default, which stay beside the reference. */
function apart({ description, default: otherwise, ...schema }: JsonSchema): readonly [JsonSchema, JsonSchema] {
  const own = description === undefined ? {} : { description };
  return [schema, otherwise === undefined ? own : { ...own, default: otherwise }];
}

/** By the text of each schema inside, how often it would stand there; what is inside of one that is shared stands once. */
function countsOf(root: JsonSchema): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (given: JsonSchema): JsonSchema => {
    const [schema] = apart(given);
    const text = JSON.stringify(schema);
    const seen = counts.get(text) ?? 0;
    counts.set(text, seen + 1);
    if (seen === 0) mapped(schema, count);
    return given;
  };
  mapped(root, count);
  return counts;
}

export function compactSchema(given: JsonSchema): JsonSchema {
  const root = simplified(given);
  const counts = countsOf(root);
  const names = new Map<string, string>();
  const $defs: Record<string, JsonSchema> = {};
  const shared = (each: JsonSchema): JsonSchema => {
    const [schema, own] = apart(each);
    const text = JSON.stringify(schema);
    if (text.length < LEAST_LENGTH || counts.get(text) === 1) return { ...own, ...mapped(schema, shared) };
    let name = names.get(text);
    if (name === undefined) {
      name = `_${names.size + 1}`;
      names.set(text, name);
      $defs[name] = mapped(schema, shared);
    }
    return { $ref: `#/$defs/${name}`, ...own };
  };
  const out = mapped(root, shared);
  return names.size === 0 ? root : { ...out, $defs: { ...(out.$defs as object | undefined), ...$defs } };
}
