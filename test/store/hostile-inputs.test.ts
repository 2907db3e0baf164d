// Inputs that no careful caller gives: each has its code, nothing is written, and the handle goes on.
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { type Database, open } from "../../src/database.js";
import type { EventInput } from "../../src/store/event-input.js";
import { messages, person, retraction } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
let db: Database;
beforeAll(async () => {
  db = await open(":memory:");
  await db.write([person("a")], { txTime: "2020-01-01T00:00:00Z" });
});
afterAll(() => db.close());

async function codeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "fine";
  } catch (error) {
    return error instanceof PalimpsestError ? error.code : `bare ${String(error)}`;
  }
}

const since = { valid_from: "2020-01-01T00:00:00Z" };
const node = (fields: object): object => ({ op: "assert_node", uid: "x", ...since, ...fields });
const edge = (fields: object): object => ({ op: "assert_edge", src: "x", type: "T", dst: "y", ...since, ...fields });
const events = (fields: object): object => ({
  op: "ingest_events",
  src: ["x"],
  dst: ["y"],
  type: "T",
  time: ["2020-01-01T00:00:00Z"],
  ...fields,
});
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};
const throwing = (): object => ({
  op: "assert_node",
  get uid() {
    throw new Error("no");
  },
});
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const named = (count: number): object => Object.fromEntries(many(count, (i) => [`p${i}`, i]));

