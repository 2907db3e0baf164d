// The fixed texts for models: their sizes, that nothing in them depends on a store, and that their examples are legal plans.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { planShape } from "../../src/agent/planner.js";
import { manualParts, manualText } from "../../src/agent/prompt/manual.js";
import { plannerSystem, REPORTER_SYSTEM } from "../../src/agent/prompt/systems.js";
import { roughTokens } from "../../src/agent/provider/tokens.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { verifyPlan } from "../../src/plan/index.js";

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

  it("explain every operator with its output fields", () => {
    const parts = new Map(manualParts().map(({ name, text }) => [name, text]));
    for (const { name, output } of DECLARATIONS) {
      const text = parts.get(name)!;
      for (const field of Object.keys(output.properties)) expect(text, `${name}.${field}`).toContain(field);
    }
    expect(manualText(new Set(["scan"])).length).toBeLessThan(manualText().length / 4);
  });

  it("have examples that verify", () => {
    const plans = Array.from(
      plannerSystem().text.matchAll(/^\{"thought".*$/gm),
      ([line]) => JSON.parse(line) as Record<string, unknown>,
    );
    expect(plans).toHaveLength(3);
    for (const { thought, ...plan } of plans) {
      expect(typeof thought).toBe("string");
      expect(verifyPlan(plan)).toEqual({ valid: true, violations: [] });
    }
  });

  it("ask servers for a schema of the common subset", () => {
    const text = JSON.stringify(planShape(12));
    expect(text).not.toMatch(/\$ref|"pattern"|"format"|"if"|"oneOf"/);
    expect(planShape(12).schema.type).toBe("object");
  });
});
