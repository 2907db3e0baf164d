// Whatever JSON values and names a store holds: as CSV, as TSV and as lines of JSON it comes back with the same digest.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OperationInput, open } from "../../src/index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "palimpsest-round-trip-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** No NUL, which CSV refuses, and no lone surrogates, which a store does. */
const text = fc.string({ unit: "binary", maxLength: 12 }).map((each) => each.replaceAll("\0", "0"));
const name = text.filter((each) => each !== "");
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const double = fc.double({ noNaN: true, noDefaultInfinity: true });
const scalar = fc.oneof(text, int64, double, fc.boolean(), fc.constantFrom("true", "7", "1e3", "null", "[]", "{}"));
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(text, fc.oneof(scalar, fc.constant(null)), { maxKeys: 3 }),
);
/** Few names, so that one property has values of several types. */
const props = fc.dictionary(fc.oneof(fc.constantFrom("a", "b", "a:int", "props.x", "__proto__"), name), value, {
  maxKeys: 4,
});
const second = fc.integer({ min: -60_000_000_000, max: 60_000_000_000 });
const period = fc.tuple(second, fc.option(fc.integer({ min: 1, max: 1e9 }))).map(([from, length]) => ({
  valid_from: { us: BigInt(from) * 1_000_000n },
  valid_to: length === null ? null : { us: BigInt(from + length) * 1_000_000n },
}));
const notes = fc.record({ source: fc.option(text), provenance_ref: fc.option(text), reason: fc.option(text) });
const node = fc
  .tuple(name, fc.array(name, { maxLength: 3 }), props, period, notes)
  .map(([uid, labels, given, when, by]) => ({ op: "assert_node", uid, labels, props: given, ...when, ...by }));
const edge = fc.tuple(name, name, name, text, props, period, notes).map(([src, dst, type, key, given, when, by]) => ({
  op: "assert_edge",
  src,
  dst,
  type,
  key,
  props: given,
  ...when,
  ...by,
}));
const commits = fc.array(fc.array(fc.oneof(node, edge), { minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 4,
});

describe("exports of random stores", () => {
  it.each(["csv", "tsv", "jsonl"] as const)(
    "%s: come back with the same digest",
    { timeout: 120_000 },
    async (format) => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(commits, fc.boolean(), async (batches, gzip) => {
          const db = await open(":memory:");
          for (const [i, batch] of batches.entries()) {
            await db.write(batch as OperationInput[], { txTime: `2020-01-01T00:00:0${i}.000007Z` });
          }
          run += 1;
          const dest = join(folder, `${format}-${run}`);
          await db.export(dest, { format, gzip, history: true });
          const again = await open(":memory:");
          await again.import(dest);
          expect(await again.digest()).toBe(await db.digest());
          await Promise.all([db.close(), again.close()]);
          rmSync(dest, { recursive: true });
        }),
        { numRuns: 150 },
      );
    },
  );
});
