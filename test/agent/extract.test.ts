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

/** Where the object that begins at a place ends, by its definition: where its braces outside of texts balance. */
function endByDefinition(text: string, from: number): number {
  let depth = 0;
  let isInText = false;
  for (let i = from; i < text.length; i += 1) {
    if (isInText && text[i] === "\\") i += 1;
    else if (text[i] === '"') isInText = !isInText;
    else if (!isInText && text[i] === "{") depth += 1;
    else if (!isInText && text[i] === "}") depth -= 1;
    if (depth === 0) return i + 1;
  }
  return -1;
}

describe("objects", () => {
  it("are those that balance and are in no other that does", () => {
    const pieces = ["{", "{", "}", "}", '"', "\\", '{"a":', '{"n":1}', "a", " "];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((given) => given.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const expected: unknown[] = [];
        for (let from = text.indexOf("{"); from >= 0; ) {
          const end = endByDefinition(text, from);
          const object = end < 0 ? null : parsed(text.slice(from, end));
          if (object !== null) expected.push(object);
          from = text.indexOf("{", end < 0 ? from + 1 : end);
        }
        const tried: unknown[] = [];
        extractObject(text, (value) => {
          tried.push(value);
          return false;
        });
        expect(tried).toEqual(expected);
      }),
      { numRuns: 5_000 },
    );
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

describe("megabytes of what is left open", () => {
  const MEGABYTE = 1 << 20;
  const filled = (piece: string, megabytes = 1): string =>
    piece.repeat(Math.ceil((megabytes * MEGABYTE) / piece.length));

  // As much as a body may have. What walked to the end for each of 64 braces took twenty seconds.
  it.each(["{", '{"', '{"a":', '{"{\\"'])(
    "is walked a few times, all that a server may send: %s",
    { retry: 2 },
    (piece) => {
      const text = filled(piece, 8);
      const timeOf = (work: () => void): number => {
        const begun = performance.now();
        work();
        return performance.now() - begun;
      };
      const walkMs = timeOf(() => expect(endByDefinition(text, 0)).toBe(-1));
      expect(timeOf(() => expect(extractObject(text, () => true).kind).toBe("wrong"))).toBeLessThan(24 * walkMs);
    },
  );

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
