// docs/data-sets.md holds: its commands run as they stand, and every store that they make goes out into files, is the same
// to DuckDB, and comes back. Skips with a printed line where the data sets are absent.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { type Column, isValid, type TextColumn } from "../../src/columns/column.js";
import { cellReader } from "../../src/columns/rows-of-columns.js";
import { OPEN_END_US } from "../../src/contract/instant.js";
import { type Database, open } from "../../src/index.js";
import { commandLine, ROOT } from "./command-line.js";

const DATA = join(ROOT, "../shared/data");
const cli = commandLine();
const page = readFileSync(join(ROOT, "docs/data-sets.md"), "utf8");
const isThere = existsSync(DATA);
if (!isThere) console.log("skipped: the data sets are not at ../shared/data");

/** Edges and nodes that the READMEs of the data sets, or counts over their files by other programs, give. */
const EXPECTED: Readonly<Record<string, { edges: number; nodes?: number }>> = {
  "bitcoin-otc.store": { edges: 35_592, nodes: 5_881 },
  "collegemsg.store": { edges: 59_835, nodes: 1_899 },
  "mathoverflow.store": { edges: 506_550, nodes: 24_818 },
  "contacts.store": { edges: 125_773, nodes: 242 },
  "lotr.store": { edges: 2_649, nodes: 139 },
  "baboons.store": { edges: 5_377 - 2_180 - 1 },
  "yago11k.store": { edges: 20_509 - 70 - 15 },
  "icews14.store": { edges: 90_730, nodes: 7_128 },
};

interface Section {
  readonly title: string;
  readonly commands: readonly string[];
  readonly stores: readonly string[];
}

const sections: readonly Section[] = page
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const commands = Array.from(section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)).flatMap((match) =>
      match[1]!.trim().split("\n"),
    );
    const stores = [...new Set(commands.flatMap((command) => command.match(/[\w-]+\.store/g) ?? []))];
    return { title: section.slice(0, section.indexOf("\n")), commands, stores };
  });

/** The program of the clone in place of the one of npm. */
function run(command: string): { status: number | null; stderr: string } {
  const tsx = join(ROOT, "node_modules/.bin/tsx");
  const here = command
    .replace(/^npx palimpsest/, '"$NODE" "$PROGRAM"')
    .replace(/^npx tsx (\S+)/, (_, script: string) => `"${tsx}" "${join(ROOT, script)}"`);
  expect(here).not.toBe(command);
  const env = { ...process.env, NODE: process.execPath, PROGRAM: cli.program };
  return spawnSync("bash", ["-c", here], { cwd: cli.folder, env, encoding: "utf8", maxBuffer: 64 << 20 });
}

/** Count, least, greatest and sum of a column: of texts by their UTF-8, of instants in microseconds; the sum of lengths of texts. */
interface Figures {
  readonly count: number;
  readonly least: string | null;
  readonly greatest: string | null;
  readonly sum: string;
}

class Counting {
  private count = 0;
  private least: unknown = null;
  private greatest: unknown = null;
  private sum = 0n;
  private doubleSum = 0;

  add(column: Column, rows: number): void {
    switch (column.type) {
      case "json":
        return;
      case "string":
        this.addTexts(column, rows);
        return;
      case "double": {
        const read = cellReader(column);
        for (let row = 0; row < rows; row += 1) this.takeDouble(read(row) as number | bigint | null);
        return;
      }
      default:
        for (let row = 0; row < rows; row += 1) {
          const value = BigInt(column.values[row]!);
          const isOpen = column.type === "instant_open" && value === OPEN_END_US;
          if (isValid(column.valid, row) && !isOpen) this.takeWord(value);
        }
    }
  }

  /** Each text of the dictionary once, with how many rows have it. */
  private addTexts({ codes, dictionary }: TextColumn, rows: number): void {
    const rowsOf = new Uint32Array(dictionary.length);
    for (let row = 0; row < rows; row += 1) if (codes[row]! >= 0) rowsOf[codes[row]!]! += 1;
    for (const [code, count] of rowsOf.entries()) {
      if (count === 0) continue;
      const text = Buffer.from(dictionary[code]!, "utf8");
      this.count += count;
      this.sum += BigInt(count * text.length);
      if (this.least === null || Buffer.compare(text, this.least as Buffer) < 0) this.least = text;
      if (this.greatest === null || Buffer.compare(text, this.greatest as Buffer) > 0) this.greatest = text;
    }
  }

  private takeWord(value: bigint): void {
    this.count += 1;
    this.sum += value;
    if (this.least === null || value < (this.least as bigint)) this.least = value;
    if (this.greatest === null || value > (this.greatest as bigint)) this.greatest = value;
  }

  private takeDouble(value: number | bigint | null): void {
    if (value === null) return;
    this.count += 1;
    this.doubleSum += Number(value);
    if (this.least === null || value < (this.least as number)) this.least = value;
    if (this.greatest === null || value > (this.greatest as number)) this.greatest = value;
  }

  figures(): Figures {
    const shown = (value: unknown) => (value === null ? null : String(value));
    const sum = this.doubleSum === 0 ? String(this.sum) : this.doubleSum.toPrecision(9);
    return { count: this.count, least: shown(this.least), greatest: shown(this.greatest), sum };
  }
}

