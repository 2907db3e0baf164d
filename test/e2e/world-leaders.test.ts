// The world-leaders list: 93 commits with their own times, compared at every one with the list replayed by hand.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANDERSSON_TERM, type LeaderRow, leaderCommits, readLeaderRecords } from "../../src/demo-data/world-leaders.js";
import { type Database, open } from "../../src/index.js";
import { ROOT } from "./command-line.js";

const records = readLeaderRecords(readFileSync(join(ROOT, "examples/data/world-leaders.events.jsonl"), "utf8"));
type Row = Record<string, unknown>;
let db: Database;

beforeAll(async () => {
  db = await open(":memory:");
  for (const { txTime, operations } of leaderCommits(records)) await db.write(operations, { txTime });
});
afterAll(() => db.close());

async function allRows(args: Row): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Row = await db.call("scan" as string, { ...args, limit: 10_000, cursor });
    rows.push(...(page.rows as Row[]));
    cursor = page.cursor as string | null;
    if (cursor === null) return rows;
  }
}

/** The list after each date, by hand: rows in, rows out. */
function* listsByDate(): Generator<{ tx: number; rows: LeaderRow[] }> {
  const rows = new Map<string, LeaderRow>();
  for (let tx = 1; tx <= 93; tx += 1) {
    for (const record of records.filter((one) => one.tx === tx)) {
      if (record.before !== undefined) rows.delete(JSON.stringify(record.before));
      if (record.after !== undefined) rows.set(JSON.stringify(record.after), record.after);
    }
    yield { tx, rows: [...rows.values()] };
  }
}

describe("world-leaders", () => {
  it("is 93 commits, each at the time its list was seen", async () => {
    expect(await db.head()).toMatchObject({ tx: 93, txTime: records.at(-1)!.tt });
    const commits = await allRows({ of: "commits" });
    expect(commits.map((row) => row.tx_time)).toEqual([...new Set(records.map((record) => record.tt))]);
  });

  it("believes at every commit the terms that the list has on that date", async () => {
    let compared = 0;
    for (const { tx, rows } of listsByDate()) {
      const believed = await allRows({ of: "edges", names: ["HOLDS"], as_of_tt: `tx:${tx}` });
      const year = (instant: unknown) => (instant === null ? "" : String(Number(String(instant).slice(0, 4)) - 1));
      const shown = believed.map((row) =>
        [
          row.src,
          row.dst,
          String(row.key).split(" ")[0],
          Number(String(row.valid_from).slice(0, 4)),
          year(row.valid_to),
        ].join(" "),
      );
      const expected = rows.map((row) =>
        [row.officeholder, row.position, row.countryid, Number(row.start_year), row.end_year].join(" "),
      );
      expect(shown.sort()).toEqual(expected.sort());
      compared += rows.length;
    }
    expect(compared).toBeGreaterThan(20_000);
  });

  it("names everybody as the list last named them", async () => {
    const last = [...listsByDate()].at(-1)!.rows;
    const nodes = await allRows({ of: "nodes", columns: ["uid", "props.name"] });
    const names = new Map(nodes.map((row) => [row.uid, row["props.name"]]));
    for (const row of last) {
      expect(names.get(row.officeholder)).toBe(row.officeholderLabel);
      expect(names.get(row.position)).toBe(row.positionLabel);
    }
  });

  it.each([
    ["2022-09-14", 1],
    ["2022-09-16", 0],
    ["2022-09-21", 1],
  ])("as believed on %s, Magdalena Andersson holds office on 2023-06-01: %i", async (believedOn, held) => {
    const answer = await db.call("entity_history", {
      ref: ANDERSSON_TERM,
      window: { from: "2023-06-01", to: "2023-06-02" },
      as_of_tt: believedOn,
    });
    expect(answer.rows_total).toBe(held);
  });

  it("is what the example script shows", () => {
    const tsx = join(ROOT, "node_modules/tsx/dist/cli.mjs");
    const out = execFileSync(process.execPath, [tsx, join(ROOT, "examples/world-leaders.ts")], { encoding: "utf8" });
    expect(out).toContain("93 commits, the last one of 2022-10-10T17:27:43Z\n");
    expect(out).toContain("as believed on 2022-09-16, Magdalena Andersson is not prime minister on 2023-06-01\n");
    expect(out).toContain("as believed on 2022-09-21, Magdalena Andersson is prime minister on 2023-06-01\n");
  });

  it("says why", async () => {
    const { rows } = await db.call("version_history", { ref: ANDERSSON_TERM });
    expect(rows).toMatchObject([
      { valid_to: null, tx: 31, ended_tx: 84, ended_by: "retracted", ended_reason: "Wikidata gives 2022 as the end" },
      {
        valid_to: "2023-01-01T00:00:00Z",
        tx: 84,
        ended_tx: 87,
        ended_by: "corrected",
        ended_reason: "Wikidata no longer gives 2022 as the end",
      },
      { valid_to: null, tx: 87, ended_by: null, reason: "Wikidata no longer gives 2022 as the end" },
    ]);
  });
});
