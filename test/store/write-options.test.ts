// The options of write: txTime, ifTx, idempotencyKey, and the order in which concurrent writes are judged.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/database.js";
import { knows, messages, person, retraction } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const code = (code: string) => expect.objectContaining({ code });

describe("txTime", () => {
  test("is the commit's time, later than the last and not after the wall clock", async () => {
    const db = await open(":memory:");
    const first = await db.write([person("a")], { txTime: "2001-02-03T04:05:06.000007Z" });
    expect(first).toMatchObject({ tx: 1, txTime: "2001-02-03T04:05:06.000007Z" });
    for (const txTime of ["2001-02-03T04:05:06.000007Z", "1999-01-01T00:00:00Z"]) {
      await expect(db.write([person("b")], { txTime })).rejects.toMatchObject({
        code: "E_STATE",
        details: { last: "2001-02-03T04:05:06.000007Z" },
      });
    }
    const year = new Date().getUTCFullYear() + 1;
    await expect(db.write([person("b")], { txTime: `${year}-01-01T00:00:00Z` })).rejects.toThrow(code("E_INVALID_ARG"));
    await expect(db.write([person("b")], { txTime: "yesterday" })).rejects.toThrow(code("E_INVALID_ARG"));
    expect(await db.head()).toMatchObject(first);
    const next = await db.write([person("b")], { txTime: 981173106000008n });
    expect(next).toMatchObject({ tx: 2, txTime: "2001-02-03T04:05:06.000008Z" });
    await db.close();
  });

  test("of a rejected batch is spent", async () => {
    const db = await open(":memory:");
    await db.write([person("a")], { txTime: "2001-01-01T00:00:00Z" });
    await expect(db.write([retraction("b")], { txTime: "2002-01-01T00:00:00Z" })).rejects.toMatchObject({
      code: "E_NOT_FOUND",
      details: { operation: 0 },
    });
    await expect(db.write([person("b")], { txTime: "2002-01-01T00:00:00Z" })).rejects.toThrow(code("E_STATE"));
    expect(await db.write([person("b")], { txTime: "2002-01-01T00:00:00.000001Z" })).toMatchObject({ tx: 2 });
    await db.close();
  });
});

describe("ifTx", () => {
  test("lets one of several writers through, judged against what is staged", async () => {
    const db = await open(":memory:");
    expect((await db.write([person("a")], { ifTx: 0 })).tx).toBe(1);
    const outcomes = await Promise.allSettled(["b", "c", "d"].map((uid) => db.write([person(uid)], { ifTx: 1 })));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "E_STATE", details: { head: 2, if_tx: 1 } } });
    expect((await db.head()).tx).toBe(2);
    await db.close();
  });
});

describe("idempotencyKey", () => {
  test("gives the first result again, also concurrently, after reopening and for other contents", async () => {
    const path = join(folder(), "store");
    let db = await open(path);
    const options = { idempotencyKey: "ключ 1" };
    const results = await Promise.all(["a", "b", "c"].map((uid) => db.write([person(uid)], options)));
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(results[0]!.tx).toBe(1);
    await db.write([person("d")]);
    await db.close();
    db = await open(path);
    expect(await db.write([person("e")], options)).toEqual(results[0]);
    expect(await db.ingest(messages(5), { type: "M", ...options })).toMatchObject(results[0]!);
    expect((await db.head()).tx).toBe(2);
    expect((await db.info()).nodes).toBe(2);
    await db.close();
  });

  test("comes before ifTx, and a rejected batch does not use it up", async () => {
    const db = await open(":memory:");
    await expect(db.write([retraction("a")], { idempotencyKey: "k" })).rejects.toThrow(code("E_NOT_FOUND"));
    const first = await db.write([person("a")], { idempotencyKey: "k", ifTx: 0 });
    expect(await db.write([person("a")], { idempotencyKey: "k", ifTx: 0 })).toEqual(first);
    await db.close();
  });
});

describe("the order of writes", () => {
  test("is that of the calls, however long each takes to prepare", async () => {
    const db = await open(":memory:");
    const many = Array.from({ length: 3000 }, (_, i) => person(`n${i}`));
    const events = { op: "ingest_events", src: ["x"], dst: ["y"], type: "M", time: ["2020-01-01T00:00:00Z"] } as const;
    const results = await Promise.all([
      db.write(many),
      db.write([events]),
      db.ingest(messages(3000), { type: "M" }),
      db.write([person("last")]),
      // Finds what the first of these writes, which is only staged when this is judged.
      db.write([{ ...retraction("n2999") }]),
    ]);
    expect(results.map(({ tx }) => tx)).toEqual([1, 2, 3, 4, 5]);
    await db.close();
  });

  test("is kept when one before fails in its preparation or its judgement", async () => {
    const db = await open(":memory:");
    const outcomes = await Promise.allSettled([
      db.write([person("a")]),
      db.write([{ op: "nonsense" } as never]),
      db.write([retraction("nobody")]),
      db.write([knows("a", "b")]),
    ]);
    expect(
      outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value.tx : outcome.reason.code)),
    ).toEqual([1, "E_SCHEMA", "E_NOT_FOUND", 2]);
    await db.close();
  });
});

describe("ingest of an iterable", () => {
  const pieces = () => [messages(4), messages(4), messages(4)];

  test("commits every so many rows, and gives the last commit", async () => {
    const db = await open(":memory:");
    expect(await db.ingest(pieces(), { type: "M", rowsPerCommit: 5 })).toMatchObject({ tx: 2, rows: 12 });
    const one = await db.ingest(pieces(), { type: "M", rowsPerCommit: Number.POSITIVE_INFINITY, ifTx: 2 });
    expect(one).toMatchObject({ tx: 3, rows: 12 });
    expect((await db.info()).edges).toBe(24);
    await db.close();
  });

  test("takes what speaks of one commit only when it is one", async () => {
    const db = await open(":memory:");
    for (const option of [{ idempotencyKey: "k" }, { ifTx: 0 }, { txTime: "2001-01-01T00:00:00Z" }]) {
      await expect(db.ingest(pieces(), { type: "M", rowsPerCommit: 4, ...option })).rejects.toThrow(
        code("E_INVALID_ARG"),
      );
    }
    expect((await db.head()).tx).toBe(0);
    const options = { type: "M", rowsPerCommit: Number.POSITIVE_INFINITY, idempotencyKey: "k" };
    const first = await db.ingest(pieces(), options);
    expect(await db.ingest(pieces(), options)).toEqual(first);
    expect((await db.info()).edges).toBe(12);
    await db.close();
  });

  test("keeps what was committed when a piece is bad or the iterable throws, and names the row in the whole", async () => {
    const db = await open(":memory:");
    const bad = { ...messages(4), time: BigInt64Array.of(0n, 1n, 2n, 1n << 62n) };
    await expect(db.ingest([messages(4), messages(4), bad], { type: "M", rowsPerCommit: 4 })).rejects.toMatchObject({
      code: "E_INVALID_ARG",
      details: { row: 11 },
    });
    expect((await db.head()).tx).toBe(2);
    const own = new Error("the caller's own");
    async function* failing() {
      yield messages(4);
      throw own;
    }
    await expect(db.ingest(failing(), { type: "M", rowsPerCommit: 4 })).rejects.toBe(own);
    expect((await db.head()).tx).toBe(3);
    await db.close();
  });
});
