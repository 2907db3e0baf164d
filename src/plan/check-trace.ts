// Checks a trace: its plan is run again at its pin, and every part is compared, value by value, but for times.
import { canonicalJson } from "../contract/canonical.js";
import { type ErrorCode, PalimpsestError } from "../contract/errors.js";
import { readGiven } from "../contract/given.js";
import { isPlainObject, type JsonObject } from "../contract/values.js";
import type { OperatorEngine } from "../operators/engine.js";
import { type Difference, firstDifference, type Place } from "./difference.js";
import { type RunOptions, type TracedRun, tracePlan } from "./run/run.js";
import type { Trace } from "./trace.js";

/** The first place where a trace says something else than a run does. */
export interface TraceDifference {
  /** Null where it is in no step. */
  readonly step: string | null;
  /** The field that differs. */
  readonly field: string;
  readonly message: string;
}

/** What a run may fail of that is no property of its plan and its store. */
const OF_THE_RUN: readonly ErrorCode[] = ["E_CANCELLED", "E_COST", "E_LIMIT", "E_IO", "E_CLOSED", "E_INTERNAL"];

function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return isPlainObject(value) ? "an object" : "no plain object";
  if (typeof value === "symbol" || typeof value === "function") return `a ${typeof value}`;
  const text = canonicalJson(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

const printed = (place: Place): string =>
  place.map((key, i) => (typeof key === "number" ? `[${key}]` : i === 0 ? key : `.${key}`)).join("");

function told({ place, told, ours }: Difference, { steps }: Trace): TraceDifference {
  const [field, position, ofStep] = place;
  const step = field === "steps" && typeof position === "number" ? (steps[position] ?? null) : null;
  const differs = (at: Place) => `${printed(at)} is ${shown(told)} in the trace and ${shown(ours)} in the run`;
  if (step === null || ofStep === undefined) {
    return { step: step?.id ?? null, field: String(field ?? ""), message: differs(place.length > 0 ? place : ["it"]) };
  }
  return { step: step.id, field: String(ofStep), message: `step ${step.id} differs: ${differs(place.slice(2))}` };
}

const isTime = ([field, , ofStep, ...further]: Place): boolean =>
  field === "steps" && ofStep === "ms" && further.length === 0;

const withoutTimes = (trace: Trace): JsonObject =>
  ({ ...trace, steps: trace.steps.map(({ ms: _, ...step }) => step) }) as unknown as JsonObject;

function notATrace(what: string): PalimpsestError {
  return new PalimpsestError("E_SCHEMA", `this is no trace: ${what}`, {
    details: { path: "" },
    hint: "give what palimpsest run printed, as it was printed",
  });
}

interface Claim {
  readonly plan: unknown;
  readonly askTx: number;
}

const isTimeSpent = (ms: unknown): boolean => ms === null || (typeof ms === "number" && ms >= 0);

/** What a trace says that is needed to run it again; E_SCHEMA for what is no trace. */
function claimOf(given: unknown): Claim {
  if (!isPlainObject(given)) throw notATrace("it is no object");
  const { trace_version, steps, ask_pin, plan } = given;
  if (trace_version !== 1) throw notATrace("its trace_version is not 1");
  if (!Array.isArray(steps)) throw notATrace("it has no steps");
  for (const [i, step] of steps.entries()) {
    const ms = typeof step === "object" && step !== null ? (step as { ms?: unknown }).ms : null;
    if (!isTimeSpent(ms)) throw notATrace(`steps[${i}].ms is no time in milliseconds`);
  }
  const tx = typeof ask_pin === "object" && ask_pin !== null ? (ask_pin as { tx?: unknown }).tx : undefined;
  if (typeof tx !== "number" || !Number.isSafeInteger(tx) || tx < 0) throw notATrace("its ask_pin is no pin");
  return { plan, askTx: tx };
}

/** A trace beside the run that it is held against. */
export interface CheckedRun {
  /** Null where the trace is what the run gives. */
  readonly difference: TraceDifference | null;
  /** Null where the plan of the trace cannot be run. */
  readonly run: TracedRun | null;
}

/** Runs the plan of a trace again; E_SCHEMA for what is no trace, and the error of a run that came to no end. */
export async function rerunTrace(
  engine: OperatorEngine,
  given: unknown,
  options: Omit<RunOptions, "askTx" | "results"> = {},
): Promise<CheckedRun> {
  const { plan, askTx } = readGiven("", "the trace", () => claimOf(given));
  if (askTx > engine.headTx()) {
    const message = `the trace was made at tx:${askTx}, and the latest is tx:${engine.headTx()}`;
    return { difference: { step: null, field: "ask_pin", message }, run: null };
  }
  try {
    const run = await tracePlan(engine, plan, { ...options, askTx });
    const { trace, error } = run;
    if (error !== null && OF_THE_RUN.includes(error.code)) throw error;
    const difference = await firstDifference("the trace", given, withoutTimes(trace), isTime);
    return { difference: difference === null ? null : told(difference, trace), run };
  } catch (error) {
    if (!(error instanceof PalimpsestError) || error.code !== "E_PLAN_INVALID") throw error;
    return { difference: { step: null, field: "plan", message: error.message }, run: null };
  }
}

/** Null where the trace is what a run gives. */
export async function checkTrace(
  engine: OperatorEngine,
  given: unknown,
  options: Omit<RunOptions, "askTx" | "results"> = {},
): Promise<TraceDifference | null> {
  return (await rerunTrace(engine, given, options)).difference;
}
