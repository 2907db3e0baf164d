// Calls that take long: progress while they run, and a cancelled one that stops working, on both transports and in both eras.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Client, Progress } from "@modelcontextprotocol/client";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { commandLine } from "../e2e/command-line.js";
import { ERAS, type Era, objectOf, overHttp, overStdio, type Served, temporaryFolder } from "./clients.js";

const EVENTS = 100_000;
const NODES = 40;
/** Takes seconds over the store below. */
const SLOW = { name: "count_temporal_motifs", arguments: { motif: "all", delta: "P1D" } };

const cli = commandLine();
const folder = temporaryFolder();
const path = folder.path("busy.store");
let served: Served;

beforeAll(async () => {
  const db = await open(path);
  let state = 7;
  const node = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return `n${(state >> 8) % NODES}`;
  };
  const events = Array.from({ length: EVENTS }, (_, i) => ({ src: node(), dst: node(), time: BigInt(i) * 1_000n }));
  await db.ingest({
    src: events.map(({ src }) => src),
    dst: events.map(({ dst }) => dst),
    type: events.map(() => "M"),
    time: BigInt64Array.from(events, ({ time }) => time),
  });
  await db.close();
  served = await overHttp(await open(path, { readOnly: true }));
}, 60_000);
afterAll(async () => {
  await served.close();
  folder.remove();
});

const until = async (holds: () => boolean): Promise<number> => {
  const began = performance.now();
  while (!holds() && performance.now() - began < 10_000) await new Promise((next) => setTimeout(next, 5));
  return performance.now() - began;
};

/** Bounds of time: a busy machine may miss one, a fault misses all three. */
const PROMPT = { timeout: 60_000, retry: 2 };

const TRANSPORTS = ERAS.flatMap((era) => [["HTTP", era] as const, ["stdio", era] as const]);
const connect = (transport: "HTTP" | "stdio", era: Era): Promise<Client> =>
  transport === "HTTP" ? served.client(era) : overStdio(cli.program, path, era);

describe.each(TRANSPORTS)("over %s, protocol %s", (transport, era) => {
  it("tells progress of a call that takes longer than 250 ms", { timeout: 60_000 }, async () => {
    const client = await connect(transport, era);
    const notices: Progress[] = [];
    const result = await client.callTool(SLOW, { onprogress: (notice) => void notices.push(notice), timeout: 50_000 });
    expect(objectOf(result)).toMatchObject({ op: "count_temporal_motifs", complete: true });
    expect(notices.length).toBeGreaterThan(1);
    for (const [i, { progress, total, message }] of notices.entries()) {
      expect(progress).toBeGreaterThan(i === 0 ? 0 : notices[i - 1]!.progress);
      expect(total).toBe(1);
      expect(progress).toBeLessThan(1);
      expect(message).toMatch(/^0 of 1 calls done, \d+\.\d s$/);
    }
    await client.close();
  });

  it("is silent about a call that is done sooner", async () => {
    const client = await connect(transport, era);
    const notices: Progress[] = [];
    await client.callTool(
      { name: "scan", arguments: { of: "commits" } },
      { onprogress: (notice) => void notices.push(notice) },
    );
    expect(notices).toEqual([]);
    await client.close();
  });
});

it("counts the steps of a plan that are done", { timeout: 60_000 }, async () => {
  const client = await served.client();
  const steps = ["PT1S", "PT2S", "P1D"].map((delta, i) => ({
    id: `s${i + 1}`,
    op: SLOW.name,
    args: { motif: "all", delta },
    // One after the other.
    ...(i === 0 ? {} : { depends_on: [`s${i}`] }),
  }));
  const plan = { steps, answer: { kind: "table", from: "s3" } };
  const notices: Progress[] = [];
  await client.callTool(
    { name: "run_plan", arguments: { plan } },
    { onprogress: (notice) => void notices.push(notice), timeout: 50_000 },
  );
  expect(notices.map(({ total }) => total)).toContain(3);
  expect(Math.max(...notices.map(({ progress }) => progress))).toBeGreaterThan(2);
});

