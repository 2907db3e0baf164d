// A server that fails, in every way to refuse and to break: what is asked again, and what is told.
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/agent/provider/config.js";
import { Provider } from "../../../src/agent/provider/provider.js";
import type { Reply } from "../model-server.js";
import { failure, KEY, RIGHT, request, ScriptedServer } from "./asking.js";

const served = ScriptedServer.begin();

describe("a server that fails", () => {
  const OK: Reply = { text: RIGHT };

  it.each<[string, Reply]>([
    ["429", { status: 429 }],
    ["500", { status: 500 }],
    ["503", { status: 503 }],
    ["408", { status: 408 }],
    ["409", { status: 409 }],
    ["a stream without a finish reason", { text: RIGHT, finish: null }],
    ["a stream that is cut in a token", { text: RIGHT, cutAfter: 0 }],
    ["an error in the stream", { raw: 'data: {"error": {"message": "boom"}}\n\n' }],
    ["no JSON in the stream", { raw: "data: {not json}\n\n" }],
  ])("is asked again after %s", async (_, bad) => {
    const { asked } = await served.start([bad, bad, OK]);
    const told: string[] = [];
    const answer = await served.client().ask(request({ onRetry: (attempt, kind) => told.push(`${attempt} ${kind}`) }));
    expect(answer).toMatchObject({ kind: "object", usage: { retries: 2, calls: 1 } });
    expect(asked).toHaveLength(3);
    expect(told).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 422])("is not asked again after %i", async (status) => {
    const { asked } = await served.start([{ status }]);
    const error = await failure(served.client().ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "status", status, attempts: 1 } });
    expect(asked).toHaveLength(1);
  });

  it.each([
    [401, "PALIMPSEST_LLM_KEY"],
    [403, "PALIMPSEST_LLM_KEY"],
    [404, "name of the model"],
    [400, "log of the model's server"],
  ])("says where to look after %i", async (status, where) => {
    await served.start([{ status }]);
    expect((await failure(served.client().ask(request()))).hint).toContain(where);
  });

  it.each(["text/html", "Text/HTML; charset=utf-8"])(
    "is told that %s is no answer, and what its address ends in",
    async (contentType) => {
      const { asked } = await served.start([{ raw: "<html>it works: sk-1</html>", contentType }]);
      const error = await failure(served.client().ask(request()));
      expect(error).toMatchObject({
        code: "E_MODEL",
        message: "the model's server answers with a web page (text/html)",
        details: { kind: "web_page", status: 200, attempts: 1 },
        hint: "the address should end in /v1 (model.base_url, or --url)",
      });
      expect(asked).toHaveLength(1);
    },
  );

  it("is given up when the retries are spent", async () => {
    const { asked } = await served.start([{ status: 500 }]);
    const error = await failure(served.client().ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "status", status: 500, attempts: 3 } });
    expect(asked).toHaveLength(3);
  });

  it("is given the time that it asks for, also by other questions", async () => {
    const { asked } = await served.start((_, position) =>
      position === 0 ? { status: 429, headers: { "retry-after": "1" } } : OK,
    );
    const asking = served.client();
    const beganMs = performance.now();
    const first = asking.ask(request());
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await Promise.all([first, asking.ask(request())]);
    expect(performance.now() - beganMs).toBeGreaterThan(950);
    expect(asked).toHaveLength(3);
  });

  it("is cut off when it sends without end", async () => {
    const server = await served.start([
      { raw: `data: {"choices": [{"delta": {"content": "${"x".repeat(2_000_000)}"}}]}\n\n` },
    ]);
    const line = await failure(served.client({ retries: 0 }).ask(request()));
    expect(line).toMatchObject({ code: "E_MODEL", details: { kind: "too_large" } });
    const [long, short] = [`: ${"x".repeat(900_000)}`, `: ${"x".repeat(900)}`];
    for (const raw of [`${long}\n\n`.repeat(10), `${short}\n`.repeat(2_000), "\n".repeat(300_000)]) {
      server.script = () => ({ raw });
      const body = await failure(served.client({ retries: 0 }).ask(request()));
      expect(body).toMatchObject({ code: "E_MODEL", details: { kind: "too_large" } });
    }
  });

  it.each(["\n\n", "\r\n\r\n"])("may send as many events as fit, with %j behind each", async (end) => {
    // Each event is far below a mebibyte, all of them are more.
    const pieces = `: ${"x".repeat(30_000)}${end}`.repeat(50);
    const said = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: RIGHT }, finish_reason: "stop" }] })}`;
    await served.start([{ raw: `${pieces}${said}${end}data: [DONE]${end}` }]);
    expect((await served.client({ retries: 0 }).ask(request())).kind).toBe("object");
  });

  it("may not lead elsewhere", async () => {
    await served.start([{ status: 302, headers: { location: "http://127.0.0.1:1/" } }]);
    const error = await failure(served.client().ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "redirect" } });
  });

  it("may not nest its answers without end", async () => {
    await served.start([{ raw: `data: {"a": ${"[".repeat(500)}${"]".repeat(500)}}\n\n` }]);
    const error = await failure(served.client({ retries: 0 }).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "bad_stream" } });
  });

  it("that is not there is told, and holds neither key nor address", async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
    const { port } = probe.address() as { port: number };
    await new Promise((resolve) => probe.close(resolve));
    const read = readConfig(
      { base_url: `http://127.0.0.1:${port}/v1`, model: "m", api_key: KEY, retries: 0, capability: "text" },
      {},
    );
    const error = await failure(new Provider(read, null).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "connection", attempts: 1 } });
    expect(JSON.stringify([error.message, error.details, error.hint, error.stack])).not.toContain(KEY);
  });

  it("that is slow ends with the attempt's time", async () => {
    await served.start([{ text: RIGHT, firstAfterMs: 5_000 }]);
    const beganMs = performance.now();
    const error = await failure(served.client({ timeout_ms: 200, retries: 0 }).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "timeout" } });
    expect(performance.now() - beganMs).toBeLessThan(2_000);
  });

  it("that trickles ends with the attempt's time, too", async () => {
    await served.start([{ text: "x".repeat(1000), pieceLength: 1, pieceAfterMs: 20 }]);
    const error = await failure(served.client({ timeout_ms: 300, retries: 0 }).ask(request()));
    expect(error).toMatchObject({ code: "E_MODEL", details: { kind: "timeout" } });
  });
});
