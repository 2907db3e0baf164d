// Cursors come back as they were given; any damage is found.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../../src/contract/cursor.js";

const cursors = fc.record({
  list: fc.integer({ min: 0, max: 255 }),
  tx: fc.maxSafeNat(),
  ordinal: fc.maxSafeNat(),
  binding: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString("hex")),
});

describe("cursors", () => {
  it("decode(encode(x)) = x, in 46 characters", () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        const text = encodeCursor(cursor);
        expect(text).toHaveLength(46);
        expect(decodeCursor(text)).toEqual(cursor);
      }),
    );
  });

  it("have the documented bytes", () => {
    const binding = "000102030405060708090a0b0c0d0e0f";
    const text = encodeCursor({ list: 1, tx: 2, ordinal: 3, binding });
    expect(Buffer.from(text, "base64url").toString("hex")).toBe(`010102000000000000000300000000000000${binding}`);
  });

  it.each([
    "",
    "AQ",
    `${"A".repeat(46)}`,
    `AQ${"A".repeat(43)}`,
    `AQ${"A".repeat(43)}B`,
    `AQ${"A".repeat(43)}=`,
    `AQ${"_".repeat(44)}`,
  ])("%j is refused", (text) => {
    expect(() => decodeCursor(text)).toThrowError(expect.objectContaining({ code: "E_INVALID_ARG" }));
  });
});