const BATCHES: [string, string, unknown][] = [
  ["nothing", "E_SCHEMA", undefined],
  ["null", "E_SCHEMA", null],
  ["a text", "E_SCHEMA", "assert_node"],
  ["one operation without its list", "E_SCHEMA", node({})],
  ["an iterator", "E_SCHEMA", [node({})].values()],
  ["a revoked proxy", "E_SCHEMA", revoked()],
  ["an empty list", "E_INVALID_ARG", []],
  ["holes", "E_SCHEMA", new Array(3)],
  ["null inside", "E_SCHEMA", [null]],
  ["a list inside", "E_SCHEMA", [[node({})]]],
  ["a class instance", "E_SCHEMA", [new Map([["op", "assert_node"]])]],
  ["a getter that throws", "E_SCHEMA", [throwing()]],
  ["an unknown operation", "E_SCHEMA", [node({ op: "delete" })]],
  ["an unknown field", "E_SCHEMA", [node({ label: "P" })]],
  [
    "prototype pollution as a field",
    "E_SCHEMA",
    [JSON.parse(`{"op":"assert_node","uid":"x","valid_from":"2020-01-01T00:00:00Z","__proto__":{"a":1}}`)],
  ],
  ["no uid", "E_SCHEMA", [node({ uid: undefined })]],
  ["a number as uid", "E_SCHEMA", [node({ uid: 5 })]],
  ["an empty uid", "E_SCHEMA", [node({ uid: "" })]],
  ["a long uid", "E_INVALID_ARG", [node({ uid: "é".repeat(513) })]],
  ["a lone surrogate", "E_INVALID_ARG", [node({ uid: "\ud800" })]],
  ["a lone surrogate as a property's name", "E_INVALID_ARG", [node({ props: { "\udc00": 1 } })]],
  ["labels that are no list", "E_SCHEMA", [node({ labels: "P" })]],
  ["too many labels", "E_LIMIT", [node({ labels: many(257, (i) => `L${i}`) })]],
  ["too many properties", "E_LIMIT", [node({ props: named(1025) })]],
  ["a long property name", "E_INVALID_ARG", [node({ props: { ["x".repeat(257)]: 1 } })]],
  ["a version above 1 MiB", "E_LIMIT", [node({ props: { text: "x".repeat(1 << 20) } })]],
  ["NaN", "E_INVALID_ARG", [node({ props: { w: Number.NaN } })]],
  ["infinity", "E_INVALID_ARG", [node({ props: { w: [Number.NEGATIVE_INFINITY] } })]],
  ["an integer beyond int64", "E_INVALID_ARG", [node({ props: { w: 1n << 63n } })]],
  ["undefined in a list", "E_SCHEMA", [node({ props: { w: [undefined] } })]],
  ["a function", "E_SCHEMA", [node({ props: { w: () => 1 } })]],
  ["a symbol", "E_SCHEMA", [node({ props: { w: Symbol("s") } })]],
  ["a Date as a value", "E_SCHEMA", [node({ props: { w: new Date() } })]],
  ["a cycle", "E_INVALID_ARG", [node({ props: { w: cyclic } })]],
  ["nesting of 65", "E_INVALID_ARG", [node({ props: { w: nested(65) } })]],
  ["no valid_from", "E_SCHEMA", [node({ valid_from: undefined })]],
  ["a bare integer as an instant", "E_SCHEMA", [node({ valid_from: 1_577_836_800 })]],
  ["an instant without zone", "E_ZONE_MISSING", [node({ valid_from: "2020-01-01T00:00:00" })]],
  ["an instant that is none", "E_INVALID_ARG", [node({ valid_from: "2020-02-30T00:00:00Z" })]],
  ["a year out of range", "E_INVALID_ARG", [node({ valid_from: "-10000-01-01T00:00:00Z" })]],
  ["an invalid Date", "E_INVALID_ARG", [node({ valid_from: new Date(Number.NaN) })]],
  ["an end before its beginning", "E_PERIOD_ORDER", [node({ valid_to: "2019-01-01T00:00:00Z" })]],
  ["an end at its beginning", "E_PERIOD_ORDER", [edge({ valid_to: "2020-01-01T00:00:00Z" })]],
  ["a long key", "E_INVALID_ARG", [edge({ key: "x".repeat(1025) })]],
  ["a null key", "E_SCHEMA", [edge({ key: null })]],
  ["a ref of both kinds", "E_SCHEMA", [{ op: "retract", ref: { uid: "x", src: "x" }, ...since }]],
  ["replace without labels", "E_SCHEMA", [{ op: "correct", ref: { uid: "a" }, props: {}, ...since }]],
  ["an unknown mode", "E_SCHEMA", [{ op: "correct", mode: "merge", ref: { uid: "a" }, labels: [], ...since }]],
  ["labels on an edge", "E_SCHEMA", [{ op: "correct", ref: { src: "x", type: "T", dst: "y" }, labels: [], ...since }]],
  ["erase beside others", "E_INVALID_ARG", [node({}), { op: "erase", ref: { uid: "x" } }]],
  ["columns of two lengths", "E_INVALID_ARG", [events({ dst: ["y", "z"] })]],
  ["no events", "E_INVALID_ARG", [events({ src: [], dst: [], time: [] })]],
  ["a null source of an event", "E_SCHEMA", [events({ src: [null] })]],
  ["an event that ends before it begins", "E_PERIOD_ORDER", [events({ valid_to: ["2019-01-01T00:00:00Z"] })]],
  ["a retraction of nothing", "E_NOT_FOUND", [retraction("nobody")]],
  ["too many operations", "E_LIMIT", many(100_001, () => node({}))],
  ["more than 64 MiB", "E_LIMIT", many(70, () => node({ props: { text: "x".repeat(1_000_000) } }))],
];

describe("write", () => {
  test.each(BATCHES)("%s is %s", async (_, code, ops) => {
    const before = await db.digest();
    expect(await codeOf(() => db.write(ops as never))).toBe(code);
    expect(await db.digest()).toBe(before);
  });

  test.each([
    ["null", "E_SCHEMA", null],
    ["a negative ifTx", "E_SCHEMA", { ifTx: -1 }],
    ["a broken ifTx", "E_SCHEMA", { ifTx: 0.5 }],
    ["a bigint as ifTx", "E_SCHEMA", { ifTx: 1n }],
    ["another ifTx", "E_STATE", { ifTx: 9 }],
    ["an empty key", "E_SCHEMA", { idempotencyKey: "" }],
    ["a number as key", "E_SCHEMA", { idempotencyKey: 5 }],
    ["a long key", "E_INVALID_ARG", { idempotencyKey: "x".repeat(129) }],
    ["a lone surrogate in the key", "E_INVALID_ARG", { idempotencyKey: "\ud800" }],
    ["txTime as an object", "E_SCHEMA", { txTime: {} }],
    ["txTime without zone", "E_ZONE_MISSING", { txTime: "2021-01-01T00:00:00" }],
    ["txTime before the last", "E_STATE", { txTime: "2019-01-01T00:00:00Z" }],
  ])("options: %s is %s", async (_, code, options) => {
    expect(await codeOf(() => db.write([person("b")], options as never))).toBe(code);
  });
});

