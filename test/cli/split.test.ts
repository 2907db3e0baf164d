// Where statements end: not inside strings, quoted names and comments, and with their place in the whole text.
import { describe, expect, it } from "vitest";
import { splitScript } from "../../src/cli/script/split.js";

const texts = (script: string) => splitScript(script).statements.map(({ text }) => text);

describe("splitting a script", () => {
  it.each([
    ["SELECT 1; SELECT 2;", ["SELECT 1", "SELECT 2"]],
    ["SELECT 'a;b';", ["SELECT 'a;b'"]],
    ["SELECT 'it''s; so';", ["SELECT 'it''s; so'"]],
    ["SELECT 'back\\';", ["SELECT 'back\\'"]],
    ['SELECT x.";" FROM y;', ['SELECT x.";" FROM y']],
    ["SELECT `;`;", ["SELECT `;`"]],
    ["SELECT 1 -- no; end\n + 2;", ["SELECT 1 -- no; end\n + 2"]],
    ["SELECT /* ; ' */ 1;", ["SELECT /* ; ' */ 1"]],
    ["MATCH (a)-->(b); SELECT 2;", ["MATCH (a)-->(b)", "SELECT 2"]],
    ["MATCH (a)--(b); SELECT 2;", ["MATCH (a)--(b)", "SELECT 2"]],
    [";;  ; -- nothing\n;", []],
    ["-- first\nSELECT 1;", ["-- first\nSELECT 1"]],
  ])("%j", (script, expected) => {
    const split = splitScript(script);
    expect(split.statements.map(({ text }) => text)).toEqual(expected);
    expect([split.rest, split.open]).toEqual([null, null]);
  });

  it("places many statements of one line", { timeout: 10_000, retry: 2 }, () => {
    const count = 20_000;
    // Twelve code points, and a blank behind the ; before the next.
    const { statements } = splitScript(`\n${"SELECT '\u{1f600}é'; ".repeat(count)}`);
    expect(statements).toHaveLength(count);
    for (const i of [0, 1, count - 1]) {
      expect(statements[i]).toEqual({ text: "SELECT '\u{1f600}é'", line: 2, column: 13 * i + 1 });
    }
  });

  it("gives what is not ended, and what it has opened", () => {
    expect(splitScript("SELECT 1;\n SELECT 'a")).toMatchObject({
      rest: { text: "SELECT 'a", line: 2, column: 2 },
      open: "'",
    });
    expect(splitScript("/* ; ")).toMatchObject({ rest: { text: "/* ; " }, open: "/*" });
    expect(splitScript("SELECT 1; -- the end").rest).toBeNull();
    expect(splitScript("").rest).toBeNull();
  });

  it("knows line and column of each statement, in code points", () => {
    const { statements } = splitScript("SELECT '😀'; SELECT 2;\r\n\n  SELECT\n3;SELECT 4;");
    expect(statements.map(({ text, line, column }) => [text, line, column])).toEqual([
      ["SELECT '😀'", 1, 1],
      ["SELECT 2", 1, 13],
      ["SELECT\n3", 3, 3],
      ["SELECT 4", 4, 3],
    ]);
  });

  it("reads a long script once", () => {
    const script = "SELECT 1 AS one;\n".repeat(50_000);
    const started = performance.now();
    expect(texts(script)).toHaveLength(50_000);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
