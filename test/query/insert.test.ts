// INSERT without a MATCH: which operations each form writes, and what it refuses.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, open } from "../../src/index.js";
import { believed } from "./belief.js";
import { refusal } from "./refusal.js";

let db: Database;
beforeEach(async () => {
  db = await open(":memory:");
});
afterEach(() => db.close());

const refused = (text: string) => refusal(db.query(text));

describe("INSERT", () => {
  test("writes nodes with a label or a property, and takes others as ends", async () => {
    const answer = await db.query(
      `INSERT (n:Nurse {uid: 'n9', name: 'Åsa', grade: 5})-[r:WORKS_ON {shift: 'night'}]->(w {uid: 'w7'})
       FOR VALID_TIME FROM DATE '2025-04-01' TO DATE '2025-10-01'`,
    );
    expect(answer).toMatchObject({ kind: "write", tx: 1, operations: 2, identities: 2, rows_total: 1 });
    expect(answer.rows).toEqual([{ tx: 1, tx_time: (await db.head()).txTime, operations: 2, identities: 2 }]);
    expect(await believed(db, ["name", "grade", "shift"])).toEqual({
      nodes: ['n9 [2025-04-01, 2025-10-01) Nurse name="Åsa" grade=5'],
      edges: ['n9-WORKS_ON->w7 [2025-04-01, 2025-10-01) shift="night"'],
    });
  });

  test("takes an instant, an open range, and all of time", async () => {
    await db.query(
      "INSERT ({uid: 'a'})-[:PAID {key: 'k1', amount: 12.5}]->({uid: 'b'}) FOR VALID_TIME AT DATE '2025-04-01'",
    );
    await db.query("INSERT ({uid: 'a'})<-[:PAID]-({uid: 'b'}) FOR VALID_TIME FROM DATE '2025-04-01'");
    await db.query("INSERT (:Person {uid: 'p'}) FOR VALID_TIME ALL");
    expect(await believed(db, ["amount"])).toEqual({
      nodes: ["p [-9999-01-01, …) Person"],
      edges: ["a-PAID#k1->b [2025-04-01, 2025-04-01T00:00:00.000001Z) amount=12.5", "b-PAID->a [2025-04-01, …)"],
    });
  });

  test("carves what was believed, so that it is the upsert, and keeps the reason", async () => {
    await db.query("INSERT (:N {uid: 'n', v: 1}) FOR VALID_TIME FROM DATE '2025-01-01'");
    await db.query(
      "INSERT (:N {uid: 'n', v: 2}) FOR VALID_TIME FROM DATE '2025-03-01' TO DATE '2025-04-01' BECAUSE 'audit'",
    );
    expect((await believed(db, ["v"])).nodes).toEqual([
      "n [2025-01-01, 2025-03-01) N v=1",
      "n [2025-03-01, 2025-04-01) N v=2",
      "n [2025-04-01, …) N v=1",
    ]);
    const { rows } = await db.call("scan", { of: "nodes", columns: ["valid_from", "reason"] });
    expect((rows as { reason: string | null }[]).map(({ reason }) => reason)).toEqual([null, "audit", null]);
  });

  test("writes chains, names within the statement, several chains in one batch", async () => {
    const { tx, operations } = (await db.query(
      "INSERT (a:A {uid: 'a'})-[:T]->(b:B {uid: 'b'})-[:T]->(a), (b)-[:U]->({uid: 'c'}) FOR VALID_TIME ALL",
    )) as unknown as { tx: number; operations: number };
    expect([tx, operations]).toEqual([1, 5]);
    expect((await believed(db)).edges.map((line) => line.split(" ")[0])).toEqual(["a-T->b", "b-T->a", "b-U->c"]);
  });

  test("stores values of every kind, parameters among them, and names that mean something else", async () => {
    const params = {
      big: 9007199254740993n,
      list: [1, "x", null],
      when: new Date(Date.UTC(2025, 0, 2)),
      props: { key: "own", uid: 7 },
      from: "2025-01-01T00:00:00Z",
    };
    await db.query(
      `INSERT (:N {uid: 'n', big: $big, list: $list, when: $when, none: NULL, map: {a: {b: TRUE}}, neg: -1.5,
        day: DATE '2025-03-01', span: DURATION 'PT1H', props: $props}) FOR VALID_TIME FROM $from`,
      { params },
    );
    const { rows } = await db.call("entity_history", { uid: "n" });
    expect((rows as unknown as { props: unknown }[])[0]!.props).toEqual({
      big: 9007199254740993n,
      list: [1, "x", null],
      when: "2025-01-02T00:00:00Z",
      map: { a: { b: true } },
      neg: -1.5,
      day: "2025-03-01T00:00:00Z",
      span: "PT1H",
      key: "own",
      uid: 7,
    });
  });

  test("refuses what does not say who, when or which way", async () => {
    const at = "FOR VALID_TIME ALL";
    expect(await refused("INSERT (n:N {uid: 'x'})")).toBe("E_PORTION_REQUIRED write 1");
    expect(await refused(`INSERT (n:N {name: 'x'}) ${at}`)).toBe("E_SCHEMA insert_identity 8");
    expect(await refused(`INSERT (n:N {uid: 5}) ${at}`)).toBe("E_SCHEMA insert_identity 8");
    expect(await refused(`INSERT (n {uid: 'x'}) ${at}`)).toMatch(/^E_SCHEMA insert_nothing/);
    expect(await refused(`INSERT ({uid: 'x'})-[:T]-({uid: 'y'}) ${at}`)).toMatch(/^E_SCHEMA insert_direction/);
    expect(await refused(`INSERT ({uid: 'x'})-[:T]->{1,3}({uid: 'y'}) ${at}`)).toMatch(/^E_SCHEMA insert_form/);
    expect(await refused(`INSERT ({uid: 'x'})-[r]->({uid: 'y'}) ${at}`)).toMatch(/^E_SCHEMA insert_type/);
    expect(await refused(`INSERT ({uid: 'x'})-[:T|U]->({uid: 'y'}) ${at}`)).toMatch(/^E_SCHEMA insert_type/);
    expect(await refused(`INSERT (:A|B {uid: 'x'}) ${at}`)).toMatch(/^E_SCHEMA insert_labels/);
    expect(await refused(`INSERT (:N {uid: 'x', valid_from: 1}) ${at}`)).toBe("E_SCHEMA pseudo_column 23");
    expect(await refused(`INSERT (:N {uid: 'x', labels: 1}) ${at}`)).toBe("E_SCHEMA identity_field 23");
    expect(await refused("INSERT (:N {uid: 'x'}) FOR VALID_TIME FROM DATE '2025-02-01' TO DATE '2025-01-01'")).toMatch(
      /^E_PERIOD_ORDER period/,
    );
    expect((await db.head()).tx).toBe(0);
  });

  test("is one commit, or none where it is refused by the store", async () => {
    const text = "INSERT (:N {uid: $uid}) FOR VALID_TIME ALL";
    await expect(db.query(text, { params: { uid: "x".repeat(2000) } })).rejects.toMatchObject({
      code: "E_INVALID_ARG",
    });
    expect((await db.head()).tx).toBe(0);
  });

  test("keeps the order of the calls, awaited or not", async () => {
    const uids = Array.from({ length: 20 }, (_, i) => `n${i}`);
    const answers = await Promise.all(
      uids.map((uid) => db.query("INSERT (:N {uid: $uid}) FOR VALID_TIME ALL", { params: { uid } })),
    );
    expect(answers.map((answer) => (answer as unknown as { tx: number }).tx)).toEqual(uids.map((_, i) => i + 1));
  });
});
