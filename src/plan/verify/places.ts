// Where in the arguments of an operator something stands: the schemas that are legal there, whether what a path gives
// fits them, and a value that may stand in for it while the rest is judged.
import type { TSchema } from "typebox";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { RECURSIVE_SCHEMAS } from "../../operators/recursive-schemas.js";
import type { OutputType } from "../output-types.js";
import { isReference } from "../references.js";

export type Node = Readonly<Record<string, unknown>>;
export type Place = readonly (string | number)[];

/** Kinds that are one value, whatever their schema is made of. */
const LEAVES = new Set([
  "uid",
  "instant",
  "instant_open",
  "pin",
  "duration",
  "stride",
  "zone",
  "json",
  "table",
  "step_table",
]);
export const isTable = ({ kind }: Node): boolean => kind === "table" || kind === "step_table";
export const isJson = ({ kind }: Node): boolean => kind === "json";

const propertiesOf = (node: Node): Readonly<Record<string, Node>> =>
  (node.properties as Record<string, Node> | undefined) ?? {};
const isChoice = (node: Node): boolean => node.const !== undefined || Array.isArray(node.enum);

/** Whether an object can be of this form: its tags say so, and its keys are among the known ones. */
function mayBe(node: Node, value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value) || node.type !== "object") return true;
  if (Object.hasOwn(value, "$ref")) return true;
  const properties = propertiesOf(node);
  return Object.entries(properties).every(([name, member]) => {
    const given = value[name];
    if (given === undefined || !isChoice(member)) return true;
    return member.const !== undefined ? member.const === given : (member.enum as unknown[]).includes(given);
  });
}

/** The schemas behind names and unions; those of other forms of an object left out. */
function* expanded(node: Node, value: JsonValue | undefined): Generator<Node> {
  if (typeof node.kind === "string" && LEAVES.has(node.kind)) yield node;
  else if (typeof node.$ref === "string") {
    yield* expanded(RECURSIVE_SCHEMAS[node.$ref] as unknown as Node, value);
  } else if (Array.isArray(node.anyOf)) {
    for (const member of node.anyOf as Node[]) if (mayBe(member, value)) yield* expanded(member, value);
  } else yield node;
}

function* below(node: Node, key: string | number): Generator<Node> {
  if (isJson(node) || isTable(node)) yield { kind: "json" };
  else if (typeof key === "number") {
    if (node.items !== undefined) yield node.items as Node;
  } else {
    const properties = propertiesOf(node);
    if (Object.hasOwn(properties, key)) yield properties[key]!;
    else if (node.patternProperties !== undefined) {
      yield* Object.values(node.patternProperties as Record<string, Node>);
    }
  }
}

/** The schemas that are legal at a place of arguments; none where there is no such place. */
export function schemasAt(schema: TSchema, args: JsonObject, place: Place): readonly Node[] {
  let value: JsonValue | undefined = args;
  let nodes = [...expanded(schema as unknown as Node, value)];
  for (const key of place) {
    value =
      typeof value === "object" && value !== null ? (value as Record<string | number, JsonValue>)[key] : undefined;
    nodes = nodes.flatMap((node) => [...below(node, key)]).flatMap((node) => [...expanded(node, value)]);
  }
  return nodes;
}

const isText = (given: OutputType): boolean => given.kind === "scalar" && given.type === "string";
const isOf = (given: OutputType, ...types: string[]): boolean => given.kind === "scalar" && types.includes(given.type);

function objectFits(node: Node, given: OutputType): boolean {
  if (given.kind !== "object") return false;
  const properties = propertiesOf(node);
  const required = (node.required as string[] | undefined) ?? [];
  return (
    Object.keys(given.fields).every((name) => Object.hasOwn(properties, name)) &&
    required.every((name) => Object.hasOwn(given.fields, name) || "default" in properties[name]!) &&
    Object.entries(given.fields).every(([name, field]) => fits([...expanded(properties[name]!, undefined)], field))
  );
}

function fitsOne(node: Node, given: OutputType): boolean {
  if (given.kind === "any") return !isChoice(node);
  switch (node.kind) {
    case "json":
      return true;
    case "table":
      return given.kind === "list" && given.item.kind !== "list";
    case "step_table":
      return given.kind === "list" && given.item.kind === "object";
    case "instant":
    case "instant_open":
    case "pin":
      return isOf(given, "instant", "instant_open");
    case "duration":
    case "stride":
      return isOf(given, "duration");
    case "uid":
    case "zone":
      return isText(given);
    default:
  }
  if (isChoice(node)) return false;
  switch (node.type) {
    case "string":
      return isText(given);
    case "integer":
      return isOf(given, "int");
    case "number":
      return isOf(given, "int", "double");
    case "boolean":
      return isOf(given, "bool");
    case "array":
      return given.kind === "list" && fits([...expanded(node.items as Node, undefined)], given.item);
    case "object":
      return objectFits(node, given);
    default:
      return false;
  }
}

