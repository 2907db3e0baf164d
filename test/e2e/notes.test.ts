// `palimpsest notes` as a user runs it, the commands of docs/agent.md among them, and what `ask` makes of notes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ModelServer } from "../agent/model-server.js";
import { ROOT } from "./command-line.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const PLAN = {
  thought: "Count.",
  steps: [
    {
      id: "s1",
      op: "aggregate_events",
      args: {
        window: { from: "2024-03-01T00:00:00Z", to: "2024-04-01T00:00:00Z" },
        aggregates: [{ fn: "count", as: "n" }],
      },
    },
  ],
  answer: { kind: "count", from: "s1.rows[0].n" },
};
const REPORT = { text: "{c1} payments.", claims: [{ id: "c1", type: "count", cell: "s1.rows[0].n" }] };
const QUESTION = "How many payments were there in March 2024?";

let server: ModelServer;
beforeAll(async () => {
  server = await ModelServer.start(({ body }) => {
    const system = body.messages[0]!.content;
    if (system.includes("You word a note")) return { text: '{"text":"{f1} payments were made."}' };
    return { text: JSON.stringify(system.includes("You word the answer") ? REPORT : PLAN) };
  });
  const payments = join(ROOT, "examples/data/payments.csv");
  await cli.run("load", "payments.store", payments, "--src", "payer", "--dst", "payee", "--time", "when");
});
afterAll(() => server.stop());

/** Whether the plan was asked for with notes. */
async function seesNotes(...flags: string[]): Promise<boolean> {
  const from = server.asked.length;
  const { exitCode } = await cli.run("ask", "payments.store", QUESTION, "--url", server.url, ...flags);
  expect(exitCode).toBe(0);
  return server.asked.slice(from).some(({ body }) => body.messages[1]?.content.includes('kind="notes"') === true);
}

it("runs the commands of docs/agent.md", { timeout: 120_000 }, async () => {
  const rows = readFileSync(join(ROOT, "examples/data/payments.csv"), "utf8").trimEnd().split("\n").slice(1);
  const times = rows.map((row) => Date.parse(row.split(",")[2]!) / 86_400_000);
  const periods = (days: number): number => new Set(times.map((day) => Math.floor(day / days))).size;
  const page = readFileSync(join(ROOT, "docs/agent.md"), "utf8");
  const notes = page.slice(page.indexOf("## Notes"));
  const commands = /```sh\n([\s\S]*?)```/.exec(notes)![1]!.trimEnd().split("\n");
  expect(commands).toHaveLength(4);
  const said: string[] = [];
  for (const command of commands) {
    const { exitCode, out, err } = await cli.run(...command.split(" ").slice(1));
    expect([exitCode, err], command).toEqual([0, ""]);
    said.push(out);
  }
  const [weeks, days] = [periods(7), periods(1)];
  const built = (count: number, stride: string) => {
    const [notes, windows] = [`${count} note${count === 1 ? "" : "s"}`, `${count} window${count === 1 ? "" : "s"}`];
    return `${notes} made, 0 kept, of ${windows} of ${stride} as of tx:1\n`;
  };
  expect(said.slice(0, 2)).toEqual([built(weeks, "P7D"), built(days, "P1D")]);
  const shown = said[2]!.trimEnd().split("\n");
  expect(shown).toHaveLength(weeks + days);
  expect(shown[0]).toMatch(
    /^2024-\d\d-\d\dT00:00:00Z 2024-\d\d-\d\dT00:00:00Z · tx:1 to tx:1 · by code · Events: \d+\./,
  );
  expect(said[3]).toBe(`${weeks + days} notes dropped\n`);
});

it("lets a model word the notes, and ask see them unless told not to", { timeout: 120_000 }, async () => {
  expect(await seesNotes()).toBe(false);
  const built = await cli.json("notes", "payments.store", "build", "--stride", "P1M", "--url", server.url, "--json");
  expect(built).toMatchObject({ tx: 1, stride: "P1M", kept: 0 });
  const { out } = await cli.run("notes", "payments.store", "show", "--json");
  const [first] = out.split("\n").map((line) => (line === "" ? null : (JSON.parse(line) as Record<string, unknown>)));
  expect(first).toMatchObject({ note: { by: "model", text: "{f1} payments were made." }, holds: { from: 1, to: 1 } });
  expect(first!.text).toMatch(/^\d+ payments were made\.$/);
  expect(await seesNotes()).toBe(true);
  expect(await seesNotes("--no-memory")).toBe(false);
});

it("asks the model of notes no more than it may, and says what it took", { timeout: 60_000 }, async () => {
  await cli.run("notes", "payments.store", "drop");
  const flags = [
    "--stride",
    "P1D",
    "--url",
    server.url,
    "--model-calls",
    "1",
    "--tokens",
    "9000",
    "--wall-ms",
    "60000",
  ];
  const { exitCode, out, err } = await cli.run("notes", "payments.store", "build", ...flags);
  const made = Number(/^(\d+) notes made/.exec(out)![1]);
  expect(made).toBeGreaterThan(1);
  const said = [`limits.model_calls is spent: notes worded by code: ${made - 1}`, "1 calls, 100 + 10 tokens"];
  expect([exitCode, err.trimEnd().split("\n")]).toEqual([0, said]);
});

it.each<[string, string[], number, RegExp]>([
  ["a store in memory", [":memory:", "build"], 1, /^E_STATE: a store in memory keeps no notes/],
  ["no store", ["nothing.store", "show"], 1, /^E_NOT_FOUND/],
  ["a stride that is none", ["payments.store", "build", "--stride", "weekly"], 1, /^E_INVALID_ARG/],
  [
    "no server to word them",
    ["payments.store", "build", "--model", "m"],
    1,
    /^E_INVALID_ARG: no model server is named/,
  ],
  ["a front, as there is no plan", ["payments.store", "build", "--front", "tql"], 2, /unknown option '--front'/],
  ["a limit that is none", ["payments.store", "build", "--tokens", "many"], 2, /a limit is a whole number from 0/],
  [
    "a limit of a model where there is none",
    ["payments.store", "build", "--model-calls", "5"],
    1,
    /^E_INVALID_ARG: limits\.model_calls is of a model/,
  ],
  ["no action", ["payments.store"], 2, /missing required argument 'action'/],
  ["an unknown action", ["payments.store", "make"], 2, /Allowed choices are build, show, drop/],
  ["a stride of what is shown", ["payments.store", "show", "--stride", "P7D"], 2, /are for build/],
])("refuses %s", { timeout: 60_000 }, async (_, args, code, text) => {
  const { exitCode, out, err } = await cli.run("notes", ...args);
  expect([exitCode, out, err]).toEqual([code, "", expect.stringMatching(text)]);
});
