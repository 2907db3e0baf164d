// agent.verify: claims held against a trace, both from anywhere, without a model. Amounts and names are counted by hand.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgent, notesOf } from "../../src/agent/index.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import { type Database, open, type Trace } from "../../src/index.js";

// ada wrote to bo twice and to cy once in May 2020.
const INSTANTS = ["2020-05-02", "2020-05-03", "2020-05-09"] as const;
const RECEIVERS = ["bo", "cy", "bo"] as const;
const PLAN = {
  steps: [
    {
      id: "s1",
      op: "aggregate_events",
      args: {
        window: { from: "2020-05-01T00:00:00Z", to: "2020-06-01T00:00:00Z" },
        where: { src: { uids: ["ada"] } },
        group_by: [{ dim: "node", role: "dst" }],
        aggregates: [{ fn: "count", as: "n" }],
        order_by: [{ column: "n", desc: true }],
      },
    },
  ],
  answer: { kind: "value", from: "s1.rows[0].dst", also: [{ kind: "count", from: "s1.rows_total" }] },
};
const ENTITY = { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } };
const COUNT = { id: "c2", type: "count", cell: "s1.rows[0].n", about: ["s1.rows[0].dst"] };

let db: Database;
let trace: Trace;
beforeAll(async () => {
  db = await open(":memory:");
  await db.write(
    INSTANTS.map((day, i) => ({
      op: "assert_edge" as const,
      src: "ada",
      type: "WROTE",
      dst: RECEIVERS[i]!,
      key: String(i),
      valid_from: `${day}T00:00:00Z`,
      valid_to: `${day}T00:00:00.000001Z`,
    })),
  );
  trace = await db.run(PLAN);
});
afterAll(() => db.close());

const verify = (...given: Parameters<ReturnType<typeof createAgent>["verify"]>) => createAgent(db).verify(...given);
const said = async (...given: Parameters<typeof verify>) =>
  (await verify(...given)).map(({ verdict, reasons }) => [verdict, ...reasons].join(" "));

async function errorOf(work: Promise<unknown>): Promise<PalimpsestError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PalimpsestError)) throw new Error("no refusal");
  return error;
}

describe("claims over a trace", () => {
  it("are supported where the cells say so, values that they carry included", async () => {
    const claims = [ENTITY, { ...ENTITY, value: "bo" }, COUNT, { ...COUNT, value: 2 }];
    expect(await said(claims, trace)).toEqual(["supported", "supported", "supported", "supported"]);
  });

  it("are refuted where a value is another, by its type, too", async () => {
    const claims = [
      { ...ENTITY, value: "cy" },
      { ...COUNT, value: 3 },
      { ...COUNT, value: "2" },
      { ...COUNT, value: 2n },
    ];
    expect(await said(claims, trace)).toEqual(["refuted value", "refuted value", "refuted value", "supported"]);
  });

  it("may carry what an answer said of them, which counts for nothing", async () => {
    const told = { verdict: "supported", reasons: [] };
    expect(await said([{ ...COUNT, value: 3, ...told }], trace)).toEqual(["refuted value"]);
  });

  it("are about what the question names, where that is told", async () => {
    const claim = { id: "c1", type: "count", cell: "s1.rows_total", about: ["q1"] };
    expect(await said([claim], trace)).toEqual(["unverifiable untied"]);
    expect(await said([claim], trace, { mentions: [{ id: "q1", uid: "ada" }] })).toEqual(["supported"]);
    expect(await said([claim], trace, { mentions: [{ id: "q1", uid: "bo" }] })).toEqual(["unverifiable untied"]);
  });

  it("get a verdict each, whatever they are", async () => {
    const cyclic: Record<string, unknown> = { ...COUNT };
    cyclic.about = [cyclic];
    const thrower = {
      ...COUNT,
      get cell(): string {
        throw new Error("no");
      },
    };
    const claims = [null, 7, "c1", [], {}, cyclic, thrower, () => 1, { ...COUNT, more: 1 }, { ...COUNT, id: "x" }];
    const verdicts = await verify(claims, trace);
    expect(verdicts.map(({ reasons }) => reasons)).toEqual(claims.map(() => ["malformed"]));
    expect(verdicts.at(-1)).toEqual({ id: "x", verdict: "unverifiable", reasons: ["malformed"] });
  });
});

