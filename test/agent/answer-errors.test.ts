// Answers that are not there go back to the model: what it is told, what is not run again, what ends it, and what never goes back.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../src/agent/ask.js";
import { readConfig } from "../../src/agent/provider/config.js";
import { Provider } from "../../src/agent/provider/provider.js";
import { DEFAULT_LIMITS } from "../../src/agent/types.js";
import { type ErrorCode, PalimpsestError } from "../../src/contract/errors.js";
import { Database } from "../../src/database.js";
import type { OperatorEngine } from "../../src/operators/engine.js";
import { ModelServer } from "./model-server.js";
import { EVIL, MAY, paymentsStore } from "./payments.js";

let db: Database;
beforeAll(async () => {
  db = await paymentsStore();
});
afterAll(() => db.close());

let server: ModelServer;
afterEach(() => server.stop());

/** An engine that tells of each operator that it is asked to run, and may be made to fail. */
function watched(engine: OperatorEngine, called: string[], fails: ErrorCode | null): OperatorEngine {
  const around = <T extends object>(target: T, own: Partial<T>): T =>
    new Proxy(target, {
      get: (_, key) => {
        const member = Object.hasOwn(own, key) ? own[key as keyof T] : Reflect.get(target, key);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
  return around(engine, {
    pin: (tx) => {
      const view = engine.pin(tx);
      return around(view, {
        run: (op, args, context) => {
          called.push(op);
          if (fails !== null && op === "aggregate_events")
            throw new PalimpsestError(fails, "the disk is gone", { hint: "" });
          return view.run(op, args, context);
        },
      });
    },
  });
}

const byReceiver = (year: number) => ({
  id: "s1",
  op: "aggregate_events",
  args: {
    window: { from: `${year}-05-01T00:00:00Z`, to: `${year}-06-01T00:00:00Z` },
    where: { src: { uids: ["ada"] } },
    group_by: [{ dim: "node", role: "dst" }],
    aggregates: [{ fn: "count", as: "n" }],
    order_by: [{ column: "n", desc: true }],
  },
});
const plan = (steps: readonly object[], answer: object, thought = "") => ({ thought, steps, answer });
const top = (from: string) => plan([byReceiver(2020)], { kind: "value", from });

interface Asking {
  readonly question?: string;
  readonly front?: "json" | "tql";
  readonly fails?: ErrorCode;
}

async function asked(plans: readonly unknown[], { question = "Whom did ada pay?", front, fails }: Asking = {}) {
  let planned = 0;
  server = await ModelServer.start(({ body }) => {
    if (body.messages[0]!.content.includes("You word the answer")) return { text: "?" };
    return { text: JSON.stringify(plans[Math.min(planned++, plans.length - 1)]) };
  });
  const called: string[] = [];
  const { answer } = await Database.reading(db, ({ engine, catalogue }) =>
    ask({
      state: { engine: watched(engine, called, fails ?? null), catalogue },
      provider: new Provider(readConfig({ base_url: server.url, capability: "text" }), null),
      question,
      askTx: 2,
      entities: [],
      zone: "UTC",
      nameProps: ["name"],
      medium: "plain",
      mode: "plan",
      front: front ?? "json",
      guided: "shape",
      limits: DEFAULT_LIMITS,
      signal: new AbortController().signal,
      onEvent: () => {},
    }),
  );
  const prompts = server.asked.filter(({ body }) => !body.messages[0]!.content.includes("You word the answer"));
  /** The fence of errors in the last prompt of the planner. */
  const told = prompts.at(-1)!.body.messages.at(-1)!.content;
  return { answer, told, planned, called };
}

describe("an answer that is not there", () => {
  it("goes back with the rows and the fields that are", async () => {
    const { answer, told, planned } = await asked([top("s1.rows[5].dst"), top("s1.rows[0].dst")]);
    expect(planned).toBe(2);
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }] });
    expect(told).toContain('"kind":"no_row"');
    expect(told).toContain('"path":"/answer/from"');
    expect(told).toContain('"legal":"rows held: 0 to 2; fields: dst: string, n: int"');
    expect(answer.attempts[0]!.error?.code).toBe("E_NOT_FOUND");
  });

  it("goes back for every part that lacks one, as the front has it", async () => {
    const tql = `SELECT e.dst AS uid, COUNT(*) AS n FROM EVENTS(PAID) AS e WHERE e.src = 'ada' GROUP BY e.dst ORDER BY n DESC`;
    const saying = (row: number) => ({
      thought: "",
      tql,
      answer: { kind: "value", from: "rows[0].uid", also: [{ kind: "count", from: `rows[${row}].n` }] },
    });
    const { answer, told } = await asked([saying(7), saying(0)], { front: "tql" });
    expect(answer.parts.map(({ value }) => value)).toEqual(["bo", 2]);
    expect(told).toContain('"path":"/answer/also/0/from"');
    expect(told).toContain("rows[7].n: there is no element 7");
    expect(told).not.toContain("s1.rows[7]");
  });

  it("goes back where it has the wrong type, which only the data could tell", async () => {
    const names = (kind: string) =>
      plan([{ id: "s1", op: "scan", args: { of: "nodes", columns: ["uid", "props.name"] } }], {
        kind,
        from: kind === "value" ? "s1.rows_total" : "s1.rows[*].props.name",
      });
    const { answer, told, planned } = await asked([names("entity_set"), names("value")], { question: "Who is there?" });
    expect(planned).toBe(2);
    expect(told).toContain('"kind":"kind_mismatch"');
    expect(told).toContain("fields: uid: string, props.name: ");
    expect(answer.parts[0]!.value).toBe(4);
  });

  it("is told as no rows and what was looked for, and twice the same is an answer: nothing was found", async () => {
    const empty = (thought: string) => plan([byReceiver(2021)], { kind: "value", from: "s1.rows[0].dst" }, thought);
    const { answer, told, planned } = await asked([empty("a"), empty("b")], {
      question: "Whom did ada pay in May 2021?",
    });
    expect(planned).toBe(2);
    expect(told).toContain("no rows; looked for: aggregate_events ");
    expect(answer).toMatchObject({ status: "partial", parts: [{ kind: "value", verdict: "supported_partial" }] });
    expect(answer.text).toContain("nothing found");
  });

  it("suggests no name that the question did not hold", async () => {
    const search = plan(
      [
        { id: "s1", op: "resolve_entities", args: { query: "ada lovelace", min_tier: "exact" } },
        {
          id: "s2",
          op: "aggregate_events",
          args: { where: { src: { uids: [{ $ref: "s1.rows[0].uid" }] } }, aggregates: [{ fn: "count", as: "n" }] },
        },
      ],
      { kind: "count", from: "s2.rows[0].n" },
    );
    const { answer, told } = await asked([search], { question: "How often did Ada Lovelace pay?" });
    expect(answer.status).toBe("failed");
    expect(told).toContain("no rows; looked for: resolve_entities ");
    for (const name of ['Ada L"', "Bo", "dan", EVIL.slice(0, 10)]) expect(told).not.toContain(name);
  });
});

