// How violations are collected: from our own checks and from errors of the contract, sorted at the end.
import type { ErrorCode, PalimpsestError } from "../../contract/errors.js";
import { mendOf } from "../../operators/mend.js";
import type { Violation } from "../plan.js";

interface Place {
  /** Position of the step, or null for what is in no step. */
  readonly position: number | null;
  readonly step: string | null;
  readonly path: string;
}

export interface Finding {
  readonly code: ErrorCode;
  readonly kind: string;
  readonly message: string;
  readonly hint?: string;
}

/** The kind of an error of the contract where it stands for itself. */
const KINDS: Partial<Record<ErrorCode, string>> = {
  E_SCHEMA: "wrong_argument",
  E_INVALID_ARG: "wrong_value",
  E_NOT_FOUND: "not_found",
  E_PERIOD_ORDER: "period_order",
  E_ZONE_MISSING: "zone_missing",
  E_EPOCH_UNIT: "epoch_unit",
  E_AXIS: "wrong_axis",
  E_TX_UNKNOWN: "unknown_commit",
  E_SYNTAX: "syntax",
  E_LIMIT: "limit",
  E_COST: "too_costly",
};

const KINDS_BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/: no such argument$/, "unknown_argument"],
  [/ is missing$/, "missing_argument"],
  [/: there is no column |has no column |has no columns? /, "unknown_column"],
];

export class Violations {
  private readonly found: { readonly place: Place; readonly violation: Violation }[] = [];

  add(place: Place, { code, kind, message, hint = "" }: Finding): void {
    const { step, path } = place;
    this.found.push({ place, violation: { code, kind, step, path, message, hint } });
  }

  /** An error of the contract, whose path is inside the arguments of a step. */
  addError(place: Place, error: PalimpsestError, kind?: string): void {
    const { path, kind: own } = error.details as { path?: unknown; kind?: unknown };
    // Paths of the pin stage and of the known subjects are dotted.
    const inside = typeof path !== "string" || path === "" ? "" : path.startsWith("/") ? path : `/${path}`;
    const named = kind ?? (typeof own === "string" ? own : undefined) ?? kindOf(error);
    const { code, message } = error;
    this.add({ ...place, path: place.path + inside }, { code, kind: named, message, hint: mendOf(error) });
  }

  get isEmpty(): boolean {
    return this.found.length === 0;
  }

  /** By step, then path, code and message; what was found twice stands once. */
  sorted(): Violation[] {
    const last = Number.MAX_SAFE_INTEGER;
    const keyed = this.found.map(({ place, violation }) => {
      const { path, code, kind, message } = violation;
      return { position: place.position ?? last, key: [path, code, kind, message].join("\u0000"), violation };
    });
    keyed.sort((a, b) => a.position - b.position || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    return keyed
      .filter(({ position, key }, i) => i === 0 || key !== keyed[i - 1]!.key || position !== keyed[i - 1]!.position)
      .map(({ violation }) => violation);
  }
}

function kindOf({ code, message }: PalimpsestError): string {
  if (code === "E_SCHEMA" || code === "E_INVALID_ARG") {
    const known = KINDS_BY_MESSAGE.find(([pattern]) => pattern.test(message));
    if (known !== undefined) return known[1];
  }
  return KINDS[code] ?? "refused";
}
