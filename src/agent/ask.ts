// One question from its first word to its answer: the state machine that alone knows all the parts.

import { type ErrorCode, PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import { registryVersion } from "../operators/registry.js";
import { type Plan, type TracedRun, tracePlan, type Violation, verifyPlan, withStore } from "../plan/index.js";
import type { ReadableState } from "../query/index.js";
import { type Worded, withDigest, wordAnswer } from "./answer.js";
import { Evidence, type StoredResult } from "./claims/evidence.js";
import { partsOf, stepOf } from "./claims/relevance.js";
import { StoreQuestions } from "./claims/store-questions.js";
import { mentionsOf } from "./mentions.js";
import { assumptionsOf, type PlanContext, unusedMentions } from "./plan-checks.js";
import { askForPlan, type Setback } from "./planner.js";
import { cardLines } from "./prompt/card.js";
import { Fences } from "./prompt/fence.js";
import { plannerSystem, REPORTER_SYSTEM } from "./prompt/systems.js";
import { addUsage, NO_USAGE, type Provider, type Usage } from "./provider/provider.js";
import { report } from "./report.js";
import { StoreNames } from "./store-names.js";
import type { AgentAnswer, AgentEvent, AnswerStatus, AskResult, Limits, Mention } from "./types.js";
import type { Medium } from "./words/media.js";

export interface AskInput {
  readonly state: ReadableState;
  readonly provider: Provider;
  readonly question: string;
  readonly askTx: number;
  readonly entities: readonly string[];
  readonly zone: string;
  readonly nameProps: readonly string[];
  readonly medium: Medium;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
}

/** Errors of a run that another plan may mend. */
const REENTERING: readonly ErrorCode[] = [
  "E_SCHEMA",
  "E_INVALID_ARG",
  "E_NOT_FOUND",
  "E_COST",
  "E_LIMIT",
  "E_PERIOD_ORDER",
  "E_ZONE_MISSING",
  "E_EPOCH_UNIT",
  "E_AXIS",
  "E_TX_UNKNOWN",
  "E_SYNTAX",
  "E_GROUNDING",
  "E_PLAN_INVALID",
  "E_UPSTREAM",
];

type Attempt = AgentAnswer["attempts"][number];

interface Ran {
  readonly plan: Plan;
  readonly run: TracedRun;
}

/** The error of a run as a violation, so that the next plan knows of it. */
function violationOf(error: PalimpsestError): Violation {
  const { code, message, hint, details } = error;
  const step = typeof details.step === "string" ? details.step : null;
  return { code, kind: "run_error", step, path: step === null ? "" : `/steps/${step}`, message, hint };
}

class Asking {
  private usage: Usage = NO_USAGE;
  private calls = 0;
  private readonly attempts: Attempt[] = [];
  private readonly fences = Fences.fresh();
  private readonly context: PlanContext;

  private constructor(
    private readonly input: AskInput,
    private readonly names: StoreNames,
    private readonly mentions: readonly Mention[],
  ) {
    const { state, question, askTx, entities } = input;
    const askTimeUs = askTx === 0 ? null : state.engine.txTimeUs(askTx);
    this.context = { question, mentions, entities, askTx, askTimeUs };
    this.tell("mentions", 0, mentions as unknown as JsonValue);
  }

  static async begin(input: AskInput): Promise<Asking> {
    const { state, question, askTx, entities, zone, nameProps } = input;
    const names = new StoreNames(state.engine, askTx, nameProps);
    return new Asking(input, names, await mentionsOf(question, names, { zone, entities }));
  }

  private tell(at: AgentEvent["at"], attempt: number, detail: JsonValue): void {
    this.input.onEvent({ at, attempt, detail });
  }

  private readonly onRetry = (attempt: number, kind: string): void => this.tell("retry", attempt, { kind });

  /** Every uid that the question or the caller names. */
  private identifiers(): ReadonlySet<string> {
    return new Set([...this.mentions.flatMap(({ uid }) => uid ?? []), ...this.input.entities]);
  }

  private verify(plan: unknown) {
    const { state, askTx } = this.input;
    const identifiers = this.identifiers();
    return withStore(state.engine, askTx, {}, (store) => verifyPlan(plan, { identifiers, store }));
  }

  private versions(): JsonObject {
    return { registry: registryVersion() };
  }

  /** Asks for plans and runs them until one holds; null where the repairs are spent. */
  async plan(): Promise<Ran | PalimpsestError> {
    const { provider, state, askTx, limits, signal } = this.input;
    const card = cardLines(state.engine, state.catalogue, askTx);
    this.tell("card", 0, card.length);
    let last: Setback | null = null;
    let lastDigest: string | null = null;
    let hasToldUnused = false;
    let failure = new PalimpsestError("E_PLAN_INVALID", "the model wrote no plan that holds", {
      hint: "ask in other words",
    });
    for (let attempt = 1; attempt <= limits.repairs + 1 && this.calls < limits.model_calls; attempt += 1) {
      const { draft, answer } = await askForPlan(
        {
          provider,
          fences: this.fences,
          card,
          context: this.context,
          mostSteps: limits.steps,
          verify: (plan) => this.verify(plan),
          versions: this.versions(),
          signal,
          onRetry: this.onRetry,
        },
        last,
        !hasToldUnused,
      );
      this.calls += Math.max(1, answer.usage.calls);
      this.usage = addUsage(this.usage, answer.usage);
      let violations: readonly Violation[];
      let succeeded: readonly JsonObject[] = [];
      if (draft.kind === "plan") {
        this.tell("plan", attempt, draft.plan as unknown as JsonValue);
        const ran = await this.run(draft.plan, attempt);
        if (!(ran instanceof PalimpsestError)) return ran;
        failure = ran;
        if (!REENTERING.includes(ran.code)) return ran;
        violations =
          ran.code === "E_PLAN_INVALID" ? (ran.details.violations as readonly Violation[]) : [violationOf(ran)];
        succeeded = (ran.details.steps ?? []) as readonly JsonObject[];
      } else {
        violations = draft.violations;
        hasToldUnused ||= violations.some(({ kind }) => kind === "unused_mention");
        this.attempts.push({ plan: draft.plan, violations });
        failure = new PalimpsestError("E_PLAN_INVALID", "the model wrote no plan that holds", {
          details: { violations },
          hint: "ask in other words, or name what is meant by its id",
        });
      }
      this.tell(
        "violations",
        attempt,
        violations.map(({ code, kind, step, path }) => ({ code, kind, step, path })),
      );
      // The same again is no repair.
      if (lastDigest === draft.written) break;
      lastDigest = draft.written;
      last = { written: draft.written, violations, left: limits.repairs - attempt, attempt, succeeded };
    }
    return failure;
  }

  private async run(plan: Plan, attempt: number): Promise<Ran | PalimpsestError> {
    const { state, askTx, limits, signal } = this.input;
    try {
      const run = await tracePlan(state.engine, plan, {
        askTx,
        signal,
        mostRows: limits.rows_held,
        identifiers: this.identifiers(),
        looksIntoStore: true,
      });
      for (const { id, op, status, rows_total } of run.trace.steps)
        this.tell("step", attempt, { id, op, status, rows_total });
      const { error } = run;
      this.attempts.push({
        plan: plan as unknown as JsonValue,
        violations: [],
        ...(error === null ? {} : { error: { code: error.code, message: error.message } }),
      });
      return error ?? { plan, run };
    } catch (error) {
      if (!(error instanceof PalimpsestError)) throw error;
      this.attempts.push({
        plan: plan as unknown as JsonValue,
        violations: [],
        error: { code: error.code, message: error.message },
      });
      return error;
    }
  }

  async answer(): Promise<AskResult> {
    const ran = await this.plan();
    if (ran instanceof PalimpsestError) {
      if (ran.code === "E_CANCELLED" || ran.code === "E_MODEL") throw ran;
      return { answer: await this.failed(ran), trace: null };
    }
    const { plan, run } = ran;
    const { state, signal, provider, limits, medium, question } = this.input;
    // What the claims stand on: the payloads by their digests.
    const results = Array.from(run.answers.values(), ({ envelope, type }): [string, StoredResult] => [
      envelope.result_digest,
      { envelope, type },
    ]);
    const questions = new StoreQuestions(state.engine, state.catalogue, signal);
    const subjects = this.mentions.map(({ id, uid }) => ({ id, uid: uid ?? null }));
    const evidence = new Evidence(run.trace, new Map(results), questions, subjects);
    const parts = partsOf(run.trace.plan.answer);
    const isCut = ({ from }: { from: string }): boolean => evidence.step(stepOf(from) ?? "")?.record.complete !== true;
    const { shown, blocked, usage } = await report({
      provider,
      fences: this.fences,
      question,
      mentions: this.mentions,
      evidence,
      parts,
      mostClaims: limits.claims,
      mostCharacters: limits.text_chars,
      versions: this.versions(),
      signal,
      onRetry: this.onRetry,
      knownNames: (texts) => this.names.known(texts),
      isCut,
      mostCalls: Math.max(0, limits.model_calls - this.calls),
      onVerdicts: (attempt, verdicts) => this.tell("verdicts", attempt, verdicts as unknown as JsonValue),
    });
    this.usage = addUsage(this.usage, usage);
    const rendering = { medium, names: this.names, membersShown: limits.members_shown };
    await this.names.load(evidence);
    const worded = await wordAnswer({ evidence, parts, shown, blocked, mentions: this.mentions, rendering });
    const ignored = unusedMentions(plan, this.mentions).map(({ id }) => `ignored: ${id}`);
    const assumptions = assumptionsOf(plan, this.mentions);
    const answer = await this.finished(shown.status, worded, {
      plan,
      trace_digest: run.trace.trace_digest,
      assumptions,
      notices: ignored,
    });
    this.tell("answer", 0, { status: answer.status });
    return { answer, trace: run.trace };
  }

  private failed(error: PalimpsestError): Promise<AgentAnswer> {
    const text = `Could not be shown: no plan held (${error.code}).`;
    const worded: Worded = {
      text,
      parts: [],
      claims: [],
      blocked: [],
      evidence: [],
      could_not: [{ part: 0, code: error.code, why: error.message }],
    };
    return this.finished("failed", worded, { plan: null, trace_digest: null, assumptions: [], notices: [] });
  }

  private async finished(
    status: AnswerStatus,
    worded: Worded,
    more: Pick<AgentAnswer, "plan" | "trace_digest" | "assumptions" | "notices">,
  ): Promise<AgentAnswer> {
    const { state, askTx, provider, signal } = this.input;
    const { model } = await provider.model(signal);
    const tx_time = askTx === 0 ? null : formatInstant(state.engine.txTimeUs(askTx));
    return withDigest({
      answer_version: 1,
      status,
      ...worded,
      ...more,
      pin: { tx: askTx, tx_time },
      attempts: this.attempts,
      model: {
        name: model,
        rung: await provider.capability(signal),
        prompt_versions: [plannerSystem().version, REPORTER_SYSTEM.version],
      },
      usage: this.usage,
    });
  }
}

/** Answers one question at a commit. */
export async function ask(input: AskInput): Promise<AskResult> {
  return (await Asking.begin(input)).answer();
}
