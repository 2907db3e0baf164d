// Pins at instants: what one means never changes, whatever the clock does and whatever is staged when it is asked.
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { formatInstant } from "../../src/contract/instant.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { type Database, open } from "../../src/database.js";
import { Store } from "../../src/store/store.js";
import { heldFileLayer } from "../support/held-file-layer.js";
import { startProcess, startWorker } from "../support/remote-database.js";
import { messages, person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const NOON_MS = Date.parse("2022-02-02T12:00:00Z");
const noon = (us: number): string => formatInstant(BigInt(NOON_MS) * 1000n + BigInt(us));

/** The wall clock stands, or goes as it is told. */
function setClock(ms: number): void {
  vi.spyOn(Date, "now").mockReturnValue(NOON_MS + ms);
}
afterEach(() => void vi.restoreAllMocks());

const pinOf = async (db: Database, as_of_tt: string | null): Promise<number> =>
  (await db.call("scan", { of: "commits", as_of_tt, limit: 1 })).pin!.tx;

describe("commits within one millisecond", () => {
  test("have times of their own, and each is addressed by its instant and by its number", async () => {
    setClock(0);
    const db = await open(":memory:");
    const commits = await Promise.all(Array.from({ length: 100 }, (_, i) => db.write([person(`n${i}`)])));
    expect(commits.map(({ txTime }) => txTime)).toEqual(commits.map((_, i) => noon(i)));
    for (const { tx, txTime } of commits) {
      const [byInstant, byNumber] = [
        await db.call("scan", { of: "nodes", as_of_tt: txTime, limit: 1000 }),
        await db.call("scan", { of: "nodes", as_of_tt: `tx:${tx}`, limit: 1000 }),
      ];
      expect(byInstant.rows_total).toBe(tx);
      expect(byInstant.args.as_of_tt).toBe(`tx:${tx}`);
      expect(byInstant.result_digest).toBe(byNumber.result_digest);
    }
    await db.close();
  });
});

describe("the floor of the commit clock", () => {
  test.each(["the writer", "a reader of the process"])("is raised by a pin of %s", async (who) => {
    const path = join(folder(), "store");
    setClock(0);
    const db = await open(path);
    const asker = who === "the writer" ? db : await open(path, { readOnly: true });
    expect((await db.write([person("a")])).txTime).toBe(noon(0));
    setClock(10);
    expect(await pinOf(asker, noon(7000))).toBe(1);
    // The clock goes back behind what was asked.
    setClock(3);
    expect((await db.write([person("b")])).txTime).toBe(noon(7001));
    await expect(db.write([person("c")], { txTime: noon(2000) })).rejects.toMatchObject({ code: "E_STATE" });
    expect(await pinOf(asker, noon(7000))).toBe(1);
    expect(await pinOf(asker, noon(7001))).toBe(2);
    if (asker !== db) await asker.close();
    await db.close();
  });

  test("is raised by a pin of a reader in a worker thread", async () => {
    const path = join(folder(), "store");
    const db = await open(path);
    const worker = startWorker();
    await worker.call("open", path, { readOnly: true });
    const asked = formatInstant(BigInt(Date.now()) * 1000n);
    const scan = { of: "commits", as_of_tt: asked };
    expect(((await worker.call("call", "scan", scan)) as { pin: object }).pin).toMatchObject({ tx: 0 });
    vi.spyOn(Date, "now").mockReturnValue(Date.now() - 3_600_000);
    const { txTime } = await db.write([person("a")]);
    expect(parseInstant(txTime, "txTime")).toBe(parseInstant(asked, "asked") + 1n);
    expect(((await worker.call("call", "scan", scan)) as { pin: object }).pin).toMatchObject({ tx: 0 });
    await db.close();
  });

  test("is not raised by a pin after the wall clock, which means the latest commit for now", async () => {
    setClock(0);
    const db = await open(":memory:");
    await db.write([person("a")]);
    setClock(5);
    expect(await pinOf(db, noon(60_000_000))).toBe(1);
    const envelope = await db.call("scan", { of: "nodes", as_of_tt: noon(60_000_000) });
    expect(envelope.args.as_of_tt).toBe("tx:1");
    expect(envelope.notices).toBeUndefined();
    expect((await db.write([person("b")])).txTime).toBe(noon(5000));
    expect(await pinOf(db, noon(60_000_000))).toBe(2);
    await db.close();
  });

  test("an instant before the first commit is the empty store", async () => {
    setClock(0);
    const db = await open(":memory:");
    expect(await pinOf(db, noon(-1000))).toBe(0);
    await db.write([person("a")]);
    expect(await pinOf(db, noon(-1000))).toBe(0);
    await db.close();
  });
});

describe("what is staged and not later", () => {
  test("is waited for", async () => {
    const layer = heldFileLayer();
    setClock(0);
    const store = await Store.openOn(layer, "/store", {});
    await store.write([person("a")]);
    layer.hold();
    setClock(1);
    const write = store.write([person("b")]);
    while (store.core.stagedTx < 2) await nextTurn();
    setClock(2);
    const us = BigInt(NOON_MS) * 1000n + 1500n;
    let resolved: number | undefined;
    const asked = store.resolveInstant(us).then(({ tx }) => (resolved = tx));
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(resolved).toBeUndefined();
    layer.release();
    expect(await asked).toBe(2);
    expect((await write).tx).toBe(2);
    await store.close();
  });

  test("includes a large batch whose time is settled while it is still being sealed", async () => {
    const store = await Store.openOn(heldFileLayer(), "/store", {});
    await store.write([person("a")]);
    let earliest = 2;
    const write = store.ingest(messages(200_000), { type: "M" });
    const asked: { us: bigint; tx: number }[] = [];
    let isDone = false;
    const running = write.finally(() => (isDone = true));
    while (!isDone) {
      const us = BigInt(Date.now()) * 1000n;
      const { tx } = await store.resolveInstant(us);
      earliest = Math.min(earliest, tx);
      asked.push({ us, tx });
      await nextTurn();
    }
    await running;
    expect(earliest).toBe(1);
    for (const { us, tx } of asked) expect((await store.resolveInstant(us)).tx).toBe(tx);
    await store.close();
  });

  test("is given up when its flush has failed", async () => {
    const layer = heldFileLayer();
    const store = await Store.openOn(layer, "/store", {});
    await store.write([person("a")]);
    layer.hold();
    const write = store.write([person("b")]);
    while (store.core.stagedTx < 2) await nextTurn();
    const asked = store.resolveInstant(BigInt(Date.now()) * 1000n);
    store.core.poison();
    expect((await asked).tx).toBe(1);
    layer.release();
    await write;
    await store.close();
  });
});

describe("in a process that only follows", () => {
  test("an instant beyond the newest commit carries a notice, others do not, and the digest is the same", async () => {
    const path = join(folder(), "store");
    const db = await open(path);
    await db.write([person("a")], { txTime: "2001-01-01T00:00:00Z" });
    await db.write([person("b")], { txTime: "2002-01-01T00:00:00Z" });
    const reader = startProcess();
    await reader.call("open", path, { readOnly: true });
    const ask = async (as_of_tt: string) =>
      (await reader.call("call", "scan", { of: "nodes", as_of_tt })) as Awaited<ReturnType<Database["call"]>>;
    const known = await db.call("scan", { of: "nodes", as_of_tt: "tx:2" });
    for (const [instant, notices] of [
      ["2001-06-01T00:00:00Z", undefined],
      ["2002-01-01T00:00:00Z", undefined],
      ["2002-01-01T00:00:00.000001Z", ["W_PIN_AFTER_LATEST"]],
      ["9000-01-01T00:00:00Z", ["W_PIN_AFTER_LATEST"]],
    ] as const) {
      const envelope = await ask(instant);
      expect(envelope.notices, instant).toEqual(notices);
      if (instant >= "2002") expect(envelope.result_digest).toBe(known.result_digest);
    }
    await db.close();
  });
});
