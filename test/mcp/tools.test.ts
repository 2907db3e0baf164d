// The tools as a client sees them, and what each of those that are no operator gives; mistakes in arguments.
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { S1 } from "../../src/operators/example-stores.js";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { objectOf, overHttp, type Served, writeStore } from "./clients.js";

let served: Served;
let client: Client;
beforeAll(async () => {
  served = await overHttp(await writeStore(":memory:", S1));
  client = await served.client();
});
afterAll(() => served.close());

const OWN = ["query_tql", "explain", "verify_plan", "run_plan", "verify_claims"];
const call = async (name: string, args: Record<string, unknown>) => {
  const result = await client.callTool({ name, arguments: args });
  return { isError: result.isError === true, ...objectOf(result) } as Record<string, unknown>;
};
const errorOf = async (name: string, args: Record<string, unknown>) => {
  const { isError, error } = await call(name, args);
  expect(isError).toBe(true);
  return error as { code: string; message: string; hint: string; details: { path?: string } };
};
const PLAN = {
  steps: [{ id: "s1", op: "temporal_reachability", args: { uid: "a" } }],
  answer: { kind: "entity_set", from: "s1.rows[*].uid" },
};

describe("tools", () => {
  it("are the operators and five more, each of which only reads", async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...DECLARATIONS.map(({ name }) => name), ...OWN]);
    for (const { name, annotations, inputSchema, outputSchema, description } of tools) {
      expect([name, annotations]).toEqual([
        name,
        { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
      ]);
      expect([name, inputSchema.type, outputSchema?.type]).toEqual([name, "object", "object"]);
      expect(description).not.toBe("");
    }
  });

  it("refuse a wrong argument of any operator with E_SCHEMA, its path and a hint", async () => {
    for (const { name } of DECLARATIONS) {
      const { code, details, hint } = await errorOf(name, { limit: "many", no_such_argument: 1 });
      expect([name, code]).toEqual([name, "E_SCHEMA"]);
      expect([name, details.path]).toEqual([name, expect.stringMatching(/^(\/|$)/)]);
      expect([name, hint]).not.toEqual([name, ""]);
    }
    expect(await errorOf("scan", { of: "edgez" })).toMatchObject({ code: "E_SCHEMA", details: { path: "/of" } });
    const deep = { uid: "a", where: { src: { labels: "Person" } } };
    const found = await errorOf("temporal_reachability", deep);
    expect(found).toMatchObject({ code: "E_SCHEMA", details: { path: "/where/src/labels" } });
  });

  it("refuse wrong arguments of their own in the same way", async () => {
    const wrong: [string, Record<string, unknown>, string][] = [
      ["query_tql", {}, ""],
      ["query_tql", { query: 7 }, "/query"],
      ["query_tql", { query: "SHOW TYPES", limit: 0 }, "/limit"],
      ["query_tql", { query: "SHOW TYPES", params: [] }, "/params"],
      ["query_tql", { query: "SHOW TYPES", Limit: 5 }, "/Limit"],
      ["explain", {}, ""],
      ["explain", { query: "SHOW TYPES", plan: PLAN }, ""],
      ["explain", { query: "" }, "/query"],
      ["verify_plan", { plan: "s1" }, "/plan"],
      ["verify_plan", { plan: PLAN, entities: "a" }, "/entities"],
      ["run_plan", { plan: PLAN, limit: 1.5 }, "/limit"],
      ["verify_claims", { claims: [{}] }, ""],
      ["verify_claims", { trace_digest: "x", claims: [{}] }, "/trace_digest"],
      ["verify_claims", { trace_digest: "0".repeat(64), claims: [] }, "/claims"],
    ];
    for (const [name, args, path] of wrong) {
      const { code, details } = await errorOf(name, args);
      expect([name, args, code, details.path]).toEqual([name, args, "E_SCHEMA", path]);
    }
  });

  it("tell errors of a call as results, with code, hint and details", async () => {
    expect(await errorOf("entity_history", { uid: "nobody" })).toMatchObject({ code: "E_NOT_FOUND" });
    expect(await errorOf("scan", { of: "nodes", as_of_tt: "tx:99" })).toMatchObject({ code: "E_TX_UNKNOWN" });
    expect(await errorOf("scan", { of: "nodes", cursor: "x" })).toMatchObject({ code: "E_INVALID_ARG" });
    const syntax = await errorOf("query_tql", { query: "SELECT\n  FROM" });
    expect(syntax).toMatchObject({ code: "E_SYNTAX", details: { line: 2 } });
    const invalid = await errorOf("run_plan", { plan: { steps: [], answer: {} } });
    expect(invalid).toMatchObject({ code: "E_PLAN_INVALID" });
  });

  it("answer statements that read, at a pin", async () => {
    const query = "SELECT n.uid FROM NODES(P) AS n WHERE n.uid = $who ORDER BY n.uid";
    const answer = await call("query_tql", { query, params: { who: "a" }, as_of_tt: "tx:1" });
    expect(answer).toMatchObject({ isError: false, columns: [{ name: "uid", type: "string" }], complete: true });
    expect(answer.pin).toMatchObject({ tx: 1 });
    expect(answer.rows_total).toBe((answer.rows as unknown[]).length);
    const explained = await call("query_tql", { query: "EXPLAIN SELECT n.uid FROM NODES(P) AS n" });
    expect(explained).toMatchObject({ isError: false, result_digest: null });
    expect(await call("query_tql", { query: "SHOW TYPES" })).toMatchObject({ isError: false, complete: true });
  });

  it("refuse statements that write or change a session", async () => {
    const insert = "INSERT (:Person {uid: 'x'}) FOR VALID_TIME FROM DATE '2020-01-01'";
    const told = await errorOf("query_tql", { query: insert });
    expect(told).toMatchObject({ code: "E_READONLY", hint: expect.stringContaining("propose_write") });
    expect((await served.service.db.head()).tx).toBe(S1.batches.length);
    expect((await errorOf("query_tql", { query: "BEGIN READ WRITE" })).code).toBe("E_READONLY");
    for (const query of ["SET TIME ZONE 'Europe/Paris'", "BEGIN READ ONLY", "RESET DEFAULTS"]) {
      expect([query, (await errorOf("query_tql", { query })).code]).toEqual([query, "E_INVALID_ARG"]);
    }
    expect((await errorOf("explain", { query: insert })).code).toBe("E_INVALID_ARG");
    const two = await errorOf("query_tql", { query: "SHOW TYPES; SHOW TYPES" });
    expect(two.code).toBe("E_SYNTAX");
  });

  it("explain a statement and a plan, with estimates and ceilings", async () => {
    const query = "SELECT h.src FROM EDGES(M) AS h WHERE h.src = $who";
    const ofText = await call("explain", { query, params: { who: "a" } });
    expect(ofText).toMatchObject({ isError: false, ceilings: { rows: 2_000_000_000, steps: 2_000_000_000 } });
    expect(ofText.tql).toContain("EDGES(M)");
    const [first] = ofText.estimate as { op: string; rows: number }[];
    expect(first).toMatchObject({ op: "scan", rows: expect.any(Number) });
    // The plan of a statement runs as it stands, and gives the statement's rows.
    const { rows } = await call("query_tql", { query, params: { who: "a" } });
    const run = await call("run_plan", { plan: ofText.plan });
    expect((run.answer as { rows: unknown }).rows).toEqual(rows);
    const ofPlan = await call("explain", { plan: PLAN });
    expect(ofPlan).toMatchObject({ plan: PLAN, estimate: [{ step: "s1", op: "temporal_reachability" }] });
    expect(ofPlan).not.toHaveProperty("tql");
    expect((await errorOf("explain", { plan: { steps: [] } })).code).toBe("E_PLAN_INVALID");
    expect((await errorOf("explain", { query: "SELECT" })).code).toBe("E_SYNTAX");
    expect((await errorOf("explain", { query: "SELECT n.uid\nFROM NODES(P) AS m" })).details).toMatchObject({
      line: 1,
      column: 8,
    });
  });

  it("verify a plan, for the entities that may be named", async () => {
    expect(await call("verify_plan", { plan: PLAN })).toMatchObject({ valid: true, violations: [] });
    const strict = await call("verify_plan", { plan: PLAN, entities: ["b"] });
    expect(strict.valid).toBe(false);
    expect(strict.violations).toMatchObject([{ code: "E_GROUNDING", step: "s1" }]);
  });

  it("run a plan: its trace, which a database checks, stands whole under its digest", async () => {
    const { trace, answer, complete } = await call("run_plan", { plan: PLAN });
    expect(complete).toBe(true);
    expect((answer as { value: string[] }).value).toEqual(["b", "c"]);
    const { trace_digest: digest } = trace as { trace_digest: string };
    const read = await client.readResource({ uri: `palimpsest://trace/${digest}` });
    const whole = JSON.parse((read.contents[0] as { text: string }).text) as object;
    expect(whole).toEqual({ ...(trace as object), answer });
    expect(await served.service.db.check(whole)).toBeNull();
  });

  it("give the same under the protocol's two eras", async () => {
    const older = await served.client("legacy");
    const asked = { name: "scan", arguments: { of: "edges" } };
    expect(objectOf(await older.callTool(asked))).toEqual(objectOf(await client.callTool(asked)));
    expect((await older.listTools()).tools.map(({ name }) => name)).toEqual(
      (await client.listTools()).tools.map(({ name }) => name),
    );
  });
});

