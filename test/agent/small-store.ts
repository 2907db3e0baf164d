// A store of a few events for claims, steps that ask it, and what both verifiers say of a claim.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Reason, VerdictKind } from "../../src/agent/claims/claim.js";
import type { Evidence } from "../../src/agent/claims/evidence.js";
import { verifyClaim } from "../../src/agent/claims/verify.js";
import { type AskedStore, askedStore } from "./asked.js";
import { verifyAgain } from "./second-verifier/verify.js";

export const at = (second: number): string =>
  new Date(Date.UTC(2020, 0, 1) + second * 1000).toISOString().replace(".000Z", "Z");
const us = (second: number): bigint => BigInt(Date.UTC(2020, 0, 1) + second * 1000) * 1000n;

/** Messages: ana to bo at 10, 30 and 40; bo to cy and to ana at 12; cy to ana at 15. */
const EVENTS = [
  ["ana", "bo", 10],
  ["bo", "cy", 12],
  ["bo", "ana", 12],
  ["cy", "ana", 15],
  ["ana", "bo", 30],
  ["ana", "bo", 40],
] as const;
export const WINDOW = { from: at(0), to: at(60) };
const count = [{ fn: "count", as: "n" }];
export const order = [{ column: "n", desc: true }];

export interface Step {
  readonly id: string;
  readonly op: string;
  readonly args: object;
}
export const aggregate = (id: string, args: object): Step => ({
  id,
  op: "aggregate_events",
  args: { window: WINDOW, aggregates: count, ...args },
});
export const compute = (id: string, args: object): Step => ({ id, op: "compute", args });
/** ana 3, bo 2, cy 1. */
export const BY_SENDER = aggregate("s1", { group_by: [{ dim: "node", role: "src" }], order_by: order });
export const TOTAL = aggregate("s2", {});

export type Case = readonly [
  what: string,
  steps: readonly Step[],
  claim: object,
  verdict: VerdictKind,
  ...reasons: readonly Reason[],
];

/** Of ten seconds each: 1, 1, 2, 2, 2, 10. */
const RISING = [1, 1, 2, 2, 2, 10].flatMap((n, i) =>
  Array.from({ length: n }, (_, k) => ["ana", "bo", 1000 + 10 * i + 0.5 * k] as const),
);
/** The store: messages in the first commit, B in the second, people and K in the third, K corrected in the fourth, then P. */
export async function smallStore(): Promise<AskedStore> {
  const asked = await askedStore();
  const ingest = (type: string, events: readonly (readonly [string, string, number])[]) =>
    asked.store.ingest(
      {
        src: events.map(([src]) => src),
        dst: events.map(([, dst]) => dst),
        time: BigInt64Array.from(events, ([, , second]) => us(second)),
      },
      { type },
    );
  await ingest("M", EVENTS);
  await ingest("B", RISING);
  const person = (uid: string, name: string) => ({
    op: "assert_node" as const,
    uid,
    labels: ["Person"],
    props: { name },
    valid_from: at(0),
  });
  const k = { src: "ana", type: "K", dst: "bo", key: "k" };
  await asked.store.write([
    person("ann1", "Ann"),
    person("ann2", "Ann"),
    person("zed", "Zed"),
    { op: "assert_edge", ...k, props: { w: 1 }, valid_from: at(70), valid_to: at(90) },
  ]);
  await asked.store.write([{ op: "correct", ref: k, props: { w: 2 }, valid_from: at(70), valid_to: at(90) }]);
  // Two moments that are a microsecond apart, and an edge that changes at 105.
  await asked.store.ingest(
    { src: ["ana", "bo"], dst: ["zed", "zed"], time: BigInt64Array.from([us(2000), us(2000) + 1n]) },
    { type: "P" },
  );
  const l = { src: "bo", type: "L", dst: "cy", key: "l" };
  await asked.store.write([{ op: "assert_edge", ...l, props: { w: 1 }, valid_from: at(100), valid_to: at(110) }]);
  await asked.store.write([{ op: "correct", ref: l, props: { w: 2 }, valid_from: at(105), valid_to: at(110) }]);
  return asked;
}

export const askSteps = (asked: AskedStore, steps: readonly Step[]): Promise<Evidence> =>
  asked.ask({ steps, answer: { kind: "table", from: steps[0]!.id } }, [
    { id: "q1", uid: "ana" },
    { id: "q2", uid: null },
  ]);

/** Both verifiers give this verdict with these reasons. */
export async function expectVerdict(evidence: Evidence, claim: object, expected: readonly unknown[]): Promise<void> {
  const given = { id: "c1", ...claim };
  const found = await verifyClaim(evidence, given);
  expect([found.verdict, ...found.reasons]).toEqual(expected);
  expect(await verifyAgain(evidence, given)).toEqual(found);
}

/** Within a suite: one small store for all of it, and a test for each case. */
export function testCases(title: string, cases: readonly Case[]): void {
  let asked: AskedStore;
  beforeAll(async () => {
    asked = await smallStore();
  });
  afterAll(() => asked?.close());
  it.each(cases.map(([what, ...rest]) => [what, rest] as const))(title, async (_, [steps, claim, ...expected]) =>
    expectVerdict(await askSteps(asked, steps), claim, expected),
  );
}
