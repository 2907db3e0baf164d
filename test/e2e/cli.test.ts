// The command line: what it prints, where, its exit codes, and that refusals leave nothing.
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { commandLine, ROOT } from "./command-line.js";
import { servedCommandLine } from "./served-command-line.js";

const started = commandLine();
const cli = servedCommandLine(started);
const { version } = JSON.parse(readFileSync(`${ROOT}/package.json`, "utf8")) as { version: string };

const EVENTS = "src,dst,time,amount\na,b,10,5\nb,c,12,9007199254740993\nc,a,12,1.5\na,b,30,\n";
const SIZE_OF_LOG = (store: string) => readdirSync(`${store}/log`).map((name) => readFileSync(`${store}/log/${name}`));

let stores = 0;
/** A new store with the four events, loaded in one commit. */
async function loaded(...more: string[]): Promise<string> {
  stores += 1;
  const store = cli.path(`store-${stores}`);
  const file = cli.file(`events-${stores}.csv`, EVENTS);
  await cli.json("load", store, file, "--unit", "s", "--props", "amount", "--json", ...more);
  return store;
}

describe("palimpsest", () => {
  it("prints its version, and its commands", async () => {
    for (const flag of ["--version", "-v"])
      expect(await started.run(flag)).toEqual({ exitCode: 0, out: `${version}\n`, err: "" });
    const help = await started.run("--help");
    expect(help.exitCode).toBe(0);
    for (const command of [
      "load",
      "export",
      "query",
      "repl",
      "call",
      "info",
      "digest",
      "verify",
      "repair",
      "snapshot",
      "replay",
      "backup",
      "demo",
    ]) {
      expect(help.out).toContain(`\n  ${command} `);
    }
  });

  it("explains each operator without a store, and lists them all", async () => {
    const { exitCode, out, err } = await started.run("call", "no-such.store", "temporal_reachability", "--help");
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    for (const said of ["max_wait", "E_NOT_FOUND", "rows[].arrival", "palimpsest call STORE"])
      expect(out).toContain(said);
    expect((await started.run("call", "temporal_reachability", "-h")).out).toBe(out);
    const list = (await started.run("call", "--help")).out;
    for (const said of ["<store> <operator> [arguments]", "scan", "aggregate_events"]) expect(list).toContain(said);
    const unknown = await started.run("call", "s", "scann", "--help");
    expect([unknown.exitCode, unknown.err.split("\n")[0]]).toEqual([1, expect.stringMatching(/^E_NOT_FOUND: .*scann/)]);
  });

  it.each([
    [[]],
    [["lode"]],
    [["load", "only-a-store"]],
    [["load", "s", "f.csv", "--unit", "fortnights"]],
    [["load", "s", "f.csv", "--format", "xlsx"]],
    [["load", "s", "f.csv", "--batch", "0"]],
    [["call", "s"]],
    [["digest", "s", "--nonsense"]],
  ])("ends with 2 on wrong usage: %j", async (args) => {
    const { exitCode, out, err } = await started.run(...args);
    expect(exitCode).toBe(2);
    expect(out).toBe("");
    expect(err).not.toBe("");
  });
});

