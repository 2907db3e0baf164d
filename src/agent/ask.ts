// One question from its first word to its answer: the state machine that alone knows all the parts.
import { type ErrorCode, PalimpsestError } from "../contract/errors.js";
import type { JsonValue } from "../contract/values.js";
import { type Worded, wordAnswer } from "./answer.js";
import { type AskInput, Asking } from "./asking.js";
import { Budget } from "./budget.js";
import { partsOf } from "./claims/relevance.js";
import { finished, type Told, unanswered } from "./finished.js";
import { frontOf } from "./fronts/fronts.js";
import { type EndedLoop, looped } from "./loop/loop.js";
import { type DroppedPart, salvaged } from "./loop/salvage.js";
import { assumptionsOf } from "./plan-assumptions.js";
import { unusedMentions } from "./plan-checks.js";
import { planned } from "./plan-mode.js";
import { printedLists } from "./printed-lists.js";
import { mechanicalReport, type Reported, report } from "./report.js";
import type { Ran } from "./running.js";
import { evidenceOfRun } from "./trace-evidence.js";
import type { AskResult } from "./types.js";
import { shownText } from "./words/media.js";

type Outcome = Pick<AskResult, "answer" | "trace">;

/** Who words an answer: the model, else code; code alone where a loop was ended. */
type Words = "model" | "code";

async function answered(
  asking: Asking,
  ran: Ran,
  words: Words,
  { notices, dropped }: { readonly notices: readonly string[]; readonly dropped: readonly DroppedPart[] },
): Promise<Outcome> {
  const { plan, run } = ran;
  const { budget, fences, mentions, named, names, versions, onRetry } = asking;
  const { state, signal, provider, limits, medium, question } = asking.input;
  const subjects = mentions.map(({ id, uid }) => ({ id, uid: uid ?? null }));
  const evidence = evidenceOfRun(state, run, { signal, mentions: subjects });
  const parts = partsOf(run.trace.plan.answer);
  const lists = await printedLists(evidence, parts);
  const byModel = () =>
    report({
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
      lists,
      budget,
      onReport: (attempt, claimCount) => asking.tell("report", attempt, { claims: claimCount }),
      onVerdicts: (attempt, verdicts) => asking.tell("verdicts", attempt, verdicts as unknown as JsonValue),
    });
  const byCode = async (): Promise<Reported> => {
    const shown = await mechanicalReport(evidence, parts, lists);
    return { shown, blocked: shown.blocked, stoppedBy: null, refusedFor: [] };
  };
  const { shown, blocked, stoppedBy, refusedFor } = await (words === "model" ? byModel() : byCode());
  const rendering = { medium, names, membersShown: limits.members_shown, zone: named.zone?.zone ?? null };
  const worded = await wordAnswer({ evidence, parts, lists, shown, blocked, mentions, rendering });
  const status = shown.status === "answered" && dropped.length > 0 ? "partial" : shown.status;
  const answer = await finished(asking, status, withDropped(worded, dropped), {
    plan,
    trace_digest: run.trace.trace_digest,
    // A plan is a model's: its texts may hold what a terminal obeys.
    assumptions: [...named.assumed, ...assumptionsOf(plan, mentions, asking.input.zone)].map((assumption) =>
      shownText(assumption, rendering.medium),
    ),
    notices: [
      ...unusedMentions(plan, mentions).map(({ id }) => `ignored: ${id}`),
      ...notices,
      ...(stoppedBy === null ? [] : [`limit: ${stoppedBy}`]),
      ...(refusedFor.length === 0 ? [] : [`words: code (${refusedFor.join(", ")})`]),
      ...asking.notices,
    ],
  });
  asking.tell("answer", 0, { status: answer.status });
  return { answer, trace: run.trace };
}

/** The answer with a word on the parts that an ended loop left unanswered. */
function withDropped(worded: Worded, dropped: readonly DroppedPart[]): Worded {
  if (dropped.length === 0) return worded;
  const could_not = dropped.map(({ code, why }, i) => ({ part: worded.parts.length + i, code, why }));
  const lines = dropped.map(({ kind, why }) => `Could not be shown: ${kind}. ${why}.`);
  return {
    ...worded,
    text: [worded.text, ...lines].filter((text) => text !== "").join("\n"),
    could_not: [...worded.could_not, ...could_not],
  };
}