async function figuresOfStore(
  db: Database,
  table: "nodes" | "edges",
): Promise<Map<string, { type: string; figures: Figures }>> {
  const tables = await db.tables();
  const counting = new Map<string, { type: string; found: Counting }>();
  for (const { name, type } of tables[table].columns) counting.set(name, { type, found: new Counting() });
  for await (const piece of tables[table].pieces()) {
    for (const { name, column } of piece.columns) counting.get(name)!.found.add(column, piece.rowCount);
  }
  tables.close();
  return new Map([...counting].map(([name, { type, found }]) => [name, { type, figures: found.figures() }]));
}

const INSTANTS = ["instant", "instant_open"];

/** The same figures by DuckDB, over the Parquet file. */
async function figuresOfFile(
  file: string,
  columns: ReadonlyMap<string, { type: string }>,
): Promise<Map<string, Figures>> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const rows = async (sql: string) =>
    (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, string | null>[];
  const described = await rows(`DESCRIBE FROM read_parquet('${file}')`);
  expect(described.map((column) => column.column_name)).toEqual([...columns.keys()]);
  const found = new Map<string, Figures>();
  for (const [name, { type }] of columns) {
    if (type === "json") continue;
    const cell = `"${name.replaceAll('"', '""')}"`;
    const value = INSTANTS.includes(type) ? `epoch_us(${cell})` : type === "bool" ? `CAST(${cell} AS INTEGER)` : cell;
    const sum = type === "string" ? `SUM(strlen(${cell}))` : `SUM(${value})`;
    const asked = `COUNT(${cell}) AS c, MIN(${value})::VARCHAR AS l, MAX(${value})::VARCHAR AS g, COALESCE(${sum}, 0)::VARCHAR AS s`;
    const [row] = await rows(`SELECT ${asked} FROM read_parquet('${file}')`);
    const shown = (text: string | null) => (text === null || type !== "double" ? text : String(Number(text)));
    found.set(name, {
      count: Number(row!.c),
      least: shown(row!.l ?? null),
      greatest: shown(row!.g ?? null),
      sum: type === "double" && Number(row!.s) !== 0 ? Number(row!.s).toPrecision(9) : String(row!.s),
    });
  }
  connection.closeSync();
  instance.closeSync();
  return found;
}

describe.skipIf(!isThere)("data sets", () => {
  it("are all on the page", () => {
    const titles = sections.flatMap(({ title }) => title.split(", "));
    expect(titles.length).toBe(13);
    if (!existsSync(join(cli.folder, "data"))) symlinkSync(DATA, join(cli.folder, "data"));
  });

  describe.each(sections)("$title", ({ commands, stores }) => {
    it("loads by the commands of the page", { timeout: 300_000 }, async () => {
      for (const command of commands) {
        const { status, stderr } = run(command);
        expect([command, status, status === 0 ? "" : stderr]).toEqual([command, 0, ""]);
      }
      for (const store of stores) {
        const info = await cli.json("info", store);
        expect([store, info.edges]).toEqual([store, EXPECTED[store]?.edges ?? info.edges]);
        expect([store, info.nodes]).toEqual([store, EXPECTED[store]?.nodes ?? info.nodes]);
        expect(info.edges).toBeGreaterThan(0);
      }
    });

    it.each(stores)("%s is the same to DuckDB and after coming back", { timeout: 300_000 }, async (store) => {
      const db = await open(join(cli.folder, store), { readOnly: true });
      try {
        const { files } = await db.export(join(cli.folder, `${store}-files`), { format: "parquet" });
        for (const [i, table] of (["nodes", "edges"] as const).entries()) {
          const columns = await figuresOfStore(db, table);
          const found = await figuresOfFile(files[i]!, columns);
          for (const [name, { type, figures }] of columns) {
            // Labels and JSON are texts with a form of their own.
            if (type !== "json") expect([table, name, found.get(name)]).toEqual([table, name, figures]);
          }
        }
        const history = join(cli.folder, `${store}-history`);
        await db.export(history, { history: true, format: "parquet" });
        const again = await open(":memory:");
        await again.import(history);
        expect(await again.digest()).toBe(await db.digest());
        await again.close();
      } finally {
        await db.close();
      }
    });
  });

  it("answers the questions that people wrote beside the transcripts", async () => {
    const db = await open(join(cli.folder, "earnings-calls.store"), { readOnly: true });
    const ask = async (type: string, column: string, day: string, believed: string, where = "TRUE") => {
      const source = `EDGES(${type}) FOR VALID_TIME AS OF DATE '${day}' FOR TRANSACTION_TIME AS OF DATE '${believed}' AS e`;
      const { rows } = await db.query(`SELECT ${column} AS a FROM ${source} WHERE ${where}`);
      return (rows as unknown as { a: unknown }[]).map(({ a }) => a);
    };
    const revenue = "e.dst = 'Revenue Q1 2024'";
    try {
      expect(await ask("HOLDS_ROLE", "e.src", "2024-08-20", "2025-01-01")).toEqual(["Ilse Baumann"]);
      expect(await ask("HOLDS_ROLE", "e.src", "2024-07-20", "2024-07-21")).toEqual(["Marta Lindqvist"]);
      expect(await ask("HAS_REVENUE", "e.value", "2024-02-01", "2024-06-01", revenue)).toEqual(["212000000 USD"]);
      expect(await ask("HAS_REVENUE", "e.value", "2024-02-01", "2025-01-01", revenue)).toEqual(["209000000 USD"]);
      expect(await ask("SUPPLIES", "e.dst", "2023-02-15", "2024-09-01")).toEqual(["Brightline Sensors Ltd"]);
      expect(await ask("SUPPLIES", "e.dst", "2023-02-15", "2025-01-01")).toEqual([]);
    } finally {
      await db.close();
    }
  });
});
