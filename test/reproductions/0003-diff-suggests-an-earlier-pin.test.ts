// A diff over its ceiling suggested to ask both corners at the earlier pin, priced it by the counts of the later one, and
// then refused what it had suggested: the earlier pin believed more.
import { expect, test } from "vitest";
import type { PalimpsestError } from "../../src/contract/errors.js";
import { open } from "../../src/database.js";

test("what a diff suggests is accepted, also where everything was retracted between the pins", async () => {
  const db = await open(":memory:");
  const since = { valid_from: "2020-01-05T00:00:00Z" };
  const uids = Array.from({ length: 50 }, (_, i) => `n${i}`);
  await db.write(uids.map((uid) => ({ op: "assert_node", uid, ...since })));
  await db.write(uids.map((uid) => ({ op: "retract", ref: { uid }, ...since })));
  const args = {
    left: { at: "2020-01-01T00:00:00Z", as_of_tt: "tx:1" },
    right: { at: "2020-01-09T00:00:00Z", as_of_tt: "tx:2" },
  };
  const ceilings = { rows: 20, steps: 20 };
  const error = await db.call("diff_snapshots", args, { ceilings }).catch((caught: PalimpsestError) => caught);
  expect(error).toMatchObject({ code: "E_COST", details: { estimate: { steps: 50 } } });
  const suggestions = (error as PalimpsestError).details.suggestions as { args_patch: object }[];
  expect(suggestions.length).toBeGreaterThan(0);
  for (const { args_patch } of suggestions) {
    await db.call("diff_snapshots", { ...args, ...args_patch }, { ceilings });
  }
  await db.close();
});