const column = (bytes: number[], ends: number[]) => ({ bytes: Uint8Array.from(bytes), ends: Uint32Array.from(ends) });
const two = (fields: object): object => ({
  src: ["a", "b"],
  dst: ["c", "d"],
  time: BigInt64Array.of(1n, 2n),
  ...fields,
});
const property = (fields: object): object =>
  two({ props: [{ name: "w", kind: "int64", values: BigInt64Array.of(1n, 2n), ...fields }] });

const INPUTS: [string, string, unknown][] = [
  ["null", "E_SCHEMA", null],
  ["a number", "E_SCHEMA", 5],
  ["a text", "E_SCHEMA", "events"],
  ["nothing in it", "E_INVALID_ARG", {}],
  ["no rows", "E_INVALID_ARG", messages(0)],
  ["no pieces", "E_INVALID_ARG", []],
  ["a piece that is null", "E_INVALID_ARG", [null]],
  ["times as numbers", "E_INVALID_ARG", two({ time: [1, 2] })],
  ["times of another width", "E_INVALID_ARG", two({ time: Float64Array.of(1, 2) })],
  ["columns of two lengths", "E_INVALID_ARG", two({ dst: ["c"] })],
  ["a number among texts", "E_INVALID_ARG", two({ src: ["a", 5] })],
  ["a hole among texts", "E_INVALID_ARG", two({ src: new Array(2) })],
  ["an empty uid", "E_SCHEMA", two({ src: ["a", ""] })],
  ["a lone surrogate", "E_INVALID_ARG", two({ src: ["a", "\udfff"] })],
  ["a long uid", "E_INVALID_ARG", two({ src: ["a", "x".repeat(1025)] })],
  ["an empty type", "E_SCHEMA", two({ type: ["", "M"] })],
  ["a time out of range", "E_INVALID_ARG", two({ time: BigInt64Array.of(1n, -(1n << 63n)) })],
  ["the open end as a time", "E_INVALID_ARG", two({ time: BigInt64Array.of(1n, 1n << 62n) })],
  ["an end before its beginning", "E_PERIOD_ORDER", two({ valid_to: BigInt64Array.of(5n, 2n) })],
  ["an end out of range", "E_INVALID_ARG", two({ valid_to: BigInt64Array.of(5n, (1n << 62n) + 1n) })],
  ["ends beyond the bytes", "E_INVALID_ARG", two({ src: column([97, 98], [1, 900]) })],
  ["ends that fall", "E_INVALID_ARG", two({ src: column([97, 98], [2, 1]) })],
  ["bytes that are no UTF-8", "E_INVALID_ARG", two({ src: column([97, 255], [1, 2]) })],
  ["a character cut in two", "E_INVALID_ARG", two({ src: column([0xc3, 0xa9], [1, 2]) })],
  ["a code outside its dictionary", "E_INVALID_ARG", two({ src: { values: ["a"], codes: Uint32Array.of(0, 1) } })],
  ["codes of another width", "E_INVALID_ARG", two({ src: { values: ["a"], codes: Uint8Array.of(0, 0) } })],
  ["a dictionary that is none", "E_INVALID_ARG", two({ src: { values: null, codes: Uint32Array.of(0, 0) } })],
  [
    "a source that is absent",
    "E_INVALID_ARG",
    two({ src: { values: ["a"], codes: Uint32Array.of(0, 0), present: Uint8Array.of(1, 0) } }),
  ],
  ["props as an object", "E_INVALID_ARG", two({ props: { w: 1 } })],
  ["a property that is null", "E_INVALID_ARG", two({ props: [null] })],
  ["a property without a name", "E_INVALID_ARG", property({ name: "" })],
  ["a kind that is none", "E_INVALID_ARG", property({ kind: "date" })],
  ["a kind of the prototype", "E_INVALID_ARG", property({ kind: "toString" })],
  ["values of another kind", "E_INVALID_ARG", property({ values: Float64Array.of(1, 2) })],
  ["values of another length", "E_INVALID_ARG", property({ values: BigInt64Array.of(1n) })],
  ["a mask of another length", "E_INVALID_ARG", property({ present: Uint8Array.of(1) })],
  ["a double that is none", "E_INVALID_ARG", property({ kind: "double", values: Float64Array.of(1, Number.NaN) })],
  ["JSON that does not parse", "E_INVALID_ARG", property({ kind: "json", values: ["[1", "[]"] })],
  ["JSON that is a scalar", "E_INVALID_ARG", property({ kind: "json", values: ["5", "[]"] })],
  [
    "JSON that is nested too deep",
    "E_INVALID_ARG",
    property({ kind: "json", values: [JSON.stringify(nested(65)), "[]"] }),
  ],
  [
    "JSON bytes that are no UTF-8",
    "E_INVALID_ARG",
    property({ kind: "json", values: column([0x5b, 0x22, 0xff, 0x22, 0x5d, 0x5b, 0x5d], [5, 7]) }),
  ],
  [
    "one property twice",
    "E_INVALID_ARG",
    two({ props: [1, 2].map(() => ({ name: "w", kind: "bool", values: Uint8Array.of(1, 0) })) }),
  ],
];

