// `palimpsest ask` as a user runs it, against a scripted server: the answer, its evidence, and a trace that runs again.
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ModelServer } from "../agent/model-server.js";
import { ROOT } from "./command-line.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const PLAN = {
  thought: "Who is reached.",
  steps: [{ id: "s1", op: "temporal_reachability", args: { uid: "ana" } }],
  answer: { kind: "count", from: "s1.rows_total", also: [{ kind: "entity_set", from: "s1.rows[*].uid" }] },
};
const REPORT = {
  text: "{q1} reaches {c1} accounts: {c2}.",
  claims: [
    { id: "c1", type: "count", cell: "s1.rows_total" },
    { id: "c2", type: "entity_set", cells: "s1.rows[*].uid", complete: true },
  ],
};

let server: ModelServer;
beforeAll(async () => {
  server = await ModelServer.start(({ body }) => {
    const isReport = body.messages[0]!.content.includes("You word the answer");
    return { text: JSON.stringify(isReport ? REPORT : PLAN) };
  });
});
afterAll(() => server.stop());

it("answers a question, and leaves a trace", { timeout: 60_000 }, async () => {
  const events = cli.file("events.csv", "src,dst,time\nana,bo,2020-01-01T00:00:10Z\nbo,cy,2020-01-01T00:00:12Z\n");
  await cli.run("load", "store", events);
  const options = ["--url", server.url];
  const said = await cli.run("ask", "store", "Whom does ana reach?", ...options, "--trace", cli.path("trace.json"));
  expect(said.exitCode).toBe(0);
  const lines = said.out.trimEnd().split("\n");
  expect(lines[0]).toBe("`ana` reaches 2 accounts: `bo`, `cy`.");
  expect(lines.slice(1, 3).map((line) => line.slice(0, 9))).toEqual(["  c1 · 2 ", "  c2 · `b"]);
  expect(lines[3]).toMatch(/^answered · as believed at tx:1 · trace [0-9a-f]{64}$/);
  expect(said.err).toMatch(/^\d+ calls, /);

  expect((await cli.run("run", "store", "--check", cli.path("trace.json"))).exitCode).toBe(0);
  const answer = await cli.json("ask", "store", "Whom does ana reach?", ...options, "--json");
  expect(answer).toMatchObject({ status: "answered", parts: [{ value: 2 }, { value: ["bo", "cy"] }] });

  const full = await cli.run("ask", "store", "Whom does ana reach?", ...options, "--trace", "/dev/full");
  expect([full.exitCode, full.out.split("\n")[0], full.err.includes("E_IO")]).toEqual([1, lines[0], true]);
});

it("shows hostile names escaped to people, and as they are to programs", { timeout: 60_000 }, async () => {
  const name = "b\u202eo\u001b[31m\u200d`x";
  const events = cli.file("hostile.csv", `src,dst,time\nana,"${name}",2020-01-01T00:00:10Z\n`);
  await cli.run("load", "hostile", events);
  const asked = ["ask", "hostile", "Whom does ana reach?", "--url", server.url];
  const { out } = await cli.run(...asked);
  expect(out.split("\n")[0]).toBe("`ana` reaches 1 accounts: `b\\u{202e}o\\u{1b}[31m\\u{200d}\\u{60}x`.");
  const { out: json } = await cli.run(...asked, "--json");
  expect(json.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const { text, parts } = JSON.parse(json) as { text: string; parts: { value: unknown }[] };
  expect(text).toBe(`\`ana\` reaches 1 accounts: \`\` ${name} \`\`.`);
  expect(parts[1]!.value).toEqual([name]);
});

it("says of a question that failed why it did", { timeout: 60_000 }, async () => {
  const talker = await ModelServer.start(() => ({ text: "I would rather talk." }));
  const asked = ["ask", "store", "Whom does ana reach?", "--url", talker.url, "--mode", "plan"];
  const { exitCode, out } = await cli.run(...asked);
  const answer = await cli.json(...asked, "--json");
  await talker.stop();
  const { error } = answer as unknown as { error: { code: string; message: string; hint: string } };
  expect(error.code).toBe("E_SCHEMA");
  expect([exitCode, out.split("\n")[1]]).toEqual([0, `  E_SCHEMA: ${error.message} (${error.hint})`]);
});

it("asks by single calls, as the page shows, and leaves a trace that runs again", { timeout: 60_000 }, async () => {
  const page = readFileSync(join(ROOT, "docs/agent.md"), "utf8");
  const [, question, mode] = /^palimpsest ask payments\.store "([^"]+)" --mode (\w+)$/m.exec(page)!;
  const csv = join(ROOT, "examples/data/payments.csv");
  await cli.run("load", "calls.store", csv, "--src", "payer", "--dst", "payee", "--time", "when");
  const march = { from: "2024-03-01T00:00:00Z", to: "2024-04-01T00:00:00Z" };
  const args = {
    window: march,
    where: { src: { uids: ["ana"] } },
    group_by: [{ dim: "node", role: "dst" }],
    aggregates: [{ fn: "count", as: "n" }],
  };
  const turns = [
    { call: { op: "aggregate_events", args } },
    { finish: { answer: { kind: "count", from: "s1.rows_total" } } },
  ];
  let taken = 0;
  const caller = await ModelServer.start(({ body }) => {
    const isTurn = body.messages[0]!.content.includes("one call a turn");
    return { text: isTurn ? JSON.stringify(turns[taken++]) : "no words" };
  });
  const flags = ["--url", caller.url, "--mode", mode!, "--trace", cli.path("calls.json")];
  const said = await cli.run("ask", "calls.store", question!, ...flags);
  await caller.stop();
  // ana paid bo on the 1st and eli on the 5th.
  expect([said.exitCode, said.out.split("\n")[0]]).toEqual([0, "2."]);
  expect((await cli.run("run", "calls.store", "--check", cli.path("calls.json"))).exitCode).toBe(0);
  expect((await cli.run("ask", "calls.store", "x?", "--mode", "guess")).exitCode).toBe(2);
});

