// `for await` over a statement: the rows that its whole answer has, made while they are read, and none after the loop.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { CLEAN, PATIENCE_MS, runChild } from "../lifetime/run-child.js";
import { readCases } from "../statements/case-file.js";
import { type SmallStore, smallStore } from "../statements/stores.js";
import { refusal } from "./refusal.js";

const COUNT = 20_000;
const MEBIBYTE = 1 << 20;
const ALL = "SELECT e.src, e.at, e.seq FROM EVENTS(SENT) AS e ORDER BY e.seq";
let db: Database;

beforeAll(async () => {
  db = await open(":memory:");
  await db.ingest(
    {
      src: Array.from({ length: COUNT }, (_, i) => `n${i % 10}`),
      dst: Array.from({ length: COUNT }, () => "z"),
      time: BigInt64Array.from({ length: COUNT }, (_, i) => BigInt(i)),
    },
    { type: "SENT" },
  );
});
afterAll(() => db.close());

describe("iterating over a statement", () => {
  it("gives the rows of the whole answer, whatever the statement", async () => {
    const folder = join(import.meta.dirname, "../statements/small");
    const cases = ["payments", "hospital", "oddities"].flatMap((name) => readCases(join(folder, `${name}.tql`)));
    const stores = new Map<string, Database>();
    for (const { store, text, params, title } of cases) {
      if (!stores.has(store)) stores.set(store, await smallStore(store as SmallStore));
      const own = stores.get(store)!;
      const answer = await own.query(text, { params });
      const { rows, columns, notices } = await own.query(text, { params }).stream();
      const streamed = [];
      for await (const row of rows) streamed.push(row);
      expect(streamed, title).toEqual(answer.rows);
      expect({ columns, notices }, title).toEqual({ columns: answer.columns, notices: answer.notices });
    }
    for (const own of stores.values()) await own.close();
  });

  it("makes the rows of a scan and of a grouping that no select follows", async () => {
    for (const text of [
      "SELECT e.src, COUNT(*) AS n FROM EVENTS(SENT) AS e GROUP BY e.src",
      "CALL scan(of => 'events', columns => ['src', 'seq'])",
    ]) {
      const answer = await db.query(text);
      const streamed = [];
      for await (const row of db.query(text)) streamed.push(row);
      expect(answer.rows.length, text).toBeGreaterThan(0);
      expect(streamed, text).toEqual(answer.rows);
    }
  });

  it("ends where the loop is left, and the store closes after it", async () => {
    const own = await open(":memory:");
    await own.ingest(
      { src: ["a", "b", "c"], dst: ["z", "z", "z"], time: BigInt64Array.of(1n, 2n, 3n) },
      { type: "SENT" },
    );
    const { rows } = await own.query(ALL).stream();
    const iterator = rows[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ src: "a" });
    await iterator.return!();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    for await (const row of own.query(ALL)) {
      expect(row).toMatchObject({ src: "a" });
      break;
    }
    await own.close();
  });

  it("gives up in the middle when its signal is given", async () => {
    const stop = new AbortController();
    let seen = 0;
    const read = async (): Promise<void> => {
      for await (const _ of db.query(ALL, { signal: stop.signal })) {
        seen += 1;
        if (seen === 100) stop.abort();
      }
    };
    expect(await refusal(read())).toMatch(/^E_CANCELLED/);
    // What had been made is read to its end.
    expect(seen).toBeLessThan(COUNT / 4);
  });

  it("holds to the budget of rows", async () => {
    const read = async (): Promise<void> => {
      for await (const _ of db.query(ALL, { ceilings: { rows: COUNT - 1 } }));
    };
    expect(await refusal(read())).toMatch(/^E_COST/);
  });

  it("keeps no row: the heap stays where it was, and a whole answer would not fit there", {
    timeout: PATIENCE_MS,
  }, async () => {
    const end = await runChild("streamed-rows");
    expect(end).toMatchObject({ ...CLEAN, stderr: "" });
    const found = new Map(
      [...end.stdout.matchAll(/^(.+): (-?\d+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
    for (const name of ["select", "sorted"]) {
      expect(found.get(`${name} rows`)).toBe(300_000);
      expect(found.get(`${name} streamed`), name).toBeLessThan(8 * MEBIBYTE);
    }
    expect(found.get("whole rows")).toBe(300_000);
    expect(found.get("whole")).toBeGreaterThan(24 * MEBIBYTE);
  });
});
