// 200 random proposals under random policies against the judge: written or refused as it says, by a rule that it names; the
// log untouched where refused; the beliefs as it says, and the receipt's counts those of the store's rows, where written.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAgent, type WritePolicy } from "../../../src/agent/index.js";
import { PalimpsestError } from "../../../src/contract/errors.js";
import { type Database, open, type Trace } from "../../../src/index.js";
import { randomOf } from "../../relational/random.js";
import { DAYS, type Days, type JudgedOp, type JudgedPolicy, judged } from "./judge.js";
import { logOf } from "./store.js";

const PROPOSALS = 200;
const SEED = 20_261;
const UIDS = ["ada", "bo", "cy"];
const NEW = ["dan", "eve"];
const TYPES = ["KNOWS", "OWES"];
const LABELS = ["Person", "Admin"];
const OPS = ["assert_node", "assert_edge", "retract", "correct"] as const;
const QUESTION = "Does ada know dan?";

const dayText = (day: number): string => `2020-01-0${day + 1}T00:00:00Z`;
const endText = (day: number): string | null => (day === DAYS ? null : dayText(day));
const refOf = (identity: string): object => {
  const [src, type, dst] = identity.split(">");
  return type === undefined ? { uid: src } : { src, type, dst, key: "" };
};

function inputOf({ op, identity, from, to, mode, labels, addLabels, props }: JudgedOp): object {
  const period = { valid_from: dayText(from), valid_to: endText(to) };
  const ref = refOf(identity);
  if (op === "retract") return { op, ref, ...period };
  if (op === "assert_node" || op === "assert_edge") {
    return { op, ...ref, ...period, ...(labels === undefined ? {} : { labels }), props };
  }
  const own = mode === "patch" ? { add_labels: addLabels } : { labels };
  return { op, ref, mode, ...period, props, ...(identity.includes(">") ? {} : own) };
}

/** What the store believes of an identity, day by day. */
async function daysOf(db: Database, identity: string): Promise<Days> {
  const days = Array.from({ length: DAYS }, () => null) as (Days[number] | null)[];
  const { rows } = await db.call("entity_history", { ref: refOf(identity) as never }).catch((error: unknown) => {
    if (error instanceof PalimpsestError && error.code === "E_NOT_FOUND") return { rows: [] };
    throw error;
  });
  for (const row of rows as unknown as {
    valid_from: string;
    valid_to: string | null;
    labels?: string[];
    props: object;
  }[]) {
    for (let day = 0; day < DAYS; day += 1) {
      const isThere = row.valid_from <= dayText(day) && (row.valid_to === null || dayText(day) < row.valid_to);
      if (isThere) days[day] = { labels: [...(row.labels ?? [])].sort(), props: row.props as Record<string, number> };
    }
  }
  return days;
}

/** Rows of the store's history that a commit closed, and that it wrote. */
async function rowsOf(db: Database, tx: number, time: string): Promise<{ closed: number; created: number }> {
  let closed = 0;
  let created = 0;
  for (const kind of ["node", "edge"] as const) {
    const { rows } = await db.call("scan", { of: "versions", kind, limit: 10_000 });
    for (const row of rows as unknown as { tx_from: string; tx_to: string | null }[]) {
      if (row.tx_from === time) created += 1;
      if (row.tx_to === time) closed += 1;
    }
  }
  expect(tx).toBeGreaterThan(0);
  return { closed, created };
}

