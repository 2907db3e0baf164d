// Printers of canonical JSON compiled from output schemas: keys sorted once, no look at the type of each value.
// The same bytes as canonicalJson, several times faster on rows.
import type { TSchema } from "typebox";
import { canonicalJson, canonicalNumber, canonicalString } from "../contract/canonical.js";

export type Printer = (value: unknown) => string;

type Node = Record<string, unknown>;

const printInstant: Printer = (value) => (value === null ? "null" : `"${value as string}"`);
const printText: Printer = (value) => (value === null ? "null" : canonicalString(value as string));
const printNumber: Printer = (value) => (value === null ? "null" : canonicalNumber(value as number | bigint));

/** A printer of arrays whose members one printer prints. */
export function arrayPrinter(member: Printer): Printer {
  return (value) => {
    if (value === null) return "null";
    const members = value as readonly unknown[];
    if (members.length === 0) return "[]";
    let text = `[${member(members[0])}`;
    for (let i = 1; i < members.length; i += 1) text += `,${member(members[i])}`;
    return `${text}]`;
  };
}

function objectPrinter(properties: Record<string, Node>): Printer {
  const keys = Object.keys(properties).sort();
  const printers = keys.map((key) => compilePrinter(properties[key] as unknown as TSchema));
  const prefixes = keys.map((key, i) => `${i === 0 ? "{" : ","}${canonicalString(key)}:`);
  return (value) => {
    if (value === null) return "null";
    const object = value as Record<string, unknown>;
    let text = "";
    for (let i = 0; i < keys.length; i += 1) text += prefixes[i]! + printers[i]!(object[keys[i]!]);
    return text === "" ? "{}" : `${text}}`;
  };
}

const compiled = new WeakMap<TSchema, Printer>();

/** A printer for values of the schema; null prints as null everywhere. Compiled once per schema. */
export function compilePrinter(schema: TSchema): Printer {
  let printer = compiled.get(schema);
  if (printer === undefined) {
    printer = build(schema);
    compiled.set(schema, printer);
  }
  return printer;
}

function build(schema: TSchema): Printer {
  const node = schema as unknown as Node;
  if (Array.isArray(node.anyOf)) {
    const members = (node.anyOf as Node[]).filter((member) => member.type !== "null");
    // Only "or null" is a union in output schemas; anything else is printed by looking at the value.
    return members.length === 1 ? compilePrinter(members[0] as unknown as TSchema) : canonicalJson;
  }
  switch (node.kind) {
    case "instant":
    case "instant_open":
    case "duration":
      return printInstant;
    case "int":
    case "double":
      return printNumber;
    case "string":
      return printText;
    default:
  }
  if (node.type === "array") return arrayPrinter(compilePrinter(node.items as TSchema));
  if (node.type === "object" && node.properties !== undefined) {
    return objectPrinter(node.properties as Record<string, Node>);
  }
  return canonicalJson;
}
