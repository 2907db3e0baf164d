// Proposals that are written and proposals that are refused: each rule by its name, and no byte in the log. What is written
// is held against the rows of the store.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAgent, type DryRun, type WritePolicy, type WriteProposal } from "../../../src/agent/index.js";
import { CLAIMS, EDGE, errorOf, PLAN, POLICY, RETRACT, type Written, writtenStore } from "./store.js";

let store: Written;
beforeEach(async () => {
  store = await writtenStore();
});
afterEach(() => store.close());

const edge = (uids: object, more: object = {}) => ({
  op: "assert_edge",
  type: "KNOWS",
  ...uids,
  valid_from: "2020-01-01",
  ...more,
});
const node = (uid: string, labels: string[]) => ({ op: "assert_node", uid, labels, valid_from: "2020-01-01" });

describe("a proposal that every rule lets pass", () => {
  it("is one batch with its provenance, and has a receipt", async () => {
    const reason = `fell\u202e  out${"x".repeat(300)}`;
    const receipt = await store.propose({ reason });
    expect(receipt).toEqual({
      tx: 2,
      tx_time: (await store.db.head()).txTime,
      ops: 1,
      closed: 1,
      created: 1,
      dry_run_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      trace_digest: store.grounds.trace.trace_digest,
    });
    const { rows } = await store.db.call("version_history", { ref: EDGE });
    expect(rows).toMatchObject([
      { valid_from: "2020-01-01T00:00:00Z", valid_to: null, ended_by: "retracted" },
      { valid_from: "2020-01-01T00:00:00Z", valid_to: "2020-06-01T00:00:00Z", ended_by: null },
    ]);
    const [closed] = rows as unknown as { ended_reason: string }[];
    expect(closed!.ended_reason).toMatch(/^fell out/);
    expect([...closed!.ended_reason].length).toBeLessThan(220);
    await store.propose(
      { ops: [edge({ src: "bo", dst: "cy" })], because: ["c2"], reason: "so it is" },
      { max_batches: 2 },
    );
    const { rows: written } = await store.db.call("entity_history", { ref: { ...EDGE, src: "bo", dst: "cy" } });
    expect(written).toMatchObject([{ source: "test", reason: "so it is" }]);
    expect((written![0] as { provenance_ref: string }).provenance_ref).toMatch(
      new RegExp(`^trace:${store.grounds.trace.trace_digest}#[0-9a-f]{64}$`),
    );
  });

  it("shows its dry run before, as code words it", async () => {
    const seen: DryRun[] = [];
    const confirm = async (dry: DryRun) => seen.push(dry) > 0;
    const ops = [
      {
        op: "correct",
        ref: { uid: "ada" },
        mode: "patch",
        add_labels: ["Friend"],
        props: { name: "A\u202eda\n" },
        valid_from: "2020-03-01",
        valid_to: "2020-04-01",
      },
    ];
    const receipt = await store.propose({ ops }, { confirm });
    expect(seen).toHaveLength(1);
    const [dry] = seen;
    expect(dry).toMatchObject({ tx: 1, closed: 1, created: 3, digest: receipt.dry_run_digest });
    expect(dry!.ops[0]!.closes).toEqual([
      { valid_from: "2020-01-01T00:00:00Z", valid_to: null, labels: ["Person"], props: { name: "Ada" } },
    ]);
    expect(dry!.text.split("\n")).toEqual([
      "at tx:1: 1 versions close, 3 appear",
      "1. correct `ada` 2020-03-01 to 2020-04-01 (end excluded)",
      '   closes since 2020-01-01: `Person` {"name":"Ada"}',
      '   writes 2020-01-01 to 2020-03-01 (end excluded): `Person` {"name":"Ada"}',
      '   writes since 2020-04-01: `Person` {"name":"Ada"}',
      '   writes 2020-03-01 to 2020-04-01 (end excluded): `Friend` `Person` {"name":"A\\u{202e}da\\n"}',
      "reason: they fell out",
      "source: test",
    ]);
  });

  it("may name a new entity that the question names", async () => {
    const ops = [node("dan", ["Person"]), edge({ src: "ada", dst: "dan" })];
    expect(await store.propose({ ops }, { new_entities: true })).toMatchObject({ ops: 2, closed: 0, created: 2 });
  });

  it("gives its first receipt again, whoever asks, and is in the log once", async () => {
    const [first, same] = await Promise.all([store.propose(), store.propose()]);
    expect(same).toEqual(first);
    const before = store.log();
    await store.db.write([{ op: "retract", ref: EDGE, valid_from: "2020-02-01" }]);
    const after = store.log();
    expect(after).not.toBe(before);
    expect(await store.propose()).toEqual(first);
    // Another agent, which knows nothing of the answer.
    expect(await createAgent(store.db).write(store.proposal(), { policy: POLICY })).toEqual(first);
    // The same operations in other words are the same proposal.
    const spelt = {
      valid_from: "2020-06-01T00:00:00Z",
      valid_to: null,
      ref: { src: "ada", dst: "bo", type: "KNOWS" },
      op: "retract",
    };
    expect(await store.propose({ ops: [spelt] })).toEqual(first);
    expect(store.log()).toBe(after);
  });
});

