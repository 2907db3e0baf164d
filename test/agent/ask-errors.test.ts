// Whole questions over a store that refuses or fails: a step that is too dear goes back with every smaller call that fits, and
// what no other plan mends never does, wherever it comes from, and is told in the answer.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createAgent, type Mode } from "../../src/agent/index.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { type Database, open } from "../../src/index.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { type Asked, ModelServer } from "./model-server.js";
import { planServer } from "./payees.js";
import { isReport, said } from "./replies.js";

const EVENTS = 200;
const MINUTE_US = 60_000_000n;
const START_US = 1_577_836_800_000_000n;
const DAY = { from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" };
const QUESTION = "How often did messages go back and forth?";

let db: Database;
let server: ModelServer | null = null;
beforeAll(async () => {
  db = await open(":memory:");
  // A message a minute, by turns.
  const ends = (first: number) => Array.from({ length: EVENTS }, (_, i) => (i % 2 === first ? "ana" : "bo"));
  const time = BigInt64Array.from({ length: EVENTS }, (_, i) => START_US + BigInt(i) * MINUTE_US);
  await db.ingest({ src: ends(0), dst: ends(1), time }, { type: "M" });
});
afterAll(() => db.close());
afterEach(async () => {
  vi.restoreAllMocks();
  await server?.stop();
  server = null;
});

async function ask(mode: Mode) {
  const agent = createAgent(db, { model: { base_url: server!.url, capability: "text", retries: 0 }, mode });
  return agent.ask(QUESTION);
}

/** The last that the model was told before its turn at a position. */
const toldBefore = (position: number): string => server!.asked[position]!.body.messages.at(-1)!.content;

async function played(turns: readonly unknown[]): Promise<void> {
  let taken = 0;
  server = await ModelServer.start((asked: Asked) =>
    said(isReport(asked) ? "?" : turns[Math.min(taken++, turns.length - 1)]),
  );
}

describe("a step that is too dear", () => {
  const OP = "count_temporal_motifs";
  const args = (delta: string) => ({ motif: "a>b,b>a,a>b,b>a,a>b,b>a", delta, window: DAY });
  const plan = (delta: string) => ({
    thought: "Six in turn.",
    steps: [{ id: "s1", op: OP, args: args(delta) }],
    answer: { kind: "count", from: "s1.count" },
  });
  // Six messages in turn within five minutes are neighbours: each message but the last five begins such a row.
  const found = EVENTS - 5;

  /** What the database itself suggests. */
  async function suggested(): Promise<readonly string[]> {
    const refusal = await db.call(OP, args("PT4H")).catch((error: PalimpsestError) => error);
    const { code, details } = refusal as PalimpsestError;
    expect(code).toBe("E_COST");
    const patches = (details.suggestions as { args_patch: object }[]).map(({ args_patch }) =>
      canonicalJson(args_patch),
    );
    expect(patches.length).toBeGreaterThan(1);
    return patches;
  }

  async function expectTold(text: string): Promise<void> {
    expect(text).toContain('"code":"E_COST"');
    const legal = JSON.parse(/"legal":("(?:[^"\\]|\\.)*")/.exec(text)![1]!) as string;
    for (const patch of await suggested()) expect(legal).toContain(patch);
  }

  it("goes back to who writes plans, with all that fits", async () => {
    server = await planServer([plan("PT4H"), plan("PT5M")], ["?"]);
    const { answer } = await ask("plan");
    await expectTold(toldBefore(1));
    expect(answer).toMatchObject({ status: "answered", parts: [{ kind: "count", value: found }] });
    expect(answer.attempts[0]!.violations).toMatchObject([{ code: "E_COST", kind: "too_costly", step: "s1" }]);
  });

  it("goes back to who calls, and is no step", async () => {
    const call = (delta: string) => ({ call: { op: OP, args: args(delta) } });
    await played([call("PT4H"), call("PT5M"), { finish: { answer: { kind: "count", from: "s1.count" } } }]);
    const { answer, trace } = await ask("loop");
    await expectTold(toldBefore(1));
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: found }] });
    expect(trace!.steps).toHaveLength(1);
  });

  it("is told in an answer that fails of it", async () => {
    server = await planServer([plan("PT4H")], ["?"]);
    const { answer } = await ask("plan");
    expect(answer).toMatchObject({ status: "failed", error: { code: "E_PLAN_INVALID" } });
    const [violation] = answer.error!.details!.violations as unknown as { code: string; hint: string }[];
    expect(violation!.code).toBe("E_COST");
    for (const patch of await suggested()) expect(violation!.hint).toContain(patch);
  });
});

