// Which cell a literal came from: the first that holds it; a number only where it is beyond doubt.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KnownCells } from "../../../src/agent/loop/known-cells.js";
import { withGroundedTexts, withReferencedValues } from "../../../src/agent/loop/rewrite.js";
import { formatInstant } from "../../../src/contract/instant.js";
import { NativeEngine } from "../../../src/operators/native/native-engine.js";
import { tracePlan } from "../../../src/plan/index.js";
import { Store } from "../../../src/store/store.js";

let store: Store;
let engine: NativeEngine;
const cells = new KnownCells();
beforeAll(async () => {
  store = await Store.open(":memory:", {});
  const pay = (src: string, dst: string, day: number, amount: number) => ({
    op: "assert_edge" as const,
    src,
    type: "PAID",
    dst,
    key: `${day}`,
    props: { amount, note: `n${day}`, "a.b": "dotted", "c[0]": "bracket" },
    valid_from: `2020-05-0${day}T00:00:00Z`,
    valid_to: `2020-05-0${day}T00:00:00.000001Z`,
  });
  await store.write([pay("ada", "bo", 1, 70), pay("ada", "bo", 2, 80), pay("bo", "cy", 3, 70)]);
  const step = (id: string, op: string, args: object) => ({ id, op, args });
  const by = (role: string) => ({
    group_by: [{ dim: "node", role }],
    aggregates: [
      { fn: "count", as: "n" },
      { fn: "min", of: "at", as: "first" },
    ],
  });
  const plan = {
    steps: [
      step("s1", "aggregate_events", by("src")),
      step("s2", "aggregate_events", by("dst")),
      step("s3", "entity_history", { uid: "ada", include_edges: true }),
      step("s4", "temporal_reachability", { uid: "ada" }),
    ],
    answer: { kind: "count", from: "s1.rows_total" },
  };
  engine = new NativeEngine(store);
  const { answers, error } = await tracePlan(engine, plan);
  if (error !== null) throw error;
  for (const [id, answer] of answers) cells.add(id, answer);
});
afterAll(() => store.close());

describe("a literal", () => {
  it("comes from the first cell that holds it", () => {
    expect(cells.text("ada")).toBe("s1.rows[0].src");
    expect(cells.text("cy")).toMatch(/^s2\.rows\[1\]\.dst$/);
    expect(cells.text("zoe")).toBeUndefined();
  });

  it("may stand in a further list, or inside a value", () => {
    expect(cells.text("n1")).toBe("s3.edges[0].props.note");
    expect(cells.text("dotted")).toBe("s3.edges[0].props.a.b");
    // Paths have no way to say this one.
    expect(cells.text("bracket")).toBeUndefined();
  });

  it("is an instant however it is written, and no other text is one", () => {
    expect(cells.instant("2020-05-03T02:00:00+02:00")).toBe("s1.rows[1].first");
    expect(cells.instant("2020-05-04")).toBeUndefined();
    expect(cells.instant("n1")).toBeUndefined();
  });

  it("is a number only if one cell alone can be meant", () => {
    // 80 is the amount of one payment; 70 stands in two payments of which ada's history holds one.
    expect(cells.number(80)).toBe("s3.edges[1].props.amount");
    // Two counts are 2: of events by sender, and by receiver.
    expect(cells.number(2)).toBeUndefined();
    expect(cells.number(99)).toBeUndefined();
  });
});

describe("texts that were copied", () => {
  const ungrounded = (at: string) => ({
    ...{ code: "E_GROUNDING", kind: "ungrounded_uid", step: "s5", message: "", hint: "" },
    path: `/steps/4/args/where/node/uids/${at}`,
  });

  it("are the cells that hold them, each where it stands", () => {
    const args = { where: { node: { uids: ["zoe", "ada", "cy"] } } };
    const found = withGroundedTexts(args, ["0", "1", "2", "9"].map(ungrounded), 4, cells);
    const [ada, cy] = [{ $ref: "s1.rows[0].src" }, { $ref: cells.text("cy")! }];
    expect(found).toEqual({ where: { node: { uids: ["zoe", ada, cy] } } });
    expect(args.where.node.uids).toEqual(["zoe", "ada", "cy"]);
    expect(withGroundedTexts(args, [ungrounded("0")], 4, cells)).toBe(args);
  });

  // A copy of all arguments for each of them took three minutes of ten thousand.
  it("are found at once, however many they are", { retry: 2 }, () => {
    const uids = Array.from({ length: 10_000 }, () => "ada");
    const violations = uids.map((_, i) => ungrounded(String(i)));
    const begun = performance.now();
    const found = withGroundedTexts({ where: { node: { uids } } }, violations, 4, cells);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(found).toEqual({ where: { node: { uids: uids.map(() => ({ $ref: "s1.rows[0].src" })) } } });
  });
});

describe("a pin that was copied", () => {
  const pinned = (askTimeUs: bigint, asOf: string) =>
    withReferencedValues("entity_history", { uid: "ada", as_of_tt: asOf }, cells, { mentions: [], askTimeUs });

  it("is the cell that holds it, but none that is after the question", () => {
    const writtenUs = engine.txTimeUs(1);
    const written = formatInstant(writtenUs);
    expect(pinned(writtenUs, written).as_of_tt).toEqual({ $ref: "s3.edges[0].tx_from" });
    expect(pinned(writtenUs - 1n, written).as_of_tt).toBe(written);
    expect(pinned(writtenUs, "tx:1").as_of_tt).toBe("tx:1");
  });

  it("stays where the question gives it", () => {
    const written = formatInstant(engine.txTimeUs(1));
    const mention = { id: "q1", kind: "instant", text: written, span: [0, 1], value: written } as const;
    const args = { uid: "ada", as_of_tt: written };
    const context = { mentions: [mention], askTimeUs: engine.txTimeUs(1) };
    expect(withReferencedValues("entity_history", args, cells, context).as_of_tt).toBe(written);
  });
});
