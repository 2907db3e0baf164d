// Texts of JSON that nest without end: refused like any other wrong text, whichever way they would have been read.
import { describe, expect, it } from "vitest";
import { parseExact, parseUnambiguous } from "../../src/contract/exact-json.js";

const arrays = (depth: number, inside: string): string => `${"[".repeat(depth)}${inside}${"]".repeat(depth)}`;
const objects = (depth: number, inside: string): string => `${'{"a":'.repeat(depth)}${inside}${"}".repeat(depth)}`;
/** The second is read digit by digit. */
const INSIDES = ["1", "9007199254740993"];

describe.each([
  ["parseExact", parseExact],
  ["parseUnambiguous", parseUnambiguous],
])("%s", (_, parse) => {
  it.each([arrays, objects].flatMap((nested) => INSIDES.map((inside) => [nested, inside] as const)))(
    "takes a nesting of 1000, and refuses more by code",
    (nested, inside) => {
      expect(() => parse(nested(1_000, inside))).not.toThrow();
      for (const depth of [1_001, 5_000, 200_000]) {
        expect(() => parse(nested(depth, inside))).toThrowError(
          expect.objectContaining({
            code: "E_INVALID_ARG",
            message: expect.stringContaining("nesting deeper than 1000"),
          }),
        );
      }
    },
  );

  it("counts no bracket that stands in a text, and none that is closed", () => {
    const text = `"${"[{".repeat(3_000)}\\"${"[{".repeat(3_000)}"`;
    expect(parse(text)).toBe(JSON.parse(text));
    const wide = `[${Array.from({ length: 3_000 }, () => '{"a":[]}').join(",")}]`;
    expect(parse(wide)).toHaveLength(3_000);
  });
});
