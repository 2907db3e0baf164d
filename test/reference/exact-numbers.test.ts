// The reference engine's exact arithmetic: values at the edges of rounding, told from the definition of a double.

import { describe, expect, it } from "vitest";
import { fractionOf, nearestWhole, rootOf, rounded, toDouble } from "../../src/reference/exact-numbers.js";
import { deviationOf, meanOf, medianOf, percentileOf, sumOf } from "../../src/reference/statistics.js";

describe("exact numbers", () => {
  it("takes a double apart and puts it together again", () => {
    for (const value of [0.1, -1 / 3, 5e-324, 1.7976931348623157e308, 2 ** 53, -123456.789, 2.2250738585072014e-308]) {
      expect(toDouble(fractionOf(value))).toBe(value);
    }
    expect(fractionOf(-0.375)).toEqual({ num: -3n, den: 8n });
  });

  it("rounds quotients half to even", () => {
    expect(toDouble({ num: 1n, den: 3n })).toBe(1 / 3);
    expect(toDouble({ num: -10n, den: 7n })).toBe(-10 / 7);
    expect(toDouble({ num: 2n ** 53n + 1n, den: 1n })).toBe(2 ** 53);
    expect(toDouble({ num: 2n ** 53n + 3n, den: 1n })).toBe(2 ** 53 + 4);
    // Above the half by less than any double tells.
    expect(toDouble({ num: (2n ** 53n + 1n) * 10n ** 60n + 1n, den: 10n ** 60n })).toBe(2 ** 53 + 2);
    expect([-3n, -1n, 1n, 3n, 5n].map((num) => nearestWhole({ num, den: 2n }))).toEqual([-2n, 0n, 0n, 2n, 2n]);
  });

  it("rounds to nine decimals on the exact binary value", () => {
    expect(rounded(2 ** -10)).toBe(0.000976562);
    expect(rounded(3 * 2 ** -10)).toBe(0.002929688);
    expect(rounded(2 / 3)).toBe(0.666666667);
    expect(Object.is(rounded(-1e-12), 0)).toBe(true);
    expect(rounded(1e300)).toBe(1e300);
  });

  it("takes roots that are correctly rounded", () => {
    for (const value of [2, 3, 0.25, 1e-300, 1e300, 123456789])
      expect(rootOf(fractionOf(value))).toBe(Math.sqrt(value));
  });
});

describe("statistics", () => {
  it("adds exactly before it rounds", () => {
    expect(sumOf([1e16, 1, -1e16])).toBe(1);
    expect(sumOf([0.1, 0.2, 0.3])).toBe(0.6);
    expect(sumOf([2n ** 62n, 2n ** 62n - 1n])).toBe(2n ** 63n - 1n);
    expect(() => sumOf([2n ** 62n, 2n ** 62n])).toThrow(/int64/);
    expect(meanOf([2n ** 62n, 2n ** 62n])).toBe(2 ** 62);
    expect(deviationOf([2, 4, 4, 4, 5, 5, 7, 9])).toBe(2);
    expect([sumOf([]), meanOf([]), medianOf([]), deviationOf([]), percentileOf([], 50)]).toEqual(Array(5).fill(null));
  });

  it("ranks by the decimal that p is written as", () => {
    const values = Array.from({ length: 1000 }, (_, i) => i + 1);
    expect([0, 0.1, 33.3, 50, 99.91, 100].map((p) => percentileOf(values, p))).toEqual([1, 1, 333, 500, 1000, 1000]);
    expect(percentileOf(values, 1e-7)).toBe(1);
    expect(medianOf([4, 1, 3, 2])).toBe(2.5);
  });
});
