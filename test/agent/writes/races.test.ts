// Others who write between the answer and the write, in this process and in another; cancelling; and what a new process
// finds of a proposal that an old one wrote.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createAgent, type WritePolicy } from "../../../src/agent/index.js";
import { open } from "../../../src/index.js";
import { commandLine } from "../../e2e/command-line.js";
import { EDGE, errorOf, logOf, PLAN, POLICY, RETRACT, type Written, writtenStore } from "./store.js";

const cli = commandLine();
let store: Written;
beforeEach(async () => {
  store = await writtenStore();
});
afterEach(() => store.close());

const CY = { op: "assert_node" as const, uid: "cy", labels: ["Person"], valid_from: "2020-02-01" };

describe("another writer", () => {
  it("who touched what the operations are about, ends the write", async () => {
    await store.db.write([{ op: "correct", ref: EDGE, props: { since: 2 }, valid_from: "2020-01-01" }]);
    expect(await store.ruleOf()).toBe("touched");
  });

  it("who wrote the same again, too", async () => {
    await store.db.write([{ op: "assert_edge", ...EDGE, props: { since: 1 }, valid_from: "2020-01-01" }]);
    expect(await store.ruleOf()).toBe("touched");
  });

  it("who erased something, too, as nobody can tell what", async () => {
    await store.db.write([{ op: "erase", ref: { src: "bo", type: "OWES", dst: "cy" } }]);
    expect(["touched", "trace"]).toContain(await store.ruleOf());
  });

  it("who wrote something else, does not", async () => {
    await store.db.write([CY]);
    expect(await store.propose()).toMatchObject({ tx: 3 });
  });

  it("during confirmation: it is asked again on the new commit", async () => {
    const asked: number[] = [];
    const confirm = async ({ tx }: { tx: number }) => {
      if (asked.push(tx) < 3) await store.db.write([CY]);
      return true;
    };
    expect(await store.propose({}, { confirm })).toMatchObject({ tx: 4 });
    expect(asked).toEqual([1, 2, 3]);
  });

  it("during confirmation, at what is confirmed: nothing is written over it", async () => {
    let before = "";
    const confirm = async () => {
      await store.db.write([{ op: "retract", ref: EDGE, valid_from: "2020-03-01" }]);
      before = store.log();
      return true;
    };
    const error = await errorOf(store.propose({}, { confirm }));
    expect([error.code, error.details.rule, store.log() === before]).toEqual(["E_STATE", "touched", true]);
  });

  it("without end: four looks, then a refusal", async () => {
    let asked = 0;
    const confirm = async () => {
      asked += 1;
      await store.db.write([CY]);
      return true;
    };
    const error = await errorOf(store.propose({}, { confirm }));
    expect([error.code, error.details.rule, asked]).toEqual(["E_STATE", "head_moved", 4]);
    expect(await store.db.head()).toMatchObject({ tx: 5 });
  });

  it("whose batch is staged and not yet there to be read", async () => {
    const others = Array.from({ length: 20 }, () => store.db.write([CY]));
    expect(await store.propose()).toMatchObject({ ops: 1 });
    await Promise.all(others);
  });
});

describe("a signal", () => {
  it("ends a write at once, also while somebody thinks it over", async () => {
    const agent = createAgent(store.db);
    const before = store.log();
    const stop = new AbortController();
    const confirm = (() => {
      setTimeout(() => stop.abort(), 5);
      return new Promise<boolean>(() => {});
    }) as WritePolicy["confirm"];
    const options = { policy: { ...POLICY, confirm }, grounds: store.grounds, signal: stop.signal } as never;
    const beganMs = performance.now();
    expect((await errorOf(agent.write(store.proposal(), options))).code).toBe("E_CANCELLED");
    expect(performance.now() - beganMs).toBeLessThan(2_000);
    expect((await errorOf(agent.write(store.proposal(), options))).code).toBe("E_CANCELLED");
    expect(store.log()).toBe(before);
  });
});

describe("another process", () => {
  const EVENTS = "src,dst,time\nada,bo,2020-01-01T00:00:10Z\n";
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "palimpsest-races-"));
  });
  afterEach(() => rmSync(path, { recursive: true, force: true }));

  const grounds = async (stored: string) => {
    const db = await open(stored, { readOnly: true });
    const trace = await db.run({ ...PLAN, steps: [PLAN.steps[0]], answer: { kind: "count", from: "s1.rows_total" } });
    await db.close();
    return { trace, claims: [{ id: "c1", type: "value", cell: "s1.rows[0].src" }] };
  };

  it("that wrote after the answer ends the write, and a read-only handle writes nothing", {
    timeout: 60_000,
  }, async () => {
    const stored = join(path, "a.store");
    await cli.run("load", stored, cli.file("events.csv", EVENTS), "--type", "KNOWS");
    const seen = await grounds(stored);
    const [edge] = (seen.trace.answer === null ? [] : await edges(stored)) as [typeof EDGE];
    const proposal = {
      ops: [{ op: "retract", ref: edge, valid_from: "2020-01-01" }],
      reason: "no",
      because: ["c1"],
      trace_digest: seen.trace.trace_digest,
    };
    const reader = await open(stored, { readOnly: true });
    expect((await errorOf(createAgent(reader).write(proposal, { policy: POLICY, grounds: seen }))).code).toBe(
      "E_READONLY",
    );
    await reader.close();
    const statement = `MATCH (a {uid: 'ada'})-[e:KNOWS]->(b) SET e.note = 'x' FOR PORTION OF VALID_TIME ALL`;
    await promisify(execFile)(process.execPath, [cli.program, "query", stored, "--write", statement]);
    const before = logOf(stored);
    const db = await open(stored);
    const error = await errorOf(createAgent(db).write(proposal, { policy: POLICY, grounds: seen }));
    expect([error.code, error.details.rule]).toEqual(["E_STATE", "touched"]);
    await db.close();
    expect(logOf(stored)).toBe(before);
  });

  async function edges(stored: string) {
    const db = await open(stored, { readOnly: true });
    const { rows } = await db.call("scan", { of: "edges", columns: ["src", "type", "dst", "key"] });
    await db.close();
    return rows!;
  }

  it("finds the first receipt of what was written before it, and the store that the log says", async () => {
    const stored = join(path, "b.store");
    const first = await open(stored);
    await first.write([{ op: "assert_edge", ...EDGE, valid_from: "2020-01-01" }]);
    const seen = await grounds(stored);
    const proposal = { ops: [RETRACT], reason: "no", because: ["c1"], trace_digest: seen.trace.trace_digest };
    const receipt = await createAgent(first).write(proposal, { policy: POLICY, grounds: seen });
    const digest = await first.digest();
    await first.close();
    const before = logOf(stored);
    const again = await open(stored);
    expect(await createAgent(again).write(proposal, { policy: POLICY })).toEqual(receipt);
    expect(await again.digest()).toBe(digest);
    const { rows } = await again.call("version_history", { ref: EDGE });
    expect((rows as unknown as { ended_reason: string | null }[]).map(({ ended_reason }) => ended_reason)).toEqual([
      "no",
      null,
    ]);
    await again.close();
    expect(logOf(stored)).toBe(before);
  });
});