it(`${PROPOSALS} random proposals, seed ${SEED}`, { timeout: 120_000 }, async () => {
  const below = randomOf(SEED);
  const chance = (share: number): boolean => below(1_000) < share * 1_000;
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const some = <T>(of: readonly T[], share: number): T[] => of.filter(() => chance(share));
  const path = mkdtempSync(join(tmpdir(), "palimpsest-random-"));
  const db = await open(path, { durability: "interval" });
  const agent = createAgent(db);
  const beliefs = new Map<string, Days>();
  const touched = new Map<string, number>();
  const known = new Set(UIDS);
  const anyEdge = (uids: readonly string[]): string => `${one(uids)}>${one(TYPES)}>${one(uids)}`;
  const take = async (identity: string): Promise<void> => void beliefs.set(identity, await daysOf(db, identity));

  await db.write([
    ...UIDS.map((uid) => ({
      op: "assert_node" as const,
      uid,
      labels: ["Person"],
      props: { n: 1 },
      valid_from: dayText(0),
    })),
    { op: "assert_edge" as const, src: "ada", type: "KNOWS", dst: "bo", valid_from: dayText(0) },
    { op: "assert_edge" as const, src: "bo", type: "OWES", dst: "cy", valid_from: dayText(1), valid_to: dayText(4) },
  ]);
  for (const identity of [...UIDS, "ada>KNOWS>bo", "bo>OWES>cy"]) await take(identity);

  let trace: Trace | null = null;
  let edges: { src: string; dst: string }[] = [];
  let askTx = 0;
  let knownThen = new Set<string>();
  const counts = { written: 0, refused: new Map<string, number>() };
  for (let i = 0; i < PROPOSALS; i += 1) {
    if (trace === null || chance(0.5)) {
      trace = await db.run({
        steps: [{ id: "s1", op: "scan", args: { of: "edges", limit: 9 } }],
        answer: { kind: "table", from: "s1.rows" },
      });
      edges = (trace.answer as unknown as { rows: { src: string; dst: string }[] }).rows;
      askTx = (await db.head()).tx;
      knownThen = new Set(known);
    }
    const ops = Array.from({ length: 1 + below(2) }, (): JudgedOp => {
      const op = one(OPS);
      const uids = chance(0.15) ? [...UIDS, ...NEW] : UIDS;
      const isNode = op === "assert_node" || (op !== "assert_edge" && chance(0.4));
      const identity = isNode
        ? one(uids)
        : chance(0.6)
          ? one([...beliefs.keys()].filter((key) => key.includes(">")))
          : anyEdge(uids);
      const from = below(DAYS);
      const to = from + 1 + below(DAYS - from);
      const labels = isNode ? ["Person", ...some(["Admin"], 0.15)] : undefined;
      const props = { n: below(3), ...(chance(0.3) ? { m: null } : {}) };
      if (op === "retract") return { op, identity, from, to };
      const mode = chance(0.5) ? ("patch" as const) : ("replace" as const);
      if (op === "correct" && mode === "patch")
        return { op, identity, from, to, mode, props, ...(isNode ? { addLabels: some(LABELS, 0.2) } : {}) };
      return {
        op,
        identity,
        from,
        to,
        props,
        ...(op === "correct" ? { mode } : {}),
        ...(labels === undefined ? {} : { labels }),
      };
    });
    const rare = chance(0.7) ? 1 : 0.7;
    const policy: JudgedPolicy = {
      ops: some(OPS, rare),
      types: some(TYPES, rare),
      labels: some(LABELS, rare),
      newEntities: chance(0.7),
      maxOps: chance(0.9) ? 3 : 1,
      within: chance(0.8) ? [0, DAYS] : [below(3), 3 + below(DAYS - 2)],
      confirms: chance(0.9),
    };
    // Claims of rows of edges: true, or with a value that is another.
    const rows = edges.map((_, row) => row).filter(() => chance(0.8));
    const chosen = rows.length === 0 ? [0] : rows;
    const wrong = chance(0.1) ? one(chosen) : -1;
    const claims = edges.map(({ src }, row) => ({
      id: `c${row + 1}`,
      type: "value",
      cell: `s1.rows[${row}].src`,
      value: row === wrong ? "nobody" : src,
    }));
    const { rules, after } = judged(
      ops,
      policy,
      { beliefs, touched },
      {
        tx: askTx,
        known: knownThen,
        claims: chosen.map((row) => ({
          isTrue: row !== wrong && edges[row] !== undefined,
          entities: Object.values(edges[row] ?? {}) as string[],
        })),
        named: ["dan"],
      },
    );
    const given: WritePolicy = {
      ops: policy.ops as WritePolicy["ops"],
      types: policy.types,
      labels: policy.labels,
      new_entities: policy.newEntities,
      max_ops: policy.maxOps,
      max_batches: 1_000,
      valid_within: { from: dayText(policy.within[0]), to: endText(policy.within[1]) },
      min_verdict: "supported",
      confirm: async () => policy.confirms,
      source: "random",
    };
    const proposal = {
      ops: ops.map(inputOf),
      reason: `proposal ${i}`,
      because: chosen.map((row) => `c${row + 1}`),
      trace_digest: trace.trace_digest,
    };
    const before = logOf(path);
    const grounds = { trace, claims, question: QUESTION };
    const outcome = await agent.write(proposal, { policy: given, grounds }).catch((error: unknown) => error);
    const told = { i, ops, policy, rules: [...rules] };
    if (outcome instanceof PalimpsestError) {
      expect({ ...told, code: outcome.code }).toEqual({
        ...told,
        code: expect.stringMatching(/^E_(STATE|INVALID_ARG)$/),
      });
      expect([told, rules.has(outcome.details.rule as string) || outcome.message]).toEqual([told, true]);
      expect(logOf(path)).toBe(before);
      counts.refused.set(outcome.details.rule as string, (counts.refused.get(outcome.details.rule as string) ?? 0) + 1);
      continue;
    }
    if (outcome instanceof Error) throw outcome;
    expect([told, ...rules]).toEqual([told]);
    counts.written += 1;
    const receipt = outcome as Awaited<ReturnType<typeof agent.write>>;
    expect([told, receipt]).toMatchObject([told, await rowsOf(db, receipt.tx, receipt.tx_time)]);
    for (const { identity } of ops) {
      beliefs.set(identity, after.get(identity)!);
      touched.set(identity, receipt.tx);
      for (const uid of identity.split(">").filter((part) => !TYPES.includes(part))) known.add(uid);
      expect([told, identity, await daysOf(db, identity)]).toEqual([told, identity, after.get(identity)]);
    }
  }
  // The proposals are of both kinds, and meet every rule that they can.
  expect(counts.written).toBeGreaterThan(PROPOSALS / 8);
  const met = [
    "max_ops",
    "ops",
    "new_entities",
    "grounding",
    "evidence",
    "no_target",
    "types",
    "labels",
    "valid_within",
    "touched",
    "confirm",
  ];
  expect([...counts.refused.keys()].sort()).toEqual(met.sort());
  await db.close();
  rmSync(path, { recursive: true, force: true });
});
