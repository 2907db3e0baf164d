// What every native operator is given and gives back, and the stop token of a call.
import type { JsonObject } from "../../contract/values.js";
import { addon, type StopToken } from "../../native/addon.js";
import type { NativeView } from "../../native/store.js";
import type { CallLimits, RunAnswer, RunContext } from "../engine.js";

/** Runs one operator on a view that is read as of the later of the call's two pins; `view.at(tx)` gives another. */
export type NativeRun = (view: NativeView, args: JsonObject, context: RunContext) => RunAnswer | Promise<RunAnswer>;

/** Calls `run` with a token that the call's signal, deadline and ceilings drive. */
export function withStop<T>(limits: CallLimits, run: (stop: StopToken) => T | Promise<T>): T | Promise<T> {
  const { signal, deadlineMs, stepCeiling, memoryBytes = null, onSteps } = limits;
  const leftMs = deadlineMs === Number.POSITIVE_INFINITY ? null : Math.max(0, deadlineMs - performance.now());
  const stop = addon.createStop(leftMs, stepCeiling, memoryBytes);
  const cancel = (): void => stop.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  const done = (): void => {
    signal?.removeEventListener("abort", cancel);
    onSteps?.(stop.countedSteps);
  };
  let answer: T | Promise<T>;
  try {
    answer = run(stop);
  } catch (error) {
    done();
    throw error;
  }
  if (answer instanceof Promise) return answer.finally(done);
  done();
  return answer;
}
