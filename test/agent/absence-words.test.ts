// How an absence is worded: where it was looked for, and why there could be nothing. Texts are those of the design.
import { describe, expect, it } from "vitest";
import type { Search } from "../../src/agent/claims/absences.js";
import { shownAbsence } from "../../src/agent/words/absence.js";
import type { Rendering } from "../../src/agent/words/render.js";

const rendering: Rendering = {
  medium: "plain",
  membersShown: 2,
  zone: null,
  names: { load: async () => {}, nameOf: (uid) => (uid === "a" ? "Ada" : null) },
};
const NOWHERE: Search = {
  types: [],
  labels: [],
  properties: [],
  conditions: [],
  uids: [],
  time: null,
  tx: null,
  extent: null,
  emptySteps: [],
  through: [],
};

describe("an absence", () => {
  it.each<[string, Partial<Search>, Parameters<typeof shownAbsence>[1], string]>([
    ["in results alone", {}, [], "nothing found"],
    ["at an instant", { tx: 3, time: { at: "2020-05-01T00:00:00Z" } }, [], "at 2020-05-01; as believed at tx:3"],
    ["before an end", { time: { from: null, to: "2020-05-01T00:00:00Z" } }, [], "until 2020-05-01 (end excluded)"],
    ["from a beginning", { time: { from: "2020-05-01T00:00:00Z", to: null } }, [], "since 2020-05-01"],
    [
      "by names, of which as many entities are told as of any set",
      { types: ["PAID", "SENT"], labels: ["Person"], properties: ["amount"], uids: ["a", "b", "c"] },
      [],
      "type PAID, SENT; label Person; conditions on property amount; Ada (`a`), `b` and 1 more",
    ],
    [
      "under conditions on what was found, and by a later step",
      { conditions: ["having", "max_hops"], tx: 3, through: ["s2 select"] },
      [],
      "further conditions: having, max_hops; as believed at tx:3; by s2 select",
    ],
    ["behind empty steps", { emptySteps: ["s1", "s2"] }, ["vacuous"], "s1, s2 gave no rows to look at"],
    [
      "outside the data",
      { extent: { from: "2020-05-01T00:00:00Z", to: "2020-06-01T00:00:00Z" } },
      ["outside_data"],
      "the store holds nothing for that time, data run from 2020-05-01 to 2020-06-01 (end excluded)",
    ],
    [
      "before data that are open",
      { extent: { from: "2020-05-01T00:00:00Z", to: null } },
      ["outside_data"],
      "the store holds nothing for that time, data run since 2020-05-01",
    ],
    ["in a store of nothing", {}, ["outside_data"], "the store holds nothing"],
  ])("%s", (_, search, reasons, text) => {
    const said = shownAbsence({ ...NOWHERE, ...search }, reasons, rendering);
    expect(said).toBe(text === "nothing found" ? text : `nothing found (${text})`);
  });

  it("shows names of the store as their medium wants them", () => {
    const html = { ...rendering, medium: "html" as const };
    const said = shownAbsence({ ...NOWHERE, types: ["<b>"], uids: ["<i>"] }, [], html);
    expect(said).toBe("nothing found (type &lt;b&gt;; <code>&lt;i&gt;</code>)");
  });
});
