// The REPL without a terminal: lines into statements, every dot command, what is shown and what is kept.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pc from "picocolors";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { complete } from "../../src/cli/repl/completion.js";
import { DOT_COMMANDS, runDotCommand } from "../../src/cli/repl/dot-commands.js";
import { History } from "../../src/cli/repl/history.js";
import { Repl } from "../../src/cli/repl/repl.js";
import type { ReplScreen } from "../../src/cli/repl/surroundings.js";
import { answerOf, type ScriptedStore, scriptedStore } from "./scripted-store.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-repl-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

class FakeScreen implements ReplScreen {
  isTerminal = true;
  readonly colours = pc.createColors(false);
  shown = "";
  said = "";
  paged: string[] = [];
  hasPager = true;
  width = () => 60;
  height = () => 10;
  write = async (text: string) => {
    this.shown += text;
  };
  complain = (text: string) => {
    this.said += `${text}\n`;
  };
  page = async (text: string) => {
    if (this.hasPager) this.paged.push(text);
    return this.hasPager;
  };
  taken(): string {
    const text = this.shown + this.said;
    this.shown = "";
    this.said = "";
    return text;
  }
}

const MANY = Array.from({ length: 30 }, (_, i) => ({ uid: `n${i}` }));

function answers(text: string) {
  if (text.startsWith("SHOW FUNCTIONS LIKE")) {
    const rows = text.includes("MEDIAN") ? [{ name: "MEDIAN", signature: "MEDIAN(x)" }] : [];
    return answerOf({ name: "string", signature: "string" }, rows);
  }
  if (text.includes("MANY")) return answerOf({ uid: "string" }, MANY);
  if (text.includes("DAYS")) {
    const rows = [1, 2].map((n) => ({ day: `2024-01-0${n}T00:00:00Z`, n }));
    return answerOf({ day: "instant", n: "int" }, rows);
  }
  return answerOf({ text: "string" }, [{ text }], { plan: { steps: [{ id: "s1", op: "scan" }] } });
}

let screen: FakeScreen;
let store: ScriptedStore;
let opened: ScriptedStore[];
let repl: Repl;

beforeEach(() => {
  screen = new FakeScreen();
  store = scriptedStore("a.store", answers);
  opened = [];
  const another = async (path: string) => {
    const other = scriptedStore(path, answers);
    opened.push(other);
    return other;
  };
  const history = join(folder, "state/history");
  rmSync(history, { force: true });
  repl = new Repl(store, another, screen, History.open(history), runDotCommand);
  repl.settings.timer = false;
});

const feed = async (...lines: string[]): Promise<string> => {
  for (const line of lines) await repl.feed(line);
  return screen.taken();
};
const asked = (): string[] => store.asked.map(({ text }) => text);