/** Whether what a path gives may stand where one of these schemas is wanted. A null that is there is met when it runs. */
export const fits = (wanted: readonly Node[], given: OutputType): boolean =>
  wanted.some((node) => fitsOne(node, given));

const KIND_NAMES: Readonly<Record<string, string>> = {
  uid: "a uid",
  instant: "an instant",
  instant_open: "an instant or null",
  pin: "a pin",
  duration: "a duration",
  stride: "a stride",
  zone: "a zone",
  json: "a value",
  table: "a list of rows",
  step_table: "the rows of a step",
};

/** What is wanted, in words. */
export function describeWanted(wanted: readonly Node[]): string {
  const names = wanted.map((node) => {
    if (typeof node.kind === "string" && KIND_NAMES[node.kind] !== undefined) return KIND_NAMES[node.kind]!;
    if (isChoice(node)) return "a choice that is written out";
    if (node.type === "array") {
      const items = [...expanded(node.items as Node, undefined)];
      return `a list, each ${describeWanted(items)}`;
    }
    return node.type === "integer" ? "an int" : node.type === "null" ? "null" : `a ${String(node.type)}`;
  });
  return [...new Set(names)].join(" or ");
}

/** Two sets of stand-ins: what is wrong with both is wrong whatever the references give. */
export type Variant = "wide" | "narrow";

function instantFor(place: Place, variant: Variant): string {
  const isEnd = place.at(-1) === "to";
  if (variant === "wide") return isEnd ? "9999-12-31T00:00:00Z" : "-9999-01-02T00:00:00Z";
  return isEnd ? "2000-01-01T00:00:00.000002Z" : "2000-01-01T00:00:00.000001Z";
}

function standInOf(node: Node, place: Place, variant: Variant): JsonValue {
  switch (node.kind) {
    case "json":
      return null;
    case "table":
      return [];
    case "step_table":
      return { digest: "" };
    case "instant":
    case "instant_open":
    case "pin":
      return instantFor(place, variant);
    case "duration":
    case "stride":
      return variant === "wide" ? "PT1000000H" : "PT1S";
    case "zone":
      return "UTC";
    default:
  }
  switch (node.type) {
    case "string":
      return `given by reference ${place.join("/")}`;
    case "integer":
    case "number":
      return variant === "wide"
        ? ((node.maximum as number | undefined) ?? 1)
        : ((node.minimum as number | undefined) ?? 1);
    case "boolean":
      return variant === "wide";
    case "array": {
      const [item] = [...expanded(node.items as Node, undefined)];
      const count = (node.minItems as number | undefined) ?? 0;
      return Array.from({ length: count }, (_, i) => standInOf(item!, [...place, i], variant));
    }
    case "object": {
      const required = (node.required as string[] | undefined) ?? [];
      const members = required.map((name) => {
        const [member] = [...expanded(propertiesOf(node)[name]!, undefined)];
        return [name, standInOf(member!, [...place, name], variant)] as const;
      });
      return Object.fromEntries(members);
    }
    default:
      return null;
  }
}

/** A legal value in place of a reference. */
export function standIn(wanted: readonly Node[], given: OutputType, place: Place, variant: Variant): JsonValue {
  const node = wanted.find((one) => fitsOne(one, given)) ?? wanted.find((one) => one.type !== "null") ?? wanted[0];
  return node === undefined ? null : standInOf(node, place, variant);
}

/** Every text of arguments that stands where something is legal, with what is legal there. References are passed over. */
export function visitLiterals(
  schema: TSchema,
  args: JsonObject,
  visit: (text: string, place: Place, nodes: readonly Node[]) => void,
): void {
  const place: (string | number)[] = [];
  const walk = (value: JsonValue, nodes: readonly Node[]): void => {
    if (typeof value === "string") {
      visit(value, place, nodes);
      return;
    }
    if (typeof value !== "object" || value === null || isReference(value)) return;
    const members = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, member] of members) {
      place.push(key);
      walk(
        member,
        nodes.flatMap((node) => [...below(node, key)]).flatMap((node) => [...expanded(node, member)]),
      );
      place.pop();
    }
  };
  walk(args, [...expanded(schema as unknown as Node, args)]);
}
