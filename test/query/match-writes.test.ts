// SET, REMOVE, DELETE and INSERT after a MATCH: which versions are written, over which time, with what.
// Expected states are counted by hand; random writes against a model stand in random-writes.test.ts.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, open } from "../../src/index.js";
import { believed, ended } from "./belief.js";
import { refusal } from "./refusal.js";

let db: Database;
beforeEach(async () => {
  db = await open(":memory:");
});
afterEach(() => db.close());

const write = async (text: string, params: Record<string, unknown> = {}) => {
  const { tx, operations, identities } = (await db.query(text, { params })) as unknown as Record<string, number | null>;
  return { tx, operations, identities };
};
const refused = (text: string) => refusal(db.query(text));
const FROM_JULY = "FOR PORTION OF VALID_TIME FROM DATE '2025-07-01'";

describe("SET and REMOVE", () => {
  beforeEach(async () => {
    await db.query("INSERT (:Nurse&Trainee {uid: 'n', grade: 5, mentor: 'm'}) FOR VALID_TIME FROM DATE '2025-01-01'");
  });

  test("carve the portion out and keep the rest of the spell", async () => {
    expect(await write(`MATCH (n:Nurse {uid: 'n'}) SET n.grade = 6 ${FROM_JULY}`)).toEqual({
      tx: 2,
      operations: 1,
      identities: 1,
    });
    expect((await believed(db, ["grade", "mentor"])).nodes).toEqual([
      'n [2025-01-01, 2025-07-01) Nurse&Trainee grade=5 mentor="m"',
      'n [2025-07-01, …) Nurse&Trainee grade=6 mentor="m"',
    ]);
    expect(await ended(db, "node")).toEqual(["n [2025-01-01, …) overwritten"]);
  });

  test("read the version that is carved on their right", async () => {
    await write(`MATCH (n:Nurse) SET n.grade = n.grade + 10 ${FROM_JULY}`);
    await write("MATCH (n:Nurse) SET n.grade = n.grade * 2, n.seen = TRUE FOR PORTION OF VALID_TIME ALL");
    expect((await believed(db, ["grade", "seen"])).nodes).toEqual([
      "n [2025-01-01, 2025-07-01) Nurse&Trainee grade=10 seen=true",
      "n [2025-07-01, …) Nurse&Trainee grade=30 seen=true",
    ]);
  });

  test("take labels and properties away, and put labels on", async () => {
    await write("MATCH (n:Nurse {uid: 'n'}) REMOVE n:Trainee, n.mentor FOR PORTION OF VALID_TIME ALL");
    await write(`MATCH (n:Nurse {uid: 'n'}) SET n:Senior, n.grade = NULL ${FROM_JULY}`);
    expect((await believed(db, ["grade", "mentor"])).nodes).toEqual([
      "n [2025-01-01, 2025-07-01) Nurse grade=5",
      "n [2025-07-01, …) Nurse&Senior",
    ]);
  });

  test("give the whole content, also properties whose names mean something else", async () => {
    await write("MATCH (n:Nurse) SET n = {grade: 7, props: {uid: 'x'}} FOR PORTION OF VALID_TIME ALL");
    expect((await believed(db, ["grade", "mentor", "uid"])).nodes).toEqual([
      'n [2025-01-01, …) Nurse&Trainee grade=7 uid="x"',
    ]);
  });

  test("add up within one statement", async () => {
    await write(
      `MATCH (n:Nurse) SET n.grade = 6 ${FROM_JULY} SET n.ward = 'w' FOR PORTION OF VALID_TIME FROM DATE '2025-06-01' TO DATE '2025-08-01'`,
    );
    expect((await believed(db, ["grade", "ward"])).nodes).toEqual([
      "n [2025-01-01, 2025-06-01) Nurse&Trainee grade=5",
      'n [2025-06-01, 2025-07-01) Nurse&Trainee grade=5 ward="w"',
      'n [2025-07-01, 2025-08-01) Nurse&Trainee grade=6 ward="w"',
      "n [2025-08-01, …) Nurse&Trainee grade=6",
    ]);
  });

  test("change nothing where nothing matches or overlaps, and make no commit", async () => {
    const nothing = { tx: null, operations: 0, identities: 0 };
    expect(await write(`MATCH (n:Nurse {uid: 'nobody'}) SET n.grade = 6 ${FROM_JULY}`)).toEqual(nothing);
    const before = "FOR PORTION OF VALID_TIME FROM DATE '2020-01-01' TO DATE '2025-01-01'";
    expect(await write(`MATCH (n:Nurse {uid: 'n'}) SET n.grade = 6 ${before}`)).toEqual(nothing);
    expect((await db.head()).tx).toBe(1);
  });

  test("are refused without a portion, on identities, and on what the store keeps", async () => {
    expect(await refused("MATCH (n {uid: 'x'}) SET n.grade = 6")).toBe("E_PORTION_REQUIRED write 22");
    expect(await refused("MATCH (n {uid: 'x'}) DELETE n")).toBe("E_PORTION_REQUIRED write 22");
    expect(await refused("MATCH (n {uid: 'x'}) REMOVE n.a")).toBe("E_PORTION_REQUIRED write 22");
    const all = "FOR PORTION OF VALID_TIME ALL";
    expect(await refused(`MATCH (n) SET n.uid = 'x' ${all}`)).toBe("E_SCHEMA identity_field 17");
    expect(await refused(`MATCH ()-[r:T]->() SET r.key = 'x' ${all}`)).toBe("E_SCHEMA identity_field 26");
    expect(await refused(`MATCH (n) SET n.valid_to = FOREVER ${all}`)).toBe("E_SCHEMA pseudo_column 17");
    expect(await refused(`MATCH ()-[r:T]->() SET r:U ${all}`)).toBe("E_SCHEMA edge_label 26");
    expect(await refused(`MATCH (n) SET m.a = 1 ${all}`)).toBe("E_SCHEMA unknown_name 15");
    expect(await refused(`MATCH (n) SET n.a = COUNT(*) ${all}`)).toBe("E_SCHEMA aggregate 21");
  });
});

