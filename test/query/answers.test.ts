// What a statement gives: the whole answer, rows as they come, columns before it runs, and plans that give the same.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, open, PalimpsestError } from "../../src/index.js";
import { refusal } from "./refusal.js";

let db: Database;
const COUNT = 3000;
beforeAll(async () => {
  db = await open(":memory:");
  await db.ingest(
    {
      src: Array.from({ length: COUNT }, (_, i) => `a${i % 7}`),
      dst: Array.from({ length: COUNT }, (_, i) => `b${i % 5}`),
      time: BigInt64Array.from({ length: COUNT }, (_, i) => BigInt(i) * 3_600_000_000n),
      props: [{ name: "amount", kind: "int64", values: BigInt64Array.from({ length: COUNT }, (_, i) => BigInt(i)) }],
    },
    { type: "PAID", nodeLabels: ["Account"] },
  );
  await db.query("INSERT (:Account {uid: 'a1', name: 'one', grade: 2}) FOR VALID_TIME FROM DATE '1970-01-01'");
});
afterAll(() => db.close());

const ALL = "CALL scan(of => 'events', columns => ['src', 'dst', 'at', 'props.amount'])";

describe("a statement", () => {
  test("is awaited like a promise, more than once, with the same answer", async () => {
    const run = db.query(ALL);
    const answer = await run;
    expect(await run).toBe(answer);
    expect(answer).toMatchObject({ kind: "read", rows_total: COUNT, complete: true, incomplete: [], erased: 0 });
    expect(answer.pin).toEqual({ tx: 2, tx_time: (await db.head()).txTime });
    expect(await db.query(ALL).then(({ rows }) => rows.length)).toBe(COUNT);
  });

  test("is iterated row after row, and leaving the loop ends it", async () => {
    const seen: unknown[] = [];
    for await (const row of db.query(ALL)) seen.push(row);
    expect(seen).toEqual((await db.query(ALL)).rows);
    let count = 0;
    for await (const row of db.query(ALL)) {
      expect(Object.keys(row)).toEqual(["src", "dst", "at", "props.amount"]);
      count += 1;
      if (count === 3) break;
    }
    expect(count).toBe(3);
    const { columns, rows } = await db.query(ALL).stream();
    expect(columns.map(({ type }) => type)).toEqual(["string", "string", "instant", "int"]);
    expect((await rows[Symbol.asyncIterator]().next()).value).toEqual(seen[0]);
  });

  test("says the time of each source once, whatever operator it became", async () => {
    const sources = async (text: string) => (await db.query(text)).resolved.map(({ source }) => source);
    expect(await sources("SELECT e.src, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY e.src")).toEqual(["e"]);
    // An aggregate that the operator of groups does not know.
    expect(await sources("SELECT SUM(e.amount) FILTER (WHERE e.src = 'a1') AS n FROM EVENTS(PAID) AS e")).toEqual([
      "e",
    ]);
    expect(await sources("SELECT e.src FROM EVENTS(PAID) AS e, EVENTS(PAID) AS f WHERE e.seq = f.seq")).toEqual([
      "e",
      "f",
    ]);
  });

  test("reads a parameter by its own name beside the values of earlier steps", async () => {
    const counted = async (condition: string, params: object) => {
      const text = `WITH w AS (SELECT MAX(e.amount) - 10 AS m FROM EVENTS(PAID) AS e)
        SELECT COUNT(*) AS n FROM EVENTS(PAID) AS e WHERE e.amount > w.rows[0].m${condition}`;
      return (await db.query(text, { params } as object)).rows;
    };
    expect(await counted("", {})).toEqual([{ n: 10 }]);
    expect(await counted("", { ref_1: COUNT })).toEqual([{ n: 10 }]);
    expect(await counted(" AND e.amount > $ref_1", { ref_1: COUNT - 4 })).toEqual([{ n: 3 }]);
    expect(await counted(" AND $ref_1 < e.amount", { ref_1: 0 })).toEqual([{ n: 10 }]);
  });

  test("fails with a typed error whatever it is given", async () => {
    expect(await refusal(db.query(5 as unknown as string))).toBe("E_INVALID_ARG");
    expect(await refusal(db.query(ALL, { paramz: {} } as object))).toBe("E_SCHEMA");
    expect(await refusal(db.query(ALL, { params: [] as unknown as object } as object))).toBe("E_INVALID_ARG");
    expect(await refusal(db.query(ALL, null as unknown as object))).toBe("E_INVALID_ARG");
    expect(await refusal(db.query("CALL scan(of => $of)"))).toBe("E_INVALID_ARG parameter 17");
    const loop = async (): Promise<void> => {
      for await (const row of db.query("SELCT")) expect(row).toBe(undefined);
    };
    await expect(loop()).rejects.toBeInstanceOf(PalimpsestError);
  });

  test("is given up by its signal, its deadline and its row budget", async () => {
    expect(await refusal(db.query(ALL, { signal: AbortSignal.abort() }))).toBe("E_CANCELLED");
    expect(await refusal(db.query(ALL, { deadlineMs: 0 }))).toBe("E_CANCELLED");
    await expect(db.query(ALL, { ceilings: { rows: COUNT - 1 } })).rejects.toMatchObject({ code: "E_COST" });
    expect((await db.query(ALL, { ceilings: { rows: COUNT } })).rows_total).toBe(COUNT);
  });
});

