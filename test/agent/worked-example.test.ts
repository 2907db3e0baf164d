// A question over CollegeMsg with two parts beside the first, its plan and its claims: which account wrote to the most
// different accounts in a week, to how many, and whether it sent before it received. Values are counted from the file.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindClaims } from "../../src/agent/claims/bind.js";
import type { Claim } from "../../src/agent/claims/claim.js";
import type { Evidence } from "../../src/agent/claims/evidence.js";
import { mechanicalClaim } from "../../src/agent/claims/mechanical.js";
import { partsOf, standingOf } from "../../src/agent/claims/relevance.js";
import { verifyClaim, verifyClaims } from "../../src/agent/claims/verify.js";
import { gate } from "../../src/agent/gate.js";
import { wordingOf } from "../../src/agent/wording.js";
import { checkProse } from "../../src/agent/words/prose.js";
import { type AskedStore, askedStore } from "./asked.js";

const FILE = resolve(import.meta.dirname, "../../../shared/data/collegemsg/CollegeMsg.txt");
const WEEK = { from: "2004-06-01T00:00:00Z", to: "2004-06-08T00:00:00Z" };
const MESSAGED = { types: ["MESSAGED"] };

const PLAN = (limit: number) => ({
  steps: [
    {
      id: "s1",
      op: "aggregate_events",
      args: {
        window: WEEK,
        where: MESSAGED,
        group_by: [{ dim: "node", role: "src" }],
        aggregates: [
          { fn: "count_distinct", of: "dst", as: "partners" },
          { fn: "min", of: "at", as: "first_sent" },
        ],
        order_by: [{ column: "partners", desc: true }],
        limit,
      },
    },
    {
      id: "s2",
      op: "aggregate_events",
      args: {
        window: WEEK,
        where: { ...MESSAGED, dst: { uids: [{ $ref: "s1.rows[0].src" }] } },
        aggregates: [
          { fn: "min", of: "at", as: "first_received" },
          { fn: "count", as: "received" },
        ],
      },
    },
    {
      id: "s3",
      op: "compute",
      args: { fn: "diff", x: { $ref: "s2.rows[0].first_received" }, y: { $ref: "s1.rows[0].first_sent" } },
    },
  ],
  answer: {
    kind: "value",
    from: "s1.rows[0].src",
    also: [
      { kind: "count", from: "s1.rows[0].partners" },
      { kind: "ordering", from: "s3.value" },
    ],
  },
});

const C1 = { id: "c1", type: "entity", cell: "s1.rows[0].src", rank: { by: "partners", side: "max" } };
const C2 = { id: "c2", type: "count", cell: "s1.rows[0].partners", about: ["s1.rows[0].src"] };
const C3 = {
  id: "c3",
  type: "ordering",
  a: { at: "s1.rows[0].first_sent", of: "s1.rows[0].src" },
  b: { at: "s2.rows[0].first_received", of: "s1.rows[0].src" },
  relation: "before",
};
const C4 = { id: "c4", type: "count", cell: "s1.rows_total" };

interface Message {
  readonly src: string;
  readonly dst: string;
  readonly us: bigint;
}

