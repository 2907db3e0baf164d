// The REPL without its terminal: lines in, answers out. Gathers lines into statements, runs them in one session.
// Read-only or not is the store's affair; where lines come from and where text goes is in surroundings.ts.
import type { JsonValue } from "../../contract/values.js";
import { errorLines, type Source } from "../error-text.js";
import { asTyped } from "../exit.js";
import { answerJson, answerLines, isRowFormat, printRows, type TextStyle } from "../formats/print-answer.js";
import { plural } from "../output.js";
import { type ScriptStatement, splitScript } from "../script/split.js";
import type { Answer, StatementOptions } from "../session.js";
import type { Sink } from "../sink.js";
import { statusLine } from "../status-line.js";
import { explainPrefix } from "./explain.js";
import type { History } from "./history.js";
import { initialSettings } from "./settings.js";
import type { OpenAnother, OpenStore, ReplScreen } from "./surroundings.js";

const PROMPT = "tql";
const CONTINUED = "  -> ";
/** What people type to get out or to get help, and no statement begins with. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(["exit", "quit", "help", "?", "\\q"]);

/** Runs a line that begins with a dot. */
export type RunCommand = (repl: Repl, line: string, signal: AbortSignal) => Promise<void>;

export class Repl {
  readonly settings = initialSettings();
  readonly params = new Map<string, JsonValue>();
  /** The plan of the last statement that had one. */
  lastPlan: unknown = null;
  isLeaving = false;
  /** Whether a statement or command has failed: the exit code of a REPL that is fed by a pipe. */
  hasFailed = false;
  /** Files being read by `.read`, the outermost first. */
  readonly reading: string[] = [];
  output: { readonly sink: Sink; readonly path: string } | null = null;
  private buffer = "";
  /** Whether what is typed is more than blanks and comments. */
  private hasContent = false;
  private typed = "";
  private running: AbortController | null = null;

  constructor(
    public store: OpenStore,
    readonly openAnother: OpenAnother,
    readonly screen: ReplScreen,
    readonly history: History | null,
    private readonly runCommand: RunCommand,
  ) {}

  get prompt(): string {
    if (this.buffer !== "") return CONTINUED;
    const { pin } = this.store.session.state();
    return pin === null ? `${PROMPT}> ` : `${PROMPT} ${pin}> `;
  }

  /** What was typed of a statement that is not ended yet. */
  get pending(): string {
    return this.buffer;
  }

  forgetPending(): void {
    this.buffer = "";
    this.hasContent = false;
    this.typed = "";
  }

  /** Cancels what runs; false when nothing does. */
  cancel(): boolean {
    this.running?.abort();
    return this.running !== null;
  }

  /** One line, without its line end. False when it, or a statement that it ends, failed. */
  async feed(line: string): Promise<boolean> {
    if (this.buffer === "") {
      const word = line.trim();
      if (word.startsWith(".")) {
        this.history?.add(line);
        return await this.attempt(null, (signal) => this.runCommand(this, word, signal));
      }
      if (PLAIN_WORDS.has(word.toLowerCase().replace(/;$/, ""))) {
        this.screen.complain(".help explains, .quit leaves");
        return true;
      }
    }
    this.typed += `${line}\n`;
    this.buffer += `${line}\n`;
    // Only a ; ends a statement: looking for its end in every line again would be quadratic.
    if (this.hasContent && !line.includes(";")) return true;
    return await this.runEnded();
  }

  /** The end of what is fed by a pipe or a file: there the last `;` may be left out. */
  async finish(): Promise<boolean> {
    const text = this.buffer;
    this.forgetPending();
    const { rest } = splitScript(text);
    return rest === null ? true : await this.runStatement(rest, text);
  }

  private async runEnded(): Promise<boolean> {
    const text = this.buffer;
    const { statements, rest, open } = splitScript(text);
    this.buffer = rest?.text ?? "";
    this.hasContent = rest !== null && open !== "/*";
    if (this.buffer === "") {
      if (this.reading.length === 0) this.history?.add(this.typed);
      this.typed = "";
    }
    for (const statement of statements) {
      if (!(await this.runStatement(statement, text))) {
        // What follows a failure on the same line may rest on it.
        this.forgetPending();
        return false;
      }
    }
    return true;
  }