describe("corrections", () => {
  beforeEach(async () => {
    await db.query(
      "INSERT ({uid: 'n'})-[:WORKS_ON {shift: 'night', hours: 8}]->({uid: 'w'}) FOR VALID_TIME FROM DATE '2025-01-01' TO DATE '2026-01-01'",
    );
  });
  const april = "FOR PORTION OF VALID_TIME FROM DATE '2025-04-01' TO DATE '2025-05-01' AS CORRECTION BECAUSE 'rota'";

  test("patch what each version shares with the portion, with the reason", async () => {
    await write(`MATCH (n)-[r:WORKS_ON]->(w) SET r.shift = 'day' ${april}`);
    expect((await believed(db, ["shift", "hours"])).edges).toEqual([
      'n-WORKS_ON->w [2025-01-01, 2025-04-01) shift="night" hours=8',
      'n-WORKS_ON->w [2025-04-01, 2025-05-01) shift="day" hours=8',
      'n-WORKS_ON->w [2025-05-01, 2026-01-01) shift="night" hours=8',
    ]);
    expect(await ended(db, "edge")).toEqual(["n-WORKS_ON-w [2025-01-01, 2026-01-01) corrected rota"]);
  });

  test("replace the whole content, not beyond the version", async () => {
    await write(
      "MATCH (n)-[r:WORKS_ON]->(w) SET r = {title: $t} FOR PORTION OF VALID_TIME FROM DATE '2025-12-01' AS CORRECTION BECAUSE $why",
      { t: "acting", why: "decree" },
    );
    expect((await believed(db, ["shift", "title"])).edges).toEqual([
      'n-WORKS_ON->w [2025-01-01, 2025-12-01) shift="night"',
      'n-WORKS_ON->w [2025-12-01, 2026-01-01) title="acting"',
    ]);
  });

  test("remove a property, and keep a node's labels", async () => {
    await write(`MATCH (n)-[r:WORKS_ON]->(w) REMOVE r.hours ${april}`);
    await db.query("INSERT (:A&B {uid: 'x', p: 1}) FOR VALID_TIME ALL");
    await write(`MATCH (x:A) REMOVE x:B ${april}`);
    await write("MATCH (x:A) SET x = {q: 2} FOR PORTION OF VALID_TIME FROM DATE '2030-01-01' AS CORRECTION");
    expect((await believed(db, ["hours"])).edges[1]).toBe("n-WORKS_ON->w [2025-04-01, 2025-05-01)");
    expect((await believed(db, ["p", "q"])).nodes).toEqual([
      "x [-9999-01-01, 2025-04-01) A&B p=1",
      "x [2025-04-01, 2025-05-01) A p=1",
      "x [2025-05-01, 2030-01-01) A&B p=1",
      "x [2030-01-01, …) A&B q=2",
    ]);
  });
});