describe("cancelled", () => {
  it("over HTTP, a call ends and frees its place", PROMPT, async () => {
    const client = await served.client("auto");
    const stop = new AbortController();
    const outcome = client.callTool(SLOW, { signal: stop.signal, timeout: 50_000 }).catch((error: unknown) => error);
    await until(() => served.service.inFlight === 1);
    await new Promise((next) => setTimeout(next, 300));
    expect(served.service.inFlight).toBe(1);
    stop.abort();
    expect(await outcome).toBeInstanceOf(Error);
    // Whoever waits for the kernel to end by itself waits for seconds.
    expect(await until(() => served.service.inFlight === 0)).toBeLessThan(500);
  });

  it("over HTTP, the older protocol's message ends no call, as it names none: closing does", PROMPT, async () => {
    // Each client counts its requests from 0, so that a message for one may name a call of another.
    const [asking, other] = [await served.client("legacy"), await served.client("legacy")];
    const outcome = asking.callTool(SLOW, { timeout: 50_000 }).catch((error: unknown) => error);
    await until(() => served.service.inFlight === 1);
    for (const requestId of [0, 1, 2, 3])
      await other.notification({ method: "notifications/cancelled", params: { requestId } });
    await new Promise((next) => setTimeout(next, 300));
    expect(served.service.inFlight).toBe(1);
    await asking.close();
    expect(await outcome).toBeInstanceOf(Error);
    expect(await until(() => served.service.inFlight === 0)).toBeLessThan(500);
  });

  it("over HTTP, a request that is closed ends its call", PROMPT, async () => {
    const stop = new AbortController();
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: SLOW });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const outcome = fetch(served.server.url, { method: "POST", headers, body, signal: stop.signal })
      .then((response) => response.text())
      .catch((error: unknown) => error);
    await until(() => served.service.inFlight === 1);
    stop.abort();
    expect(await outcome).toBeInstanceOf(Error);
    expect(await until(() => served.service.inFlight === 0)).toBeLessThan(500);
  });

  it.each(ERAS)("over stdio, protocol %s, the process rests", { timeout: 60_000 }, async (era) => {
    const client = await overStdio(cli.program, path, era);
    const { pid } = client.transport as StdioClientTransport;
    /** Ticks of the processor, 100 a second, that the process has taken. */
    const ticks = (): number => {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      return Number(fields[11]) + Number(fields[12]);
    };
    const idle = ticks();
    await client.callTool(SLOW, { timeout: 50_000 });
    const whole = ticks() - idle;
    const stop = new AbortController();
    const outcome = client.callTool(SLOW, { signal: stop.signal, timeout: 50_000 }).catch((error: unknown) => error);
    const asked = ticks();
    await until(() => ticks() > asked + whole / 8);
    stop.abort();
    expect(await outcome).toBeInstanceOf(Error);
    // It rests once 300 ms take next to nothing. Whoever lets the kernel end by itself takes the whole call's ticks again.
    for (let before = -10; ticks() - before > 3; ) {
      before = ticks();
      await new Promise((next) => setTimeout(next, 300));
    }
    expect(ticks() - asked).toBeLessThan(whole / 2);
    expect(objectOf(await client.callTool({ name: "scan", arguments: { of: "commits" } }))).toMatchObject({
      op: "scan",
    });
    await client.close();
  });

  it.each([
    ["the end of standard input", (child: ChildProcessWithoutNullStreams) => child.stdin.end()],
    ["SIGTERM", (child: ChildProcessWithoutNullStreams) => child.kill("SIGTERM")],
  ])("by %s, the process ends and waits for no call", PROMPT, async (_, end) => {
    const child = spawn(process.execPath, [cli.program, "mcp", path]);
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "raw", version: "1" };
    send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
    send({ method: "notifications/initialized" });
    send({ id: 1, method: "tools/call", params: { ...SLOW, _meta: { progressToken: 1 } } });
    await new Promise<void>((runs) => {
      child.stdout.on("data", (piece: Buffer) => piece.includes("notifications/progress") && runs());
    });
    const ended = new Promise<number | null>((code) => child.once("exit", code));
    const began = performance.now();
    end(child);
    expect(await ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
