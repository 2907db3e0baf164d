// What an ask, or the building of notes, may spend of its model: tokens of everything that is asked, and calls.
import { PalimpsestError } from "../contract/errors.js";
import { addUsage, NO_USAGE, type Usage } from "./provider/usage.js";
import type { Limits } from "./types.js";

export type SpentLimit = "model_calls" | "tokens";

const HINTS: Readonly<Record<SpentLimit, string>> = {
  model_calls: "raise limits.model_calls, or ask a smaller question",
  tokens: "raise limits.tokens, or ask a smaller question",
};

export class Budget {
  private spentUsage: Usage = NO_USAGE;
  private calls = 0;

  constructor(private readonly limits: Pick<Limits, SpentLimit>) {}

  get usage(): Usage {
    return this.spentUsage;
  }

  /** A plan, a report or the words of a note. An answer that a cache gave costs no tokens, and is a call. */
  charge(usage: Usage): void {
    this.calls += Math.max(1, usage.calls);
    this.chargeTurn(usage);
  }

  /** A turn of a loop: loops count their turns themselves. */
  chargeTurn(usage: Usage): void {
    this.spentUsage = addUsage(this.spentUsage, usage);
  }

  get hasTokens(): boolean {
    return this.spentUsage.prompt_tokens + this.spentUsage.completion_tokens < this.limits.tokens;
  }

  /** The limit that lets the model be asked for no more of these; null where it may be. */
  get spent(): SpentLimit | null {
    if (this.calls >= this.limits.model_calls) return "model_calls";
    return this.hasTokens ? null : "tokens";
  }
}

/** E_LIMIT, for an ask that ended before it had an answer. */
export function spentError(limit: SpentLimit, limits: Limits): PalimpsestError {
  return new PalimpsestError("E_LIMIT", `limits.${limit} = ${limits[limit]} is spent, and no plan has an answer`, {
    details: { limit },
    hint: HINTS[limit],
  });
}
