// Every declaration is whole: closed schemas, marks, bounds, and outputs that the examples really produce.
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import type { TSchema } from "typebox";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { timeArguments } from "../../src/operators/paths.js";
import { compilePrinter } from "../../src/operators/printer.js";
import { DECLARATIONS, lookUp } from "../../src/operators/registry.js";
import { SHARED_SCHEMAS, shapeSchema } from "../../src/operators/shape.js";

type Node = Record<string, unknown>;

const COMMON = ["op", "args", "pin", "rows_total", "truncated", "cursor", "complete", "incomplete", "erased"];

/** Every schema node of a tree, with its path. */
function* nodesOf(node: Node, path = ""): Generator<{ node: Node; path: string }> {
  yield { node, path };
  for (const [i, member] of ((node.anyOf as Node[] | undefined) ?? []).entries())
    yield* nodesOf(member, `${path}|${i}`);
  for (const [key, member] of Object.entries((node.properties as Record<string, Node> | undefined) ?? {})) {
    yield* nodesOf(member, `${path}/${key}`);
  }
  if (node.items !== undefined) yield* nodesOf(node.items as Node, `${path}[]`);
}

/** The members of a union but null, or the node itself. */
const choices = (node: Node): Node[] =>
  ((node.anyOf as Node[] | undefined) ?? [node]).flatMap((member) =>
    member.anyOf === undefined ? [member] : choices(member),
  );

/** Paths of the fields that a value of a schema has; a field that the schema does not name fails. */
function fieldsOf(value: unknown, node: Node, path: string, seen: Set<string>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    const items = choices(node).find((choice) => choice.items !== undefined)?.items as Node | undefined;
    expect(items, path).toBeDefined();
    for (const member of value) fieldsOf(member, items!, `${path}[]`, seen);
    return;
  }
  if (typeof value !== "object") return;
  const objects = choices(node).filter((choice) => choice.properties !== undefined);
  if (objects.length === 0) return;
  for (const [key, member] of Object.entries(value)) {
    const named = objects.find((choice) => key in (choice.properties as Node));
    expect(named, `${path}/${key} is registered`).toBeDefined();
    seen.add(`${path}/${key}`);
    fieldsOf(member, (named!.properties as Record<string, Node>)[key]!, `${path}/${key}`, seen);
  }
}

describe.each(DECLARATIONS)("$name", (declaration) => {
  const args = declaration.args as unknown as Node;
  const output = declaration.output as unknown as Node;

  it("has arguments closed at every depth, every list bounded", () => {
    for (const { node, path } of nodesOf(args)) {
      if (node.type === "object") expect(node.additionalProperties, path).toBe(false);
      if (node.type === "array") expect(node.maxItems, path).toEqual(expect.any(Number));
      // The bounds of {us} are those of the calendar, judged as E_INVALID_ARG and not by the shape.
      if (node.type === "integer" && !path.endsWith("/us"))
        expect([node.minimum, node.maximum], path).toEqual([expect.any(Number), expect.any(Number)]);
    }
  });

  it("types and explains every field, and gives every count a unit", () => {
    for (const { node, path } of nodesOf(output)) {
      if (node.kind === undefined) continue;
      expect(node.description, path).toEqual(expect.any(String));
      if (node.kind === "int") expect(node.unit, path).toEqual(expect.any(String));
    }
  });

  it("has lists among its fields, `rows` first, and subjects and pins among its arguments", () => {
    expect(declaration.lists[0]?.field).toBe("rows");
    for (const { field } of declaration.lists) expect(Object.keys(output.properties as Node)).toContain(field);
    const pins = timeArguments(declaration.args).pins;
    expect(declaration.pins === null).toBe(declaration.prepare !== undefined);
    expect(pins).toEqual(declaration.pins === null ? [] : expect.arrayContaining([declaration.pins.envelope]));
    for (const path of declaration.subjects.paths) {
      expect(Object.keys(args.properties as Node)).toContain(path.split(".")[0]);
    }
  });

  it("has at least three examples, which show every registered field and no other", () => {
    expect(declaration.examples.length).toBeGreaterThanOrEqual(3);
    const seen = new Set<string>();
    for (const { envelope } of declaration.examples) {
      const payload = Object.fromEntries(Object.entries(envelope).filter(([name]) => !COMMON.includes(name)));
      fieldsOf(payload, output, "", seen);
    }
    for (const { node, path } of nodesOf(output)) {
      if (node.kind !== undefined) expect(seen, path).toContain(path.replaceAll(/\|\d+/g, "").replace(/\[\]$/, ""));
    }
  });

  it("prints what canonical JSON prints", () => {
    const { printers } = lookUp(declaration.name);
    for (const { envelope } of declaration.examples) {
      for (const [name, print] of printers) {
        const value = envelope[name];
        if (value !== undefined) expect(print(value)).toBe(canonicalJson(value));
      }
    }
  });
});

describe("printers", () => {
  const row = {
    type: "object",
    properties: {
      text: { kind: "string" },
      "\u{1f600}": { kind: "json" },
      "\uff5e": { anyOf: [{ kind: "int" }, { type: "null" }] },
      list: { type: "array", items: { kind: "double" } },
    },
  } as unknown as TSchema;

  it("write the bytes of canonical JSON for any value", () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    );
    const rows = fc.record({
      text: fc.string({ unit: "grapheme" }),
      "\u{1f600}": fc.jsonValue(),
      "\uff5e": fc.option(number),
      list: fc.array(number),
    });
    const print = compilePrinter(row);
    fc.assert(
      fc.property(rows, (value) => {
        expect(print(value)).toBe(canonicalJson(value));
      }),
    );
  });
});

function expectSchema(schema: object): void {
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
}

it.each(Object.entries(SHARED_SCHEMAS))("the shape of every %s is a valid JSON Schema", (_, schema) =>
  expectSchema(schema),
);

describe.each(DECLARATIONS)("the shape of $name", ({ args }) => {
  it("is a valid JSON Schema, which the product does not check again", () => expectSchema(shapeSchema(args)));
});
