// `palimpsest export`, and `load` of what it wrote, through the command line: no flags say what the columns are.
// Refusals name file, line, column, value and reason, and leave the store as it was.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const EVENTS = "src,dst,time,amount,tt\na,b,10,5,2000\nb,c,12,9007199254740993,1000\nc,a,12,1.5,2000\na,b,30,,3000\n";

const first = cli.path("first.store");
let firstDigest: string;
beforeAll(async () => {
  const flags = ["--unit", "s", "--props", "amount", "--tx-time", "tt", "--json"];
  await cli.json("load", first, cli.file("events.csv", EVENTS), ...flags);
  firstDigest = await digest(first);
});

let stores = 0;
function freshStore(): string {
  stores += 1;
  const store = cli.path(`store-${stores}`);
  cpSync(first, store, { recursive: true });
  return store;
}

async function digest(store: string): Promise<string> {
  const db = await open(store, { readOnly: true });
  try {
    return await db.digest();
  } finally {
    await db.close();
  }
}

describe("export and load", () => {
  it.each([[[]], [["--format", "jsonl"]], [["--format", "tsv", "--gzip"]]])("go both ways: %j", async (flags) => {
    const store = freshStore();
    const out = `${store}-out`;
    const said = await cli.json("export", store, out, ...flags, "--json");
    expect(said).toMatchObject({ tx: 3, tx_time: "1970-01-01T00:50:00Z", nodes: 3, edges: 4 });
    expect((said.files as string[]).map((file) => file.slice(out.length + 1).split(".")[0])).toEqual([
      "nodes",
      "edges",
    ]);
    const again = `${store}-again`;
    expect(await cli.json("load", again, out, "--json")).toMatchObject({
      ...{ rows: 7, refused: 0, tx_from: 1, tx_to: 3, nodes: 3, edges: 4 },
    });
    expect(await digest(again)).toBe(firstDigest);
  });

  it("take one table by the name of its file, and know it by its header", async () => {
    const store = freshStore();
    const file = `${store}-edges.csv.gz`;
    const { exitCode, out, err } = await cli.run("export", store, file, "--edges", "--pin", "tx:2");
    expect([exitCode, out]).toEqual([0, ""]);
    expect(err).toMatch(/^3 edge versions as of tx:2 in .* s: .*edges\.csv\.gz\n$/);
    const said = await cli.json("load", `${store}-again`, file, "--json");
    expect(said).toMatchObject({ rows: 3, tx_to: 2, edges: 3 });
  });

  it("overwrite nothing without --force", async () => {
    const store = freshStore();
    const out = `${store}-out`;
    expect((await cli.run("export", store, out)).exitCode).toBe(0);
    writeFileSync(join(out, "edges.csv"), "mine");
    const again = await cli.run("export", store, out);
    expect([again.exitCode, again.err]).toEqual([1, expect.stringMatching(/^E_STATE: .*is there already\n.*--force/)]);
    expect(readFileSync(join(out, "edges.csv"), "utf8")).toBe("mine");
    expect((await cli.run("export", store, out, "--force")).exitCode).toBe(0);
    expect(readdirSync(out).sort()).toEqual(["edges.csv", "nodes.csv"]);
  });

  const HEADER = "src,dst,type,key,valid_from,valid_to,tx_from,tx_to";
  const TIMES = "2020-01-01T00:00:00Z,,2024-01-01T00:00:00Z,";
  it.each([
    [`${HEADER}\na,b,T,,2020-01-01T00:00:00Z,,soon,\n`, 'line 2, column "tx_from": "soon" is not an instant'],
    [`${HEADER}\na,b,T,,2020-01-01T00:00:00Z,,2999-01-01,\n`, 'column "tx_from": "2999-01-01" is after now'],
    [`${HEADER}\na,b,T,,2020-01-01,2019-01-01,2024-01-01,\n`, "valid_from 2020-01-01T00:00:00Z is not before valid_to"],
    [`${HEADER}\n,b,T,,${TIMES}\n`, 'line 2, column "src": is missing'],
    [`${HEADER},props.n:int\na,b,T,,${TIMES},1.5\n`, 'line 2, column "props.n:int" (9): "1.5" is no int'],
    [`${HEADER},props.b:bool\na,b,T,,${TIMES},yes\n`, 'column "props.b:bool" (9): "yes"'],
    [`${HEADER},props.n\na,b,T,,${TIMES},1\n`, 'line 1, column "props.n": a property has no type'],
    [`${HEADER},colour\na,b,T,,${TIMES},red\n`, 'column "colour": "red" is no column of edges'],
    [`${HEADER}\na,b,T,,2020-01-01,,2024-01-02,2024-01-01\n`, 'column "tx_to": "2024-01-01" is not after tx_from'],
    [`${HEADER}\na,b,T,,2020-01-01,,2024-01-02,2024-01-03\n`, 'column "ended_by"'],
    [`${HEADER},src\na,b,T,,${TIMES},a\n`, "the header has this name twice"],
    [`${HEADER}\na,b,T,,${TIMES}\na,b\n`, "line 3: the record has 2 columns, the first one has 8"],
  ])("refuse %j", async (text, message) => {
    const store = freshStore();
    const file = cli.file("edges.csv", text);
    const { exitCode, err } = await cli.run("load", store, file);
    expect([exitCode, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).toContain(file);
    expect(await digest(store)).toBe(firstDigest);
  });

  it("refuse lines of JSON that are no versions, or skip them into a file", async () => {
    const store = freshStore();
    const lines = [
      '{"kind":"node","uid":"x","valid_from":"2020-01-01","tx_from":"2024-01-01","labels":["L"],"props":{"p":1}}',
      '{"kind":"node","uid":"y","valid_from":"2020-01-01","tx_from":"2024-01-01","labels":["L",7]}',
      '{"kind":"node","uid":"z","valid_from":"2020-01-01",',
      '{"src":"a"}',
    ];
    const file = cli.file("nodes.jsonl", `${lines.join("\n")}\n`);
    expect((await cli.run("load", store, file)).err).toContain(
      'nodes.jsonl line 2, column "labels.1": a string belongs here',
    );
    expect(await digest(store)).toBe(firstDigest);
    const rejects = cli.path("rejects.jsonl");
    const said = await cli.json("load", store, file, "--on-error", "skip", "--rejects", rejects, "--json");
    expect(said).toMatchObject({ rows: 1, refused: 3, nodes: 1 });
    const found = readFileSync(rejects, "utf8").trimEnd().split("\n");
    expect(found.map((line) => (JSON.parse(line) as { record: string }).record)).toEqual(lines.slice(1));
  });

  it("refuse what does not go together, and commits that are not later than the last", async () => {
    const store = freshStore();
    const out = `${store}-out`;
    await cli.run("export", store, out);
    const message = async (...args: string[]) => (await cli.run("load", store, ...args)).err.split("\n")[0];
    expect(await message(out)).toMatch(/^E_STATE: the first version was believed from 1970-01-01T00:16:40Z on/);
    expect(await message(out, "--src", "a")).toMatch(/^E_INVALID_ARG: .* is a folder, and --src is for a file/);
    expect(await message(out, "--batch", "5")).toMatch(/^E_INVALID_ARG: --batch does not go with/);
    expect(await message(store)).toMatch(/^E_INVALID_ARG: .*: no files of an export are there/);
    await cli.run("export", store, out, "--format", "jsonl");
    expect(await message(out)).toMatch(/^E_INVALID_ARG: .*the nodes are there as nodes.csv and nodes.jsonl/);
    const wrong = await cli.run("export", store, "edges.csv");
    expect(wrong.err).toMatch(/^E_INVALID_ARG: edges.csv is one file, and nodes and edges are two/);
    expect((await cli.run("export", store, out, "--format", "xml")).exitCode).toBe(2);
    expect((await cli.run("export", cli.path("no-store"), out)).err).toMatch(/^E_NOT_FOUND/);
  });
});
