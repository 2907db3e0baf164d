// `palimpsest mcp` as it is started: options and their mistakes, standard output that holds protocol alone, a store that is
// written meanwhile; docs/mcp.md holds; other commands do without the library.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { commandLine, ROOT } from "./command-line.js";

const cli = commandLine();
const TOKEN = "f".repeat(64);
const page = readFileSync(join(ROOT, "docs/mcp.md"), "utf8");
const commands = Array.from(page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)).flatMap((match) =>
  match[1]!.trim().split("\n"),
);

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill("SIGKILL");
});

/** A server over HTTP that says where it listens. */
async function listening(line: string, env: NodeJS.ProcessEnv = {}): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn("bash", ["-c", `exec ${line}`], { cwd: cli.folder, env: { ...process.env, ...env } });
  running.push(child);
  let said = "";
  const url = await new Promise<string>((found, failed) => {
    child.stderr!.on("data", (piece: Buffer) => {
      said += piece.toString();
      const address = /listening on (\S+)\n/.exec(said)?.[1];
      if (address !== undefined) found(address);
    });
    child.once("exit", () => failed(new Error(said)));
  });
  return { child, url };
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  child.exitCode === null ? new Promise((ended) => child.once("exit", ended)) : Promise.resolve(child.exitCode);

/** What a child writes, until it ends. */
async function written(child: ChildProcess): Promise<{ out: string; err: string; exitCode: number | null }> {
  const texts = { out: "", err: "" };
  child.stdout!.on("data", (piece: Buffer) => (texts.out += piece.toString()));
  child.stderr!.on("data", (piece: Buffer) => (texts.err += piece.toString()));
  const exitCode = await new Promise<number | null>((ended) => child.once("close", ended));
  return { ...texts, exitCode };
}

const client = () => new Client({ name: "test", version: "1" });

beforeAll(async () => {
  cpSync(join(ROOT, "examples"), join(cli.folder, "examples"), { recursive: true });
  const [load] = commands;
  const [, ...args] = load!.replace("npx ", "").split(" ");
  expect(await cli.run(...args)).toMatchObject({ exitCode: 0 });
});