describe("a mended plan", () => {
  const counted = (row: number) =>
    plan(
      [
        byReceiver(2020),
        {
          id: "s2",
          op: "temporal_reachability",
          args: { uid: { $ref: `s1.rows[${row}].dst` }, window: MAY },
        },
      ],
      { kind: "count", from: "s2.rows_total" },
    );

  it("runs only those steps again that changed", async () => {
    const { answer, told, called } = await asked([counted(9), counted(0)], {
      question: "Whom did ada pay in May 2020?",
    });
    expect(answer.parts[0]!.value).toBe(1);
    expect(called.filter((op) => op === "aggregate_events")).toHaveLength(1);
    expect(called.filter((op) => op === "temporal_reachability")).toHaveLength(1);
    // The step that succeeded is told with its digest, the one that failed is not.
    expect(told).toMatch(
      /"succeeded":\[\{"id":"s1","op":"aggregate_events","result_digest":"[0-9a-f]{64}","rows_total":3\}\]/,
    );
  });

  it("runs a step again whose arguments are others", async () => {
    const narrow = plan([{ ...byReceiver(2020), args: { ...byReceiver(2020).args, limit: 2 } }], {
      kind: "value",
      from: "s1.rows[0].dst",
    });
    const { called } = await asked([top("s1.rows[5].dst"), narrow]);
    expect(called.filter((op) => op === "aggregate_events")).toHaveLength(2);
  });

  it("that is the same in other words ends it", async () => {
    const { order_by: orderBy, ...args } = byReceiver(2020).args;
    const spelled = { id: "s1", op: "aggregate_events", args: { order_by: orderBy, ...args, as_of_tt: null } };
    const answer = { kind: "value", from: "s1.rows[5].dst" };
    const found = await asked([plan([byReceiver(2020)], answer, "a"), plan([spelled], answer, "b")]);
    expect(found.planned).toBe(2);
    expect(found.answer.status).not.toBe("answered");
  });
});

it.each<ErrorCode>(["E_IO", "E_INTERNAL", "E_STATE", "E_LOCKED", "E_CLOSED"])("%s never goes back", async (code) => {
  const { answer, planned } = await asked([top("s1.rows[0].dst")], { fails: code });
  expect(planned).toBe(1);
  expect(answer).toMatchObject({ status: "failed", could_not: [{ code }] });
});
