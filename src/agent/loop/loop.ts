// Loop mode: a model calls one operator after the other, sees what each gave, and says at last which cells are the answer.
// The calls are a plan that grows; what comes out is that plan with its run, as in plan mode.
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { PlanAnswer, Violation } from "../../plan/index.js";
import type { Asking } from "../asking.js";
import type { Budget } from "../budget.js";
import { agentViolations } from "../plan-checks.js";
import { CutAnswer } from "../provider/provider.js";
import { attempted, isReentering, type Ran, violationOf } from "../running.js";
import { handleLine, resultLines } from "../shown-result.js";
import type { Limits } from "../types.js";
import { Conversation, type Reply } from "./conversation.js";
import { type Call, GrowingPlan } from "./growing-plan.js";
import { loopPrompt } from "./loop-prompt.js";
import { isTurn, readTurn, type Turn, turnSchema, type Written } from "./turn.js";

/** The same call so often ends the work. */
const MOST_EQUAL_CALLS = 3;
const MOST_SHOWN_VIOLATIONS = 8;

export interface EndedLoop {
  readonly kind: "ended";
  /** E_LIMIT; `details.limit` says what was spent. */
  readonly error: PalimpsestError;
  readonly plan: GrowingPlan;
  /** The last answer that was written; null where none was. */
  readonly written: JsonObject | null;
}

export type Looped =
  | { readonly kind: "ran"; readonly ran: Ran }
  | EndedLoop
  | { readonly kind: "failed"; readonly error: PalimpsestError };

function limitError(limit: "loop_calls" | "tokens" | "repeats", limits: Limits): PalimpsestError {
  const isOfCaller = limit !== "repeats";
  const message = isOfCaller ? `limits.${limit} = ${limits[limit]} is spent` : "the same call came three times";
  const hint = isOfCaller ? `raise limits.${limit}, or ask a smaller question` : "ask in other words";
  return new PalimpsestError("E_LIMIT", message, { details: { limit }, hint });
}

function errorReply(violations: readonly Violation[]): Reply {
  const lines = violations
    .slice(0, MOST_SHOWN_VIOLATIONS)
    .map(({ hint, step: _step, ...violation }): JsonValue => ({ ...violation, legal: hint }));
  const [first] = violations;
  return {
    lead: "That does not hold. What is wrong with it, as data:",
    kind: "errors",
    lines,
    brief: first === undefined ? [] : [{ code: first.code, kind: first.kind }],
  };
}

/** The limit that a prompt or an answer of the model met; every other error is thrown. */
function limitMet(error: unknown, budget: Budget): PalimpsestError {
  if (error instanceof CutAnswer) budget.chargeTurn(error.usage);
  if (error instanceof PalimpsestError && error.code === "E_LIMIT") return error;
  throw error;
}

class Loop {
  private readonly plan: GrowingPlan;
  /** How often each call came. */
  private readonly counts = new Map<string, number>();
  private lastAnswer: JsonObject | null = null;

  private constructor(
    private readonly asking: Asking,
    private readonly talk: Conversation,
    private readonly promptDigest: string,
  ) {
    this.plan = new GrowingPlan(asking);
  }

  static async begin(asking: Asking): Promise<Loop> {
    const { provider, signal } = asking.input;
    const { system, question } = loopPrompt(asking, "Take one step for q.", await provider.room(signal));
    return new Loop(asking, new Conversation(asking.fences, system.text, question), system.digest);
  }

  async run(): Promise<Looped> {
    const { limits } = this.asking.input;
    for (let turn = 1; turn <= limits.loop_calls; turn += 1) {
      if (!this.asking.budget.hasTokens) return this.ended(limitError("tokens", limits));
      const next = await this.next(limits.loop_calls - turn + 1).catch((error: unknown) =>
        limitMet(error, this.asking.budget),
      );
      if (next instanceof PalimpsestError) {
        // Without a step there is nothing to answer with.
        if (this.plan.handles.length === 0) return { kind: "failed", error: next };
        return this.ended(next);
      }
      const { turn: given, tasks, text } = next;
      this.talk.plan(tasks);
      const outcome = await this.taken(given, turn, text);
      if ("lead" in outcome) this.talk.add(text, outcome);
      else return outcome;
    }
    return this.ended(limitError("loop_calls", limits));
  }

