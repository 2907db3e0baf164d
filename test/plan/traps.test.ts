// What plans trip over, each by name: what is caught before anything runs, and what the executor must not get wrong.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/values.js";
import { type Database, open } from "../../src/index.js";
import { S1 } from "../../src/operators/example-stores.js";

let db: Database;
beforeAll(async () => {
  db = await open(":memory:");
  for (const { ops, txTime } of S1.batches) await db.write([...ops] as never, { txTime });
});
afterAll(() => db.close());

const ref = ($ref: string) => ({ $ref });
const step = (id: string, op: string, args: JsonObject, others: object = {}) => ({ id, op, args, ...others });
const plan = (steps: object[], answer: object = { kind: "table", from: "s1" }) => ({ steps, answer });
const kinds = (given: unknown, identifiers?: string[]) =>
  db.verify(given, identifiers === undefined ? {} : { identifiers }).violations.map(({ kind, path }) => [kind, path]);
const senders = (others: JsonObject = {}) =>
  step("s1", "aggregate_events", {
    group_by: [{ dim: "node", role: "src" }],
    aggregates: [{ fn: "count", as: "n" }],
    ...others,
  });
const EVENTS = step("s1", "scan", { of: "events", columns: ["src", "dst", "at"] });

describe("made-up ids", () => {
  it("inside lists and values of filters are not grounded", () => {
    const where = { src: { uids: ["a", "ghost"] }, edge: [{ prop: "owner", op: "in", value: ["b"] }] };
    expect(kinds(plan([step("s1", "scan", { of: "edges", where })]), ["a"])).toEqual([
      ["ungrounded_uid", "/steps/0/args/where/edge/0/value/0"],
      ["ungrounded_uid", "/steps/0/args/where/src/uids/1"],
    ]);
    expect(kinds(plan([step("s1", "scan", { of: "edges", where })]), ["a", "b", "ghost"])).toEqual([]);
  });

  it("that come by reference need no name", () => {
    const next = step("s2", "temporal_reachability", { uid: ref("s1.rows[0].src") });
    expect(kinds(plan([senders(), next]), [])).toEqual([]);
  });
});

it("nested fields that do not exist are found at any depth", () => {
  const snapshot = step("s1", "snapshot_subgraph", { seeds: ["a"], at: "2020-01-01T00:00:10Z" });
  const next = (path: string) => step("s2", "temporal_reachability", { uid: ref(path) });
  expect(kinds(plan([snapshot, next("s1.nodes.rows[0].uid")]))).toEqual([]);
  expect(kinds(plan([snapshot, next("s1.nodes.rows[0].name")]))).toEqual([["unknown_field", "/steps/1/args/uid"]]);
  expect(kinds(plan([snapshot, next("s1.edges.rows[0].src")]))).toEqual([["unknown_field", "/steps/1/args/uid"]]);
});

it("literals of the wrong type and missing arguments are found in every step at once", () => {
  const wrong = [step("s1", "temporal_reachability", { uid: 1 }), step("s2", "temporal_paths", { src: "a" })];
  expect(kinds(plan(wrong))).toEqual([
    ["wrong_argument", "/steps/0/args/uid"],
    ["missing_argument", "/steps/1/args"],
  ]);
});

it("an answer of kind count does not point at a list", () => {
  expect(kinds(plan([senders()], { kind: "count", from: "s1.rows[*].n" }))).toEqual([
    ["kind_mismatch", "/answer/from"],
  ]);
  expect(kinds(plan([senders()], { kind: "count", from: "s1.rows_total" }))).toEqual([]);
});

