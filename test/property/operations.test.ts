// Write operations in normal form: the hand-written text against the general printer, reading what was written, and
// every refusal with its code.
import { Ajv2020 } from "ajv/dist/2020.js";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { parseExact } from "../../src/contract/exact-json.js";
import { OperationEncoder } from "../../src/log/operations/encode.js";
import { operationText } from "../../src/log/operations/operation-text.js";
import { readOperation } from "../../src/log/operations/read-operation.js";
import { OperationSchema } from "../../src/log/operations/schemas.js";
import type { RowOperation } from "../../src/log/operations/types.js";

const seed = Date.now() % 2 ** 31;
console.log(`seed ${seed}`);
const settings = { seed, numRuns: 500 };

const name = fc.string({ minLength: 1, maxLength: 12, unit: "binary" });
const labels = fc.array(name, { maxLength: 4 });
// Large doubles are where canonical JSON departs from RFC 8785 on purpose.
const isPlain = (_: string, value: unknown): unknown =>
  typeof value === "number" && Math.abs(value) >= 2 ** 53 ? 1 : value;
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value, isPlain)) as unknown);
const props = fc.dictionary(name, json, { maxKeys: 4 });
const instant = fc
  .integer({ min: -6_000_000_000, max: 7_000_000_000 })
  .map((seconds) => new Date(seconds * 1000).toISOString())
  .filter((text) => text.length === 24);
const period = fc.tuple(instant, instant).filter(([from, to]) => from < to);
const note = fc.option(name, { nil: undefined });
const edge = fc.record({ src: name, type: name, dst: name, key: fc.string({ maxLength: 5 }) });
const notes = fc.record({ source: note, provenance_ref: note, reason: note });

const operation = fc
  .tuple(
    fc.oneof(
      fc.record({ op: fc.constant("assert_node"), uid: name, labels, props }),
      fc.tuple(fc.record({ op: fc.constant("assert_edge"), props }), edge).map(([a, b]) => ({ ...a, ...b })),
      fc.record({ op: fc.constant("retract"), ref: fc.oneof(fc.record({ uid: name }), edge) }),
      fc.record({ op: fc.constant("correct"), ref: fc.record({ uid: name }), labels, props }),
      fc.record({ op: fc.constant("correct"), mode: fc.constantFrom("replace", "patch"), ref: edge, props }),
      fc.record({
        op: fc.constant("correct"),
        mode: fc.constant("patch"),
        ref: fc.record({ uid: name }),
        add_labels: labels,
        remove_labels: labels,
        props,
      }),
    ),
    notes,
    period,
    fc.boolean(),
  )
  .map(([head, by, [valid_from, valid_to], isOpen]) => ({
    ...head,
    ...by,
    valid_from,
    ...(isOpen ? {} : { valid_to }),
  }));

function encoded(row: RowOperation): Uint8Array {
  const encoder = new OperationEncoder();
  encoder.add(row);
  return encoder.take();
}

describe("the normal form", () => {
  test("is written as RFC 8785 has it", () => {
    fc.assert(
      fc.property(operation, (given) => {
        const text = operationText(readOperation(given, "", true) as RowOperation);
        expect(text).toBe(canonicalize(JSON.parse(text)));
      }),
      settings,
    );
  });

  test("read again from its text is the same, for the log and for the core", () => {
    fc.assert(
      fc.property(operation, (given) => {
        const first = readOperation(given, "", true) as RowOperation;
        const text = operationText(first);
        const again = readOperation(parseExact(text), "", true) as RowOperation;
        expect(again).toEqual(first);
        expect(operationText(again)).toBe(text);
        // Properties come back in the order of their names; the core does not mind which.
        expect(encoded(again).length).toBe(encoded(first).length);
      }),
      settings,
    );
  });
});

const NODE = { op: "assert_node", uid: "a", valid_from: "2024-01-01T00:00:00Z" };
const EDGE = { op: "assert_edge", src: "a", type: "T", dst: "b", valid_from: "2024-01-01T00:00:00Z" };
const FIX = { op: "correct", ref: { uid: "a" }, labels: [], valid_from: "2024-01-01T00:00:00Z" };
const FIX_EDGE = { op: "correct", ref: { src: "a", type: "T", dst: "b" }, valid_from: "2024-01-01T00:00:00Z" };
const BULK = { op: "ingest_events", src: ["a"], dst: ["b"], type: "T", time: ["2024-01-01T00:00:00Z"] };

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
const many = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, i]));

