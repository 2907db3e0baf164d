// How many batches a trace may have, whoever writes them: agents side by side, after a restart, and at once. What was written
// is read from the bytes of the log.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createAgent, type WriteGrounds, type WriteProposal, type WriteReceipt } from "../../../src/agent/index.js";
import { PalimpsestError } from "../../../src/contract/errors.js";
import { type Database, open } from "../../../src/index.js";
import { randomOf } from "../../relational/random.js";
import { logOf, POLICY } from "./store.js";

const SEED = 20_267;
const STEPS = 60;
const TRACES = 3;

let path: string;
let db: Database;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), "palimpsest-batches-"));
  db = await open(path);
  await db.write([{ op: "assert_edge", src: "ada", type: "KNOWS", dst: "bo", valid_from: "2020-01-01" }]);
});
afterEach(async () => {
  await db.close();
  rmSync(path, { recursive: true, force: true });
});

async function reopened(): Promise<void> {
  await db.close();
  db = await open(path);
}

/** The digests of the proposals that the log says were written on a trace. */
function written(trace: string): ReadonlySet<string> {
  const folder = join(path, "log");
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
  return new Set(
    Array.from(text.join("\n").matchAll(new RegExp(`trace:${trace}#([0-9a-f]{64})`, "g")), ([, own]) => own!),
  );
}

/** Answers of different plans over the same edge are different traces. */
async function groundsOf(limit: number): Promise<WriteGrounds> {
  const trace = await db.run({
    steps: [{ id: "s1", op: "scan", args: { of: "edges", limit } }],
    answer: { kind: "count", from: "s1.rows_total" },
  });
  return { trace, claims: [{ id: "c1", type: "value", cell: "s1.rows[0].src" }] };
}

/** Each of an edge of its own, so that nothing but the count can refuse it. */
function proposalOf({ trace }: WriteGrounds, number: number): WriteProposal {
  const key = `${trace.trace_digest} ${number}`;
  return {
    ops: [{ op: "assert_edge", src: "ada", type: "KNOWS", dst: "bo", key, valid_from: "2020-01-01" }],
    reason: "so it is",
    because: ["c1"],
    trace_digest: trace.trace_digest,
  };
}

/** The receipt, or the rule that refused. */
const outcomeOf = (work: Promise<WriteReceipt>): Promise<WriteReceipt | string> =>
  work.catch((error: unknown) => {
    if (error instanceof PalimpsestError && typeof error.details.rule === "string") return error.details.rule;
    throw error;
  });

it(`is what a policy says, over agents and restarts, seed ${SEED}`, async () => {
  const below = randomOf(SEED);
  const grounds = await Promise.all(Array.from({ length: TRACES }, (_, i) => groundsOf(1 + i)));
  let agents = [createAgent(db), createAgent(db)];
  const receipts = new Map<string, WriteReceipt>();
  const met = { written: 0, again: 0, refused: 0, raced: 0 };
  for (let step = 0; step < STEPS; step += 1) {
    if (below(5) === 0) {
      await reopened();
      agents = [createAgent(db), createAgent(db)];
    }
    const most = 1 + below(4);
    const chosen = below(TRACES);
    if (below(3) === 0) grounds[chosen] = await groundsOf(1 + TRACES + step);
    const given = grounds[chosen]!;
    const digest = given.trace.trace_digest;
    // Up to three at once: who loses against another looks three times more.
    const keys = [...new Set(Array.from({ length: 1 + below(3) }, () => below(8)))];
    const before = { log: logOf(path), count: written(digest).size };
    const known = keys.filter((key) => receipts.has(`${digest} ${key}`));
    const outcomes = await Promise.all(
      keys.map((key) => {
        const options = { policy: { ...POLICY, max_batches: most }, grounds: given };
        return outcomeOf(agents[below(2)]!.write(proposalOf(given, key), options));
      }),
    );
    const fresh = keys.length - known.length;
    const expected = Math.max(0, Math.min(fresh, most - before.count));
    expect([step, written(digest).size]).toEqual([step, before.count + expected]);
    if (expected === 0) expect([step, logOf(path)]).toEqual([step, before.log]);
    for (const [i, key] of keys.entries()) {
      const outcome = outcomes[i]!;
      const first = receipts.get(`${digest} ${key}`);
      if (first !== undefined) expect([step, outcome]).toEqual([step, first]);
      else if (typeof outcome === "string") expect([step, outcome]).toEqual([step, "max_batches"]);
      else receipts.set(`${digest} ${key}`, outcome);
    }
    met.written += expected;
    met.again += known.length;
    met.refused += fresh - expected;
    // Some of those that came at once are one too many.
    if (expected > 0 && expected < fresh) met.raced += 1;
  }
  expect(receipts.size).toBe(met.written);
  expect(Math.min(met.written, met.again, met.refused, met.raced)).toBeGreaterThan(TRACES);
});

it("counts nothing that another trace, or no trace, was the reason of", async () => {
  const [one, other] = [await groundsOf(5), await groundsOf(6)];
  const own = other.trace.trace_digest;
  await db.write([{ op: "assert_node", uid: "x", valid_from: "2020-01-01" }], { idempotencyKey: own.slice(0, 63) });
  await createAgent(db).write(proposalOf(one, 1), { policy: POLICY, grounds: one });
  expect(await createAgent(db).write(proposalOf(other, 1), { policy: POLICY, grounds: other })).toMatchObject({
    ops: 1,
  });
});
