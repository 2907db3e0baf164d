// Types of properties are known before anything runs: of a prepared statement, and of a plan that is verified against its
// store. A property has the class that it has at the pin.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";

let db: Database;
beforeAll(async () => {
  db = await open(":memory:");
  const node = (uid: string, props: Record<string, string | number | boolean>) => ({
    op: "assert_node" as const,
    uid,
    labels: ["Nurse"],
    props,
    valid_from: "2025-01-01",
  });
  await db.write([node("a", { grade: 5, name: "Ada", day: true }), node("b", { grade: 2.5 })], {
    txTime: "2025-01-01T00:00:00Z",
  });
  await db.write([node("c", { grade: "none", late: 1 })], { txTime: "2025-02-01T00:00:00Z" });
});
afterAll(() => db.close());

const planOf = (query: string, pin: string | null, column = "grade") => ({
  steps: [
    {
      id: "s1",
      op: "scan",
      args: { of: "nodes", names: ["Nurse"], as_of_tt: pin, columns: ["uid", `props.${column}`] },
    },
    { id: "s2", op: "select", args: { query, tables: { n: { $ref: "s1" } } } },
  ],
  answer: { kind: "table", from: "s2" },
});
const wrong = (plan: object): unknown[] =>
  db.verify(plan).violations.map(({ code, step, message }) => [code, step, message]);

it("a plan that takes a property for what it is not is told so by the verifier", () => {
  const joined = "SELECT n.grade || 'x' AS s FROM n";
  const noText = [["E_SCHEMA", "s2", expect.stringContaining("DOUBLE")]];
  for (const pin of ["tx:1", "2025-01-15T00:00:00Z"]) expect(wrong(planOf(joined, pin))).toEqual(noText);
  // Of mixed classes it is JSON, which only the run judges.
  for (const pin of [null, "tx:2", "2025-02-15T00:00:00Z"]) expect(wrong(planOf(joined, pin))).toEqual([]);
  expect(wrong(planOf("SELECT n.name + 1 AS x FROM n", null, "name"))).toEqual([
    ["E_SCHEMA", "s2", expect.stringContaining("STRING")],
  ]);
  expect(wrong(planOf("SELECT n.late + 1 AS x FROM n", null, "late"))).toEqual([]);
  expect(wrong(planOf(joined, "tx:9"))).toMatchObject([["E_TX_UNKNOWN", "s1", expect.anything()]]);
});

it("and so is one whose later step takes it", () => {
  const [s1, s2] = planOf("SELECT n.day FROM n", "tx:1", "day").steps;
  const s3 = { id: "s3", op: "temporal_reachability", args: { uid: { $ref: "s2.rows[0].day" } } };
  expect(db.verify({ steps: [s1, s2, s3], answer: { kind: "table", from: "s3" } }).violations).toMatchObject([
    { kind: "type_mismatch", step: "s3" },
  ]);
});

it("what verifies has the types when it runs", async () => {
  const plan = planOf("SELECT n.uid, n.grade * 2 AS twice FROM n", "tx:1");
  expect(db.verify(plan).valid).toBe(true);
  expect((await db.run(plan)).answer).toMatchObject({
    columns: [
      { name: "uid", type: "string" },
      { name: "twice", type: "double" },
    ],
    rows: [
      { uid: "a", twice: 10 },
      { uid: "b", twice: 5 },
    ],
  });
});

it("a prepared statement has them at its pin, also where a scan is written out", () => {
  const types = (text: string): string[] => db.prepare(text).columns.map(({ type }) => type);
  const now = "SELECT n.grade, n.name, n.day, n.late FROM NODES(Nurse)";
  expect(types(`${now} AS n`)).toEqual(["json", "string", "bool", "int"]);
  expect(types(`${now} FOR TRANSACTION_TIME AS OF TX 1 AS n`)).toEqual(["double", "string", "bool", "null"]);
  const written = (pin: string): string[] =>
    types(`CALL scan(of => 'nodes', as_of_tt => ${pin}, columns => ['props.grade', 'props.name'])`);
  expect(written("'tx:1'")).toEqual(["double", "string"]);
  expect(written("NULL")).toEqual(["json", "string"]);
});
