// Wrong statements: the kind, the place and the cure of each, from a data file.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScript, parseSelect, parseStatement, renderProblem } from "../../grammar/index.js";

const LINE = /^(\w+)\s+(\d+)\s\s?(.*?)\s\s+(.*)$/;
const cases = readFileSync(join(import.meta.dirname, "syntax-errors.txt"), "utf8")
  .trimEnd()
  .split("\n")
  .filter((line) => !line.startsWith("#"))
  .map((line) => {
    const [, kind, column, hint, text] = LINE.exec(line)!;
    const statement = text!.replace(/\\u\{(\w+)\}/g, (_, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, 16)),
    );
    return { line, kind: kind!, column: Number(column), hint: hint!, statement };
  });

describe("syntax errors", () => {
  it("are many", () => expect(cases.length).toBeGreaterThan(70));

  it.each(cases.map((one) => [one.line, one] as const))("%s", (_line, { kind, column, hint, statement }) => {
    const { problem } = parseStatement(statement);
    expect(problem).not.toBeNull();
    expect({ kind: problem!.kind, column: problem!.position.column }).toEqual({ kind, column });
    expect(problem!.hint).toContain(hint);
    expect(problem!.message).not.toBe("");
  });

  it("count lines, and columns by code points", () => {
    const { problem } = parseStatement("SELECT '🜚🜚',\r\n\t'ö' 'x'\n;");
    expect(problem!.position).toEqual({ line: 2, column: 6, offset: 21, length: 3 });
    expect(problem!.found).toBe("'x'");
  });

  it("stand behind the last token at the end of a statement", () => {
    const { problem } = parseStatement("MATCH (n)\n  WHERE n.x = 'a\nb'   -- and then?\n");
    expect(problem!.kind).toBe("no_return");
    expect(problem!.position).toEqual({ line: 3, column: 3, offset: 29, length: 0 });
    expect(problem!.found).toBeNull();
  });

  it("name rules, not tokens", () => {
    expect(parseStatement("SELECT").problem!.expected).toEqual(["DISTINCT", "*", "an expression"]);
    expect(parseStatement("MATCH (a)-[:T]-> RETURN a").problem!.expected).toContain("a node");
    expect(parseStatement("SELECT 1 FROM EDGES() FOR VALID_TIME FROM").problem!.expected).toEqual(["an instant"]);
    expect(parseStatement("COMMIT 1").problem!.expected).toEqual(["the end of the statement"]);
  });

  it("are one for each statement of a script, at their true places", () => {
    const script = "SELCT 1;\n;; SELECT 2;\n  SELECT ';' FORM t; SELECT 3";
    const places = parseScript(script).map(({ problem, text, offset }) => [
      problem === null ? null : `${problem.kind} ${problem.position.line}:${problem.position.column}`,
      text === script.slice(offset, offset + text.length),
    ]);
    expect(places).toEqual([
      ["misspelt 1:1", true],
      [null, true],
      ["misspelt 3:14", true],
      [null, true],
    ]);
  });

  it("say what the operator select does not take", () => {
    expect(parseSelect("SELECT 1 FROM t").problem).toBeNull();
    for (const text of ["SELECT 1;", "INSERT ({uid: 'x'})", "MATCH (n) DELETE n", "SHOW TYPES", ""]) {
      expect(parseSelect(text).problem, text).not.toBeNull();
    }
  });

  it("are shown with their line and a caret", () => {
    const text = "SELECT e.src\nFROM EVENTS(PAID)\nFOR VALID_TIME FROM DATE '2025-01-01' GROUP BY e.src";
    expect(renderProblem(text, parseStatement(text).problem!)).toBe(
      [
        "E_SYNTAX: expected TO after FROM DATE '2025-01-01', found GROUP (line 3, column 39)",
        "  3 | FOR VALID_TIME FROM DATE '2025-01-01' GROUP BY e.src",
        "    |                                       ^^^^^",
        "  hint: a range has two ends: FROM DATE '2025-01-01' TO <instant>, or TO FOREVER",
      ].join("\n"),
    );
  });

  it("are shown in a part of a long line, without control characters", () => {
    const text = `SELECT ${"1, ".repeat(100)}\u001b[31m`;
    const lines = renderProblem(text, parseStatement(text).problem!).split("\n");
    expect(lines[1]!.length).toBeLessThan(120);
    expect(lines[1]!.indexOf("[31m")).toBe(lines[2]!.indexOf("^") + 1);
    expect(lines.join("")).not.toContain("\u001b");
  });
});
