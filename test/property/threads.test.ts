// Law 22 by the number of threads and by the level of the processor whose loops run: the same digests for every operator
// that is registered. Pool and loops are chosen once in a process, so each choice has a process of its own.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { DECLARATIONS } from "../../src/operators/registry.js";
import { scriptProgram } from "../support/program-paths.js";

const CHILD = scriptProgram("threads-child");
type Found = readonly [op: string, args: string, outcome: string];
interface Answers {
  /** The level of the loops that ran: the one that was asked for, or a lower one where the processor lacks it. */
  readonly level: string;
  readonly found: readonly Found[];
}

async function answersWith(choice: Record<string, string>): Promise<Answers> {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD], {
    env: { ...process.env, ...choice },
    maxBuffer: 64 << 20,
  });
  return JSON.parse(stdout) as Answers;
}

describe("law 22", () => {
  it("any number of threads and any level of the processor give one digest", { timeout: 240_000 }, async () => {
    const choices = [
      { PALIMPSEST_THREADS: "1", PALIMPSEST_CPU: "v2" },
      { PALIMPSEST_THREADS: "2", PALIMPSEST_CPU: "v3" },
      { PALIMPSEST_THREADS: "8", PALIMPSEST_CPU: "v4" },
    ];
    const [one, ...others] = await Promise.all(choices.map(answersWith));
    for (const other of others) expect(other.found).toEqual(one!.found);
    console.log(`levels of the processor: ${[one!, ...others].map(({ level }) => level).join(", ")}`);
    const answered = new Set(one!.found.filter(([, , outcome]) => /^[0-9a-f]{64}$/.test(outcome)).map(([op]) => op));
    expect([...answered].sort()).toEqual(DECLARATIONS.map(({ name }) => name).sort());
  });
});
