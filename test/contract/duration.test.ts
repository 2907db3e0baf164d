// Durations and strides: canonical output, exactness, what is refused.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDuration, formatStride, parseDuration, parseStride } from "../../src/contract/duration.js";

const canonical = (text: string) => formatDuration(parseDuration(text, "d"));

describe("exact durations", () => {
  it.each([
    ["PT6H", "PT6H"],
    ["P1D", "PT24H"],
    ["P1W", "PT168H"],
    ["P1DT1H", "PT25H"],
    ["PT90M", "PT1H30M"],
    ["PT0.5S", "PT0.500000S"],
    ["PT60.000001S", "PT1M0.000001S"],
    ["PT3600S", "PT1H"],
    ["-PT1.000000000S", "-PT1S"],
    ["PT0M", "PT0S"],
  ])("%s is %s", (text, expected) => expect(canonical(text)).toBe(expected));

  it.each([
    "P1M",
    "P1Y",
    "P",
    "PT",
    "P1DT",
    "-P",
    "PT1H30",
    "PT0.0000001S",
    "pt1s",
    "PT1,5S",
    "P99999999999W",
    "",
    "6h",
  ])("%j is refused", (text) => {
    expect(() => parseDuration(text, "d")).toThrowError(expect.objectContaining({ code: "E_INVALID_ARG" }));
  });

  it("parse(format(x)) = x", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 61n), max: 2n ** 61n }), (us) => {
        expect(parseDuration(formatDuration(us), "d")).toBe(us);
      }),
    );
  });
});

describe("strides", () => {
  it.each([
    ["P1D", "P1D"],
    ["P03M", "P3M"],
    ["P2W", "P2W"],
    ["PT24H", "PT24H"],
    ["P1DT1H", "PT25H"],
  ])("%s is %s", (text, expected) => expect(formatStride(parseStride(text, "s"))).toBe(expected));

  it.each(["PT0S", "P0D", "-PT1S", "-P1D", "P1Y2M", "P1M1D"])("%s is refused", (text) => {
    expect(() => parseStride(text, "s")).toThrowError(expect.objectContaining({ code: "E_INVALID_ARG" }));
  });
});