const REFUSED: [string, unknown, string][] = [
  ["null", null, "E_SCHEMA"],
  ["a list", [], "E_SCHEMA"],
  ["a class instance", new Date(), "E_SCHEMA"],
  ["no operation", {}, "E_SCHEMA"],
  ["an unknown operation", { ...NODE, op: "nothing" }, "E_SCHEMA"],
  ["an unknown field", { ...NODE, surplus: 1 }, "E_SCHEMA"],
  ["no uid", { ...NODE, uid: undefined }, "E_SCHEMA"],
  ["an empty uid", { ...NODE, uid: "" }, "E_SCHEMA"],
  ["a uid of 1,025 bytes", { ...NODE, uid: `${"é".repeat(512)}x` }, "E_INVALID_ARG"],
  ["a uid with half a pair", { ...NODE, uid: "\ud800" }, "E_INVALID_ARG"],
  ["no valid_from", { ...NODE, valid_from: undefined }, "E_SCHEMA"],
  ["valid_from null", { ...NODE, valid_from: null }, "E_SCHEMA"],
  ["an integer without unit", { ...NODE, valid_from: 1_700_000_000 }, "E_SCHEMA"],
  ["no instant", { ...NODE, valid_from: "soon" }, "E_INVALID_ARG"],
  ["an instant without zone", { ...NODE, valid_from: "2024-01-01T00:00:00" }, "E_ZONE_MISSING"],
  ["an instant finer than a microsecond", { ...NODE, valid_from: "2024-01-01T00:00:00.0000001Z" }, "E_INVALID_ARG"],
  ["an invalid Date", { ...NODE, valid_from: new Date(Number.NaN) }, "E_INVALID_ARG"],
  ["an interval that is empty", { ...NODE, valid_to: "2024-01-01T00:00:00Z" }, "E_PERIOD_ORDER"],
  ["an interval backwards", { ...NODE, valid_to: "2023-01-01" }, "E_PERIOD_ORDER"],
  ["labels null", { ...NODE, labels: null }, "E_SCHEMA"],
  ["an empty label", { ...NODE, labels: [""] }, "E_SCHEMA"],
  ["257 labels", { ...NODE, labels: Array.from({ length: 257 }, (_, i) => `l${i}`) }, "E_LIMIT"],
  ["a label of 257 bytes", { ...NODE, labels: ["x".repeat(257)] }, "E_INVALID_ARG"],
  ["props null", { ...NODE, props: null }, "E_SCHEMA"],
  ["props a list", { ...NODE, props: [] }, "E_SCHEMA"],
  ["1,025 properties", { ...NODE, props: many(1025) }, "E_LIMIT"],
  ["NaN", { ...NODE, props: { a: Number.NaN } }, "E_INVALID_ARG"],
  ["an infinity deep inside", { ...NODE, props: { a: [{ b: -Infinity }] } }, "E_INVALID_ARG"],
  ["an integer beyond int64", { ...NODE, props: { a: 2n ** 63n } }, "E_INVALID_ARG"],
  ["a function", { ...NODE, props: { a: () => 1 } }, "E_SCHEMA"],
  ["nesting of 65", { ...NODE, props: { a: nested(65) } }, "E_INVALID_ARG"],
  ["a property of 1 MiB", { ...NODE, props: { a: "x".repeat(1 << 20) } }, "E_LIMIT"],
  [
    "many short texts that make 1 MiB",
    { ...NODE, props: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`p${i}`, "é".repeat(600)])) },
    "E_LIMIT",
  ],
  [
    "reasons and properties that make 1 MiB",
    { ...NODE, reason: "x".repeat(600_000), props: { a: "x".repeat(600_000) } },
    "E_LIMIT",
  ],
  ["a type of 257 bytes", { ...EDGE, type: "x".repeat(257) }, "E_INVALID_ARG"],
  ["a key null", { ...EDGE, key: null }, "E_SCHEMA"],
  ["a key of 1,025 bytes", { ...EDGE, key: "x".repeat(1025) }, "E_INVALID_ARG"],
  ["a source that is a number", { ...EDGE, source: 5 }, "E_SCHEMA"],
  ["a retraction of nothing", { op: "retract", valid_from: "2024-01-01" }, "E_SCHEMA"],
  ["a reference that is both", { op: "retract", ref: { uid: "a", src: "b" }, valid_from: "2024-01-01" }, "E_SCHEMA"],
  ["half a reference", { op: "retract", ref: { src: "a", type: "T" }, valid_from: "2024-01-01" }, "E_SCHEMA"],
  ["a replacement of a node without labels", { ...FIX, labels: undefined }, "E_SCHEMA"],
  ["labels in a patch", { ...FIX, mode: "patch" }, "E_SCHEMA"],
  ["added labels in a replacement", { ...FIX, add_labels: [] }, "E_SCHEMA"],
  ["labels on an edge", { ...FIX_EDGE, labels: [] }, "E_SCHEMA"],
  ["added labels on an edge", { ...FIX_EDGE, mode: "patch", add_labels: ["x"] }, "E_SCHEMA"],
  ["an unknown mode", { ...FIX, mode: "merge" }, "E_SCHEMA"],
  ["no column", { ...BULK, src: undefined }, "E_SCHEMA"],
  ["a column that is none", { ...BULK, dst: "b" }, "E_SCHEMA"],
  ["columns of two lengths", { ...BULK, dst: ["b", "c"] }, "E_INVALID_ARG"],
  ["a bulk event that ends before it begins", { ...BULK, valid_to: ["2023-01-01"] }, "E_PERIOD_ORDER"],
  ["a bulk time that is a number", { ...BULK, time: [5] }, "E_SCHEMA"],
  ["an empty uid in a column", { ...BULK, src: [""] }, "E_SCHEMA"],
  ["an erasure of nothing", { op: "erase" }, "E_SCHEMA"],
];

