// What a reader sees under every scripted fault: the stated outcome, in time, nothing left behind, and no value, date or name
// in any text that the auditor cannot trace.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AskResult, createAgent } from "../../src/agent/index.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { Database } from "../../src/index.js";
import { audit } from "./auditor/audit.js";
import type { ReadMedium } from "./auditor/medium.js";
import { MOST_PAID, paymentStore } from "./conversations.js";
import { FAULTS, type Fault } from "./faults.js";
import { ModelServer, type Reply } from "./model-server.js";
import { isReport, said } from "./replies.js";

let db: Database;
beforeAll(async () => {
  db = await paymentStore();
});
afterAll(() => db.close());

const MEDIA: readonly ReadMedium[] = ["plain", "terminal", "markdown", "html"];

/** The server of a fault. */
async function served({ plans, reports = [MOST_PAID.report], first }: Fault): Promise<ModelServer> {
  const next = { plan: 0, report: 0 };
  return ModelServer.start((asked, position) => {
    const reply = first?.(asked, position) ?? null;
    if (reply !== null) return reply;
    const [kind, replies] = isReport(asked) ? (["report", reports] as const) : (["plan", plans] as const);
    const given = replies[Math.min(next[kind]++, replies.length - 1)];
    return typeof given === "object" && given !== null && "reply" in given ? (given.reply as Reply) : said(given);
  });
}

/** What keeps the process running, but for the pipes of the test's own process. */
const held = (): number =>
  process.getActiveResourcesInfo().filter((kind) => /Timeout|TCP|Immediate|GetAddrInfo/.test(kind)).length;

async function settled(most: number): Promise<number> {
  for (let tries = 0; tries < 100 && held() > most; tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  return held();
}

interface Ended {
  readonly outcome: string;
  readonly result: AskResult | null;
  readonly error: PalimpsestError | null;
  readonly tookMs: number;
}

async function asked(fault: Fault, url: string, medium: ReadMedium): Promise<Ended> {
  const capability = fault.isProbed === true ? {} : { capability: "text" as const };
  const agent = createAgent(db, { model: { base_url: url, retries: 0, ...capability, ...fault.model }, medium });
  const begun = performance.now();
  const took = (): number => performance.now() - begun;
  try {
    const result = await agent.ask(MOST_PAID.question, { mode: "plan", ...fault.options, limits: fault.limits ?? {} });
    return { outcome: result.answer.status, result, error: null, tookMs: took() };
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    return { outcome: error.code, result: null, error, tookMs: took() };
  }
}

describe("under every scripted fault", () => {
  it.each(FAULTS.map((fault, i) => [fault.name, fault.outcome, fault, MEDIA[i % 4]!] as const))(
    "%s: %s",
    { retry: 2 },
    async (_, outcome, fault, medium) => {
      const before = held();
      const server = await served(fault);
      const ended = await asked(fault, server.url, medium);
      await server.stop();
      expect(ended.outcome).toBe(outcome);
      const wallMs = fault.limits?.wall_ms;
      if (wallMs !== undefined) expect(ended.tookMs).toBeLessThan(wallMs + 300);
      if (ended.error !== null) expect(ended.error.message + ended.error.hint).not.toMatch(/42|\bbo\b/);
      if (ended.result !== null) {
        const { answer } = ended.result;
        const found = await audit({ ...ended.result, db, question: MOST_PAID.question, medium });
        expect(found, answer.text).toEqual([]);
        if (outcome === "answered") expect(answer.parts).toMatchObject([{ value: "bo" }, { value: 3 }]);
        const shown = new Set(answer.claims.map(({ verdict }) => verdict));
        expect([...shown].every((verdict) => verdict === "supported" || verdict === "supported_partial")).toBe(true);
        for (const { id } of answer.claims) expect(answer.text).not.toContain(`{${id}}`);
      }
      expect(await settled(before)).toBeLessThanOrEqual(before);
    },
  );

  it("that no server is there: E_MODEL", async () => {
    const server = await ModelServer.start(() => said(MOST_PAID.plan));
    const { url } = server;
    await server.stop();
    const ended = await asked({ name: "", outcome: "E_MODEL", plans: [] }, url, "plain");
    expect(ended.outcome).toBe("E_MODEL");
    expect(ended.error!.details).toMatchObject({ kind: "connection", attempts: 1 });
  });
});

describe("a question that is cancelled", () => {
  const slow: readonly (readonly [string, Partial<Fault>])[] = [
    ["before the first byte", { first: () => ({ text: "{}", firstAfterMs: 4_000 }) }],
    ["in the middle of a stream", { first: () => ({ text: "x".repeat(4_000), pieceAfterMs: 20 }) }],
    ["while it waits to try again", { first: () => ({ status: 500 }), model: { retries: 9 } }],
    [
      "while the server wants quiet",
      { first: () => ({ status: 429, headers: { "retry-after": "9" } }), model: { retries: 9 } },
    ],
    ["while the server is probed", { first: () => ({ text: "{}", firstAfterMs: 4_000 }), isProbed: true }],
    ["in the report", { first: (request) => (isReport(request) ? { text: "{}", firstAfterMs: 4_000 } : null) }],
    ["in a loop", { first: () => ({ text: "{}", firstAfterMs: 4_000 }), options: { mode: "loop" } }],
  ];

  it.each(slow)("ends within 100 ms: %s", async (_, more) => {
    const before = held();
    const lags: number[] = [];
    // The machine may be busy with something else at any one time.
    for (let tries = 0; tries < 3 && (lags.length === 0 || Math.min(...lags) > 100); tries += 1) {
      const server = await served({ name: "", outcome: "E_CANCELLED", plans: [MOST_PAID.plan], ...more });
      const controller = new AbortController();
      let abortedAt = 0;
      setTimeout(() => {
        abortedAt = performance.now();
        controller.abort();
      }, 250);
      const fault: Fault = { name: "", outcome: "E_CANCELLED", plans: [], ...more };
      const options = { ...fault.options, signal: controller.signal };
      const ended = await asked({ ...fault, options }, server.url, "plain");
      lags.push(performance.now() - abortedAt);
      expect(ended.outcome).toBe("E_CANCELLED");
      await server.stop();
    }
    expect(Math.min(...lags)).toBeLessThan(100);
    expect(await settled(before)).toBeLessThanOrEqual(before);
  });
});
