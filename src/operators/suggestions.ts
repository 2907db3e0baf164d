// Suggestions that several operators offer when a call is too expensive: a shorter window, one type.
// The guard prices each before a caller sees it.
import { formatStride, parseStride, type Stride } from "../contract/duration.js";
import type { WhereArgument, WindowArgument } from "../contract/schemas.js";
import type { JsonObject } from "../contract/values.js";
import { largestWindows } from "./cost-guard.js";
import type { Suggestion } from "./declaration.js";
import type { Extent, Statistics } from "./engine.js";

/** A window has at most 100,000 buckets: a stride so much longer makes one of them all. */
const MOST_STRIDES = 2 ** 17;

type Fits = (patch: JsonObject) => boolean;

/** Share of the edge versions that `where.types` leaves. */
export function typeShare(where: WhereArgument, statistics: Statistics): number {
  if (where.types === null) return 1;
  const shares = statistics.typeShares();
  return where.types.reduce((sum, type) => sum + (shares.get(type) ?? 0), 0);
}

/** Whether everything passes. */
export const isTrivial = (where: WhereArgument): boolean =>
  where.edge.length === 0 && Object.values(where).every((part) => part === null || part === where.edge);

/** The most frequent type that fits on its own. */
export function suggestType(where: WhereArgument, statistics: Statistics, fits: Fits): Suggestion[] {
  const candidates = [...statistics.typeShares().keys()];
  const legal = where.types === null ? candidates : candidates.filter((type) => where.types?.includes(type));
  for (const type of legal.slice(0, 64)) {
    const args_patch = { where: { ...where, types: [type] } } as unknown as JsonObject;
    if (fits(args_patch)) return [{ args_patch, why: `ask for the type ${JSON.stringify(type)} alone` }];
  }
  return [];
}

/** The largest windows that fit, for operators whose window is the argument `window`. */
export function suggestWindow(
  window: WindowArgument | null,
  statistics: Statistics,
  fits: Fits,
  extent: Extent | null = statistics.extent(),
): Suggestion[] {
  return largestWindows(window, extent, (shorter) => ({ window: shorter }) as unknown as JsonObject, fits);
}

/** The shortest multiple of the stride, by powers of two, that fits. */
export function suggestStride(stride: string, fits: Fits): Suggestion[] {
  const step = parseStride(stride, "/stride");
  for (let factor = 2; factor <= MOST_STRIDES; factor *= 2) {
    const longer: Stride =
      step.kind === "exact" ? { ...step, us: step.us * BigInt(factor) } : { ...step, count: step.count * factor };
    const args_patch = { stride: formatStride(longer) };
    if (fits(args_patch)) return [{ args_patch, why: `buckets ${factor} times as long fit` }];
  }
  return [];
}