describe("a trace that differs", () => {
  const step = (change: object) => ({ ...trace, steps: [{ ...trace.steps[0]!, ...change }] });
  const zeros = "0".repeat(64);

  it.each<[string, () => unknown]>([
    ["the digest of a step", () => step({ result_digest: zeros })],
    ["the rows of a step", () => step({ rows_total: 3 })],
    ["an argument of a step", () => step({ args: { ...trace.steps[0]!.args, limit: 3 } })],
    ["the pin of a step", () => step({ pin: { tx: 0, tx_time: null } })],
    ["its own digest", () => ({ ...trace, trace_digest: zeros })],
    ["the plan", () => ({ ...trace, plan: { ...PLAN, answer: { kind: "count", from: "s1.rows_total" } } })],
    ["a plan that is none", () => ({ ...trace, plan: { steps: [] } })],
    [
      "a page in the plan",
      () => ({ ...trace, plan: JSON.parse(JSON.stringify(PLAN).replace('"order_by"', '"limit":1,"order_by"')) }),
    ],
    ["a commit that is not there", () => ({ ...trace, ask_pin: { tx: 9, tx_time: null } })],
    ["a member that is none", () => ({ ...trace, more: 1 })],
  ])("vouches for no claim: %s", async (_, altered) => {
    expect(await said([COUNT, { ...COUNT, more: 1 }], altered())).toEqual([
      "unverifiable digest_mismatch",
      "unverifiable malformed",
    ]);
  });

  it("but in its times is the same", async () => {
    expect(await said([COUNT], step({ ms: 12_345 }))).toEqual(["supported"]);
  });

  it("is refused where it is none", async () => {
    for (const none of [null, 1, {}, { ...trace, steps: 1 }]) {
      expect((await errorOf(verify([COUNT], none))).code).toBe("E_SCHEMA");
    }
  });
});

describe("a check of claims", () => {
  it("needs no model, and asking does", async () => {
    const agent = createAgent(db);
    expect(await agent.verify([], trace)).toEqual([]);
    const error = await errorOf(agent.ask("How many?"));
    expect([error.code, error.message]).toEqual(["E_INVALID_ARG", "no model server is named"]);
  });

  it("holds at the commit of the trace, whatever was written since", async () => {
    const written = await open(":memory:");
    const edge = (key: string) => ({ op: "assert_edge" as const, src: "a", type: "T", dst: "b", key });
    await written.write([{ ...edge("1"), valid_from: "2020-01-01" }]);
    const plan = {
      ...PLAN,
      steps: [{ id: "s1", op: "scan", args: { of: "edges" } }],
      answer: { kind: "count", from: "s1.rows_total" },
    };
    const first = await written.run(plan);
    await written.write([{ ...edge("2"), valid_from: "2020-01-01" }]);
    const claim = { id: "c1", type: "count", cell: "s1.rows_total", value: 1 };
    expect(await createAgent(written).verify([claim], first)).toEqual([
      { id: "c1", verdict: "supported", reasons: [] },
    ]);
    await written.close();
  });

  it("ends with its signal", async () => {
    const error = await errorOf(verify([COUNT], trace, { signal: AbortSignal.abort() }));
    expect(error.code).toBe("E_CANCELLED");
  });

  it("is of what open() gives, and of nothing else", () => {
    for (const other of [undefined, {}, "office.store"] as never[]) {
      for (const make of [createAgent, notesOf])
        expect(() => make(other)).toThrow(expect.objectContaining({ code: "E_INVALID_ARG" }));
    }
  });

  it("refuses options that are none", async () => {
    const wrong = [{ signal: 1 }, { more: 1 }, { mentions: 1 }, { mentions: [{ id: 1 }] }];
    for (const options of wrong)
      expect((await errorOf(verify([], trace, options as never))).code).toBe("E_INVALID_ARG");
    expect((await errorOf(verify(COUNT as never, trace))).code).toBe("E_INVALID_ARG");
  });
});
