// Loops that come to no end by themselves: by their turns, by equal calls, by nonsense.
import { describe, expect, it } from "vitest";
import { finish, LoopSuite, payees, RIGHT } from "./asking.js";

const suite = LoopSuite.begin();

describe("loops that come to no end", () => {
  const limited = (i: number) => payees("ada", { limit: i + 1 });

  it("end with their turns, and say what was tried", async () => {
    await suite.playTurns(Array.from({ length: 9 }, (_, i) => limited(i)));
    const { answer, trace } = await suite.ask({}, { loop_calls: 4 });
    expect(suite.server.asked).toHaveLength(4);
    expect(suite.lastTold(3)).toContain("Turns left: 1. This one finishes.");
    expect(trace).toBeNull();
    expect(answer).toMatchObject({
      status: "abstained",
      plan: null,
      parts: [],
      text: "Could not be shown: limits.loop_calls = 4 is spent. Tried: s1 aggregate_events, s2 aggregate_events, s3 aggregate_events, s4 aggregate_events.",
      could_not: [{ code: "E_LIMIT" }],
    });
  });

  it("take 16 turns by default", async () => {
    await suite.playTurns(Array.from({ length: 20 }, (_, i) => limited(i)));
    await suite.ask();
    expect(suite.server.asked).toHaveLength(16);
  });

  it("are given the old handle for an equal call, and end with the third", async () => {
    await suite.playTurns([payees("ada")]);
    const { answer } = await suite.ask();
    expect(suite.server.asked).toHaveLength(3);
    expect(suite.lastTold(2)).toContain("This call is s1.");
    expect(answer).toMatchObject({ status: "abstained", could_not: [{ why: "the same call came three times" }] });
  });

  it("know an equal call however it is written", async () => {
    await suite.playTurns([payees("ada"), payees("bo"), payees({ $ref: "s1.rows[0].dst" }), RIGHT[2]]);
    const { answer } = await suite.ask();
    expect(suite.lastTold(3)).toContain("This call is s2.");
    expect(answer.plan!.steps).toHaveLength(2);
  });

  it("end with the third equal call of a tool that is none, or with the third equal nonsense", async () => {
    await suite.playTurns([{ call: { op: "google", args: {} } }]);
    expect((await suite.ask()).answer).toMatchObject({ status: "failed", could_not: [{ code: "E_LIMIT" }] });
    expect(suite.server.asked).toHaveLength(3);
    await suite.playTurns(["what?"]);
    expect((await suite.ask()).answer.status).toBe("failed");
    expect(suite.server.asked).toHaveLength(3);
  });

  it("print nothing of an answer that the model wrote", async () => {
    const end = {
      finish: { answer: { kind: "It was 42", from: "s1.rows[0].dst", also: [{ kind: "value", from: "x 42" }] } },
    };
    await suite.playTurns([payees("ada"), end]);
    const { answer } = await suite.ask();
    expect(answer.status).toBe("abstained");
    expect(JSON.stringify([answer.text, answer.could_not, answer.notices])).not.toContain("42");
  });

  it("give by code the parts that some step has", async () => {
    const end = finish("value", "s1.rows[0].dst", { kind: "count", from: "s1.rows[0].payments" });
    await suite.playTurns([payees("ada"), end, end, end]);
    const { answer, trace } = await suite.ask();
    expect(suite.server.asked).toHaveLength(4);
    expect(answer).toMatchObject({
      status: "partial",
      text: "Bo (`bo`).\nCould not be shown: count. no step gives it.",
      parts: [{ value: "bo", verdict: "supported" }],
      notices: ["limit: repeats"],
    });
    expect(await suite.db.check(trace)).toBeNull();
  });
});

describe("an answer with more parts than there may be", () => {
  it("gives those that there may be, and says of the rest why not", async () => {
    const counts = ["rows[0].n", "rows[1].n", "rows_total", "rows[2].n", "events"];
    const further = counts.map((cell) => ({ kind: "count", from: `s1.${cell}` }));
    await suite.playTurns([payees("ada"), finish("value", "s1.rows[0].dst", ...further)]);
    const { answer } = await suite.ask();
    const most = { code: "too_many_parts", why: "an answer has at most 4 parts" };
    expect(answer).toMatchObject({
      status: "partial",
      parts: [{ value: "bo" }, { value: 2 }, { value: 1 }, { value: 3 }],
      could_not: [
        { part: 4, ...most },
        { part: 5, ...most },
      ],
      notices: ["limit: repeats"],
    });
  });
});
