// Whether a question names a new entity: its uid letter by letter, with no other word beside it.
import { describe, expect, it } from "vitest";
import { isNamedIn } from "../../../src/agent/writes/rules.js";

describe("a uid that a question names", () => {
  it.each<[string, string, boolean]>([
    ["add zoe to them", "zoe", true],
    ["zoe", "zoe", true],
    ["add zoey", "zoe", false],
    ["add Zoe", "zoe", false],
    // Only the second one stands alone.
    ["zoey and zoe", "zoe", true],
    ["acct_1 is new", "acct", false],
    ["acct-1 is new", "acct", true],
    // An accent that is written apart is the same letter.
    ["add zoe\u0301", "zo\u00e9", true],
    ["add zoe\u0301", "zoe", false],
    // Beyond U+FFFF a letter is two units: it is a letter of another word all the same, and a face is none.
    ["add \u{1d4d0}zoe", "zoe", false],
    ["add zoe\u{1d4d0}", "zoe", false],
    ["add \u{1f600}zoe\u{1f600}", "zoe", true],
    ["add \u{1d4d0}", "\u{1d4d0}", true],
  ])("in %j: %j: %j", (question, uid, isNamed) => expect(isNamedIn(question, uid)).toBe(isNamed));

  // A copy of all that stands before each place took most of a minute.
  it("is looked for at once, however long a caller's question is", { retry: 2 }, () => {
    const begun = performance.now();
    expect(isNamedIn("a".repeat(30_000), "a")).toBe(false);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
