// A call that its kernel gives up says what helps, as one does that is refused before it runs.
import { afterAll, beforeAll, expect, it } from "vitest";
import { fromNative } from "../../src/native/errors.js";
import { callOperator } from "../../src/operators/pipeline.js";
import type { CaseStore } from "../conformance/cases.js";
import { nativeCaseStore } from "../support/native-case-store.js";

let store: CaseStore;
beforeAll(async () => {
  store = await nativeCaseStore();
  // Sixty events of one node: far more threes than the pairs that the estimate counts.
  const column = (value: string) => Array.from({ length: 60 }, () => value);
  const events = {
    op: "ingest_events",
    type: "M",
    src: column("a"),
    dst: column("b").map((name, i) => `${name}${i}`),
    node_labels: [],
  };
  await store.write([{ ...events, time: column("2020-01-01T00:00:00Z") }], "2021-01-01T00:00:00Z");
});
afterAll(() => store.close());

it("hints at a shorter window when the steps run out", async () => {
  const args = { motif: "a>b,a>c,a>d", delta: "PT1S" };
  await expect(
    callOperator(store.engine, "count_temporal_motifs", args, { ceilings: { steps: 12_000 } }),
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
