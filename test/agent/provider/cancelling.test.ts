// Questions that are cancelled: at once, heard by the server, and no concern of other questions.
import { describe, expect, it } from "vitest";
import type { Reply } from "../model-server.js";
import { failure, RIGHT, request, ScriptedServer } from "./asking.js";

const served = ScriptedServer.begin();

describe("cancelling", () => {
  it.each<[string, Reply]>([
    ["before the first byte", { text: RIGHT, firstAfterMs: 60_000 }],
    ["in the stream", { text: "x".repeat(10_000), pieceLength: 1, pieceAfterMs: 10 }],
    ["while it waits to try again", { status: 429, headers: { "retry-after": "50" } }],
  ])("%s takes less than 100 ms, and the server hears of it", { retry: 2 }, async (_, reply) => {
    const server = await served.start([reply]);
    const controller = new AbortController();
    const asking = served.client().ask(request({ signal: controller.signal }));
    const settled = failure(asking);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const beganMs = performance.now();
    controller.abort();
    expect((await settled).code).toBe("E_CANCELLED");
    expect(performance.now() - beganMs).toBeLessThan(100);
    for (let turn = 0; turn < 100 && server.running > 0; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(server.running).toBe(0);
  });

  it("while the server is probed leaves the probe to others", async () => {
    await served.start(({ body }) => ({ text: body.tools === undefined ? RIGHT : "{}", firstAfterMs: 50 }));
    const asking = served.client({ capability: undefined as never });
    const controller = new AbortController();
    const first = failure(asking.ask(request({ signal: controller.signal })));
    const second = asking.ask(request());
    await new Promise((resolve) => setTimeout(resolve, 30));
    controller.abort();
    expect((await first).code).toBe("E_CANCELLED");
    expect(await second).toMatchObject({ kind: "object", rung: "text" });
  });

  it("leaves the others alone, and no more run at once than may", async () => {
    const server = await served.start([{ text: RIGHT, firstAfterMs: 100 }]);
    const asking = served.client({ in_flight: 2, model: "m", context_tokens: 100_000 });
    const controller = new AbortController();
    const all = [request({ signal: controller.signal }), ...Array.from({ length: 5 }, () => request())].map((each) =>
      asking.ask(each),
    );
    controller.abort();
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", ...Array(5).fill("fulfilled")]);
    expect(server.mostRunning).toBeLessThanOrEqual(2);
  });
});