  private async runStatement(statement: ScriptStatement, text: string): Promise<boolean> {
    const { line, column } = statement;
    const source = { text, line, column };
    const { explain } = this.settings;
    const prefix = explain === null ? null : explainPrefix(statement.text, explain);
    if (prefix !== null) {
      const before = { ...source, column: column - prefix.length };
      if (!(await this.attempt(before, (signal) => this.answer(prefix + statement.text, signal)))) return false;
    }
    return await this.attempt(source, (signal) => this.answer(statement.text, signal));
  }

  /** Runs work that Ctrl-C cancels; shows its error. */
  private async attempt(source: Source | null, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    // A command such as .read runs statements: the innermost is the one that Ctrl-C means.
    const outer = this.running;
    const controller = new AbortController();
    outer?.signal.addEventListener("abort", () => controller.abort(), { once: true });
    this.running = controller;
    try {
      await work(controller.signal);
      return true;
    } catch (error) {
      this.hasFailed = true;
      if (controller.signal.aborted) outer?.abort();
      this.screen.complain(errorLines(asTyped(error), this.screen.colours, source).join("\n"));
      return false;
    } finally {
      this.running = outer;
    }
  }

  get style(): TextStyle {
    const { screen, settings, output } = this;
    const own = screen.isTerminal && output === null ? screen.width() : null;
    return { width: settings.width ?? own, colours: screen.colours };
  }

  private async answer(text: string, signal: AbortSignal): Promise<void> {
    const options = { params: Object.fromEntries(this.params), signal };
    const { format } = this.settings;
    const started = performance.now();
    if (isRowFormat(format)) {
      await this.streamRows(text, format, options, started);
      return;
    }
    const answer = await this.store.session.query(text, options);
    const tookMs = performance.now() - started;
    if (answer.plan !== undefined && answer.plan !== null) this.lastPlan = answer.plan;
    if (format === "json") await this.show(answerJson(answer), null);
    else await this.showLines(answer, format, tookMs);
  }

  private async showLines(answer: Answer, format: "table" | "chart", tookMs: number): Promise<void> {
    const { lines, remark } = answerLines(answer, format, this.style);
    const status = statusLine(answer, { tookMs: this.settings.timer ? tookMs : undefined });
    const below = [...(remark === null ? [] : [remark]), ...(status === "" ? [] : [status])];
    await this.show(lines.map((line) => `${line}\n`).join(""), below.join("\n"));
  }

  private async streamRows(
    text: string,
    format: "jsonl" | "csv",
    options: StatementOptions,
    started: number,
  ): Promise<void> {
    const { columns, rows } = await this.store.session.stream(text, options);
    let count = 0;
    async function* counted() {
      for await (const row of rows) {
        count += 1;
        yield row;
      }
    }
    const write = this.output === null ? this.screen.write : this.output.sink.write;
    await printRows({ columns, rows: counted() }, format, write);
    if (this.output === null) return;
    const took = this.settings.timer ? ` · ${Math.round(performance.now() - started)} ms` : "";
    this.remark(`${plural(count, "row")}${took} · to ${this.output.path}`);
  }

  /** Text for people or for the file of `.output`; what stands below it is always for people. */
  async show(text: string, below: string | null = null): Promise<void> {
    const { screen, output } = this;
    const grey = below === null || below === "" ? "" : `${screen.colours.gray(below)}\n`;
    if (output !== null) {
      await output.sink.write(text);
      if (grey !== "") screen.complain(grey.trimEnd());
      return;
    }
    if (!screen.isTerminal) {
      await screen.write(text);
      if (grey !== "") screen.complain(grey.trimEnd());
      return;
    }
    const whole = text + grey;
    const lineCount = whole.split("\n").length;
    if (this.settings.pager && lineCount > screen.height() && (await screen.page(whole))) {
      // The pager takes its screen away again: what was read is still told.
      await screen.write(grey);
      return;
    }
    await screen.write(whole);
  }

  readonly remark = (text: string): void => {
    this.screen.complain(this.screen.colours.gray(text));
  };

  async leave(): Promise<void> {
    await this.output?.sink.keep();
    this.output = null;
    await this.store.close();
  }
}
