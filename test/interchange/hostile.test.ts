// Files that nobody meant to load: whatever the bytes, reading ends in rows or in a typed refusal, and in time.
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { type Overrides, readText, refusalOf } from "./reading.js";

const byNumber = { src: "1", dst: "2", time: "3" };
const FORMATS: Record<string, Overrides> = {
  "events.csv": { hasHeader: false, columns: { ...byNumber, props: [{ column: "1", name: "p" }] } },
  "events.txt": { format: "snap", columns: { ...byNumber, key: "2" } },
  "events.jsonl": { format: "jsonl", columns: { src: "s", dst: "s", time: "t", props: [{ column: "s", name: "p" }] } },
};

/** Bytes that look a little like the formats, so that more than the first check is met. */
const chunk = fc.oneof(
  fc.uint8Array({ maxLength: 4 }),
  fc
    .constantFrom(
      ...'1,2,3\n|"|\r\n|{"s":|"t":1}|\n|1 2 3\n|\u00e9|\\u00|#|-|9.5|99999999999999999999|{|}|[|]|,'.split("|"),
    )
    .map((text) => Buffer.from(text)),
);

describe("hostile files", () => {
  it.each(Object.keys(FORMATS))("%s: random bytes end in rows or in a typed refusal", async (name) => {
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 40 }), fc.boolean(), async (chunks, skips) => {
        const overrides: Overrides = { ...FORMATS[name], onError: skips ? "skip" : "stop" };
        try {
          const { rows } = await readText(Buffer.concat(chunks), overrides, name);
          for (const row of rows) expect(row.src.length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(PalimpsestError);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("a gzip file that is cut anywhere is refused", async () => {
    const whole = gzipSync(`src,dst,time\n${"a,b,1\n".repeat(500)}`);
    for (let length = 1; length < whole.length; length += 7) {
      const { code, message } = await refusalOf(whole.subarray(0, length), {}, "events.csv.gz");
      expect(code).toBe("E_INVALID_ARG");
      expect(message).toMatch(/the gzip data is cut short|the file is empty/);
    }
  });

  it("a million commas, and a line of a million fields, are refused or read without trouble", async () => {
    expect((await refusalOf(`${",".repeat(1_000_000)}\n1,2,3\n`, { columns: byNumber })).code).toBe("E_INVALID_ARG");
  });
});
