// Closed handles: every method is E_CLOSED, closing twice is fine, and closing waits for what runs.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Database, open } from "../../src/database.js";
import { messages, person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();

const METHODS: Record<string, (db: Database) => unknown> = {
  write: (db) => db.write([person("a")]),
  "write of a bad batch": (db) => db.write([]),
  ingest: (db) => db.ingest(messages(1), { type: "M" }),
  call: (db) => db.call("scan", { of: "nodes" }),
  "call of an unknown operator": (db) => db.call("nothing"),
  query: (db) => db.query("SHOW LABELS"),
  "query as a loop": async (db) => {
    for await (const row of db.query("SHOW LABELS")) expect(row).toBe(undefined);
  },
  prepare: (db) => db.prepare("SHOW LABELS"),
  session: (db) => db.session(),
  verify: (db) => db.verify({}),
  estimate: (db) => db.estimate({}),
  run: (db) => db.run({}),
  check: (db) => db.check({}),
  backup: (db) => db.backup(join(folder(), "copy")),
  tables: (db) => db.tables(),
  exportTo: (db) => db.exportTo({} as never),
  importFrom: (db) => db.importFrom({} as never, { table: "t" }),
  export: (db) => db.export(join(folder(), "exported")),
  import: (db) => db.import(join(folder(), "exported")),
  head: (db) => db.head(),
  info: (db) => db.info(),
  digest: (db) => db.digest(),
  checkpoint: (db) => db.checkpoint(),
  refresh: (db) => db.refresh(),
  subscribe: (db) => db.subscribe(() => {}),
};

test("the table names every method", () => {
  const tested = new Set(Object.keys(METHODS).map((title) => title.split(" ")[0]));
  const others = ["constructor", "ingestArrow", "passed", "close", "path", "isReadOnly", "openReport"];
  const untested = Object.getOwnPropertyNames(Database.prototype).filter((name) => !tested.has(name));
  expect(untested.sort()).toEqual(others.sort());
});

describe.each(["writer", "reader"])("a closed %s", (kind) => {
  test.each(Object.keys(METHODS))("%s is E_CLOSED", async (name) => {
    const path = join(folder(), "store");
    let db = await open(path);
    if (kind === "reader") {
      await db.close();
      db = await open(path, { readOnly: true });
    }
    await db.close();
    await db.close();
    await expect((async () => METHODS[name]!(db))()).rejects.toMatchObject({ code: "E_CLOSED" });
    expect(db.path).toBe(path);
  });
});

describe("close", () => {
  test("waits for calls, writes and bulk input that run, and refuses new ones at once", async () => {
    const path = join(folder(), "store");
    const db = await open(path);
    await db.ingest(messages(20_000), { type: "M" });
    const running = [
      db.write(Array.from({ length: 5000 }, (_, i) => person(`n${i}`))),
      db.ingest(messages(20_000), { type: "M" }),
      db.digest(),
      db.call("temporal_reachability", { uid: "p0" }),
      db.call("version_history", { limit: 10_000 }),
    ];
    const closed = [db.close(), db.close()];
    await expect(db.write([person("late")])).rejects.toMatchObject({ code: "E_CLOSED" });
    const outcomes = await Promise.allSettled(running);
    expect(outcomes.map(({ status }) => status)).toEqual(running.map(() => "fulfilled"));
    await Promise.all(closed);
    const again = await open(path, { readOnly: true });
    expect((await again.head()).tx).toBe(3);
    await again.close();
  });

  test("of a store in memory forgets it", async () => {
    const first = await open(":memory:");
    await first.write([person("a")]);
    const second = await open(":memory:");
    expect((await second.head()).tx).toBe(0);
    await first.close();
    expect((await second.write([person("b")])).tx).toBe(1);
    await second.close();
  });

  test("in any order of handles leaves the others whole", async () => {
    const path = join(folder(), "store");
    for (const order of [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ]) {
      const writer = await open(path);
      const handles = [writer, await open(path, { readOnly: true }), await open(path, { readOnly: true })];
      const { tx } = await writer.write([person("a")]);
      const left = new Set([0, 1, 2]);
      for (const which of order) {
        await handles[which]!.close();
        left.delete(which);
        for (const other of left) expect((await handles[other]!.head()).tx).toBe(tx);
      }
    }
  });
});
