// Answers that arrive: where a request is refused before it was sent to its end, where a connection is used again late, and
// where what is sent is no request, or too slow to be one.
import { on } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import { type HttpServer, Service, serveHttp } from "../../src/mcp/index.js";
import { ask, JSON_HEADERS, LIST } from "./raw-http.js";

const IDLE_MS = 1_000;
const PATIENCE_MS = 300;
const TOKEN = "0123456789abcdef0123456789abcdef";
const MIB = 1 << 20;

let db: Database;
let patient: HttpServer;
let hasty: HttpServer;
let guarded: HttpServer;
beforeAll(async () => {
  db = await open(":memory:");
  const service = new Service(db, "0.0.0");
  const options = { port: 0, host: "127.0.0.1", token: null, warn: () => {} };
  patient = await serveHttp(service, { ...options, idleMs: IDLE_MS });
  hasty = await serveHttp(service, { ...options, requestTimeoutMs: PATIENCE_MS });
  guarded = await serveHttp(service, { ...options, token: TOKEN });
});
afterAll(async () => {
  await Promise.all([patient.close(), hasty.close(), guarded.close()]);
  await db.close();
});

/** Nothing runs for so long, as on a machine that is busy. */
const stall = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const HEAD = "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
const WHOLE = `${HEAD}accept: ${JSON_HEADERS.accept}\r\ncontent-length: ${LIST.length}\r\n\r\n${LIST}`;

it("a connection that a client may still use is not closed by the server, also where both were held up", async () => {
  const { hostname, port } = new URL(patient.url);
  const socket = connect(Number(port), hostname);
  const answered = async (): Promise<string> => {
    socket.write(WHOLE);
    let text = "";
    for await (const [piece] of on(socket, "data", { close: ["end", "close"] })) {
      text += String(piece);
      if (text.endsWith("\r\n0\r\n\r\n")) return text;
    }
    return "closed";
  };
  expect(await answered()).toContain(`keep-alive: timeout=${IDLE_MS / 1_000}\r\n`);
  // All timers of the server run out, and none is heard before there is a request again. Node itself waits a second more.
  stall(IDLE_MS + 1_300);
  expect(await answered()).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

/** What comes back over a connection until the server ends it. */
function exchanged(url: string, send: (socket: Socket) => void): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => send(socket));
    let text = "";
    socket.on("data", (piece: Buffer) => (text += piece.toString()));
    socket.on("end", () => resolve(text)).on("error", reject);
  });
}