describe("refusals", () => {
  test.each(REFUSED)("%s", (_, given, code) => {
    const read = (): unknown => readOperation(given, "/0", true);
    expect(read).toThrow(PalimpsestError);
    expect(read).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining({ path: expect.any(String) }) }),
    );
  });

  test("an erasure beside other operations", () => {
    const read = (): unknown => readOperation({ op: "erase", ref: { uid: "a" } }, "/0", false);
    expect(read).toThrow(expect.objectContaining({ code: "E_INVALID_ARG" }));
  });

  test("what is at the edge of the limits passes", () => {
    for (const given of [
      { ...NODE, uid: "x".repeat(1024), props: { ...many(1023), deep: nested(64) } },
      { ...NODE, props: { a: 2n ** 63n - 1n, b: -(2n ** 63n), c: "x".repeat((1 << 20) - 200) } },
      { ...NODE, valid_from: "-9999-01-01T00:00:00Z", valid_to: "+10000-01-01T00:00:00Z" },
      { ...EDGE, key: "x".repeat(1024), valid_to: null, source: null },
      { ...BULK, key: [null], valid_to: [null], props: [null] },
    ]) {
      expect(readOperation(given, "/0", true)).toBeDefined();
    }
  });
});

describe("the schema", () => {
  const validate = new Ajv2020({ strict: true, keywords: ["kind"], strictTypes: false }).compile(OperationSchema);
  /** What JSON can hold of a case; the others are about JavaScript values. */
  const asJson = (given: unknown): unknown =>
    JSON.parse(JSON.stringify(given, (_, value) => (typeof value === "bigint" ? Number(value) : value)));

  test("takes every operation that the reader takes", () => {
    fc.assert(
      fc.property(operation, (given) => validate(asJson(given))),
      settings,
    );
    expect(validate(BULK)).toBe(true);
    expect(validate({ op: "erase", ref: { uid: "a" }, reason: "court order" })).toBe(true);
  });

  test.each(REFUSED.filter(([title, , code]) => code === "E_SCHEMA" && !/function|instance/.test(title)))(
    "refuses %s",
    (_, given) => {
      expect(validate(asJson(given))).toBe(false);
    },
  );
});
