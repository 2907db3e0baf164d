// Lower and upper case against those of Node.js, wherever both map one code point to one, and counts of Unicode 15.1.
import { expect, it } from "vitest";
import { lowerCase, upperCase } from "../../src/contract/case-mapping.js";

const isSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xe000;
const CODES = Array.from({ length: 0x20000 }, (_, code) => code).filter((code) => !isSurrogate(code));
const LETTERS = CODES.map((code) => String.fromCodePoint(code));

it.each([
  ["lower", lowerCase, (text: string) => text.toLowerCase(), 1433],
  ["upper", upperCase, (text: string) => text.toUpperCase(), 1450],
] as const)("%s case has the simple mappings of Unicode 15.1", (_, mapped, byNode, count) => {
  const changed = LETTERS.filter((letter) => mapped(letter) !== letter);
  expect(changed).toHaveLength(count);
  for (const letter of changed) {
    const other = byNode(letter);
    // Full mappings are longer; for these the simple one is another or none.
    if (Array.from(other).length === 1) expect(mapped(letter)).toBe(other);
  }
});

it("maps texts letter by letter", () => {
  expect(lowerCase("ΟΔΟΣ İ ẞ")).toBe("οδοσ i ß");
  expect(upperCase("straße ǆ ﬁ ᾳ")).toBe("STRAßE Ǆ ﬁ ᾼ");
  expect(upperCase("\u{10428}x")).toBe("\u{10400}X");
});
