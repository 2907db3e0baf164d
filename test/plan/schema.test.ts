// The published JSON Schema of plans is the one that the program has.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { planSchemaText } from "../../src/plan/schema.js";

it("docs/plan.schema.json is up to date; if not, npm run docs:plan writes it", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/plan.schema.json"), "utf8");
  expect(page).toBe(planSchemaText());
});
