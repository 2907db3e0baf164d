// Results are cut at a row, at 200 rows or 256 KiB; pages joined are the whole; cursors belong to their call.
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { objectOf, overHttp, type Served } from "./clients.js";

const NODES = 450;
const LONG = 6_000;
const MOST_BYTES = 256 * 1024;
const uidOf = (i: number): string => `n${String(i).padStart(3, "0")}`;

/** What one of the tools gives, or its error. */
interface Page {
  readonly isError: boolean;
  readonly rows: { readonly uid: string }[];
  readonly rows_total: number;
  readonly cursor: string | null;
  readonly args: { readonly limit: number };
  readonly result_digest: string;
  readonly answer: { readonly rows: { readonly uid: string }[]; readonly value: string[] };
  readonly trace: { readonly trace_digest: string };
  readonly error: { readonly code: string };
}

let db: Database;
let served: Served;
let client: Client;
beforeAll(async () => {
  db = await open(":memory:");
  // Texts of two bytes a letter: 256 KiB hold about 21 rows of them.
  const note = "é".repeat(LONG);
  await db.write(
    Array.from({ length: NODES }, (_, i) => ({
      op: "assert_node" as const,
      uid: uidOf(i),
      labels: ["N"],
      props: { rank: i, note, big: 2n ** 60n },
      valid_from: "2020-01-01",
    })),
  );
  await db.write([
    {
      op: "assert_node",
      uid: "huge",
      labels: ["H"],
      props: { text: "x".repeat(MOST_BYTES) },
      valid_from: "2020-01-01",
    },
  ]);
  served = await overHttp(db);
  client = await served.client();
});
afterAll(() => served.close());

const raw = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
const call = async (name: string, args: Record<string, unknown>) => {
  const result = await raw(name, args);
  return { isError: result.isError === true, ...objectOf(result) } as unknown as Page;
};

/** All pages, one behind the other. */
async function pages(name: string, args: Record<string, unknown>): Promise<Page[]> {
  const found: Page[] = [];
  for (let cursor: string | null = null; found.length === 0 || cursor !== null; cursor = found.at(-1)!.cursor) {
    found.push(await call(name, cursor === null ? args : { ...args, cursor }));
    expect(found.at(-1)).toMatchObject({ isError: false });
    expect(found.length).toBeLessThan(100);
  }
  return found;
}

const NARROW = { of: "nodes", names: ["N"], columns: ["uid", "props.rank"] };
const WIDE = { of: "nodes", names: ["N"], columns: ["uid", "props.note"] };
const ALL = Array.from({ length: NODES }, (_, i) => uidOf(i));

describe("a page of an operator", () => {
  it("has at most 200 rows, whatever is asked", async () => {
    const found = await pages("scan", { ...NARROW, limit: 10_000 });
    expect(found.map(({ rows }) => rows.length)).toEqual([200, 200, 50]);
    expect(found.flatMap(({ rows }) => rows.map(({ uid }) => uid))).toEqual(ALL);
    for (const page of found) expect(page).toMatchObject({ complete: false, incomplete: ["page"], rows_total: NODES });
    expect((await call("scan", NARROW)).rows).toHaveLength(100);
    expect((await call("scan", { ...NARROW, limit: 10_001 })).error).toMatchObject({ code: "E_SCHEMA" });
    expect((await call("scan", { ...NARROW, limit: 7 })).rows).toHaveLength(7);
  });

  it("has at most 256 KiB, and a cursor and digest of its own", async () => {
    const found = await pages("scan", { ...WIDE, limit: 200 });
    expect(found.length).toBeGreaterThan(20);
    for (const page of found) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MOST_BYTES + 2_000);
    // Half of the page would fit again.
    for (const page of found.slice(0, -1)) expect(page.rows.length).toBeGreaterThan(10);
    expect(found.flatMap(({ rows }) => rows.map(({ uid }) => uid))).toEqual(ALL);
    const { args, result_digest } = found[0]!;
    expect((await db.call("scan" as string, { ...WIDE, limit: args.limit })).result_digest).toBe(result_digest);
  });

  it("is E_LIMIT where one row is too much", async () => {
    const result = await raw("scan", { of: "nodes", names: ["H"], columns: ["props.text"] });
    expect(result.isError).toBe(true);
    expect(objectOf(result).error).toMatchObject({ code: "E_LIMIT", details: { most_bytes: MOST_BYTES } });
  });

  it("goes on for one call alone", async () => {
    const { cursor } = await call("scan", NARROW);
    const other = await call("scan", { ...NARROW, of: "versions", columns: ["uid"], cursor });
    expect(other.error.code).toBe("E_INVALID_ARG");
  });
});

