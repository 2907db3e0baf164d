// What holds of every store at every pin, on random interleavings of assert, retract, correct and bulk input:
// the invariants of docs/contract.md, immutable answers, pages that join to the whole, and replay on both engines.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { parseValidTo } from "../../src/contract/parse-instant.js";
import { type Database, open } from "../../src/database.js";
import { nativeFileLayer } from "../../src/log/native-file-layer.js";
import { addon } from "../../src/native/addon.js";
import { replayCommits } from "../../src/reference/replay.js";
import { SEEDS } from "../support/case-count.js";
import { lawBatches } from "../support/law-store.js";
import { readAll } from "../support/log-driver.js";
import { Random } from "../support/random.js";
import { callsOfEach, type RandomCall, refsOf } from "../support/random-calls.js";
import { temporaryFolder } from "../support/temporary-folder.js";

type Fields = Record<string, unknown>;
const folder = temporaryFolder();

/** An answer's bytes, or the code of its error. */
async function answer(db: Database, { op, args }: RandomCall): Promise<string> {
  try {
    return canonicalJson((await db.call(op, args)) as never);
  } catch (error) {
    if (error instanceof PalimpsestError) return error.code;
    throw error;
  }
}

async function allRows(db: Database, op: string, args: Fields): Promise<Fields[]> {
  const rows: Fields[] = [];
  for (let cursor: unknown = null; ; ) {
    const envelope = await db.call(op, { ...args, cursor, limit: 10_000 });
    rows.push(...(envelope.rows as Fields[]));
    cursor = envelope.cursor;
    if (cursor === null) return rows;
  }
}

const identity = ({ uid, src, type, dst, key }: Fields): string =>
  canonicalJson([uid, src, type, dst, key].map((part) => part ?? null) as never);
/** Instants in order; null is an open end. */
const us = (text: unknown): bigint => (text === null ? 1n << 62n : parseValidTo(text as string, "row"));

async function checkBeliefs(db: Database, tx: number, where: string): Promise<void> {
  for (const of of ["nodes", "edges"]) {
    const last = new Map<string, bigint>();
    for (const row of await allRows(db, "scan", { of, as_of_tt: `tx:${tx}` })) {
      const [from, to] = [us(row.valid_from), us(row.valid_to)];
      expect(from < to, `${where}: ${canonicalJson(row as never)}`).toBe(true);
      const before = last.get(identity(row));
      if (before !== undefined) expect(before <= from, `${where}: ${canonicalJson(row as never)} overlaps`).toBe(true);
      last.set(identity(row), to);
    }
  }
}

async function checkAxis(db: Database, where: string): Promise<void> {
  const commits = await allRows(db, "scan", { of: "commits" });
  expect(
    commits.map(({ tx }) => tx),
    where,
  ).toEqual(commits.map((_, i) => i + 1));
  const times = commits.map(({ tx_time }) => us(tx_time));
  for (const [i, time] of times.entries()) expect(i === 0 || times[i - 1]! < time, where).toBe(true);
  const number = new Map(commits.map(({ tx, tx_time }) => [tx_time, tx as number]));
  for (const row of await allRows(db, "version_history", {})) {
    expect(number.get(row.tx_from), where).toBe(row.tx);
    expect(row.tx_to === null, where).toBe(row.ended_by === null);
    if (row.tx_to === null) continue;
    expect(number.get(row.tx_to), where).toBe(row.ended_tx);
    expect(row.ended_tx as number, where).toBeGreaterThan(row.tx as number);
  }
}

/** Every list of an answer: its pages for random limits, end to end, against the whole. */
async function checkPages(db: Database, random: Random, { op, args }: RandomCall, where: string): Promise<void> {
  const whole = (await db.call(op, { ...args, limit: 10_000 })) as unknown as Fields;
  const isList = (field: unknown): boolean => typeof field === "object" && field !== null && "rows_total" in field;
  const further = Object.entries(whole).filter(([, field]) => isList(field)) as [string, Fields][];
  const lists: [string, Fields][] = [["rows", whole], ...further];
  for (const [name, list] of lists) {
    const rows = list.rows as unknown[];
    const joined: unknown[] = [];
    const first = (await db.call(op, { ...args, limit: 1 + random.below(3) })) as unknown as Fields;
    let page = (name === "rows" ? first : first[name]) as Fields;
    for (let count = 0; ; count += 1) {
      expect(page.rows_total, where).toBe(rows.length);
      joined.push(...(page.rows as unknown[]));
      if (page.cursor === null) break;
      expect(count, where).toBeLessThanOrEqual(rows.length);
      const next = { ...args, limit: 1 + random.below(5), cursor: page.cursor };
      const envelope = (await db.call(op, next)) as unknown as Fields;
      page = (name === "rows" ? envelope : envelope[name]) as Fields;
    }
    expect(canonicalJson(joined as never), `${where}: ${op} ${name}`).toBe(canonicalJson(rows as never));
  }
}

