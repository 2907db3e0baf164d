// Tables in a user's own DuckDB: handed over with every value, asked there in SQL, and taken back to equal stores.
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";

let instance: DuckDBInstance;
let duck: DuckDBConnection;
let db: Database;

const LONG = "a text that is longer than twelve bytes, \u{1f600}";
const PROPS = [
  { int: 2n ** 63n - 1n, double: 0.1, flag: true, text: "short", list: [1, { a: null }], mixed: 1, wide: 0.5 },
  { int: -(2n ** 63n), double: -1e300, flag: false, text: LONG, mixed: "1", wide: 9_007_199_254_740_993n },
  {},
];

beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  duck = await instance.connect();
  await duck.run("SET TimeZone = 'UTC'");
  db = await open(":memory:");
  await db.write(
    [
      {
        op: "assert_node",
        uid: "ada",
        labels: ["Person", "Poet"],
        props: { born: 1815 },
        valid_from: "1815-12-10",
        valid_to: "1852-11-27",
      },
      { op: "assert_node", uid: "bob", labels: [], valid_from: "-0043-03-15" },
      ...PROPS.map((props, i) => ({
        op: "assert_edge",
        src: i === 2 ? LONG : "ada",
        type: "T",
        dst: "bob",
        key: `${i}`,
        props,
        valid_from: { us: BigInt(i) - 1n },
        valid_to: i === 1 ? null : { us: 10n },
      })),
    ] as never,
    { txTime: "2020-01-01" },
  );
  await db.write(
    [
      {
        op: "correct",
        ref: { src: "ada", type: "T", dst: "bob", key: "1" },
        mode: "patch",
        props: { double: 7 },
        valid_from: { us: 5n },
        valid_to: { us: 6n },
        reason: "typing",
      },
    ] as never,
    { txTime: "2020-01-02" },
  );
});
afterAll(async () => {
  await db.close();
  duck.closeSync();
  instance.closeSync();
});

const rows = async (sql: string) => (await duck.run(sql)).getRowsJson();

