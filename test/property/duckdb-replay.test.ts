// Random logs, erasures and rejected batches among them, into DuckDB: the digest of native and reference, the same scans.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { walkLog } from "../../src/cli/log-walk.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { DuckReplay } from "../../src/duckdb-engine/replay.js";
import { type Database, type OperationInput, open } from "../../src/index.js";
import { ReferenceReplay } from "../../src/reference/index.js";
import { SEEDS } from "../support/case-count.js";
import { Random } from "../support/random.js";
import { batchesWithErasures } from "../support/random-erasures.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
async function write(db: Database, batches: readonly { ops: object[]; txTime?: string }[]): Promise<number> {
  let rejected = 0;
  for (const { ops, txTime } of batches) {
    const options = txTime === undefined ? {} : { txTime };
    await db.write(ops as OperationInput[], options).catch((error: { code: string }) => {
      if (error.code !== "E_NOT_FOUND") throw error;
      rejected += 1;
    });
  }
  return rejected;
}

/** The digests that DuckDB and the reference make of a store's log; the file stays. */
async function replayed(store: string, file: string): Promise<{ duck: string; reference: string }> {
  const duck = await DuckReplay.create(file);
  const reference = new ReferenceReplay();
  await walkLog(store, async (commit) => {
    await duck.apply(commit);
    reference.apply(commit);
  });
  const digest = await duck.digest();
  await duck.finish();
  return { duck: digest, reference: reference.store.digest() };
}

async function query(file: string, sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(file, { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(sql)).getRowObjects();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

describe("a log in DuckDB", () => {
  it.each(SEEDS)("has the digest and the scans of the store, seed %i", async (seed) => {
    const random = new Random(seed);
    const store = join(folder(), "store");
    const file = join(folder(), "store.duckdb");
    const db = await open(store);
    await write(db, batchesWithErasures(random));
    const digest = await db.digest();
    const { tx } = await db.head();
    expect(await replayed(store, file)).toEqual({ duck: digest, reference: digest });
    const pin = 1 + random.below(tx);
    for (const kind of ["node", "edge"] as const) {
      const page = await db.call("version_history", {
        kind,
        as_of_tt: `tx:${pin}`,
        belief: "current",
        limit: 10_000,
      });
      const here = page.rows!.map((row) => [
        row.uid ?? row.src,
        row.type,
        row.dst,
        row.key,
        us(row.valid_from),
        us(row.valid_to),
        row.tx,
      ]);
      const columns = kind === "node" ? "uid AS src, NULL AS type, NULL AS dst, NULL AS key" : "src, type, dst, key";
      const there = await query(
        file,
        `SELECT ${columns}, valid_from_us, valid_to_us, tx_from FROM ${kind}s_at(${pin})`,
      );
      const rows = there.map((row) => [
        row.src,
        row.type,
        row.dst,
        row.key,
        row.valid_from_us,
        row.valid_to_us,
        Number(row.tx_from),
      ]);
      expect(asSet(rows)).toEqual(asSet(here));
    }
    await db.close();
  });
});

describe("the tables of a replayed log", () => {
  it("say in plain SQL what was believed, with names, values and times as they are", async () => {
    const store = join(folder(), "store");
    const file = join(folder(), "store.duckdb");
    const db = await open(store);
    const since = { valid_from: "-0043-03-15", valid_to: null } as const;
    const props = { 'a"b': 9_007_199_254_740_993n, name: "Zoë\n", list: [1, 2.5] };
    await write(db, [
      {
        ops: [{ op: "assert_node", uid: "a\0b", labels: ["Q", "P"], props, ...since }],
        txTime: "2021-01-01T00:00:00Z",
      },
      { ops: [{ op: "retract", ref: { uid: "nobody" }, ...since }], txTime: "2021-01-02T00:00:00Z" },
      {
        ops: [
          {
            op: "correct",
            mode: "patch",
            ref: { uid: "a\0b" },
            props: { name: null },
            remove_labels: ["P"],
            reason: "typo",
            ...since,
          },
        ],
        txTime: "2021-01-03T00:00:00Z",
      },
      {
        ops: [{ op: "assert_edge", src: "a", type: "R", dst: "a", ...since, valid_to: "+10000-01-01T00:00:00Z" }],
        txTime: "2021-01-04T00:00:00Z",
      },
    ]);
    const digest = await db.digest();
    await db.close();
    expect((await replayed(store, file)).duck).toBe(digest);
    const asked =
      `SELECT uid, labels::VARCHAR AS labels, props->>'$."a""b"' AS big, props->>'$.name' AS name, valid_from::VARCHAR AS since,
      valid_to, tx_from::VARCHAR AS tx_from, tx_to::VARCHAR AS tx_to, ended_by, ended_reason, reason FROM nodes ORDER BY tx_from`.replace(
        'a""b',
        'a\\"b',
      );
    const row = { uid: "a\0b", big: "9007199254740993", since: "0044-03-15 (BC) 00:00:00", valid_to: null };
    expect(await query(file, asked)).toEqual([
      {
        ...row,
        labels: "[P, Q]",
        name: "Zoë\n",
        tx_from: "2021-01-01 00:00:00",
        tx_to: "2021-01-03 00:00:00",
        ended_by: "corrected",
        ended_reason: "typo",
        reason: null,
      },
      {
        ...row,
        labels: "[Q]",
        name: null,
        tx_from: "2021-01-03 00:00:00",
        tx_to: null,
        ended_by: null,
        ended_reason: null,
        reason: "typo",
      },
    ]);
    expect(await query(file, "SELECT src, dst, seq, valid_to::VARCHAR AS until FROM edges")).toEqual([
      { src: "a", dst: "a", seq: 1n, until: "10000-01-01 00:00:00" },
    ]);
    expect(await query(file, "SELECT tx, is_erasure FROM commits ORDER BY tx")).toEqual(
      [1n, 2n, 3n].map((tx) => ({ tx, is_erasure: false })),
    );
    // What ended after the pin is not shown there.
    const before = await query(file, "SELECT labels::VARCHAR AS labels, ended_by, tx_to FROM nodes_at(1)");
    expect(before).toEqual([{ labels: "[P, Q]", ended_by: null, tx_to: null }]);
    expect(await query(file, "SELECT labels::VARCHAR AS labels FROM nodes_at(2)")).toEqual([{ labels: "[Q]" }]);
  });

  it("are not there before all of the log is, and never in the place of a file", async () => {
    const file = join(folder(), "store.duckdb");
    const duck = await DuckReplay.create(file);
    expect(readdirSync(folder()).every((name) => name.startsWith("store.duckdb.partial-"))).toBe(true);
    duck.abandon();
    expect(readdirSync(folder())).toEqual([]);
    writeFileSync(file, "mine");
    await expect(DuckReplay.create(file)).rejects.toMatchObject({ code: "E_STATE" });
    await expect(DuckReplay.create(join(folder(), "none", "store.duckdb"))).rejects.toMatchObject({ code: "E_IO" });
    expect(readdirSync(folder())).toEqual(["store.duckdb"]);
  });
});

const us = (text: string | null): bigint =>
  text === null ? 2n ** 62n : text.startsWith("+") ? 253_402_300_800_000_000n : parseInstant(text, "instant");
const asSet = (rows: readonly unknown[]): string[] =>
  rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value))).sort();