describe("ingest", () => {
  test.each(INPUTS)("%s is %s", async (_, code, input) => {
    const before = await db.digest();
    expect(await codeOf(() => db.ingest(input as EventInput, { type: "M" }))).toBe(code);
    expect(await db.digest()).toBe(before);
  });

  test("buffers that were given away have no rows", async () => {
    const time = BigInt64Array.of(1n, 2n);
    structuredClone(time.buffer, { transfer: [time.buffer] });
    expect(await codeOf(() => db.ingest(two({ time }) as EventInput, { type: "M" }))).toBe("E_INVALID_ARG");
  });

  test("memory that other threads may change is no column", async () => {
    const time = new BigInt64Array(new SharedArrayBuffer(16));
    expect(await codeOf(() => db.ingest(two({ time }) as EventInput, { type: "M" }))).toBe("E_INVALID_ARG");
  });

  test.each([
    ["null", "E_SCHEMA", null],
    ["no type", "E_INVALID_ARG", {}],
    ["a number as type", "E_SCHEMA", { type: 5 }],
    ["labels that are no list", "E_SCHEMA", { type: "M", nodeLabels: "P" }],
    ["a number as source", "E_SCHEMA", { type: "M", source: 5 }],
    ["no rows in a commit", "E_SCHEMA", { type: "M", rowsPerCommit: 0 }],
    ["NaN rows in a commit", "E_SCHEMA", { type: "M", rowsPerCommit: Number.NaN }],
  ])("options: %s is %s", async (_, code, options) => {
    expect(await codeOf(() => db.ingest(messages(3), options as never))).toBe(code);
  });
});

describe("open", () => {
  test.each([
    ["nothing", [undefined]],
    ["a number", [5]],
    ["an empty path", [""]],
    ["a path with NUL", ["/tmp/a\0b"]],
    ["null options", ["store", null]],
    ["an unknown durability", ["store", { durability: "maximal" }]],
    ["a number as readOnly", ["store", { readOnly: 1 }]],
    ["no threads", ["store", { threads: 0 }]],
    ["half a thread", ["store", { threads: 2.5 }]],
    ["too many threads", ["store", { threads: 65 }]],
    ["NaN bytes", ["store", { memoryLimitBytes: Number.NaN }]],
    ["a text as deadline", ["store", { deadlineMs: "5" }]],
    ["a read-only store in memory", [":memory:", { readOnly: true }]],
  ])("%s is E_INVALID_ARG", async (_, [path, options]) => {
    const place = path === "store" ? join(folder(), "store") : path;
    expect(await codeOf(() => open(place as string, options as never))).toBe("E_INVALID_ARG");
  });
});