describe("resources", () => {
  const textOf = async (uri: string) => ((await client.readResource({ uri })).contents[0] as { text: string }).text;

  it("are the manual and its operators", async () => {
    expect(await textOf("palimpsest://manual")).toContain("## temporal_reachability");
    for (const { name, summary } of DECLARATIONS) {
      const text = await textOf(`palimpsest://operator/${name}`);
      expect([name, text.replaceAll(/\s+/g, " ")]).toEqual([
        name,
        expect.stringContaining(summary.replaceAll("`", "")),
      ]);
    }
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("palimpsest://operator/scan");
  });

  it("are answers that were given, by their digest", async () => {
    const envelope = await call("entity_history", { uid: "a" });
    const { isError: _, ...given } = envelope;
    expect(JSON.parse(await textOf(`palimpsest://result/${envelope.result_digest as string}`))).toEqual(given);
    const answer = await call("query_tql", { query: "SELECT n.uid FROM NODES(P) AS n", limit: 1 });
    const whole = JSON.parse(await textOf(`palimpsest://result/${answer.result_digest as string}`)) as object;
    expect(whole).toMatchObject({ rows_total: answer.rows_total, complete: true });
    expect((whole as { rows: unknown[] }).rows).toHaveLength(answer.rows_total as number);
  });

  it("tell what the store holds", async () => {
    const { card } = JSON.parse(await textOf("palimpsest://card")) as { card: object[] };
    expect(card).toContainEqual(expect.objectContaining({ pin: "tx:1" }));
    expect(card).toContainEqual(expect.objectContaining({ type: "M" }));
    expect(card).toContainEqual(expect.objectContaining({ label: "P" }));
  });

  it("hold nothing that was erased", async () => {
    const own = await overHttp(await writeStore(":memory:", S1));
    const { db } = own.service;
    const asking = await own.client();
    const ask = async (name: string, args: Record<string, unknown>) =>
      objectOf(await asking.callTool({ name, arguments: args })) as Record<string, Record<string, string>>;
    const query = "SELECT n.uid FROM NODES(P) AS n ORDER BY n.uid";
    const { cursor } = await ask("query_tql", { query, limit: 1 });
    const { trace } = await ask("run_plan", { plan: PLAN });
    const { result_digest: digest } = await ask("entity_history", { uid: "b" });
    const uris = [`trace/${trace!.trace_digest}`, `result/${String(digest)}`].map((name) => `palimpsest://${name}`);
    for (const uri of uris) await asking.readResource({ uri });
    await db.write([{ op: "erase", ref: { uid: "b" } }]);
    for (const uri of uris) await expect(asking.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    const held = (await asking.listResources()).resources.filter(({ uri }) => /trace|result/.test(uri));
    expect(held).toEqual([]);
    expect(JSON.stringify(await ask("query_tql", { query, limit: 5, cursor }))).not.toContain('"b"');
    await own.close();
  });

  it("are refused by other names", async () => {
    const names = [
      "operator/nothing",
      "operator/__proto__",
      `trace/${"0".repeat(64)}`,
      "result/x",
      "cards",
      "manual/x",
    ];
    for (const name of names) {
      await expect(client.readResource({ uri: `palimpsest://${name}` })).rejects.toMatchObject({ code: -32602 });
    }
  });
});
