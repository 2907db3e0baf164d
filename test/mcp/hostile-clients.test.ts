// Messages that no honest client sends, over HTTP and over stdio: each has a typed answer or none, the server lives, and its
// memory does not grow.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { commandLine } from "../e2e/command-line.js";
import { overHttp, type Served, temporaryFolder } from "./clients.js";
import { ask, LIST } from "./raw-http.js";

type Json = Record<string, unknown>;

const cli = commandLine();
const folder = temporaryFolder();
const path = folder.path("a.store");
let served: Served;
beforeAll(async () => {
  const db = await open(path);
  await db.write([{ op: "assert_edge", src: "a", type: "T", dst: "b", valid_from: "2020-01-01" }]);
  await db.close();
  served = await overHttp(await open(path, { readOnly: true }));
});
afterAll(async () => {
  await served.close();
  folder.remove();
});

const MIB = 1 << 20;
const message = (id: unknown, method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method, params });
const scan = (args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"scan","arguments":${args}}}`;

/** The message of an answer, whether it came as JSON or as an event. */
const messageIn = (text: string): Json =>
  JSON.parse(
    text.startsWith("{")
      ? text
      : text
          .split("\n")
          .find((line) => line.startsWith("data: "))!
          .slice(6),
  ) as Json;
/** What a tool said: its object, or the error of the protocol. */
function outcomeIn({ result, error }: Json): Json {
  const structured = (result as Json | undefined)?.structuredContent as Json | undefined;
  return structured ?? { error };
}

describe("HTTP", () => {
  const post = (body: string, headers: Record<string, string> = {}) => ask(served.server.url, { body, headers });

  it.each<[string, Record<string, string>, number]>([
    ["another type", { "content-type": "text/plain" }, 415],
    ["a type that only looks like JSON", { "content-type": "application/json-seq" }, 415],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["JSON in another encoding", { "content-type": "application/json; charset=utf-16" }, 200],
    ["nothing accepted", { accept: "" }, 406],
    ["only JSON accepted", { accept: "application/json" }, 406],
    ["only pages accepted", { accept: "text/html" }, 406],
    ["a version of the protocol that never was", { "mcp-protocol-version": "1999-01-01" }, 400],
    ["a version that is none", { "mcp-protocol-version": "../../etc" }, 400],
    // The server keeps no sessions, and knows none.
    ["a session that nobody opened", { "mcp-session-id": "0" }, 200],
    ["an event that was never sent", { "last-event-id": "9".repeat(1_000) }, 200],
    ["a method in the header that is not the message's", { "mcp-method": "tools/call" }, 200],
    ["headers with names of prototypes", { __proto__: "x", constructor: "y" } as never, 200],
  ])("%s", async (_, headers, status) => {
    const { status: given, text } = await post(LIST, headers);
    expect(given).toBe(status);
    const { result, error } = messageIn(text);
    if (status === 200) expect(result).toHaveProperty("tools");
    else expect(error).toMatchObject({ code: expect.any(Number), message: expect.stringMatching(/./) });
  });

  it.each<[string, string, number]>([
    ["an id that is null", message(null, "tools/list"), 400],
    ["an id that is a list", message([1], "tools/list"), 400],
    ["an id that is no integer", message(1.5, "tools/list"), 400],
    ["an id beyond all integers", `{"jsonrpc":"2.0","id":1e400,"method":"tools/list"}`, 400],
    ["an answer that nobody asked for", `{"jsonrpc":"2.0","id":1,"result":{}}`, 202],
    ["a method that is none", message(1, "tools/destroy"), 200],
    ["a method of prototypes", message(1, "__proto__"), 200],
    ["a notification of nothing known", message(undefined, "notifications/nonsense"), 202],
    ["the end of a call that never was", message(undefined, "notifications/cancelled", { requestId: 99 }), 202],
    ["the end of nothing", message(undefined, "notifications/cancelled"), 202],
    ["a tool that is none", message(1, "tools/call", { name: "__proto__", arguments: {} }), 200],
    ["arguments that are a list", message(1, "tools/call", { name: "scan", arguments: [] }), 200],
    ["batches in batches", `[[${LIST}]]`, 400],
    ["a batch of nothing", "[]", 400],
    ["a batch with one that is no message", `[${LIST},7]`, 400],
    ["a batch longer than a batch may be", `[${Array.from({ length: 101 }, () => LIST).join()}]`, 400],
    ["deep nesting", scan(`{"of":${"[".repeat(200_000)}${"]".repeat(200_000)}}`), 200],
  ])("%s", async (_, body, status) => {
    const { status: given, text } = await post(body);
    expect([given, text.slice(0, 300)]).toEqual([status, expect.any(String)]);
    if (status !== 202) expect(text).toMatch(/"error":\{"code":(-\d+|"E_[A-Z_]+")|\\"error\\":\{\\"code\\":\\"E_/);
    expect((await post(LIST)).status).toBe(200);
  });

  it("ids that are huge or the same: each is answered with what was given", async () => {
    const id = "i".repeat(MIB);
    expect(messageIn((await post(message(id, "ping"))).text)).toEqual({ jsonrpc: "2.0", id, result: {} });
    const most = Number.MAX_SAFE_INTEGER;
    expect(messageIn((await post(message(most, "ping"))).text)).toEqual({ jsonrpc: "2.0", id: most, result: {} });
    const twice = await Promise.all([post(message(7, "ping")), post(message(7, "ping"))]);
    for (const { text } of twice) expect(messageIn(text)).toEqual({ jsonrpc: "2.0", id: 7, result: {} });
    expect((await post(`[${message(7, "ping")},${message(7, "ping")}]`)).status).toBe(200);
  });

  it("65 calls at once: each is answered, some with 429", async () => {
    const all = await Promise.all(Array.from({ length: 130 }, () => post(scan('{"of":"nodes"}'))));
    for (const { status } of all) expect([200, 429]).toContain(status);
    expect(all.some(({ status }) => status === 200)).toBe(true);
    expect((await post(LIST)).status).toBe(200);
    expect(served.service.inFlight).toBe(0);
  });

  it.each([
    "palimpsest://trace/../../../etc/passwd",
    "palimpsest://trace/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    `palimpsest://trace/${"0".repeat(64)}`,
    "palimpsest://trace/",
    "palimpsest://result/__proto__",
    "palimpsest://operator/constructor",
    "palimpsest://operator/scan/../card",
    "palimpsest://card/../../etc",
    "file:///etc/passwd",
    "http://127.0.0.1/",
    "",
    "x".repeat(100_000),
  ])("the resource %.60s is none", async (uri) => {
    const { text } = await post(message(1, "resources/read", { uri }));
    expect(messageIn(text).error).toMatchObject({ code: -32602 });
    expect(text).not.toContain("root:");
  });

  it.each([
    ['{"of":"nodes","where":{"__proto__":{"types":["T"]}}}', "E_SCHEMA"],
    ['{"of":"nodes","where":{"node":{"props":[{"name":"__proto__","op":"eq","value":1}]}}}', null],
    ['{"of":"nodes","constructor":{"prototype":{"limit":1}}}', "E_SCHEMA"],
    ['{"of":"nodes","toString":1}', "E_SCHEMA"],
    ['{"of":"__proto__"}', "E_SCHEMA"],
  ])("arguments %s", async (args, code) => {
    const { rows, error } = outcomeIn(messageIn((await post(scan(args))).text));
    if (code !== null) expect(error).toMatchObject({ code });
    else expect([rows !== undefined, error]).not.toEqual([false, undefined]);
    expect(({} as Json).limit).toBeUndefined();
    expect(({} as Json).types).toBeUndefined();
  });

  it("the name of the prototype, as an argument, says nothing", async () => {
    const plain = outcomeIn(messageIn((await post(scan('{"of":"edges"}'))).text));
    const hidden = outcomeIn(messageIn((await post(scan('{"of":"edges","__proto__":{"limit":0,"of":"x"}}'))).text));
    expect(hidden).toEqual(plain);
    expect(plain.rows).toMatchObject([{ src: "a" }]);
  });

  it("memory does not grow", { timeout: 60_000 }, async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const huge = " ".repeat(5 * MIB);
    const wrong = ["{", `[${LIST},7]`, message("i".repeat(MIB), "ping"), message(undefined, "notifications/x"), huge];
    const round = async (): Promise<number> => {
      for (let i = 0; i < 4; i += 1) for (const body of wrong) await post(body);
      await new Promise((rest) => setTimeout(rest, 50));
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    await round();
    const [first, second] = [await round(), await round()];
    // A round of bodies that stayed would be 20 MiB, and their ids 4.
    expect(second - first).toBeLessThan(3 * MIB);
  });
});