describe("open in the file system", () => {
  test("a folder that cannot be made is E_IO", async () => {
    // The system says ENOENT here although the parent is there.
    expect(await codeOf(() => open("/proc/store"))).toBe("E_IO");
    const link = join(folder(), "link");
    symlinkSync(join(folder(), "nowhere"), link);
    expect(await codeOf(() => open(join(link, "store")))).toBe("E_IO");
  });

  test("folders that lead to the store are made", async () => {
    const store = await open(join(folder(), "a", "b", "c"));
    expect((await store.write([person("a")])).tx).toBe(1);
    await store.close();
  });
});

describe("what throws when it is read", () => {
  const broken = (): never => {
    throw new TypeError("the caller's own");
  };
  const getter = (name: string): object => Object.defineProperty({}, name, { get: broken, enumerable: true });
  const proxy = new Proxy({}, { get: broken, ownKeys: broken });

  test.each<[string, () => Promise<unknown>]>([
    ["arguments", () => db.call("scan", getter("of") as never)],
    ["a proxy as arguments", () => db.call("scan", proxy as never)],
    ["an argument deep inside", () => db.call("scan", { of: "nodes", where: { node: getter("uids") } } as never)],
    ["a row of a table", () => db.call("compute", { fn: "count", input: [getter("a")] } as never)],
    ["options of a call", () => db.call("scan", { of: "nodes" }, proxy)],
    ["options of a write", () => db.write([person("x")], proxy)],
    ["options of an ingestion", () => db.ingest(messages(3), proxy)],
    ["options of open", () => open(":memory:", proxy)],
    ["a column", () => db.ingest(Object.assign(getter("src"), { dst: ["a"], time: BigInt64Array.of(0n) }) as never)],
  ])("%s: E_SCHEMA", async (_, work) => {
    expect(await codeOf(work)).toBe("E_SCHEMA");
  });
});

describe("texts of any length", () => {
  // Far longer than a test may take, were each compared with every legal name or made a number.
  const long = "9".repeat(20_000_000);
  const series = { metric: "edge_event_count", stride: "P1D" };
  test.each<[string, string, () => Promise<unknown>]>([
    ["an operator", "E_NOT_FOUND", () => db.call(long)],
    ["a zone", "E_INVALID_ARG", () => db.call("graph_metric_timeseries", { ...series, zone: long } as never)],
    ["a duration", "E_INVALID_ARG", () => db.call("count_temporal_motifs", { motif: "M24", delta: `PT${long}S` })],
    [
      "a stride",
      "E_INVALID_ARG",
      () => db.call("graph_metric_timeseries", { ...series, stride: `PT${long}S` } as never),
    ],
    ["an option", "E_SCHEMA", () => db.call("scan", { of: "nodes" }, { [long]: 1 } as never)],
  ])("%s that is none", async (_, code, work) => {
    expect(await codeOf(work)).toBe(code);
  });
});

describe("call", () => {
  test.each([
    ["an operator that is none", "E_NOT_FOUND", ["scann"]],
    ["a name that is no text", "E_SCHEMA", [Symbol("scan")]],
    ["arguments that are none", "E_SCHEMA", ["scan", 5]],
    ["null options", "E_INVALID_ARG", ["scan", { of: "nodes" }, null]],
    ["a signal that is none", "E_INVALID_ARG", ["scan", { of: "nodes" }, { signal: {} }]],
    ["a deadline that is none", "E_INVALID_ARG", ["scan", { of: "nodes" }, { deadlineMs: "5" }]],
    ["ceilings that are none", "E_INVALID_ARG", ["scan", { of: "nodes" }, { ceilings: { rows: "many" } }]],
    ["a signal that was given", "E_CANCELLED", ["scan", { of: "nodes" }, { signal: AbortSignal.abort() }]],
  ])("%s is %s", async (_, code, args) => {
    expect(await codeOf(() => db.call(...(args as Parameters<Database["call"]>)))).toBe(code);
  });
});

test("a store that would pass its memory limit is E_LIMIT before anything is written, and goes on", async () => {
  const small = await open(":memory:", { memoryLimitBytes: 4 << 20 });
  expect(await codeOf(() => small.ingest(messages(200_000), { type: "M" }))).toBe("E_LIMIT");
  expect((await small.write([person("a")])).tx).toBe(1);
  await small.close();
});
