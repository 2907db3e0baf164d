// Questions answered by one call after the other, against scripted models: right ones, and every way of going wrong.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AskOptions, createAgent, type Limits } from "../../src/agent/index.js";
import { PalimpsestError } from "../../src/contract/errors.js";
import type { Database } from "../../src/index.js";
import { type Asked, ModelServer, type Reply } from "./model-server.js";
import { EVIL, MAY, paymentsStore } from "./payments.js";

let db: Database;
beforeAll(async () => {
  db = await paymentsStore();
});
afterAll(() => db.close());

let server: ModelServer;
afterEach(() => server?.stop());

const QUESTION = "Whom did ada pay most often in May 2020, and whom did that person pay then?";
const payees = (src: unknown, more: object = {}) => ({
  call: {
    op: "aggregate_events",
    args: {
      window: MAY,
      where: { src: { uids: [src] } },
      group_by: [{ dim: "node", role: "dst" }],
      aggregates: [{ fn: "count", as: "n" }],
      order_by: [{ column: "n", desc: true }],
      ...more,
    },
  },
});
const finish = (kind: string, from: string, ...also: { kind: string; from: string }[]) => ({
  finish: { answer: { kind, from, also } },
});
const RIGHT = [
  { thought: "Her payees.", tasks: ["find the payee", "see whom they paid"], ...payees("ada") },
  payees("bo"),
  finish("value", "s1.rows[0].dst", { kind: "entity_set", from: "s2.rows[*].dst" }),
];
const REPORT = {
  text: "{c1} was paid the most and paid {c2}.",
  claims: [
    { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } },
    { id: "c2", type: "entity_set", cells: "s2.rows[*].dst", complete: true, about: ["s1.rows[0].dst"] },
  ],
};

const isReport = ({ body }: Asked): boolean => body.messages[0]!.content.includes("You word the answer");
const said = (value: unknown): Reply => ({ text: typeof value === "string" ? value : JSON.stringify(value) });

/** Turns in their order, the last again and again. */
async function scripted(turns: readonly unknown[], report: unknown = REPORT): Promise<ModelServer> {
  let taken = 0;
  server = await ModelServer.start((asked) =>
    said(isReport(asked) ? report : turns[Math.min(taken++, turns.length - 1)]),
  );
  return server;
}

async function asked(options: AskOptions = {}, limits: Partial<Limits> = {}, question = QUESTION) {
  const agent = createAgent(db, {
    model: { base_url: server.url, capability: "text", retries: 0 },
    mode: "loop",
    limits,
  });
  return agent.ask(question, options);
}

const lastTold = (position: number): string => server.asked[position]!.body.messages.at(-1)!.content;

describe("a right loop", () => {
  it("is answered, its plan standing on cells", async () => {
    await scripted(RIGHT);
    const { answer, trace } = await asked();
    expect(answer).toMatchObject({
      status: "answered",
      text: expect.stringMatching(/^Bo \(`bo`\) was paid the most and paid .*\(`cy`\)\.$/),
      parts: [
        { kind: "value", value: "bo" },
        { kind: "entity_set", value: ["cy"] },
      ],
      blocked: [],
    });
    expect(answer.plan!.steps[1]!.args).toMatchObject({ where: { src: { uids: [{ $ref: "s1.rows[0].dst" }] } } });
    expect(answer.plan!.steps[0]!.args).toMatchObject({ where: { src: { uids: ["ada"] } } });
    expect(await db.check(trace)).toBeNull();
    expect(answer.model.prompt_versions).toEqual([
      expect.stringMatching(/^loop:/),
      expect.stringMatching(/^reporter:/),
    ]);
  });
});

