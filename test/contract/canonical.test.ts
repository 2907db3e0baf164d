// Canonical JSON and exact reading. Oracle: the npm package `canonicalize`, where RFC 8785 and our form agree.
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { parseExact } from "../../src/contract/exact-json.js";
import { normaliseValue } from "../../src/contract/values.js";
import { codeOf } from "../support/error-code.js";

describe("canonical JSON", () => {
  it("is RFC 8785 where no number reaches 2^53", () => {
    const small = fc.double({ noNaN: true, min: -(2 ** 53) + 1, max: 2 ** 53 - 1 });
    const key = fc.string({ unit: "grapheme" });
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.constant(null),
        fc.boolean(),
        fc.integer(),
        small,
        key,
        fc.string({ unit: "binary" }).filter((text) => !/\p{Surrogate}/u.test(text)),
        fc.array(tie("any")),
        fc.dictionary(key, tie("any")),
      ),
    })).any;
    fc.assert(
      fc.property(value, (json) => {
        expect(canonicalJson(json)).toBe(canonicalize(json));
      }),
    );
  });

  it("writes int64 with all digits and large doubles with an exponent", () => {
    expect(canonicalJson(9223372036854775807n)).toBe("9223372036854775807");
    expect(canonicalJson(2 ** 53)).toBe("9.007199254740992e+15");
    expect(canonicalJson(-(2 ** 53))).toBe("-9.007199254740992e+15");
    expect(canonicalJson(2 ** 53 - 1)).toBe("9007199254740991");
    expect(canonicalJson(1e21)).toBe("1e+21");
    expect(canonicalJson([-0, 1.5, 1e-7])).toBe("[0,1.5,1e-7]");
  });

  it("sorts keys by UTF-16 unit", () => {
    expect(canonicalJson({ "\uff5e": 1, "\u{1f600}": 2, a: undefined })).toBe('{"\u{1f600}":2,"\uff5e":1}');
  });
});

describe("exact reading", () => {
  it.each<[string, unknown]>([
    ["9007199254740993", 9007199254740993n],
    ["-9223372036854775808", -9223372036854775808n],
    ["9007199254740991", 9007199254740991],
    ["9007199254740992.0", 9007199254740992],
    ["9007199254740991.0", 9007199254740991],
    ["1e2", 100],
    ["-0", 0],
    ["-0.0", 0],
    ['{"a":[1,9007199254740993],"b":"\\u00e9 \\" ]"}', { a: [1, 9007199254740993n], b: 'é " ]' }],
    [" [ true , false , null , 12345678901234567 ]", [true, false, null, 12345678901234567n]],
  ])("reads %s", (text, value) => {
    const read = parseExact(text);
    expect(read).toEqual(value);
    if (read === 0) expect(Object.is(read, 0)).toBe(true);
  });

  it.each(["9223372036854775808", "1e400", "{", '{"a" 1}', "[1,]", "01", "nul", '"a', '"\\x"', "[1e2 2]", "1e2 3", ""])(
    "refuses %s",
    (text) => expect(codeOf(() => parseExact(text))).toBe("E_INVALID_ARG"),
  );

  it("refuses nesting that would exhaust the stack", () => {
    expect(codeOf(() => parseExact(`${"[".repeat(100_000)}1e2`))).toBe("E_INVALID_ARG");
  });

  it("keeps a key named __proto__ as a key", () => {
    expect(Object.keys(parseExact('{"__proto__": 1e0}') as object)).toEqual(["__proto__"]);
    expect(canonicalJson(parseExact('{"__proto__": 1e0}'))).toBe('{"__proto__":1}');
  });

  it("is the inverse of printing", () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    );
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const stored = normaliseValue(numbers, "value");
        expect(parseExact(canonicalJson(stored))).toEqual(stored);
      }),
    );
  });
});
