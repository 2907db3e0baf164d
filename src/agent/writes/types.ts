// What callers of a write give and get: the policy, the proposal, what it would do, and the receipt.
import type { JsonObject } from "../../contract/values.js";
import type { Trace } from "../../plan/index.js";
import type { Mention } from "../types.js";

/** Operations that a policy may allow; bulk events and erasures are never among them. */
export const PROPOSABLE = ["assert_node", "assert_edge", "retract", "correct"] as const;
export type ProposableOp = (typeof PROPOSABLE)[number];

/** What may be written, and in whose name. The caller's own; no model sees it or changes it. */
export interface WritePolicy {
  readonly ops: readonly ProposableOp[];
  /** Types of the edges that operations name. */
  readonly types: readonly string[];
  /** Labels of every node version that would close or appear. */
  readonly labels: readonly string[];
  /** Whether a uid may be new, where the question names it. */
  readonly new_entities: boolean;
  /** Default: 20. */
  readonly max_ops?: number;
  /** Batches on one trace, by whomever they were written. Default: 1. */
  readonly max_batches?: number;
  /** Every operation is for valid time within it; null is an open end. */
  readonly valid_within?: { readonly from: string | null; readonly to: string | null };
  readonly min_verdict: "supported";
  /** Sees what would be written; anything but true refuses. */
  readonly confirm?: (dry: DryRun) => Promise<boolean> | boolean;
  /** `source` of everything that is written. */
  readonly source: string;
}

export interface WriteProposal {
  /** As `db.write` takes them, without source, provenance_ref and reason. */
  readonly ops: readonly unknown[];
  /** Cut at 200 characters when it is written. */
  readonly reason: string;
  /** Ids of claims of the answer. */
  readonly because: readonly string[];
  readonly trace_digest: string;
}

/** What a proposal stands on: the trace that it names, the claims over it, and what was asked. */
export interface WriteGrounds {
  readonly trace: Pick<Trace, "plan" | "ask_pin" | "trace_digest">;
  readonly claims: readonly unknown[];
  readonly mentions?: readonly Pick<Mention, "id" | "uid">[];
  /** Names new entities; left out, none is named. */
  readonly question?: string;
}

export interface DryVersion {
  readonly valid_from: string;
  /** Null: open. */
  readonly valid_to: string | null;
  /** Of nodes. */
  readonly labels?: readonly string[];
  readonly props: JsonObject;
}

export interface DryOp {
  readonly op: ProposableOp;
  readonly ref: JsonObject;
  readonly valid_from: string;
  readonly valid_to: string | null;
  /** Versions of earlier commits that it would close, and those that it would leave behind. */
  readonly closes: readonly DryVersion[];
  readonly creates: readonly DryVersion[];
}

/** What a proposal would do to the store as it is at a commit. */
export interface DryRun {
  readonly tx: number;
  readonly ops: readonly DryOp[];
  readonly closed: number;
  readonly created: number;
  /** All of it in lines for people, with the reason and the source; texts of the store are escaped. */
  readonly text: string;
  /** Over `tx` and `ops`. */
  readonly digest: string;
}

export interface WriteReceipt {
  readonly tx: number;
  readonly tx_time: string;
  readonly ops: number;
  readonly closed: number;
  readonly created: number;
  readonly dry_run_digest: string;
  readonly trace_digest: string;
}