describe("a store in DuckDB", () => {
  it("has every value, and open ends are NULL", async () => {
    expect(await db.exportTo(duck, { history: true })).toEqual({
      tx: 2,
      txTime: "2020-01-02T00:00:00Z",
      nodes: 2,
      edges: 6,
      answers: {},
    });
    expect(await rows("SELECT column_name, column_type FROM (DESCRIBE edges)")).toEqual([
      ...["src", "dst", "type", "key"].map((name) => [name, "VARCHAR"]),
      ...["valid_from", "valid_to", "tx_from", "tx_to"].map((name) => [name, "TIMESTAMP WITH TIME ZONE"]),
      ...["reason", "ended_by", "ended_reason"].map((name) => [name, "VARCHAR"]),
      ...[
        ["props.double", "DOUBLE"],
        ["props.flag", "BOOLEAN"],
        ["props.int", "BIGINT"],
        ["props.list", "JSON"],
      ],
      ...[
        ["props.mixed", "JSON"],
        ["props.text", "VARCHAR"],
        ["props.wide", "JSON"],
      ],
    ]);
    const believed = `SELECT src, "key", epoch_us(valid_from), epoch_us(valid_to), "props.int", "props.double", "props.flag", "props.text", "props.list", "props.mixed", "props.wide"
      FROM edges WHERE tx_to IS NULL ORDER BY "key", valid_from`;
    expect(await rows(believed)).toEqual([
      ["ada", "0", "-1", "10", "9223372036854775807", 0.1, true, "short", '[1,{"a":null}]', "1", "0.5"],
      ...[
        ["0", "5", -1e300],
        ["5", "6", 7],
        ["6", null, -1e300],
      ].map(([from, to, double]) => [
        "ada",
        "1",
        from,
        to,
        "-9223372036854775808",
        double,
        false,
        LONG,
        null,
        '"1"',
        "9007199254740993",
      ]),
      [LONG, "2", "1", "10", null, null, null, null, null, null, null],
    ]);
    expect(
      await rows(
        "SELECT count(*), count(tx_to), min(epoch_us(tx_from)), max(epoch_us(tx_to)), max(ended_by), max(ended_reason) FROM edges",
      ),
    ).toEqual([["6", "1", "1577836800000000", "1577923200000000", "corrected", "typing"]]);
    expect(
      await rows('SELECT uid, labels, valid_from::VARCHAR, valid_to::VARCHAR, "props.born" FROM nodes ORDER BY uid'),
    ).toEqual([
      ["ada", ["Person", "Poet"], "1815-12-10 00:00:00+00", "1852-11-27 00:00:00+00", "1815"],
      ["bob", [], "0044-03-15 (BC) 00:00:00+00", null, null],
    ]);
  });

  it("comes back as it was", async () => {
    await db.exportTo(duck, { nodes: "n", edges: "e" });
    const back = await open(":memory:");
    expect(await back.importFrom(duck, { table: "n", nodes: true })).toMatchObject({ tx: 1, rows: 2 });
    expect(await back.importFrom(duck, { query: "SELECT * FROM e -- all of them\n;" })).toMatchObject({
      tx: 2,
      rows: 5,
    });
    const shown = async (of: Database, table: "nodes" | "edges") => {
      const columns = table === "nodes" ? ["uid", "labels"] : ["src", "type", "dst", "key"];
      return (await of.call("scan", { of: table, columns: [...columns, "valid_from", "valid_to", "props"] } as never))
        .rows;
    };
    expect(await shown(back, "edges")).toEqual(await shown(db, "edges"));
    // Events make the nodes that they name, from the earliest on; those that were there are as they were.
    const named = (await shown(back, "nodes")) as { uid: string }[];
    expect(named.filter(({ uid }) => uid !== LONG)).toEqual(await shown(db, "nodes"));
    expect(named.length).toBe(3);
    await back.close();
  });

  it("has the answers of statements, beside what is there", async () => {
    const asked =
      "SELECT e.key, e.int, e.valid_to, e.valid_to - e.valid_from AS held FROM EDGES(T) AS e WHERE e.src = 'ada' ORDER BY e.key, e.valid_from LIMIT 2";
    expect(await db.exportTo(duck, { answers: { "two edges": asked } })).toMatchObject({
      nodes: null,
      edges: null,
      answers: { "two edges": 2 },
    });
    expect(await rows('SELECT "key", "int", epoch_us(valid_to), held FROM "two edges"')).toEqual([
      ["0", "9223372036854775807", "10", "11"],
      ["1", "-9223372036854775808", "5", "5"],
    ]);
    await expect(db.exportTo(duck, { answers: { wrong: "SELECT" } })).rejects.toMatchObject({ code: "E_SYNTAX" });
    await expect(db.exportTo(duck, { answers: { wrong: 1 } as never })).rejects.toMatchObject({
      code: "E_INVALID_ARG",
    });
  });

  it("leaves tables that are there, and all as it was where something fails", async () => {
    await duck.run("CREATE TABLE mine AS SELECT 42 AS x");
    await expect(db.exportTo(duck, { nodes: "fresh", edges: "mine" })).rejects.toMatchObject({ code: "E_STATE" });
    expect(await rows("SELECT x FROM mine")).toEqual([[42]]);
    await expect(duck.run("FROM fresh")).rejects.toThrow("fresh");
    await db.exportTo(duck, { nodes: null, edges: "mine", overwrite: true });
    expect(await rows("SELECT count(*) FROM mine")).toEqual([["5"]]);
    await db.exportTo(duck, { nodes: 'odd "name"; DROP TABLE mine; --', edges: null });
    expect(await rows('SELECT count(*) FROM "odd ""name""; DROP TABLE mine; --"')).toEqual([["2"]]);
    await expect(db.exportTo({} as never)).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    await expect(db.exportTo(duck, { edges: "nodes" })).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    await expect(db.importFrom(duck, { table: "nobody" })).rejects.toMatchObject({ code: "E_UPSTREAM" });
    await expect(db.importFrom(duck, { query: "DROP TABLE mine" })).rejects.toMatchObject({ code: "E_UPSTREAM" });
    await expect(db.importFrom(duck, {} as never)).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    await expect(
      db.importFrom(duck, { query: "SELECT 'a' AS src, 'b' AS dst, 'x'::BLOB AS y, now() AS time", type: "T" }),
    ).rejects.toMatchObject({ code: "E_SCHEMA" });
    expect((await db.head()).tx).toBe(2);
  });

  it("takes many rows with texts of all lengths and nulls", async () => {
    const made = await open(":memory:");
    const wanted = `SELECT 'n' || (i % 777) AS src, repeat('x', (i % 40)::INTEGER + 1) || i AS dst, make_timestamptz(i) AS time,
      CASE WHEN i % 3 = 0 THEN NULL ELSE repeat('ü', (i % 20)::INTEGER) END AS t, CASE WHEN i % 5 <> 0 THEN i END AS n FROM range(70000) r(i)`;
    await made.importFrom(duck, { query: wanted, type: "T" });
    await made.exportTo(duck, { nodes: null, edges: "many" });
    const differences = `SELECT count(*) FROM ((${wanted}) EXCEPT (SELECT src, dst, valid_from, "props.t", "props.n" FROM many))`;
    expect(await rows(`SELECT count(*) FROM many`)).toEqual([["70000"]]);
    expect(await rows(differences)).toEqual([["0"]]);
    await made.close();
  });
});