describe("rules", () => {
  it.each<[string, Partial<WriteProposal> & Record<string, unknown>, Partial<WritePolicy>?]>([
    ["shape", { ops: [] }],
    ["shape", { ops: "x" as never }],
    ["shape", { ops: [null] }],
    ["shape", { ops: [{ ...RETRACT, valid_from: "soon" }] }],
    ["shape", { ops: [{ ...RETRACT, valid_to: "2020-01-01" }] }],
    ["shape", { ops: [{ ...RETRACT, more: 1 }] }],
    ["shape", { ops: [{ ...RETRACT, source: "me" }] }],
    ["shape", { ops: [{ ...RETRACT, reason: "because" }] }],
    ["shape", { ops: [{ ...RETRACT, provenance_ref: "" }] }],
    ["shape", { reason: "" }],
    ["shape", { reason: "\u200b \n" }],
    ["shape", { reason: 1 as never }],
    ["shape", { reason: "\ud800" }],
    ["shape", { because: [] }],
    ["shape", { because: ["c1", "c1"] }],
    ["shape", { because: ["x"] }],
    ["shape", { because: Array.from({ length: 65 }, (_, i) => `c${i + 1}`) }],
    ["shape", { trace_digest: "no" }],
    ["shape", { confirmed: true }],
    ["shape", { ops: [{ ...RETRACT, valid_from: () => 1 }] }],
    ["operation", { ops: [{ op: "erase", ref: { uid: "ada" } }] }],
    ["operation", { ops: [{ op: "ingest_events", src: ["a"], dst: ["b"], time: ["2020-01-01"], type: "T" }] }],
    ["operation", { ops: [{ op: "toString" }] }],
    ["max_ops", { ops: [RETRACT, RETRACT] }, { max_ops: 1 }],
    ["max_ops", { ops: Array.from({ length: 21 }, () => RETRACT) }],
    ["ops", {}, { ops: ["assert_edge"] }],
    ["ops", {}, { ops: [] }],
    ["trace", { trace_digest: "0".repeat(64) }],
    ["new_entities", { ops: [edge({ src: "ada", dst: "dan" })] }],
    ["grounding", { ops: [edge({ src: "ada", dst: "da" })] }, { new_entities: true }],
    ["grounding", { ops: [edge({ src: "ada", dst: "eve" })] }, { new_entities: true }],
    ["evidence", { because: ["c3"] }],
    ["evidence", { because: ["c1", "c3"] }],
    ["evidence", { because: ["c9"] }],
    ["evidence", { because: ["c4"] }],
    ["evidence", { ops: [RETRACT, node("cy", ["Person"])] }],
    ["no_target", { ops: [{ ...RETRACT, valid_from: "2019-01-01", valid_to: "2020-01-01" }] }],
    ["no_target", { ops: [RETRACT, RETRACT] }],
    ["no_target", { ops: [{ ...RETRACT, ref: { ...EDGE, key: "k" } }] }],
    ["no_target", { ops: [{ op: "correct", ref: { ...EDGE, key: "k" }, valid_from: "2020-01-01" }] }],
    ["types", {}, { types: ["OWES"] }],
    ["types", {}, { types: [] }],
    ["labels", { ops: [node("ada", ["Admin"])] }],
    ["labels", { ops: [node("ada", [])] }, { labels: [] }],
    ["labels", { ops: [node("ada", ["Friend"])] }, { labels: ["Friend"] }],
    ["labels", { ops: [{ op: "retract", ref: { uid: "ada" }, valid_from: "2020-02-01" }] }, { labels: ["Friend"] }],
    [
      "labels",
      {
        ops: [{ op: "correct", ref: { uid: "ada" }, mode: "patch", remove_labels: ["Gone"], valid_from: "2020-01-01" }],
      },
    ],
    ["valid_within", {}, { valid_within: { from: "2020-01-01", to: "2021-01-01" } }],
    ["valid_within", {}, { valid_within: { from: "2020-06-02", to: null } }],
    ["confirm", {}, { confirm: async () => false }],
    ["confirm", {}, { confirm: (async () => "yes") as never }],
    ["confirm", {}, { confirm: async () => Promise.reject(new Error("no")) }],
  ])("%s: %j under %j", async (rule, change, policy) => {
    expect(await store.ruleOf(change, policy)).toBe(rule);
  });

  it("max_batches: one batch on a trace, or as many as the policy says", async () => {
    await store.propose();
    const other = { ops: [edge({ src: "ada", dst: "cy" })] };
    expect(await store.ruleOf(other)).toBe("max_batches");
    expect(await store.propose(other, { max_batches: 2 })).toMatchObject({ tx: 3 });
  });

  it("max_batches: what is refused takes no batch", async () => {
    expect(await store.ruleOf({}, { confirm: async () => false })).toBe("confirm");
    expect(await store.propose()).toMatchObject({ tx: 2 });
  });

  it("trace: one whose plan or claims are another's", async () => {
    const { grounds } = store;
    const plan = { ...PLAN, answer: { kind: "count", from: "s1.rows_total" } };
    const wrong = [
      { ...grounds, trace: { ...grounds.trace, plan } },
      { ...grounds, trace: { ...grounds.trace, plan: { steps: [] } } },
      { ...grounds, trace: { ...grounds.trace, ask_pin: { tx: 9, tx_time: null } } },
      { ...grounds, trace: {} },
    ];
    for (const each of wrong) expect(await store.ruleOf({}, {}, each as never)).toBe("trace");
    const doubled = { ...grounds, claims: [...CLAIMS, CLAIMS[0]!] };
    expect(await store.ruleOf({}, {}, doubled)).toBe("evidence");
  });

  it("evidence: what an answer says of a claim counts for nothing", async () => {
    const claims = [{ ...CLAIMS[2], id: "c1", verdict: "supported", reasons: [] }];
    expect(await store.ruleOf({}, {}, { ...store.grounds, claims })).toBe("evidence");
  });
});

