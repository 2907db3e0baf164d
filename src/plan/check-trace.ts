// Checks a trace: its plan is run again at its pin, and every part is compared, byte by byte, but for times.
import { canonicalJson } from "../contract/canonical.js";
import { PalimpsestError } from "../contract/errors.js";
import type { JsonObject, JsonValue } from "../contract/values.js";
import type { OperatorEngine } from "../operators/engine.js";
import { type RunOptions, tracePlan } from "./run/run.js";
import type { Trace } from "./trace.js";

/** The first place where a trace says something else than a run does. */
export interface TraceDifference {
  /** Null where it is in no step. */
  readonly step: string | null;
  /** The field that differs. */
  readonly field: string;
  readonly message: string;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Fields may have the names of what every object has. */
const ownValue = (object: JsonObject, field: string): JsonValue | undefined =>
  Object.hasOwn(object, field) ? object[field] : undefined;

function shown(value: JsonValue | undefined): string {
  const text = value === undefined ? "nothing" : canonicalJson(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function differing(
  step: string | null,
  given: JsonObject,
  found: JsonObject,
  ignored: readonly string[] = [],
): TraceDifference | null {
  const fields = [...Object.keys(found), ...Object.keys(given).filter((key) => !Object.hasOwn(found, key))];
  for (const field of fields) {
    if (ignored.includes(field)) continue;
    const [told, now] = [ownValue(given, field), ownValue(found, field)];
    if (canonicalJson(told ?? null) === canonicalJson(now ?? null) && (told === undefined) === (now === undefined)) {
      continue;
    }
    const where = step === null ? "" : `step ${step} differs: `;
    return { step, field, message: `${where}${field} is ${shown(told)} in the trace and ${shown(now)} in the run` };
  }
  return null;
}

function compare(given: JsonObject, found: Trace): TraceDifference | null {
  const plain = found as unknown as JsonObject;
  const steps = given.steps as JsonValue[];
  for (const [i, step] of found.steps.entries()) {
    const told = steps[i];
    if (!isObject(told)) {
      return { step: step.id, field: "steps", message: `step ${step.id} differs: the trace does not have it` };
    }
    const difference = differing(step.id, told, step as unknown as JsonObject, ["ms"]);
    if (difference !== null) return difference;
  }
  if (steps.length > found.steps.length) {
    return {
      step: null,
      field: "steps",
      message: `the trace has ${steps.length} steps, its plan ${found.steps.length}`,
    };
  }
  return differing(null, given, plain, ["steps"]);
}

function notATrace(what: string): PalimpsestError {
  return new PalimpsestError("E_SCHEMA", `this is no trace: ${what}`, {
    details: { path: "" },
    hint: "give what palimpsest run printed, as it was printed",
  });
}

/** Null where the trace is what a run gives; E_SCHEMA for what is no trace. */
export async function checkTrace(
  engine: OperatorEngine,
  given: unknown,
  options: Omit<RunOptions, "askTx" | "results"> = {},
): Promise<TraceDifference | null> {
  if (!isObject(given)) throw notATrace("it is no object");
  if (given.trace_version !== 1) throw notATrace("its trace_version is not 1");
  if (!Array.isArray(given.steps)) throw notATrace("it has no steps");
  const pin = given.ask_pin;
  const askTx = isObject(pin) ? pin.tx : undefined;
  if (!Number.isSafeInteger(askTx) || (askTx as number) < 0) throw notATrace("its ask_pin is no pin");
  if ((askTx as number) > engine.headTx()) {
    const message = `the trace was made at tx:${askTx as number}, and the latest is tx:${engine.headTx()}`;
    return { step: null, field: "ask_pin", message };
  }
  try {
    const { trace } = await tracePlan(engine, given.plan, { ...options, askTx: askTx as number });
    return compare(given, trace);
  } catch (error) {
    if (!(error instanceof PalimpsestError) || error.code !== "E_PLAN_INVALID") throw error;
    return { step: null, field: "plan", message: error.message };
  }
}
