// `query --format arrow` and `--format parquet`: other programs read what the rows say.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";
import { beforeAll, describe, expect, it } from "vitest";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const ASK =
  "SELECT e.src, e.w, e.mix, e.valid_from, e.valid_to - e.valid_from AS held FROM EDGES(T) AS e ORDER BY e.src";
const EDGES = [
  { src: "a", w: 1, mix: "x", from: "2020-01-01", to: "2020-01-02" },
  { src: "b", w: 2, mix: 7, from: "2020-01-01", to: null },
];

beforeAll(async () => {
  for (const { src, w, mix, from, to } of EDGES) {
    const until = to === null ? "" : ` TO DATE '${to}'`;
    const value = typeof mix === "string" ? `'${mix}'` : mix;
    const insert = `INSERT ({uid: '${src}'})-[:T {w: ${w}, mix: ${value}}]->({uid: 'z'}) FOR VALID_TIME FROM DATE '${from}'${until}`;
    const { exitCode, err } = await cli.run("query", cli.path("store"), "--write", insert);
    expect([exitCode, exitCode === 0 ? "" : err]).toEqual([0, ""]);
  }
});

const shown = (bytes: Uint8Array) => {
  const table = tableFromIPC(bytes);
  const held = table.getChild("held")!.data[0]!;
  return {
    src: [...table.getChild("src")!],
    w: [...table.getChild("w")!],
    mix: [...table.getChild("mix")!],
    held: [0, 1].map((row) => (held.getValid(row) ? (held.values as BigInt64Array)[row] : null)),
  };
};
const EXPECTED = { src: ["a", "b"], w: [1n, 2n], mix: ['"x"', "7"], held: [86_400_000_000n, null] };

describe("query in forms of columns", () => {
  it("writes Arrow to standard output and into files", async () => {
    const piped = execFileSync(process.execPath, [cli.program, "query", cli.path("store"), ASK, "--format", "arrow"]);
    expect(shown(piped)).toEqual(EXPECTED);
    for (const name of ["answer.arrow", "answer.arrows"]) {
      const file = cli.path(name);
      const { exitCode, out, err } = await cli.run(
        "query",
        cli.path("store"),
        `SHOW TYPES; ${ASK}`,
        "--format",
        "arrow",
        "--output",
        file,
      );
      expect([exitCode, out, err]).toEqual([0, "", ""]);
      expect(shown(readFileSync(file))).toEqual(EXPECTED);
      expect(readFileSync(file).subarray(0, 6).toString("latin1") === "ARROW1").toBe(name === "answer.arrow");
    }
  });

  it("writes Parquet into a file with any name", async () => {
    const file = cli.path("it's; DROP TABLE x --.parquet");
    const { exitCode, err } = await cli.run("query", cli.path("store"), ASK, "--format", "parquet", "--output", file);
    expect([exitCode, err]).toEqual([0, ""]);
    const instance = await DuckDBInstance.create(":memory:");
    const duck = await instance.connect();
    const rows = await (
      await duck.run(`SELECT src, w, mix::VARCHAR, epoch_us(valid_from), held FROM '${file.replaceAll("'", "''")}'`)
    ).getRowsJson();
    duck.closeSync();
    instance.closeSync();
    expect(rows).toEqual([
      ["a", "1", '"x"', "1577836800000000", "86400000000"],
      ["b", "2", "7", "1577836800000000", null],
    ]);
  });

  it("keeps every digit of an integer among doubles, in each form", async () => {
    const store = cli.path("wide");
    for (const [uid, value] of [
      ["a", "0.5"],
      ["b", "9007199254740993"],
    ]) {
      const insert = `INSERT ({uid: '${uid}'})-[:T {x: ${value}}]->({uid: 'z'}) FOR VALID_TIME FROM DATE '2020-01-01'`;
      expect((await cli.run("query", store, "--write", insert)).exitCode).toBe(0);
    }
    const ask = "SELECT e.x FROM EDGES(T) AS e WHERE e.x > 0 ORDER BY e.x DESC LIMIT 2";
    const said = async (...flags: string[]): Promise<string> => {
      const { exitCode, out, err } = await cli.run("query", store, ask, ...flags);
      expect([exitCode, err]).toEqual([0, expect.not.stringContaining("E_")]);
      return out;
    };
    expect(await said("--format", "csv")).toBe("x\r\n9007199254740993\r\n0.5\r\n");
    expect(await said("--format", "jsonl")).toMatch(/^\{"x":"?9007199254740993"?\}\n\{"x":0\.5\}\n$/);
    await said("--format", "arrow", "--output", cli.path("wide.arrow"));
    expect([...tableFromIPC(readFileSync(cli.path("wide.arrow"))).getChild("x")!]).toEqual(["9007199254740993", "0.5"]);
    await said("--format", "parquet", "--output", cli.path("wide.parquet"));
    const instance = await DuckDBInstance.create(":memory:");
    const duck = await instance.connect();
    const rows = await (await duck.run(`SELECT x::VARCHAR FROM '${cli.path("wide.parquet")}'`)).getRows();
    duck.closeSync();
    instance.closeSync();
    expect(rows).toEqual([["9007199254740993"], ["0.5"]]);
  });

  it("leaves no file where it fails", async () => {
    for (const format of ["arrow", "parquet"]) {
      const file = cli.path(`never.${format}`);
      const { exitCode, err } = await cli.run(
        "query",
        cli.path("store"),
        "SELECT 1 / nothing AS x",
        "--format",
        format,
        "--output",
        file,
      );
      expect(exitCode).toBe(1);
      expect(err).toMatch(/^E_/);
      expect(existsSync(file)).toBe(false);
    }
    expect((await cli.run("query", cli.path("store"), ASK, "--format", "parquet")).err).toContain("--output FILE");
  });
});
