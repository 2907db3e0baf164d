// The cost guard: refuses a call whose estimate passes a ceiling, with suggestions that are true for this call.
// Estimates are units of logical counts; `ms` is advice and decides nothing.
import { canonicalJson } from "../contract/canonical.js";
import { PalimpsestError } from "../contract/errors.js";
import { formatInstant, LAST_INSTANT_US } from "../contract/instant.js";
import { parseInstant, parseValidTo } from "../contract/parse-instant.js";
import type { WindowArgument } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import type { Estimate, OperatorDeclaration, Suggestion } from "./declaration.js";
import type { Extent, Statistics, WindowUs } from "./engine.js";

export interface Ceilings {
  readonly rows: number;
  readonly steps: number;
}

export const DEFAULT_CEILINGS: Ceilings = { rows: 2_000_000_000, steps: 2_000_000_000 };

// Printing a row took about 1.5 µs and a kernel step about 10 ns on the two-core machine of the benchmarks.
const MS_PER_ROW = 0.0015;
const MS_PER_STEP = 0.00001;

/** A patch of more characters is not repeated in the hint: it stands in the details. */
const LONGEST_SHOWN_PATCH = 300;

/** What a suggestion says to a person. */
function hintOf({ why, args_patch }: Suggestion): string {
  const patch = canonicalJson(args_patch);
  return patch.length > LONGEST_SHOWN_PATCH ? `${why} (details.suggestions has it)` : `${why}: ${patch}`;
}

const fits = (estimate: Estimate, ceiling: Ceilings): boolean =>
  estimate.rows <= ceiling.rows && estimate.steps <= ceiling.steps;

const withMs = (estimate: Estimate) => ({
  rows: estimate.rows,
  steps: estimate.steps,
  ms: Math.ceil(estimate.rows * MS_PER_ROW + estimate.steps * MS_PER_STEP),
});

/** Canonical form of arguments that a suggestion was merged into; throws where the patch does not go together. */
export type Reread = (args: JsonObject) => JsonObject;

/** The estimate at the pin; E_COST when it is over a ceiling. An operator that reads no store asks for no counts. */
export function guardCost(
  declaration: OperatorDeclaration,
  args: JsonObject,
  counts: Statistics | null,
  ceiling: Ceilings,
  reread: Reread,
): Estimate {
  const statistics = counts as Statistics;
  const estimate = declaration.cost(args, statistics);
  if (fits(estimate, ceiling)) return estimate;
  const price = (patch: JsonObject): Estimate => declaration.cost(reread({ ...args, ...patch }), statistics);
  const patchFits = (patch: JsonObject): boolean => {
    try {
      return fits(price(patch), ceiling);
    } catch (error) {
      // A patch that does not go together with the other arguments is no suggestion.
      if (error instanceof PalimpsestError) return false;
      throw error;
    }
  };
  const suggestions = declaration
    .suggest(args, statistics, patchFits)
    .filter((suggestion) => patchFits(suggestion.args_patch))
    .map(({ args_patch, why }) => ({ args_patch, why, estimate: withMs(price(args_patch)) }));
  const best = suggestions[0];
  const unit = estimate.steps > ceiling.steps ? "steps" : "rows";
  throw new PalimpsestError(
    "E_COST",
    `${declaration.name} would take about ${estimate[unit]} ${unit}, more than the ceiling of ${ceiling[unit]}`,
    {
      details: { at: "estimate", estimate: withMs(estimate), ceiling, suggestions },
      hint:
        best !== undefined
          ? hintOf(best)
          : `no suggestion brings the number of ${unit} under the ceiling; narrow the question by hand, or raise the ceiling`,
    },
  );
}

/** A window argument in microseconds; a resolved end may be the end of the calendar. */
export function windowUs(window: WindowArgument | null): WindowUs {
  const from = window?.from ?? null;
  const to = window?.to ?? null;
  return {
    fromUs: from === null ? null : parseInstant(from, "window"),
    toUs: to === null ? null : parseValidTo(to, "window"),
  };
}

/** The greatest of [low, high] that is fine, where `low` is and fineness never comes back. */
export function greatest(low: bigint, high: bigint, isFine: (value: bigint) => boolean): bigint {
  let [fine, most] = [low, high];
  while (fine < most) {
    const middle = fine + (most - fine + 1n) / 2n;
    if (isFine(middle)) fine = middle;
    else most = middle - 1n;
  }
  return fine;
}

/**
 * The longest windows inside the given one for which `patchOf` fits, with its beginning and with its end, the longer one
 * first; none where even 1 µs does not. Costs never fall when a window grows, so halving finds them.
 */
export function largestWindows(
  window: WindowArgument | null,
  extent: Extent | null,
  patchOf: (window: WindowArgument) => JsonObject,
  patchFits: (patch: JsonObject) => boolean,
): Suggestion[] {
  if (extent === null) return [];
  const given = windowUs(window);
  // The end of the calendar may end an extent, but is no argument.
  const within = (us: bigint): bigint => (us > LAST_INSTANT_US ? LAST_INSTANT_US : us);
  const fromUs = given.fromUs ?? extent.fromUs;
  const found: { readonly lengthUs: bigint; readonly suggestion: Suggestion }[] = [];

  const lastToUs = within(given.toUs ?? extent.toUs);
  const patchTo = (toUs: bigint): JsonObject => patchOf({ from: formatInstant(fromUs), to: formatInstant(toUs) });
  const fitsTo = (toUs: bigint): boolean => patchFits(patchTo(toUs));
  if (fromUs < lastToUs && fitsTo(fromUs + 1n)) {
    const toUs = greatest(fromUs + 1n, lastToUs, fitsTo);
    const why = "this is the largest window from its beginning that fits";
    found.push({ lengthUs: toUs - fromUs, suggestion: { args_patch: patchTo(toUs), why } });
  }

  const endUs = within(given.toUs ?? extent.lastEndUs);
  const patchFrom = (us: bigint): JsonObject => patchOf({ from: formatInstant(us), to: window?.to ?? null });
  const fitsBefore = (lengthUs: bigint): boolean => patchFits(patchFrom(endUs - lengthUs));
  if (fromUs < endUs && fitsBefore(1n)) {
    const lengthUs = greatest(1n, endUs - fromUs, fitsBefore);
    const why = "this is the largest window up to its end that fits";
    found.push({ lengthUs, suggestion: { args_patch: patchFrom(endUs - lengthUs), why } });
  }
  return found.sort((a, b) => Number(b.lengthUs - a.lengthUs)).map(({ suggestion }) => suggestion);
}
