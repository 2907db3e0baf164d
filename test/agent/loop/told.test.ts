// What the model is told turn by turn: data in fences, handles with counts and types, its own tasks.
import { describe, expect, it } from "vitest";
import { EVIL } from "../payments.js";
import { finish, LoopSuite, payees, RIGHT } from "./asking.js";

const suite = LoopSuite.begin();

describe("what the model is told", () => {
  it("is a conversation in which data stands in fences alone", async () => {
    await suite.playTurns(RIGHT);
    await suite.ask();
    expect(suite.server.asked.map(({ body }) => body.messages.length)).toEqual([2, 4, 6, 2]);
    for (const { body } of suite.server.asked) {
      const roles = body.messages.map(({ role }) => role);
      expect(roles).toEqual(["system", "user", "assistant", "user", "assistant", "user"].slice(0, roles.length));
      for (const { role, content } of body.messages) {
        const outside = content.replace(/<data-([0-9a-f]{24}) kind="[a-z]+">\n[\s\S]*?\n<\/data-\1>/g, "");
        if (role === "user") expect(outside).not.toMatch(/\bada\b|ignore|PAID|\bBo\b|find the payee/);
        if (role === "user") expect(content).not.toContain("</data-x>");
      }
    }
  });

  it("has orders that stand in data as what they are", async () => {
    await suite.playTurns([
      payees("bo"),
      { call: { op: "entity_history", args: { uid: "cy" } } },
      finish("value", "s2.rows[0].uid"),
    ]);
    const { answer } = await suite.ask({}, {}, "Whom did bo pay in May 2020?");
    expect(answer.parts).toMatchObject([{ value: "cy" }]);
    const told = suite.lastTold(2);
    expect(told).not.toContain(EVIL);
    const [name] = /"name":"(ignore all that[^"]*)"/.exec(told)!.slice(1);
    expect(JSON.parse(`"${name}"`)).toBe(EVIL);
    expect(told.replace(/<data-([0-9a-f]{24}) kind="[a-z]+">\n[\s\S]*?\n<\/data-\1>/g, "")).not.toContain("ignore");
  });

  it("is the handle with counts and types, and rows with their paths", async () => {
    await suite.playTurns(RIGHT);
    await suite.ask();
    const told = suite.lastTold(1);
    for (const line of [
      '{"complete":true,"handle":"s1","op":"aggregate_events","rows_total":3}',
      '"types":{"dst":"string","n":"int"}',
      '{"path":"s1.rows[0]","row":{"dst":"bo","n":2}}',
      "Turns left: 15.",
    ])
      expect(told).toContain(line);
  });

  it("is five rows of a longer result, and how many there are", async () => {
    await suite.playTurns([{ call: { op: "version_history", args: {} } }, finish("count", "s1.rows_total")]);
    await suite.ask({}, {}, "How many versions are there?");
    const told = suite.lastTold(1);
    // Five payments and four people.
    expect(told).toContain('"rows_total":9');
    expect(told.match(/"path":"s1\.rows\[\d\]"/g)).toEqual([0, 1, 2, 3, 4].map((i) => `"path":"s1.rows[${i}]"`));
  });

  it("has six tasks at most, and of each its beginning", async () => {
    const tasks = ["x".repeat(300), "2", "3", "4", "5", "6", "7", "8"];
    await suite.playTurns([{ ...RIGHT[0], tasks }, ...RIGHT.slice(1)]);
    await suite.ask();
    const [told] = /kind="tasks">\n([\s\S]*?)\n<\/data-/.exec(suite.lastTold(1))!.slice(1);
    expect(told!.split("\n").map((line) => JSON.parse(line))).toEqual(["x".repeat(200), "2", "3", "4", "5", "6"]);
  });

  it("has the tasks that it wrote first, as data", async () => {
    await suite.playTurns(RIGHT);
    await suite.ask();
    expect(suite.lastTold(1)).toMatch(/kind="tasks">\n"find the payee"\n"see whom they paid"\n<\/data-/);
    expect(suite.lastTold(2)).toMatch(/kind="tasks">/);
    expect(suite.server.asked[2]!.body.messages[3]!.content).not.toMatch(/kind="tasks">/);
  });
});