describe("DELETE", () => {
  beforeEach(async () => {
    await db.query(
      "INSERT (:A {uid: 'a'})-[:T]->(:B {uid: 'b'})-[:T]->(:C {uid: 'c'}) FOR VALID_TIME FROM DATE '2025-01-01'",
    );
    await db.query("INSERT (:A {uid: 'a', v: 2}) FOR VALID_TIME FROM DATE '2025-06-01'");
  });

  test("retracts the portion of an edge", async () => {
    await write(
      "MATCH (a {uid: 'a'})-[r:T]->(b) DELETE r FOR PORTION OF VALID_TIME FROM DATE '2025-09-01' BECAUSE 'over'",
    );
    expect((await believed(db)).edges).toEqual(["a-T->b [2025-01-01, 2025-09-01)", "b-T->c [2025-01-01, …)"]);
    expect(await ended(db, "edge")).toEqual(["a-T-b [2025-01-01, …) retracted over"]);
  });

  test("leaves a node's edges, and takes them with DETACH", async () => {
    await write("MATCH (c:C) DELETE c FOR PORTION OF VALID_TIME ALL");
    expect((await believed(db)).edges).toHaveLength(2);
    expect(await write(`MATCH (b:B) DETACH DELETE b ${FROM_JULY}`)).toEqual({ tx: 4, operations: 3, identities: 3 });
    expect(await believed(db)).toEqual({
      nodes: ["a [2025-01-01, 2025-06-01) A", "a [2025-06-01, …) A", "b [2025-01-01, 2025-07-01) B"],
      edges: ["a-T->b [2025-01-01, 2025-07-01)", "b-T->c [2025-01-01, 2025-07-01)"],
    });
  });

  test("of a node that has edges in the pattern takes every version of it", async () => {
    expect(await write("MATCH (a {uid: 'a'})-[:T]->(b) DELETE a FOR PORTION OF VALID_TIME ALL")).toEqual({
      tx: 3,
      operations: 2,
      identities: 1,
    });
    expect((await believed(db)).nodes).toEqual(["b [2025-01-01, …) B", "c [2025-01-01, …) C"]);
  });

  test("of a node alone takes the versions that are bound", async () => {
    await write("MATCH (a:A) WHERE a.v = 2 DELETE a FOR PORTION OF VALID_TIME ALL");
    await write("MATCH (a:A) FOR VALID_TIME AS OF DATE '2025-03-01' SET a.seen = 1 FOR PORTION OF VALID_TIME ALL");
    expect((await believed(db, ["seen"])).nodes[0]).toBe("a [2025-01-01, 2025-06-01) A seen=1");
  });

  test("takes what is named twice once, and is no correction", async () => {
    expect(await write("MATCH (a {uid: 'a'})-[r:T]->(b) DELETE r, r FOR PORTION OF VALID_TIME ALL")).toMatchObject({
      operations: 1,
    });
    expect(await refused("MATCH (a:A) DELETE a FOR PORTION OF VALID_TIME ALL AS CORRECTION")).toMatch(
      /^E_INVALID_ARG delete_correction/,
    );
    expect(await refused("MATCH ()-[r:T]->() DETACH DELETE r FOR PORTION OF VALID_TIME ALL")).toMatch(
      /^E_SCHEMA detach_edge/,
    );
  });
});

