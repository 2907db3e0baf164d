// Files that cannot be loaded as a whole, whatever their rows: named by their path, refused in time, leaving nothing.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const ROW = '"src":"a","dst":"b","time":"2020-01-01"';

async function refused(file: string, ...flags: string[]): Promise<string> {
  const store = cli.path("refused");
  const { exitCode, err } = await cli.run("load", store, file, ...flags);
  expect(exitCode).toBe(1);
  expect(existsSync(store)).toBe(false);
  return err;
}

async function parquet(name: string, select: string): Promise<string> {
  const path = cli.path(name);
  const instance = await DuckDBInstance.create(":memory:", { autoload_known_extensions: "false" });
  const connection = await instance.connect();
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return path;
}

describe("files that cannot be loaded", () => {
  it("refuses Parquet that is damaged far behind its beginning", async () => {
    const path = cli.path("damaged.parquet");
    const instance = await DuckDBInstance.create(":memory:", { autoload_known_extensions: "false" });
    const connection = await instance.connect();
    const rows =
      "SELECT 'a' || hash(i) AS src, 'b' AS dst, TIMESTAMPTZ '2020-01-01 00:00:00Z' AS time FROM range(300000) t(i)";
    await connection.run(`COPY (${rows}) TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 20480)`);
    connection.closeSync();
    instance.closeSync();
    const bytes = readFileSync(path);
    const at = Math.floor(bytes.length * 0.8);
    bytes.fill(0xa5, at, at + 2000);
    writeFileSync(path, bytes);
    expect(await refused(path)).toMatch(/E_INVALID_ARG: .*damaged\.parquet: no Parquet file, or not all of it/);
  });

  it.each(["csv", "jsonl", "parquet", "arrow", "tgms-log", "graphml"])(
    "refuses a pipe and a device as %s",
    async (format) => {
      const pipe = cli.path(`pipe.${format}`);
      execFileSync("mkfifo", [pipe]);
      for (const path of [pipe, "/dev/zero"]) {
        expect(await refused(path, "--format", format)).toContain(`E_IO: ${path}: is a pipe or a device, and no file`);
      }
    },
  );

  it("refuses names that no property can have where they stand, and only the rows that use them", async () => {
    const long = "n".repeat(257);
    for (const [n, name] of ["", long].entries()) {
      const file = cli.file(`names${n}.jsonl`, `{${ROW},"p":1}\n{${ROW},"${name}":2,"q":3}\n{${ROW},"q":4}\n`);
      expect(await refused(file, "--all-props")).toContain(
        `E_INVALID_ARG: ${file} line 2, column "${name}": "2" stands in a column that cannot be a property`,
      );
      const store = cli.path(`kept${n}`);
      const said = await cli.json("load", store, file, "--all-props", "--on-error", "skip", "--json");
      expect(said).toMatchObject({ rows: 2, refused: 1 });
      const { out } = await cli.run("query", store, "SELECT e.p, e.q FROM EVENTS(EVENT) AS e", "--format", "jsonl");
      expect(out.trim().split("\n").sort()).toEqual(['{"p":1,"q":null}', '{"p":null,"q":4}']);
    }
    const nodes = cli.file("nodes.jsonl", '{"uid":"a"}\n{"uid":"b","":1}\n');
    const message = await refused(nodes, "--nodes", "--src", "uid", "--all-props");
    expect(message).toContain(`${nodes} line 2, column "": "1" stands in a column that cannot be a property`);
  });

  it("says of a file that is not there, of another delimiter and of an unknown key what would mend it", async () => {
    const absent = cli.path("absent.csv");
    for (const path of [absent, cli.path("absent")])
      expect(await refused(path)).toBe(
        `E_IO: ${path}: there is no such file or folder\nhint: look whether the path is right\n`,
      );
    expect(await refused(cli.file("semicolons.csv", "src;dst;time\na;b;2020-01-01\n"))).toContain("with --delimiter");
    expect(await refused(cli.file("keys.jsonl", `{${ROW}}\n`), "--props", "weight")).toContain(
      'no line has the column "weight"\nhint: ',
    );
  });

  it("names the file where a store refuses what a row holds", async () => {
    const names = Array.from({ length: 1025 }, (_, i) => `c${i}`);
    const file = cli.file("wide.csv", `src,dst,time,${names.join(",")}\na,b,2020-01-01${",1".repeat(names.length)}\n`);
    expect(await refused(file, "--all-props")).toContain(`E_LIMIT: ${file}: a version has more than 1024 properties`);
  });

  it("names the file where a table's column is refused, and says that a table is empty", async () => {
    const times = "'a' AS src, 'b' AS dst, TIMESTAMPTZ '2020-01-01 00:00:00Z' AS time";
    const local = await parquet("local.parquet", "SELECT 'a' AS src, 'b' AS dst, TIMESTAMP '2020-01-01' AS time");
    expect(await refused(local)).toContain(`E_ZONE_MISSING: ${local}: column "time": its times have no zone`);
    const blob = await parquet("blob.parquet", `SELECT ${times}, 'x'::BLOB AS p`);
    expect(await refused(blob, "--all-props")).toContain(
      `E_SCHEMA: ${blob}: column "p": BLOB is no type of a property`,
    );
    const unnamed = await parquet("unnamed.parquet", `SELECT ${times}, 1 AS "props."`);
    expect(await refused(unnamed, "--all-props")).toContain(`E_SCHEMA: ${unnamed}: column "props."`);
    const empty = await parquet("empty.parquet", `SELECT ${times} WHERE false`);
    expect(await refused(empty)).toContain(`E_INVALID_ARG: ${empty}: there is no row to take`);
  });
});
