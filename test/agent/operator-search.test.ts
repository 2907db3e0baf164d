// The search for operators that a small manual explains: it finds what the oracle plans and the questions of the design call.
import { describe, expect, it } from "vitest";
import { LexicalIndex, stemsOf } from "../../src/agent/prompt/bm25.js";
import { JSON_EXAMPLES } from "../../src/agent/prompt/json-examples.js";
import { operatorsFor } from "../../src/agent/prompt/operator-search.js";
import { smallPlanner } from "../../src/agent/prompt/size-report.js";
import { operatorNames } from "../../src/operators/registry.js";
import { DESIGNED_QUESTIONS } from "./designed-questions.js";
import { ORACLE_PLANS } from "./oracle-plans.js";

type Wanted = readonly [question: string, operators: readonly string[]];

/** Of the operators that plans call, how many a small context is told of. */
function recall(questions: readonly Wanted[]): { readonly share: number; readonly text: string } {
  let [found, all] = [0, 0];
  for (const [question, operators] of questions) {
    const given = [...smallPlanner("json", question).operators];
    all += operators.length;
    found += operators.filter((operator) => given.includes(operator)).length;
  }
  return { share: found / all, text: `${found} of ${all}` };
}

const ORACLE: readonly Wanted[] = ORACLE_PLANS.map(({ name, plan }) => [
  name.replace(/^[a-z-]+: /, ""),
  [...new Set(plan.steps.map(({ op }) => op))],
]);

describe("the search for operators", () => {
  it.each([
    ["the oracle plans", ORACLE],
    ["the templates of the design", DESIGNED_QUESTIONS],
  ])(`finds at least 0.95 of what %s call`, (_, questions) => {
    const { share, text } = recall(questions);
    expect(questions.length).toBeGreaterThan(30);
    expect(share, text).toBeGreaterThanOrEqual(0.95);
  });

  it("gives few, the same each time, and none that is not there", () => {
    for (const [question] of [...ORACLE, ...DESIGNED_QUESTIONS]) {
      const given = operatorsFor(question, JSON_EXAMPLES);
      expect(given).toEqual(operatorsFor(question, JSON_EXAMPLES));
      expect(new Set(given).size).toBe(given.length);
      // Four that are found, compute, resolve_entities, and what the examples of all these call.
      expect(given.length).toBeLessThanOrEqual(10);
      expect(operatorNames()).toEqual(expect.arrayContaining([...given]));
      expect(given).toEqual(expect.arrayContaining(["compute", "resolve_entities", "aggregate_events"]));
    }
  });

  it("adds operators that are named, first of all", () => {
    expect(operatorsFor("Who sent the most?", JSON_EXAMPLES, ["co_active"])[0]).toBe("co_active");
  });

  it("finds by rarer words first, and keeps the order of equals", () => {
    const index = new LexicalIndex([
      { name: "one", fields: [{ text: "common rare", weight: 1 }] },
      { name: "two", fields: [{ text: "common", weight: 1 }] },
      { name: "three", fields: [{ text: "common", weight: 1 }] },
      { name: "four", fields: [{ text: "other", weight: 1 }] },
    ]);
    expect(index.ranked("common, and what is Rare")).toEqual(["one", "two", "three"]);
    expect(index.ranked("nothing of that")).toEqual([]);
    expect(stemsOf("The messages of a message, messaged; count_temporal_motifs")).toEqual([
      "messag",
      "messag",
      "messag",
      "count",
      "temporal",
      "motif",
    ]);
  });
});
