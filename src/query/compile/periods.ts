// Points and periods of one axis of time, as clauses and defaults mean them, and their forms in arguments and answers.
// Which period a source has is decided in times.ts.
import { formatInstant, OPEN_END_US } from "../../contract/instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";

/** A point of time: microseconds (the open end is OPEN_END_US), or a reference into an earlier step. */
export type Point = { readonly us: bigint } | { readonly ref: string };

export const isRef = (point: Point): point is { readonly ref: string } => "ref" in point;

export interface Stretch {
  readonly kind: "window";
  readonly form: "from_to" | "only" | "between" | "contained_in";
  readonly from: Point;
  /** Of BETWEEN the last instant that is in, else the first that is out. */
  readonly to: Point;
}
export type ValidPeriod = { readonly kind: "all" } | { readonly kind: "at"; readonly at: Point } | Stretch;
export type TransactionPeriod =
  | ValidPeriod
  | { readonly kind: "latest" }
  | { readonly kind: "tx"; readonly tx: number };

/** Null where nothing was said. */
export interface TimeDefaults {
  readonly valid: ValidPeriod | null;
  readonly transaction: TransactionPeriod | null;
}
export const NO_DEFAULTS: TimeDefaults = { valid: null, transaction: null };

export const pointText = (us: bigint): string | null => (us === OPEN_END_US ? null : formatInstant(us));

const pointValue = (point: Point): JsonValue => (isRef(point) ? { $ref: point.ref } : pointText(point.us));

/** `{from, to}` of a window argument; BETWEEN takes its end along. */
export function windowValue({ form, from, to }: Stretch): JsonObject {
  const end = form === "between" && !isRef(to) && to.us !== OPEN_END_US ? { us: to.us + 1n } : to;
  return { from: pointValue(from), to: pointValue(end) };
}

export const instantValue = (point: Point): JsonValue => pointValue(point);

/** What an answer says of the valid time that a source was read for. */
export function shownValid(period: ValidPeriod): JsonValue {
  if (period.kind === "all") return "all";
  return period.kind === "at" ? { at: pointValue(period.at) } : windowValue(period);
}

export function shownTransaction(period: TransactionPeriod): JsonValue {
  switch (period.kind) {
    case "latest":
      return "latest";
    case "tx":
      return `tx:${period.tx}`;
    default:
      return shownValid(period);
  }
}