describe.skipIf(!existsSync(FILE))("the claims of a question over CollegeMsg", () => {
  let asked: AskedStore;
  let evidence: Evidence;
  let week: readonly Message[];

  beforeAll(async () => {
    const lines = readFileSync(FILE, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    const messages = lines.map((line): Message => {
      const [src, dst, time] = line.split(" ");
      return { src: src!, dst: dst!, us: BigInt(time!) * 1_000_000n };
    });
    const [fromUs, toUs] = [WEEK.from, WEEK.to].map((text) => BigInt(Date.parse(text)) * 1000n);
    week = messages.filter(({ us }) => us >= fromUs! && us < toUs!);
    asked = await askedStore();
    await asked.store.ingest(
      {
        src: messages.map(({ src }) => src),
        dst: messages.map(({ dst }) => dst),
        time: BigInt64Array.from(messages, ({ us }) => us),
      },
      { type: "MESSAGED" },
    );
    evidence = await asked.ask(PLAN(2));
  });
  afterAll(() => asked?.close());

  it("are bound to what the file says, and supported", async () => {
    const partners = new Map<string, Set<string>>();
    for (const { src, dst } of week) partners.set(src, (partners.get(src) ?? new Set()).add(dst));
    const most = Math.max(...Array.from(partners.values(), ({ size }) => size));
    const top = [...partners].filter(([, { size }]) => size === most).map(([src]) => src);
    expect(top).toHaveLength(1);

    const bound = await bindClaims(evidence, [C1, C2, C3, C4]);
    expect(bound.map((claim) => ("value" in claim ? claim.value : null))).toEqual([top[0], most, null, partners.size]);
    const verdicts = await verifyClaims(evidence, bound);
    expect(verdicts).toEqual(["c1", "c2", "c3", "c4"].map((id) => ({ id, verdict: "supported", reasons: [] })));
  });

  it.each([
    ["another relation", { ...C3, relation: "after" }, "refuted", "relation"],
    [
      "a count about a row that it is not of",
      { ...C2, cell: "s2.rows[0].received", about: ["s1.rows[1].src"] },
      "unverifiable",
      "untied",
    ],
    ["another number", { ...C2, value: 80 }, "refuted", "value"],
    ["a number as text", { ...C4, value: "556" }, "refuted", "value"],
    ["the second as the first", { ...C1, cell: "s1.rows[1].src" }, "unverifiable", "rank"],
    ["the least", { ...C1, rank: { by: "partners", side: "min" } }, "unverifiable", "rank"],
    ["a time as a count", { ...C4, cell: "s1.rows[0].first_sent" }, "unverifiable", "not_a_count"],
    [
      "a count as an entity",
      { id: "c1", type: "entity", cell: "s1.rows[0].partners" },
      "unverifiable",
      "not_an_entity",
    ],
    ["an argument as evidence", { ...C4, cell: "s1.args.limit" }, "unverifiable", "not_evidence"],
    ["a row that is not held", { ...C2, cell: "s1.rows[2].partners" }, "unverifiable", "no_cell"],
    ["a field that is not there", { ...C4, cell: "s1.rows[0].account" }, "unverifiable", "no_cell"],
    ["a step that is not there", { ...C4, cell: "s9.rows_total" }, "unverifiable", "no_evidence"],
    [
      "a whole set of a page",
      { id: "c1", type: "entity_set", cells: "s1.rows[*].src", complete: true },
      "unverifiable",
      "page",
    ],
    [
      "a part of a set",
      { id: "c1", type: "entity_set", cells: "s1.rows[*].src", complete: false },
      "supported_partial",
      "subset",
    ],
    ["a key that no claim has", { ...C4, note: "x" }, "unverifiable", "malformed"],
    [
      "ends of two rows",
      { id: "c1", type: "interval", from: "s1.rows[0].first_sent", to: "s1.rows[1].first_sent" },
      "unverifiable",
      "not_a_pair",
    ],
    ["an absence of what is there", { id: "c1", type: "absence", list: "s1.rows" }, "unverifiable", "page"],
    [
      "a trend of no series",
      { id: "c1", type: "temporal_pattern", pattern: "trend", step: "s1", direction: "up" },
      "unverifiable",
      "not_a_series",
    ],
  ])("tell %s", async (_, claim, verdict, reason) => {
    const found = await verifyClaim(evidence, claim);
    expect([found.verdict, found.reasons[0]]).toEqual([verdict, reason]);
  });

  it("stand where the plan puts them", () => {
    const parts = partsOf(evidence.trace.plan.answer);
    const standings = [C1, C2, C3, C4].map((claim) => standingOf(evidence, claim as Claim, parts));
    expect(standings).toEqual([
      { as: "main", part: 0 },
      { as: "main", part: 1 },
      { as: "main", part: 2 },
      { as: "support" },
    ]);
    const elsewhere = { id: "c1", type: "count", cell: "s2.rows_total" } as const;
    expect(standingOf(evidence, elsewhere, parts.slice(0, 2))).toEqual({ as: "off_topic" });
  });

  it("are made by code for each part, and hold", async () => {
    const parts = partsOf(evidence.trace.plan.answer);
    const made = await Promise.all(
      parts.map((part) =>
        mechanicalClaim(
          evidence,
          part,
          async (claim) => (await verifyClaim(evidence, { id: "c1", ...claim })).verdict === "supported",
        ),
      ),
    );
    const { id: _id, ...c3 } = C3;
    const { of: _a, ...a } = c3.a;
    const { of: _b, ...b } = c3.b;
    expect(made).toEqual([
      { type: "entity", cell: C1.cell },
      { type: "count", cell: C2.cell },
      // As the step has its operands: received, then sent.
      { ...c3, a: b, b: a, relation: "after" },
    ]);
    for (const claim of made) {
      expect(await verifyClaim(evidence, { id: "c1", ...claim })).toEqual({
        id: "c1",
        verdict: "supported",
        reasons: [],
      });
    }
  });

  it("let the words around them stand", async () => {
    const text =
      "{c1} wrote to the most different accounts in {q1}, namely {c2}. Its first message sent came before its first received: {c3}. " +
      "Altogether {c4} accounts wrote in that time.";
    const claims = await bindClaims(evidence, [C1, C2, C3, C4]);
    const { claims: worded, entities } = await wordingOf(evidence, claims);
    const names = { has: () => false };
    expect(checkProse({ text, claims: worded, mentions: new Set(["q1"]), entities, names })).toEqual([]);
  });

  it("take their sentences with them through the gate", async () => {
    const parts = partsOf(evidence.trace.plan.answer);
    const text = "{c1} wrote to {c2} accounts. It sent first: {c3}. Others: {c4}.";
    const claims = [C1, C2, { ...C3, relation: "after" }, C4] as Claim[];
    const judged = await Promise.all(
      claims.map(async (claim) => ({
        claim,
        verdict: await verifyClaim(evidence, claim),
        standing: standingOf(evidence, claim, parts),
      })),
    );
    const shown = gate(text, judged, parts, new Map());
    expect(shown.sentences.map((sentence) => sentence.text)).toEqual(["{c1} wrote to {c2} accounts.", "Others: {c4}."]);
    expect(shown.blocked.map(({ claim }) => claim.id)).toEqual(["c3"]);
    expect({ lost: shown.lost, status: shown.status }).toEqual({ lost: [2], status: "partial" });
  });

  it("see no tie where only one row was asked for", async () => {
    const narrow = await asked.ask(PLAN(1));
    expect(await verifyClaim(narrow, C1)).toEqual({ id: "c1", verdict: "unverifiable", reasons: ["rank"] });
  });

  it("fall with a payload that was changed", async () => {
    const plan = PLAN(2);
    const changed = await asked.ask(plan);
    const row = changed.step("s1")!.result!.envelope.rows![0] as { partners: number };
    row.partners += 1;
    expect(await verifyClaim(changed, C2)).toEqual({ id: "c2", verdict: "unverifiable", reasons: ["digest_mismatch"] });
  });
});