/** An ask without an answer. */
async function failed(asking: Told, error: PalimpsestError, why = "no plan held"): Promise<Outcome> {
  const text = `Could not be shown: ${why} (${error.code}).`;
  return { answer: await unanswered(asking, "failed", text, error), trace: null };
}

/** A loop that was ended before it named an answer that holds: what its steps give is worded by code, else nothing is said. */
async function ofEndedLoop(asking: Asking, ended: EndedLoop, ofPlans: PalimpsestError | null): Promise<Outcome> {
  const { plan, written, error } = ended;
  const rest = await salvaged(asking, plan, written);
  if (rest !== null) {
    return answered(asking, rest.ran, "code", { notices: [`limit: ${error.details.limit}`], dropped: rest.dropped });
  }
  if (plan.handles.length === 0) return failed(asking, ofPlans ?? error);
  const tried = plan.handles.map(({ id, record }) => `${id} ${record.op}`).join(", ");
  const text = `Could not be shown: ${error.message}. Tried: ${tried}.`;
  return { answer: await unanswered(asking, "abstained", text, error), trace: null };
}

/** What an ask throws: that it was stopped, that the model's server failed, or that it is not known which model is meant. */
const THROWN: readonly ErrorCode[] = ["E_CANCELLED", "E_MODEL", "E_INVALID_ARG"];

function thrownOrFailed(asking: Asking, error: PalimpsestError): Promise<Outcome> {
  if (error.code === "E_CANCELLED" || error.code === "E_MODEL") throw error;
  return failed(asking, error);
}

/** No prompt fits into the context of the model, not even the least. */
function unfit(error: unknown): { readonly kind: "failed"; readonly error: PalimpsestError } {
  if (error instanceof PalimpsestError && error.code === "E_LIMIT") return { kind: "failed", error };
  throw error;
}

async function outcomeOf(asking: Asking): Promise<Outcome> {
  const { mode } = asking.input;
  const asModel = (ran: Ran) => answered(asking, ran, "model", { notices: [], dropped: [] });
  let ofPlans: PalimpsestError | null = null;
  if (mode !== "loop") {
    const outcome = await planned(asking).catch((error: unknown) => ({ ...unfit(error), isMendable: true }));
    if (outcome.kind === "ran") return asModel(outcome.ran);
    ofPlans = outcome.error;
    const goesOn = mode === "auto" && outcome.isMendable;
    if (!goesOn) return thrownOrFailed(asking, ofPlans);
  }
  asking.hasLooped = true;
  const outcome = await looped(asking).catch(unfit);
  if (outcome.kind === "ran") return asModel(outcome.ran);
  if (outcome.kind === "ended") return ofEndedLoop(asking, outcome, ofPlans);
  // Where no turn fits either, what was wrong with the plans says more.
  return thrownOrFailed(asking, outcome.error.code === "E_LIMIT" ? (ofPlans ?? outcome.error) : outcome.error);
}

/** A store that fails is told in the answer, wherever it does: while names are looked up as much as in a step. */
async function storeFailed(asking: Told, error: unknown): Promise<Outcome> {
  if (!(error instanceof PalimpsestError) || THROWN.includes(error.code)) throw error;
  return failed(asking, error, "the store failed");
}

/** What is told of an ask that never began. */
const notBegun = (input: AskInput): Told => ({
  input,
  attempts: [],
  budget: new Budget(input.limits),
  front: frontOf({ ...input, mostSteps: input.limits.steps }),
  hasLooped: false,
});

/** Answers one question at a commit. */
export async function ask(input: AskInput): Promise<AskResult> {
  let asking: Asking;
  try {
    asking = await Asking.begin(input);
  } catch (error) {
    return { ...(await storeFailed(notBegun(input), error)), mentions: [] };
  }
  const outcome = await outcomeOf(asking).catch((error: unknown) => storeFailed(asking, error));
  return { ...outcome, mentions: asking.mentions };
}
