// Evidence that was altered after it was recorded, or is not there, and claims that are none at all.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Evidence } from "../../../src/agent/claims/evidence.js";
import { verifyClaim } from "../../../src/agent/claims/verify.js";
import type { AskedStore } from "../asked.js";
import { askSteps, BY_SENDER, expectVerdict, smallStore } from "../small-store.js";

describe("a reason is given", () => {
  let asked: AskedStore;
  beforeAll(async () => {
    asked = await smallStore();
  });
  afterAll(() => asked?.close());
  const ask = (): Promise<Evidence> => askSteps(asked, [BY_SENDER]);

  const COUNT = { type: "count", cell: "s1.rows[0].n" };

  it.each<[string, (record: Record<string, unknown>, envelope: Record<string, unknown>) => void]>([
    ["its operator in the trace", (record) => Object.assign(record, { op: "scan" })],
    ["its arguments in the trace", (record) => Object.assign(record.args as object, { limit: 7 })],
    ["its pin in the trace", (record) => Object.assign(record, { pin: { tx: 1, tx_time: null } })],
    ["a row of its answer", (_, envelope) => Object.assign((envelope.rows as object[])[2]!, { n: 2 })],
    ["the total of its answer", (_, envelope) => Object.assign(envelope, { rows_total: 4 })],
  ])("to a step of which %s was changed", async (_, change) => {
    const evidence = await ask();
    const { record, result } = evidence.step("s1")!;
    change(record as unknown as Record<string, unknown>, result!.envelope as unknown as Record<string, unknown>);
    await expectVerdict(evidence, COUNT, ["unverifiable", "digest_mismatch"]);
  });

  it("to a step whose answer repeats other arguments, or another digest, than the trace has", async () => {
    for (const change of [{ args: {} }, { result_digest: "0".repeat(64) }]) {
      const evidence = await ask();
      Object.assign(evidence.step("s1")!.result!.envelope, change);
      // The second verifier hashes what the trace repeats, and does not look at what the answer does.
      const { reasons } = await verifyClaim(evidence, { id: "c1", ...COUNT });
      expect(reasons).toEqual(["digest_mismatch"]);
    }
  });

  it("to a step that failed, and to one of which nothing is stored", async () => {
    const evidence = await ask();
    await expectVerdict(new Evidence(evidence.trace, new Map(), evidence.store), COUNT, [
      "unverifiable",
      "no_evidence",
    ]);
    Object.assign(evidence.step("s1")!.record, { status: "failed" });
    await expectVerdict(evidence, COUNT, ["unverifiable", "no_evidence"]);
  });

  it("to what is no claim at all", async () => {
    const evidence = await ask();
    for (const given of [null, undefined, 7, "count", [], {}, { id: 7 }, { id: "c1", type: "__proto__" }]) {
      const { verdict, reasons } = await verifyClaim(evidence, given);
      expect([verdict, ...reasons]).toEqual(["unverifiable", "malformed"]);
    }
  });

  it("together with others of its class alone, in the order of the rules", async () => {
    const evidence = await ask();
    const wrong = { ...COUNT, cell: "s1.rows[0].src", about: ["s1.rows[1].src"], value: 3 };
    await expectVerdict(evidence, wrong, ["unverifiable", "untied", "not_a_count"]);
    await expectVerdict(evidence, { ...COUNT, value: 4 }, ["refuted", "value"]);
  });
});
