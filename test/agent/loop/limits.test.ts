// Loops that are ended: by a signal, by time, by tokens, by rows, by a server that is gone.
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../../src/contract/errors.js";
import { said } from "../replies.js";
import { finish, LoopSuite, payees, RIGHT } from "./asking.js";

const suite = LoopSuite.begin();

describe("limits", () => {
  const code = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "none",
      (error: unknown) => (error instanceof PalimpsestError ? error.code : String(error)),
    );

  it("end a loop by its signal, at once", { retry: 2 }, async () => {
    let turns = 0;
    await suite.serve(() => (turns++ === 0 ? said(payees("ada")) : { text: "{}", firstAfterMs: 60_000 }));
    const controller = new AbortController();
    const asking = code(suite.ask({ signal: controller.signal }));
    while (suite.server.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const since = performance.now();
    controller.abort();
    expect(await asking).toBe("E_CANCELLED");
    expect(performance.now() - since).toBeLessThan(100);
  });

  it("end a loop by its wall, and say so", async () => {
    await suite.serve(() => ({ text: "{}", firstAfterMs: 60_000 }));
    const error = await suite.ask({}, { wall_ms: 150 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "E_CANCELLED", details: { reason: "deadline", limit: "wall_ms" } });
  });

  it("end a loop whose answers are cut, with what its steps give", async () => {
    let turns = 0;
    const first = finish("value", "s1.rows[0].dst", { kind: "count", from: "s1.rows[0].payments" });
    await suite.serve(() => {
      turns += 1;
      if (turns > 2) return { text: "{", finish: "length" };
      return said(turns === 1 ? payees("ada") : first);
    });
    const { answer } = await suite.ask();
    expect(answer).toMatchObject({ status: "partial", parts: [{ value: "bo" }], notices: ["limit: output_cut"] });
    await suite.serve(() => ({ text: "{", finish: "length" }));
    expect((await suite.ask()).answer).toMatchObject({ status: "failed", could_not: [{ code: "E_LIMIT" }] });
  });

  // The server says 110 tokens a call.
  it("count the tokens of all turns", async () => {
    await suite.playTurns(Array.from({ length: 9 }, (_, i) => payees("ada", { limit: i + 1 })));
    const { answer } = await suite.ask({}, { tokens: 300 });
    expect(suite.server.asked).toHaveLength(3);
    expect(answer.usage).toMatchObject({ calls: 3, prompt_tokens: 300 });
    expect(answer.text).toContain("limits.tokens = 300 is spent");
  });

  it("leave the words to code where the loop took all tokens", async () => {
    await suite.playTurns(RIGHT);
    const { answer } = await suite.ask({}, { tokens: 330 });
    expect(answer).toMatchObject({ status: "answered", notices: ["limit: tokens"], parts: [{ value: "bo" }, {}] });
  });

  it("count the rows of all results", async () => {
    await suite.playTurns(RIGHT);
    await suite.ask({}, { rows_held: 3 });
    expect(suite.lastTold(2)).toContain("E_COST");
  });

  it("tell of a server that is gone", async () => {
    await suite.serve(() => ({ status: 500 }));
    expect(await code(suite.ask())).toBe("E_MODEL");
  });
});
