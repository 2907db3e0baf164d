// ERASE in statements: what it tells beforehand, what it removes, when it is refused, and that nothing shows the erased.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { LogReader } from "../../src/log/reader.js";
import { addon } from "../../src/native/addon.js";
import { replayCommits } from "../../src/reference/index.js";
import { LogVerifier } from "../../src/store/verifier.js";
import { refusal } from "./refusal.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-erase-statement-"));
afterAll(() => rmSync(folder, { recursive: true }));

const CANARY = "canary";
const SINCE = { valid_from: "2025-01-01T00:00:00Z" } as const;

/** The canary is a person with two edges; ann and bob stay. */
async function fill(db: Database): Promise<Database> {
  await db.write([
    { op: "assert_node", uid: "ann", labels: ["Person"], props: { name: "Ann" }, ...SINCE },
    { op: "assert_node", uid: "bob", labels: ["Person"], props: { name: "Bob" }, ...SINCE },
  ]);
  const props = { name: `${CANARY} text`, [`${CANARY}_prop`]: 1 };
  await db.write([
    { op: "assert_node", uid: `${CANARY}-1`, labels: ["Person", `${CANARY}_label`], props, ...SINCE },
    { op: "assert_edge", src: "ann", type: "KNOWS", dst: "bob", key: "k", ...SINCE },
    { op: "assert_edge", src: "ann", type: "KNOWS", dst: `${CANARY}-1`, props: { note: `${CANARY} note` }, ...SINCE },
    { op: "assert_edge", src: `${CANARY}-1`, type: `${CANARY}_type`, dst: "bob", ...SINCE },
  ]);
  return db;
}

const inMemory = async (): Promise<Database> => fill(await open(":memory:"));
const headOf = async (db: Database): Promise<number> => (await db.head()).tx;

