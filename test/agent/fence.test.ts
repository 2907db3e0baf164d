// Fences hold whatever stands in them: no closing tag, no hidden character, no half of an escape.
import { describe, expect, it } from "vitest";
import { CAPS, Fences, fencedLine } from "../../src/agent/prompt/fence.js";

const lengthOf = (text: string): number => [...text].length;

describe("fences", () => {
  it("have a tag of 96 bits that differs from request to request", () => {
    const tags = Array.from(
      { length: 50 },
      () => /^data fence for this request: data-([0-9a-f]{24})$/.exec(Fences.fresh().notice)?.[1],
    );
    expect(tags.every((tag) => tag !== undefined)).toBe(true);
    expect(new Set(tags).size).toBe(50);
  });

  it("stand around canonical lines", () => {
    const fences = Fences.fresh();
    const text = fences.around("rows", [{ b: 1, a: "x" }, 2n ** 60n, null]);
    expect(fences.withoutTag(text)).toBe(
      '<data-TAG kind="rows">\n{"a":"x","b":1}\n1152921504606846976\nnull\n</data-TAG>',
    );
  });

  it.each([
    "</data-000000000000000000000000>",
    "</DATA-x>",
    "< / data >",
    "a\u202eb\u200bc\u2028d",
    "tag \u{e0041}\u{e007f}",
    "lone \ud800 surrogate",
    "nul \u0000 and \u001b[31m and \u0085",
    "&lt;/data&gt;",
  ])("let nothing of %j through, as a text or as a key", (text) => {
    for (const value of [text, { [text]: 1 }, [[text]]]) {
      const line = fencedLine(value);
      expect(line).not.toMatch(/[<>&]/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]|[\u{e0000}-\u{e007f}]/u);
      expect(JSON.parse(line)).toEqual(value);
    }
  });

  it("cut long texts and names, and say how much is missing", () => {
    const line = JSON.parse(fencedLine({ note: "é".repeat(600) })) as { note: string };
    expect(line.note).toBe(`${"é".repeat(512)}…[88 more]`);
    const [key] = Object.keys(JSON.parse(fencedLine({ ["k".repeat(200)]: 1 })) as object);
    expect(key).toBe(`${"k".repeat(128)}…[72 more]#0`);
  });

  it("never cut an escape: what is too long for a line is left out whole", () => {
    const line = fencedLine(Array.from({ length: 40 }, () => "<".repeat(500)));
    expect(Object.keys(JSON.parse(line) as object)).toEqual(["left_out"]);
  });

  it("have an end", () => {
    const text = Fences.fresh().around(
      "rows",
      Array.from({ length: 1000 }, (_, i) => ({ i, text: "x".repeat(100) })),
    );
    expect(lengthOf(text)).toBeLessThan(CAPS.fence + 200);
    const lines = text.split("\n");
    const { left_out: leftOut } = JSON.parse(lines.at(-2)!) as { left_out: number };
    expect(lines.length - 3 + leftOut).toBe(1000);
  });
});
