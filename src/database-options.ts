// The options of a database and of its calls: what they are, and what is wrong with them alone.
// What they do is the database's.
import { PalimpsestError } from "./contract/errors.js";
import { checkLimitOptions } from "./operators/limit-options.js";
import { checkNames } from "./store/option-checks.js";
import type { StoreOptions } from "./store/types.js";

export interface OpenOptions extends StoreOptions {
  /** Worker threads of this process's engine, 1 to 64; the first store that names a number decides for all. */
  readonly threads?: number;
  /** Calls are cancelled this long after they began, unless they say otherwise. */
  readonly deadlineMs?: number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  /** What an estimate may be at most, else E_COST. */
  readonly ceilings?: { readonly rows?: number; readonly steps?: number };
}

export interface VerifyOptions {
  /** The names of entities that the caller stands for; left out: entities may be named freely. */
  readonly identifiers?: Iterable<string>;
}

export interface RunOptions extends CallOptions, VerifyOptions {
  /** Told after each step how many of how many are done. */
  readonly onStep?: (done: number, of: number) => void;
}

const MOST_THREADS = 64;

/** The names that a plan may name; null: it may name any. E_INVALID_ARG for what is no list of texts. */
export function identifiersOf(options: VerifyOptions): ReadonlySet<string> | null {
  const { identifiers } = options;
  if (identifiers === undefined) return null;
  const refuse = (): never => {
    throw new PalimpsestError("E_INVALID_ARG", "identifiers are a list of texts", { hint: 'give ["a", "b"]' });
  };
  if (typeof identifiers === "string") return refuse();
  const names = new Set<string>();
  for (const name of identifiers) names.add(typeof name === "string" ? name : refuse());
  return names;
}

/** E_INVALID_ARG or E_SCHEMA for options that mean nothing, as for each of the checks below. */
export function checkRunOptions(options: RunOptions): void {
  const { identifiers: _, onStep, ...call } = options;
  checkCallOptions(call);
  if (onStep === undefined || typeof onStep === "function") return;
  throw new PalimpsestError("E_INVALID_ARG", "onStep is a function", { hint: "see RunOptions" });
}

export function checkCallOptions(options: CallOptions): void {
  if (typeof options !== "object" || options === null) {
    throw new PalimpsestError("E_INVALID_ARG", "options are an object", { hint: "see CallOptions" });
  }
  checkNames(options, ["signal", "deadlineMs", "ceilings"], "option");
  checkLimitOptions(options, "CallOptions");
}

export function checkOpenOptions(path: unknown, options: OpenOptions): void {
  const refuse = (what: string): never => {
    throw new PalimpsestError("E_INVALID_ARG", what, { hint: "see OpenOptions" });
  };
  if (typeof path !== "string" || path === "" || path.includes("\0")) refuse("a store's path is a text without NUL");
  if (typeof options !== "object" || options === null) refuse("options are an object");
  checkNames(options, ["readOnly", "durability", "threads", "memoryLimitBytes", "deadlineMs"], "option");
  if (options.readOnly !== undefined && typeof options.readOnly !== "boolean") refuse("readOnly is true or false");
  const { durability, threads, memoryLimitBytes, deadlineMs } = options;
  if (durability !== undefined && !["full", "interval", "none"].includes(durability)) {
    refuse(`durability ${String(durability)} is none of full, interval, none`);
  }
  for (const [name, value] of Object.entries({ threads, memoryLimitBytes, deadlineMs })) {
    if (value !== undefined && !(typeof value === "number" && value > 0)) refuse(`${name} is a number above 0`);
  }
  if (threads !== undefined && !(Number.isInteger(threads) && threads <= MOST_THREADS)) {
    refuse(`threads is a whole number from 1 to ${MOST_THREADS}`);
  }
}
