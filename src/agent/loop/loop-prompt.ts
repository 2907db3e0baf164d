// What a loop begins with: as much of its system text and of the question's message as the context holds beside the turns.
import { firstThatFits } from "../fitting.js";
import { type QuestionContent, questionText } from "../planner-messages.js";
import { JSON_EXAMPLES } from "../prompt/json-examples.js";
import { loopSystem } from "../prompt/loop-system.js";
import { operatorsFor } from "../prompt/operator-search.js";
import { promptSizes, SMALL_ROOM_TOKENS } from "../prompt/planner-sizes.js";
import type { SystemPrompt } from "../prompt/system-prompt.js";
import type { Room } from "../provider/provider.js";
import type { ChatMessage } from "../provider/wire.js";

/** Of the room, what is left for the turns. */
const TURNS_SHARE = 0.25;

interface LoopPrompt {
  readonly system: SystemPrompt;
  readonly question: string;
  readonly messages: readonly ChatMessage[];
}

function* candidates(content: QuestionContent, task: string, isSmall: boolean): Generator<LoopPrompt> {
  const operators = operatorsFor(content.context.question, JSON_EXAMPLES);
  for (const size of promptSizes({ examples: 1, notes: content.notes.length, operators }, isSmall)) {
    const chosen = size.operators === null ? null : new Set(size.operators);
    const system = loopSystem({ operators: chosen, hasExample: size.examples > 0 });
    const question = questionText(content, task, size);
    const messages: ChatMessage[] = [
      { role: "system", content: system.text },
      { role: "user", content: question },
    ];
    yield { system, question, messages };
  }
}

/** E_LIMIT where not even the least of it fits. */
export function loopPrompt(content: QuestionContent, task: string, room: Room): LoopPrompt {
  const tokens = Math.floor(room.tokens * (1 - TURNS_SHARE));
  return firstThatFits(candidates(content, task, room.tokens < SMALL_ROOM_TOKENS), { ...room, tokens });
}