describe("load", () => {
  it("says what it loaded, as JSON with --json and for people without", async () => {
    const file = cli.file("said.csv", EVENTS);
    const said = await cli.json("load", cli.path("said"), file, "--unit", "s", "--json");
    expect(said).toMatchObject({ rows: 4, refused: 0, tx_from: 1, tx_to: 1, nodes: 3, edges: 4 });
    expect(typeof said.seconds).toBe("number");
    const again = await cli.run("load", cli.path("said"), file, "--unit", "s");
    expect(again).toMatchObject({ exitCode: 0, out: "" });
    expect(again.err).toMatch(/^4 rows in .* commit 2, 0 new nodes and 4 new edges\n$/);
  });

  it("keeps an integer beyond 2^53, a double, and the lack of a value", async () => {
    const store = await loaded();
    const { out } = await cli.run("call", store, "scan", '{"of":"events","columns":["src","at","props.amount"]}');
    expect(out).toContain('"props.amount":9007199254740993');
    const rows = (JSON.parse(out) as { rows: Record<string, unknown>[] }).rows;
    expect(rows.map((row) => [row.src, row.at])).toEqual([
      ["a", "1970-01-01T00:00:10Z"],
      ["b", "1970-01-01T00:00:12Z"],
      ["c", "1970-01-01T00:00:12Z"],
      ["a", "1970-01-01T00:00:30Z"],
    ]);
    const versions = await cli.json("call", store, "version_history", '{"ref":{"uid":"a"}}');
    expect(versions.rows).toMatchObject([
      { source: expect.stringMatching(/^events-\d+\.csv$/), valid_from: "1970-01-01T00:00:10Z" },
    ]);
    expect([rows[0]!["props.amount"], rows[2]!["props.amount"], rows[3]!["props.amount"]]).toEqual([5, 1.5, null]);
  });

  it("loads properties of mixed classes that some rows lack, from JSON Lines", async () => {
    const values = ['{"x":[1,2.50]}', null, '"s"', "9007199254740993", "true", "[]"];
    const lines = values.map((p, i) => `{"src":"a","dst":"b","time":${i}${p === null ? "" : `,"p":${p}`}}`);
    const store = cli.path("mixed");
    await cli.json("load", store, cli.file("mixed.jsonl", lines.join("\n")), "--unit", "s", "--props", "p", "--json");
    const { out } = await cli.run("call", store, "scan", '{"of":"events","columns":["props.p"]}');
    expect(out).toContain(
      `"rows":[${values.map((p) => `{"props.p":${p?.replace("2.50", "2.5") ?? "null"}}`).join(",")}]`,
    );
    const digest = (await cli.run("digest", store)).out;
    expect((await cli.run("replay", store, cli.path("mixed-again"), "--engine", "reference")).out).toBe(digest);
  });

  it("refuses a file with its place, and leaves neither store nor commit", async () => {
    const bad = cli.file("bad.csv", "src,dst,time\na,b,1\na,b,soon\n");
    const first = await cli.run("load", cli.path("never"), bad, "--unit", "s");
    expect(first.exitCode).toBe(1);
    expect(first.out).toBe("");
    expect(first.err.split("\n")[0]).toBe(
      `E_INVALID_ARG: ${bad} line 3, column "time" (3): "soon" is not a number of seconds`,
    );
    expect(existsSync(cli.path("never"))).toBe(false);

    const store = await loaded();
    const before = (await cli.run("digest", store)).out;
    // More rows than the first piece of the file, so that the store is open when the refusal comes.
    const late = cli.file("late.csv", `src,dst,time\n${"x,y,1\n".repeat(40_000)}x,y,soon\n`);
    expect((await cli.run("load", store, late, "--unit", "s")).exitCode).toBe(1);
    expect((await cli.run("digest", store)).out).toBe(before);
    expect((await cli.json("info", store)).tx).toBe(1);
  });

  it("takes away a store that it made and did not write to", async () => {
    const late = cli.file("later.csv", `src,dst,time\n${"x,y,1\n".repeat(40_000)}x,y,soon\n`);
    expect((await cli.run("load", cli.path("made"), late, "--unit", "s")).exitCode).toBe(1);
    expect(existsSync(cli.path("made"))).toBe(false);
  });

  it("says that it was interrupted, and leaves nothing then either", async () => {
    const long = cli.file("long.csv", `src,dst,time\n${"someone,somebody,1\n".repeat(2_000_000)}`);
    const child = spawn(process.execPath, [cli.program, "load", "cut", long, "--unit", "s"], { cwd: cli.folder });
    let err = "";
    child.stderr.on("data", (text) => (err += text));
    const ended = new Promise((resolve) => child.on("close", resolve));
    while (!existsSync(cli.path("cut/LOCK")) && child.exitCode === null) await setTimeout(2);
    child.kill("SIGINT");
    expect([await ended, err.split("\n")[0]]).toEqual([1, `E_CANCELLED: loading ${long} was interrupted`]);
    expect(existsSync(cli.path("cut"))).toBe(false);
  });

  it("keeps what was committed when a batch size was asked for", async () => {
    const store = cli.path("batches");
    const file = cli.file("batches.csv", `src,dst,time\n${"x,y,1\n".repeat(250)}x,y,soon\n`);
    expect((await cli.run("load", store, file, "--unit", "s", "--batch", "100")).exitCode).toBe(1);
    expect(await cli.json("info", store)).toMatchObject({ tx: 2, edges: 200 });
  });

  it("skips refused records when asked, and counts them", async () => {
    const file = cli.file("skip.csv", "src,dst,time\na,b,1\na,b,soon\n,b,2\nc,d,3\n");
    const { exitCode, out, err } = await cli.run(
      ...["load", cli.path("skip"), file, "--unit", "s", "--on-error", "skip", "--json"],
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rows: 2, refused: 2, edges: 2 });
    expect(err).toContain('line 3, column "time" (3)');
    expect(err).toContain('line 4, column "src" (1)');
    const all = cli.file("all.csv", "src,dst,time\na,b,soon\n");
    const none = await cli.run("load", cli.path("none"), all, "--unit", "s", "--on-error", "skip");
    expect(none.exitCode).toBe(1);
    expect(none.err).toContain("every record was refused");
  });

  it("doubts a unit that makes no sense of the numbers", async () => {
    const file = cli.file("ms.csv", "src,dst,time\na,b,1577836800\n");
    const { exitCode, err } = await cli.run("load", cli.path("doubt"), file, "--unit", "ms");
    expect(exitCode).toBe(0);
    expect(err).toContain("the first event is of 1970-01-19T06:17:16.800000Z: is --unit ms right?");
  });

  it("loads nodes, then edges with ends, keys and labels", async () => {
    const store = cli.path("people");
    const people = cli.file("people.csv", "id,name,born\na,Ada,1815-12-10\nb,Bob,1900-01-01\n");
    const works = cli.file(
      "works.csv",
      "src,dst,time,until,k\na,acme,1840-01-01,1852-11-27,k1\nb,acme,1920-01-01,,k2\n",
    );
    await cli.json(
      "load",
      store,
      people,
      "--nodes",
      "--node-label",
      "Person",
      "--props",
      "name",
      "--time",
      "born",
      "--json",
    );
    await cli.json(
      ...[
        "load",
        store,
        works,
        "--valid-to",
        "until",
        "--key",
        "k",
        "--type",
        "WORKS_FOR",
        "--node-label",
        "Org",
        "--json",
      ],
    );
    const found = await cli.json(
      ...[
        "call",
        store,
        "snapshot_subgraph",
        '{"seeds":["acme"],"at":"1930-01-01","props":["name"],"orientation":"in"}',
      ],
    );
    expect(found.rows).toMatchObject([{ src: "b", type: "WORKS_FOR", dst: "acme", key: "k2", valid_to: null }]);
    expect((found.nodes as { rows: unknown[] }).rows).toMatchObject([
      { uid: "acme", labels: ["Org"], exists: true },
      { uid: "b", labels: ["Person"], props: { name: "Bob" } },
    ]);
  });

  it("refuses more nodes than one commit may hold, and takes them in batches", async () => {
    const file = cli.file("many.csv", `id\n${Array.from({ length: 100_001 }, (_, i) => `n${i}\n`).join("")}`);
    const refused = await cli.run("load", cli.path("many"), file, "--nodes");
    expect(refused.err).toContain("E_LIMIT: ");
    expect(refused.err).toContain("hint: give --batch 100000");
    expect(existsSync(cli.path("many"))).toBe(false);
    const said = await cli.json("load", cli.path("many"), file, "--nodes", "--batch", "100000", "--json");
    expect(said).toMatchObject({ rows: 100_001, tx_from: 1, tx_to: 2, nodes: 100_001 });
  });

  it("refuses what does not go together", async () => {
    const file = cli.file("f.csv", EVENTS);
    const refused = async (...args: string[]) => (await cli.run("load", cli.path("x"), ...args)).err.split(":")[0];
    expect(await refused(cli.file("f.dat", EVENTS))).toBe("E_INVALID_ARG");
    expect(await refused(file, "--zone", "Europe/Atlantis")).toBe("E_INVALID_ARG");
    expect(await refused(file, "--zone", "UTC", "--unit", "s")).toBe("E_INVALID_ARG");
    expect(await refused(file, "--nodes", "--key", "src")).toBe("E_INVALID_ARG");
    expect(await refused(file, "--props", "a,,b")).toBe("E_INVALID_ARG");
    const message = async (...args: string[]) => (await cli.run("load", cli.path("x"), ...args)).err.split("\n")[0];
    expect(await message(file, "--props", "a,b", "--props", "c,a")).toBe('E_INVALID_ARG: --props names "a" twice');
    expect(await message(file, "--type", "")).toBe("E_INVALID_ARG: --type is empty");
    expect(await refused(file, "--src", "sorce")).toBe("E_SCHEMA");
    expect(await refused(file)).toBe("E_EPOCH_UNIT");
    expect(await refused(cli.path("absent.csv"))).toBe("E_IO");
    expect(existsSync(cli.path("x"))).toBe(false);
  });
});

