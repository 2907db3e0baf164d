// The JSON in what a model wrote: which object it is, held against expressions that say it by definition, and in a time that
// grows with the text alone, whatever is left open in it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractObject, withoutReasoning } from "../../src/agent/provider/extract.js";

const CLOSED = /<(think|thinking|reasoning|thought)>[\s\S]*?<\/\1>/gi;
const ENDED = /^[\s\S]*<\/(think|thinking|reasoning|thought)>/i;
const OPEN = /<(think|thinking|reasoning|thought)>[\s\S]*$/i;
const byDefinition = (text: string): string => text.replace(CLOSED, "").replace(ENDED, "").replace(OPEN, "");

const PIECES = [
  ...["<think>", "</think>", "<THINK>", "</Think>", "<thought>", "</thought>", "<reasoning>", "</thinking>"],
  ...["a", "{}", "\n", "<th", "ink>", "</", "\u0130"],
];

describe("reasoning", () => {
  it("is left out as its definition says", () => {
    const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        expect(withoutReasoning(text)).toBe(byDefinition(text));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("megabytes of what is left open", () => {
  const MEGABYTE = 1 << 20;
  const filled = (piece: string): string => piece.repeat(Math.ceil(MEGABYTE / piece.length));

  // What takes the square of the length takes minutes of this.
  it.each([
    ["reasoning", filled("<think>")],
    ["reasoning of other names", `${filled("<think><thought>")}</reasoning>`],
    ["a fence and blanks", `\`\`\`${filled(" ")}`],
    ["a fence and lines", `\`\`\`json${filled("\n")}`],
    ["a fence and a language", `\`\`\`${filled("a")}`],
    ["fences", filled("``` ")],
    ["objects", filled("{")],
    ["ends of reasoning", filled("</think")],
  ])("is read at once: %s", (_, text) => {
    const begun = performance.now();
    expect(extractObject(text, () => true).kind).toBe("wrong");
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it.each(['```json\n{"n": 1}\n```', '```{"n": 1}```', '```\n\n {"n": 1}``` {"n": 2}'])(
    "hides no object in a fence that is closed: %s",
    (text) => {
      expect(extractObject(`${text}\`\`\`${filled(" ")}`, () => true)).toEqual({ kind: "object", value: { n: 1 } });
    },
  );
});