describe("entities in a pattern", () => {
  test("are written version by version, with values of the match on the right", async () => {
    await db.query(
      "INSERT (:A {uid: 'a', v: 1})-[:T {w: 10}]->(:B {uid: 'b', v: 5}) FOR VALID_TIME FROM DATE '2025-01-01'",
    );
    await db.query("INSERT (:A {uid: 'a', v: 2}) FOR VALID_TIME FROM DATE '2025-06-01'");
    await write("MATCH (a:A)-[r:T]->(b) SET a.sum = a.v + r.w FOR PORTION OF VALID_TIME ALL");
    expect((await believed(db, ["v", "sum"])).nodes).toEqual([
      "a [2025-01-01, 2025-06-01) A v=1 sum=11",
      "a [2025-06-01, …) A v=2 sum=12",
      "b [2025-01-01, …) B v=5",
    ]);
  });
});

describe("INSERT after a MATCH", () => {
  test("writes once for each match, and names what is bound", async () => {
    await db.query(
      "INSERT (:A {uid: 'a', v: 1})-[:T]->(:B {uid: 'b'}), (:A {uid: 'c', v: 2})-[:T]->({uid: 'b'}) FOR VALID_TIME FROM DATE '2025-01-01'",
    );
    expect(
      await write("MATCH (x)-[r:T]->(y) INSERT (y)-[:BACK {from: x.uid}]->(x) FOR VALID_TIME FROM DATE '2025-02-01'"),
    ).toEqual({
      tx: 2,
      operations: 2,
      identities: 2,
    });
    expect((await believed(db, ["from"])).edges).toEqual([
      "a-T->b [2025-01-01, …)",
      'b-BACK->a [2025-02-01, …) from="a"',
      'b-BACK->c [2025-02-01, …) from="c"',
      "c-T->b [2025-01-01, …)",
    ]);
    expect(await refused("MATCH (x:A) INSERT (x:B) FOR VALID_TIME ALL")).toMatch(/^E_SCHEMA bound_twice/);
  });
});

describe("writes and reads", () => {
  test("each write sees what the one before it wrote, in the order of the calls", async () => {
    await db.query("INSERT (:C {uid: 'c', n: 0}) FOR VALID_TIME ALL");
    const add = "MATCH (c:C) SET c.n = c.n + 1 FOR PORTION OF VALID_TIME ALL";
    const answers = await Promise.all(Array.from({ length: 25 }, () => write(add)));
    expect(answers.map(({ tx }) => tx)).toEqual(Array.from({ length: 25 }, (_, i) => i + 2));
    expect((await believed(db, ["n"])).nodes).toEqual(["c [-9999-01-01, …) C n=25"]);
  });

  test("a MATCH-led write in a block comes first, and rests on the head it saw", async () => {
    await db.query("INSERT (:C {uid: 'c', n: 0}) FOR VALID_TIME ALL");
    const add = "MATCH (c:C) SET c.n = c.n + 1 FOR PORTION OF VALID_TIME ALL";
    const insert = "INSERT (:D {uid: 'd'}) FOR VALID_TIME ALL";
    const session = db.session();
    await session.query("BEGIN READ WRITE");
    await session.query(add);
    await session.query(insert);
    await expect(session.query(add)).rejects.toMatchObject({ code: "E_STATE", details: { kind: "match_after_write" } });
    await db.query(insert);
    await expect(session.query("COMMIT")).rejects.toMatchObject({ code: "E_STATE" });
    await session.query("ROLLBACK");
    await session.query("BEGIN READ WRITE");
    await session.query(add);
    expect(await session.query("COMMIT")).toMatchObject({ operations: 1 });
    expect((await believed(db, ["n"])).nodes[0]).toBe("c [-9999-01-01, …) C n=1");
  });

  test("a write under a pin is refused", async () => {
    await db.query("INSERT (:C {uid: 'c', n: 0}) FOR VALID_TIME ALL");
    expect(
      await refused("MATCH (c:C) FOR TRANSACTION_TIME AS OF TX 1 SET c.n = 1 FOR PORTION OF VALID_TIME ALL"),
    ).toMatch(/^E_STATE pinned/);
  });
});
