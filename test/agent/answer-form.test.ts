// The form of an answer, field by field, and the line of each error: what a caller of the agent may rely on.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type AgentAnswer, type AskOptions, createAgent, type Limits } from "../../src/agent/index.js";
import { canonicalJson } from "../../src/contract/canonical.js";
import type { JsonObject } from "../../src/contract/values.js";
import { type Database, open, PalimpsestError } from "../../src/index.js";
import { ANSWER, PLAN, QUESTION, STEP, withArgs } from "./payees.js";
import { MAY } from "./payments.js";
import { PaymentsSuite } from "./payments-suite.js";

const suite = PaymentsSuite.begin();

const REPORT = {
  text: "{c1} was paid the most. {q1} paid {c2} people.",
  claims: [
    { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } },
    { id: "c2", type: "count", cell: "s1.rows_total" },
  ],
};
/** The longest time between two payments, too: null where there is one. */
const GAPS = { ...STEP, args: { ...STEP.args, aggregates: [...STEP.args.aggregates, { fn: "max_gap", as: "gap" }] } };
async function scripted(plans: readonly (object | string)[]): Promise<void> {
  await suite.play(plans, [REPORT]);
}

async function ask(
  options: AskOptions = {},
  limits: Partial<Limits> = {},
  of: Database = suite.db,
): Promise<AgentAnswer> {
  const model = { base_url: suite.server.url, capability: "text" as const, retries: 0 };
  return (await createAgent(of, { model, limits, mode: "plan" }).ask(QUESTION, options)).answer;
}

describe("an answer", () => {
  it("has these fields and no other", async () => {
    await scripted([PLAN]);
    const fields =
      "answer_digest answer_version assumptions attempts blocked claims could_not coverage evidence model notices parts pin plan status text trace_digest usage";
    expect(Object.keys(await ask()).sort()).toEqual(fields.split(" "));
    await scripted(["no plan"]);
    expect(Object.keys(await ask()).sort()).toEqual([...fields.split(" "), "error"].sort());
  });

  it("says why it failed, in a field of its own, and where a part could not be shown in none", async () => {
    await scripted(["no plan"]);
    const failed = await ask();
    expect(failed.status).toBe("failed");
    const { code, message, details } = failed.error!;
    expect(failed.could_not).toEqual([{ part: 0, code, why: message }]);
    expect([code, failed.error!.hint]).toEqual(["E_SCHEMA", "ask in other words, or name what is meant by its id"]);
    // As JSON: what the last plan was told.
    expect(JSON.parse(JSON.stringify(details))).toEqual({ violations: failed.attempts.at(-1)!.violations });
    await scripted([{ ...PLAN, answer: { kind: "value", from: "s1.rows[1].gap" }, steps: [GAPS] }]);
    const abstained = await ask();
    expect([abstained.status, "error" in abstained]).toEqual(["abstained", false]);
  });

  it("says what the store holds at its commit", async () => {
    await scripted([PLAN]);
    const { coverage, pin } = await ask();
    const { tx_time: firstTime } = (await ask({ pin: "tx:1" })).pin;
    expect(coverage).toEqual({
      valid: { from: "2020-01-01T00:00:00Z", to: null },
      tx: { from: { tx: 1, tx_time: firstTime }, to: pin },
    });
    const empty = await open(":memory:");
    expect((await ask({}, {}, empty)).coverage).toEqual({ valid: null, tx: null });
    await empty.write([
      { op: "assert_edge", src: "a", type: "R", dst: "b", valid_from: "2020-01-01", valid_to: "2020-02-01" },
    ]);
    expect((await ask({}, {}, empty)).coverage.valid).toEqual({
      from: "2020-01-01T00:00:00Z",
      to: "2020-02-01T00:00:00Z",
    });
    await empty.close();
  });

  it("has the value of a part only where its claim is shown", async () => {
    await scripted([PLAN]);
    const whole = await ask();
    expect(whole.parts).toEqual([
      { kind: "value", from: "s1.rows[0].dst", value: "bo", complete: true, claim: "c1", verdict: "supported" },
      { kind: "count", from: "s1.rows_total", value: 3, complete: true, claim: "c2", verdict: "supported" },
    ]);
    for (const { claim } of whole.parts) expect(whole.claims.map(({ id }) => id)).toContain(claim);
    expect(whole.evidence).toHaveLength(whole.claims.length);
    // Between one payment and nothing lies no gap: the cell is null, and no claim may be shown on it.
    const also = [{ kind: "value", from: "s1.rows[1].gap" }];
    await scripted([{ ...PLAN, steps: [GAPS], answer: { ...ANSWER, also } }]);
    const partial = await ask();
    expect(partial.status).toBe("partial");
    expect(partial.parts[0]).toMatchObject({ value: "bo" });
    expect(partial.parts[1]).toEqual({ kind: "value", from: "s1.rows[1].gap", complete: true });
    expect(partial.could_not.map(({ part, code }) => [part, code])).toEqual([[1, "null_cell"]]);
  });

  it("has a digest over all but usage and attempts", async () => {
    await scripted([PLAN]);
    const answer = await ask();
    const { usage: _usage, attempts: _attempts, answer_digest: digest, ...covered } = answer;
    const own = createHash("sha256")
      .update(canonicalJson(covered as unknown as JsonObject))
      .digest("hex");
    expect(digest).toBe(own);
    // A repair is an attempt more and other usage, and the same answer.
    await scripted(["no plan", PLAN]);
    const repaired = await ask();
    expect([repaired.attempts.length, answer.attempts.length]).toEqual([2, 1]);
    expect(repaired.answer_digest).toBe(digest);
  });
});