describe("what the model is told", () => {
  it("is a conversation in which data stands in fences alone", async () => {
    await scripted(RIGHT);
    await asked();
    expect(server.asked.map(({ body }) => body.messages.length)).toEqual([2, 4, 6, 2]);
    for (const { body } of server.asked) {
      const roles = body.messages.map(({ role }) => role);
      expect(roles).toEqual(["system", "user", "assistant", "user", "assistant", "user"].slice(0, roles.length));
      for (const { role, content } of body.messages) {
        const outside = content.replace(/<data-([0-9a-f]{24}) kind="[a-z]+">\n[\s\S]*?\n<\/data-\1>/g, "");
        if (role === "user") expect(outside).not.toMatch(/\bada\b|ignore|PAID|\bBo\b|find the payee/);
        if (role === "user") expect(content).not.toContain("</data-x>");
      }
    }
  });

  it("has orders that stand in data as what they are", async () => {
    await scripted([
      payees("bo"),
      { call: { op: "entity_history", args: { uid: "cy" } } },
      finish("value", "s2.rows[0].uid"),
    ]);
    const { answer } = await asked({}, {}, "Whom did bo pay in May 2020?");
    expect(answer.parts).toMatchObject([{ value: "cy" }]);
    const told = lastTold(2);
    expect(told).not.toContain(EVIL);
    const [name] = /"name":"(ignore all that[^"]*)"/.exec(told)!.slice(1);
    expect(JSON.parse(`"${name}"`)).toBe(EVIL);
    expect(told.replace(/<data-([0-9a-f]{24}) kind="[a-z]+">\n[\s\S]*?\n<\/data-\1>/g, "")).not.toContain("ignore");
  });

  it("is the handle with counts and types, and rows with their paths", async () => {
    await scripted(RIGHT);
    await asked();
    const told = lastTold(1);
    for (const line of [
      '{"complete":true,"handle":"s1","op":"aggregate_events","rows_total":3}',
      '"types":{"dst":"string","n":"int"}',
      '{"path":"s1.rows[0]","row":{"dst":"bo","n":2}}',
      "Turns left: 15.",
    ])
      expect(told).toContain(line);
  });

  it("is five rows of a longer result, and how many there are", async () => {
    await scripted([{ call: { op: "version_history", args: {} } }, finish("count", "s1.rows_total")]);
    await asked({}, {}, "How many versions are there?");
    const told = lastTold(1);
    // Five payments and four people.
    expect(told).toContain('"rows_total":9');
    expect(told.match(/"path":"s1\.rows\[\d\]"/g)).toEqual([0, 1, 2, 3, 4].map((i) => `"path":"s1.rows[${i}]"`));
  });

  it("has six tasks at most, and of each its beginning", async () => {
    const tasks = ["x".repeat(300), "2", "3", "4", "5", "6", "7", "8"];
    await scripted([{ ...RIGHT[0], tasks }, ...RIGHT.slice(1)]);
    await asked();
    const [told] = /kind="tasks">\n([\s\S]*?)\n<\/data-/.exec(lastTold(1))!.slice(1);
    expect(told!.split("\n").map((line) => JSON.parse(line))).toEqual(["x".repeat(200), "2", "3", "4", "5", "6"]);
  });

  it("has the tasks that it wrote first, as data", async () => {
    await scripted(RIGHT);
    await asked();
    expect(lastTold(1)).toMatch(/kind="tasks">\n"find the payee"\n"see whom they paid"\n<\/data-/);
    expect(lastTold(2)).toMatch(/kind="tasks">/);
    expect(server.asked[2]!.body.messages[3]!.content).not.toMatch(/kind="tasks">/);
  });
});

