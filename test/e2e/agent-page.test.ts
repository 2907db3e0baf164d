// The commands of docs/agent.md run as they stand, one after the other, against a scripted server; and how an ask ends.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Asked, ModelServer } from "../agent/model-server.js";
import { ROOT } from "./command-line.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const page = readFileSync(join(ROOT, "docs/agent.md"), "utf8");
const COMMANDS = Array.from(page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)).flatMap(([, block]) =>
  block!.trim().split("\n"),
);

interface Window {
  readonly from: string;
  readonly to: string;
}
const stepOf = (window: Window) => ({
  op: "aggregate_events",
  args: {
    window,
    where: { src: { uids: ["ana"] } },
    group_by: [{ dim: "node", role: "dst" }],
    aggregates: [{ fn: "count", as: "n" }],
  },
});
const COUNT = { kind: "count", from: "s1.rows_total" };
const tqlOf = ({ from, to }: Window): string =>
  `SELECT e.dst, COUNT(*) AS n FROM EVENTS() FOR VALID_TIME FROM TIMESTAMP '${from}' TO TIMESTAMP '${to}' AS e
  WHERE e.src = 'ana' GROUP BY e.dst`;

/** The window that a question is told to name. */
function windowIn(text: string): Window {
  const line = text.split("\n").find((each) => each.includes('"kind":"window"'));
  return line === undefined ? { from: "2024-03-01", to: "2024-04-01" } : JSON.parse(line).value;
}

/** Whatever the model is asked for, by its system text; without words code answers alone. */
function written({ body: { messages } }: Asked): object | string {
  const system = messages[0]!.content;
  if (system.includes("You word the answer")) return "no words";
  const window = windowIn(messages[1]?.content ?? "");
  if (system.includes("one call a turn"))
    return messages.length === 2 ? { call: stepOf(window) } : { finish: { answer: COUNT } };
  if (system.includes("one statement of TQL"))
    return { thought: "", tql: tqlOf(window), answer: { ...COUNT, from: "rows_total" } };
  return { thought: "", steps: [{ id: "s1", ...stepOf(window) }], answer: COUNT };
}

let server: ModelServer;
beforeAll(async () => {
  server = await ModelServer.start((asked) => {
    const answer = written(asked);
    return { text: typeof answer === "string" ? answer : JSON.stringify(answer) };
  });
  const csv = join(ROOT, "examples/data/payments.csv");
  await cli.run("load", "payments.store", csv, "--src", "payer", "--dst", "payee", "--time", "when");
}, 60_000);
afterAll(() => server.stop());
beforeEach(() => {
  vi.stubEnv("PALIMPSEST_LLM_URL", server.url);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The words of a command, quotes taken off. */
const words = (line: string): string[] =>
  Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare!);

it("has commands that run", { timeout: 120_000 }, async () => {
  expect(COMMANDS.length).toBeGreaterThan(5);
  for (const line of COMMANDS) {
    const [program, ...args] = words(line);
    expect(program).toBe("palimpsest");
    const { exitCode, out, err } = await cli.run(...args);
    expect([line, exitCode, exitCode === 0 ? "" : err]).toEqual([line, 0, ""]);
    if (args.includes("--json")) expect(JSON.parse(out)).toMatchObject({ status: "answered", parts: [{ value: 2 }] });
    // ana paid bo on the 1st and eli on the 5th.
    else if (args[0] === "ask") expect([line, out.split("\n")[0]]).toEqual([line, "2."]);
    else if (args[0] === "run") expect(out).toMatch(/^same: trace [0-9a-f]{64}, 1 claim\n$/);
  }
});

it("says what of the question the plan leaves out, in its words", { timeout: 60_000 }, async () => {
  const question = ["ask", "payments.store", "How many accounts did ana pay in March 2024?", "--mode", "plan"];
  const { exitCode, out } = await cli.run(...question, "--entity", "bo");
  expect([exitCode, out]).toEqual([0, expect.stringMatching(/^ {2}not in the plan: bo$/m)]);
  // Whom the store does not know no plan could speak of.
  const unknown = await cli.run(...question, "--entity", "anna");
  expect([unknown.exitCode, unknown.out]).toEqual([1, ""]);
  expect(unknown.err).toMatch(/^E_INVALID_ARG: entities: not known at tx:\d+: anna\nhint: did you mean .*\bana\b/);
});

it("ends with 0 where nothing could be shown, and colours nothing", { timeout: 60_000 }, async () => {
  const lost = await cli.run("ask", "payments.store", "How many accounts did bo pay in June 2030?", "--mode", "plan");
  expect(lost.exitCode).toBe(0);
  expect(lost.out).not.toContain("\u001b");
  const gone = await cli.run("ask", "payments.store", "x?", "--url", "http://127.0.0.1:9/v1", "--model", "m");
  expect([gone.exitCode, gone.out]).toEqual([1, ""]);
  expect(gone.err).toMatch(/^E_MODEL: /);
});

it("tells which file was changed since it was kept", { timeout: 60_000 }, async () => {
  const kept = cli.path("kept.json");
  await cli.run("ask", "payments.store", "How many accounts did ana pay in March 2024?", "--trace", kept);
  const changed = cli.file("changed.json", readFileSync(kept, "utf8").replace('"value":2', '"value":3'));
  const { exitCode, out, err } = await cli.run("run", "payments.store", "--check", changed);
  expect([exitCode, out]).toEqual([1, ""]);
  expect(err).toMatch(/^E_STATE: the file is not the one that was written/);
});
