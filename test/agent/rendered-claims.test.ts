// How claims of each type are worded by code, with what limits them: the table of the design, by hand.
import { describe, expect, it } from "vitest";
import type { Claim, Reason } from "../../src/agent/claims/claim.js";
import type { Places } from "../../src/agent/claims/places.js";
import { type Rendering, shownClaim } from "../../src/agent/words/render.js";
import type { JsonObject, JsonValue } from "../../src/contract/values.js";

const rendering: Rendering = {
  medium: "plain",
  membersShown: 2,
  zone: null,
  names: { load: async () => {}, nameOf: (uid) => (uid === "a" ? "Ada" : null) },
};

const scalar = (type: string, unit: string | null = null): object => ({ kind: "scalar", type, unit });
const at = (value: JsonValue, type: object | null = null, row: JsonObject | null = null) => ({ value, type, row });

const DAY = "2020-05-01T00:00:00Z";
const CELLS: Readonly<Record<string, object>> = {
  n: at(1_234, scalar("int")),
  events: at(1_234, scalar("int", "events")),
  share: at(0.5, scalar("double", "1")),
  more: at(1_250, scalar("int")),
  yes: at(true, scalar("bool")),
  took: at("PT52H34M", scalar("duration")),
  from: at(DAY, scalar("instant"), { from: DAY, to: "2020-05-08T00:00:00Z" }),
  to: at("2020-05-08T00:00:00Z", scalar("instant_open")),
  open: at(null, scalar("instant_open")),
  uid: at("a", scalar("string")),
};
const LISTS: Readonly<Record<string, object>> = {
  all: { values: ["c", "a", "b"], rowsTotal: 3 },
  page: { values: ["a", "b"], rowsTotal: 33 },
};
const places = {
  cell: (ref: string) => CELLS[ref],
  find: (ref: string) => CELLS[ref],
  list: (ref: string) => LISTS[ref],
} as unknown as Places;

function shown(claim: object, ...reasons: readonly Reason[]): string {
  const verdict = reasons.length === 0 ? "supported" : "supported_partial";
  return shownClaim({ id: "c1", ...claim } as Claim as never, { id: "c1", verdict, reasons }, places, rendering);
}

describe("a claim reads", () => {
  it.each<[string, object, string]>([
    ["a count, which the words around it name", { type: "count", cell: "events" }, "1,234"],
    ["a value with its unit", { type: "value", cell: "events" }, "1,234 events"],
    ["a value without a unit", { type: "value", cell: "n" }, "1,234"],
    ["a ratio", { type: "value", cell: "share" }, "0.5"],
    ["a yes", { type: "value", cell: "yes" }, "true"],
    ["a duration", { type: "value", cell: "took" }, "2 d 4 h 34 min"],
    ["an open end", { type: "value", cell: "open" }, "for ever"],
    ["an entity with its name", { type: "entity", cell: "uid" }, "Ada (`a`)"],
    ["a set in code point order", { type: "entity_set", cells: "all", complete: true }, "Ada (`a`), `b` and 1 more"],
    ["a set of a page", { type: "entity_set", cells: "page", complete: false }, "Ada (`a`), `b` and 31 more"],
    ["an interval", { type: "interval", from: "from", to: "to" }, "2020-05-01 to 2020-05-08 (end excluded)"],
    ["an open interval", { type: "interval", from: "from", to: "open" }, "since 2020-05-01"],
    [
      "an ordering",
      { type: "ordering", a: { at: "from" }, b: { from: "from", to: "to" }, relation: "started_by" },
      "2020-05-01 started by 2020-05-01 to 2020-05-08 (end excluded)",
    ],
    ["a rise", { type: "change", before: "n", after: "more", direction: "up" }, "rose: 1,234, then 1,250"],
    ["a fall", { type: "change", before: "more", after: "n", direction: "down" }, "fell: 1,250, then 1,234"],
    ["the same", { type: "change", before: "n", after: "n", direction: "same" }, "stayed the same: 1,234, then 1,234"],
    [
      "a difference",
      { type: "change", before: "yes", after: "yes", direction: "different" },
      "changed: true, then true",
    ],
    [
      "a burst",
      { type: "temporal_pattern", pattern: "burst", row: "from" },
      "a burst in 2020-05-01 to 2020-05-08 (end excluded)",
    ],
    [
      "a dip",
      { type: "temporal_pattern", pattern: "burst", row: "from", direction: "down" },
      "a dip in 2020-05-01 to 2020-05-08 (end excluded)",
    ],
    [
      "a share",
      { type: "temporal_pattern", pattern: "concentration", row: "from", share: 75 },
      "at least 75 percent in 2020-05-01 to 2020-05-08 (end excluded)",
    ],
    ["a trend", { type: "temporal_pattern", pattern: "trend", direction: "up" }, "the series rose"],
    ["a level", { type: "temporal_pattern", pattern: "trend", direction: "flat" }, "the series stayed level"],
  ])("%s", (_, claim, text) => expect(shown(claim)).toBe(text));
});

describe("behind what holds with a reservation stands", () => {
  const count = { type: "count", cell: "n" };
  it.each<[readonly Reason[], string]>([
    [["upstream"], "1,234 (on incomplete evidence)"],
    [["subset"], "1,234 (among others)"],
    [["tied"], "1,234 (tied)"],
    [["ambiguous_name"], "1,234 (one of several matches)"],
    [["tied", "upstream"], "1,234 (tied) (on incomplete evidence)"],
  ])("%j", (reasons, text) => expect(shown(count, ...reasons)).toBe(text));
});