describe("a policy", () => {
  it.each<[string, unknown]>([
    ["none", undefined],
    ["a list", []],
    ["an unknown member", { ...POLICY, anything: true }],
    ["an operation that is never allowed", { ...POLICY, ops: ["erase"] }],
    ["no list of operations", { ...POLICY, ops: "retract" }],
    ["types that are none", { ...POLICY, types: [1] }],
    ["no labels", { ...POLICY, labels: undefined }],
    ["new_entities that is no flag", { ...POLICY, new_entities: "yes" }],
    ["no operation at all", { ...POLICY, max_ops: 0 }],
    ["half a batch", { ...POLICY, max_batches: 0.5 }],
    ["a lower verdict", { ...POLICY, min_verdict: "supported_partial" }],
    ["a window that is none", { ...POLICY, valid_within: { from: "2020-01-01" } }],
    ["a window without instants", { ...POLICY, valid_within: { from: "soon", to: null } }],
    ["a window that ends before it begins", { ...POLICY, valid_within: { from: "2021-01-01", to: "2020-01-01" } }],
    ["a confirmation that is none", { ...POLICY, confirm: true }],
    ["no source", { ...POLICY, source: " " }],
    ["a source that is too long", { ...POLICY, source: "x".repeat(201) }],
  ])("with %s is refused, and nothing is written", async (_, policy) => {
    const before = store.log();
    const error = await errorOf(
      createAgent(store.db).write(store.proposal(), { policy: policy as WritePolicy, grounds: store.grounds }),
    );
    expect([error.code, error.hint === "", store.log() === before]).toEqual(["E_INVALID_ARG", false, true]);
  });
});
