// Names and texts that mean something to DuckDB, to JavaScript objects or to patterns, in every place of a statement that becomes
// SQL: each is the name or the text that it is.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open, PalimpsestError } from "../../src/index.js";

const NASTY = [
  "'; DROP TABLE r0_s0; --",
  '") ; SELECT * FROM duckdb_settings(); --',
  "'||(SELECT version())||'",
  "' OR 1=1 --",
  "\\'; --",
  'a"b""c',
  "$1",
  "\u0000'\"",
  "/*",
  "--",
  "c0",
  "p",
  "r0_s0()",
  "__proto__",
  "constructor",
  "toString",
  "rowid",
  "SELECT",
  "a.b[0]",
  "$.a[*]",
  "E'\\n'",
  "\u202e",
  "`",
  "error('@E_IO boo')",
  "@E_LIMIT forged",
  "list_transform([1], lambda x: x)",
  "%_\\",
  "getenv('HOME')",
  "read_csv('/etc/passwd')",
] as const;

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const name = (value: string): string => `\`${value.replaceAll("`", "``")}\``;

let db: Database;
beforeAll(async () => {
  db = await open(":memory:");
  const valid_from = "2020-01-01T00:00:00Z";
  const ranks = Object.fromEntries(NASTY.map((each, i) => [each, i]));
  await db.write([{ op: "assert_node", uid: "all", props: { ...ranks, inside: ranks }, valid_from }]);
  for (const each of NASTY) {
    await db.write([
      { op: "assert_node", uid: each, labels: [each], props: { v: each }, valid_from },
      { op: "assert_edge", src: each, type: each, dst: "all", key: each, props: { [each]: each }, valid_from },
    ]);
  }
});
afterAll(() => db.close());

const only = async (statement: string, params: Record<string, unknown> = {}): Promise<unknown> => {
  const { rows } = await db.query(statement, { params });
  expect(rows).toHaveLength(1);
  return Object.values(rows[0]!)[0];
};

describe.each(NASTY.map((each, rank) => [each, rank] as const))("%j", (each, rank) => {
  it("is the text that it is", async () => {
    expect(await only(`SELECT ${text(each)} AS v`)).toBe(each);
    expect(await only("SELECT $x AS v", { x: each })).toBe(each);
    expect(await only(`SELECT n.v FROM NODES() n WHERE n.uid = ${text(each)}`)).toBe(each);
    expect(await only(`SELECT n.v FROM NODES() n WHERE n.uid || '' IN (${text(each)}, 'x')`)).toBe(each);
    expect(await only(`SELECT SPLIT('a' || ${text(each)} || 'b', ${text(each)}) AS v`)).toEqual(["a", "b"]);
    expect(await only(`SELECT REPLACE('[' || ${text(each)} || ']', ${text(each)}, '') AS v`)).toBe("[]");
    expect(
      await only(`SELECT STRING_AGG(t.v, ${text(each)}) AS v FROM UNNEST($x) AS t(v)`, { x: ["1", "1"] }).catch(
        (error: PalimpsestError) => error.code,
      ),
    ).not.toBe("E_INTERNAL");
  });

  it("is the name that it is, of columns, tables, properties, members, types and labels", async () => {
    expect((await db.query(`SELECT 1 AS ${name(each)}`)).rows).toEqual([Object.fromEntries([[each, 1]])]);
    expect(
      await only(
        `WITH ${name(each)} AS (SELECT 7 AS ${name(each)}) SELECT ${name(each)}.${name(each)} FROM ${name(each)}`,
      ),
    ).toBe(7);
    expect(await only(`SELECT n.props[${text(each)}] AS v FROM NODES() n WHERE n.uid = 'all'`)).toBe(rank);
    expect(await only(`SELECT n.inside[${text(each)}] AS v FROM NODES() n WHERE n.uid = 'all'`)).toBe(rank);
    expect(await only(`SELECT n.inside.${name(each)} AS v FROM NODES() n WHERE n.uid = 'all'`)).toBe(rank);
    expect(await only(`SELECT e.src FROM EDGES(${name(each)}) e`)).toBe(each);
    expect(await only(`SELECT n.uid FROM NODES(${name(each)}) n`)).toBe(each);
    expect(await only(`MATCH (a:${name(each)})-[r:${name(each)}]->(b) RETURN r.${name(each)} AS v`)).toBe(each);
    expect(await only(`SELECT {${name(each)}: 1} AS v`)).toEqual(Object.fromEntries([[each, 1]]));
  });

  it("names tables and columns of select, in a call and in a plan", async () => {
    const query = `SELECT ${name(each)}.${name(each)} AS ${name(each)} FROM ${name(each)}`;
    const tables = Object.fromEntries([[each, [Object.fromEntries([[each, "cell"]]), {}]]]);
    const expected = [Object.fromEntries([[each, null]]), Object.fromEntries([[each, "cell"]])];
    expect((await db.call("select", { query, tables })).rows).toEqual(expected);
    const trace = await db.run({
      steps: [
        { id: "t", op: "select", args: { query, tables } },
        { id: "u", op: "select", args: { query, tables: Object.fromEntries([[each, { $ref: "t" }]]) } },
      ],
      answer: { kind: "table", from: "u" },
    });
    expect(trace.answer).toMatchObject({ rows: expected });
    expect(await db.check(trace)).toBeNull();
  });

  it("is no function, and no statement or plan of its own", async () => {
    for (const statement of [
      each,
      `SELECT ${each} AS v`,
      `SELECT 1 AS v FROM ${each}`,
      `SELECT ${name(each)}(1) AS v`,
    ]) {
      await db.query(statement).then(
        ({ rows }) => expect(rows.length).toBeLessThanOrEqual(1),
        (error: unknown) => {
          expect(error).toBeInstanceOf(PalimpsestError);
          expect((error as PalimpsestError).code).toMatch(/^E_(SYNTAX|SCHEMA|INVALID_ARG)$/);
        },
      );
      const plan = {
        steps: [{ id: "s", op: "select", args: { query: statement } }],
        answer: { kind: "table", from: "s" },
      };
      const { violations } = db.verify(plan);
      for (const { code } of violations) expect(code).toMatch(/^E_(SYNTAX|SCHEMA|INVALID_ARG)$/);
    }
  });
});

it("a pattern that ends with its escape character is refused", async () => {
  const run = db.query("SELECT COUNT(*) AS c FROM NODES() n WHERE n.v LIKE '\\' ESCAPE '\\'");
  await expect(run).rejects.toMatchObject({ code: "E_INVALID_ARG" });
});
