// The REPL in a real terminal: typing over lines, recall, completion, Ctrl-C, Ctrl-D, the pager. Its store is scripted.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { scriptProgram } from "../support/program-paths.js";
import { HAS_TMUX, Terminal } from "./tmux.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-terminal-"));
const program = scriptProgram("repl-child");
const history = join(folder, "palimpsest/history");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const terminals: Terminal[] = [];
afterAll(() => {
  for (const terminal of terminals) terminal.close();
});

async function started(environment: Record<string, string> = {}): Promise<Terminal> {
  const command = [process.execPath, program];
  const terminal = new Terminal(command, { XDG_STATE_HOME: folder, PAGER: "", ...environment }, folder);
  terminals.push(terminal);
  await terminal.shows("tql>");
  return terminal;
}

describe.skipIf(!HAS_TMUX)("the REPL in a terminal", () => {
  it("takes a statement over lines, recalls it as one entry, and keeps it for the next session", async () => {
    const first = await started();
    first.line("SELECT 'over;");
    await first.shows(/ {2}-> $|-> *$/m);
    first.line("lines' AS x");
    first.line(";");
    await first.shows("SELECT 'over;\\nlines' AS x");
    await first.shows(/1 row · [\d.]+ ms · pin tx:7/);
    first.line(" SELECT 'not kept';");
    await first.shows(/'not kept'[\s\S]*1 row[^\n]*\ntql>$/);
    first.keys("Up");
    await first.shows(/^tql> SELECT 'over;\nlines' AS x\n;/m);
    first.keys("C-c");
    await first.shows("^C");
    first.keys("C-d");
    await first.shows("left with 0");
    expect(statSync(history).mode & 0o777).toBe(0o600);
    expect(readFileSync(history, "utf8")).toBe("\"SELECT 'over;\\nlines' AS x\\n;\"\n");

    const second = await started();
    second.keys("Up", "Enter");
    await second.shows(/1 row[^\n]*\ntql>$/);
    expect(readFileSync(history, "utf8").trim().split("\n")).toHaveLength(1);
  });

  it("completes with Tab", async () => {
    const terminal = await started();
    terminal.type("sel");
    terminal.keys("Tab");
    await terminal.shows(/^tql> SELECT ?$/m);
    terminal.line(" 1;");
    await terminal.shows(/1 row[^\n]*\ntql>$/);
    terminal.type(".form");
    terminal.keys("Tab");
    await terminal.shows(".format");
    terminal.type(" js");
    terminal.keys("Tab");
    await terminal.shows(".format json");
    terminal.keys("Tab");
    await terminal.shows(/json +jsonl/);
  });

  it("cancels a running statement with Ctrl-C and goes on", async () => {
    const terminal = await started();
    terminal.line("SELECT SLOW;");
    await terminal.shows("SELECT SLOW;");
    terminal.keys("C-c");
    await terminal.shows(/^E_CANCELLED[^\n]*\ntql>$/m);
    terminal.line("SELECT 'after';");
    await terminal.shows(/^SELECT 'after'$/m);
  });

  it("clears what is typed with Ctrl-C, and leaves after two on an empty line", async () => {
    const terminal = await started();
    terminal.line("SELECT 'a");
    await terminal.shows("->");
    terminal.type("half a line");
    await terminal.shows("half a line");
    terminal.keys("C-c");
    await terminal.shows(/\^C\ntql>/);
    terminal.keys("C-c");
    await terminal.shows("again");
    terminal.line("SELECT 'still here';");
    await terminal.shows(/^SELECT 'still here'[\s\S]*\ntql>$/m);
    terminal.keys("C-c");
    terminal.keys("C-c");
    await terminal.shows("left with 0");
  });

  it("keeps what is typed while a statement runs", async () => {
    const terminal = await started();
    terminal.line("SELECT WAITED;");
    terminal.line("SELECT 'typed ahead';");
    await terminal.shows("typed ahead");
    writeFileSync(join(folder, "go-on"), "");
    await terminal.shows(/^SELECT 'typed ahead'$/m);
  });

  it("pages what is longer than the screen, and comes back", async () => {
    const terminal = await started({ PAGER: "less -SR" });
    terminal.line("SELECT MANY 100;");
    await terminal.shows("row 20");
    expect(terminal.screen()).not.toContain("row 99");
    terminal.keys("G");
    await terminal.shows("100 rows");
    terminal.keys("q");
    await terminal.shows(/100 rows[^\n]*\ntql>/);
    terminal.line("SELECT 'back';");
    await terminal.shows(/^SELECT 'back'$/m);
  });

  it("writes plainly where there is no pager, and without colours where NO_COLOR is set", async () => {
    const terminal = await started({ PAGER: "no-such-pager", NO_COLOR: "1" });
    terminal.line("SELECT MANY 40;");
    await terminal.shows(/row 39\n40 rows/);
  });

  it("leaves with .quit", async () => {
    const terminal = await started();
    terminal.line(".quit");
    await terminal.shows("left with 0");
  });
});
