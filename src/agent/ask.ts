// One question from its first word to its answer: the state machine that alone knows all the parts.
import type { PalimpsestError } from "../contract/errors.js";
import { formatInstant } from "../contract/instant.js";
import type { JsonValue } from "../contract/values.js";
import { type Worded, withDigest, wordAnswer } from "./answer.js";
import { type AskInput, Asking } from "./asking.js";
import { Evidence, type StoredResult } from "./claims/evidence.js";
import { partsOf, stepOf } from "./claims/relevance.js";
import { StoreQuestions } from "./claims/store-questions.js";
import { assumptionsOf, unusedMentions } from "./plan-checks.js";
import { planned } from "./plan-mode.js";
import { REPORTER_SYSTEM } from "./prompt/reporter-system.js";
import { plannerSystem } from "./prompt/systems.js";
import { report } from "./report.js";
import type { Ran } from "./running.js";
import type { AgentAnswer, AnswerStatus, AskResult } from "./types.js";

/** What the claims stand on: the trace, and the payloads by their digests. */
function evidenceOf({ input, mentions }: Asking, { run }: Ran): Evidence {
  const results = Array.from(run.answers.values(), ({ envelope, type }): [string, StoredResult] => [
    envelope.result_digest,
    { envelope, type },
  ]);
  const questions = new StoreQuestions(input.state.engine, input.state.catalogue, input.signal);
  const subjects = mentions.map(({ id, uid }) => ({ id, uid: uid ?? null }));
  return new Evidence(run.trace, new Map(results), questions, subjects);
}

async function answered(asking: Asking, ran: Ran): Promise<AskResult> {
  const { plan, run } = ran;
  const { budget, fences, mentions, names, versions, onRetry } = asking;
  const { signal, provider, limits, medium, question } = asking.input;
  const evidence = evidenceOf(asking, ran);
  const parts = partsOf(run.trace.plan.answer);
  const isCut = ({ from }: { from: string }): boolean => evidence.step(stepOf(from) ?? "")?.record.complete !== true;
  const { shown, blocked, stoppedBy } = await report({
    provider,
    fences,
    question,
    mentions,
    evidence,
    parts,
    mostClaims: limits.claims,
    mostCharacters: limits.text_chars,
    versions,
    signal,
    onRetry,
    knownNames: (texts) => names.known(texts),
    isCut,
    budget,
    onVerdicts: (attempt, verdicts) => asking.tell("verdicts", attempt, verdicts as unknown as JsonValue),
  });
  const rendering = { medium, names, membersShown: limits.members_shown };
  const worded = await wordAnswer({ evidence, parts, shown, blocked, mentions, rendering });
  const answer = await finished(asking, shown.status, worded, {
    plan,
    trace_digest: run.trace.trace_digest,
    assumptions: assumptionsOf(plan, mentions),
    notices: [
      ...unusedMentions(plan, mentions).map(({ id }) => `ignored: ${id}`),
      ...(stoppedBy === null ? [] : [`limit: ${stoppedBy}`]),
    ],
  });
  asking.tell("answer", 0, { status: answer.status });
  return { answer, trace: run.trace };
}

function failed(asking: Asking, error: PalimpsestError): Promise<AgentAnswer> {
  const worded: Worded = {
    text: `Could not be shown: no plan held (${error.code}).`,
    parts: [],
    claims: [],
    blocked: [],
    evidence: [],
    could_not: [{ part: 0, code: error.code, why: error.message }],
  };
  return finished(asking, "failed", worded, { plan: null, trace_digest: null, assumptions: [], notices: [] });
}

async function finished(
  { input, attempts, budget }: Asking,
  status: AnswerStatus,
  worded: Worded,
  more: Pick<AgentAnswer, "plan" | "trace_digest" | "assumptions" | "notices">,
): Promise<AgentAnswer> {
  const { state, askTx, provider, signal } = input;
  const { model } = await provider.model(signal);
  const tx_time = askTx === 0 ? null : formatInstant(state.engine.txTimeUs(askTx));
  return withDigest({
    answer_version: 1,
    status,
    ...worded,
    ...more,
    pin: { tx: askTx, tx_time },
    attempts,
    model: {
      name: model,
      rung: await provider.capability(signal),
      prompt_versions: [plannerSystem().version, REPORTER_SYSTEM.version],
    },
    usage: budget.usage,
  });
}

/** Answers one question at a commit. */
export async function ask(input: AskInput): Promise<AskResult> {
  const asking = await Asking.begin(input);
  const outcome = await planned(asking);
  if (outcome.kind === "ran") return answered(asking, outcome.ran);
  const { error } = outcome;
  if (error.code === "E_CANCELLED" || error.code === "E_MODEL") throw error;
  return { answer: await failed(asking, error), trace: null };
}
