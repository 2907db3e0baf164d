// Median, percentile and verdicts on numbers counted by hand, and the wrapper of the micro-benchmark package on a real call.

import { describe, expect, it } from "vitest";
import { micro } from "../micro.js";
import { atLeast, atMost, isMet } from "./figures.js";
import { measure, statistics, withRound } from "./measure.js";

describe("statistics", () => {
  it("take the middle, or the mean of the two in the middle", () => {
    expect(statistics([3, 1, 2])).toEqual({ median: 2, p95: 3, least: 1, repetitions: 3 });
    expect(statistics([4, 1, 2, 3]).median).toBe(2.5);
  });

  it("take the nearest rank for the 95th percentile", () => {
    const twenty = Array.from({ length: 20 }, (_, index) => index + 1);
    expect(statistics(twenty).p95).toBe(19);
    expect(statistics([...twenty, 21]).p95).toBe(20);
  });

  it("refuse nothing at all", () => {
    expect(() => statistics([])).toThrow("no samples");
  });
});

describe("measure", () => {
  it("warms up, repeats, and keeps to at least three when the budget is spent", async () => {
    let calls = 0;
    const timing = await measure(() => calls++, { warmUps: 2, repetitions: 5 });
    expect(timing.repetitions).toBe(5);
    expect(calls).toBe(7);
    expect((await measure(() => calls++, { warmUps: 0, budgetSeconds: 0 })).repetitions).toBe(3);
  });

  it("keeps the round with the least median, and the medians of all", () => {
    const quiet = { cpu_ms: 0, others_cores: 0, loop_ms: 0, scan_ms: 0, copy_ms: 0 };
    const rounds = [[3], [1, 2], [5]].map((samples) => ({ ...statistics(samples), ...quiet }));
    const kept = rounds.reduce<ReturnType<typeof withRound> | undefined>(withRound, undefined);
    expect(kept).toMatchObject({ median: 1.5, p95: 2, round_medians_ms: [3, 1.5, 5] });
  });
});

describe("gates", () => {
  it("are met from below or from above, or absent", () => {
    const figure = { name: "x", unit: "ms", value: 5 };
    expect(isMet({ ...figure, gate: atMost(5) })).toBe(true);
    expect(isMet({ ...figure, gate: atLeast(6) })).toBe(false);
    expect(isMet(figure)).toBeNull();
  });
});

describe("micro", () => {
  it("times an asynchronous call and reports an error of the case", async () => {
    const [result] = await micro({ turn: () => new Promise((resolve) => setImmediate(resolve)) }, 0.1);
    expect(result?.name).toBe("turn");
    expect(result?.mean_us).toBeGreaterThan(0);
    await expect(
      micro({
        broken: () => {
          throw new Error("broken case");
        },
      }),
    ).rejects.toThrow("broken case");
  });
});