describe("a page", () => {
  it("that is counted is refused, its exact total is not", async () => {
    const count = step("s2", "compute", { fn: "count", input: ref("s1.rows[*]") });
    const counted = db.run(plan([senders({ limit: 2 }), count], { kind: "count", from: "s2.value" }));
    await expect(counted).rejects.toMatchObject({ code: "E_UPSTREAM", details: { step: "s2" } });
    const whole = await db.run(plan([senders(), count], { kind: "count", from: "s2.value" }));
    expect(whole.answer).toMatchObject({ value: 3, complete: true });
    const total = await db.run(plan([senders({ limit: 2 })], { kind: "count", from: "s1.rows_total" }));
    expect(total.answer).toMatchObject({ value: 3, complete: true });
  });

  it("that filters the next step makes its answer incomplete, also behind one more step", async () => {
    const filtered = step("s2", "aggregate_events", {
      aggregates: [{ fn: "count" }],
      where: { src: { uids: ref("s1.rows[*].src") } },
    });
    const copied = step("s3", "compute", { fn: "distinct", input: ref("s2.rows") });
    const { steps, answer } = await db.run(
      plan([senders({ limit: 2 }), filtered, copied], { kind: "table", from: "s3" }),
    );
    expect(steps.map(({ incomplete }) => incomplete)).toEqual([["page"], ["upstream"], ["upstream"]]);
    expect(answer).toMatchObject({ complete: false, incomplete: ["upstream"] });
  });

  it("of a further list is cut on its own", async () => {
    const snapshot = (limit: number | null) =>
      step("s1", "diff_snapshots", {
        left: { at: "2020-01-01T00:00:09Z" },
        right: { at: "2020-01-01T00:00:12Z" },
        ...(limit === null ? {} : { limit }),
      });
    const whole = await db.run(plan([snapshot(null)], { kind: "count", from: "s1.rows_total" }));
    expect(whole.steps[0]!.complete).toBe(true);
  });

  it("is no page where a slice chose it", async () => {
    const sliced = { ...senders(), slice: [1, 1] };
    const count = step("s2", "compute", { fn: "count", input: ref("s1") });
    const trace = await db.run(
      plan([sliced, count], { kind: "count", from: "s2.value", also: [{ kind: "table", from: "s1" }] }),
    );
    expect(trace.answer).toMatchObject({
      value: 1,
      complete: true,
      also: [{ rows: [{ src: "b", n: 2 }], rows_total: 3, complete: true }],
    });
  });
});

it("a look-up without rows is no evidence: a cell of it is not there, a list of it is empty", async () => {
  const none = senders({ where: { types: ["nothing"] } });
  const cell = step("s2", "temporal_reachability", { uid: ref("s1.rows[0].src") });
  await expect(db.run(plan([none, cell], { kind: "table", from: "s2" }))).rejects.toMatchObject({
    code: "E_NOT_FOUND",
    details: { step: "s2", kind: "no_row" },
  });
  const list = step("s2", "scan", { of: "events", where: { src: { uids: ref("s1.rows[*].src") } } });
  const trace = await db.run(plan([none, list], { kind: "count", from: "s2.rows_total" }));
  expect(trace.answer).toMatchObject({ value: 0, complete: true });
});

it("equal payloads of different calls do not share a digest", async () => {
  const same = (id: string, where: JsonObject) =>
    step(id, "aggregate_events", { aggregates: [{ fn: "count" }], where });
  const trace = await db.run(plan([same("s1", { types: ["x"] }), same("s2", { types: ["y"] })]));
  const [first, second] = trace.steps;
  expect([first!.rows_total, second!.rows_total]).toEqual([1, 1]);
  expect(first!.result_digest).not.toBe(second!.result_digest);
});

describe("a bad index in the answer's path", () => {
  it("is found before the run where it is no index", () => {
    expect(kinds(plan([senders()], { kind: "value", from: "s1.rows[-1].src" }))).toEqual([
      ["bad_path", "/answer/from"],
    ]);
  });
  it("is an error of the run where there is no such row, never null", async () => {
    const run = db.run(plan([senders()], { kind: "value", from: "s1.rows[7].src" }));
    await expect(run).rejects.toMatchObject({ code: "E_NOT_FOUND" });
  });
});

it("a reference hidden in a text stays a text, and is told", () => {
  const texts = ["s1.rows[0].src", "$s1.rows[0].src", '{"$ref": "s1"}'];
  for (const uid of texts) {
    const hidden = plan([senders(), step("s2", "temporal_reachability", { uid })]);
    expect(kinds(hidden)).toContainEqual(["reference_in_text", "/steps/1/args/uid"]);
  }
  const innocent = plan([step("s1", "resolve_entities", { query: "s9.rows" })]);
  expect(kinds(innocent)).toEqual([]);
});