it("is called from a program as docs/agent.md shows", { timeout: 60_000 }, async () => {
  await cli.run(
    "load",
    "payments.store",
    join(ROOT, "examples/data/payments.csv"),
    "--src",
    "payer",
    "--dst",
    "payee",
    "--time",
    "when",
  );
  const page = readFileSync(join(ROOT, "docs/agent.md"), "utf8");
  const blocks = Array.from(page.matchAll(/```js\n([\s\S]*?)```/g), ([, block]) => block!);
  const own = (name: string): string => JSON.stringify(join(ROOT, name));
  const program = blocks
    .join("")
    .replace('"palimpsest"', own("src/index.ts"))
    .replaceAll('"palimpsest/agent"', own("src/agent/index.ts"))
    .replace("http://127.0.0.1:8000/v1", server.url)
    .concat("await db.close();\n");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, "node_modules/tsx/dist/cli.mjs"), cli.file("agent.mts", program)],
    { cwd: cli.folder },
  );
  expect(stdout).toMatch(/^`ana` reaches 6 accounts: /);
  expect(stdout).toContain("[ { id: 'c1', verdict: 'refuted', reasons: [ 'value' ] } ]");
  expect(stdout).toMatch(/tx: 2,\n.*\n {2}ops: 1,\n {2}closed: 0,\n {2}created: 1,/);
  expect(stdout).toMatch(/^statement ::= .*query/m);
});

it("asks nothing where the trace cannot be kept, and says where there is none", { timeout: 60_000 }, async () => {
  const flags = ["--url", server.url, "--mode", "plan", "--trace"];
  const before = server.asked.length;
  const nowhere = await cli.run(
    "ask",
    "store",
    "Whom does ana reach?",
    ...flags,
    cli.path("no/such/folder/trace.json"),
  );
  expect([nowhere.exitCode, nowhere.err]).toEqual([1, expect.stringMatching(/^E_IO: /)]);
  expect(server.asked).toHaveLength(before);

  const kept = cli.file("kept.json", "as it was");
  const failed = await ModelServer.start(() => ({ text: "no plan" }));
  const said = await cli.run("ask", "store", "Whom does ana reach?", ...flags, kept, "--url", failed.url);
  await failed.stop();
  expect([said.exitCode, said.out]).toEqual([0, expect.stringMatching(/^failed · /m)]);
  expect(said.err).toContain(`no plan has run: ${kept} is not written`);
  expect(readFileSync(kept, "utf8")).toBe("as it was");
  expect(readdirSync(cli.folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

it("tells of a server that is not there, and of none that is named", { timeout: 60_000 }, async () => {
  const gone = await cli.run("ask", "store", "x?", "--url", "http://127.0.0.1:9/v1", "--model", "m");
  expect([gone.exitCode, gone.out]).toEqual([1, ""]);
  expect(gone.err).toMatch(/^E_MODEL: the model's server cannot be reached/);
  const none = await cli.run("ask", "store", "x?");
  expect([none.exitCode, none.err]).toEqual([1, expect.stringMatching(/^E_INVALID_ARG: no model server is named/)]);
});
