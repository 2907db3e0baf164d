// The greatest prompt that a context holds: candidates from the greatest on, the first that fits.
import { PalimpsestError } from "../contract/errors.js";
import { type Room, textOf } from "./provider/provider.js";
import type { ChatMessage } from "./provider/wire.js";

export interface Fitting {
  readonly messages: readonly ChatMessage[];
}

/** E_LIMIT, and nothing is sent, where not even the last one fits. */
export function firstThatFits<T extends Fitting>(candidates: Iterable<T>, room: Room): T {
  let needed = 0;
  for (const candidate of candidates) {
    needed = room.tokensOf(textOf(candidate.messages));
    if (needed <= room.tokens) return candidate;
  }
  throw new PalimpsestError(
    "E_LIMIT",
    `a prompt of about ${needed} tokens is more than the context has beside an answer`,
    {
      details: { limit: "context", prompt_tokens: needed, room_tokens: Math.max(0, room.tokens) },
      hint: "serve the model with a longer context, or lower model.max_output_tokens",
    },
  );
}
