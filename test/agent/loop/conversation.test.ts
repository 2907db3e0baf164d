// Conversations within bounds: older results are cut to the line of their handle first, nothing is ever lost of calls.
import { describe, expect, it } from "vitest";
import { Conversation, type Reply } from "../../../src/agent/loop/conversation.js";
import { Fences } from "../../../src/agent/prompt/fence.js";
import { roughTokens } from "../../../src/agent/provider/tokens.js";

const ROW = { text: "word ".repeat(80) };
const reply = (i: number): Reply => ({
  lead: `s${i}, as data:`,
  kind: "rows",
  lines: [{ handle: `s${i}` }, ...Array.from({ length: 5 }, (_, row) => ({ row, ...ROW }))],
  brief: [{ handle: `s${i}`, rows: "left out" }],
});

function talk(turns: number): Conversation {
  const conversation = new Conversation(Fences.fresh(), "system", "question");
  for (let i = 1; i <= turns; i += 1) conversation.add(`{"call":${i}}`, reply(i));
  return conversation;
}

const isWhole = (content: string): boolean => content.includes("word word");
const ENDLESS = Number.POSITIVE_INFINITY;
const wholeOf = (conversation: Conversation, room: number): boolean[] =>
  conversation
    .messages("Turns left: 3.", roughTokens, room)
    .filter(({ role }, i) => role === "user" && i > 1)
    .map(({ content }) => isWhole(content));

describe("a conversation", () => {
  it("is whole while there is room", () => {
    expect(wholeOf(talk(3), ENDLESS)).toEqual([true, true, true]);
  });

  it("cuts the oldest results first, to their handles", () => {
    // A result has about 510 rough tokens.
    expect(wholeOf(talk(3), 1_250)).toEqual([false, true, true]);
    expect(wholeOf(talk(3), 700)).toEqual([false, false, true]);
    const cut = talk(3).messages("Turns left: 3.", roughTokens, 700)[3]!.content;
    expect(cut).toContain('{"handle":"s1","rows":"left out"}');
  });

  it("shows the newest result whatever room there is", () => {
    expect(wholeOf(talk(2), 0)).toEqual([false, true]);
  });

  it("is bounded whatever the context holds", () => {
    const conversation = talk(60);
    const messages = conversation.messages("Turns left: 3.", roughTokens, ENDLESS);
    expect(messages).toHaveLength(2 + 2 * 60);
    expect(roughTokens(messages.map(({ content }) => content).join("\n"))).toBeLessThan(8_500);
    // The newest are whole, as many as fit into 8,000: one more of about 510 would not, each turn being rounded up twice.
    const whole = wholeOf(conversation, ENDLESS);
    expect(whole).toEqual([...whole].sort());
    const turns = roughTokens(
      messages
        .slice(2)
        .map(({ content }) => content)
        .join("\n"),
    );
    expect(turns).toBeLessThanOrEqual(8_000);
    expect(turns).toBeGreaterThan(8_000 - 510 - 2 * 60);
  });

  it("keeps every call, and tells of turns and tasks at its end alone", () => {
    const conversation = new Conversation(Fences.fresh(), "system", "question");
    conversation.plan(["look"]);
    expect(conversation.messages("Turns left: 3.", roughTokens, ENDLESS)[1]!.content).toBe("question\nTurns left: 3.");
    conversation.add("one", reply(1));
    conversation.plan(["too late"]);
    conversation.add("two", reply(2));
    const contents = conversation.messages("Turns left: 1.", roughTokens, ENDLESS).map(({ content }) => content);
    expect([contents[2], contents[4]].map((content) => content?.split("\n")[1])).toEqual(['"one"', '"two"']);
    expect(contents.map((content) => content.includes("Turns left"))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(contents[5]).toContain('"look"');
    expect(contents.join()).not.toContain("too late");
  });
});
