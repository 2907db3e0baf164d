// Sets as people read them: each member once, and how many are not written out.
import { expect, it } from "vitest";
import { shownSet } from "../../src/agent/words/render.js";

const names = { load: async () => {}, nameOf: (uid: string) => (uid === "a" ? "Ada" : null) };
const shown = (uids: readonly string[], unread: number, membersShown = 20): string =>
  shownSet(uids, unread, { medium: "plain", names, membersShown, zone: null });

it("names each member once, however many rows it stands in", () => {
  expect(shown(["b", "a", "b"], 0)).toBe("Ada (`a`), `b`");
  expect(shown(["b", "b"], 0)).toBe("`b`");
});

it("says how many members and unread rows are left out", () => {
  expect(shown(["c", "b", "a", "c"], 0, 1)).toBe("Ada (`a`) and 2 more");
  expect(shown(["c", "b"], 30)).toBe("`b`, `c` and 30 more");
  expect(shown(["c", "b"], 30, 1)).toBe("`b` and 31 more");
});