describe("a refusal arrives, however much was still to be sent", () => {
  const body = Buffer.alloc(24 * MIB, " ");
  const chunked = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
  const length = `content-length: ${body.length}\r\n`;
  const chunks = "transfer-encoding: chunked\r\n";
  it.each<[number, string, Buffer, () => string]>([
    [413, HEAD + length, body, () => patient.url],
    [413, HEAD + chunks, chunked, () => patient.url],
    [401, `${HEAD}authorization: Bearer x\r\n${length}`, body, () => guarded.url],
    [401, HEAD + chunks, chunked, () => guarded.url],
    [403, HEAD.replace("localhost", "evil.example") + length, body, () => patient.url],
    [403, `${HEAD}origin: http://evil.example\r\n${chunks}`, chunked, () => patient.url],
    [404, HEAD.replace("/mcp", "/") + length, body, () => patient.url],
  ])("%i, at a client that reads when it has sent all", async (status, head, sent, url) => {
    const text = await exchanged(url(), (socket) => {
      socket.pause();
      socket.write(`${head}\r\n`);
      socket.write(sent, () => socket.resume());
    });
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*connection: close\r\n`, "i"));
    expect(JSON.parse(text.split("\r\n\r\n")[1]!)).toMatchObject({ jsonrpc: "2.0", error: { code: -32000 }, id: null });
    expect((await ask(url(), { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200);
  });

  it("at fetch", async () => {
    const { status } = await fetch(patient.url, { method: "POST", headers: JSON_HEADERS, body });
    expect(status).toBe(413);
  });
});

describe("bytes that are no request", () => {
  it.each<[string, string, string]>([
    ["nonsense", "\u0016\u0003\u0001 hello\r\n\r\n", "400 Bad Request"],
    ["a header without a name", `${HEAD}: x\r\n\r\n`, "400 Bad Request"],
    ["two lengths", `${HEAD}content-length: 3\r\ncontent-length: 4\r\n\r\n`, "400 Bad Request"],
    [
      "a length and chunks",
      `${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      "400 Bad Request",
    ],
    ["headers of 64 KiB", `${HEAD}x: ${"x".repeat(64 << 10)}\r\n\r\n`, "431 Request Header Fields Too Large"],
    [
      "a request line of 64 KiB",
      `POST /mcp?${"x".repeat(64 << 10)} HTTP/1.1\r\n\r\n`,
      "431 Request Header Fields Too Large",
    ],
  ])("%s", async (_, bytes, status) => {
    const text = await exchanged(patient.url, (socket) => socket.write(bytes));
    const [head, body] = text.split("\r\n\r\n") as [string, string];
    expect(head.split("\r\n")[0]).toBe(`HTTP/1.1 ${status}`);
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: "2.0", error: { code: -32000 }, id: null });
    expect((await ask(patient.url)).status).toBe(200);
  });

  it("too slow: headers, and a body, by the byte", async () => {
    const drip = (begin: string) => (socket: Socket) => {
      socket.write(begin);
      const timer = setInterval(() => socket.write(" "), PATIENCE_MS / 10);
      socket.once("close", () => clearInterval(timer)).once("end", () => clearInterval(timer));
    };
    const slow = [`${HEAD}x: `, `${HEAD}content-length: 1000\r\n\r\n{`];
    const outcomes = await Promise.all(slow.map((begin) => exchanged(hasty.url, drip(begin))));
    for (const text of outcomes) expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*"the request took too long to arrive"/);
    expect((await ask(hasty.url)).status).toBe(200);
  });

  it("behind a request: its answer is whole", async () => {
    const text = await exchanged(patient.url, (socket) => socket.write(`${WHOLE}nonsense\r\n\r\n`)).catch(
      () => "reset",
    );
    if (text !== "reset") expect(text).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect((await ask(patient.url)).status).toBe(200);
  });
});

describe("connections that say nothing", () => {
  const silent = (count: number): readonly Socket[] => {
    const { hostname, port } = new URL(patient.url);
    return Array.from({ length: count }, () => connect(Number(port), hostname));
  };
  const closings = (sockets: readonly Socket[]): readonly Promise<unknown>[] =>
    sockets.map((socket) => new Promise((done) => socket.on("error", () => {}).once("close", done)));

  it("keep nobody out: those that have rested longest are closed, and their places come back", async () => {
    const all = silent(300);
    const closed = closings(all);
    await Promise.all(closed.slice(0, 40));
    for (let i = 0; i < 10; i += 1) expect((await ask(patient.url)).status).toBe(200);
    expect(all.at(-1)!.closed).toBe(false);
    for (const socket of all) socket.destroy();
    await Promise.all(closed);
    expect((await ask(patient.url)).status).toBe(200);
  });

  it("are also those whose request was answered", async () => {
    const { hostname, port } = new URL(patient.url);
    const kept = connect(Number(port), hostname);
    const [closed] = closings([kept]);
    kept.write(WHOLE);
    await new Promise((answered) => kept.once("data", answered));
    const all = silent(300);
    await closed;
    for (const socket of all) socket.destroy();
    await Promise.all(closings(all.filter((socket) => !socket.closed)));
  });

  it("end no request that is under way", async () => {
    const { hostname, port } = new URL(patient.url);
    const slow = connect(Number(port), hostname);
    let text = "";
    const answered = new Promise<void>((done) => {
      slow.on("data", (piece: Buffer) => {
        text += String(piece);
        if (text.endsWith("\r\n0\r\n\r\n")) done();
      });
    });
    slow.write(WHOLE.slice(0, -1));
    expect((await ask(patient.url)).status).toBe(200);
    const all = silent(300);
    const closed = closings(all);
    await Promise.all(closed.slice(0, 40));
    slow.write(WHOLE.slice(-1));
    await answered;
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [slow, ...all]) socket.destroy();
    await Promise.all(closed);
  });
});
