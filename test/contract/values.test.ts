// The rules for property values, texts and their order.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameValue } from "../../src/contract/canonical.js";
import { compareCodePoints, sortedSet } from "../../src/contract/code-points.js";
import { checkBytes, isWellFormed, normaliseValue } from "../../src/contract/values.js";

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe("values", () => {
  it("keeps the classes of numbers apart", () => {
    expect(normaliseValue([-0, 5n, 2n ** 53n, 2 ** 53, 0.5], "v")).toEqual([0, 5, 2n ** 53n, 2 ** 53, 0.5]);
    expect(sameValue(2 ** 53, 2n ** 53n)).toBe(false);
    expect(sameValue({ a: [1], b: null }, { b: null, a: [1] })).toBe(true);
  });

  it.each([
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2n ** 63n,
    -(2n ** 63n) - 1n,
    "\ud800",
    ["\udc00x"],
    { "\ud800": 1 },
    nested(65),
  ])("refuses %#", (value) => {
    expect(() => normaliseValue(value, "v")).toThrowError(expect.objectContaining({ code: "E_INVALID_ARG" }));
  });

  it.each([undefined, () => 1, Symbol("x"), new Map(), new Date(), [undefined]])("is no JSON: %#", (value) => {
    expect(() => normaliseValue(value, "v")).toThrowError(expect.objectContaining({ code: "E_SCHEMA" }));
  });

  it("takes nesting of 64 and strings with pairs of surrogates", () => {
    expect(() => normaliseValue(nested(64), "v")).not.toThrow();
    expect(isWellFormed("\u{1f600}")).toBe(true);
  });

  it("counts bytes, not characters", () => {
    expect(() => checkBytes("é".repeat(512), 1024, "uid")).not.toThrow();
    expect(() => checkBytes("é".repeat(513), 1024, "uid")).toThrowError(
      expect.objectContaining({ code: "E_INVALID_ARG" }),
    );
  });
});

describe("code point order", () => {
  it("is the order of UTF-8 bytes", () => {
    const text = fc.string({ unit: "binary", maxLength: 4 }).filter(isWellFormed);
    fc.assert(
      fc.property(text, text, (a, b) => {
        const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect(Math.sign(compareCodePoints(a, b))).toBe(bytes);
      }),
    );
    expect(sortedSet(["\u{1f600}", "\uff5e", "a", "\uff5e"])).toEqual(["a", "\uff5e", "\u{1f600}"]);
  });
});
