// What callers of the agent give and get.
import type { EnvelopePin } from "../contract/envelope.js";
import type { JsonValue } from "../contract/values.js";
import type { AnswerKind, Plan, Trace } from "../plan/index.js";
import type { AnswerError } from "./answer-error.js";
import type { Claim, Reason, Verdict } from "./claims/claim.js";
import type { Coverage } from "./coverage.js";
import type { WrittenViolation } from "./fronts/front.js";
import type { Rung } from "./provider/config.js";
import type { Usage } from "./provider/usage.js";

export type MentionKind = "uid" | "name" | "instant" | "window" | "zone" | "duration" | "number" | "quoted";

/** What code found in a question. */
export interface Mention {
  readonly id: `q${number}`;
  readonly kind: MentionKind;
  readonly text: string;
  /** UTF-16 units of the question, the end excluded. */
  readonly span: readonly [number, number];
  /** Of a uid, or of a name that one entity has. */
  readonly uid?: string;
  /** An instant, `{from, to}`, the IANA name of a zone (else its offset), a duration, a number, `tx:N` of a commit. */
  readonly value?: JsonValue;
}

export interface Limits {
  readonly steps: number;
  readonly repairs: number;
  /** Plans and reports that the model is asked for. */
  readonly model_calls: number;
  /** Turns of a loop. */
  readonly loop_calls: number;
  /** Tokens of prompts and answers, over all calls of an ask. */
  readonly tokens: number;
  readonly wall_ms: number;
  readonly rows_held: number;
  readonly claims: number;
  readonly text_chars: number;
  readonly members_shown: number;
}

export const DEFAULT_LIMITS: Limits = {
  steps: 12,
  repairs: 3,
  model_calls: 12,
  loop_calls: 16,
  tokens: 60_000,
  wall_ms: 120_000,
  rows_held: 50_000,
  claims: 16,
  text_chars: 1_200,
  members_shown: 20,
};

/** How an ask finds its results: by whole plans, by one call after the other, or by plans and then by calls. */
export const MODES = ["plan", "loop", "auto"] as const;
export type Mode = (typeof MODES)[number];

export type AnswerStatus = "answered" | "partial" | "abstained" | "failed";

export interface AnsweredPart {
  readonly kind: AnswerKind;
  readonly from: string;
  /** Only where its claim is shown. */
  readonly value?: JsonValue;
  readonly complete: boolean;
  readonly claim?: string;
  readonly verdict?: Verdict["verdict"];
}

export type ShownClaim = Claim & { readonly verdict: Verdict["verdict"]; readonly reasons: readonly Reason[] };

export interface AgentAnswer {
  readonly answer_version: 1;
  readonly status: AnswerStatus;
  /** Of a failed answer alone: why there is none. */
  readonly error?: AnswerError;
  readonly text: string;
  readonly parts: readonly AnsweredPart[];
  readonly claims: readonly ShownClaim[];
  readonly evidence: readonly string[];
  /** For auditors; in no text. */
  readonly blocked: readonly ShownClaim[];
  readonly could_not: readonly { readonly part: number; readonly code: string; readonly why: string }[];
  /** Instants, numbers and zones of the plan that the question does not name, and how its own times were read where it leaves that open. */
  readonly assumptions: readonly string[];
  readonly notices: readonly string[];
  readonly pin: EnvelopePin;
  /** What the store holds there, whatever was asked. */
  readonly coverage: Coverage;
  readonly plan: Plan | null;
  readonly trace_digest: string | null;
  readonly attempts: readonly {
    /** As the model wrote it, without its thoughts. */
    readonly plan: JsonValue;
    readonly violations: readonly WrittenViolation[];
    readonly error?: { readonly code: string; readonly message: string };
  }[];
  /** `rung`: how the server keeps to schemas; null where nothing was sent to it. */
  readonly model: {
    readonly name: string;
    readonly rung: Rung | null;
    readonly prompt_versions: readonly string[];
  };
  readonly usage: Usage;
  /** Over all but usage and attempts. */
  readonly answer_digest: string;
}

/** How an ask goes on. No text of the model is in it. */
export interface AgentEvent {
  readonly at:
    | "mentions"
    | "card"
    | "notes"
    | "plan"
    | "violations"
    | "step"
    | "report"
    | "verdicts"
    | "answer"
    | "retry";
  readonly attempt: number;
  readonly detail: JsonValue;
}

/** An answer with what it was made from. */
export interface AskResult {
  readonly answer: AgentAnswer;
  readonly trace: Trace | null;
  /** What the question names, which claims may be about. */
  readonly mentions: readonly Mention[];
}