describe("questions", () => {
  it("print one document on standard output", async () => {
    const store = await loaded();
    const info = await started.json("info", store);
    expect(Object.keys(info).sort()).toEqual(
      [
        ...["path", "format_version", "tx", "tx_time", "chain", "nodes", "edges", "node_versions", "edge_versions"],
        ...["valid_extent", "tx_extent", "types", "labels", "bytes"],
      ].sort(),
    );
    expect(info).toMatchObject({ tx: 1, nodes: 3, edges: 4, edge_versions: 4, format_version: 1 });
    expect((await started.run("digest", store)).out).toMatch(/^[0-9a-f]{64}\n$/);
    const answer = await started.json("call", store, "temporal_reachability", '{"uid": "a"}');
    expect(answer).toMatchObject({ op: "temporal_reachability", rows_total: 2, complete: true });
  });

  it("end with 1, a code and a hint on a typed error", async () => {
    const store = await loaded();
    const error = async (...args: string[]) => {
      const { exitCode, out, err } = await started.run(...args);
      expect([exitCode, out]).toEqual([1, ""]);
      return err.split("\n");
    };
    expect((await error("call", store, "entity_histori", "{}"))[0]).toMatch(/^E_NOT_FOUND: /);
    expect((await error("call", store, "entity_history", '{"uid": "zz"}'))[0]).toMatch(/^E_NOT_FOUND: /);
    expect((await error("call", store, "entity_history", "{uid: 1}"))[0]).toMatch(/^E_INVALID_ARG: /);
    expect((await error("call", store, "entity_history", "[]"))[0]).toMatch(/^E_SCHEMA: /);
    expect((await error("call", store, "entity_history", '{"uid": "a", "no": 1}'))[0]).toMatch(/^E_SCHEMA: /);
    const absent = await error("info", cli.path("no-such-store"));
    expect(absent[0]).toMatch(/^E_NOT_FOUND: there is no store/);
    expect(absent[1]).toMatch(/^hint: /);
    expect(existsSync(cli.path("no-such-store"))).toBe(false);
  });
});

