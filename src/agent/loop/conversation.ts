// What a loop has said and been told, as the messages of its next request: kept within so many tokens, where older results
// are cut to the line of their handle first.
import type { JsonValue } from "../../contract/values.js";
import type { FenceKind, Fences } from "../prompt/fence.js";
import type { ChatMessage } from "../provider/wire.js";

/** Rough tokens of all turns together. */
const MOST_TOKENS = 8_000;

/** What a turn is answered with: a sentence of ours, and data. */
export interface Reply {
  readonly lead: string;
  readonly kind: FenceKind;
  readonly lines: readonly JsonValue[];
  /** What is left of the lines when there is no room for them. */
  readonly brief: readonly JsonValue[];
}

interface Exchange {
  readonly written: string;
  readonly reply: Reply;
}

export class Conversation {
  private readonly exchanges: Exchange[] = [];
  private tasks: readonly string[] = [];

  constructor(
    private readonly fences: Fences,
    private readonly system: string,
    private readonly question: string,
  ) {}

  add(written: string, reply: Reply): void {
    this.exchanges.push({ written: this.fences.aroundAttempt(written), reply });
  }

  /** The list that came first counts. */
  plan(tasks: readonly string[]): void {
    if (this.tasks.length === 0 && this.exchanges.length === 0) this.tasks = tasks;
  }

  /** The messages of the next request; `close` ends the last one. */
  messages(close: string, tokensOf: (text: string) => number, room: number): readonly ChatMessage[] {
    const tasks = this.tasks.length === 0 ? [] : [this.fences.around("tasks", this.tasks)];
    const last = this.exchanges.length - 1;
    const told = (i: number, isWhole: boolean): string => {
      const { lead, kind, lines, brief } = this.exchanges[i]!.reply;
      const end = i === last ? [...tasks, close] : [];
      return [lead, this.fences.around(kind, isWhole ? lines : brief), ...end].join("\n");
    };
    const first = last < 0 ? [this.question, close].join("\n") : this.question;
    const fixed = tokensOf(`${this.system}\n${first}`);
    let left = Math.min(MOST_TOKENS, Math.max(0, room - fixed));
    for (let i = 0; i <= last; i += 1) left -= tokensOf(`${this.exchanges[i]!.written}\n${told(i, false)}`);
    // The newest result is whole whatever it takes; then those before it while there is room.
    const whole = new Set<number>();
    for (let i = last; i >= 0; i -= 1) {
      left -= tokensOf(told(i, true)) - tokensOf(told(i, false));
      if (i < last && left < 0) break;
      whole.add(i);
    }
    return [
      { role: "system", content: this.system },
      { role: "user", content: first },
      ...this.exchanges.flatMap(({ written }, i): ChatMessage[] => [
        { role: "assistant", content: written },
        { role: "user", content: told(i, whole.has(i)) },
      ]),
    ];
  }
}
