// Elements in RETURN and WHERE of a MATCH of one node or one edge: all columns, counts, identities, equal ends. Counted by hand.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/index.js";
import { exampleStore } from "./example-store.js";
import { refusal } from "./refusal.js";

let db: Database;
beforeAll(async () => {
  db = await exampleStore();
});
afterAll(() => db.close());

const cells = async (text: string): Promise<unknown[][]> =>
  (await db.query(text)).rows.map((row) => Object.values(row as Record<string, unknown>));

describe("an element", () => {
  it("is counted, its absence at an end too", async () => {
    // Two spells of nurse1, two of nurse4 since the correction, two of nurse9.
    expect(await cells("MATCH (n:Nurse)-[r:WORKS_ON]-(w) RETURN COUNT(n), COUNT(r), COUNT(w)")).toEqual([[6, 6, 6]]);
    expect(await cells("MATCH (n)-[r:ON_LEAVE]->(home) RETURN COUNT(home), COUNT(home.name)")).toEqual([[1, 0]]);
    expect(await cells("MATCH (n:Nurse) RETURN COUNT(n) AS nurses")).toEqual([[3]]);
  });

  it("has an identity, under a name of its own", async () => {
    const { columns, rows } = await db.query("MATCH (a)-[f:FLIGHT {carrier: 'QF'}]->(b) RETURN ID(a), ID(b)");
    expect(columns.map(({ name }) => name)).toEqual(["id", "id_2"]);
    expect(rows).toEqual([
      { id: "OSL", id_2: "SYD" },
      { id: "SYD", id_2: "OSL" },
    ]);
  });

  it("equals another end, or does not", async () => {
    expect(await cells("MATCH (a)-[f:FLIGHT]->(b) WHERE a = b RETURN f.fare")).toEqual([[50]]);
    expect(await cells("MATCH (a)-[f:FLIGHT]-(b) WHERE a <> b RETURN a.uid, b.uid, COUNT(f)")).toEqual(
      expect.arrayContaining([
        ["OSL", "SYD", 2],
        ["SYD", "OSL", 2],
        ["OSL", "TRD", 2],
        ["TRD", "OSL", 2],
        ["SYD", "TRD", 1],
        ["TRD", "SYD", 1],
      ]),
    );
    const some = "MATCH (a)-[f:FLIGHT]->(b) RETURN a.uid, COUNT(b) FILTER (WHERE a <> b) AS n";
    expect(await cells(some)).toEqual([
      ["OSL", 3],
      ["SYD", 1],
      ["TRD", 1],
    ]);
  });

  it("shows all its columns where it has a table of its own", async () => {
    const { columns, rows } = await db.query("MATCH (n)-[r:ON_LEAVE]->(h) RETURN r.*, n.name");
    const edge = "src type dst key valid_from valid_to tx_from tx_to";
    expect(columns.map(({ name }) => name)).toEqual([...edge.split(" "), "name"]);
    expect(rows).toMatchObject([{ src: "nurse1", dst: "home", valid_from: "2025-03-10T00:00:00Z", name: "Åsa" }]);
    const times = ["2024-01-01T00:00:00Z", null, "2025-02-01T00:00:00Z", null];
    expect(await cells("MATCH (g:Group) RETURN g.*")).toEqual([["g1", ["Group"], 3, "am", ...times]]);
  });

  it("is the same on the reference engine", async () => {
    for (const what of ["n, r, h", "*", "COUNT(DISTINCT n), COUNT(DISTINCT r), COUNT(DISTINCT h)", "r.*, h.*, ID(r)"]) {
      const { rows } = await db.query(`EXPLAIN VERIFY MATCH (n:Nurse)-[r]->(h) RETURN ${what}`);
      expect(rows.map(({ engine, equal }) => [engine, equal])).toEqual([
        ["native", true],
        ["reference", true],
      ]);
      expect(rows[0]!.rows).toBeGreaterThan(0);
    }
  });

  it("may be a row of a query, whose nodes are judged at an instant that is said", async () => {
    const links = "WITH links AS (SELECT f.src, f.dst, f.at FROM EVENTS(FLIGHT) AS f) MATCH";
    const refused = async (rest: string): Promise<string> => refusal(db.query(`${links} ${rest}`));
    expect(await refused("(a)-[r IN links]->(b) RETURN a.name")).toMatch(/^E_INVALID_ARG no_instant/);
    expect(await refused("(a:Airport)-[r IN links]->(b) RETURN b.uid")).toMatch(/^E_INVALID_ARG no_instant/);
    const day = "FOR VALID_TIME AS OF DATE '2025-01-01'";
    expect(await refused(`TIME_RESPECTING (a)-[r IN links]->(b) ${day} RETURN b.uid`)).toMatch(/^E_AXIS events_at/);
    expect(await refused("(a)-[r IN other]->(b) RETURN b.uid")).toMatch(/^E_SCHEMA unknown_name/);
    expect(await refused("(a)-[r IN links {fare: 3}]->(b) RETURN b.uid")).toMatch(/^E_SCHEMA unknown_name/);
    expect(await refused("(a)-[r IN links]->(b) RETURN a.uid, r")).toMatch(/^E_INVALID_ARG pattern_not_supported/);
    expect(await refused("(a)-[r IN links]->(b) RETURN r.*, COUNT(*)")).toMatch(/pattern_not_supported/);
  });

  it.each([
    "MATCH p = (n)-[r:ON_LEAVE]->(h) RETURN p",
    "MATCH p = (n)-[r:ON_LEAVE]->(h) RETURN *",
    "MATCH p = (n:Nurse) RETURN COUNT(*) AS n, p",
    "MATCH p = EARLIEST TIME_RESPECTING (ARRIVAL END) (a {uid: 'OSL'})-[f:FLIGHT]->{1,2}(b {uid: 'SYD'}) RETURN p",
    "MATCH p = EARLIEST TIME_RESPECTING (ARRIVAL END) (a {uid: 'OSL'})-[f:FLIGHT]->{1,2}(b {uid: 'SYD'}) RETURN *",
    "MATCH p = EARLIEST TIME_RESPECTING (ARRIVAL END) (a {uid: 'OSL'})-[f:FLIGHT]->{1,2}(b {uid: 'SYD'}) RETURN a",
  ])("is not answered: %s", async (text) => {
    expect(await refusal(db.query(text))).toMatch(/^E_INVALID_ARG pattern_not_supported/);
  });

  it("is nothing where the pattern names nothing", async () => {
    expect(await refusal(db.query("MATCH (:Nurse) RETURN *"))).toMatch(/^E_SCHEMA no_variable/);
  });
});
