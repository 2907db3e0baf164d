// The statements of earlier sessions: a file of its own, readable by its owner alone.
// An entry may have several lines, so the file holds one JSON text a line, the oldest first.
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { makeFolder } from "../../log/make-folder.js";

export const MOST_ENTRIES = 5_000;
const OWNER_ONLY = 0o600;

export function historyFile(environment: Readonly<Record<string, string | undefined>>): string {
  const given = environment.XDG_STATE_HOME;
  // The base directory specification: a relative path there is to be ignored.
  const state = given?.startsWith("/") ? given : join(homedir(), ".local/state");
  return join(state, "palimpsest/history");
}

function entryOf(line: string): string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" ? [entry] : [];
  } catch (error) {
    // A line that another program or a full disk has cut short is no entry; the others are.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

export class History {
  private isWritten = true;

  private constructor(
    private readonly file: string,
    private readonly kept: string[],
    private readonly lost: (error: Error) => void,
  ) {}

  /**
   * Reads the file, and writes it anew when it has outgrown its length. `lost` hears once why it takes no more: what is
   * typed is answered all the same.
   */
  static open(file: string, lost: (error: Error) => void = () => {}): History {
    makeFolder(dirname(file));
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").flatMap(entryOf) : [];
    const kept = lines.slice(-MOST_ENTRIES);
    if (!existsSync(file) || lines.length > kept.length) {
      writeFileSync(file, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: OWNER_ONLY });
    }
    chmodSync(file, OWNER_ONLY);
    return new History(file, kept, lost);
  }

  /** Oldest first. */
  get entries(): readonly string[] {
    return this.kept;
  }

  /** Keeps what was typed; not what begins with a blank, and not the same twice in a row. */
  add(typed: string): void {
    if (/^\s/.test(typed)) return;
    const entry = typed.trimEnd();
    if (entry === "" || entry === this.kept.at(-1)) return;
    this.kept.push(entry);
    if (this.kept.length > MOST_ENTRIES) this.kept.shift();
    if (!this.isWritten) return;
    try {
      appendFileSync(this.file, `${JSON.stringify(entry)}\n`, { mode: OWNER_ONLY });
    } catch (error) {
      this.isWritten = false;
      this.lost(error as Error);
    }
  }

  matching(text: string): readonly string[] {
    return this.kept.filter((entry) => entry.toLowerCase().includes(text.toLowerCase()));
  }
}