describe("statements", () => {
  it("takes a statement of very many lines", { timeout: 10_000, retry: 2 }, async () => {
    await repl.feed("/* before;");
    await repl.feed("it */ SELECT");
    for (let i = 0; i < 20_000; i += 1) await repl.feed(`  a${i},`);
    await repl.feed("  1;");
    expect(store.asked).toHaveLength(1);
    const lines = store.asked[0]!.text.split("\n");
    expect([lines.length, lines[0], lines[1], lines[20_001], lines[20_002]]).toEqual([
      20_003,
      "/* before;",
      "it */ SELECT",
      "  a19999,",
      "  1",
    ]);
    expect(repl.pending).toBe("");
  });

  it("end with a ; outside strings and comments, over as many lines as they need", async () => {
    await repl.feed("SELECT 'a;");
    expect([repl.prompt, asked()]).toEqual(["  -> ", []]);
    await repl.feed("b' -- ;");
    await repl.feed("; SELECT 2; SEL");
    expect(asked()).toEqual(["SELECT 'a;\nb' -- ;\n", "SELECT 2"]);
    await repl.feed("ECT 3;");
    expect(asked()[2]).toBe("SEL\nECT 3");
    expect(repl.prompt).toBe("tql> ");
  });

  it("are nothing when empty", async () => {
    expect(await feed("", "   ", ";", " ; -- nothing", ";;")).toBe("");
    expect([asked(), repl.prompt]).toEqual([[], "tql> "]);
  });

  it("are answered with a table and one line below it", async () => {
    expect(await feed("SELECT 1;")).toBe("text\n────────\nSELECT 1\n1 row · pin tx:7 (2025-03-05T09:00:00Z)\n");
    repl.settings.timer = true;
    expect(await feed("SELECT 1;")).toMatch(/1 row · \d+\.\d ms · pin/);
  });

  it("show their mistake where it stands, and end the line they are on", async () => {
    expect(await feed("SELECT 1 +", "  BAD; SELECT 2;")).toBe(
      [
        "E_SYNTAX: unknown word 'BAD' (line 2, column 3)",
        "  2 |   BAD; SELECT 2;",
        "    |   ^^^",
        "  hint: did you mean GOOD?",
        "",
      ].join("\n"),
    );
    expect(asked()).toHaveLength(1);
    expect(repl.hasFailed).toBe(true);
  });

  it("have the caret below a word of the second statement of a line", async () => {
    expect(await feed("SELECT 1; SELECT BAD;")).toContain("  1 | SELECT 1; SELECT BAD;\n    |                  ^^^\n");
  });

  it("end with E_CANCELLED when they are cancelled", async () => {
    const running = repl.feed("SELECT SLOW;");
    expect(repl.cancel()).toBe(true);
    expect(await running).toBe(false);
    expect(screen.taken()).toMatch(/^E_CANCELLED/);
    expect(repl.cancel()).toBe(false);
    expect(await feed("SELECT 1;")).toContain("1 row");
  });

  it("may lack the last ; where a pipe or file ends", async () => {
    await repl.feed("SELECT 1");
    expect([await repl.finish(), asked()]).toEqual([true, ["SELECT 1\n"]]);
  });

  it("go through the pager when they are longer than the screen, unless it is off or there is none", async () => {
    const below = "30 rows · pin tx:7 (2025-03-05T09:00:00Z)\n";
    expect(await feed("SELECT MANY;")).toBe(below);
    expect(screen.paged[0]).toMatch(/n29\n30 rows/);
    screen.hasPager = false;
    expect(await feed("SELECT MANY;")).toContain("n29\n30 rows");
    screen.hasPager = true;
    await feed(".pager off", "SELECT MANY;");
    expect(screen.paged).toHaveLength(1);
  });

  it("leave words that people type to get out to a hint", async () => {
    expect(await feed("exit")).toBe(".help explains, .quit leaves\n");
    expect([asked(), repl.prompt]).toEqual([[], "tql> "]);
  });
});

