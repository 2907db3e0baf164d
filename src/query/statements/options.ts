// Options of statements: parameters, cancellation, ceilings. Shapes and checks.
import { PalimpsestError } from "../../contract/errors.js";
import { checkLimitOptions } from "../../operators/limit-options.js";
import { checkNames } from "../../store/option-checks.js";

/** Values of parameters: null, booleans, numbers, bigints, strings, instants as for `InstantInput`, lists and objects. */
export type QueryParameters = Readonly<Record<string, unknown>>;

export interface QueryOptions {
  readonly params?: QueryParameters;
  readonly signal?: AbortSignal;
  /** The statement is cancelled this long after it began. */
  readonly deadlineMs?: number;
  /** What may be read at most: `rows` of one table (5,000,000 by default), `steps` of one kernel; else E_COST. */
  readonly ceilings?: { readonly rows?: number; readonly steps?: number };
}

export const QUERY_OPTIONS = ["params", "signal", "deadlineMs", "ceilings"] as const;

function refuse(message: string): never {
  throw new PalimpsestError("E_INVALID_ARG", message, { hint: "see QueryOptions" });
}

export function checkQueryOptions(options: unknown, allowed: readonly string[] = QUERY_OPTIONS): void {
  if (typeof options !== "object" || options === null) refuse("options are an object");
  checkNames(options, allowed, "option");
  const { params } = options as Readonly<Record<string, unknown>>;
  if (params !== undefined && (typeof params !== "object" || params === null || Array.isArray(params))) {
    refuse("params are an object: {name: value}");
  }
  checkLimitOptions(options as object, "QueryOptions");
}
