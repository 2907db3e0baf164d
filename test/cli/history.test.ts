// The history file: whole statements, newest kept, readable by its owner alone.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { History, historyFile, MOST_ENTRIES } from "../../src/cli/repl/history.js";
import { wordsOf } from "../../src/cli/repl/words.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-history-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the history", () => {
  it("lies in XDG_STATE_HOME, else in .local/state", () => {
    expect(historyFile({ XDG_STATE_HOME: "/state" })).toBe("/state/palimpsest/history");
    const ordinary = join(homedir(), ".local/state/palimpsest/history");
    expect([historyFile({}), historyFile({ XDG_STATE_HOME: "relative" })]).toEqual([ordinary, ordinary]);
  });

  it("keeps statements of several lines as one entry, across sessions, for its owner alone", () => {
    const file = join(folder, "a/palimpsest/history");
    const history = History.open(file);
    history.add("SELECT 1\n  AS one;");
    history.add(" SELECT 'secret';");
    history.add(".info");
    history.add(".info");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(History.open(file).entries).toEqual(["SELECT 1\n  AS one;", ".info"]);
    expect(readFileSync(file, "utf8")).not.toContain("secret");
    expect(History.open(file).matching("as ONE")).toEqual(["SELECT 1\n  AS one;"]);
  });

  it("goes on in memory where its file takes no more, and says so once", () => {
    const file = join(folder, "lost/history");
    const told: string[] = [];
    const history = History.open(file, ({ message }) => void told.push(message));
    history.add("SELECT 1;");
    rmSync(join(folder, "lost"), { recursive: true });
    history.add("SELECT 2;");
    history.add("SELECT 3;");
    expect(history.entries).toEqual(["SELECT 1;", "SELECT 2;", "SELECT 3;"]);
    expect(told).toEqual([expect.stringContaining("ENOENT")]);
  });

  it("says at once where no folder can be made", () => {
    expect(() => History.open("/proc/nowhere/palimpsest/history")).toThrow(/ENOENT/);
  });

  it("is cut to its length, in memory and in the file, and tightens the mode of a file it finds", () => {
    const file = join(folder, "long");
    const lines = Array.from({ length: MOST_ENTRIES + 10 }, (_, i) => `${JSON.stringify(`SELECT ${i};`)}\n`);
    writeFileSync(file, lines.join(""), { mode: 0o644 });
    const history = History.open(file);
    expect([history.entries.length, history.entries[0]]).toEqual([MOST_ENTRIES, "SELECT 10;"]);
    history.add("SELECT 'new';");
    expect([history.entries.length, history.entries[0]]).toEqual([MOST_ENTRIES, "SELECT 11;"]);
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(MOST_ENTRIES + 1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("passes over lines that were cut short", () => {
    const file = join(folder, "torn");
    writeFileSync(file, '"SELECT 1;"\n"SELE');
    const history = History.open(file);
    expect(history.entries).toEqual(["SELECT 1;"]);
  });
});

describe("the words of a dot command", () => {
  it.each([
    [".read file.tql", [".read", "file.tql"]],
    [".read 'my file.tql'  x", [".read", "my file.tql", "x"]],
    [".params who \"a b\"'c d'", [".params", "who", "a bc d"]],
    ["", []],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
