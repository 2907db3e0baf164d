// Statements that are too much for one plan say so of themselves, with their place; long constants are not too much.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database, PalimpsestError } from "../../src/index.js";
import { exampleStore } from "./example-store.js";

let db: Database;
beforeAll(async () => {
  db = await exampleStore();
});
afterAll(() => db.close());

const many = (count: number, make: (i: number) => string, between = ", "): string =>
  Array.from({ length: count }, (_, i) => make(i)).join(between);
const failure = (text: string, params = {}): Promise<PalimpsestError> =>
  db.query(text, { params }).then(
    () => {
      throw new Error("it was answered");
    },
    (error: unknown) => error as PalimpsestError,
  );

it.each([
  [
    "columns",
    `EXPLAIN SELECT ${many(1025, (i) => `n.grade + ${i} AS c${i}`)} FROM NODES(Nurse) AS n`,
    /\{a: x, b: y\}/,
  ],
  [
    "statement_length",
    `SELECT ${many(5000, (i) => `n.grade + ${i} > 3`, " OR ")} AS x FROM NODES(Nurse) AS n`,
    /\$list/,
  ],
  [
    "tables",
    many(
      65,
      (i) => `SELECT e.src FROM EDGES(PAID) AS e WHERE e.amount > ${i} AND e.amount <> e.amount + ${i}`,
      " UNION ALL ",
    ),
    /several statements/,
  ],
])("too many %s are told of the statement, not of its plan", async (kind, text, hint) => {
  const error = await failure(text);
  expect(error).toMatchObject({ code: "E_LIMIT", details: { kind, line: 1 } });
  expect(error.message).toMatch(/^the statement /);
  expect(error.message).not.toMatch(/plan|\/steps|\/query|step/);
  expect(error.hint).toMatch(hint);
  expect(error.details.column).toBe(text.startsWith("EXPLAIN") ? 9 : 1);
});

it("takes long texts and lists, which its plan holds as parameters", async () => {
  const long = "x".repeat(70_000);
  expect((await db.query(`SELECT n.uid || '${long}' AS t FROM NODES(Group) AS n`)).rows).toEqual([{ t: `g1${long}` }]);
  const grades = many(20_000, (i) => `${i + 5}`);
  const text = `SELECT n.uid FROM NODES(Nurse) AS n WHERE n.grade + 0 IN (${grades})`;
  const { rows, plan, result_digest } = await db.query(text);
  expect(rows).toEqual([{ uid: "nurse1" }, { uid: "nurse4" }]);
  const trace = await db.run(JSON.parse(JSON.stringify(plan)));
  expect((trace.answer as { result_digest?: string }).result_digest).toBe(result_digest);
  const names = many(9000, (i) => `'name ${i}'`);
  const filtered = `SELECT LENGTH(n.name) AS l FROM NODES(Nurse) AS n WHERE n.name || '' NOT IN (${names}, 'Bo')`;
  expect((await db.query(filtered)).rows).toEqual([{ l: 3 }, { l: 4 }]);
});

it("looks for hundreds of thousands of values of a parameter", async () => {
  const uids = Array.from({ length: 200_000 }, (_, i) => `nurse${i + 2}`);
  for (const of of ["n.uid", "LOWER(n.uid)"]) {
    const text = `SELECT n.uid FROM NODES(Nurse) AS n WHERE ${of} IN $uids`;
    expect((await db.query(text, { params: { uids } })).rows).toEqual([{ uid: "nurse4" }, { uid: "nurse9" }]);
  }
  const joined = "SELECT n.uid FROM UNNEST($uids) AS u (uid) JOIN NODES(Nurse) AS n ON n.uid = u.uid";
  expect((await db.query(joined, { params: { uids } })).rows).toEqual([{ uid: "nurse4" }, { uid: "nurse9" }]);
});
