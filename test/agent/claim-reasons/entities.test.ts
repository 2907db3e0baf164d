// Counts, entities and sets: cells of another form, names that several have, members too few and too many.
import { describe } from "vitest";
import { aggregate, BY_SENDER, type Case, testCases } from "../small-store.js";
import { byTime, ofSenders } from "./steps.js";

const ENTITIES: readonly Case[] = [
  ["a column of counts", [BY_SENDER], { type: "count", cell: "s1.rows[0].n" }, "supported"],
  ["a time as a count", [byTime], { type: "count", cell: "s1.rows[0].first" }, "unverifiable", "not_a_count"],
  ["a uid as an entity", [BY_SENDER], { type: "entity", cell: "s1.rows[1].src" }, "supported"],
  ["a count as an entity", [BY_SENDER], { type: "entity", cell: "s1.rows[1].n" }, "unverifiable", "not_an_entity"],
  [
    "a text that names nothing as an entity",
    [BY_SENDER, ofSenders("t.src || '?' AS u")],
    { type: "entity", cell: "s3.rows[0].u" },
    "unverifiable",
    "not_an_entity",
  ],
  [
    "counts as a set",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].n", complete: true },
    "unverifiable",
    "not_an_entity",
  ],
  [
    "one of two of a name",
    [{ id: "s1", op: "resolve_entities", args: { query: "Ann" } }],
    { type: "entity", cell: "s1.rows[0].uid" },
    "supported_partial",
    "ambiguous_name",
  ],
  [
    "the only one of a name",
    [{ id: "s1", op: "resolve_entities", args: { query: "Zed" } }],
    { type: "entity", cell: "s1.rows[0].uid" },
    "supported",
  ],
  [
    "one that is only like the name",
    [{ id: "s1", op: "resolve_entities", args: { query: "Ze" } }],
    { type: "entity", cell: "s1.rows[0].uid" },
    "supported_partial",
    "ambiguous_name",
  ],
  [
    "a whole list as a whole set",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: true, value: ["cy", "bo", "ana"] },
    "supported",
  ],
  [
    "a page as a whole set",
    [aggregate("s1", { group_by: [{ dim: "node", role: "src" }], limit: 2 })],
    { type: "entity_set", cells: "s1.rows[*].src", complete: true },
    "unverifiable",
    "page",
  ],
  [
    "a member too few",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: true, value: ["ana", "bo"] },
    "refuted",
    "members",
  ],
  [
    "a member too many",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: true, value: ["ana", "bo", "cy", "zed"] },
    "refuted",
    "members",
  ],
  [
    "a stranger among some members",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: false, value: ["zed"] },
    "refuted",
    "members",
  ],
  [
    "some of the members",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: false, value: ["ana"] },
    "supported_partial",
    "subset",
  ],
  [
    "all of the members, as some",
    [BY_SENDER],
    { type: "entity_set", cells: "s1.rows[*].src", complete: false, value: ["ana", "bo", "cy"] },
    "supported",
  ],
];

describe("a reason is given", () => {
  testCases("to %s", ENTITIES);
});
