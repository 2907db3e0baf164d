// Calls that are statements of TQL.
import { describe, expect, it } from "vitest";
import { finish, LoopSuite, payees, RIGHT } from "./asking.js";

const suite = LoopSuite.begin();

describe("calls in TQL", () => {
  const MAY_TIME = "FOR VALID_TIME FROM TIMESTAMP '2020-05-01T00:00:00Z' TO TIMESTAMP '2020-06-01T00:00:00Z'";
  const tql = (query: unknown, more: object = {}) => ({ call: { op: "query_tql", args: { query, ...more } } });
  const paidBy = (src: string) =>
    `SELECT dst AS who, COUNT(*) AS n FROM EVENTS(PAID) ${MAY_TIME} WHERE src = '${src}' GROUP BY dst ORDER BY n DESC`;

  it("are steps, and what was copied into the text is a reference", async () => {
    await suite.playTurns([
      tql(paidBy("ada")),
      tql(paidBy("bo")),
      finish("value", "s1.rows[0].dst", { kind: "entity_set", from: "s2.rows[*].dst" }),
    ]);
    const { answer, trace } = await suite.ask();
    expect(suite.lastTold(1)).toContain('{"path":"s1.rows[0]","row":{"dst":"bo","n":2}}');
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: ["cy"] }] });
    expect(answer.plan!.steps[1]!.args).toMatchObject({ where: { src: { uids: [{ $ref: "s1.rows[0].dst" }] } } });
    expect(await suite.db.check(trace)).toBeNull();
    expect((await suite.db.run(answer.plan!)).trace_digest).toBe(trace!.trace_digest);
  });

  it("may be made of several steps, of which the last has the handle", async () => {
    const query = `WITH top AS (${paidBy("ada")}) SELECT COUNT(*) AS payees FROM top`;
    await suite.playTurns([
      tql(query),
      payees("ada"),
      finish("count", "s1.rows[0].payees", { kind: "entity_set", from: "s2.rows[*].dst" }),
    ]);
    const { answer, trace } = await suite.ask();
    expect(answer.parts).toMatchObject([{ value: 3 }, { value: ["bo", "cy", "dan"] }]);
    const ids = answer.plan!.steps.map(({ id }) => id);
    expect(ids.filter((id) => /^s\d$/.test(id))).toEqual(["s1", "s2"]);
    expect(ids[0]).toBe("s1_1");
    expect(await suite.db.check(trace)).toBeNull();
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
    await suite.playTurns([payees("ada"), wrong, RIGHT[1], RIGHT[2]]);
    const { answer } = await suite.ask();
    expect(answer.status).toBe("answered");
    expect(suite.lastTold(2)).toContain(told);
    expect(answer.plan!.steps.map(({ id }) => id)).toEqual(["s1", "s2"]);
  });
});
