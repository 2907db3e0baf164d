// `palimpsest query` as a process: every format, scripts, parameters, errors with their place, exit codes, files and pipes.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();

const PAYMENTS = `
INSERT (a:Account {uid: 'a', owner: 'Ada'}), (b:Account {uid: 'b', owner: 'Bea, the "b"'}), (c:Account {uid: 'c'})
  FOR VALID_TIME FROM DATE '2024-01-01';
INSERT ({uid: 'a'})-[:PAID {key: 'p1', amount: 5}]->({uid: 'b'}) FOR VALID_TIME AT DATE '2024-01-01';
INSERT ({uid: 'b'})-[:PAID {key: 'p2', amount: 9007199254740993}]->({uid: 'c'}) FOR VALID_TIME AT DATE '2024-01-02';
INSERT ({uid: 'a'})-[:PAID {key: 'p3', amount: 7}]->({uid: 'c'}) FOR VALID_TIME AT DATE '2024-01-04';
`;
const BY_DAY = "SELECT DATE_TRUNC('day', e.at) AS day, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY day ORDER BY day";
const OWNERS = "SELECT n.uid, n.owner FROM NODES(Account) AS n ORDER BY n.uid";

let store = "";
beforeAll(async () => {
  store = cli.path("payments.store");
  const { exitCode, out, err } = await cli.run("query", store, "--write", "-f", cli.file("payments.tql", PAYMENTS));
  expect([exitCode, err.split("\n").length, out.match(/operations/g)?.length]).toEqual([0, 5, 4]);
});

