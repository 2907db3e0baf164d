// Tables for people: what is aligned, what is cut, what is never cut, and that stored text cannot steer a terminal.
import pc from "picocolors";
import { describe, expect, it } from "vitest";
import { cutTo, displayWidth } from "../../src/cli/formats/display-width.js";
import { answerLines } from "../../src/cli/formats/print-answer.js";
import { tableLines } from "../../src/cli/formats/table.js";

const plain = { width: null, colours: pc.createColors(false) };
const column = (name: string, type: string) => ({ name, type });

describe("a table", () => {
  it("has numbers on the right, texts on the left, and says NULL and forever", () => {
    const table = {
      columns: [column("uid", "string"), column("n", "int"), column("until", "instant_open")],
      rows: [
        { uid: "ada", n: 7, until: null },
        { uid: "b", n: 1234n, until: "2025-01-01T00:00:00Z" },
        { uid: "c", n: null, until: null },
      ],
    };
    expect(tableLines(table, plain)).toEqual([
      "uid     n  until",
      "───  ────  ────────────────────",
      "ada     7  forever",
      "b    1234  2025-01-01T00:00:00Z",
      "c    NULL  forever",
    ]);
  });

  it("writes numbers as canonical JSON does, periods half-open, lists and objects as JSON", () => {
    const table = {
      columns: [column("x", "double"), column("p", "period"), column("q", "period"), column("l", "json")],
      rows: [
        {
          x: 1e300,
          p: { from: "2025-01-01T00:00:00Z", to: null },
          q: { from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" },
          l: [1, { b: 2n, a: "x" }],
        },
      ],
    };
    const [, , row] = tableLines(table, plain);
    expect(row).toBe(
      '1e+300  [2025-01-01T00:00:00Z, forever)  [2025-01-01T00:00:00Z, 2026-01-01T00:00:00Z)  [1,{"a":"x","b":2}]',
    );
  });

  it("cuts long texts to the width, the longest first, and never identities, instants and numbers", () => {
    const table = {
      columns: [column("uid", "string"), column("name", "string"), column("note", "string"), column("n", "int")],
      rows: [{ uid: "u".repeat(20), name: "short", note: "a long note that goes on and on", n: 123456789 }],
    };
    const lines = tableLines(table, { ...plain, width: 50 });
    expect(Math.max(...lines.map(displayWidth))).toBe(50);
    expect(lines[2]).toBe(`${"u".repeat(20)}  short  a long no…  123456789`);
    const narrow = tableLines(table, { ...plain, width: 10 })[2]!;
    expect(narrow).toContain("u".repeat(20));
    expect(narrow).toContain("123456789");
    expect(tableLines(table, plain)[2]).toContain("goes on and on");
  });

  it("cuts nothing of a plan, and draws none", () => {
    const table = { kind: "explain", columns: [column("arguments", "string")], rows: [{ arguments: "x".repeat(90) }] };
    for (const format of ["table", "chart"] as const) {
      const { lines, remark } = answerLines(table, format, { ...plain, width: 40 });
      expect([lines[2], remark]).toEqual(["x".repeat(90), null]);
    }
  });

  it("counts wide and combining characters as a terminal draws them", () => {
    expect([displayWidth("東京"), displayWidth("e\u0301"), displayWidth("añ")]).toEqual([4, 1, 2]);
    expect(cutTo("東京都庁", 5)).toBe("東京…");
    const table = {
      columns: [column("a", "string"), column("b", "string")],
      rows: [
        { a: "東京", b: "x" },
        { a: "ab", b: "y" },
      ],
    };
    expect(tableLines(table, plain).slice(2)).toEqual(["東京  x", "ab    y"]);
  });

  it("shows control characters instead of sending them", () => {
    const table = { columns: [column("note", "string")], rows: [{ note: "\u001b[31mred\nnext\u202e" }] };
    expect(tableLines(table, plain)[2]).toBe("\\u001b[31mred\\nnext\\u202e");
    const named = { columns: [column("a\u001bb", "string")], rows: [{ "a\u001bb": "x" }] };
    expect(tableLines(named, plain)[0]).toBe("a\\u001bb");
  });

  it("greys NULL and sets names in bold where there are colours", () => {
    const colours = pc.createColors(true);
    const lines = tableLines({ columns: [column("n", "int")], rows: [{ n: null }] }, { width: null, colours });
    expect(lines[0]).toBe(colours.bold("   n"));
    expect(lines[2]).toBe(colours.gray("NULL"));
  });

  it("has its names where there are no rows, and nothing where there are no columns", () => {
    expect(tableLines({ columns: [column("uid", "string")], rows: [] }, plain)).toEqual(["uid", "───"]);
    expect(tableLines({ columns: [], rows: [] }, plain)).toEqual([]);
  });
});
