// Every example of the language parses; printing is a fixed point, and what is printed means the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScript, parseStatement, printStatement } from "../../grammar/index.js";
import { meaningOf } from "./meaning.js";

const examples = parseScript(readFileSync(join(import.meta.dirname, "examples.tql"), "utf8"));

describe("the examples", () => {
  it("are all there", () => expect(examples.length).toBe(116));

  it.each(examples.map((example) => [example.text.replaceAll(/\s+/g, " ").slice(0, 90), example] as const))(
    "%s",
    (_title, { statement, problem, text }) => {
      expect(problem).toBeNull();
      const printed = printStatement(statement!);
      const again = parseStatement(printed);
      expect(again.problem, printed).toBeNull();
      expect(meaningOf(again.statement)).toEqual(meaningOf(statement));
      expect(printStatement(again.statement!)).toBe(printed);
      expect(parseStatement(text).problem).toBeNull();
    },
  );
});
