// What somebody whose call failed is told to do: of a call that was too dear, every smaller one that is known to fit.
import { canonicalJson } from "../contract/canonical.js";
import type { PalimpsestError } from "../contract/errors.js";
import type { Suggestion } from "./declaration.js";

/** A model is shown no longer texts. */
const LONGEST = 512;

/** Suggestions in their order, the best first, as many as one text holds; where none is so short, the hint. */
export function mendOf({ code, hint, details }: PalimpsestError): string {
  if (code !== "E_COST") return hint;
  let mend = "";
  for (const { why, args_patch: patch } of (details.suggestions ?? []) as readonly Suggestion[]) {
    const longer = `${mend}${mend === "" ? "" : "; or "}${why}: ${canonicalJson(patch)}`;
    if ([...longer].length <= LONGEST) mend = longer;
  }
  return mend === "" ? hint : mend;
}
