// A store on disk with an answer to propose on, and its log as bytes: ada, bo and cy are people, ada and bo know each other,
// and bo owes cy.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, type WriteGrounds, type WritePolicy, type WriteProposal } from "../../../src/agent/index.js";
import { PalimpsestError } from "../../../src/contract/errors.js";
import { type Database, open } from "../../../src/index.js";

export const PLAN = {
  steps: [
    { id: "s1", op: "scan", args: { of: "edges" } },
    { id: "s2", op: "entity_history", args: { uid: "cy" } },
  ],
  answer: { kind: "count", from: "s1.rows_total", also: [{ kind: "count", from: "s2.rows_total" }] },
};
/** Rows by src, type, dst: ada KNOWS bo, bo OWES cy. */
export const CLAIMS = [
  { id: "c1", type: "value", cell: "s1.rows[0].src", value: "ada" },
  { id: "c2", type: "value", cell: "s1.rows[1].src", value: "bo" },
  { id: "c3", type: "value", cell: "s1.rows[1].src", value: "ada" },
  { id: "c4", type: "count", cell: "s2.rows_total", value: 1 },
];

export const POLICY: WritePolicy = {
  ops: ["assert_node", "assert_edge", "retract", "correct"],
  types: ["KNOWS", "OWES"],
  labels: ["Person", "Friend"],
  new_entities: false,
  min_verdict: "supported",
  source: "test",
};
export const EDGE = { src: "ada", type: "KNOWS", dst: "bo", key: "" };
export const RETRACT = { op: "retract", ref: EDGE, valid_from: "2020-06-01" };

export interface Written {
  readonly db: Database;
  readonly grounds: WriteGrounds;
  proposal(change?: Partial<WriteProposal>): WriteProposal;
  propose(change?: Partial<WriteProposal>, policy?: Partial<WritePolicy>, grounds?: WriteGrounds): ReturnType<Write>;
  /** The rule that refused; fails where nothing did, or where the log changed. */
  ruleOf(change?: Partial<WriteProposal>, policy?: Partial<WritePolicy>, grounds?: WriteGrounds): Promise<string>;
  log(): string;
  close(): Promise<void>;
}
type Write = ReturnType<typeof createAgent>["write"];

/** A digest of every byte of the log. */
export function logOf(path: string): string {
  const folder = join(path, "log");
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

export async function errorOf(work: Promise<unknown>): Promise<PalimpsestError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PalimpsestError) return error;
  throw error ?? new Error("nothing was refused");
}

const PERSON = { op: "assert_node", labels: ["Person"], valid_from: "2020-01-01" } as const;

export async function writtenStore(): Promise<Written> {
  const path = mkdtempSync(join(tmpdir(), "palimpsest-writes-"));
  const db = await open(path);
  await db.write([
    { ...PERSON, uid: "ada", props: { name: "Ada" } },
    { ...PERSON, uid: "bo" },
    { ...PERSON, uid: "cy" },
    { op: "assert_edge", ...EDGE, props: { since: 1 }, valid_from: "2020-01-01" },
    { op: "assert_edge", src: "bo", type: "OWES", dst: "cy", valid_from: "2020-01-01", valid_to: "2021-01-01" },
  ]);
  const trace = await db.run(PLAN);
  const grounds = { trace, claims: CLAIMS, question: "Does ada still know bo, or dan?" };
  const agent = createAgent(db);
  const proposal = (change: Partial<WriteProposal> = {}): WriteProposal => ({
    ops: [RETRACT],
    reason: "they fell out",
    because: ["c1"],
    trace_digest: trace.trace_digest,
    ...change,
  });
  const propose: Written["propose"] = (change, policy = {}, other = grounds) =>
    agent.write(proposal(change), { policy: { ...POLICY, ...policy }, grounds: other });
  return {
    db,
    grounds,
    proposal,
    propose,
    async ruleOf(change, policy, other) {
      const before = logOf(path);
      const error = await errorOf(propose(change, policy, other));
      if (!["E_INVALID_ARG", "E_STATE"].includes(error.code)) throw error;
      if (error.hint === "" || logOf(path) !== before) throw new Error(`${error.message}: no hint, or the log changed`);
      return error.details.rule as string;
    },
    log: () => logOf(path),
    async close() {
      await db.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}
