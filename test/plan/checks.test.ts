// Traces that are run again: what is the same, and every kind of change that must be found. And limits of a run.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/contract/values.js";
import { nextTurn } from "../../src/event-loop/pace.js";
import { type Database, open, type Trace } from "../../src/index.js";
import type { OperatorEngine, PinnedEngine } from "../../src/operators/engine.js";
import { S1 } from "../../src/operators/example-stores.js";
import { ResultStore, runPlan } from "../../src/plan/index.js";
import { EngineAtCommit } from "../../src/plan/run/ask-pin.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";

const PLAN = {
  steps: [
    {
      id: "s1",
      op: "aggregate_events",
      args: { group_by: [{ dim: "node", role: "src" }], aggregates: [{ fn: "count", as: "n" }] },
    },
    { id: "s2", op: "temporal_reachability", args: { uid: { $ref: "s1.rows[0].src" } } },
    {
      id: "s3",
      op: "compute",
      args: { fn: "intersect", input: { $ref: "s1.rows[*].src" }, other: { $ref: "s2.rows[*].uid" } },
    },
  ],
  answer: { kind: "entity_set", from: "s3.rows[*].value", also: [{ kind: "count", from: "s2.rows_total" }] },
};

let db: Database;
let trace: Trace;
beforeAll(async () => {
  db = await open(":memory:");
  for (const { ops, txTime } of S1.batches) await db.write([...ops] as never, { txTime });
  trace = await db.run(PLAN);
});
afterAll(() => db.close());

const copied = (): Record<string, never> => structuredClone(trace) as never;

/** Every place of a value with another one there, and every list and object with a member more or less; but for times. */
function* changes(value: JsonValue, set: (changed: JsonValue) => void, path = ""): Generator<string> {
  const change = function* (changed: JsonValue): Generator<string> {
    set(changed);
    yield path;
    set(value);
  };
  if (typeof value === "string") yield* change(`${value}x`);
  else if (typeof value === "number") yield* change(value + 1);
  else if (typeof value === "boolean") yield* change(!value);
  else if (Array.isArray(value)) {
    if (value.length > 0) yield* change(value.slice(1));
    yield* change([...value, null]);
    for (const [i, member] of value.entries())
      yield* changes(member, (changed) => (value[i] = changed), `${path}/${i}`);
  } else if (value === null) yield* change({});
  else {
    const object = value as JsonObject;
    yield* change({ ...object, constructor: null });
    yield* change({ ...object, ["__proto__"]: {} });
    for (const [key, member] of Object.entries(object)) {
      if (key === "ms") continue;
      const { [key]: _, ...others } = object;
      yield* change(others);
      yield* changes(member, (changed) => (object[key] = changed), `${path}/${key}`);
    }
  }
}

describe("a trace", () => {
  it("gives the answer of a hand count", () => {
    // a reaches b and c; a, b and c send.
    expect(trace.answer).toMatchObject({ value: ["b", "c"], complete: true, also: [{ value: 2 }] });
  });

  it("is the same when it is run again, also after later writes", async () => {
    expect(await db.check(trace)).toBeNull();
    await db.write([
      {
        op: "assert_edge",
        src: "c",
        type: "M",
        dst: "d",
        valid_from: "2020-01-01T00:00:20Z",
        valid_to: "2020-01-01T00:00:21Z",
      },
    ]);
    expect(await db.check(trace)).toBeNull();
    const later = await db.run(PLAN);
    expect(later.trace_digest).not.toBe(trace.trace_digest);
    expect(later.plan_digest).toBe(trace.plan_digest);
  });

  it("is found changed wherever a value of it is another, but in times", async () => {
    let changed: JsonValue = copied();
    const missed: string[] = [];
    let count = 0;
    for (const path of changes(changed, (value) => (changed = value))) {
      count += 1;
      const found = await db.check(changed).catch((error: { code: string }) => error.code);
      if (found === null) missed.push(path);
    }
    expect(count).toBeGreaterThan(80);
    expect(missed).toEqual([]);
  });

  it("names the first step that differs", async () => {
    const changed = copied() as unknown as { steps: { rows_total: number }[] };
    changed.steps[1]!.rows_total = 7;
    expect(await db.check(changed)).toMatchObject({ step: "s2", field: "rows_total" });
  });

  it("is the same whatever order its steps are written in, but for their order in it", async () => {
    const turned = await db.run({ ...PLAN, steps: [...PLAN.steps].reverse() });
    const again = await db.run(PLAN);
    expect(turned.plan_digest).toBe(again.plan_digest);
    expect(turned.answer).toEqual(again.answer);
    expect([...turned.steps].reverse().map(({ ms: _, ...step }) => step)).toEqual(
      again.steps.map(({ ms: _, ...step }) => step),
    );
  });
});

