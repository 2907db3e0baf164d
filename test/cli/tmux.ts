// A real terminal for tests: a program in a tmux session of its own, keys sent to it, its screen read back.
// Waits for what should appear, never for a time.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const HAS_TMUX = spawnSync("tmux", ["-V"]).status === 0;
if (!HAS_TMUX) console.log("skipped: tmux is not installed, so the REPL is not tried in a terminal");

const PATIENCE_MS = 20_000;
const BETWEEN_LOOKS_MS = 20;

export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export class Terminal {
  private readonly folder = mkdtempSync(join(tmpdir(), "palimpsest-tmux-"));

  /** Starts the command; its folder and environment are those given. */
  constructor(
    command: readonly string[],
    environment: Readonly<Record<string, string>>,
    cwd: string,
    size: TerminalSize = { width: 100, height: 24 },
  ) {
    const words = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`);
    // The shell around it lives through a Ctrl-C that is meant for the program.
    const line = `trap : INT; env ${words.join(" ")} ${command.map(quoted).join(" ")}; echo "left with $?"; exec cat`;
    const dimensions = ["-x", String(size.width), "-y", String(size.height)];
    this.tmux("-f", "/dev/null", "new-session", "-d", "-s", "t", ...dimensions, "-c", cwd, "sh", "-c", line);
  }

  private tmux(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync("tmux", ["-S", join(this.folder, "socket"), ...args], {
      encoding: "utf8",
      env: { ...process.env, TERM: "xterm-256color", LC_ALL: "C.UTF-8" },
    });
    if (status !== 0) throw new Error(`tmux ${args[0]} ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** What the screen shows, without the blanks at its end. */
  screen(): string {
    return this.tmux("capture-pane", "-p", "-t", "t").trimEnd();
  }

  /** Text as it is, then Enter. */
  line(text: string): void {
    this.type(text);
    this.keys("Enter");
  }
  type(text: string): void {
    // A `;` at the end of an argument would end tmux's own command.
    this.tmux("send-keys", "-t", "t", "-l", "--", text.replace(/;$/, "\\;"));
  }
  /** Keys by tmux's names: `C-c`, `Tab`, `Up`. */
  keys(...names: string[]): void {
    this.tmux("send-keys", "-t", "t", ...names);
  }

  /** Waits until the screen shows it. */
  async shows(expected: string | RegExp): Promise<string> {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const screen = this.screen();
      if (typeof expected === "string" ? screen.includes(expected) : expected.test(screen)) return screen;
      if (performance.now() > until) throw new Error(`the screen never showed ${expected}; it shows:\n${screen}`);
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
    }
  }

  close(): void {
    this.tmux("kill-server");
    rmSync(this.folder, { recursive: true, force: true });
  }
}