it("a plan that names a step twice is refused, and an equal step is run once", async () => {
  expect(kinds(plan([EVENTS, senders()]))).toEqual([["duplicate_step", "/steps/1/id"]]);
  const trace = await db.run(plan([EVENTS, { ...EVENTS, id: "s2" }], { kind: "count", from: "s2.rows_total" }));
  expect(trace.steps[1]).toEqual({ ...trace.steps[0], id: "s2" });
});

describe("a plan of ten thousand steps", () => {
  const chain = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      step(`s${i + 1}`, "compute", { fn: "distinct", input: i === 0 ? [1, 2] : ref(`s${i}.rows`) }),
    );
  it("is refused with one violation", () => {
    expect(kinds(plan(chain(10_000)))).toEqual([["too_many_steps", "/steps"]]);
  });
  it("of 256 in a chain runs", async () => {
    const trace = await db.run(plan(chain(256), { kind: "count", from: "s256.rows_total" }));
    expect(trace.answer).toMatchObject({ value: 2 });
  });
});

describe("a pin in one step and not in the next", () => {
  it("holds for that step alone, and the others share the commit of the ask, whatever is written meanwhile", async () => {
    const other = await open(":memory:");
    const edge = (dst: string) => ({ op: "assert_edge", src: "a", type: "T", dst, valid_from: "2020-01-01" }) as const;
    await other.write([edge("b")]);
    await other.write([edge("c")]);
    const edges = (id: string, args: JsonObject, extra: object = {}) =>
      step(id, "scan", { of: "edges", columns: ["dst"], ...args }, extra);
    const asked = other.run(
      plan(
        [
          edges("s1", { as_of_tt: "tx:1" }),
          edges("s2", { where: { node: { uids: ["a", "b", "c"] } } }, { depends_on: ["s1"] }),
          edges("s3", { where: { dst: { uids: ref("s2.rows[*].dst") } } }),
        ],
        { kind: "count", from: "s3.rows_total", also: [{ kind: "count", from: "s1.rows_total" }] },
      ),
    );
    const written = other.write([edge("d")]);
    const trace = await asked;
    await written;
    expect(trace.steps.map(({ pin }) => pin!.tx)).toEqual([1, 2, 2]);
    expect(trace.ask_pin.tx).toBe(2);
    expect(trace.answer).toMatchObject({ value: 2, also: [{ value: 1 }] });
    await other.close();
  });
});

describe("what is no plan", () => {
  const cyclic: Record<string, unknown> = { kind: "table", from: "s1" };
  cyclic.also = [cyclic];
  const wide: unknown[] = [];
  let bomb: unknown = "x";
  for (let i = 0; i < 40; i += 1) bomb = [bomb, bomb];
  for (let i = 0; i < 3000; i += 1) wide.push({ uid: "a".repeat(300) });
  const thrower = {
    get steps() {
      throw new Error("no");
    },
  };
  const odd: readonly (readonly [string, unknown])[] = [
    ["an object that holds itself", { steps: [EVENTS], answer: cyclic }],
    ["a getter that throws", thrower],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw "no";
          },
        },
      ),
    ],
    ["a tree of shared lists", { steps: bomb, answer: {} }],
    [
      "a million values",
      { steps: [step("s1", "compute", { fn: "count", input: wide as never })], answer: { kind: "count", from: "s1" } },
    ],
    ["deep nesting", JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`)],
    ["a bigint out of range", { steps: 2n ** 70n }],
    ["a function", { steps: () => 1, answer: Symbol("x") }],
    ["keys of the object prototype", JSON.parse('{"__proto__": {"steps": []}, "constructor": 1, "toString": 2}')],
    ["NaN", { steps: [{ id: "s1", op: "scan", args: { of: Number.NaN } }], answer: null }],
    ["a Map", new Map([["steps", []]])],
    ["undefined", undefined],
    ["a sparse list", { steps: new Array(4_000_000_000), answer: {} }],
  ];
  it.each(odd)("gives violations: %s", (_, given) => {
    const { valid, violations } = db.verify(given);
    expect(valid).toBe(false);
    expect(violations.length).toBeGreaterThan(0);
    for (const { code, message } of violations) expect([code, message]).not.toContain("E_INTERNAL");
  });

  it("is refused by a run with the violations", async () => {
    await expect(db.run({ steps: [] })).rejects.toMatchObject({
      code: "E_PLAN_INVALID",
      details: { violations: db.verify({ steps: [] }).violations },
    });
  });
});
