// Walks of the reference engine against plain search over single microseconds, and over facts too long for that.

import { describe, expect, it } from "vitest";
import type { Step } from "../../src/reference/walk-steps.js";
import { type WalkRules, walksFrom } from "../../src/reference/walks.js";

const SECOND = 1_000_000n;

/** One state per node and microsecond, one more step per round. */
function searchEveryInstant(source: string, steps: readonly Step[], { minWait, maxWait, maxHops }: WalkRules) {
  const seen = new Set<string>();
  const found = new Map<string, { arrival: bigint; hops: bigint }>();
  let states: { node: string; at: bigint | null }[] = [{ node: source, at: null }];
  for (let hops = 1n; states.length > 0 && (maxHops === null || hops <= BigInt(maxHops)); hops++) {
    const next: typeof states = [];
    for (const { node, at } of states) {
      for (const step of steps) {
        if (step.tail !== node) continue;
        for (let departure = step.first; departure <= step.last; departure++) {
          const wait = at === null ? null : departure - at;
          if (wait !== null && (wait < minWait || (maxWait !== null && wait > maxWait))) continue;
          const arrival = departure + step.travel;
          if (seen.has(`${step.head}@${arrival}`)) continue;
          seen.add(`${step.head}@${arrival}`);
          next.push({ node: step.head, at: arrival });
          const before = found.get(step.head);
          if (before === undefined) found.set(step.head, { arrival, hops });
          else if (arrival < before.arrival) found.set(step.head, { ...before, arrival });
        }
      }
    }
    states = next;
  }
  found.delete(source);
  return found;
}

/** A small generator of numbers, so that a failure can be repeated by its seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function randomSteps(roll: (sides: number) => number, isInstant: boolean): Step[] {
  return Array.from({ length: 2 + roll(10) }, () => {
    const tail = roll(5);
    const head = (tail + 1 + roll(4)) % 5;
    const first = BigInt(roll(150) - 40);
    const length = [0, 0, 3, 20, 150][roll(5)]!;
    const travel = isInstant ? 0n : BigInt(1 + roll(20));
    return { tail: `n${tail}`, head: `n${head}`, first, last: first + (isInstant ? BigInt(length) : 0n), travel };
  });
}

const ordered = (reached: ReadonlyMap<string, unknown>) => [...reached].sort(([a], [b]) => (a < b ? -1 : 1));

describe("walks of the reference engine", () => {
  it.each([true, false])("equal a search of every instant (instant arrivals: %s)", (isInstant) => {
    for (let seed = 1; seed <= 600; seed++) {
      const roll = dice(seed);
      const steps = randomSteps(roll, isInstant);
      const rules: WalkRules = {
        minWait: BigInt(roll(2)),
        maxWait: [null, 0n, 1n, 1n, 2n, 3n, 7n][roll(7)]!,
        maxHops: [null, null, null, 1, 3, 9][roll(6)]!,
      };
      const expected = ordered(searchEveryInstant("n0", steps, rules));
      expect(ordered(walksFrom("n0", steps, rules)), `seed ${seed}`).toEqual(expected);
    }
  });

  /** x to b at once; b and c linked both ways for so long; c to d in one late instant. */
  function toAndFro(long: bigint, late: bigint): Step[] {
    const at = (tail: string, head: string, first: bigint, last: bigint): Step => ({
      tail,
      head,
      first,
      last,
      travel: 0n,
    });
    return [at("x", "b", 0n, 0n), at("b", "c", 0n, long), at("c", "b", 0n, long), at("c", "d", late, late)];
  }

  it("goes to and fro over a fact of thousands of years, 1 s at a time", () => {
    const late = 100_000_000_000n * SECOND + 1n;
    const reached = walksFrom("x", toAndFro(late, late), { minWait: 0n, maxWait: SECOND, maxHops: null });
    // b at 0 after 1 step, then each step at most 1 s: 10^11 steps come to 10^11 s, the last microsecond takes one more;
    // c is left after an odd number of stays, so that the stays between b and d are even in number.
    expect(reached.get("d")).toEqual({ arrival: late, hops: 100_000_000_003n });
  });

  it.each([
    [1_000_000_001n, { arrival: 1_000_000_001n, hops: 1_000_000_003n }],
    [1_000_000_000n, undefined],
  ])("keeps the rhythm of stays of exactly 1 µs: at %s", (late, expected) => {
    // b at even, c at odd instants; the step to d takes the instant after an arrival at c.
    const reached = walksFrom("x", toAndFro(2n * late, late + 1n), { minWait: 1n, maxWait: 1n, maxHops: null });
    expect(reached.get("d")).toEqual(expected && { arrival: late + 1n, hops: late + 2n });
  });
});