describe("a digest that does not match its file", () => {
  const MESSAGE = "the digest of a segment is another";
  const series = {
    id: "s1",
    op: "graph_metric_timeseries",
    args: { metric: "edge_event_count", window: DAY, stride: "PT10M" },
  };
  const plan = { thought: "", steps: [series], answer: { kind: "value", from: "s1.rows[0].value" } };
  const call = { call: { op: series.op, args: series.args } };
  const finish = { finish: { answer: plan.answer } };
  const trend = {
    text: "{c1}. The {c2}.",
    claims: [
      { id: "c1", type: "value", cell: "s1.rows[0].value" },
      { id: "c2", type: "temporal_pattern", pattern: "burst", step: "s1", row: "s1.rows[3].value" },
    ],
  };

  /** The engine fails at its n-th call of an operator. */
  function failing(op: string, at = 1): void {
    const { pin } = NativeEngine.prototype;
    let calls = 0;
    vi.spyOn(NativeEngine.prototype, "pin").mockImplementation(function (this: NativeEngine, tx) {
      const view = pin.call(this, tx);
      const run = view.run.bind(view);
      view.run = (name, args, context) => {
        calls += name === op ? 1 : 0;
        if (name === op && calls >= at) throw new PalimpsestError("E_INTERNAL", MESSAGE, { details: { rows: 7n } });
        return run(name, args, context);
      };
      return view;
    });
  }

  const told = {
    status: "failed",
    error: { code: "E_INTERNAL", message: expect.stringContaining(MESSAGE) },
    could_not: [{ part: 0, code: "E_INTERNAL", why: expect.stringContaining(MESSAGE) }],
    plan: null,
    parts: [],
    evidence: [],
  };

  it.each<[string, Mode, readonly unknown[], string, number]>([
    ["in a step of a plan", "plan", [plan], series.op, 1],
    ["in a step, where calls could follow", "auto", [plan], series.op, 1],
    ["in a call", "loop", [call], series.op, 1],
    ["in a check of a claim", "plan", [plan, trend], "burst_detection", 2],
    ["in a check of a claim after calls", "loop", [call, finish, trend], "burst_detection", 3],
  ])("is in the answer, and nothing is asked for again: %s", async (_, mode, replies, op, asked) => {
    let position = 0;
    server = await ModelServer.start(() => said(replies[Math.min(position++, replies.length - 1)]));
    failing(op);
    const { answer, trace } = await ask(mode);
    expect(answer).toMatchObject(told);
    expect(answer.text).toMatch(/^Could not be shown: .*\(E_INTERNAL\)\.$/);
    expect(JSON.parse(JSON.stringify(answer.error!.details))).toMatchObject({ rows: "7" });
    expect([trace, server.asked.length]).toEqual([null, asked]);
  });

  /** The engine fails wherever something is asked of a view. */
  function failingView(method: "statistics" | "unknownUids"): void {
    const { pin } = NativeEngine.prototype;
    vi.spyOn(NativeEngine.prototype, "pin").mockImplementation(function (this: NativeEngine, tx) {
      const view = pin.call(this, tx);
      view[method] = () => {
        throw new PalimpsestError("E_INTERNAL", MESSAGE);
      };
      return view;
    });
  }

  it.each(["statistics", "unknownUids"] as const)(
    "is in the answer before a model is asked: while names and the card are looked up (%s)",
    async (method) => {
      server = await planServer([plan], ["?"]);
      failingView(method);
      const { answer, trace, mentions } = await createAgent(db, {
        // Another property than other questions have: a card that no question has made yet.
        name_props: [`of_${method}`],
        model: { base_url: server.url, capability: "text", retries: 0 },
      }).ask(QUESTION);
      expect(answer).toMatchObject(told);
      expect(answer.text).toBe("Could not be shown: the store failed (E_INTERNAL).");
      expect([trace, mentions, server.asked.length]).toEqual([null, [], 0]);
    },
  );
});