describe("a prepared statement", () => {
  test("knows its columns and parameters before it runs, and runs many times", async () => {
    const statement = db.prepare("CALL temporal_reachability(uid => $uid, max_hops => $hops)");
    expect(statement.parameters).toEqual(["uid", "hops"]);
    const one = await statement.run({ params: { uid: "a1", hops: 2 } });
    const two = await statement.run({ params: { uid: "a2", hops: 2 } });
    expect([one.columns, two.columns]).toEqual([statement.columns, statement.columns]);
    expect(one.result_digest).not.toBe(two.result_digest);
    let count = 0;
    for await (const _row of statement.run({ params: { uid: "a1", hops: 2 } })) count += 1;
    expect(count).toBe(one.rows_total);
  });

  test("is told what is wrong at once", () => {
    const code = (text: string): string => {
      try {
        db.prepare(text);
        return "done";
      } catch (error) {
        return (error as PalimpsestError).code;
      }
    };
    expect(["SELCT", "BEGIN READ ONLY", "CALL nothing()", "INSERT (:N {uid: 'x'})"].map(code)).toEqual([
      "E_SYNTAX",
      "E_STATE",
      "E_NOT_FOUND",
      "E_PORTION_REQUIRED",
    ]);
  });

  test("takes what is still to come for a value that fits", async () => {
    const typesOf = (text: string): string[] => db.prepare(text).columns.map(({ type }) => type);
    expect(typesOf("SELECT $v AS v, $a || 'x' AS t, $n + 1 AS n")).toEqual(["unknown", "string", "int"]);
    for (const period of [
      "FROM $a TO $b",
      "FROM $a TO DATE '2020-01-01'",
      "FROM TIMESTAMP $a TO TIMESTAMP $b",
      "FROM $a + DURATION 'PT1H' TO $a",
      "BETWEEN $b AND $a",
    ]) {
      for (const text of [
        `SELECT e.src FROM EDGES() FOR VALID_TIME ${period} AS e`,
        `SELECT v.src FROM VERSIONS(EDGES) FOR TRANSACTION_TIME ${period} AS v`,
      ]) {
        expect(typesOf(text), text).toEqual(["string"]);
      }
    }
    const text = "SELECT n.uid FROM NODES() FOR VALID_TIME ALL AS n WHERE n.uid IN $uids ORDER BY n.uid LIMIT $n";
    const statement = db.prepare(text);
    expect(statement.parameters).toEqual(["uids", "n"]);
    const run = (uids: unknown, n: unknown) => statement.run({ params: { uids, n } });
    expect((await run(["a2", "a1", "nobody"], 1)).rows).toEqual([{ uid: "a1" }]);
    await expect(run(null, 1)).rejects.toMatchObject({ code: "E_SCHEMA" });
    await expect(run(["a1"], null)).rejects.toMatchObject({ code: "E_SCHEMA" });
    const window = db.prepare("SELECT e.src FROM EDGES() FOR VALID_TIME FROM $a TO $b AS e");
    const swapped = { a: "2025-02-01T00:00:00Z", b: "2025-01-01T00:00:00Z" };
    await expect(window.run({ params: swapped })).rejects.toMatchObject({ code: "E_PERIOD_ORDER" });
  });

  test("writes, with the columns of a write", async () => {
    const other = await open(":memory:");
    const statement = other.prepare("INSERT (:N {uid: $uid}) FOR VALID_TIME ALL");
    expect(statement.columns.map(({ name }) => name)).toEqual(["tx", "tx_time", "operations", "identities"]);
    expect(other.prepare("INSERT (:N {uid: $uid}) FOR VALID_TIME FROM $a TO $b").parameters).toEqual(["uid", "a", "b"]);
    expect((await statement.run({ params: { uid: "a" } })).rows[0]).toMatchObject({ tx: 1, operations: 1 });
    await other.close();
  });
});