describe("literals that were copied from results", () => {
  it("become references: ids, instants, operands", async () => {
    const aggregates = [
      { fn: "min", of: "at", as: "first" },
      { fn: "max", of: "at", as: "last" },
      { fn: "count", as: "n" },
    ];
    const first = {
      call: { op: "aggregate_events", args: { window: MAY, where: { src: { uids: ["ada"] } }, aggregates } },
    };
    await scripted([
      first,
      {
        call: {
          op: "compute",
          args: {
            fn: "diff",
            x: "2020-05-09T00:00:00Z",
            y: "2020-05-02T00:00:00Z",
            types: { x: "instant", y: "instant" },
          },
        },
      },
      payees("ada", { window: { from: "2020-05-02T00:00:00Z", to: MAY.to } }),
      finish("ordering", "s2.value", { kind: "value", from: "s3.rows[0].dst" }),
    ]);
    const { answer, trace } = await asked({}, {}, "Whom did ada pay in May 2020?");
    expect(answer.status).toBe("answered");
    expect(answer.plan!.steps.map(({ args }) => args)).toMatchObject([
      first.call.args,
      { fn: "diff", x: { $ref: "s1.rows[0].last" }, y: { $ref: "s1.rows[0].first" }, types: {} },
      { window: { from: { $ref: "s1.rows[0].first" }, to: MAY.to } },
    ]);
    expect(await db.check(trace)).toBeNull();
  });

  it("and references that were written as such stay", async () => {
    await scripted([payees("ada"), payees({ $ref: "s1.rows[0].dst" }), RIGHT[2]]);
    const { answer } = await asked();
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: ["cy"] }] });
  });

  it("a number that several cells hold stays as it is", async () => {
    const minus = (x: number, y: number) => ({ call: { op: "compute", args: { fn: "diff", x, y } } });
    const counts = { group_by: undefined, order_by: undefined };
    await scripted([
      payees("ada", counts),
      payees("bo", counts),
      payees("bo"),
      minus(4, 1),
      finish("value", "s4.value"),
    ]);
    const { answer } = await asked({}, {}, "How many more did ada pay than bo in May 2020?");
    // Four is the one row of s1, and 1 stands in s2 and in s3.
    expect(answer.plan!.steps[3]!.args).toMatchObject({ x: { $ref: "s1.rows[0].n" }, y: 1 });
    expect(answer.parts).toMatchObject([{ value: 3 }]);
  });
});

describe("calls that do not hold", () => {
  it.each<[string, unknown, string]>([
    ["an unknown tool", { call: { op: "find", args: { uid: "ada" } } }, "unknown_operator"],
    ["arguments that are none", payees("ada", { windows: MAY }), "unknown_argument"],
    ["arguments that are no object", { call: { op: "compute", args: [1] } }, "wrong_argument"],
    ["an invented id", payees("zoe"), "ungrounded_uid"],
    [
      "a search for what nobody named",
      { call: { op: "resolve_entities", args: { query: "Zoe" } } },
      "ungrounded_query",
    ],
    ["a reference to no step", payees({ $ref: "s7.rows[0].dst" }), "unknown_step"],
    ["a reference to no row", payees({ $ref: "s1.rows[9].dst" }), "run_error"],
    ["a pin after the question", payees("ada", { as_of_tt: "2200-01-01T00:00:00Z" }), "pin_after_ask"],
    ["a commit that is not there", payees("ada", { as_of_tt: "tx:9" }), "unknown_commit"],
    ["no JSON", "I would look at ada", "no_call"],
    ["no call", { thought: "hm" }, "no_call"],
    ["a call and a finish", { ...payees("ada"), ...finish("count", "s1.rows_total") }, "two_turns"],
    ["a member that is none", { ...payees("ada"), result: 3 }, "unknown_key"],
    [
      "an answer with a member that is none",
      { finish: { answer: { kind: "count", from: "s1.rows_total", value: 3 } } },
      "unknown_key",
    ],
    ["an answer that points nowhere", finish("value", "s1.rows[0].account"), "unknown_field"],
    ["an answer of another kind", finish("count", "s1.rows"), "kind_mismatch"],
    ["an answer that no row gives", finish("value", "s1.rows[8].dst"), "run_error"],
  ])("are told, and are no step: %s", async (_, wrong, kind) => {
    await scripted([RIGHT[0], wrong, RIGHT[1], RIGHT[2]]);
    const { answer } = await asked();
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: ["cy"] }] });
    expect(answer.plan!.steps.map(({ id }) => id)).toEqual(["s1", "s2"]);
    expect(lastTold(2)).toContain(kind);
    expect(lastTold(2)).toContain("Turns left: 14.");
    expect(answer.attempts.flatMap(({ violations }) => violations.map((violation) => violation.kind))).toContain(kind);
  });

  it("do not stop an answer that leaves out a mention twice, which is said", async () => {
    const every = payees("ada", { window: null });
    const end = finish("value", "s1.rows[0].dst");
    await scripted([every, end, { thought: "still", ...end }]);
    const { answer } = await asked({}, {}, "Whom did ada pay most often in May 2020?");
    expect(lastTold(2)).toContain("unused_mention");
    expect(answer).toMatchObject({ status: "answered", notices: ["ignored: q2"], parts: [{ value: "bo" }] });
  });
});

