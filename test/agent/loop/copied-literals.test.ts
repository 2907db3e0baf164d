// Values that a model copied from results into its calls become references to the cells that hold them.
import { describe, expect, it } from "vitest";
import { MAY } from "../payments.js";
import { finish, LoopSuite, payees, RIGHT } from "./asking.js";

const suite = LoopSuite.begin();

describe("literals that were copied from results", () => {
  it("become references: ids, instants, operands", async () => {
    const aggregates = [
      { fn: "min", of: "at", as: "first" },
      { fn: "max", of: "at", as: "last" },
      { fn: "count", as: "n" },
    ];
    const first = {
      call: { op: "aggregate_events", args: { window: MAY, where: { src: { uids: ["ada"] } }, aggregates } },
    };
    await suite.playTurns([
      first,
      {
        call: {
          op: "compute",
          args: {
            fn: "diff",
            x: "2020-05-09T00:00:00Z",
            y: "2020-05-02T00:00:00Z",
            types: { x: "instant", y: "instant" },
          },
        },
      },
      payees("ada", { window: { from: "2020-05-02T00:00:00Z", to: MAY.to } }),
      finish("ordering", "s2.value", { kind: "value", from: "s3.rows[0].dst" }),
    ]);
    const { answer, trace } = await suite.ask({}, {}, "Whom did ada pay in May 2020?");
    expect(answer.status).toBe("answered");
    expect(answer.plan!.steps.map(({ args }) => args)).toMatchObject([
      first.call.args,
      { fn: "diff", x: { $ref: "s1.rows[0].last" }, y: { $ref: "s1.rows[0].first" }, types: {} },
      { window: { from: { $ref: "s1.rows[0].first" }, to: MAY.to } },
    ]);
    expect(await suite.db.check(trace)).toBeNull();
  });

  it("and references that were written as such stay", async () => {
    await suite.playTurns([payees("ada"), payees({ $ref: "s1.rows[0].dst" }), RIGHT[2]]);
    const { answer } = await suite.ask();
    expect(answer).toMatchObject({ status: "answered", parts: [{ value: "bo" }, { value: ["cy"] }] });
  });

  it("a number that several cells hold stays as it is", async () => {
    const minus = (x: number, y: number) => ({ call: { op: "compute", args: { fn: "diff", x, y } } });
    const counts = { group_by: undefined, order_by: undefined };
    await suite.playTurns([
      payees("ada", counts),
      payees("bo", counts),
      payees("bo"),
      minus(4, 1),
      finish("value", "s4.value"),
    ]);
    const { answer } = await suite.ask({}, {}, "How many more did ada pay than bo in May 2020?");
    // Four is the one row of s1, and 1 stands in s2 and in s3.
    expect(answer.plan!.steps[3]!.args).toMatchObject({ x: { $ref: "s1.rows[0].n" }, y: 1 });
    expect(answer.parts).toMatchObject([{ value: 3 }]);
  });
});
