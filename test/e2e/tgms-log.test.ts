// Logs of TGMS through the command line, against that system's own answers where they lie beside the repository, and
// against hand counts where a rule has one line.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseExact } from "../../src/contract/exact-json.js";
import { formatInstant } from "../../src/contract/instant.js";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { type Database, open } from "../../src/index.js";
import { ROOT } from "./command-line.js";
import { servedCommandLine } from "./served-command-line.js";

const DATA = join(ROOT, "../shared/data/tgms-log");
const isThere = existsSync(DATA);
if (!isThere) console.log("skipped: the data set tgms-log is not at ../shared/data");
const cli = servedCommandLine();

type Whole = number | bigint;
interface Answer {
  uid: string;
  as_of_tt: Whole;
  rows: [label: string, props: object, from: Whole, to: Whole | null][];
  edges: [src: string, type: string, dst: string, from: Whole, to: Whole | null][];
}
interface Reachability {
  args: { src: string; window: { t_a: Whole; t_b: Whole }; as_of_tt: Whole };
  rows: [uid: string, arrival: Whole][];
}
interface Answers {
  commits: Whole[];
  answers: Answer[];
  reachability?: Reachability[];
}

const us = (text: unknown): bigint | null => (text === null ? null : parseInstant(text, "instant"));
/** JSON with sorted keys, in which every digit counts. */
const exact = (value: unknown): string =>
  JSON.stringify(value, (_, v) => {
    if (typeof v === "bigint") return `${v}n`;
    if (typeof v !== "object" || v === null || Array.isArray(v)) return v;
    return Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
/** Equal begins have no order there, so rows are compared as sets. */
const asSet = (rows: readonly unknown[]): string[] => rows.map(exact).sort();
const wide = (value: Whole | null): bigint | null => (value === null ? null : BigInt(value));

async function believed(db: Database, given: object): Promise<Record<string, unknown>[]> {
  const args: object = { belief: "current", limit: 10_000, ...given };
  const page = await db.call("version_history", args).catch((error: { code?: string }) => {
    if (error.code === "E_NOT_FOUND") return { rows: [], complete: true };
    throw error;
  });
  expect(page.complete).toBe(true);
  return page.rows as Record<string, unknown>[];
}

async function answersHere(db: Database, { uid, as_of_tt }: Answer): Promise<{ rows: string[]; edges: string[] }> {
  const pin = { as_of_tt: formatInstant(BigInt(as_of_tt)) };
  const nodes = await believed(db, { kind: "node", ref: { uid }, ...pin });
  const edges = (await believed(db, { kind: "edge", ...pin })).filter(({ src, dst }) => src === uid || dst === uid);
  return {
    rows: asSet(nodes.map(({ labels, props, valid_from, valid_to }) => [labels, props, us(valid_from), us(valid_to)])),
    edges: asSet(
      edges.map(({ src, type, dst, valid_from, valid_to }) => [src, type, dst, us(valid_from), us(valid_to)]),
    ),
  };
}

describe.skipIf(!isThere).each(["ward", "random"])("the log %s", (name) => {
  const log = join(DATA, `${name}.eventlog.jsonl`);
  const answers = isThere
    ? (parseExact(readFileSync(join(DATA, `${name}.answers.json`), "utf8")) as unknown as Answers)
    : { commits: [], answers: [] };

  it("has the commits that were applied there, at their times, and reports the batches that failed", async () => {
    const { exitCode, out, err } = await cli.run("load", cli.path(name), log, "--format", "tgms-log", "--json");
    expect([exitCode, err.includes("E_")]).toEqual([0, false]);
    const batches = readFileSync(log, "utf8").trim().split("\n").length - 1;
    expect(JSON.parse(out)).toMatchObject({ rows: answers.commits.length, refused: 0, tx_to: answers.commits.length });
    expect(err.match(/^line \d+: the batch fails/gm)?.length).toBe(batches - answers.commits.length);
    const db = await open(cli.path(name), { readOnly: true });
    const times: unknown[] = [];
    for (let tx = 1; tx <= answers.commits.length; tx += 1) {
      const { pin } = await db.call("version_history", { kind: "node", as_of_tt: `tx:${tx}`, limit: 1 });
      times.push(us((pin as { tx_time: string }).tx_time));
    }
    expect(times).toEqual(answers.commits.map(BigInt));
    await db.close();
  });

  it("believes at every asked time what that system believed", async () => {
    const db = await open(cli.path(name), { readOnly: true });
    for (const answer of answers.answers) {
      const { rows, edges } = await answersHere(db, answer);
      const about = `${answer.uid} at ${answer.as_of_tt}`;
      const nodes = answer.rows.map(([label, props, from, to]) => [[label], props, wide(from), wide(to)]);
      expect(rows, about).toEqual(asSet(nodes));
      expect(edges, about).toEqual(asSet(answer.edges.map(([s, t, d, from, to]) => [s, t, d, wide(from), wide(to)])));
    }
    await db.close();
  });

  it("reaches whom that system reaches, as early", async () => {
    const db = await open(cli.path(name), { readOnly: true });
    for (const { args, rows } of answers.reachability ?? []) {
      const { t_a, t_b } = args.window;
      const given = {
        uid: args.src,
        window: { from: { us: BigInt(t_a) }, to: { us: BigInt(t_b) } },
        as_of_tt: formatInstant(BigInt(args.as_of_tt)),
        limit: 1000,
      };
      const found = await db.call("temporal_reachability", given);
      const arrivals = (found.rows ?? []).map(({ uid, arrival }) => [uid, us(arrival)]);
      expect(asSet(arrivals), exact(args)).toEqual(asSet(rows.map(([uid, arrival]) => [uid, BigInt(arrival)])));
    }
    await db.close();
  });
});

const HEADER = { format: "tgms-eventlog", version: 1 };
let tt = 1_600_000_000_000_000;
const batch = (...ops: object[]) => {
  tt += 1000;
  return { batch_id: `b${tt}`, ops, tt };
};
const node = (uid: string, label: string, vt_s: number, vt_e: number) => ({
  op: "assert_node",
  uid,
  label,
  props: { uid },
  vt_s,
  vt_e,
  source: "s",
  provenance_ref: null,
});
const ref = (uid: string) => ({ kind: "node", uid });
const text = (records: readonly (object | string)[]) =>
  records.map((record) => (typeof record === "string" ? record : JSON.stringify(record))).join("\n");

let count = 0;
/** Loads records into a store of their own. */
async function load(records: readonly (object | string)[], ...flags: string[]) {
  count += 1;
  const store = cli.path(`store${count}`);
  const file = cli.file(`log${count}.jsonl`, text(records));
  return { store, file, ...(await cli.run("load", store, file, "--format", "tgms-log", ...flags)) };
}
const versionsOf = async (store: string, uid: string) => {
  const db = await open(store, { readOnly: true });
  const rows = await believed(db, { kind: "node", ref: { uid } });
  await db.close();
  const found = rows.map(({ labels, valid_from, valid_to }) => [labels, us(valid_from), us(valid_to)] as const);
  return found.sort(([, a], [, b]) => (a! < b! ? -1 : 1));
};

describe("a log written by hand", () => {
  it("cuts only the version that holds at t", async () => {
    const { store } = await load([
      HEADER,
      batch(node("a", "P", 0, 10), node("a", "P", 10, 20), node("a", "P", 30, 40)),
      batch({ op: "retract", ref: ref("a"), t: 14 }),
    ]);
    expect(await versionsOf(store, "a")).toEqual([
      [["P"], 0n, 10n],
      [["P"], 10n, 14n],
      [["P"], 30n, 40n],
    ]);
  });

  it("takes a batch back whole when one of its operations fails, and goes on from before it", async () => {
    const { store, err, exitCode } = await load([
      HEADER,
      batch(node("a", "P", 0, 10)),
      batch(node("a", "Q", 5, 10), node("b", "P", 0, 9), { op: "retract", ref: ref("c"), t: 1 }),
      batch({ op: "correct", ref: ref("a"), props: {}, vt_s: 0, vt_e: 20 }),
    ]);
    expect(exitCode).toBe(0);
    expect(err).toContain('line 3: the batch fails, as it did there: no version of "c" holds at 1');
    expect(await versionsOf(store, "a")).toEqual([[["P"], 0n, 20n]]);
    expect(await versionsOf(store, "b")).toEqual([]);
  });

  it("goes on with a log that continues in the same store", async () => {
    const { store } = await load([HEADER, batch(node("a", "P", 0, 10), node("a", "Q", 10, 20))]);
    const rest = cli.file(
      "rest.jsonl.gz",
      gzipSync(
        text([
          HEADER,
          batch({ op: "correct", ref: ref("a"), props: {}, vt_s: 5, vt_e: 15 }),
          batch({ op: "retract", ref: ref("a"), t: 12 }),
        ]),
      ),
    );
    const { exitCode, err } = await cli.run("load", store, rest, "--format", "tgms-log");
    expect([exitCode, err.match(/line \d+/g)]).toEqual([0, ["line 2"]]);
    expect(await versionsOf(store, "a")).toEqual([
      [["P"], 0n, 10n],
      [["Q"], 10n, 12n],
    ]);
    expect((await cli.run("load", store, rest, "--format", "tgms-log")).err).toContain("E_STATE");
  });

  it("keeps what precedes a refusal only with --batch, and passes refused lines with --on-error skip", async () => {
    const records = [HEADER, batch(node("a", "P", 0, 10)), '{"ops": [', batch(node("b", "P", 0, 10))];
    const stopped = await load(records);
    expect([stopped.exitCode, existsSync(stopped.store)]).toEqual([1, false]);
    expect(stopped.err).toMatch(/^E_INVALID_ARG: .*log\d+\.jsonl line 3: the text is not JSON/m);
    const batched = await load(records, "--batch", "1");
    expect([batched.exitCode, await versionsOf(batched.store, "a")]).toEqual([1, [[["P"], 0n, 10n]]]);
    const skipped = await load(records, "--on-error", "skip", "--json");
    expect([skipped.exitCode, JSON.parse(skipped.out)]).toMatchObject([0, { rows: 2, refused: 1, tx_to: 2 }]);
  });
});

describe("a log that is no log", () => {
  const good = () => batch(node("a", "P", 0, 10));
  const event = (fields: object) =>
    batch({
      op: "ingest_events",
      offset: 0,
      node_label: "P",
      events: [{ src: "a", dst: "b", rel_type: "R", vt_s: 5, ...fields }],
    });
  const cases: [title: string, records: () => (object | string)[], expected: RegExp][] = [
    ["is empty", () => [""], /E_INVALID_ARG: .*the file is empty/],
    ["has no header", () => [good()], /E_SCHEMA: .* line 1: /],
    ["is of another version", () => [{ ...HEADER, version: 2 }, good()], /line 1: \/version: version 2/],
    ["has an unknown operation", () => [HEADER, batch({ op: "drop" })], /E_SCHEMA: .* line 2: \/ops\/0\/op/],
    ["has an unknown field", () => [HEADER, batch({ ...node("a", "P", 0, 1), weight: 1 })], /line 2: \/ops\/0\/weight/],
    ["ends before it begins", () => [HEADER, batch(node("a", "P", 10, 10))], /E_PERIOD_ORDER: .* line 2/],
    ["has an event that ends before it begins", () => [HEADER, event({ vt_e: 4 })], /E_PERIOD_ORDER: .* line 2/],
    ["has a time that is no whole number", () => [HEADER, event({ vt_s: 1.5 })], /E_SCHEMA: .* line 2: .*vt_s/],
    ["has a time beyond the calendar", () => [HEADER, event({ vt_e: 1e18 })], /E_INVALID_ARG: .* line 2: /],
    ["has a number beyond int64", () => [HEADER, '{"ops":[],"tt":99999999999999999999}'], /E_INVALID_ARG: .* line 2: /],
    ["has an empty batch", () => [HEADER, batch()], /E_INVALID_ARG: .* line 2: the batch is empty/],
    ["has an empty uid", () => [HEADER, batch(node("", "P", 0, 1))], /E_SCHEMA: .* line 2: /],
    [
      "has a lone surrogate",
      () => [HEADER, batch({ ...node("a", "P", 0, 1), props: { x: "\ud800" } })],
      /E_INVALID_ARG: .* line 2: /,
    ],
    ["goes back in time", () => [HEADER, { ...good(), tt: 50 }, { ...good(), tt: 50 }], /E_SCHEMA: .* line 3: \/tt/],
    [
      "is written in the future",
      () => [HEADER, { ...good(), tt: 253_000_000_000_000_000 }],
      /E_INVALID_ARG: .* line 2: .*wall clock/,
    ],
    ["has a NUL", () => [HEADER, '{"ops":[],"tt":1}\0'], /E_INVALID_ARG: .* line 2: byte 18 of the line is NUL/],
  ];
  it.each(cases)("%s: it is refused where that stands, and nothing is left", async (_, records, expected) => {
    const { exitCode, err, store } = await load(records());
    expect(err).toMatch(expected);
    expect([exitCode, existsSync(store)]).toEqual([1, false]);
  });

  it("takes no flags that say what columns mean", async () => {
    const { err } = await load([HEADER, good()], "--valid-to", "end");
    expect(err).toContain("--valid-to does not go with --format tgms-log");
  });
});