/** `palimpsest mcp` and its lines. */
class Process {
  readonly said: Json[] = [];
  readonly child: ChildProcessWithoutNullStreams;
  warnings = "";
  private next = 1_000;

  constructor() {
    this.child = spawn(process.execPath, [cli.program, "mcp", path]);
    this.child.stderr.on("data", (piece: Buffer) => (this.warnings += piece.toString()));
    createInterface({ input: this.child.stdout }).on("line", (line) => this.said.push(JSON.parse(line) as Json));
  }

  send(line: string | Buffer): void {
    this.child.stdin.write(line);
    this.child.stdin.write("\n");
  }

  /** Waits for the answer of a request that is sent now, and so for all that was sent before. */
  async answered(method = "ping", params: unknown = {}): Promise<Json> {
    const id = this.next++;
    this.send(message(id, method, params));
    for (;;) {
      const found = this.said.find((each) => each.id === id);
      if (found !== undefined) return found;
      if (this.child.exitCode !== null) throw new Error(`it ended with ${this.child.exitCode}: ${this.warnings}`);
      await new Promise((rest) => setTimeout(rest, 5));
    }
  }
}

describe("stdio", () => {
  it("a process lives through lines that are no messages, too long, or not in order", { timeout: 60_000 }, async () => {
    const server = new Process();
    const clientInfo = { name: "raw", version: "1" };
    await server.answered("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    server.send(message(undefined, "notifications/initialized"));
    const before = server.said.length;
    const silent: (string | Buffer)[] = [
      ...["", "{", "[]", "null", "7", "\u0000", '{"jsonrpc":"2.0"}', `[${LIST}]`, "[".repeat(MIB)],
      ...[Buffer.from([0xff, 0xfe, 0x80]), Buffer.alloc(11 * MIB, "x"), Buffer.alloc(4 * MIB + 1, " ")],
      ...[message(null, "ping"), message([1], "ping"), message(undefined, "notifications/\u001b[2Jnonsense")],
      ...[message(undefined, "notifications/cancelled", { requestId: 99 }), '{"jsonrpc":"2.0","id":"a","result":{}}'],
      '{"jsonrpc":"2.0","id":null,"method":"ping","\u009b2J\u202e":1}',
    ];
    for (const line of silent) server.send(line);
    expect(await server.answered()).toMatchObject({ result: {} });
    expect(server.said.length).toBe(before + 1);
    expect(server.warnings).toContain("a line of 11534337 bytes is passed over: a message has at most 4194304");
    // On one line each, without what a terminal obeys.
    for (const line of server.warnings.trimEnd().split("\n")) {
      expect(line.length).toBeLessThan(300);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    // A message just as long as one may be.
    server.send(message("fits", "ping").padEnd(4 * MIB - 1, " "));
    await server.answered();
    expect(server.said).toContainEqual({ jsonrpc: "2.0", id: "fits", result: {} });

    for (let i = 0; i < 2; i += 1) server.send(message("same", "ping"));
    server.send(message("x", "nonsense"));
    const count = 65;
    for (let i = 0; i < count; i += 1) {
      server.send(message(`call ${i}`, "tools/call", { name: "scan", arguments: { of: "edges" } }));
    }
    const twice = await server.answered("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    expect(twice).toHaveProperty("jsonrpc");
    const answers = (): Json[] => server.said.filter(({ id }) => String(id).startsWith("call "));
    while (answers().length < count) await server.answered();
    expect(server.said.filter(({ id }) => id === "same")).toHaveLength(2);
    expect(server.said.find(({ id }) => id === "x")).toMatchObject({ error: { code: -32601 } });
    for (const { rows, error } of answers().map(outcomeIn))
      expect(rows ?? (error as Json).code).toEqual(rows ?? "E_LIMIT");
    const ended = new Promise<number | null>((code) => server.child.once("exit", code));
    server.child.stdin.end();
    expect(await ended).toBe(0);
  });
});
