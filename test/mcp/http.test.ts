// Who may speak to the HTTP server, and how much: tokens, Host and Origin, bodies, calls at once, paths.
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { Service, serveHttp, type Tool } from "../../src/mcp/index.js";
import { objectOf, overHttp, type Served } from "./clients.js";
import { type Answered, ask, JSON_HEADERS, LIST } from "./raw-http.js";

const TOKEN = "0123456789abcdef0123456789abcdef";
const MIB = 1 << 20;

let served: Served;
let guarded: Served;
beforeAll(async () => {
  served = await overHttp(await open(":memory:"));
  guarded = await overHttp(await open(":memory:"), TOKEN);
});
afterAll(async () => {
  await served.close();
  await guarded.close();
});

describe("Host and Origin on loopback", () => {
  it.each([
    [{}, 200],
    [{ host: "localhost" }, 200],
    [{ host: "localhost:1234" }, 200],
    [{ host: "[::1]:80" }, 200],
    [{ host: "evil.example" }, 403],
    [{ host: "localhost.evil.example" }, 403],
    [{ host: "127.0.0.1.evil.example" }, 403],
    [{ host: "evil.example:8787" }, 403],
    [{ host: "localhost@evil.example" }, 403],
    [{ host: "a b" }, 403],
    [{ origin: "http://localhost:3000" }, 200],
    [{ origin: "http://127.0.0.1" }, 200],
    [{ origin: "https://evil.example" }, 403],
    [{ origin: "http://localhost.evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "nonsense" }, 403],
    [{ origin: "file://" }, 403],
  ])("%j gives %i", async (headers, status) => {
    const { status: given, text } = await ask(served.server.url, { headers: headers as Record<string, string> });
    expect(given).toBe(status);
    if (status === 403) expect(JSON.parse(text)).toMatchObject({ jsonrpc: "2.0", error: { code: -32000 } });
  });

  it("lets no page of another site ask first", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    const asked = await ask(served.server.url, { method: "OPTIONS", headers });
    expect(asked.status).toBe(403);
    const local = await ask(served.server.url, {
      method: "OPTIONS",
      headers: { origin: "http://localhost" },
      body: "",
    });
    expect(local.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("a token", () => {
  it.each([
    [undefined, 401],
    ["", 401],
    ["Bearer", 401],
    ["Bearer ", 401],
    [`Bearer ${TOKEN.slice(1)}`, 401],
    [`Bearer ${TOKEN}0`, 401],
    [`Bearer ${TOKEN.toUpperCase()}`, 401],
    [`Bearer ${TOKEN} ${TOKEN}`, 401],
    [`Basic ${TOKEN}`, 401],
    [TOKEN, 401],
    [`Bearer ${TOKEN}`, 200],
    [`bearer ${TOKEN}`, 200],
  ])("%s gives %i", async (authorization, status) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status: given, headers: answered, text } = await ask(guarded.server.url, { headers });
    expect(given).toBe(status);
    expect(text).not.toContain(TOKEN);
    if (status === 401) expect(answered["www-authenticate"]).toBe("Bearer");
  });

  it("lets a client in, and one without it out", async () => {
    const client = await guarded.client("auto", { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(objectOf(await client.callTool({ name: "scan", arguments: { of: "nodes" } }))).toMatchObject({ rows: [] });
    await expect(guarded.client("auto")).rejects.toThrow();
    await expect(guarded.client("legacy")).rejects.toThrow();
  });

  it.each([
    ["0.0.0.0", null, /no token/],
    ["::", null, /no token/],
    ["192.0.2.7", null, /no token/],
    ["example.org", null, /no token/],
    ["128.0.0.1", null, /no token/],
    ["0.0.0.0", TOKEN.slice(1), /31 bytes/],
    ["127.0.0.1", "short", /5 bytes/],
    ["127.0.0.1", "", /0 bytes/],
    ["0.0.0.0", `${TOKEN}\n`, /no header/],
    ["0.0.0.0", `${TOKEN}é`, /no header/],
  ])("on %s, %j is refused before anything listens", async (host, token, message) => {
    const service = new Service(served.service.db, "0.0.0");
    const outcome = serveHttp(service, { port: 0, host, token, warn: () => {} });
    await expect(outcome).rejects.toMatchObject({ code: "E_INVALID_ARG", message: expect.stringMatching(message) });
  });

  it("opens other addresses, where a page has to come from the host that it asks", async () => {
    const db: Database = await open(":memory:");
    const server = await serveHttp(new Service(db, "0.0.0"), {
      port: 0,
      host: "0.0.0.0",
      token: TOKEN,
      warn: () => {},
    });
    const url = server.url.replace("0.0.0.0", "127.0.0.1");
    const authorization = `Bearer ${TOKEN}`;
    const statusOf = async (headers: Record<string, string>) => (await ask(url, { headers })).status;
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ authorization })).toBe(200);
    expect(await statusOf({ authorization, host: "store.example" })).toBe(200);
    expect(await statusOf({ authorization, host: "store.example", origin: "https://store.example" })).toBe(200);
    expect(await statusOf({ authorization, host: "store.example", origin: "https://evil.example" })).toBe(403);
    expect(await statusOf({ authorization, host: "a b" })).toBe(403);
    expect(await statusOf({ authorization, host: "user:word@store.example" })).toBe(200);
    await server.close();
    await db.close();
  });
});

/** A request that is not yet whole. */
function postTo({ server }: Served, answered: (response: IncomingMessage) => void): ClientRequest {
  const { hostname, port, pathname: path } = new URL(server.url);
  const sent = request({ host: hostname, port, path, method: "POST", headers: JSON_HEADERS, agent: false });
  return sent.on("response", answered).on("error", () => {});
}

/** The first answer that is so, of many. */
async function until({ server }: Served, isSo: (answered: Answered) => boolean): Promise<Answered> {
  for (let i = 0; i < 200; i += 1) {
    const answered = await ask(server.url);
    if (isSo(answered)) return answered;
  }
  throw new Error("none of 200 answers is so");
}

describe("requests", () => {
  it("of other paths are 404, of other methods 405", async () => {
    expect((await ask(served.server.url, { path: "/" })).status).toBe(404);
    expect((await ask(served.server.url, { path: "/mcp/x" })).status).toBe(404);
    expect((await ask(served.server.url, { path: "//[" })).status).toBe(404);
    expect((await ask(served.server.url, { path: "/mcp?x=1" })).status).toBe(200);
    for (const method of ["GET", "DELETE", "PUT", "TRACE", "OPTIONS"]) {
      expect([method, (await ask(served.server.url, { method })).status]).toEqual([method, 405]);
    }
  });

  it("that are no JSON, or deeper than anything, are refused and leave the server standing", async () => {
    const wrong = ["", "{", "[]", "null", "7", '{"jsonrpc":"2.0"}', "[".repeat(MIB), "\u0000"];
    for (const body of wrong) {
      const { status } = await ask(served.server.url, { body });
      expect([body.slice(0, 10), status >= 400 && status < 500]).toEqual([body.slice(0, 10), true]);
    }
    const deep = `${'{"not":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const args = `{"of":"nodes","where":{"node":{"props":[${deep}]}}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"scan","arguments":${args}}}`;
    const { text } = await ask(served.server.url, { body });
    expect(text).toMatch(/E_SCHEMA|E_LIMIT|E_INVALID_ARG|"error"/);
    expect((await ask(served.server.url)).status).toBe(200);
  });

  it("of more than 4 MiB are 413, told or not how long they are", async () => {
    const body = Buffer.alloc(4 * MIB + 1, " ");
    expect((await ask(served.server.url, { body })).status).toBe(413);
    expect((await ask(served.server.url, { body, headers: { "transfer-encoding": "chunked" } })).status).toBe(413);
    const fits = Buffer.from(LIST.padEnd(4 * MIB, " "));
    expect((await ask(served.server.url, { body: fits })).status).toBe(200);
  });

  it("beyond 64 calls at once are 429, and their places come back", async () => {
    let release!: () => void;
    const gate = new Promise<void>((open) => (release = open));
    const waits: Tool = {
      ...{ name: "waits", description: "", input: { type: "object" }, output: { type: "object" } },
      run: () => gate.then(() => "{}"),
    };
    const busy = await overHttp(await open(":memory:"), null, [waits]);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "waits" } });
    const running = Array.from({ length: 64 }, () => ask(busy.server.url, { body }));
    const refused = await until(busy, ({ status }) => status === 429);
    expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1" } });
    release();
    for (const { status } of await Promise.all(running)) expect(status).toBe(200);
    expect((await until(busy, ({ status }) => status === 200)).status).toBe(200);
    await busy.close();
  });

  it("that come slowly hold no place: of 65 bodies on their way the oldest gives way", async () => {
    const statuses: number[] = [];
    const slow = (i: number): ClientRequest => {
      const sent = postTo(served, (response) => (statuses[i] = response.statusCode!));
      sent.write("{");
      return sent;
    };
    const waiting = Array.from({ length: 64 }, (_, i) => slow(i));
    // However many are on their way, who is whole is answered.
    for (let i = 0; i < 20; i += 1) expect((await ask(served.server.url)).status).toBe(200);
    waiting.push(...Array.from({ length: 64 }, (_, i) => slow(64 + i)));
    for (let tries = 0; tries < 200 && statuses.filter((status) => status === 408).length < 64; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 0; i < 20; i += 1) expect((await ask(served.server.url)).status).toBe(200);
    // Those that came last are still heard to their end.
    const last = waiting.at(-1)!;
    last.end(LIST.slice(1));
    for (let tries = 0; tries < 200 && statuses[127] === undefined; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect([statuses[0], statuses[127]]).toEqual([408, 200]);
    for (const sent of waiting) sent.destroy();
  });

  it("that hold many calls are refused those above 64", async () => {
    const calls = Array.from({ length: 100 }, (_, id) => ({
      ...{ jsonrpc: "2.0", id, method: "tools/call" },
      params: { name: "scan", arguments: { of: "nodes" } },
    }));
    const { text } = await ask(served.server.url, { body: JSON.stringify(calls) });
    expect(text).toContain("E_LIMIT");
    expect(served.service.inFlight).toBe(0);
  });
});

it("a port that is taken is E_IO", async () => {
  const port = Number(new URL(served.server.url).port);
  const outcome = serveHttp(served.service, { port, host: "127.0.0.1", token: null, warn: () => {} });
  await expect(outcome).rejects.toMatchObject({ code: "E_IO", details: { port } });
});
