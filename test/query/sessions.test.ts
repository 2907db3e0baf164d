// What a session holds: zone, defaults of time, blocks; and what a statement without one refuses.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Database, open } from "../../src/index.js";
import { believed } from "./belief.js";
import { refusal } from "./refusal.js";

let db: Database;
beforeEach(async () => {
  db = await open(":memory:");
  for (const v of [1, 2, 3]) {
    await db.query("INSERT (:N {uid: 'n', v: $v}) FOR VALID_TIME ALL", { params: { v } });
  }
});
afterEach(() => db.close());

const CALL = "CALL scan(of => 'nodes', columns => ['props.v'])";
type Session = ReturnType<Database["session"]>;
const value = async (session: Pick<Session, "query">, text = CALL): Promise<unknown> =>
  (await session.query(text)).rows[0]?.["props.v"];
const failure = async (run: PromiseLike<unknown>) => (await refusal(run)).split(" ").slice(0, 2).join(" ");

describe("a statement without a session", () => {
  test("refuses what changes one, and a second statement", async () => {
    for (const text of [
      "SET TIME ZONE 'Europe/Oslo'",
      "SET DEFAULT VALID_TIME AS OF DATE '2025-01-01'",
      "RESET DEFAULTS",
      "BEGIN READ ONLY",
      "COMMIT",
      "ROLLBACK",
    ]) {
      expect([text, await failure(db.query(text))]).toEqual([text, "E_STATE stateless"]);
    }
    expect(await failure(db.query("SHOW TYPES; SHOW LABELS"))).toBe("E_SYNTAX second_statement");
  });
});

describe("defaults of a session", () => {
  test("pin reads until they are reset, to what the session began with", async () => {
    const session = db.session();
    expect([await value(session), session.state().pin]).toEqual([3, null]);
    await session.query("SET DEFAULT TRANSACTION_TIME AS OF TX 1");
    expect([await value(session), session.state().pin]).toEqual([1, "tx:1"]);
    expect((await session.call("scan", { of: "nodes", columns: ["props.v"] })).pin.tx).toBe(1);
    expect((await session.call("scan", { of: "nodes", as_of_tt: "tx:2" })).pin.tx).toBe(2);
    await session.query("RESET DEFAULTS");
    expect([await value(session), session.state().pin]).toEqual([3, null]);
    const pinned = db.session({ pin: "tx:2" });
    await pinned.query("SET DEFAULT TRANSACTION_TIME AS OF TX 1");
    await pinned.query("RESET DEFAULTS");
    expect(await value(pinned)).toBe(2);
  });

  test("take an instant that stays what it is", async () => {
    const { txTime } = await db.head();
    const session = db.session({ pin: txTime! });
    await db.query("INSERT (:N {uid: 'n', v: 4}) FOR VALID_TIME ALL");
    expect(await value(session)).toBe(3);
  });

  test("are told in the answer, and a pin of no commit is refused", async () => {
    const session = db.session({ defaults: { transactionTime: "AS OF TX 2" } });
    const { pin, resolved, notices } = await session.query("CALL scan(of => 'nodes')");
    expect(pin!.tx).toBe(2);
    expect(resolved).toMatchObject([{ source: "scan", transaction_time: "tx:2", pin: { tx: 2 }, zone: "UTC" }]);
    expect(notices).toEqual([{ code: "W_DEFAULT_PERIOD", message: expect.stringContaining("VALID_TIME") }]);
    expect(() => db.session({ pin: "tx:9" })).toThrow(expect.objectContaining({ code: "E_TX_UNKNOWN" }));
    expect(() => db.session({ defaults: { validTime: "AS OF" } })).toThrow(
      expect.objectContaining({ code: "E_SYNTAX" }),
    );
    expect(() => db.session({ pinn: 1 } as object)).toThrow(expect.objectContaining({ code: "E_SCHEMA" }));
  });

  test("hold a zone, in which days begin", async () => {
    const session = db.session({ zone: "Europe/Oslo" });
    await session.query("INSERT (:Z {uid: 'z'}) FOR VALID_TIME FROM DATE '2025-07-01'");
    expect((await believed(db)).nodes.at(-1)).toBe("z [2025-06-30T22:00:00Z, …) Z");
    expect(session.state().zone).toBe("Europe/Oslo");
    await session.query("SET TIME ZONE 'UTC'");
    await session.query("INSERT (:Z {uid: 'z'}) FOR VALID_TIME FROM DATE '2025-07-01'");
    expect((await believed(db)).nodes.at(-1)).toBe("z [2025-07-01, …) Z");
    expect(await failure(session.query("SET TIME ZONE 'Nowhere/Land'"))).toBe("E_INVALID_ARG zone");
    expect(() => db.session({ zone: "Nowhere/Land" })).toThrow(expect.objectContaining({ code: "E_INVALID_ARG" }));
  });

  test("keep writes away while they pin", async () => {
    const session = db.session({ pin: "tx:1" });
    expect(await failure(session.query("INSERT (:N {uid: 'm'}) FOR VALID_TIME ALL"))).toBe("E_STATE pinned");
    expect(await failure(session.query("BEGIN READ WRITE"))).toBe("E_STATE pinned");
  });

  test("begin no block of writes where nothing can be written", async () => {
    const session = db.session({ readOnly: true });
    expect(await failure(session.query("BEGIN READ WRITE"))).toBe("E_READONLY read_only");
    expect(session.state().block).toBeNull();
    await session.query("BEGIN READ ONLY");
    expect(session.state().block).toBe("read_only");
  });
});

