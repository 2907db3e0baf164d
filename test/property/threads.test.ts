// Law 22 by the number of threads: the same digests with 1, 2 and 8, for every operator that is registered.
// The pool is made once in a process, so each number has a process of its own.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { DECLARATIONS } from "../../src/operators/registry.js";

const CHILD = join(import.meta.dirname, "../support/threads-child.ts");
type Found = readonly [op: string, args: string, outcome: string];

async function answersWith(threads: number): Promise<Found[]> {
  const env = { ...process.env, PALIMPSEST_THREADS: String(threads) };
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", CHILD], {
    env,
    maxBuffer: 64 << 20,
  });
  return JSON.parse(stdout) as Found[];
}

describe("law 22, threads", () => {
  it("1, 2 and 8 threads give one digest for every operator", { timeout: 180_000 }, async () => {
    const [one, ...others] = await Promise.all([1, 2, 8].map(answersWith));
    for (const other of others) expect(other).toEqual(one);
    const answered = new Set(one!.filter(([, , outcome]) => /^[0-9a-f]{64}$/.test(outcome)).map(([op]) => op));
    expect([...answered].sort()).toEqual(DECLARATIONS.map(({ name }) => name).sort());
  });
});