const told = async (work: Promise<AgentAnswer>): Promise<unknown> => {
  try {
    return (await work).could_not.map(({ code }) => code);
  } catch (error) {
    return error instanceof PalimpsestError ? [error.code, error.details.limit ?? error.details.reason] : error;
  }
};

describe("the line of an error", () => {
  it.each<[string, readonly (object | string)[], unknown]>([
    [
      "E_PLAN_INVALID: violations to the end",
      [{ ...PLAN, answer: { kind: "value", from: "s1.rows[0].x" } }],
      ["E_PLAN_INVALID"],
    ],
    ["E_GROUNDING: a name that nobody gave", [withArgs({ where: { src: { uids: ["ada", "zoe"] } } })], ["E_GROUNDING"]],
    ["E_SCHEMA: what fits no form", ["I do not know."], ["E_SCHEMA"]],
    [
      "E_UPSTREAM: a step over a part",
      [
        {
          ...PLAN,
          steps: [
            { ...STEP, args: { ...STEP.args, limit: 2 } },
            { id: "s2", op: "compute", args: { fn: "count", input: { $ref: "s1.rows[*]" } } },
          ],
          answer: { kind: "count", from: "s2.value" },
        },
      ],
      ["E_UPSTREAM"],
    ],
  ])("is told: %s", async (_, plans, expected) => {
    await scripted(plans);
    expect(await told(ask())).toEqual(expected);
  });

  it.each<[string, object, string]>([
    ["E_PERIOD_ORDER", { window: { from: MAY.to, to: MAY.from } }, "E_PERIOD_ORDER"],
    ["E_ZONE_MISSING", { window: { from: "2020-05-01T00:00:00", to: MAY.to } }, "E_ZONE_MISSING"],
    ["E_TX_UNKNOWN", { as_of_tt: "tx:9" }, "E_TX_UNKNOWN"],
    ["E_SCHEMA", { limit: "many" }, "E_SCHEMA"],
  ])("is told to the next plan: %s", async (_, args, code) => {
    await scripted([withArgs(args), PLAN]);
    const answer = await ask();
    expect(answer.status).toBe("answered");
    expect(answer.attempts[0]!.violations.map((violation) => violation.code)).toContain(code);
  });

  it("is told to the next plan: E_AXIS", async () => {
    const events = { id: "s1", op: "scan", args: { of: "events", valid: { at: "2020-05-02" } } };
    await scripted([{ thought: "x", steps: [events], answer: { kind: "count", from: "s1.rows_total" } }, PLAN]);
    const answer = await ask();
    expect(answer.status).toBe("answered");
    expect(answer.attempts[0]!.violations.map((violation) => violation.code)).toContain("E_AXIS");
  });

  it("is told to the next plan: E_EPOCH_UNIT, E_ZONE_MISSING in the text of a select", async () => {
    const aggregates = [...STEP.args.aggregates, { fn: "min", of: "at", as: "since" }];
    const since = (time: string) => ({
      thought: "x",
      steps: [
        { ...STEP, args: { ...STEP.args, aggregates } },
        {
          id: "s2",
          op: "select",
          args: { query: `SELECT e.dst FROM e WHERE e.since > ${time}`, tables: { e: { $ref: "s1.rows[*]" } } },
        },
      ],
      answer: { kind: "count", from: "s2.rows_total" },
    });
    await scripted([since("1588291200"), since("TIMESTAMP '2020-05-01 00:00:00'"), PLAN]);
    const answer = await ask();
    expect(answer.status).toBe("answered");
    const told = answer.attempts.map(({ violations }) => violations.map(({ code }) => code));
    expect(told).toEqual([["E_EPOCH_UNIT"], ["E_ZONE_MISSING"], []]);
    // What is told, is told to the model.
    for (const [i, code] of ["E_EPOCH_UNIT", "E_ZONE_MISSING"].entries())
      expect(suite.server.asked[i + 1]!.body.messages.at(-1)!.content).toContain(code);
  });

  it("is told to the next statement of TQL: E_EPOCH_UNIT, E_ZONE_MISSING", async () => {
    const from = (time: string) => ({
      thought: "x",
      tql: `SELECT e.dst, COUNT(*) AS n FROM EVENTS() FOR VALID_TIME FROM ${time} TO TIMESTAMP '${MAY.to}' AS e
        WHERE e.src = 'ada' GROUP BY e.dst`,
      answer: { kind: "count", from: "rows_total" },
    });
    await scripted([from("1588291200"), from("TIMESTAMP '2020-05-01 00:00:00'"), from(`TIMESTAMP '${MAY.from}'`)]);
    const answer = await ask({ front: "tql" });
    expect(answer.parts[0]).toMatchObject({ kind: "count", value: 3 });
    const told = answer.attempts.map(({ violations }) => violations.map(({ code, line }) => [code, line]));
    expect(told).toEqual([[["E_EPOCH_UNIT", 1]], [["E_ZONE_MISSING", 1]], []]);
    // In a zone that the question or its caller names, a local time is one.
    await scripted([from("TIMESTAMP '2020-05-01 00:00:00'")]);
    expect((await ask({ front: "tql", zone: "Europe/Berlin" })).attempts[0]!.violations).not.toContainEqual(
      expect.objectContaining({ code: "E_ZONE_MISSING" }),
    );
  });

  it("is told of a number for an instant in JSON, whose unit nobody knows: E_SCHEMA", async () => {
    await scripted([withArgs({ window: { from: 1588291200, to: MAY.to } }), PLAN]);
    const [violation] = (await ask()).attempts[0]!.violations;
    expect(violation).toMatchObject({ code: "E_SCHEMA", path: "/steps/0/args/window/from" });
    expect(violation!.hint).toContain('{"us": 1588291200}');
  });

  it("is told of TQL: E_SYNTAX", async () => {
    await scripted([{ thought: "x", tql: "SELEC 1", answer: { kind: "count", from: "rows_total" } }]);
    expect(await told(ask({ front: "tql" }))).toEqual(["E_SYNTAX"]);
  });

  it("is thrown: E_MODEL, E_CANCELLED by the signal and by the wall, E_INVALID_ARG, E_TX_UNKNOWN", async () => {
    await suite.serve(() => ({ status: 500 }));
    expect((await told(ask())) as string[]).toContain("E_MODEL");
    await suite.serve(() => ({ text: "{}", firstAfterMs: 60_000 }));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await told(ask({ signal: controller.signal }))).toEqual(["E_CANCELLED", "signal"]);
    expect(await told(ask({}, { wall_ms: 100 }))).toEqual(["E_CANCELLED", "wall_ms"]);
    expect(await told(ask({ zone: 7 } as unknown as AskOptions))).toEqual(["E_INVALID_ARG", undefined]);
    expect(await told(ask({ pin: "tx:9" }))).toEqual(["E_TX_UNKNOWN", undefined]);
  });

  it("names the limit that was met: calls, tokens", async () => {
    await scripted([{ ...PLAN, result: 1 }, { ...PLAN, result: 2 }, PLAN]);
    expect(await told(ask({}, { model_calls: 1 }))).toEqual(["E_LIMIT"]);
    expect(await told(ask({}, { tokens: 100 }))).toEqual(["E_LIMIT"]);
  });
});