describe("blocks that read", () => {
  test("see one commit, whatever is written meanwhile", async () => {
    const session = db.session();
    await session.query("BEGIN READ ONLY");
    await db.query("INSERT (:N {uid: 'n', v: 4}) FOR VALID_TIME ALL");
    expect([await value(session), session.state()]).toEqual([3, { pin: "tx:3", zone: "UTC", block: "read_only" }]);
    expect((await session.call("scan", { of: "nodes" })).pin.tx).toBe(3);
    await session.query("COMMIT");
    expect([await value(session), session.state().block]).toEqual([4, null]);
  });

  test("take a pin, and refuse another and every write", async () => {
    const session = db.session();
    await session.query("BEGIN READ ONLY FOR TRANSACTION_TIME AS OF TX 2");
    expect(await value(session)).toBe(2);
    expect(await failure(session.query("CALL scan(of => 'nodes') FOR TRANSACTION_TIME AS OF TX 1"))).toBe(
      "E_STATE block_pin",
    );
    expect(await failure(session.call("scan", { of: "nodes", as_of_tt: "tx:1" }))).toBe("E_STATE block_pin");
    expect(await failure(session.query("INSERT (:N {uid: 'm'}) FOR VALID_TIME ALL"))).toBe("E_STATE read_block");
    expect(await failure(session.query("BEGIN READ ONLY"))).toBe("E_STATE block_open");
    await session.query("ROLLBACK");
    expect(await failure(session.query("COMMIT"))).toBe("E_STATE no_block");
    expect(await failure(session.query("ROLLBACK"))).toBe("E_STATE no_block");
  });
});

describe("blocks that write", () => {
  const insert = (uid: string) => `INSERT (:M {uid: '${uid}'}) FOR VALID_TIME ALL`;

  test("gather one batch, unseen until COMMIT", async () => {
    const session = db.session();
    await session.query("BEGIN READ WRITE");
    expect(await session.query(insert("a"))).toMatchObject({ tx: null, operations: 1, identities: 1 });
    await session.query(insert("b"));
    expect((await session.query("CALL scan(of => 'nodes')")).rows_total).toBe(1);
    expect((await db.head()).tx).toBe(3);
    expect(await session.query("COMMIT")).toMatchObject({ tx: 4, operations: 2, identities: 2 });
    expect((await believed(db)).nodes.map((line) => line.split(" ")[0])).toEqual(["a", "b", "n"]);
  });

  test("are dropped by ROLLBACK and by closing the session; empty ones make no commit", async () => {
    const session = db.session();
    await session.query("BEGIN READ WRITE");
    await session.query(insert("a"));
    await session.query("ROLLBACK");
    await session.query("BEGIN READ WRITE");
    expect(await session.query("COMMIT")).toMatchObject({ tx: null, operations: 0 });
    await session.query("BEGIN READ WRITE");
    await session.query(insert("a"));
    session.close();
    expect(await failure(session.query("COMMIT"))).toBe("E_STATE session_closed");
    expect((await db.head()).tx).toBe(3);
  });

  test("go on after a statement that failed, without it", async () => {
    const session = db.session();
    await session.query("BEGIN READ WRITE");
    await session.query(insert("a"));
    expect(await failure(session.query("INSERT (:M {uid: 'b'})"))).toBe("E_PORTION_REQUIRED write");
    expect(await session.query("COMMIT")).toMatchObject({ tx: 4, operations: 1 });
  });
});

describe("a session", () => {
  test("runs statements in the order in which they were given", async () => {
    const session = db.session();
    const runs = [
      session.query("BEGIN READ WRITE"),
      session.query("INSERT (:M {uid: 'a'}) FOR VALID_TIME ALL"),
      session.query("COMMIT"),
    ];
    const [, , committed] = await Promise.all(runs);
    expect(committed).toMatchObject({ tx: 4, operations: 1 });
  });

  test("refuses writes where it only reads", async () => {
    const session = db.session({ readOnly: true });
    expect(await failure(session.query("INSERT (:M {uid: 'a'}) FOR VALID_TIME ALL"))).toBe("E_READONLY read_only");
  });

  test("runs scripts statement by statement, up to the first failure or past it", async () => {
    const script = "BEGIN READ WRITE; INSERT (:M {uid: 'a'}) FOR VALID_TIME ALL; COMMIT; COMMIT; SELCT; SHOW LABELS;";
    const outcomes = async (keepGoing: boolean) => {
      const seen: string[] = [];
      for await (const { text, answer, error } of db.session().script(script, { keepGoing })) {
        seen.push(`${text.split(" ")[0]} ${answer === null ? error.code : answer.kind}`);
      }
      return seen;
    };
    expect(await outcomes(false)).toEqual(["BEGIN session", "INSERT write", "COMMIT write", "COMMIT E_STATE"]);
    expect(await outcomes(true)).toEqual([
      "BEGIN session",
      "INSERT write",
      "COMMIT write",
      "COMMIT E_STATE",
      "SELCT E_SYNTAX",
      "SHOW show",
    ]);
  });
});