/** null, the instant and the number of the newest commit mean the same. */
async function checkPins(db: Database, tx: number, txTime: string, call: RandomCall, where: string): Promise<void> {
  if (call.op === "diff_snapshots") return;
  const ask = (as_of_tt: string | null) => answer(db, { op: call.op, args: { ...call.args, as_of_tt } });
  const byNumber = await ask(`tx:${tx}`);
  expect(await ask(null), where).toBe(byNumber);
  expect(await ask(txTime), where).toBe(byNumber);
}

/** Pins made explicit, so that a later question is the same question. */
function pinned({ op, args }: RandomCall, head: number): RandomCall {
  const fixed = (pin: unknown): unknown => pin ?? `tx:${head}`;
  if (op !== "diff_snapshots") return { op, args: { ...args, as_of_tt: fixed(args.as_of_tt) } };
  const corner = (given: unknown) => ({ ...(given as Fields), as_of_tt: fixed((given as Fields).as_of_tt) });
  return { op, args: { ...args, left: corner(args.left), right: corner(args.right) } };
}

/** One store from its first commit to its replay; the share of its answers (errors apart) all of whose lists had rows. */
async function runCase(seed: number, path: string): Promise<number> {
  const random = new Random(seed);
  const where = `seed ${seed}`;
  const asked: { call: RandomCall; bytes: string }[] = [];
  const refs: Fields[] = [];
  let db = await open(path, { durability: "none" });
  for (const { ops, txTime } of lawBatches(random)) {
    const before = (await db.head()).tx;
    const written = await db.write(ops as never, { txTime }).catch((error: PalimpsestError) => error.code);
    const { tx, txTime: headTime } = await db.head();
    expect(tx, where).toBe(typeof written === "string" ? before : before + 1);
    if (tx === before) continue;
    refs.push(...refsOf(ops));
    await checkBeliefs(db, tx, `${where} at tx:${tx}`);
    for (const { op, args } of callsOfEach(random, tx, refs)) {
      // Filters leave little of small stores: half of the calls have none.
      const call = { op, args: random.chance(1, 2) ? args : { ...args, where: {} } };
      const fixed = pinned(call, tx);
      const bytes = await answer(db, fixed);
      // A page's limits do not matter to what is checked here, and an error has no pages.
      if (bytes.startsWith("{") && random.chance(1, 2)) await checkPages(db, random, fixed, where);
      if (random.chance(1, 4)) await checkPins(db, tx, headTime!, call, where);
      asked.push({ call: fixed, bytes });
    }
    const again = random.pick(asked);
    expect(await answer(db, again.call), `${where}: ${canonicalJson(again.call as never)}`).toBe(again.bytes);
  }
  await checkAxis(db, where);
  const { tx } = await db.head();
  const digest = await db.digest();
  await db.close();

  db = await open(path, { durability: "none" });
  expect(await db.digest(), `${where}: replayed`).toBe(digest);
  for (let pin = 0; pin <= tx; pin += 1) await checkBeliefs(db, pin, `${where} replayed at tx:${pin}`);
  for (const { call, bytes } of asked) {
    expect(await answer(db, call), `${where}: ${canonicalJson(call as never)}`).toBe(bytes);
  }
  await db.close();
  const { commits, error } = await readAll(nativeFileLayer(addon.files), path);
  expect(error).toBeUndefined();
  expect(replayCommits(commits).digest(), `${where}: replayed by the reference engine`).toBe(digest);
  const answers = asked.filter(({ bytes }) => bytes.startsWith("{"));
  return answers.filter(({ bytes }) => !bytes.includes('"rows_total":0')).length / answers.length;
}

describe("random stores", () => {
  const shares: number[] = [];
  it.each(SEEDS)("seed %i keeps the invariants at every pin, and what it answered", async (seed) => {
    shares.push(await runCase(seed, join(folder(), "store")));
  });

  // Agreement on empty answers proves little.
  it("had answers with rows", () => {
    const known = shares.filter((share) => !Number.isNaN(share));
    expect(known.reduce((sum, share) => sum + share, 0) / known.length).toBeGreaterThan(1 / 4);
  });
});
