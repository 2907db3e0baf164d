// `palimpsest repl` as somebody uses it: in a terminal, on a store, from the first prompt to Ctrl-D.
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { HAS_TMUX, Terminal } from "../cli/tmux.js";
import { commandLine } from "./command-line.js";

const cli = commandLine();
const READY = /tql[^\n]*>$/;

const SETUP = `
INSERT (:Nurse {uid: 'n1', name: 'Åsa', grade: 5})-[:WORKS_ON {shift: 'night'}]->(:Ward {uid: 'w7'}) FOR VALID_TIME FROM DATE '2025-01-01';
INSERT ({uid: 'n1'})-[:CALLED {key: '1'}]->({uid: 'w7'}) FOR VALID_TIME AT DATE '2025-01-01';
INSERT ({uid: 'n1'})-[:CALLED {key: '2'}]->({uid: 'w7'}) FOR VALID_TIME AT DATE '2025-01-02';
INSERT ({uid: 'n1'})-[:CALLED {key: '3'}]->({uid: 'w7'}) FOR VALID_TIME AT DATE '2025-01-02';
`;
const LONG =
  "SELECT COUNT(*) AS n FROM BUCKETS(FROM DATE '2000-01-01' TO DATE '2020-01-01' STEP DURATION 'PT2H') AS a CROSS JOIN BUCKETS(FROM DATE '2000-01-01' TO DATE '2020-01-01' STEP DURATION 'PT2H') AS b WHERE a.bucket_from < b.bucket_to;";

let terminal: Terminal | null = null;
afterEach(() => {
  terminal?.close();
  terminal = null;
});

async function started(...flags: string[]): Promise<Terminal> {
  const command = [process.execPath, cli.program, "repl", "ward.store", ...flags];
  const environment = { XDG_STATE_HOME: cli.folder, PAGER: "less -SR", NO_COLOR: "1" };
  terminal = new Terminal(command, environment, cli.folder);
  await terminal.shows(READY);
  return terminal;
}

beforeAll(async () => {
  const { exitCode, err } = await cli.run("query", "ward.store", "--write", "-f", cli.file("setup.tql", SETUP));
  expect([exitCode, err.includes("E_")]).toEqual([0, false]);
});

describe.skipIf(!HAS_TMUX)("palimpsest repl", () => {
  it("answers over lines, completes names of the store, reads files, pins, draws, and refuses writes", async () => {
    cli.file("wards.tql", ".params grade 5\nSELECT n.name FROM NODES(Nurse) AS n\nWHERE n.grade = $grade;\n");
    const repl = await started();
    repl.line("SELECT n.uid, n.grade");
    repl.line("FROM NODES(Nurse) AS n;");
    await repl.shows(/uid +grade\n─+ +─+\nn1 +5\n1 row · [^\n]*pin tx:4[^\n]*valid all/);
    await repl.shows(READY);

    repl.type("MATCH (x:Nu");
    repl.keys("Tab");
    await repl.shows("MATCH (x:Nurse");
    repl.type(") RETURN x.gr");
    repl.keys("Tab");
    await repl.shows("RETURN x.grade");
    repl.line(";");
    await repl.shows(/grade\n─+\n +5\n1 row[\s\S]*tql>$/);

    repl.line(".read wards.tql");
    await repl.shows(/name\n─+\nÅsa\n1 row[\s\S]*tql>$/);

    repl.line(".as-of tx:2");
    await repl.shows(/^tql tx:2>$/m);
    repl.line("SELECT COUNT(*) AS calls FROM EVENTS(CALLED) AS e;");
    await repl.shows(/calls\n─+\n +1\n1 row/);
    repl.line(".as-of latest");
    await repl.shows(/tql>$/);

    repl.line(".format chart");
    repl.line(
      "SELECT DATE_TRUNC('day', e.at) AS day, COUNT(*) AS n FROM EVENTS(CALLED) AS e GROUP BY day ORDER BY day;",
    );
    await repl.shows(/n {2}▁█ {2}min 1, max 2[\s\S]*tql>$/);

    repl.line("INSERT (:Nurse {uid: 'n2'}) FOR VALID_TIME ALL;");
    await repl.shows(/^E_READONLY: [\s\S]*tql>$/m);
    repl.keys("C-d");
    await repl.shows("left with 0");
  });

  it("cancels a long statement with Ctrl-C and leaves the store unharmed", async () => {
    const repl = await started("--write");
    repl.line("SELECT 1 AS one;");
    await repl.shows(/1 row[\s\S]*tql>$/);
    repl.line(LONG);
    await repl.shows("b.bucket_to;");
    repl.keys("C-c");
    await repl.shows(/^E_CANCELLED/m);
    repl.line("INSERT (:Nurse {uid: 'n2'}) FOR VALID_TIME ALL;");
    await repl.shows(/operations[\s\S]*tql>$/);
    repl.line(".quit");
    await repl.shows("left with 0");
    expect((await cli.run("verify", "ward.store")).exitCode).toBe(0);
  });

  it("pages a long answer, and recalls a statement of an earlier session whole", async () => {
    const first = await started();
    first.line("SELECT b.bucket_from");
    first.line("FROM BUCKETS(FROM DATE '2025-01-01' TO DATE '2025-03-01' STEP INTERVAL 'P1D') AS b;");
    await first.shows("2025-01-15T00:00:00Z");
    first.keys("G");
    await first.shows("59 rows");
    first.keys("q");
    await first.shows(/59 rows[^\n]*\ntql>$/);
    first.keys("C-d");
    await first.shows("left with 0");
    first.close();

    const second = await started();
    second.keys("Up");
    await second.shows(/^tql> SELECT b\.bucket_from\nFROM BUCKETS\(FROM/m);
  });

  it("begins from query, too, where there is no text", async () => {
    const command = [process.execPath, cli.program, "query", "ward.store"];
    terminal = new Terminal(command, { XDG_STATE_HOME: cli.folder, NO_COLOR: "1" }, cli.folder);
    await terminal.shows(READY);
    terminal.line("SELECT 'here' AS x;");
    await terminal.shows(/^here$/m);
  });
});
