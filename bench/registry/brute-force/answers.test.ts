// The brute-force answers against the digests that an independent program published.
// The larger lists are asked for with PALIMPSEST_LARGE_VECTORS=1.

import { describe, expect, it } from "vitest";
import { events, variantCorrection } from "../../data/corrected-intervals.js";
import { powerLaw } from "../../data/power-law.js";
import { publishedDigest } from "../expected.js";
import { answerDigest } from "../normal-forms.js";
import { intervalQuestions } from "../questions.js";
import { bruteForce, powerLawBruteForce } from "./answers.js";
import { IntervalFacts } from "./interval-facts.js";

const withLargeVectors = process.env.PALIMPSEST_LARGE_VECTORS === "1";

describe("brute force", () => {
  for (const scale of [200_000, 1_000_000]) {
    it.skipIf(scale > 200_000 && !withLargeVectors)(`gives the published answers at ${scale}`, () => {
      const facts = new IntervalFacts(scale, events(scale));
      for (const question of intervalQuestions(scale)) {
        const answer = bruteForce(facts, question);
        expect([question.id, answerDigest(answer)]).toEqual([question.id, publishedDigest(scale, question.id)]);
      }
    });
  }

  it("sees no event begin or move when a fifth of the edges is corrected", () => {
    const scale = 10_000;
    const data = events(scale);
    const before = new IntervalFacts(scale, data);
    const after = new IntervalFacts(scale, data, (event) => variantCorrection(scale, data, event));
    const answers = (facts: IntervalFacts) =>
      intervalQuestions(scale).map((question): [string, string] => [
        question.id,
        answerDigest(bruteForce(facts, question)),
      ]);
    const changed = answers(after).filter(([, digest], place) => digest !== answers(before)[place]?.[1]);
    expect(changed.map(([id]) => id)).toEqual(["snap.hop2", "diff.global"]);
    expect([...after.versions()].length / [...before.versions()].length).toBeCloseTo(1.1, 2);
  });

  it.skipIf(!withLargeVectors)("gives the published arrivals on power-law events", () => {
    const answer = powerLawBruteForce(powerLaw(1_000_000, 20_000, 101), { id: "arrival.node0", node: 0 });
    expect(answerDigest(answer)).toBe(publishedDigest(1_000_000, "arrival.node0"));
  });

  it("counts motifs of events that touch the first", () => {
    const list = {
      count: 5,
      src: Uint32Array.from([0, 1, 2, 0, 3]),
      dst: Uint32Array.from([1, 2, 0, 1, 4]),
      second: Uint32Array.from([10, 11, 12, 13, 14]),
    };
    const counts = powerLawBruteForce(list, { id: "motifs36.3600", deltaSeconds: 3 }) as [string, number][];
    expect(counts).toHaveLength(36);
    expect(counts.filter(([, count]) => count > 0)).toEqual([
      ["a>b,b>c,a>b", 1],
      ["a>b,b>c,c>a", 2],
      ["a>b,c>a,a>b", 1],
    ]);
  });
});