describe("calls in TQL", () => {
  const MAY_TIME = "FOR VALID_TIME FROM TIMESTAMP '2020-05-01T00:00:00Z' TO TIMESTAMP '2020-06-01T00:00:00Z'";
  const tql = (query: unknown, more: object = {}) => ({ call: { op: "query_tql", args: { query, ...more } } });
  const paidBy = (src: string) =>
    `SELECT dst AS who, COUNT(*) AS n FROM EVENTS(PAID) ${MAY_TIME} WHERE src = '${src}' GROUP BY dst ORDER BY n DESC`;

  it("are steps, and what was copied into the text is a reference", async () => {
    await scripted([
      tql(paidBy("ada")),
      tql(paidBy("bo")),
      finish("value", "s1.rows[0].dst", { kind: "entity_set", from: "s2.rows[*].dst" }),
    ]);
    const { answer, trace } = await asked();
    expect(lastTold(1)).toContain('{"path":"s1.rows[0]","row":{"dst":"bo","n":2}}');
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: ["cy"] }] });
    expect(answer.plan!.steps[1]!.args).toMatchObject({ where: { src: { uids: [{ $ref: "s1.rows[0].dst" }] } } });
    expect(await db.check(trace)).toBeNull();
    expect((await db.run(answer.plan!)).trace_digest).toBe(trace!.trace_digest);
  });

  it("may be made of several steps, of which the last has the handle", async () => {
    const query = `WITH top AS (${paidBy("ada")}) SELECT COUNT(*) AS payees FROM top`;
    await scripted([
      tql(query),
      payees("ada"),
      finish("count", "s1.rows[0].payees", { kind: "entity_set", from: "s2.rows[*].dst" }),
    ]);
    const { answer, trace } = await asked();
    expect(answer.parts).toMatchObject([{ value: 3 }, { value: ["bo", "cy", "dan"] }]);
    const ids = answer.plan!.steps.map(({ id }) => id);
    expect(ids.filter((id) => /^s\d$/.test(id))).toEqual(["s1", "s2"]);
    expect(ids[0]).toBe("s1_1");
    expect(await db.check(trace)).toBeNull();
  });

  it.each<[string, unknown, string]>([
    ["a text that is no statement", tql("SELEC dst"), '"line":1'],
    ["a write", tql("MATCH (n {uid: 'ada'}) DELETE n"), "E_READONLY"],
    ["a list of names", tql("SHOW LABELS"), "E_INVALID_ARG"],
    ["a source that is none", tql("SELECT x FROM events_of_may"), "unknown_name"],
    ["an invented id", tql(paidBy("zoe")), "ungrounded_uid"],
    [
      "an id in a text that is computed with",
      tql(`SELECT CONCAT(dst, 'cy') AS x FROM EVENTS(PAID) ${MAY_TIME}`),
      "ungrounded_uid",
    ],
    ["a text without end", tql(`SELECT '${"x".repeat(5000)}' AS x`), "tql_too_long"],
    ["no text", tql(3), "wrong_argument"],
    ["an argument that is none", tql(paidBy("ada"), { limit: 3 }), "unknown_key"],
  ])("that do not hold are told: %s", async (_, wrong, told) => {
    await scripted([payees("ada"), wrong, RIGHT[1], RIGHT[2]]);
    const { answer } = await asked();
    expect(answer.status).toBe("answered");
    expect(lastTold(2)).toContain(told);
    expect(answer.plan!.steps.map(({ id }) => id)).toEqual(["s1", "s2"]);
  });
});

