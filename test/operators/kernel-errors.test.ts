// A call that its kernel gives up says what helps, as one does that is refused before it runs.
import { afterAll, beforeAll, expect, it } from "vitest";
import { fromNative } from "../../src/native/errors.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";

let store: CaseStore;
beforeAll(async () => {
  store = await nativeCaseStore();
  // Two hundred events of one node among strangers: far more threes than an estimate from the mean of all nodes can know of.
  const events = Array.from({ length: 5_000 }, (_, i) => (i < 200 ? ["a", `b${i}`] : [`x${i}`, `y${i}`]));
  const operation = {
    op: "ingest_events",
    type: "M",
    src: events.map(([src]) => src),
    dst: events.map(([, dst]) => dst),
    time: events.map(() => "2020-01-01T00:00:00Z"),
    node_labels: [],
  };
  await store.write([operation], "2021-01-01T00:00:00Z");
});
afterAll(() => store.close());

it("hints at a shorter window when the steps run out", async () => {
  const args = { motif: "a>b,a>c,a>d", delta: "PT1S" };
  await expect(
    callOperator(store.engine, "count_temporal_motifs", args, { ceilings: { steps: 1_000_000 } }),
  ).rejects.toMatchObject({
    code: "E_COST",
    details: { at: "run" },
    hint: expect.stringContaining("window"),
  });
});

it("hints at smaller questions when a limit is met, and nowhere else", () => {
  const thrown = Object.assign(new Error("too many groups"), { code: "E_LIMIT" });
  expect(fromNative(thrown, "position", "run").hint).toContain("window");
  expect(fromNative(thrown).hint).toBe("");
});