describe("a store that an application has open", () => {
  it("can be asked and verified, and not loaded into", async () => {
    const store = await loaded();
    const db = await open(store);
    try {
      const { tx } = await db.write([{ op: "assert_node", uid: "n", valid_from: "2020-01-01" }]);
      expect((await cli.json("info", store)).tx).toBe(tx);
      expect((await cli.run("digest", store)).out.trim()).toBe(await db.digest());
      expect(await cli.json("call", store, "entity_history", '{"uid":"n"}')).toMatchObject({ rows_total: 1 });
      expect(await cli.json("verify", store)).toMatchObject({ tx, torn_tail: null });
      const refused = await cli.run("load", store, cli.file("locked.csv", EVENTS), "--unit", "s");
      expect([refused.exitCode, refused.err.split(":")[0]]).toEqual([1, "E_LOCKED"]);
      expect(refused.err).toContain("\nhint: ");
      expect((await cli.run("repair", store)).err).toMatch(/^E_LOCKED: /);
    } finally {
      await db.close();
    }
  });
});

describe("verify, repair and replay", () => {
  it("replays a log into a file of DuckDB, once", async () => {
    const store = await loaded();
    const digest = (await cli.run("digest", store)).out;
    const file = `${store}.duckdb`;
    const replayed = await cli.run("replay", store, file, "--engine", "duckdb");
    expect([replayed.exitCode, replayed.out]).toEqual([0, digest]);
    expect(readFileSync(file).subarray(8, 12).toString()).toBe("DUCK");
    expect((await cli.run("replay", store, file, "--engine", "duckdb")).err).toMatch(/^E_STATE: /);
  });

  it("verifies chain, head and digest without touching a byte", async () => {
    const store = await loaded();
    const bytes = SIZE_OF_LOG(store);
    const { chain } = await cli.json("info", store);
    const digest = (await cli.run("digest", store)).out.trim();
    const found = await cli.json("verify", store, "--head", chain as string);
    expect(found).toMatchObject({ tx: 1, commits: 1, rejected: 0, head_tx: 1, chain, digest, torn_tail: null });
    expect(SIZE_OF_LOG(store)).toEqual(bytes);
    const other = await cli.run("verify", store, "--head", "0".repeat(64));
    expect(other.exitCode).toBe(1);
    expect(other.err).toMatch(/^E_LOG_CORRUPT: /);
    expect((await cli.run("verify", store, "--head", "abc")).err).toMatch(/^E_INVALID_ARG: /);
  });

  it("judges rejected batches again", async () => {
    const store = cli.path("rejected");
    const db = await open(store);
    const events = { op: "ingest_events", type: "T", src: ["a"], dst: ["b"], time: ["2020-01-01"] } as const;
    const assertion = { op: "assert_node", uid: "n", valid_from: "2020-01-01" } as const;
    const retraction = { op: "retract", ref: { uid: "nobody" }, valid_from: "2020-01-01" } as const;
    const rejected = db.write([assertion, events, assertion, retraction, assertion], { idempotencyKey: "k" });
    await expect(rejected).rejects.toMatchObject({ code: "E_NOT_FOUND" });
    await db.write([assertion]);
    await db.close();
    expect(await cli.json("verify", store)).toMatchObject({ commits: 1, rejected: 1, frames: 2, tx: 1 });
  });

  it("tells a torn tail, and repairs it", async () => {
    const store = await loaded();
    const digest = (await cli.run("digest", store)).out;
    const name = readdirSync(`${store}/log`)[0]!;
    appendFileSync(`${store}/log/${name}`, "not a frame, and never promised");
    const torn = await cli.run("verify", store);
    expect(torn.exitCode).toBe(0);
    expect(torn.err).toContain("a torn tail begins at frame");
    expect((await cli.run("repair", store)).err).toContain("aside");
    expect(await cli.json("verify", store)).toMatchObject({ torn_tail: null, digest: digest.trim() });
    expect(readdirSync(`${store}/log`).some((entry) => entry.startsWith("cut-"))).toBe(true);
  });

  it("replays into a new store on both engines", async () => {
    const store = await loaded("--node-label", "P");
    const digest = (await cli.run("digest", store)).out;
    for (const engine of ["native", "reference"]) {
      const copy = cli.path(`replayed-${engine}`);
      expect((await cli.run("replay", store, copy, "--engine", engine)).out).toBe(digest);
      expect((await cli.run("digest", copy)).out).toBe(digest);
    }
    expect((await cli.run("replay", store, cli.path("replayed-native"))).err).toMatch(/^E_STATE: /);
    expect((await cli.run("replay", cli.path("nothing"), cli.path("y"))).err).toMatch(/^E_NOT_FOUND: /);
    expect((await cli.run("replay", store, "/proc/store")).err).toMatch(/^E_IO: /);
  });
});

describe("a reader that goes away", () => {
  it("is no error", async () => {
    const store = await loaded();
    const { status, stderr } = spawnSync(
      "bash",
      [
        "-c",
        'set -o pipefail; "$0" "$1" call "$2" scan \'{"of":"edges"}\' | head -c 1',
        process.execPath,
        cli.program,
        store,
      ],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, ""]);
  });
});
