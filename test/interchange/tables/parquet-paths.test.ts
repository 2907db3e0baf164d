// Parquet files whose paths have signs of patterns: each is that file, beside others that the pattern would fit.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../../src/index.js";
import { parquetReader } from "../../../src/interchange/tables/parquet-reader.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-paths-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const wanted = join(folder, "wanted");
const other = join(folder, "other");

beforeAll(async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const duck = await instance.connect();
  await duck.run(`COPY (SELECT 'wanted' AS name) TO '${wanted}' (FORMAT parquet)`);
  await duck.run(`COPY (SELECT 'other' AS name FROM range(3)) TO '${other}' (FORMAT parquet)`);
  duck.closeSync();
  instance.closeSync();
});

/** Name by name what is put into a path, and what stands beside it that the sign could mean. */
const SIGNS: readonly (readonly [string, readonly string[]])[] = [
  ["*", ["", "x", "xy"]],
  ["**", ["", "x"]],
  ["?", ["x", "y"]],
  ["[", ["x"]],
  ["]", ["x"]],
  ["[ab]", ["a", "b"]],
  ["[!a]", ["b", "!"]],
  ["[*]", ["*", "x"]],
  ["{", ["x"]],
  ["}", ["x"]],
  ["{a,b}", ["a", "b"]],
  ["\\", ["x"]],
  ["\\*", ["\\x", "x", "\\"]],
  ["[\\?]", ["\\", "?"]],
  ["*?[{]}", ["x", "*?[{]}x"]],
  ["'", ["''"]],
  ["year=2020", []],
];

async function namesIn(file: string): Promise<unknown> {
  const reader = await parquetReader(file, { zone: null, rowsPerPiece: 100 });
  expect(reader.columns).toEqual(["name"]);
  let rows = 0;
  let texts = "";
  try {
    for await (const { rowCount, columns } of reader.pieces(["name"])) {
      rows += rowCount;
      const column = columns.get("name")!;
      if (column.form === "text") texts += Buffer.from(column.texts.bytes).toString("utf8");
    }
  } finally {
    await reader.close();
  }
  return { rows, texts };
}

describe.skipIf(process.platform === "win32").each(SIGNS)("a path with %s", (sign, beside) => {
  it("is read as the name of a file", async () => {
    const place = mkdtempSync(join(folder, "name-"));
    copyFileSync(wanted, join(place, `a${sign}b.parquet`));
    for (const text of beside) copyFileSync(other, join(place, `a${text}b.parquet`));
    expect(await namesIn(join(place, `a${sign}b.parquet`))).toEqual({ rows: 1, texts: "wanted" });
  });

  it("is read as the name of a folder", async () => {
    const place = mkdtempSync(join(folder, "folder-"));
    for (const text of [sign, ...beside]) {
      mkdirSync(join(place, text, "in"), { recursive: true });
      copyFileSync(text === sign ? wanted : other, join(place, text, "in", "t.parquet"));
    }
    expect(await namesIn(join(place, sign, "in", "t.parquet"))).toEqual({ rows: 1, texts: "wanted" });
  });

  it("is told from one that is not there", async () => {
    const place = mkdtempSync(join(folder, "none-"));
    for (const text of beside) copyFileSync(other, join(place, `a${text}b.parquet`));
    await expect(namesIn(join(place, `a${sign}b.parquet`))).rejects.toMatchObject({ name: "PalimpsestError" });
  });

  it("is written to by an export, which comes back", async () => {
    const db = await open(":memory:");
    await db.write([{ op: "assert_edge", src: "a", type: "T", dst: "b", valid_from: "2020-01-01" }]);
    const place = mkdtempSync(join(folder, "export-"));
    for (const text of beside) mkdirSync(join(place, `a${text}b`));
    const out = join(place, `a${sign}b`);
    await db.export(out, { format: "parquet", history: true });
    expect(readdirSync(out).sort()).toEqual(["edges.parquet", "nodes.parquet"]);
    for (const text of beside) expect(readdirSync(join(place, `a${text}b`))).toEqual([]);
    const back = await open(":memory:");
    await back.import(out);
    expect(await back.digest()).toBe(await db.digest());
    await back.close();
    await db.close();
  });
});

it.skipIf(process.platform === "win32")(
  "a link that stood for a path is gone when all is read, or refused",
  async () => {
    const links = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("palimpsest-link-"));
    const [before, file, broken] = [links(), join(folder, "a\\*b.parquet"), join(folder, "a\\?b.parquet")];
    copyFileSync(wanted, file);
    writeFileSync(broken, "no table at all, and longer than a footer is");
    expect(await namesIn(file)).toEqual({ rows: 1, texts: "wanted" });
    await expect(namesIn(broken)).rejects.toMatchObject({
      code: "E_INVALID_ARG",
      message: expect.stringContaining(`${broken}: no Parquet file`),
    });
    expect(links().filter((name) => !before.includes(name))).toEqual([]);
  },
);
