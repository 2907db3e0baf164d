// What the workload asks is answered in the words that it plays, or it throws: at a small scale, so that no change of what words
// may say is noticed first by who measures.
import { expect, it } from "vitest";
import { runIn } from "../runner/workload.js";
import { workload } from "./agent.js";

it("measures every figure", async () => {
  const { figures } = await runIn(workload, { scale: 2_000, parent: undefined, rounds: 1, only: null });
  expect(figures).toHaveLength(8);
  for (const { name, value } of figures) expect(value, name).toBeGreaterThan(0);
});
