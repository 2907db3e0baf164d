// Exact sums and their one rounding, against fractions that are added one by one, and at the edges of a double.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactSum } from "../../src/operators/numbers/exact-sum.js";
import {
  ceilOf,
  derived,
  type Fraction,
  fractionOf,
  nearestWhole,
  percentFraction,
  rootOf,
  sumOfFractions,
  toDouble,
} from "../../src/operators/numbers/fractions.js";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const numeric = fc.oneof(finite, fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));

const equals = (a: Fraction, b: Fraction): boolean => a.num * b.den === b.num * a.den;

describe("fractions", () => {
  it("are doubles again, whatever the double", () => {
    fc.assert(
      fc.property(finite, (value) => {
        expect(toDouble(fractionOf(value))).toBe(value === 0 ? 0 : value);
      }),
    );
    for (const value of [Number.MIN_VALUE, 2 ** -1022, 2 ** -1022 - Number.MIN_VALUE, Number.MAX_VALUE]) {
      expect(toDouble(fractionOf(value))).toBe(value);
    }
  });

  it("round as the division of two integers does", () => {
    const safe = fc.maxSafeInteger();
    fc.assert(
      fc.property(safe, fc.integer({ min: 1, max: 2 ** 31 - 1 }), (num, den) => {
        expect(toDouble({ num: BigInt(num), den: BigInt(den) })).toBe(num === 0 ? 0 : num / den);
      }),
    );
  });

  it("round half to even, also below the normal doubles, and know the end of the doubles", () => {
    const least = 2n ** 1074n;
    expect(toDouble({ num: 1n, den: 2n * least })).toBe(0);
    expect(toDouble({ num: 3n, den: 2n * least })).toBe(2 * Number.MIN_VALUE);
    expect(toDouble({ num: 2n ** 53n + 1n, den: 1n })).toBe(2 ** 53);
    expect(toDouble({ num: (2n ** 53n + 1n) * 10n ** 40n + 1n, den: 10n ** 40n })).toBe(2 ** 53 + 2);
    expect(() => toDouble({ num: 2n ** 1024n, den: 1n })).toThrow(expect.objectContaining({ code: "E_LIMIT" }));
    expect([-3n, -1n, 1n, 3n, 5n].map((num) => nearestWhole({ num, den: 2n }))).toEqual([-2n, 0n, 0n, 2n, 2n]);
  });

  it("have roots that are those of doubles where the root is exact enough", () => {
    for (const value of [2, 3, 0.25, 1e-300, 1e300, 123456789, 5e-324]) {
      expect(rootOf(fractionOf(value))).toBe(Math.sqrt(value));
    }
  });
});

describe("derived doubles", () => {
  it("have nine decimals, half to even on the exact binary value", () => {
    expect(derived(0.1 + 0.2)).toBe(0.3);
    expect(derived(2 ** -10)).toBe(0.000976562);
    expect(derived(3 * 2 ** -10)).toBe(0.002929688);
    expect(Object.is(derived(-1e-10), 0)).toBe(true);
    expect(derived(2 ** 23 + 2 ** -29)).toBe(2 ** 23 + 2 ** -29);
  });

  it("are the nearest double to the decimal", () => {
    const small = fc.double({ noNaN: true, min: -(2 ** 24), max: 2 ** 24 });
    fc.assert(
      fc.property(small, (value) => {
        const { num, den } = fractionOf(value);
        const decimal = { num: nearestWhole({ num: num * 10n ** 9n, den }), den: 10n ** 9n };
        expect(derived(value)).toBe(toDouble(decimal));
      }),
    );
  });
});

describe("exact sums", () => {
  it("are those of fractions, and their variance is by definition", () => {
    fc.assert(
      fc.property(fc.array(numeric, { minLength: 1, maxLength: 12 }), (values) => {
        const sum = new ExactSum(true);
        for (const value of values) sum.add(value);
        const exact = values.map(fractionOf).reduce(sumOfFractions, { num: 0n, den: 1n });
        expect(equals(sum.sum(), exact)).toBe(true);
        const n = BigInt(values.length);
        const deviations = values.map((value) => {
          const { num, den } = sumOfFractions(fractionOf(value), { num: -exact.num, den: exact.den * n });
          return { num: num * num, den: den * den };
        });
        const { num, den } = deviations.reduce(sumOfFractions, { num: 0n, den: 1n });
        expect(equals(sum.variance(), { num, den: den * n })).toBe(true);
      }),
    );
  });
});

describe("percentages", () => {
  it("are the decimals that they are written as", () => {
    expect(percentFraction(33.3)).toEqual({ num: 333n, den: 1000n });
    expect(percentFraction(1e-7)).toEqual({ num: 1n, den: 1_000_000_000n });
    expect(percentFraction(100)).toEqual({ num: 100n, den: 100n });
    expect(ceilOf(1000, percentFraction(0.1))).toBe(1);
    expect(ceilOf(3, percentFraction(33.3))).toBe(1);
    expect(ceilOf(0, percentFraction(50))).toBe(0);
  });
});
