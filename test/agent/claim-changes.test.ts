// Both cells of a change are of one operator, field and list: pairs of cells that differ in one of the three alone. Two calls
// of the registry always differ in more, so that the pairs are made from the cells of real ones.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cell, cellAt } from "../../src/agent/claims/cells.js";
import { comparabilityProblem } from "../../src/agent/claims/changes.js";
import type { ChangeClaim } from "../../src/agent/claims/claim.js";
import type { AskedStore } from "./asked.js";
import { aggregate, askSteps, at, type Step, smallStore } from "./small-store.js";

let asked: AskedStore;
beforeAll(async () => {
  asked = await smallStore();
});
afterAll(() => asked.close());

type Axis = ChangeClaim["axis"];

interface Pair {
  readonly steps: readonly Step[];
  readonly axis: Axis;
  readonly before: string;
  readonly after: string;
}

/** What is wrong with the pair as it is, and with its later cell made another. */
async function problems({ steps, axis, before, after }: Pair, other: (cell: Cell) => Cell): Promise<unknown[]> {
  const evidence = await askSteps(asked, steps);
  const [then, now] = [await cellAt(evidence, before, false), await cellAt(evidence, after, false)];
  if (!("cell" in then && "cell" in now)) throw new Error("the cells are not there");
  return [now.cell, other(now.cell)].map((cell) => comparabilityProblem(evidence, then.cell, cell, axis));
}

const twoWindows: Pair = {
  steps: [
    aggregate("s1", { window: { from: at(0), to: at(12) } }),
    aggregate("s2", { window: { from: at(12), to: at(24) } }),
  ],
  axis: "valid",
  before: "s1.events",
  after: "s2.events",
};
const neighbours = (id: string, pin: string): Step => ({
  id,
  op: "neighborhood_evolution",
  args: { uid: "ana", t1: at(5), t2: at(50), lookback: "PT1M", stride: "PT10S", as_of_tt: pin },
});
const twoPins: Pair = {
  steps: [neighbours("s1", "tx:1"), neighbours("s2", "tx:4")],
  axis: "belief",
  before: "s1.rows[0].edges",
  after: "s2.rows[0].edges",
};

it("no two operators, though arguments and field are the same", async () => {
  const byAnother = (cell: Cell): Cell => ({
    ...cell,
    step: { ...cell.step, record: { ...cell.step.record, op: "count_temporal_motifs" } },
  });
  expect(await problems(twoWindows, byAnother)).toEqual([null, "not_comparable"]);
});

it("no two fields of one place", async () => {
  const total: Pair = { ...twoWindows, after: "s2.rows_total" };
  expect(await problems(total, (cell) => ({ ...cell, field: "events" }))).toEqual(["not_comparable", null]);
});

it("no two lists, though their rows have one name", async () => {
  const inSeries = (cell: Cell): Cell => ({ ...cell, list: "series", row: { ...cell.row!, t: cell.row!.uid! } });
  expect(await problems(twoPins, inSeries)).toEqual([null, "not_comparable"]);
});
