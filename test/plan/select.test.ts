// Plans with a select: its tables by reference, typed before it runs, grounded in its text, handed over by columns.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contract/values.js";
import { S1, S2 } from "../../src/operators/example-stores.js";
import { runPlan, runStatementPlan, verifyPlan } from "../../src/plan/index.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";
import { referenceCaseStore } from "../support/reference-case-store.js";

async function filled(store: CaseStore, { batches }: typeof S1): Promise<CaseStore> {
  for (const { ops, txTime } of batches) await store.write([...ops] as JsonObject[], txTime);
  return store;
}
let native: CaseStore;
let reference: CaseStore;
let properties: CaseStore;
beforeAll(async () => {
  native = await filled(await nativeCaseStore(), S1);
  reference = await filled(referenceCaseStore(), S1);
  properties = await filled(await nativeCaseStore(), S2);
});
afterAll(async () => {
  await native.close();
  await properties.close();
});

const events = { id: "s1", op: "scan", args: { of: "events", columns: ["src", "dst", "at", "seq"] } };
const select = (query: string, args: JsonObject = {}) => ({
  id: "s2",
  op: "select",
  args: { query, tables: { e: { $ref: "s1" } }, ...args },
});
const plan = (query: string, args: JsonObject = {}) => ({
  steps: [events, select(query, args)],
  answer: { kind: "table", from: "s2" },
});
const SENT = "SELECT e.src, COUNT(*) AS n, MIN(e.at) AS first FROM e GROUP BY e.src ORDER BY n DESC";

describe("a select in a plan", () => {
  it("counts what the scan gives, with and without a trace, on both engines", async () => {
    // By hand: a sends k1 and k5, b sends k2 and k3, c sends k4.
    const rows = [
      { src: "a", n: 2, first: "2020-01-01T00:00:10Z" },
      { src: "b", n: 2, first: "2020-01-01T00:00:12Z" },
      { src: "c", n: 1, first: "2020-01-01T00:00:15Z" },
    ];
    const quick = await runStatementPlan(native.engine, plan(SENT));
    expect(quick).toMatchObject({
      columns: [
        { name: "src", type: "string" },
        { name: "n", type: "int" },
        { name: "first", type: "instant" },
      ],
      rows,
      rows_total: 3,
      complete: true,
      pin: { tx: 1 },
    });
    const traced = await runPlan(native.engine, plan(SENT));
    expect(traced.answer).toMatchObject({ rows, result_digest: quick.result_digest });
    expect(traced.steps[1]!.args).toMatchObject({ tables: { e: { digest: traced.steps[0]!.result_digest } } });
    const other = await runPlan(reference.engine, plan(SENT));
    expect(other.trace_digest).toBe(traced.trace_digest);
    const otherQuick = await runStatementPlan(reference.engine, plan(SENT));
    expect(otherQuick.result_digest).toBe(quick.result_digest);
  });

  it("has columns that the verifier knows", () => {
    const wrong = { ...plan(SENT), answer: { kind: "value", from: "s2.rows[0].sum" } };
    expect(verifyPlan(wrong).violations).toMatchObject([
      { code: "E_SCHEMA", kind: "unknown_field", hint: expect.stringContaining("first: instant") },
    ]);
    const next = (path: string) => ({
      steps: [events, select(SENT), { id: "s3", op: "temporal_reachability", args: { uid: { $ref: path } } }],
      answer: { kind: "table", from: "s3" },
    });
    expect(verifyPlan(next("s2.rows[0].src")).valid).toBe(true);
    expect(verifyPlan(next("s2.rows[0].n")).violations).toMatchObject([{ kind: "type_mismatch" }]);
  });

  it("is checked as a text before anything runs", () => {
    const of = (query: string) => verifyPlan(plan(query)).violations.map(({ code, path }) => [code, path]);
    expect(of("SELCT 1")).toEqual([["E_SYNTAX", "/steps/1/args"]]);
    expect(of("SELECT e.sender FROM e")).toMatchObject([["E_SCHEMA", expect.stringContaining("/steps/1/args")]]);
    expect(of("SELECT x.src FROM x")).toMatchObject([["E_SCHEMA", expect.stringContaining("/steps/1/args")]]);
  });

  it("takes cells of earlier steps as parameters, instants as instants", async () => {
    const first = {
      id: "s0",
      op: "aggregate_events",
      args: { aggregates: [{ fn: "max", of: "at", as: "last" }], where: { src: { uids: ["b"] } } },
    };
    const later = select("SELECT e.src FROM e WHERE e.at > $last AND e.src <> $who ORDER BY e.at", {
      params: { last: { $ref: "s0.rows[0].last" }, who: "c" },
    });
    const answer = await runStatementPlan(native.engine, {
      steps: [first, events, later],
      answer: { kind: "table", from: "s2" },
    });
    // b sent last at 12; after that c at 15 (left out) and a at 30.
    expect(answer.rows).toEqual([{ src: "a" }]);
  });

  it("reads properties whose types only the data tells", async () => {
    const answer = await runStatementPlan(properties.engine, {
      steps: [
        { id: "s1", op: "scan", args: { of: "edges", columns: ["type", "props.w"] } },
        {
          id: "s2",
          op: "select",
          args: { query: "SELECT e.type, SUM(e.w) AS w FROM e GROUP BY e.type", tables: { e: { $ref: "s1" } } },
        },
      ],
      answer: { kind: "table", from: "s2" },
    });
    // R is 1 before, 5 inside and 1 after the correction.
    expect(answer.rows).toEqual([
      { type: "R", w: 7 },
      { type: "S", w: 2 },
    ]);
  });

  it("refuses an aggregate over a page, and passes rows of one on as a part", async () => {
    const page = { ...events, args: { ...events.args, limit: 2 } };
    const steps = (query: string) => ({ steps: [page, select(query)], answer: { kind: "table", from: "s2" } });
    await expect(runPlan(native.engine, steps(SENT))).rejects.toMatchObject({ code: "E_UPSTREAM" });
    const part = await runPlan(native.engine, steps("SELECT e.src FROM e"));
    expect(part.answer).toMatchObject({ complete: false, incomplete: ["upstream"], rows_total: 2 });
  });

  it("grounds the names in its text and in its parameters", () => {
    const of = (query: string, params: JsonObject = {}) =>
      verifyPlan(plan(query, { params }), { identifiers: new Set(["a"]), store: null }).violations.map(
        ({ code, path }) => [code, path],
      );
    expect(of("SELECT e.dst FROM e WHERE e.src = 'a'")).toEqual([]);
    expect(of("SELECT e.dst FROM e WHERE e.src = 'ghost'")).toEqual([["E_GROUNDING", "/steps/1/args/query"]]);
    expect(of("SELECT e.dst FROM e WHERE e.src IN ('a', 'ghost')")).toEqual([["E_GROUNDING", "/steps/1/args/query"]]);
    expect(of("SELECT e.dst FROM e WHERE LOWER(e.src) LIKE 'ghost%'")).toEqual([
      ["E_GROUNDING", "/steps/1/args/query"],
    ]);
    expect(of("SELECT e.dst FROM e WHERE e.src = $who", { who: "ghost" })).toEqual([
      ["E_GROUNDING", "/steps/1/args/params"],
    ]);
    expect(of("SELECT e.dst, 'free' AS t FROM e WHERE e.at > TIMESTAMP '2020-01-01T00:00:00Z'")).toEqual([]);
  });
});
