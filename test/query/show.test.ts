// SHOW: tables with declared columns, and LIKE over their first column.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, open } from "../../src/index.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { isLike } from "../../src/query/show/like.js";

let db: Database;
beforeAll(async () => {
  db = await open(":memory:");
  await db.query(
    `INSERT (:Nurse&Person {uid: 'n', grade: 5, name: 'Åsa'})-[:WORKS_ON {shift: 'night', hours: 7.5}]->(:Ward {uid: 'w'})
     FOR VALID_TIME ALL`,
  );
});
afterAll(() => db.close());

const rows = async (text: string) => (await db.query(text)).rows;

describe("SHOW", () => {
  test("lists names with their properties", async () => {
    expect(await rows("SHOW LABELS")).toEqual([
      { label: "Nurse", properties: ["grade", "name"] },
      { label: "Person", properties: ["grade", "name"] },
      { label: "Ward", properties: [] },
    ]);
    expect(await rows("SHOW TYPES")).toEqual([{ type: "WORKS_ON", properties: ["hours", "shift"] }]);
    expect(await rows("SHOW LABELS LIKE 'Nur%'")).toEqual([{ label: "Nurse", properties: ["grade", "name"] }]);
    expect(await rows("SHOW PROPERTIES OF WORKS_ON")).toEqual([
      { property: "hours", of: "WORKS_ON", kind: "type", type: "double" },
      { property: "shift", of: "WORKS_ON", kind: "type", type: "string" },
    ]);
    expect((await rows("SHOW PROPERTIES LIKE 'gr%'")).map((row) => row.of)).toEqual(["Nurse", "Person"]);
    await expect(db.query("SHOW PROPERTIES OF Nurze")).rejects.toMatchObject({
      code: "E_SCHEMA",
      hint: expect.stringContaining("Nurse"),
    });
  });

  test("sees the names of the commit that a block pins", async () => {
    const session = db.session();
    await session.query("BEGIN READ ONLY FOR TRANSACTION_TIME AS OF TX 0");
    expect((await session.query("SHOW LABELS")).rows).toEqual([]);
  });

  test("lists operators and the arguments of one", async () => {
    expect((await rows("SHOW OPERATORS")).map((row) => row.operator)).toEqual(DECLARATIONS.map(({ name }) => name));
    const [of] = await rows("SHOW OPERATOR scan");
    expect(of).toMatchObject({ argument: "of", required: true, default: null });
    await expect(db.query("SHOW OPERATOR scann")).rejects.toMatchObject({
      code: "E_SCHEMA",
      details: { near: ["scan"] },
    });
  });

  test("lists functions, counts and settings", async () => {
    expect((await rows("SHOW FUNCTIONS LIKE 'COUN_'")).map((row) => [row.function, row.kind])).toEqual([
      ["COUNT", "aggregate"],
    ]);
    expect(await rows("SHOW STATS LIKE 'n%'")).toEqual([
      { name: "nodes", value: 2 },
      { name: "node_versions", value: 2 },
    ]);
    const session = db.session({ zone: "Europe/Oslo" });
    expect((await session.query("SHOW SETTINGS LIKE 'time_zone'")).rows).toEqual([
      { name: "time_zone", value: "Europe/Oslo" },
    ]);
  });

  test("has the columns that it declares before it runs", async () => {
    for (const what of [
      "OPERATORS",
      "OPERATOR scan",
      "FUNCTIONS",
      "TYPES",
      "LABELS",
      "PROPERTIES",
      "STATS",
      "SETTINGS",
    ]) {
      const declared = db.prepare(`SHOW ${what}`).columns;
      const answer = await db.query(`SHOW ${what}`);
      expect(answer.columns).toEqual(declared);
      expect(Object.keys(answer.rows[0]!)).toEqual(declared.map(({ name }) => name));
    }
  });
});

describe("LIKE over names", () => {
  test("agrees with a regular expression", () => {
    const texts = ["", "a", "b", "ab", "aa", "aab", "abab", "a%b", "é", "👩b"];
    const patterns = ["", "%", "_", "a%", "%b", "a_b", "%a%b%", "__", "%%", "a%a%b", "_b"];
    for (const text of texts) {
      for (const pattern of patterns) {
        const source = [...pattern].map((mark) => (mark === "%" ? ".*" : mark === "_" ? "." : mark)).join("");
        expect([text, pattern, isLike(text, pattern)]).toEqual([
          text,
          pattern,
          new RegExp(`^${source}$`, "su").test(text),
        ]);
      }
    }
  });
});