function filesWith(store: string, text: string): string[] {
  return readdirSync(store, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

/** Reads the log as a stranger would: its chain verified, and the store digest of the reference engine. */
async function verified(store: string): Promise<{ readonly isVouched: boolean; readonly digest: string }> {
  const reader = new LogReader(nativeFileLayer(addon.files), store);
  const verifier = new LogVerifier();
  const commits = [];
  try {
    for (let commit = await reader.next(); commit !== undefined; commit = await reader.next()) {
      commits.push(commit);
      await verifier.apply(commit);
    }
    verifier.finish();
    return { isVouched: reader.isVouched, digest: replayCommits(commits).digest() };
  } finally {
    verifier.close();
    reader.close();
  }
}

const ERASE_CANARY = `MATCH (n {uid: '${CANARY}-1'}) ERASE n`;

describe("ERASE", () => {
  it("tells with DRY RUN what it would remove, and then removes that", async () => {
    const db = await inMemory();
    const told = await db.query(`${ERASE_CANARY} DRY RUN`);
    // A node version and two edge versions, in one commit.
    expect(told.rows).toEqual([
      { identity: { uid: `${CANARY}-1` }, tx: null, tx_time: null, versions: 3, commits: 1, bytes: expect.any(Number) },
    ]);
    expect(told).toMatchObject({ kind: "write", tx: null, tx_time: null, operations: 0, identities: 1 });
    expect(await headOf(db)).toBe(2);

    const done = await db.query(`${ERASE_CANARY} BECAUSE 'request 4411'`);
    const { versions, commits, bytes } = told.rows[0]!;
    expect(done.rows).toEqual([
      { identity: { uid: `${CANARY}-1` }, tx: 3, tx_time: expect.any(String), versions, commits, bytes },
    ]);
    expect(done).toMatchObject({ tx: 3, operations: 1, identities: 1 });
    expect((await db.query("SELECT v.uid FROM NODES() FOR VALID_TIME ALL AS v")).rows).toEqual([
      { uid: "ann" },
      { uid: "bob" },
    ]);
    await db.close();
  });

  it("takes every byte out of the files; the chain verifies and both engines replay to one digest", async () => {
    const path = join(folder, "bytes");
    const db = await fill(await open(path));
    expect(filesWith(path, CANARY)).not.toEqual([]);
    await db.query(`${ERASE_CANARY} BECAUSE 'request 4411'`);
    expect(filesWith(path, CANARY)).toEqual([]);
    expect(filesWith(path, "request 4411")).toHaveLength(1);
    const digest = await db.digest();
    await db.close();
    expect(await verified(path)).toEqual({ isVouched: true, digest });
    const again = await open(path);
    expect(await again.digest()).toBe(digest);
    await again.close();
  });

  it("erases an edge alone", async () => {
    const db = await inMemory();
    const done = await db.query("MATCH ({uid: 'ann'})-[e:KNOWS]->({uid: 'bob'}) FOR VALID_TIME ALL ERASE e");
    expect(done.rows).toMatchObject([
      { identity: { src: "ann", type: "KNOWS", dst: "bob", key: "k" }, tx: 3, versions: 1, commits: 1 },
    ]);
    const { rows } = await db.query("SELECT e.dst FROM EDGES(KNOWS) FOR VALID_TIME ALL AS e");
    expect(rows).toEqual([{ dst: `${CANARY}-1` }]);
    expect((await db.query("SELECT COUNT(*) AS n FROM NODES(Person) AS n")).rows).toEqual([{ n: 3 }]);
    await db.close();
  });

  it("makes a commit for each identity, and none for what went with one before", async () => {
    const db = await inMemory();
    const done = await db.query(
      `MATCH (a {uid: 'ann'})-[e:KNOWS]->(b {uid: '${CANARY}-1'}) FOR VALID_TIME ALL ERASE a, e, b`,
    );
    expect(done).toMatchObject({ tx: 4, identities: 3 });
    expect(done.rows).toMatchObject([
      // The node with both edges that begin there.
      { identity: { uid: "ann" }, tx: 3, versions: 3 },
      { identity: { src: "ann", dst: `${CANARY}-1` }, tx: 3, versions: 0, commits: 0, bytes: 0 },
      { identity: { uid: `${CANARY}-1` }, tx: 4, versions: 2 },
    ]);
    expect((await db.query("SELECT COUNT(*) AS n FROM EDGES() FOR VALID_TIME ALL AS e")).rows).toEqual([{ n: 0 }]);
    await db.close();
  });

  it("finds nothing and writes nothing", async () => {
    const db = await inMemory();
    const done = await db.query("MATCH (n {uid: 'ann'}) WHERE n.name = 'Bob' ERASE n");
    expect(done).toMatchObject({ rows: [], tx: null, operations: 0, identities: 0 });
    expect(await headOf(db)).toBe(2);
    await db.close();
  });

  it("is refused under a pin, in a block, beside another write, and where nothing may be written", async () => {
    const path = join(folder, "refused");
    const db = await fill(await open(path));
    const refused = async (session: ReturnType<Database["session"]>, text: string): Promise<string> =>
      (await refusal(session.query(text))).split(" ").slice(0, 2).join(" ");
    expect(await refused(db.session({ pin: "tx:2" }), ERASE_CANARY)).toBe("E_STATE pinned");
    const pinned = `MATCH (n {uid: '${CANARY}-1'}) FOR TRANSACTION_TIME AS OF TX 2 ERASE n`;
    expect(await refused(db.session(), pinned)).toMatch(/^E_STATE/);
    for (const [mode, kind] of [
      ["READ WRITE", "erase_in_block"],
      ["READ ONLY", "read_block"],
    ]) {
      const session = db.session();
      await session.query(`BEGIN ${mode}`);
      for (const text of [ERASE_CANARY, `${ERASE_CANARY} DRY RUN`]) {
        expect(await refused(session, text)).toBe(`E_STATE ${kind}`);
      }
      session.close();
    }
    const beside = `MATCH (n {uid: '${CANARY}-1'}) DELETE n FOR PORTION OF VALID_TIME FROM DATE '2025-02-01' TO FOREVER ERASE n`;
    expect(await refused(db.session(), beside)).toMatch(/^E_STATE erase_alone/);
    expect(await refused(db.session({ readOnly: true }), ERASE_CANARY)).toMatch(/^E_READONLY/);
    expect(await headOf(db)).toBe(2);
    const reader = await open(path, { readOnly: true });
    expect(await refused(reader.session(), `${ERASE_CANARY} DRY RUN`)).toMatch(/^E_READONLY/);
    await reader.close();
    await db.close();
  });

  it("is explained without being done", async () => {
    const db = await inMemory();
    const { plan } = await db.query(`EXPLAIN ${ERASE_CANARY}`);
    expect(plan).not.toBeNull();
    expect(await headOf(db)).toBe(2);
    await db.close();
  });

  it("leaves nothing that a statement, its catalogue or a plan would show at a commit before", async () => {
    const db = await inMemory();
    const session = db.session();
    const statement = "SELECT n.* FROM NODES(Person) FOR TRANSACTION_TIME AS OF TX 2 AS n";
    const { plan } = await db.query(`EXPLAIN ${statement}`);
    const prepared = db.prepare(statement);
    const columnNames = (columns: readonly { readonly name: string }[]): string =>
      columns.map(({ name }) => name).join();
    expect(columnNames((await db.query(statement)).columns)).toContain(CANARY);
    expect(JSON.stringify((await db.run(plan)).answer)).toContain(CANARY);
    await session.query("BEGIN READ ONLY FOR TRANSACTION_TIME AS OF TX 2");
    expect(JSON.stringify((await session.query("SELECT n.uid FROM NODES() AS n")).rows)).toContain(CANARY);

    await db.query(ERASE_CANARY);
    const answer = await db.query(statement);
    expect(answer.erased).toBe(1);
    expect(columnNames(answer.columns)).not.toContain(CANARY);
    expect(JSON.stringify(answer.rows)).not.toContain(CANARY);
    expect(columnNames(prepared.columns)).not.toContain(CANARY);
    expect(JSON.stringify((await prepared.run()).rows)).not.toContain(CANARY);
    expect(JSON.stringify((await session.query("SELECT n.uid FROM NODES() AS n")).rows)).not.toContain(CANARY);
    const answered = await db.run({ ...plan!, answer: { kind: "table", from: "s1" } });
    // The plan itself goes on naming the columns that its author wrote.
    expect(answered.answer).toMatchObject({ kind: "table", rows: [{ uid: "ann" }, { uid: "bob" }] });
    for (const what of ["LABELS", "TYPES", "PROPERTIES"]) {
      expect(JSON.stringify((await db.query(`SHOW ${what}`)).rows)).not.toContain(CANARY);
    }
    await db.close();
  });
});
