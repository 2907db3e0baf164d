// No model writes a value: what a query or a computation hands through from its own text is evidence of nothing, however
// many steps it passes; what is read or counted is.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgent } from "../../src/agent/index.js";
import type { Database } from "../../src/index.js";
import { ModelServer } from "./model-server.js";
import { paymentsStore } from "./payments.js";

let db: Database;
beforeAll(async () => {
  db = await paymentsStore();
});
afterAll(() => db.close());

const SCAN = { id: "s1", op: "scan", args: { of: "edges" } };
const select = (id: string, query: string, from: string | null = "s1") => ({
  id,
  op: "select",
  args: { query, ...(from === null ? {} : { tables: { t: { $ref: from } } }) },
});

async function verdictOn(steps: readonly object[], cell: string): Promise<string> {
  const trace = await db.run({ steps, answer: { kind: "value", from: cell } });
  const [verdict] = await createAgent(db).verify([{ id: "c1", type: "value", cell }], trace);
  return [verdict!.verdict, ...verdict!.reasons].join(" ");
}

describe("a value that the plan wrote", () => {
  it.each([
    "SELECT 42 AS v",
    "SELECT -(40 + 2) AS v FROM t",
    "SELECT 'ada' AS v FROM t",
    "SELECT CAST('42' AS INTEGER) AS v FROM t",
    "SELECT TIMESTAMP '2020-01-01T00:00:00Z' AS v FROM t",
    "SELECT COALESCE(NULL, 42) AS v FROM t",
    "SELECT MAX(42) AS v FROM t",
    "SELECT CASE WHEN COUNT(*) > 0 THEN 42 ELSE 7 END AS v FROM t",
    "SELECT (SELECT 42) AS v FROM t",
    "SELECT q.v FROM (SELECT 42 AS v FROM t) q",
    "SELECT * FROM (SELECT 42 AS v FROM t) q",
    "WITH q AS (SELECT 42 AS w FROM t) SELECT w AS v FROM q",
    "WITH q AS (SELECT 42 AS w FROM t) SELECT q.w + 1 AS v FROM q",
    "SELECT 42 AS v UNION ALL SELECT 43",
    "SELECT COUNT(*) AS v FROM t UNION ALL SELECT 43",
    "SELECT 1 IN (1, 2) AS v FROM t",
    "SELECT 42 BETWEEN 1 AND 50 AND NOT (1 = 2) AS v FROM t",
    "SELECT 'ada' LIKE 'a%' AS v FROM t",
  ])("is no evidence: %s", async (query) => {
    const from = query.includes("t") && / t\b/.test(query) ? "s1" : null;
    expect(await verdictOn([SCAN, select("s2", query, from)], "s2.rows[0].v")).toBe("unverifiable not_evidence");
  });

  it("is none after more steps, either", async () => {
    const steps = [SCAN, select("s2", "SELECT 42 AS v FROM t"), select("s3", "SELECT t.v FROM t", "s2")];
    expect(await verdictOn(steps, "s3.rows[0].v")).toBe("unverifiable not_evidence");
    const sum = { id: "s3", op: "compute", args: { fn: "diff", x: { $ref: "s2.rows[0].v" }, y: 1 } };
    expect(await verdictOn([SCAN, steps[1]!, sum], "s3.value")).toBe("unverifiable not_evidence");
    const alone = { id: "s1", op: "compute", args: { fn: "diff", x: 43, y: 1 } };
    expect(await verdictOn([alone], "s1.value")).toBe("unverifiable not_evidence");
  });

  it.each([
    ["a new column of a literal", { fn: "derive", input: { $ref: "s1" }, columns: [{ as: "v", expr: { value: 42 } }] }],
    ["inline rows beside what was read", { fn: "union", input: { $ref: "s1.rows[*].dst" }, other: ["zz"] }],
    ["the greatest of a reading and a literal", { fn: "max", input: [{ $ref: "s1.rows_total" }, 4242] }],
  ])("is none from compute: %s", async (_, args) => {
    const cell = args.fn === "max" ? "s2.value" : `s2.rows[0].${args.fn === "union" ? "value" : "v"}`;
    expect(await verdictOn([SCAN, { id: "s2", op: "compute", args }], cell)).toBe("unverifiable not_evidence");
  });

  it.each(["plan", "loop"] as const)("is not shown, whatever a model does: %s", async (mode) => {
    const tql = "SELECT 42 AS v";
    const turns = [
      { call: { op: "query_tql", args: { query: tql } } },
      { finish: { answer: { kind: "value", from: "s1.rows[0].v" } } },
    ];
    const plan = { tql, answer: { kind: "value", from: "rows[0].v" } };
    const report = { text: "{c1}.", claims: [{ id: "c1", type: "value", cell: "s1.rows[0].v" }] };
    let taken = 0;
    const server = await ModelServer.start(({ body }) => {
      const isReport = body.messages[0]!.content.includes("You word the answer");
      const next = mode === "plan" ? plan : turns[Math.min(taken++, turns.length - 1)];
      return { text: JSON.stringify(isReport ? report : next) };
    });
    const model = { base_url: server.url, capability: "text", retries: 0 } as const;
    const { answer } = await createAgent(db, { model, mode, front: "tql" }).ask("How many were paid?");
    await server.stop();
    expect(answer.status).toBe("abstained");
    expect(answer.text).not.toMatch(/\b42\b/);
  });
});

describe("a value that was read or counted", () => {
  it.each([
    "SELECT t.dst AS v FROM t",
    "SELECT COUNT(*) AS v FROM t",
    "SELECT SUM(1) AS v FROM t",
    "SELECT COUNT(*) * 100 AS v FROM t",
    "SELECT CASE WHEN COUNT(*) > 3 THEN COUNT(*) ELSE 0 END AS v FROM t",
    "SELECT COALESCE(MAX(t.dst), 'nobody') AS v FROM t",
    "WITH q AS (SELECT t.dst AS v, 42 AS w FROM t) SELECT v FROM q",
    "SELECT q.v FROM (SELECT *, t.dst AS v FROM t) q",
  ])("is evidence: %s", async (query) => {
    expect(await verdictOn([SCAN, select("s2", query)], "s2.rows[0].v")).toBe("supported");
  });
});
