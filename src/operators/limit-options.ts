// The options that say when work gives up, alike for calls, plans and statements: shapes and checks.
// Knows nothing of what the options are given to.
import { PalimpsestError } from "../contract/errors.js";
import { checkNames } from "../store/option-checks.js";

export interface LimitOptions {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly ceilings?: { readonly rows?: number; readonly steps?: number };
}

const isNumberFrom = (value: unknown, least: number): boolean => typeof value === "number" && value >= least;

/** E_INVALID_ARG for what is no such option; `type` names the type that a hint sends to. */
export function checkLimitOptions(options: object, type: string): void {
  const refusal = (message: string) => new PalimpsestError("E_INVALID_ARG", message, { hint: `see ${type}` });
  const { signal, deadlineMs, ceilings } = options as Readonly<Record<keyof LimitOptions, unknown>>;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw refusal("signal is an AbortSignal");
  if (deadlineMs !== undefined && !isNumberFrom(deadlineMs, 0)) throw refusal("deadlineMs is a number from 0");
  if (ceilings === undefined) return;
  if (typeof ceilings !== "object" || ceilings === null) throw refusal("ceilings are an object");
  checkNames(ceilings, ["rows", "steps"], "ceiling");
  for (const [name, value] of Object.entries(ceilings)) {
    if (value !== undefined && !isNumberFrom(value, 0)) throw refusal(`the ceiling ${name} is a number from 0`);
  }
}