describe("EXPLAIN", () => {
  test("prints the text, the steps and the answer, and runs nothing", async () => {
    const answer = await db.query(`EXPLAIN ${ALL}`);
    expect(answer.rows.map(({ step, operator }) => [step, operator])).toEqual([
      ["tql", null],
      ["s1", "scan"],
      ["answer", "table"],
    ]);
    expect(answer.rows[0]!.arguments).toBe(ALL);
    expect(answer.plan!.steps[0]!.op).toBe("scan");
  });

  test("estimates, and tells what a run took", async () => {
    const { rows: estimated } = await db.query(`EXPLAIN ESTIMATE ${ALL}`);
    expect(estimated[1]).toMatchObject({ step: "s1", rows: COUNT });
    const { rows: analyzed } = await db.query(`EXPLAIN ANALYZE ${ALL}`);
    expect(analyzed[1]).toMatchObject({ step: "s1", rows: COUNT });
    expect(typeof analyzed[1]!.ms).toBe("number");
  });

  test("runs the reference engine beside our own", async () => {
    const { rows } = await db.query("EXPLAIN VERIFY CALL scan(of => 'nodes')");
    expect(rows.map(({ engine, equal }) => [engine, equal])).toEqual([
      ["native", true],
      ["reference", true],
    ]);
    expect(rows[0]!.result_digest).toBe((await db.query("CALL scan(of => 'nodes')")).result_digest);
  });

  test("shows what a write reads and the form of its operations, and writes nothing", async () => {
    const { rows } = await db.query("EXPLAIN INSERT (:N {uid: 'x'}) FOR VALID_TIME ALL");
    expect(rows.map(({ step, operator }) => [step, operator])).toEqual([
      ["tql", null],
      ["write", "assert"],
    ]);
    expect(await refusal(db.query("EXPLAIN ANALYZE INSERT (:N {uid: 'x'}) FOR VALID_TIME ALL"))).toMatch(
      /^E_INVALID_ARG explain_write/,
    );
    expect((await db.head()).tx).toBe(2);
  });
});

describe("plan twins", () => {
  const statements = [
    ALL,
    "CALL scan(of => 'nodes')",
    "CALL scan(of => 'edges') LIMIT 10 OFFSET 5",
    "CALL scan(of => 'commits')",
    "CALL scan(of => 'versions', kind => 'edge') FOR TRANSACTION_TIME AS OF TX 1",
    "CALL temporal_reachability(uid => 'a1') FOR VALID_TIME FROM DATE '1970-01-01' TO DATE '1970-01-03'",
  ];
  test.each(statements)("%s", async (text) => {
    const answer = await db.query(text);
    const { plan } = await db.query(`EXPLAIN ${text}`);
    const trace = await db.run(plan);
    expect([trace.plan_digest, trace.answer!.result_digest]).toEqual([answer.plan_digest, answer.result_digest]);
  });
});
