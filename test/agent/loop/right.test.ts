// A right loop: the answer of its steps, and a finished plan that gives the same when it runs alone.
import { describe, expect, it } from "vitest";
import { LoopSuite, RIGHT } from "./asking.js";

const suite = LoopSuite.begin();

describe("a right loop", () => {
  it("is answered, its plan standing on cells", async () => {
    await suite.playTurns(RIGHT);
    const { answer, trace } = await suite.ask();
    expect(answer).toMatchObject({
      status: "answered",
      text: expect.stringMatching(/^Bo \(`bo`\) was paid the most and paid .*\(`cy`\)\.$/),
      parts: [
        { kind: "value", value: "bo" },
        { kind: "entity_set", value: ["cy"] },
      ],
      blocked: [],
    });
    expect(answer.plan!.steps[1]!.args).toMatchObject({ where: { src: { uids: [{ $ref: "s1.rows[0].dst" }] } } });
    expect(answer.plan!.steps[0]!.args).toMatchObject({ where: { src: { uids: ["ada"] } } });
    expect(await suite.db.check(trace)).toBeNull();
    expect(answer.model.prompt_versions).toEqual([
      expect.stringMatching(/^loop:/),
      expect.stringMatching(/^reporter:/),
    ]);
  });
});

describe("the finished plan", () => {
  it("gives the same digests when it runs alone", async () => {
    await suite.playTurns(RIGHT);
    const { answer, trace } = await suite.ask();
    const alone = await suite.db.run(answer.plan!);
    expect(alone.steps.map(({ result_digest }) => result_digest)).toEqual(
      trace!.steps.map(({ result_digest }) => result_digest),
    );
    expect(alone.trace_digest).toBe(trace!.trace_digest);
  });
});
