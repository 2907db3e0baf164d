// The gate, case by case: what of a claim is shown, by its verdict and by where it stands to the question.
import { describe, expect, it } from "vitest";
import type { Reason, Verdict } from "../../src/agent/claims/claim.js";
import type { AskedPart, Standing } from "../../src/agent/claims/relevance.js";
import { gate, type JudgedClaim } from "../../src/agent/gate.js";
import type { PrintedList, PrintedLists } from "../../src/agent/printed-lists.js";

const PART: AskedPart = { kind: "count", from: "s1.rows_total" };
const MAIN: Standing = { as: "main", part: 0 };
const SUPPORT: Standing = { as: "support" };
const OFF_TOPIC: Standing = { as: "off_topic" };

const judged = (
  id: string,
  verdict: Verdict["verdict"],
  standing: Standing,
  reasons: readonly Reason[] = [],
): JudgedClaim => ({
  claim: { id, type: "count", cell: "s1.rows_total" },
  verdict: { id, verdict, reasons },
  standing,
});
const NO_LISTS: PrintedLists = new Map();

const BLOCKED: readonly (readonly [Verdict["verdict"], Standing])[] = [
  ["supported", OFF_TOPIC],
  ["supported_partial", OFF_TOPIC],
  ["refuted", MAIN],
  ["refuted", SUPPORT],
  ["refuted", OFF_TOPIC],
  ["unverifiable", MAIN],
  ["unverifiable", SUPPORT],
  ["unverifiable", OFF_TOPIC],
];
const SHOWN: readonly (readonly [Verdict["verdict"], Standing])[] = [
  ["supported", SUPPORT],
  ["supported_partial", SUPPORT],
];

describe("beside a main claim that holds", () => {
  const main = judged("c1", "supported", MAIN);
  const text = "It is {c1}. Also {c2}. Of {c2.of} and {c1}. Once more {c1}.";

  it.each(BLOCKED)("a claim that is %s and %j takes its sentences with it", (verdict, standing) => {
    const shown = gate(text, [main, judged("c2", verdict, standing)], [PART], NO_LISTS);
    expect(shown.sentences.map((sentence) => sentence.text)).toEqual(["It is {c1}.", "Once more {c1}."]);
    expect(shown.claims.map(({ claim }) => claim.id)).toEqual(["c1"]);
    expect(shown.blocked.map(({ claim }) => claim.id)).toEqual(["c2"]);
    expect([shown.status, shown.lost]).toEqual(["answered", []]);
  });

  it.each(SHOWN)("a claim that is %s and %j is shown", (verdict, standing) => {
    const shown = gate(text, [main, judged("c2", verdict, standing)], [PART], NO_LISTS);
    expect(shown.sentences).toHaveLength(4);
    expect([shown.blocked, shown.status]).toEqual([[], "answered"]);
  });
});

describe("a sentence without a placeholder", () => {
  const claims = [judged("c1", "supported", MAIN), judged("c2", "refuted", SUPPORT)];
  const left = (text: string): readonly string[] =>
    gate(text, claims, [PART], NO_LISTS).sentences.map((sentence) => sentence.text);

  it.each<[string, readonly string[]]>([
    ["Yes. It is {c1}. I hope that helps.", ["It is {c1}."]],
    ["Yes. They paid {c1}.", ["They paid {c1}."]],
    ["Here is the answer: so it is. They paid {c1}.", []],
    ["Somebody else came along. They paid {c1}.", []],
    ["Somebody else came along. It is {c1}. They paid {c1}.", ["It is {c1}.", "They paid {c1}."]],
    ["Of {c2}. Yes. They paid {c1}.", []],
    ["Somebody else came along.\nOf course.\nThey paid {c1}.", []],
    ["Nothing else.", []],
  ])("is not shown, nor what speaks of it: %j", (text, expected) => expect(left(text)).toEqual(expected));
});

describe("the status", () => {
  const other: AskedPart = { kind: "value", from: "s1.rows[0].uid" };
  const table: AskedPart = { kind: "table", from: "s1.rows" };

  const list = (isCut: boolean): PrintedList => ({ rows: [], total: 0, item: { kind: "any" }, isCut });

  it.each<[string, string, readonly JudgedClaim[], readonly AskedPart[], string]>([
    ["all parts, all supported", "{c1}.", [judged("c1", "supported", MAIN)], [PART], "answered"],
    ["a part with a reservation", "{c1}.", [judged("c1", "supported_partial", MAIN)], [PART], "partial"],
    ["a part that is missing", "{c1}.", [judged("c1", "supported", MAIN)], [PART, other], "partial"],
    ["a part that no sentence says", "{q1}.", [judged("c1", "supported", MAIN)], [PART], "abstained"],
    ["no part", "{c1}.", [judged("c1", "supported", SUPPORT)], [PART], "abstained"],
    ["a claim that fell", "{c1}.", [judged("c1", "refuted", MAIN)], [PART], "abstained"],
  ])("of %s", (_, text, claims, parts, status) => {
    expect(gate(text, claims, parts, NO_LISTS).status).toBe(status);
  });

  it.each<[string, PrintedList, string]>([
    ["a whole list", list(false), "answered"],
    ["a list that is cut", list(true), "partial"],
    ["a list that cannot be shown", { wrong: "digest_mismatch" }, "abstained"],
  ])("of %s", (_, printed, status) => {
    expect(gate("", [], [table], new Map([[0, printed]])).status).toBe(status);
  });

  it("is that of the main claim that is wholly supported, where a part has two", () => {
    const claims = [judged("c1", "supported_partial", MAIN, ["tied"]), judged("c2", "supported", MAIN)];
    const shown = gate("{c1}. {c2}.", claims, [PART], NO_LISTS);
    expect(shown.mains[0]!.claim.id).toBe("c2");
    expect(shown.status).toBe("answered");
  });
});