describe("dot commands", () => {
  it("are those of the manual, stand alone at an empty prompt, and may be cut short", async () => {
    expect(DOT_COMMANDS.map(({ name }) => name).sort()).toEqual(
      ".as-of .explain .format .help .history .import .info .open .operators .output .pager .params .plan .quit .read .schema .timer .width".split(
        " ",
      ),
    );
    expect(await feed(".nonsense")).toMatch(/^E_NOT_FOUND: there is no command \.nonsense\nhint: \.help lists them/);
    expect(await feed(".p")).toMatch(/hint: \.pager, \.params, \.plan|hint: /);
    await feed("SELECT 1", ".quit");
    expect(repl.isLeaving).toBe(false);
    await feed(";", ".qu;");
    expect(repl.isLeaving).toBe(true);
  });

  it(".format and .width change what is shown", async () => {
    await feed(".format jsonl");
    expect(await feed("SELECT 1;")).toBe('{"text":"SELECT 1"}\n');
    await feed(".format csv");
    expect(await feed("SELECT 1;")).toBe("text\r\nSELECT 1\r\n");
    await feed(".format json");
    expect(JSON.parse(await feed("SELECT 1;"))).toMatchObject({
      rows: [{ text: "SELECT 1" }],
      rows_total: 1,
      complete: true,
    });
    await feed(".format chart");
    expect(await feed("SELECT DAYS;")).toContain("n  ▁█  min 1, max 2");
    expect(await feed("SELECT 1;")).toContain("no chart: its first column is no instant");
    expect(await feed(".format xml")).toMatch(/^E_INVALID_ARG: "xml" is none of table, json, jsonl, csv, chart/);
    await feed(".format table", ".width 12");
    expect(await feed("SELECT 'a long text';")).toContain("SELECT 'a l…");
    expect(await feed(".width 0", ".width x")).toMatch(/width of the terminal\nE_INVALID_ARG/);
  });

  it(".as-of sets the pin, shows it, and is in the prompt", async () => {
    expect(await feed(".as-of tx:812")).toBe("as of tx:812\n");
    expect(repl.prompt).toBe("tql tx:812> ");
    expect(await feed(".as-of")).toBe("as of tx:812\n");
    await feed(".as-of latest");
    expect(repl.prompt).toBe("tql> ");
    await feed(".as-of 2025-03-01", ".as-of 2025-03-01 08:00:00Z", ".as-of 2025-03-01T08:00:00+02:00");
    expect(asked().slice(2)).toEqual([
      "SET DEFAULT TRANSACTION_TIME AS OF DATE '2025-03-01'",
      "SET DEFAULT TRANSACTION_TIME AS OF TIMESTAMP '2025-03-01T08:00:00Z'",
      "SET DEFAULT TRANSACTION_TIME AS OF TIMESTAMP '2025-03-01T08:00:00+02:00'",
    ]);
    const before = asked().length;
    expect(await feed(".as-of x'; DROP")).toMatch(/^E_/);
    expect(await feed(".as-of soon")).toMatch(/^E_/);
    expect(asked()).toHaveLength(before);
  });

  it(".params sets what statements get", async () => {
    expect(await feed(".params")).toBe("no parameters are set\n");
    expect(await feed(".params who ada", ".params n 9007199254740993", ".params $l '[1, \"a\"]'")).toBe(
      '$who = "ada"\n$n = 9007199254740993\n$l = [1,"a"]\n',
    );
    await feed("SELECT $who;");
    expect(store.asked.at(-1)!.params).toEqual({ who: "ada", n: 9007199254740993n, l: [1, "a"] });
    expect(await feed(".params nobody")).toBe("$nobody is not set\n");
    expect(await feed(".params a-b 1")).toMatch(/^E_INVALID_ARG/);
  });

  it(".plan shows the last plan, .explain those to come", async () => {
    expect(await feed(".plan")).toMatch(/no statement with a plan/);
    await feed("SELECT 1;");
    expect(JSON.parse(await feed(".plan"))).toEqual({ steps: [{ id: "s1", op: "scan" }] });
    await feed(
      ".explain estimate",
      "SELECT 2;",
      "SHOW LABELS;",
      ".explain",
      "-- why\nWITH x AS (SELECT 1) SELECT 3;",
      ".explain off",
      "SELECT 4;",
    );
    expect(asked().slice(1)).toEqual([
      "EXPLAIN ESTIMATE SELECT 2",
      "SELECT 2",
      "SHOW LABELS",
      "EXPLAIN -- why\nWITH x AS (SELECT 1) SELECT 3",
      "-- why\nWITH x AS (SELECT 1) SELECT 3",
      "SELECT 4",
    ]);
    screen.taken();
    await feed(".explain");
    screen.taken();
    expect(await feed("SELECT BAD;")).toContain("  1 | SELECT BAD;\n    |        ^^^");
  });

  it(".output sends answers to a file that appears when it is whole", async () => {
    const path = join(folder, "answers.csv");
    await feed(`.output '${path}'`, ".format csv", "SELECT MANY;");
    expect(existsSync(path)).toBe(false);
    expect(await feed(".output")).toContain(`${path} is written`);
    expect(readFileSync(path, "utf8").split("\r\n")).toHaveLength(32);
    await feed(`.output '${path}'`, ".format table", "SELECT 1;");
    await repl.leave();
    expect(readFileSync(path, "utf8")).toBe("text\n────────\nSELECT 1\n");
    expect(await feed(".output /no/such/folder/file")).toMatch(/^E_IO: /);
  });

  it(".read runs statements and commands of a file, and stops at the first failure", async () => {
    file("inner.tql", "SELECT 'inner'\n;\n");
    const outer = file("outer.tql", ".params who ada\nSELECT $who;\n.read inner.tql\nSELECT 'last'");
    await feed(`.read '${outer}'`);
    expect(store.asked).toEqual([
      { text: "SELECT $who", params: { who: "ada" } },
      { text: "SELECT 'inner'\n", params: { who: "ada" } },
      { text: "SELECT 'last'\n", params: { who: "ada" } },
    ]);
    const failing = file("failing.tql", "SELECT 1;\nBAD;\nSELECT 2;\n");
    expect(await feed(`.read ${failing}`)).toMatch(/E_SYNTAX[\s\S]*E_STATE: .*failing\.tql stopped at line 2/);
    expect(asked().at(-1)).toBe("BAD");
    expect(await feed(".read no-such-file.tql")).toMatch(/^E_IO: .*no-such-file\.tql: there is no such file/);
    expect(repl.history!.entries).not.toContain("SELECT $who;");
  });

  it(".read nests to 8 files", async () => {
    for (let depth = 1; depth <= 9; depth += 1) {
      file(`deep${depth}.tql`, `SELECT ${depth};\n${depth < 9 ? `.read deep${depth + 1}.tql\n` : ""}`);
    }
    expect(await feed(`.read ${join(folder, "deep2.tql")}`)).not.toContain("E_LIMIT");
    expect(await feed(`.read ${join(folder, "deep1.tql")}`)).toContain("E_LIMIT: .read nests to 8 files");
    expect(asked().at(-1)).toBe("SELECT 8");
    const itself = file("itself.tql", ".read itself.tql\n");
    expect(await feed(`.read ${itself}`)).toContain("E_LIMIT");
  });

  it("cancelling a file that is read ends all of it", async () => {
    const slow = file("slow.tql", "SELECT SLOW;\nSELECT 2;\n");
    const running = repl.feed(`.read ${slow}`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(repl.cancel()).toBe(true);
    await running;
    expect(asked()).toEqual(["SELECT SLOW"]);
  });

  it(".open goes on with another store", async () => {
    expect(await feed(".open b.store")).toBe("now at b.store\n");
    await feed("SELECT 1;");
    expect([store.isClosed, opened[0]!.asked.length]).toEqual([true, 1]);
  });

  it(".import, .info, .operators, .schema and .history", async () => {
    await feed(".import 'my file.csv' --src a");
    expect(store.loaded).toEqual([["my file.csv", "--src", "a"]]);
    expect(JSON.parse(await feed(".info"))).toEqual({ path: "a.store", tx: 7 });
    screen.height = () => 1000;
    expect(await feed(".operators")).toContain("temporal_reachability");
    await feed(".schema", ".schema has held");
    expect(asked()).toEqual(["SHOW LABELS", "SHOW TYPES", "SHOW PROPERTIES", 'SHOW PROPERTIES OF "has held"']);
    await feed("SELECT 1", "AS one;");
    expect(await feed(".history one")).toBe("SELECT 1\nAS one;\n");
  });

  it(".help explains commands, clauses, operators and functions, and says when there is nothing", async () => {
    screen.height = () => 1000;
    const all = await feed(".help");
    for (const { usage } of DOT_COMMANDS) expect(all).toContain(usage);
    expect(all).toContain("FOR VALID_TIME");
    expect(await feed(".help .read", ".help read")).toMatch(/\.read FILE\n[\s\S]*\.read FILE\n/);
    expect(await feed(".help for portion of valid_time")).toContain("FOR PORTION OF VALID_TIME FROM a [TO b] | ALL");
    expect(await feed(".help temporal_paths")).toContain("criterion");
    expect(await feed(".help MEDIAN()")).toContain("MEDIAN(x)");
    expect(await feed(".help weather")).toMatch(/^E_NOT_FOUND: there is no help on "weather"/);
  });
});

describe("history and completion", () => {
  it("keeps statements whole, commands too, and not what begins with a blank", async () => {
    await feed("SELECT 1", "  AS one;", " SELECT 'secret';", ".info", "SELECT 2; SELECT 3;");
    expect(repl.history!.entries).toEqual(["SELECT 1\n  AS one;", ".info", "SELECT 2; SELECT 3;"]);
  });

  it("completes commands, their words, files, and what the grammar offers", async () => {
    expect(await complete(repl, ".pa")).toEqual([[".params", ".pager"].sort().reverse(), ".pa"]);
    expect(await complete(repl, ".format c")).toEqual([["csv", "chart"], "c"]);
    file("only-one.tql", "");
    expect(await complete(repl, `.read ${folder}/only`)).toEqual([[`${folder}/only-one.tql`], `${folder}/only`]);
    expect(await complete(repl, ".read /no/such/folder/")).toEqual([[], "/no/such/folder/"]);
    expect(await complete(repl, "se")).toEqual([["SELECT", "SET"], "se"]);
    await repl.feed("SELECT 1");
    expect(await complete(repl, ".sh")).toEqual([["SHOW"], "sh"]);
  });
});

describe("a pipe", () => {
  it("has no pager and nothing cut", async () => {
    screen.isTerminal = false;
    await feed(`SELECT '${"x".repeat(100)}';`);
    await repl.feed("SELECT MANY;");
    expect(screen.paged).toEqual([]);
    expect(repl.style.width).toBeNull();
  });
});