describe("a run", () => {
  let store: CaseStore;
  beforeAll(async () => {
    store = await nativeCaseStore();
    for (const { ops, txTime } of S1.batches) await store.write([...ops] as JsonObject[], txTime);
  });
  afterAll(() => store.close());

  it("tells the failure of the earliest step, whoever fails first", async () => {
    // s1 fails some turns later than s2, as its instant takes that long to become a commit.
    const steps = [
      { id: "s1", op: "temporal_reachability", args: { uid: "nobody", as_of_tt: "2021-06-01T00:00:00Z" } },
      { id: "s2", op: "entity_history", args: { uid: "no one" } },
    ];
    const slow = slowInstants(store.engine);
    for (const order of [steps, [...steps].reverse()]) {
      const run = runPlan(slow, { steps: order, answer: { kind: "table", from: "s1" } });
      await expect(run).rejects.toMatchObject({ code: "E_NOT_FOUND", details: { step: order[0]!.id } });
    }
  });

  it("skips what lies behind a failure, and says what ran", async () => {
    const failing = {
      steps: [
        PLAN.steps[0]!,
        { id: "s2", op: "temporal_reachability", args: { uid: "nobody" } },
        { id: "s3", op: "compute", args: { fn: "count", input: { $ref: "s2.rows" } } },
      ],
      answer: { kind: "count", from: "s3.value" },
    };
    await expect(runPlan(store.engine, failing)).rejects.toMatchObject({
      details: {
        step: "s2",
        steps: [
          { id: "s1", status: "ok", result_digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
          { id: "s2", status: "failed" },
          { id: "s3", status: "skipped" },
        ],
      },
    });
  });

  it("ends by its signal and by its deadline", async () => {
    const signal = AbortSignal.abort();
    await expect(runPlan(store.engine, PLAN, { signal })).rejects.toMatchObject({
      code: "E_CANCELLED",
      details: { reason: "signal" },
    });
    await expect(runPlan(store.engine, PLAN, { timeoutMs: 0 })).rejects.toMatchObject({
      code: "E_CANCELLED",
      details: { reason: "deadline" },
    });
  });

  it("holds no more rows than it may, alone or together", async () => {
    await expect(runPlan(store.engine, PLAN, { mostRows: 2 })).rejects.toMatchObject({
      code: "E_COST",
      details: { at: "rows" },
    });
    // 3 senders, 2 reached, 2 in both.
    await expect(runPlan(store.engine, PLAN, { mostRows: 6 })).rejects.toMatchObject({ code: "E_COST" });
    expect((await runPlan(store.engine, PLAN, { mostRows: 7 })).answer).toMatchObject({ value: ["b", "c"] });
  });

  it("passes ceilings on to every step", async () => {
    const run = runPlan(store.engine, PLAN, { ceilings: { steps: 1 } });
    await expect(run).rejects.toMatchObject({ code: "E_COST", details: { step: "s1", at: "estimate" } });
  });

  it("computes nothing twice that its results hold, and forgets what was used longest ago", async () => {
    const results = new ResultStore(40);
    let calls = 0;
    const counting = counted(store.engine, () => (calls += 1));
    const first = await runPlan(counting, PLAN, { results });
    expect(calls).toBe(2);
    const second = await runPlan(counting, PLAN, { results });
    expect(calls).toBe(2);
    expect(second.trace_digest).toBe(first.trace_digest);
    for (let i = 1; i < 20; i += 1) {
      const scan = { id: "s1", op: "scan", args: { of: "events", names: ["M", `other ${i}`] } };
      await runPlan(counting, { steps: [scan], answer: { kind: "count", from: "s1.rows_total" } }, { results });
    }
    expect(results.rowCount).toBeLessThanOrEqual(40);
    calls = 0;
    await runPlan(counting, PLAN, { results });
    expect(calls).toBe(2);
  });

  it("gives with results of other plans what it gives without", async () => {
    const scan = { id: "s1", op: "scan", args: { of: "events", columns: ["src", "at"] } };
    const table = { kind: "table", from: "s1" };
    const sorted = (input: string) => ({
      steps: [
        scan,
        { id: "s2", op: "compute", args: { fn: "sort", input: { $ref: input }, order: [{ field: "at" }] } },
      ],
      answer: { kind: "table", from: "s2" },
    });
    const plans = [
      { steps: [{ ...scan, slice: [0, 1] }], answer: table },
      { steps: [scan], answer: table },
      sorted("s1"),
      sorted("s1.rows[*]"),
    ];
    const results = new ResultStore();
    for (const plan of [...plans, ...plans]) {
      const { trace_digest } = await runPlan(store.engine, plan);
      expect((await runPlan(store.engine, plan, { results })).trace_digest).toBe(trace_digest);
    }
  });

  it("counts the rows of every list among those that its results hold", async () => {
    const results = new ResultStore();
    const args = { seeds: ["a"], at: "2020-01-01T00:00:10Z", hops: 2 };
    const answer = { kind: "table", from: "s1.nodes" };
    const run = await runPlan(
      store.engine,
      { steps: [{ id: "s1", op: "snapshot_subgraph", args }], answer },
      { results },
    );
    expect(run.answer).toMatchObject({ rows_total: 2 });
    expect(results.rowCount).toBe(1 + 2 + 1);
  });

  it("means by an instant after the ask the commit of the ask", async () => {
    const at = new EngineAtCommit(store.engine, 0);
    expect(at.headTx()).toBe(0);
    const pin = await at.resolveInstant(4_000_000_000_000_000n, undefined);
    expect(pin.tx).toBe(0);
  });
});

/** The engine with each view it gives passed through `change`. */
function withViews(engine: OperatorEngine, change: (view: PinnedEngine) => PinnedEngine): OperatorEngine {
  return {
    name: engine.name,
    headTx: () => engine.headTx(),
    txTimeUs: (tx) => engine.txTimeUs(tx),
    resolveInstant: (us, signal) => engine.resolveInstant(us, signal),
    erasedSince: (pins) => engine.erasedSince(pins),
    pin: (tx) => change(engine.pin(tx)),
  };
}

function overView(view: PinnedEngine, others: Partial<PinnedEngine>): PinnedEngine {
  return new Proxy(view, {
    get: (target, name) => {
      const value = Reflect.get(others, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const counted = (engine: OperatorEngine, count: () => void): OperatorEngine =>
  withViews(engine, (view) =>
    overView(view, {
      run: (op, args, context) => {
        count();
        return view.run(op, args, context);
      },
    }),
  );

/** The engine, which takes some turns of the event loop to find the commit of an instant. */
const slowInstants = (engine: OperatorEngine): OperatorEngine => ({
  ...withViews(engine, (view) => view),
  async resolveInstant(us, signal) {
    for (let i = 0; i < 5; i += 1) await nextTurn();
    return engine.resolveInstant(us, signal);
  },
});
