// Verdicts on which two readings of the rules once differed, each over a store of a few events.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Evidence } from "../../src/agent/claims/evidence.js";
import { verifyClaim } from "../../src/agent/claims/verify.js";
import { type AskedStore, askedStore } from "./asked.js";
import { verifyAgain } from "./second-verifier/verify.js";

const at = (second: number): string =>
  new Date(Date.UTC(2020, 0, 1) + second * 1000).toISOString().replace(".000Z", "Z");
const us = (second: number): bigint => BigInt(Date.UTC(2020, 0, 1) + second * 1000) * 1000n;
const perSource = {
  group_by: [{ dim: "node", role: "src" }],
  aggregates: [{ fn: "count", as: "n" }],
  order_by: [{ column: "n", desc: true }],
};

describe("a verdict", () => {
  let asked: AskedStore;
  beforeAll(async () => {
    asked = await askedStore();
    const events = [
      ["a", "b", 10],
      ["b", "c", 12],
      ["b", "a", 12],
      ["c", "a", 15],
      ["a", "b", 30],
    ] as const;
    await asked.store.ingest(
      {
        src: events.map(([src]) => src),
        dst: events.map(([, dst]) => dst),
        time: BigInt64Array.from(events, ([, , second]) => us(second)),
      },
      { type: "M" },
    );
  });
  afterAll(() => asked?.close());

  const ask = (...steps: readonly object[]): Promise<Evidence> =>
    asked.ask({ steps, answer: { kind: "table", from: "s1" } }, [{ id: "q1", uid: "a" }]);
  const counts = { id: "s1", op: "aggregate_events", args: perSource };
  const both = async (evidence: Evidence, claim: object): Promise<unknown[]> => {
    const given = { id: "c1", ...claim };
    const { verdict, reasons } = await verifyClaim(evidence, given);
    expect(await verifyAgain(evidence, given)).toEqual({ id: "c1", verdict, reasons });
    return [verdict, ...reasons];
  };

  it("finds no list in an answer of one value", async () => {
    const evidence = await ask(counts, {
      id: "s2",
      op: "compute",
      args: { fn: "diff", x: { $ref: "s1.rows[0].n" }, y: { $ref: "s1.rows[1].n" } },
    });
    expect(await both(evidence, { type: "absence", list: "s2" })).toEqual(["unverifiable", "no_cell"]);
  });

  it("takes integers beyond 2^53 as they are", async () => {
    const evidence = await ask(counts, {
      id: "s2",
      op: "select",
      args: {
        query: "SELECT MAX(t.n) + 9007199254740991 AS v FROM t",
        tables: { t: { $ref: "s1" } },
      },
    });
    const claim = { type: "value", cell: "s2.rows[0].v" };
    expect(await both(evidence, { ...claim, value: 9007199254740993n })).toEqual(["supported"]);
    expect(await both(evidence, { ...claim, value: 9007199254740992n })).toEqual(["refuted", "value"]);
  });

  it("is given on an answer about a subject that nobody knows", async () => {
    for (const [args, kind] of [
      [{ uid: "nobody" }, "node"],
      [{ ref: { src: "a", type: "M", dst: "nobody", key: "" } }, "edge"],
    ] as const) {
      const evidence = await ask({ id: "s1", op: "entity_history", args, unknown: "empty" });
      expect(evidence.step("s1")!.result!.envelope.kind).toBe(kind);
      expect((await both(evidence, { type: "absence", list: "s1.rows" }))[1]).toBe("unknown_name");
    }
  });

  it("is given on a cell that is named like a mention", async () => {
    const evidence = await ask(counts);
    expect(await both(evidence, { type: "count", cell: "q1" })).toEqual(["unverifiable", "no_evidence"]);
  });

  it("knows counts that were projected or summed", async () => {
    const input = { $ref: "s1.rows[*]" };
    const evidence = await ask(
      counts,
      { id: "s2", op: "compute", args: { fn: "project", input, fields: [{ from: "n", as: "m" }] } },
      { id: "s3", op: "compute", args: { fn: "sum", input, field: "n" } },
      { id: "s4", op: "graph_metric_timeseries", args: { metric: "edge_event_count", stride: "PT10S" } },
      { id: "s5", op: "compute", args: { fn: "sort", input: { $ref: "s4.rows[*]" }, order: [{ field: "value" }] } },
    );
    expect(await both(evidence, { type: "count", cell: "s2.rows[0].m" })).toEqual(["supported"]);
    expect(await both(evidence, { type: "count", cell: "s3.value", value: 5 })).toEqual(["supported"]);
    expect(await both(evidence, { type: "count", cell: "s5.rows[0].value" })).toEqual(["unverifiable", "not_a_count"]);
  });

  it("sees no rank where the arguments cut a tie away", async () => {
    const order = [{ field: "n", desc: true }];
    const evidence = await ask(
      counts,
      { id: "s2", op: "compute", args: { fn: "topk", input: { $ref: "s1.rows[*]" }, order, k: 1 } },
      { id: "s3", op: "compute", args: { fn: "sort", input: { $ref: "s1.rows[*]" }, order } },
    );
    const rank = { by: "n", side: "max" };
    expect(await both(evidence, { type: "entity", cell: "s2.rows[0].src", rank })).toEqual(["unverifiable", "rank"]);
    expect(await both(evidence, { type: "entity", cell: "s3.rows[0].src", rank })).toEqual([
      "supported_partial",
      "tied",
    ]);
  });

  it("is about the rows that a slice hands on", async () => {
    const evidence = await ask({ ...counts, slice: [2, 1] });
    expect(await both(evidence, { type: "entity", cell: "s1.rows[0].src", value: "c" })).toEqual(["supported"]);
    expect(await both(evidence, { type: "entity", cell: "s1.rows[1].src" })).toEqual(["unverifiable", "no_cell"]);
  });

  it("reads values before it compares them", async () => {
    const evidence = await ask({
      id: "s1",
      op: "aggregate_events",
      args: {
        aggregates: [
          { fn: "min", of: "at", as: "first" },
          { fn: "max_gap", as: "gap" },
        ],
      },
    });
    const first = { type: "value", cell: "s1.rows[0].first" };
    expect(await both(evidence, { ...first, value: "2020-01-01T01:00:10+01:00" })).toEqual(["supported"]);
    expect(await both(evidence, { ...first, value: at(11) })).toEqual(["refuted", "value"]);
    expect(await both(evidence, { type: "value", cell: "s1.rows[0].gap", value: "PT0M15S" })).toEqual(["supported"]);
  });

  it("misses a tie before anything of its type", async () => {
    const evidence = await ask(counts);
    const a = { at: "s1.rows[0].n", of: "s1.rows[1].src" };
    const claim = { type: "ordering", a, b: a, relation: "before" };
    expect(await both(evidence, claim)).toEqual(["unverifiable", "untied", "not_a_pair"]);
  });

  it("ties a mention to the history that is short for its reference", async () => {
    const evidence = await ask({ id: "s1", op: "entity_history", args: { uid: "a" } });
    expect(await both(evidence, { type: "count", cell: "s1.spells", about: ["q1"] })).toEqual(["supported"]);
  });

  it("does not believe the address of another table", async () => {
    const evidence = await ask(counts, {
      id: "s2",
      op: "compute",
      args: { fn: "count", input: { $ref: "s1.rows[*]" } },
    });
    const { args } = evidence.step("s2")!.record;
    (args!.input as { path: string }).path = "rows[*].src";
    expect(await both(evidence, { type: "count", cell: "s2.value" })).toEqual(["unverifiable", "digest_mismatch"]);
  });

  it("finds both cells of one corner", async () => {
    const evidence = await ask({
      id: "s1",
      op: "diff_snapshots",
      args: { left: { at: at(10) }, right: { at: at(12) }, include: ["edges_removed"] },
    });
    const corner = "s1.rows[0].before.valid_from";
    const claim = { type: "change", before: corner, after: corner, axis: "valid", direction: "same" };
    expect(await both(evidence, claim)).toEqual(["unverifiable", "same_corner"]);
  });

  it("counts a part under the filter of the step", async () => {
    const evidence = await ask({
      id: "s1",
      op: "graph_metric_timeseries",
      args: {
        metric: "edge_event_count",
        stride: "PT10S",
        window: { from: at(0), to: at(100) },
        node: { uid: "a", role: "src" },
        where: { src: { uids: ["b"] } },
      },
    });
    const claim = { type: "temporal_pattern", pattern: "concentration", step: "s1", row: "s1.rows[1].from", share: 50 };
    expect(await both(evidence, claim)).toEqual(["unverifiable", "no_events"]);
  });
});
