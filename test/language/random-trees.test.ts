// Laws of the printer: what it prints parses to the same tree, and prints the same again.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStatement, printStatement } from "../../grammar/index.js";
import { meaningOf } from "./meaning.js";
import { randomStatement } from "./random-trees.js";

describe("random statements", () => {
  it("print to what parses to the same tree", () => {
    fc.assert(
      fc.property(randomStatement, (statement) => {
        const printed = printStatement(statement);
        const parsed = parseStatement(printed);
        expect(parsed.problem, printed).toBeNull();
        expect(meaningOf(parsed.statement), printed).toEqual(meaningOf(statement));
        expect(printStatement(parsed.statement!)).toBe(printed);
      }),
      { numRuns: 1200, seed: 20250305 },
    );
  });
});