describe("loops that come to no end", () => {
  const limited = (i: number) => payees("ada", { limit: i + 1 });

  it("end with their turns, and say what was tried", async () => {
    await scripted(Array.from({ length: 9 }, (_, i) => limited(i)));
    const { answer, trace } = await asked({}, { loop_calls: 4 });
    expect(server.asked).toHaveLength(4);
    expect(lastTold(3)).toContain("Turns left: 1. This one finishes.");
    expect(trace).toBeNull();
    expect(answer).toMatchObject({
      status: "abstained",
      plan: null,
      parts: [],
      text: "Could not be shown: limits.loop_calls = 4 is spent. Tried: s1 aggregate_events, s2 aggregate_events, s3 aggregate_events, s4 aggregate_events.",
      could_not: [{ code: "E_LIMIT" }],
    });
  });

  it("take 16 turns by default", async () => {
    await scripted(Array.from({ length: 20 }, (_, i) => limited(i)));
    await asked();
    expect(server.asked).toHaveLength(16);
  });

  it("are given the old handle for an equal call, and end with the third", async () => {
    await scripted([payees("ada")]);
    const { answer } = await asked();
    expect(server.asked).toHaveLength(3);
    expect(lastTold(2)).toContain("This call is s1.");
    expect(answer).toMatchObject({ status: "abstained", could_not: [{ why: "the same call came three times" }] });
  });

  it("know an equal call however it is written", async () => {
    await scripted([payees("ada"), payees("bo"), payees({ $ref: "s1.rows[0].dst" }), RIGHT[2]]);
    const { answer } = await asked();
    expect(lastTold(3)).toContain("This call is s2.");
    expect(answer.plan!.steps).toHaveLength(2);
  });

  it("end with the third equal call of a tool that is none, or with the third equal nonsense", async () => {
    await scripted([{ call: { op: "google", args: {} } }]);
    expect((await asked()).answer).toMatchObject({ status: "failed", could_not: [{ code: "E_LIMIT" }] });
    expect(server.asked).toHaveLength(3);
    await server.stop();
    await scripted(["what?"]);
    expect((await asked()).answer.status).toBe("failed");
    expect(server.asked).toHaveLength(3);
  });

  it("print nothing of an answer that the model wrote", async () => {
    const end = {
      finish: { answer: { kind: "It was 42", from: "s1.rows[0].dst", also: [{ kind: "value", from: "x 42" }] } },
    };
    await scripted([payees("ada"), end]);
    const { answer } = await asked();
    expect(answer.status).toBe("abstained");
    expect(JSON.stringify([answer.text, answer.could_not, answer.notices])).not.toContain("42");
  });

  it("give by code the parts that some step has", async () => {
    const end = finish("value", "s1.rows[0].dst", { kind: "count", from: "s1.rows[0].payments" });
    await scripted([payees("ada"), end, end, end]);
    const { answer, trace } = await asked();
    expect(server.asked).toHaveLength(4);
    expect(answer).toMatchObject({
      status: "partial",
      text: "Bo (`bo`).\nCould not be shown: count. no step gives it.",
      parts: [{ value: "bo", verdict: "supported" }],
      notices: ["limit: repeats"],
    });
    expect(await db.check(trace)).toBeNull();
  });
});

describe("an answer with more parts than there may be", () => {
  it("gives those that there may be, and says of the rest why not", async () => {
    const counts = ["rows[0].n", "rows[1].n", "rows_total", "rows[2].n", "events"];
    const further = counts.map((cell) => ({ kind: "count", from: `s1.${cell}` }));
    await scripted([payees("ada"), finish("value", "s1.rows[0].dst", ...further)]);
    const { answer } = await asked();
    const most = { code: "too_many_parts", why: "an answer has at most 4 parts" };
    expect(answer).toMatchObject({
      status: "partial",
      parts: [{ value: "bo" }, { value: 2 }, { value: 1 }, { value: 3 }],
      could_not: [
        { part: 4, ...most },
        { part: 5, ...most },
      ],
      notices: ["limit: repeats"],
    });
  });
});