describe("docs/mcp.md", () => {
  it("has commands that run as they stand", { timeout: 60_000 }, async () => {
    expect(commands.filter((line) => line.includes("palimpsest mcp"))).toHaveLength(4);
    for (const line of commands) {
      if (line.startsWith("echo ")) {
        execFileSync("bash", ["-c", line], { cwd: cli.folder });
        continue;
      }
      const command = line.replace("npx palimpsest", `"${process.execPath}" "${cli.program}"`);
      expect(command).not.toBe(line);
      if (!line.includes("--http")) {
        const shown = line.includes("load") ? command.replace("payments.store", "again.store") : command;
        const child = spawn("bash", ["-c", shown], { cwd: cli.folder, stdio: ["ignore", "pipe", "pipe"] });
        const { exitCode, err } = await written(child);
        expect([line, exitCode, line.includes("load") ? "" : err]).toEqual([line, 0, ""]);
        continue;
      }
      // On a port that is free here.
      const [variable, rest] = command.startsWith("PALIMPSEST_TOKEN")
        ? (command.split(/(?<=\)) /) as [string, string])
        : ["", command];
      const served = rest.replace("--http 8787", "--http 0");
      const prefix = variable === "" ? "" : `env "${variable.replace(/\$\(.*\)/, TOKEN)}" `;
      const { child, url } = await listening(`${prefix}${served}`);
      const mine = client();
      const init = variable === "" ? {} : { headers: { authorization: `Bearer ${TOKEN}` } };
      const address = new URL(url.replace("0.0.0.0", "127.0.0.1"));
      await mine.connect(new StreamableHTTPClientTransport(address, { requestInit: init }));
      expect((await mine.listTools()).tools.length).toBeGreaterThan(20);
      await mine.close();
      child.kill("SIGINT");
      expect(await exitOf(child)).toBe(0);
    }
  });

  it("names the tools and the resources that there are", async () => {
    const mine = client();
    const policy = cli.file("all.json", commands.find((line) => line.startsWith("echo "))!.split("'")[1]!);
    const args = [cli.program, "mcp", cli.path("payments.store"), "--url", "http://127.0.0.1:9/v1", "--write", policy];
    await mine.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" }));
    const own = (await mine.listTools()).tools.map(({ name }) => name).slice(DECLARATIONS.length);
    for (const name of own) expect(page).toContain(`| \`${name}\` |`);
    const { resourceTemplates } = await mine.listResourceTemplates();
    const uris = [
      "palimpsest://card",
      "palimpsest://manual",
      ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ];
    for (const uri of uris) expect(page).toContain(`| \`${uri}\` |`);
    expect(uris).toHaveLength(Array.from(page.matchAll(/^\| `palimpsest:/gm)).length);
    await mine.close();
  });
});

describe("over stdio", () => {
  const message = (id: number, method: string, params: object = {}) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const client2025 = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
  const HELLO = `${message(0, "initialize", client2025)}${initialized}\n`;

  it("writes protocol and nothing else, whatever it is sent", { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [cli.program, "mcp", "payments.store"], { cwd: cli.folder });
    running.push(child);
    const ended = written(child);
    child.stdin.write(HELLO);
    child.stdin.write("this is no JSON\n{}\n[]\n\n");
    child.stdin.write(message(1, "tools/call", { name: "scan", arguments: { of: "edges", limit: 3 } }));
    child.stdin.write(message(2, "tools/call", { name: "nothing", arguments: {} }));
    child.stdin.write(message(3, "no/such/method"));
    child.stdin.write(
      message(4, "tools/call", {
        name: "query_tql",
        arguments: { query: "SELECT 'é\\u0000' AS x FROM EVENTS(PAID) AS e" },
      }),
    );
    child.stdin.write(message(5, "tools/list"));
    const answered = new Set<number>();
    let text = "";
    await new Promise<void>((all) => {
      child.stdout.on("data", (piece: Buffer) => {
        text += piece.toString();
        for (const line of text.split("\n").slice(0, -1)) answered.add((JSON.parse(line) as { id: number }).id);
        if ([0, 1, 2, 3, 4, 5].every((id) => answered.has(id))) all();
      });
    });
    child.stdin.end();
    const { out, exitCode } = await ended;
    expect(exitCode).toBe(0);
    for (const line of out.trimEnd().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  });

  it("sees what a writer commits between two calls", { timeout: 60_000 }, async () => {
    const path = cli.path("followed.store");
    const db = await open(path);
    const node = (uid: string) => ({ op: "assert_node" as const, uid, labels: ["N"], valid_from: "2020-01-01" });
    await db.write([node("a")]);
    const mine = client();
    const args = [cli.program, "mcp", path];
    await mine.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" }));
    const count = async (given: object = {}) => {
      const query = "SELECT COUNT(*) AS n FROM NODES(N) AS n";
      const { structuredContent } = await mine.callTool({ name: "query_tql", arguments: { query, ...given } });
      return (structuredContent as { rows: { n: number }[] }).rows[0]!.n;
    };
    expect(await count()).toBe(1);
    for (const [i, uid] of ["b", "c", "d"].entries()) {
      await db.write([node(uid)]);
      expect(await count()).toBe(2 + i);
    }
    expect(await count({ as_of_tt: "tx:2" })).toBe(2);
    await mine.close();
    await db.close();
  });

  it("forgets what another process erases", { timeout: 60_000 }, async () => {
    const path = cli.path("erased.store");
    const db = await open(path);
    await db.write([{ op: "assert_node", uid: "nurse9", valid_from: "2020-01-01" }]);
    const mine = client();
    const args = [cli.program, "mcp", path];
    await mine.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" }));
    const { structuredContent } = await mine.callTool({ name: "entity_history", arguments: { uid: "nurse9" } });
    const uri = `palimpsest://result/${(structuredContent as { result_digest: string }).result_digest}`;
    expect(JSON.stringify(await mine.readResource({ uri }))).toContain("nurse9");
    await db.write([{ op: "erase", ref: { uid: "nurse9" } }]);
    await expect(mine.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    await mine.close();
    await db.close();
  });

  it("ends on SIGTERM, with exit code 0", async () => {
    const child = spawn(process.execPath, [cli.program, "mcp", "payments.store"], { cwd: cli.folder });
    running.push(child);
    child.stdin.write(HELLO);
    await new Promise((ready) => child.stdout.once("data", ready));
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(0);
  });
});

describe("options", () => {
  it.each([
    [["mcp"], 2, /missing required argument/],
    [["mcp", "payments.store", "--http", "x"], 2, /a port is a number/],
    [["mcp", "payments.store", "--http", "65536"], 2, /a port is a number/],
    [["mcp", "payments.store", "--http", "-1"], 2, /a port is a number/],
    [["mcp", "payments.store", "--host", "0.0.0.0"], 2, /are for --http/],
    [["mcp", "payments.store", "--token-env", "X"], 2, /are for --http/],
    [["mcp", "nowhere.store"], 1, /^E_NOT_FOUND/],
    [["mcp", "payments.store", "--http", "0", "--host", "0.0.0.0"], 1, /^E_INVALID_ARG: others can reach 0\.0\.0\.0/],
    [
      ["mcp", "payments.store", "--http", "0", "--token-env", "NO_SUCH_VARIABLE"],
      1,
      /^E_INVALID_ARG: .*NO_SUCH_VARIABLE/,
    ],
  ])("%j end with %i", async (args, exitCode, message) => {
    const ran = await cli.run(...args);
    expect([ran.exitCode, ran.out]).toEqual([exitCode, ""]);
    expect(ran.err).toMatch(message);
  });

  it("refuse a short token, without showing it", async () => {
    const args = [cli.program, "mcp", "payments.store", "--http", "0", "--token-env", "SHORT_TOKEN"];
    const child = spawn(process.execPath, args, { cwd: cli.folder, env: { ...process.env, SHORT_TOKEN: "hush-hush" } });
    const { err, exitCode } = await written(child);
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^E_INVALID_ARG: the token has 9 bytes/)]);
    expect(err).not.toContain("hush-hush");
  });

  it("name a port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((ready) => taken.once("listening", ready));
    const { port } = taken.address() as { port: number };
    const { exitCode, err } = await cli.run("mcp", "payments.store", "--http", String(port));
    expect([exitCode, err]).toEqual([1, expect.stringMatching(/^E_IO: cannot listen on 127\.0\.0\.1/)]);
    taken.close();
  });
});

it("other commands do not load the library", () => {
  const bundle = readFileSync(cli.program, "utf8");
  const parts = join(cli.program, "..");
  /** The files that are loaded with one, as they stand at its head. */
  const loaded = (file: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(file)) return seen;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    for (const [, name] of text.matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];/gm))
      loaded(join(file, "..", name!), seen);
    return seen;
  };
  const partOf = (text: string, name: string): string =>
    join(parts, new RegExp(`import\\("\\./(parts/${name}-[^"]+)"\\)`).exec(text)![1]!);
  const holdsLibrary = (files: Set<string>): boolean =>
    [...files].some((file) => readFileSync(file, "utf8").includes("notifications/cancelled"));
  expect(holdsLibrary(loaded(partOf(bundle, "mcp")))).toBe(true);
  for (const name of ["query", "ask", "run", "load", "export", "verify"]) {
    expect([name, holdsLibrary(loaded(partOf(bundle, name)))]).toEqual([name, false]);
  }
  expect(holdsLibrary(loaded(cli.program))).toBe(false);
});
