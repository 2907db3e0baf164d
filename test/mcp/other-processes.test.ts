// What other processes do to a store while a server of it runs, and what an earlier server did: notes hold or no longer do,
// and batches on a trace count.
import { writeFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { MOST_PAID } from "../agent/conversations.js";
import { ModelServer } from "../agent/model-server.js";
import { isReport, said } from "../agent/replies.js";
import { commandLine } from "../e2e/command-line.js";
import { objectOf, overStdio, temporaryFolder } from "./clients.js";

type Json = Record<string, unknown>;

const cli = commandLine();
const folder = temporaryFolder();
/** Where the windows of the notes begin that the planner of the last question saw. */
let seen: readonly string[] = [];
let model: ModelServer;
beforeAll(async () => {
  model = await ModelServer.start((asked) => {
    if (isReport(asked)) return said(MOST_PAID.report);
    const user = asked.body.messages.find(({ role }) => role === "user")!.content;
    const notes = /^<data-([0-9a-f]{24}) kind="notes">\n([\s\S]*?)\n<\/data-\1>$/m.exec(user)?.[2]?.split("\n") ?? [];
    seen = notes.map((line) => (JSON.parse(line) as { window: { from: string } }).window.from).sort();
    return said(MOST_PAID.plan);
  });
});
afterAll(async () => {
  await model.stop();
  folder.remove();
});

const pay = (dst: string, date: string) => ({
  op: "assert_edge" as const,
  ...{ src: "ada", type: "PAID", dst, key: date },
  valid_from: `${date}T08:00:00Z`,
  valid_to: `${date}T08:00:01Z`,
});

let path: string;
let made = 0;
const clients: Client[] = [];
beforeEach(async () => {
  path = folder.path(`${made++}.store`);
  const db = await open(path);
  await db.write([pay("bo", "2020-05-02"), pay("bo", "2020-05-09"), pay("cy", "2020-05-09")]);
  await db.close();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(...flags: readonly string[]): Promise<Client> {
  const client = await overStdio(cli.program, path, "auto", ["--url", model.url, ...flags]);
  clients.push(client);
  return client;
}
const call = async (client: Client, name: string, args: Json): Promise<Json> => {
  const result = await client.callTool({ name, arguments: args });
  return { isError: result.isError === true, ...objectOf(result) };
};
/** This process is another one than the server's. */
async function write(...ops: object[]): Promise<void> {
  const db = await open(path);
  await db.write(ops as never);
  await db.close();
}

describe("notes", () => {
  /** Weeks of seven days since 1970. */
  const [FIRST, SECOND] = ["2020-04-30T00:00:00Z", "2020-05-07T00:00:00Z"];

  it("are seen by ask while they hold, and not when others have written or erased", { timeout: 60_000 }, async () => {
    const [client, forgetful] = [await connect(), await connect("--no-memory")];
    const ask = async (of: Client, more: Json = {}): Promise<readonly string[]> => {
      seen = ["nothing was planned"];
      expect(await call(of, "ask", { question: MOST_PAID.question, ...more })).toMatchObject({ status: "answered" });
      return seen;
    };
    expect(await ask(client)).toEqual([]);
    // The servers run when the notes are made.
    expect((await cli.run("notes", path, "build")).exitCode).toBe(0);
    expect(await ask(client)).toEqual([FIRST, SECOND]);
    expect(await ask(forgetful)).toEqual([]);
    await write(pay("dan", "2020-05-10"));
    expect(await ask(client)).toEqual([FIRST]);
    expect(await ask(client, { pin: "tx:1" })).toEqual([FIRST, SECOND]);
    await write({ op: "erase", ref: { uid: "dan" } });
    expect(await ask(client)).toEqual([]);
    expect(await ask(client, { pin: "tx:1" })).toEqual([FIRST, SECOND]);
    await write({ op: "erase", ref: { uid: "bo" } });
    expect(await ask(client, { pin: "tx:1" })).toEqual([]);
  });
});

describe("batches on a trace", () => {
  it("count over the restart of a server", { timeout: 60_000 }, async () => {
    const policy = { ops: ["assert_edge"], types: ["PAID"], labels: [], new_entities: false };
    const file = folder.path("policy.json");
    writeFileSync(file, JSON.stringify({ ...policy, min_verdict: "supported", source: "mcp" }));
    const proposalOn = async (client: Client, date: string): Promise<Json> => {
      const { trace_digest } = await call(client, "ask", { question: MOST_PAID.question, pin: "tx:1" });
      return { ops: [pay("bo", date)], reason: "it was forgotten", because: ["c1"], trace_digest };
    };
    const before = await connect("--write", file);
    const first = await proposalOn(before, "2020-05-20");
    const { receipt } = await call(before, "propose_write", first);
    expect(receipt).toMatchObject({ tx: 2, created: 1 });
    await before.close();

    const after = await connect("--write", file);
    const other = await proposalOn(after, "2020-05-21");
    // A question at a commit is the same trace again.
    expect(other.trace_digest).toBe(first.trace_digest);
    expect(await call(after, "propose_write", other)).toMatchObject({
      isError: true,
      error: { code: "E_STATE", details: { rule: "max_batches" } },
    });
    expect(await call(after, "propose_write", first)).toMatchObject({ isError: false, receipt });
  });
});