  private ended(error: PalimpsestError): Looped {
    return { kind: "ended", error, plan: this.plan, written: this.lastAnswer };
  }

  private repeated(): Looped {
    return this.ended(limitError("repeats", this.asking.input.limits));
  }

  /** Asks the model for one turn, of so many that are left. */
  private async next(left: number): Promise<Written> {
    const { fences, versions, onRetry, budget, input } = this.asking;
    const { provider, signal, guided } = input;
    const close = `Turns left: ${left}.${left === 1 ? " This one finishes." : ""}`;
    const { tokens, tokensOf } = await provider.room(signal);
    const answer = await provider.ask({
      messages: this.talk.messages(close, tokensOf, tokens),
      schema: turnSchema(guided),
      fits: isTurn,
      keyed: (text) => fences.withoutTag(text),
      versions: { ...versions, prompt: this.promptDigest },
      signal,
      onRetry,
    });
    budget.chargeTurn(answer.usage);
    return readTurn(answer);
  }

  /** What the model is told of its turn, or how the loop ends with it. */
  private taken(given: Turn, turn: number, text: string): Promise<Reply | Looped> | Reply | Looped {
    switch (given.kind) {
      case "call":
        return this.called(given.call, turn, text);
      case "finish":
        return this.finished(given.answer, turn, text);
      case "wrong":
        return this.refused(given.violations, turn, text);
    }
  }

  /** Whether something came for the last time that it may. */
  private isSpent(key: string): boolean {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count >= MOST_EQUAL_CALLS;
  }

  private refused(violations: readonly Violation[], turn: number, text: string): Reply | Looped {
    const { asking } = this;
    asking.attempts.push({ plan: { turn: text } as JsonValue, violations });
    asking.tell(
      "violations",
      turn,
      violations.map(({ code, kind, step, path }) => ({ code, kind, step, path })),
    );
    return this.isSpent(text) ? this.repeated() : errorReply(violations);
  }

  private async called(call: Call, turn: number, text: string): Promise<Reply | Looped> {
    const added = await this.plan.add(call);
    if (added.kind === "failed") return added;
    if (added.kind === "wrong") return this.refused(added.violations, turn, text);
    const { step } = added;
    const { id, op, status, rows_total } = step.record;
    if (added.kind === "new") this.asking.tell("step", turn, { id, op, status, rows_total });
    if (this.isSpent(id)) return this.repeated();
    const lead = added.kind === "new" ? `${id}, as data:` : `This call is ${id}. Once more, as data:`;
    return { lead, kind: "rows", lines: resultLines(step), brief: [{ ...handleLine(step), rows: "left out" }] };
  }

  private async finished(answer: JsonObject, turn: number, text: string): Promise<Reply | Looped> {
    const { asking } = this;
    this.lastAnswer = answer;
    const plan = { steps: this.plan.steps, answer: answer as unknown as PlanAnswer };
    const found = asking.verify(plan).violations;
    const violations = found.length > 0 ? found : agentViolations(plan, asking.context, !asking.hasToldUnused);
    asking.hasToldUnused ||= violations.some(({ kind }) => kind === "unused_mention");
    if (violations.length > 0) return this.refused(violations, turn, text);
    const { run, error } = await attempted(asking, plan, this.plan.results);
    if (error === null) return { kind: "ran", ran: { plan, run: run! } };
    return isReentering(error) ? this.refused([violationOf(error)], turn, text) : { kind: "failed", error };
  }
}

/** Lets a model call operators until it names an answer that holds, or a limit is met. */
export async function looped(asking: Asking): Promise<Looped> {
  return (await Loop.begin(asking)).run();
}