describe("query", () => {
  it("prints a table, and a line below it on standard error", async () => {
    const { exitCode, out, err } = await cli.run("query", store, OWNERS);
    expect(exitCode).toBe(0);
    expect(out).toBe('uid  owner\n───  ────────────\na    Ada\nb    Bea, the "b"\nc    NULL\n');
    expect(err).toMatch(/^3 rows · \d+.* ms · pin tx:4 \(20/);
  });

  it("prints csv after RFC 4180 and lines of JSON", async () => {
    const csv = await cli.run("query", store, OWNERS, "--format", "csv");
    expect(csv).toEqual({ exitCode: 0, out: 'uid,owner\r\na,Ada\r\nb,"Bea, the ""b"""\r\nc,\r\n', err: "" });
    const amounts = "SELECT e.key, e.amount FROM EVENTS(PAID) AS e ORDER BY e.key";
    const jsonl = await cli.run("query", store, amounts, "--format", "jsonl");
    expect(jsonl.out).toBe(
      '{"key":"p1","amount":5}\n{"key":"p2","amount":9007199254740993}\n{"key":"p3","amount":7}\n',
    );
  });

  it("prints one document of the last statement as json, and nothing else on standard output", async () => {
    const { exitCode, out, err } = await cli.run("query", store, `${BY_DAY}; ${OWNERS};`, "--format", "json");
    expect([exitCode, err]).toEqual([0, ""]);
    const answer = JSON.parse(out) as Record<string, unknown>;
    expect(Object.keys(answer).sort()).toEqual([
      "columns",
      "complete",
      "erased",
      "incomplete",
      "notices",
      "pin",
      "plan_digest",
      "resolved",
      "result_digest",
      "rows",
      "rows_total",
    ]);
    expect(answer).toMatchObject({
      columns: [
        { name: "uid", type: "string" },
        { name: "owner", type: "string" },
      ],
      rows_total: 3,
      complete: true,
      pin: { tx: 4 },
    });
    expect(answer.result_digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it("draws a chart where there is one, and says why not where there is none", async () => {
    const { out } = await cli.run("query", store, BY_DAY, "--format", "chart");
    expect(out.split("\n")[0]).toBe("n  ▄▄ ▄  min 1, max 1");
    const { out: table, err } = await cli.run("query", store, OWNERS, "--format", "chart");
    expect(table).toContain("───");
    expect(err).toContain("no chart: its first column is no instant");
  });

  it("takes statements from standard input, with and without -", async () => {
    const piped = await cli.runWith(OWNERS, "query", store, "--format", "csv");
    expect(piped.out).toContain("a,Ada");
    expect(await cli.runWith(OWNERS, "query", store, "-", "--format", "csv")).toEqual(piped);
    expect(await cli.runWith(OWNERS, "query", store, "-f", "-", "--format", "csv")).toEqual(piped);
  });

  it("takes parameters: JSON if they parse, else strings", async () => {
    const text = "SELECT e.key FROM EVENTS(PAID) AS e WHERE e.amount = $n AND e.src = $who";
    const run = (n: string) =>
      cli.run("query", store, text, "--format", "csv", "--param", `n=${n}`, "--param", "who=b");
    expect((await run("9007199254740993")).out).toBe("key\r\np2\r\n");
    expect((await run("9007199254740992")).out).toBe("key\r\n");
    const wrong = await cli.run("query", store, text, "--param", "n");
    expect([wrong.exitCode, wrong.err]).toEqual([1, expect.stringMatching(/^E_INVALID_ARG: "n" is no parameter/)]);
  });

  it("stops a script at its first failure, or goes on with --keep-going, and ends with 1 either way", async () => {
    const script = cli.file("failing.tql", `${OWNERS};\nSELECT n.uid FRM NODES();\nSELECT 'after' AS x;\n`);
    const stopped = await cli.run("query", store, "-f", script, "--format", "csv");
    expect([stopped.exitCode, stopped.out.includes("after")]).toEqual([1, false]);
    const gone = await cli.run("query", store, "-f", script, "--format", "csv", "--keep-going");
    expect([gone.exitCode, gone.out.includes("after")]).toEqual([1, true]);
  });

  it("shows where in the script a mistake is", async () => {
    const script = "SELECT 1 AS one;\n\nSELECT e.src FROM EVENTS(PAID)\n  FOR VALID_TIME FROM DATE '2024-01-01' AS e;";
    const { exitCode, out, err } = await cli.runWith(script, "query", store, "--format", "csv");
    expect([exitCode, out]).toEqual([1, "one\r\n1\r\n"]);
    const [message, line, caret, hint] = err.split("\n");
    expect(message).toMatch(/^E_SYNTAX: .* \(line 4, column 41\)$/);
    expect(line).toBe("  4 |   FOR VALID_TIME FROM DATE '2024-01-01' AS e;");
    expect(caret).toBe(`    | ${" ".repeat(40)}^^`);
    expect(hint).toMatch(/^ {2}hint: .*TO/);
  });

  it("refuses dot commands in a script", async () => {
    const { exitCode, err } = await cli.runWith(".info\n", "query", store);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^E_SYNTAX: \.info is a command of the REPL/)]);
  });

  it("keeps one session over a script: SET and BEGIN hold", async () => {
    const script = `SET DEFAULT TRANSACTION_TIME AS OF TX 2; ${BY_DAY};`;
    const { out } = await cli.run("query", store, script, "--format", "csv");
    expect(out).toBe("day,n\r\n2024-01-01T00:00:00Z,1\r\n");
    const block = "BEGIN READ WRITE; INSERT (x:Account {uid: 'x'}) FOR VALID_TIME ALL;";
    const copy = cli.path("open-block.store");
    await cli.run("query", copy, "--write", "-f", cli.path("payments.tql"));
    const { err } = await cli.run("query", copy, block, "--write");
    expect(err).toContain("nothing of that block was written");
    expect((await cli.json("info", copy)).tx).toBe(4);
  });

  it("reads only, unless --write is given", async () => {
    const insert = "INSERT (x:Account {uid: 'x'}) FOR VALID_TIME ALL";
    const { exitCode, err } = await cli.run("query", store, insert);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^E_READONLY: /)]);
    const absent = await cli.run("query", cli.path("absent.store"), "SELECT 1 AS x");
    expect([absent.exitCode, absent.err]).toEqual([1, expect.stringMatching(/^E_NOT_FOUND: there is no store at/)]);
    expect(existsSync(cli.path("absent.store"))).toBe(false);
  });

  it("writes a file only when all of it is there", async () => {
    const file = cli.file("answers.csv", "what was there before");
    const failing = await cli.run("query", store, `${OWNERS}; SELCT`, "--format", "csv", "--output", file);
    expect([failing.exitCode, failing.out, readFileSync(file, "utf8")]).toEqual([1, "", "what was there before"]);
    const good = await cli.run("query", store, OWNERS, "--format", "csv", "--output", file);
    expect([good.exitCode, good.out, readFileSync(file, "utf8").split("\r\n").length]).toEqual([0, "", 5]);
    expect(readdirSync(cli.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  it("ends quietly when its reader goes away", async () => {
    const text =
      "SELECT b.bucket_from FROM BUCKETS(FROM DATE '2000-01-01' TO DATE '2020-01-01' STEP DURATION 'PT2H') AS b";
    const child = spawn(process.execPath, [cli.program, "query", store, text, "--format", "csv"]);
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const exitCode = await new Promise((resolve) => child.once("exit", resolve));
    expect([exitCode, err]).toEqual([0, ""]);
  });

  it.each([
    [["query"]],
    [["query", "s", "SELECT 1", "-f", "file.tql"]],
    [["query", "s", "SELECT 1", "--format", "xlsx"]],
    [["query", "s", "SELECT 1", "--format"]],
    [["repl"]],
  ])("ends with 2 on wrong usage: %j", async (args) => {
    const { exitCode, out, err } = await cli.run(...args);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).not.toBe("");
  });
});

describe("repl fed by a pipe", () => {
  it("runs statements and commands without prompts, and ends with 1 if one failed", async () => {
    const fed =
      ".format csv\n.params who a\nSELECT n.owner\n  FROM NODES(Account) AS n WHERE n.uid = $who;\n.as-of tx:1\nSELECT COUNT(*) AS n FROM COMMITS() AS c";
    const { exitCode, out } = await cli.runWith(fed, "repl", store);
    expect([exitCode, out]).toEqual([0, "owner\r\nAda\r\nn\r\n1\r\n"]);
    const failing = await cli.runWith("SELCT 1;\n.format csv\nSELECT 2 AS two;\n", "repl", store);
    expect([failing.exitCode, failing.out]).toEqual([1, "two\r\n2\r\n"]);
    expect(failing.err).toContain("did you mean SELECT?");
  });

  it("takes in files with .import when it may write, and says so when it may not", async () => {
    const file = cli.file("more.csv", "src,dst,time\na,b,100\n");
    const refused = await cli.runWith(`.import ${file} --unit s\n`, "repl", store);
    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringMatching(/^E_READONLY: /)]);
    const other = cli.path("imported.store");
    const taken = await cli.runWith(`.import ${file} --unit s --type SENT\n.schema\n`, "repl", other, "--write");
    expect([taken.exitCode, taken.out]).toEqual([0, expect.stringContaining("SENT")]);
    const misused = await cli.runWith(`.import ${file} --unit fortnight\n`, "repl", other, "--write");
    expect(misused.err).toMatch(/^E_INVALID_ARG: option '--unit <unit>' argument 'fortnight' is invalid/);
  });
});
