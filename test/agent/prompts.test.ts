// The fixed texts for models: their sizes, their parts, and that the manual tells all of the registry that plans need.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { planShape } from "../../src/agent/fronts/json-front.js";
import { manualParts, manualText } from "../../src/agent/prompt/manual.js";
import { QUESTION_SHAPES } from "../../src/agent/prompt/question-shapes.js";
import { REPORTER_SYSTEM } from "../../src/agent/prompt/reporter-system.js";
import { examplesOf, plannerSystem } from "../../src/agent/prompt/systems.js";
import { roughTokens } from "../../src/agent/provider/tokens.js";
import { DECLARATIONS } from "../../src/operators/registry.js";

interface Form {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

/** The names of all fields of a schema, at every depth. */
function fieldNames(schema: unknown): string[] {
  const { properties = {}, items, title, list, kind } = schema as Record<string, never> & { properties?: object };
  // What is inside a value is told by the value.
  if (kind !== undefined) return [];
  const names = Object.entries(properties as Record<string, unknown>).flatMap(([name, member]) =>
    // Of a list with pages of its own the rows are told.
    list === true && name !== "rows" ? [] : [name, ...fieldNames(member)],
  );
  return title === undefined ? [...names, ...(items === undefined ? [] : fieldNames(items))] : [];
}

describe("the prompts", () => {
  it("keep to their sizes", () => {
    expect(roughTokens(plannerSystem().text)).toBeLessThanOrEqual(6_500);
    expect(roughTokens(REPORTER_SYSTEM.text)).toBeLessThanOrEqual(900);
  });

  it("have a digest of their own", () => {
    for (const { text, digest } of [plannerSystem(), REPORTER_SYSTEM]) {
      expect(digest).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
    }
    expect(plannerSystem().digest).not.toBe(REPORTER_SYSTEM.digest);
  });

  it("explain every operator with its output fields and its required arguments", () => {
    const parts = new Map(manualParts("full").map(({ name, text }) => [name, text]));
    for (const { name, output, args } of DECLARATIONS) {
      const text = parts.get(name)!;
      for (const field of fieldNames(output)) expect(text, `${name}.${field}`).toContain(field);
      for (const { required = [], properties } of ("anyOf" in args ? args.anyOf : [args]) as readonly Form[]) {
        const left = required.filter((argument) => !("default" in properties[argument]!));
        for (const argument of left) expect(text, `${name}.${argument}`).toContain(`${argument}*`);
      }
    }
    expect(manualText(new Set(["scan"])).length).toBeLessThan(manualText().length / 4);
  });

  it("say of every operator what it is for, and of nothing else", () => {
    expect(QUESTION_SHAPES.map(({ operator }) => operator).sort()).toEqual(DECLARATIONS.map(({ name }) => name).sort());
  });

  it("are the same bytes for the same size, and have the parts in their order", () => {
    const operators = new Set(["compute", "aggregate_events"]);
    const size = () => ({ front: "json" as const, operators, examples: 2, question: null });
    expect(plannerSystem({ ...size(), operators: new Set(["aggregate_events", "compute"]) })).toEqual(
      plannerSystem(size()),
    );
    for (const system of [plannerSystem(), plannerSystem(size())]) {
      expect(system.parts.map(({ name }) => name)).toEqual(["role", "form", "policy", "manual", "examples"]);
      expect(system.text).toBe(system.parts.map(({ text }) => text).join("\n\n"));
    }
    expect(plannerSystem({ ...size(), examples: 0 }).parts).toHaveLength(4);
    const kinds = (question: string | null) => examplesOf({ ...size(), question }).map(({ kind }) => kind);
    expect(kinds(null)).toEqual(["total", "top"]);
    // "How many" is asked of payments alone, of people and of senders; no word of the last question is in an example.
    expect(kinds("How many payments were made to Ada?").at(-1)).toBe("total");
    expect(kinds("Who paid in April and nobody in May?").at(-1)).toBe("set difference");
    expect(kinds("Quo vadis?")).toEqual(["top", "total"]);
  });

  it("ask servers for a schema of the common subset", () => {
    const text = JSON.stringify(planShape(12));
    expect(text).not.toMatch(/\$ref|"pattern"|"format"|"if"|"oneOf"/);
    expect(planShape(12).schema.type).toBe("object");
  });
});