describe("limits", () => {
  const code = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "none",
      (error: unknown) => (error instanceof PalimpsestError ? error.code : String(error)),
    );

  it("end a loop by its signal, at once", { retry: 2 }, async () => {
    let turns = 0;
    server = await ModelServer.start(() =>
      turns++ === 0 ? said(payees("ada")) : { text: "{}", firstAfterMs: 60_000 },
    );
    const controller = new AbortController();
    const asking = code(asked({ signal: controller.signal }));
    while (server.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const since = performance.now();
    controller.abort();
    expect(await asking).toBe("E_CANCELLED");
    expect(performance.now() - since).toBeLessThan(100);
  });

  it("end a loop by its wall, and say so", async () => {
    server = await ModelServer.start(() => ({ text: "{}", firstAfterMs: 60_000 }));
    const error = await asked({}, { wall_ms: 150 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "E_CANCELLED", details: { reason: "deadline", limit: "wall_ms" } });
  });

  it("end a loop whose answers are cut, with what its steps give", async () => {
    let turns = 0;
    const first = finish("value", "s1.rows[0].dst", { kind: "count", from: "s1.rows[0].payments" });
    server = await ModelServer.start(() => {
      turns += 1;
      if (turns > 2) return { text: "{", finish: "length" };
      return said(turns === 1 ? payees("ada") : first);
    });
    const { answer } = await asked();
    expect(answer).toMatchObject({ status: "partial", parts: [{ value: "bo" }], notices: ["limit: output_cut"] });
    await server.stop();
    server = await ModelServer.start(() => ({ text: "{", finish: "length" }));
    expect((await asked()).answer).toMatchObject({ status: "failed", could_not: [{ code: "E_LIMIT" }] });
  });

  // The server says 110 tokens a call.
  it("count the tokens of all turns", async () => {
    await scripted(Array.from({ length: 9 }, (_, i) => payees("ada", { limit: i + 1 })));
    const { answer } = await asked({}, { tokens: 300 });
    expect(server.asked).toHaveLength(3);
    expect(answer.usage).toMatchObject({ calls: 3, prompt_tokens: 300 });
    expect(answer.text).toContain("limits.tokens = 300 is spent");
  });

  it("leave the words to code where the loop took all tokens", async () => {
    await scripted(RIGHT);
    const { answer } = await asked({}, { tokens: 330 });
    expect(answer).toMatchObject({ status: "answered", notices: ["limit: tokens"], parts: [{ value: "bo" }, {}] });
  });

  it("count the rows of all results", async () => {
    await scripted(RIGHT);
    await asked({}, { rows_held: 3 });
    expect(lastTold(2)).toContain("E_COST");
  });

  it("tell of a server that is gone", async () => {
    server = await ModelServer.start(() => ({ status: 500 }));
    expect(await code(asked())).toBe("E_MODEL");
  });
});

describe("auto", () => {
  const isLoop = ({ body }: Asked): boolean => body.messages[0]!.content.includes("one call a turn");
  const wrongPlan = (n: number) => ({ thought: String(n), steps: [], answer: { kind: "count", from: `s${n}` } });

  async function both(turns: readonly unknown[]): Promise<void> {
    let plans = 0;
    let taken = 0;
    server = await ModelServer.start((asked) => {
      if (isReport(asked)) return said(REPORT);
      return said(isLoop(asked) ? turns[Math.min(taken++, turns.length - 1)] : wrongPlan(++plans));
    });
  }

  it("calls operators where no plan held", async () => {
    await both(RIGHT);
    const { answer } = await asked({ mode: "auto" });
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: ["cy"] }] });
    expect(server.asked.filter((each) => !isLoop(each) && !isReport(each))).toHaveLength(4);
    expect(server.asked.filter(isLoop)).toHaveLength(3);
    expect(answer.usage.calls).toBe(8);
    expect(answer.model.prompt_versions).toHaveLength(3);
  });

  it("does not where a plan held, or where plans alone are wanted", async () => {
    await both(RIGHT);
    expect((await asked({ mode: "plan" })).answer.status).toBe("failed");
    expect(server.asked.filter(isLoop)).toHaveLength(0);
  });

  it("fails with what was wrong with the plans where no call held either", async () => {
    await both(["what?"]);
    expect((await asked({ mode: "auto" })).answer).toMatchObject({
      status: "failed",
      could_not: [{ code: "E_PLAN_INVALID" }],
    });
  });

  it("goes on with what is left of the budget alone", async () => {
    await both(RIGHT);
    expect((await asked({ mode: "auto" }, { tokens: 440 })).answer.status).toBe("failed");
    expect(server.asked.filter(isLoop)).toHaveLength(0);
    expect((await asked({ mode: "auto" }, { tokens: 550 })).answer.status).toBe("abstained");
    expect(server.asked.filter(isLoop)).toHaveLength(1);
  });
});

describe("the finished plan", () => {
  it("gives the same digests when it runs alone", async () => {
    await scripted(RIGHT);
    const { answer, trace } = await asked();
    const alone = await db.run(answer.plan!);
    expect(alone.steps.map(({ result_digest }) => result_digest)).toEqual(
      trace!.steps.map(({ result_digest }) => result_digest),
    );
    expect(alone.trace_digest).toBe(trace!.trace_digest);
  });
});
