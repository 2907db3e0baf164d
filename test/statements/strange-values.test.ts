// What only JavaScript can hand over (holes, lists that say they are endless, proxies that throw, symbols, cycles) in the place
// of every argument of the database: a typed error or an answer, never a bare error, E_INTERNAL, or the end of the process.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, PalimpsestError } from "../../src/index.js";
import { smallStore } from "./stores.js";

let db: Database;
beforeAll(async () => {
  db = await smallStore("payments");
});
afterAll(() => db.close());

const trap = (): never => {
  throw new Error("a trap");
};
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
let deep: unknown = 1;
for (let i = 0; i < 100_000; i += 1) deep = [deep];
const revoked = Proxy.revocable({}, {});
revoked.revoke();

const STRANGE: readonly (readonly [string, unknown])[] = [
  ["NaN", Number.NaN],
  ["an integer beyond int64", 2n ** 63n],
  ["a date that is none", new Date(Number.NaN)],
  ["a symbol", Symbol("s")],
  ["a function", () => 1],
  ["a cycle", cyclic],
  ["depth", deep],
  ["a list of holes", new Array(3)],
  ["a list of holes without end", new Array(2 ** 32 - 1)],
  ["bytes", new Uint8Array(5)],
  ["a map", new Map([[1, 2]])],
  ["a lone surrogate", "\ud800"],
  ["an object without prototype", Object.assign(Object.create(null) as object, { a: 1 })],
  ["a getter that throws", Object.defineProperty({}, "x", { enumerable: true, get: trap })],
  ["a text that throws", { toString: trap, [Symbol.toPrimitive]: trap }],
  ["a proxy that throws", new Proxy({}, { get: trap, ownKeys: trap, getPrototypeOf: trap, has: trap })],
  ["a list that throws", new Proxy([1], { get: trap })],
  ["a proxy that was revoked", revoked.proxy],
];

/** Anything stands in any place: what the compiler would refuse is what this is about. */
type Loose = Record<string, (...args: readonly unknown[]) => unknown>;
const loose = (target: object): Loose => target as Loose;

const PLACES: readonly (readonly [string, (value: unknown) => unknown])[] = [
  ["a statement", (v) => loose(db).query!(v)],
  ["the options of a statement", (v) => loose(db).query!("SELECT 1 AS a", v)],
  ["parameters", (v) => loose(db).query!("SELECT $x AS a", { params: v })],
  ["a parameter", (v) => loose(db).query!("SELECT $x AS a", { params: { x: v } })],
  ["a uid", (v) => loose(db).query!("SELECT n.uid FROM NODES() n WHERE n.uid = $x", { params: { x: v } })],
  ["an argument of CALL", (v) => loose(db).query!("CALL temporal_reachability(uid => $x)", { params: { x: v } })],
  ["a statement to prepare", (v) => loose(db).prepare!(v)],
  ["the options of a session", (v) => loose(db).session!(v)],
  ...["pin", "zone", "defaults", "readOnly"].map(
    (name) => [`the ${name} of a session`, (v: unknown) => loose(db).session!({ [name]: v })] as const,
  ),
  ["the name of an operator", (v) => loose(db).call!(v, {})],
  ["arguments", (v) => loose(db).call!("scan", v)],
  ["arguments of select", (v) => loose(db).call!("select", v)],
  ...["query", "params", "tables", "zone", "limit", "cursor"].map(
    (name) =>
      [
        `${name} of select`,
        (v: unknown) => loose(db).call!("select", { query: "SELECT t.a FROM t", tables: { t: [{ a: 1 }] }, [name]: v }),
      ] as const,
  ),
  ["a table of select", (v) => loose(db).call!("select", { query: "SELECT t.a FROM t", tables: { t: v } })],
  ["a cell of select", (v) => loose(db).call!("select", { query: "SELECT t.a FROM t", tables: { t: [{ a: v }] } })],
  ["a parameter of select", (v) => loose(db).call!("select", { query: "SELECT $x AS a", params: { x: v } })],
  ["a plan", (v) => loose(db).run!(v)],
  ["a plan to verify", (v) => loose(db).verify!(v)],
  ["identifiers", (v) => loose(db).verify!({}, { identifiers: v })],
  ["a trace", (v) => loose(db).check!(v)],
  ["a batch", (v) => loose(db).write!(v)],
  [
    "a property",
    (v) => loose(db).write!([{ op: "assert_node", uid: "strange", props: { v: [v] }, valid_from: "2020-01-01" }]),
  ],
];

describe.each(PLACES)("in the place of %s", (_, use) => {
  it.each(STRANGE)("%s is answered or refused", async (_name, value) => {
    const run = async (): Promise<unknown> => use(value);
    const error = await run().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error === null) return;
    expect(error).toBeInstanceOf(PalimpsestError);
    expect((error as PalimpsestError).code).not.toBe("E_INTERNAL");
  });
});

it("a list with holes is no value", async () => {
  const holed = { op: "assert_node", uid: "holed", props: { list: new Array(2) }, valid_from: "2020-01-01" };
  await expect(db.write([holed as never])).rejects.toMatchObject({ code: "E_SCHEMA" });
  await expect(db.call("select", { query: "SELECT $x AS a", params: { x: new Array(2) } })).rejects.toMatchObject({
    code: "E_SCHEMA",
  });
});
