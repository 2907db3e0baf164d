// The REPL at a terminal or a pipe: keys into lines, lines into the REPL, one after the other.
// While a statement runs the terminal is in its ordinary mode, so that Ctrl-C is a signal and what is typed waits.
import { createInterface, type Interface } from "node:readline";
import { completer } from "./completion.js";
import { MOST_ENTRIES } from "./history.js";
import type { Repl } from "./repl.js";

type Happening =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "interrupt" }
  | { readonly kind: "end" };

/** Happenings in their order, for a loop that takes them one by one. */
class Waiting {
  private readonly queue: Happening[] = [];
  private wake: (() => void) | null = null;

  add(happening: Happening): void {
    this.queue.push(happening);
    this.wake?.();
  }
  get isEmpty(): boolean {
    return this.queue.length === 0;
  }
  async next(): Promise<Happening> {
    while (this.queue.length === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.queue.shift()!;
  }
}

/** Readline keeps lines; whole statements are wanted: after each line its list is made ours again. */
function keepStatements(lines: Interface, repl: Repl): void {
  lines.on("history", (kept: string[]) => {
    kept.splice(0, kept.length, ...(repl.history?.entries ?? []).toReversed());
  });
}

const CONTROL = { ctrl: true } as const;

class TerminalLoop {
  private readonly waiting = new Waiting();
  private readonly lines: Interface;
  private hasJustInterrupted = false;
  private hasEnded = false;

  constructor(private readonly repl: Repl) {
    const { isTerminal } = repl.screen;
    this.lines = createInterface({
      input: process.stdin,
      terminal: isTerminal,
      historySize: MOST_ENTRIES,
      crlfDelay: Number.POSITIVE_INFINITY,
      tabSize: 4,
      ...(isTerminal
        ? {
            output: process.stdout,
            history: [...(repl.history?.entries ?? [])].reverse(),
            completer: completer(repl),
          }
        : {}),
    });
    keepStatements(this.lines, repl);
    this.lines.on("line", (text) => this.waiting.add({ kind: "line", text }));
    this.lines.on("SIGINT", () => this.waiting.add({ kind: "interrupt" }));
    this.lines.on("close", () => {
      this.hasEnded = true;
      this.waiting.add({ kind: "end" });
    });
  }

  async run(): Promise<void> {
    const { repl, waiting } = this;
    for (;;) {
      if (waiting.isEmpty) this.prompt();
      const happening = await waiting.next();
      if (happening.kind === "end") break;
      if (happening.kind === "interrupt") {
        if (this.interrupted()) break;
        continue;
      }
      this.hasJustInterrupted = false;
      await this.aside(() => repl.feed(happening.text));
      if (repl.isLeaving) break;
    }
    if (!repl.screen.isTerminal && !repl.isLeaving) await this.aside(() => repl.finish());
    this.lines.close();
  }

  private prompt(): void {
    if (!this.repl.screen.isTerminal) return;
    this.lines.setPrompt(this.repl.prompt);
    this.lines.prompt(true);
  }

  /** Ctrl-C at the prompt: clears what is typed; true: it was the second one on an empty line. */
  private interrupted(): boolean {
    const { repl, lines } = this;
    const isEmpty = lines.line === "" && repl.pending === "";
    if (isEmpty && this.hasJustInterrupted) {
      process.stdout.write("\n");
      return true;
    }
    this.hasJustInterrupted = isEmpty;
    lines.write(null as unknown as string, { ...CONTROL, name: "e" });
    lines.write(null as unknown as string, { ...CONTROL, name: "u" });
    repl.forgetPending();
    process.stdout.write(isEmpty ? "\n(Ctrl-C again, Ctrl-D or .quit leaves)\n" : "^C\n");
    return false;
  }

  /** Runs work with the terminal in its ordinary mode; Ctrl-C cancels it, at first kindly. */
  private async aside(work: () => Promise<unknown>): Promise<void> {
    const { repl, lines } = this;
    const cancel = () => {
      // The terminal has written ^C.
      if (repl.screen.isTerminal) process.stdout.write("\n");
      repl.cancel();
    };
    lines.pause();
    if (repl.screen.isTerminal) process.stdin.setRawMode(false);
    process.on("SIGINT", cancel);
    try {
      await work();
    } finally {
      process.off("SIGINT", cancel);
      if (repl.screen.isTerminal && !repl.isLeaving) process.stdin.setRawMode(true);
      if (!this.hasEnded && !repl.isLeaving) lines.resume();
    }
  }
}

export async function runTerminal(repl: Repl): Promise<void> {
  await new TerminalLoop(repl).run();
}
