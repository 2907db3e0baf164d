// The answer of an ask with what every answer has: its commit, what the store holds there, the model and what it cost.
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import { type Worded, withDigest } from "./answer.js";
import { answerError } from "./answer-error.js";
import type { Asking } from "./asking.js";
import { type Coverage, coverageOf } from "./coverage.js";
import { loopSystem } from "./prompt/loop-system.js";
import { REPORTER_SYSTEM } from "./prompt/reporter-system.js";
import { FRONTS } from "./prompt/systems.js";
import type { AgentAnswer, AnswerStatus } from "./types.js";

/** Told where the caller wants the grammar and the server does not keep to it. */
const NO_GRAMMAR = "guided: shape, as the server keeps to no grammar";

/** What of an ask is told in every answer. */
export type Told = Pick<Asking, "input" | "attempts" | "budget" | "front" | "hasLooped">;

/** Turns of a loop are calls: only plans are statements. */
const asksByGrammar = ({ front, input }: Told): boolean => front.schema?.grammar !== undefined && input.mode !== "loop";

/** Of a store that failed nothing is said where it fails again. */
function coverageOr(status: AnswerStatus, coverage: () => Coverage): Coverage {
  try {
    return coverage();
  } catch (error) {
    if (status !== "failed" || !(error instanceof PalimpsestError)) throw error;
    return { valid: null, tx: null };
  }
}

export async function finished(
  asking: Told,
  status: AnswerStatus,
  worded: Worded,
  more: Pick<AgentAnswer, "plan" | "trace_digest" | "assumptions" | "notices" | "error">,
): Promise<AgentAnswer> {
  const { input, attempts, budget, front, hasLooped } = asking;
  const { state, askTx, provider, signal } = input;
  const { model } = await provider.model(signal);
  const tx_time = askTx === 0 ? null : formatInstant(state.engine.txTimeUs(askTx));
  const isInShape = asksByGrammar(asking) && provider.knownToKeepGrammars === false;
  return withDigest({
    answer_version: 1,
    status,
    ...worded,
    ...more,
    notices: [...more.notices, ...(isInShape ? [NO_GRAMMAR] : []), ...provider.notices],
    pin: { tx: askTx, tx_time },
    coverage: coverageOr(status, () => coverageOf(state, askTx)),
    attempts,
    model: {
      name: model,
      rung: provider.knownCapability,
      prompt_versions: [
        ...(input.mode === "loop" ? [] : [FRONTS[front.name].version]),
        ...(hasLooped ? [loopSystem().version] : []),
        REPORTER_SYSTEM.version,
      ],
    },
    usage: budget.usage,
  });
}

/** That of an ask that has no results to show. */
export function unanswered(
  asking: Told,
  status: "failed" | "abstained",
  text: string,
  error: PalimpsestError,
): Promise<AgentAnswer> {
  const worded: Worded = {
    text,
    parts: [],
    claims: [],
    blocked: [],
    evidence: [],
    could_not: [{ part: 0, code: error.code, why: error.message }],
  };
  return finished(asking, status, worded, {
    plan: null,
    trace_digest: null,
    assumptions: [],
    notices: [],
    ...(status === "failed" ? { error: answerError(error) } : {}),
  });
}