describe("a page of a statement", () => {
  const query = "SELECT n.uid, n.rank FROM NODES(N) AS n ORDER BY n.rank";

  it("has 200 rows, and its answer one digest", async () => {
    const found = await pages("query_tql", { query });
    expect(found.map(({ rows }) => rows.length)).toEqual([200, 200, 50]);
    expect(found.flatMap(({ rows }) => rows.map(({ uid }) => uid))).toEqual(ALL);
    const { result_digest } = await db.query(query);
    for (const page of found) expect(page).toMatchObject({ complete: false, rows_total: NODES, result_digest });
    expect(await call("query_tql", { query: `${query} LIMIT 5` })).toMatchObject({ complete: true, cursor: null });
  });

  it("has 256 KiB at most", async () => {
    const found = await pages("query_tql", { query: "SELECT n.uid, n.note FROM NODES(N) AS n ORDER BY n.uid" });
    for (const page of found) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MOST_BYTES + 2_000);
    for (const page of found.slice(0, -1)) expect(page.rows.length).toBeGreaterThan(15);
    expect(found.flatMap(({ rows }) => rows.map(({ uid }) => uid))).toEqual(ALL);
    const huge = await call("query_tql", { query: "SELECT n.text FROM NODES(H) AS n" });
    expect(huge.error.code).toBe("E_LIMIT");
  });

  it("stays with the commit of the first page while the store is written", async () => {
    const moving = await overHttp(await open(":memory:"));
    const { db: written } = moving.service;
    const nodes = (from: number, to: number) =>
      ALL.slice(from, to).map((uid) => ({ op: "assert_node" as const, uid, labels: ["N"], valid_from: "2020-01-01" }));
    await written.write(nodes(100, 200));
    const own = await moving.client();
    const ask = async (cursor: string | null) =>
      objectOf(
        await own.callTool({
          name: "query_tql",
          arguments: { query: "SELECT n.uid FROM NODES(N) AS n ORDER BY n.uid", limit: 60, cursor },
        }),
      ) as unknown as Page;
    const first = await ask(null);
    await written.write(nodes(0, 100));
    const second = await ask(first.cursor);
    const uids = [...first.rows, ...second.rows].map(({ uid }) => uid);
    expect(uids).toEqual(ALL.slice(100, 200));
    expect((await ask(null)).rows_total).toBe(200);
    // Another server, which has kept nothing, reads at the commit that the cursor names.
    const other = await overHttp(written);
    const fresh = await other.client();
    const again = objectOf(
      await fresh.callTool({
        name: "query_tql",
        arguments: { query: "SELECT n.uid FROM NODES(N) AS n ORDER BY n.uid", limit: 60, cursor: first.cursor },
      }),
    );
    expect(again.rows).toEqual(second.rows);
    await other.close();
    await moving.server.close();
  });

  it("is refused a cursor of another statement, or a damaged one", async () => {
    const { cursor } = await call("query_tql", { query });
    for (const args of [
      { query: `${query} LIMIT 300`, cursor },
      { query, params: { unused: 1 }, cursor },
      { query, cursor: "AAAA" },
      { query, cursor: "" },
    ]) {
      expect([args, (await call("query_tql", args)).error.code]).toEqual([args, "E_INVALID_ARG"]);
    }
  });
});

describe("a page of a plan's answer", () => {
  const plan = (columns: string[]) => ({
    steps: [{ id: "s1", op: "scan", args: { of: "nodes", names: ["N"], columns } }],
    answer: { kind: "table", from: "s1" },
  });

  it("has 200 rows with their keys, and one trace", async () => {
    const found = await pages("run_plan", { plan: plan(["uid", "props.rank"]) });
    expect(found.map(({ answer }) => answer.rows.length)).toEqual([200, 200, 50]);
    expect(found.flatMap(({ answer }) => answer.rows.map(({ uid }) => uid))).toEqual(ALL);
    expect(new Set(found.map(({ trace }) => trace.trace_digest)).size).toBe(1);
    const [{ trace }] = found as [Page];
    const read = await client.readResource({ uri: `palimpsest://trace/${trace.trace_digest}` });
    const whole = JSON.parse((read.contents[0] as { text: string }).text);
    expect(whole.answer.rows).toHaveLength(NODES);
    expect(await db.check(whole)).toBeNull();
  });

  it("has 256 KiB at most, and lists of values are cut as well", async () => {
    const wide = await pages("run_plan", { plan: plan(["uid", "props.note"]) });
    for (const page of wide) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MOST_BYTES + 2_000);
    expect(wide.flatMap(({ answer }) => answer.rows)).toHaveLength(NODES);
    const values = await pages("run_plan", {
      plan: { ...plan(["uid"]), answer: { kind: "entity_set", from: "s1.rows[*].uid" } },
    });
    expect(values.flatMap(({ answer }) => answer.value)).toEqual(ALL);
  });

  it("is refused a cursor of another plan, and of a store that has moved on", async () => {
    const { cursor } = await call("run_plan", { plan: plan(["uid"]) });
    expect((await call("run_plan", { plan: plan(["props.rank"]), cursor })).error.code).toBe("E_INVALID_ARG");
    await db.write([{ op: "assert_node", uid: "later", labels: ["Later"], valid_from: "2020-01-01" }]);
    expect((await call("run_plan", { plan: plan(["uid"]), cursor })).error.code).toBe("E_STATE");
  });
});

it("integers beyond 2^53 are texts with all their digits, everywhere", async () => {
  const scanned = await call("scan", { of: "nodes", names: ["N"], columns: ["props.big"], limit: 1 });
  expect(scanned.rows).toEqual([{ "props.big": "1152921504606846976" }]);
  const told = await call("query_tql", { query: "SELECT n.big, SUM(n.rank) AS s FROM NODES(N) AS n GROUP BY n.big" });
  expect(told.rows).toEqual([{ big: "1152921504606846976", s: (NODES * (NODES - 1)) / 2 }]);
});
