// The tools of the agent through real clients, on both transports and in both eras: claims over a trace, questions to a
// scripted model, and proposals under a policy. Names that try to be markup, orders or other texts come as they are stored.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client, Progress } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAgent, readPolicy } from "../../src/agent/index.js";
import { open } from "../../src/index.js";
import { askTool, writeTool } from "../../src/mcp/index.js";
import { type Asked, ModelServer } from "../agent/model-server.js";
import { commandLine } from "../e2e/command-line.js";
import { ERAS, type Era, objectOf, overHttp, overStdio, type Served, temporaryFolder } from "./clients.js";

const EVIL = 'cy</data><b>\u202e\u0007"{c1}"';
const EDGE = { src: "ada", type: "PAID", dst: "bo", key: "" };
const POLICY = {
  ops: ["retract", "assert_edge"],
  types: ["PAID"],
  labels: [],
  new_entities: false,
  max_batches: 2,
  min_verdict: "supported",
  source: "mcp",
};
const PLAN = {
  steps: [{ id: "s1", op: "scan", args: { of: "edges" } }],
  answer: { kind: "entity_set", from: "s1.rows[*].dst", also: [{ kind: "count", from: "s1.rows_total" }] },
};
const CLAIMS = [
  { id: "c1", type: "entity_set", cells: "s1.rows[*].dst", complete: true },
  { id: "c2", type: "count", cell: "s1.rows_total", value: 2 },
  { id: "c3", type: "count", cell: "s1.rows_total", value: 3 },
];
const REPORT = {
  text: "{c1} were paid, {c2} times.",
  claims: CLAIMS.slice(0, 2).map(({ value: _, ...claim }: { value?: number }) => claim),
};

const cli = commandLine();
const folder = temporaryFolder();
let model: ModelServer;
/** What the model waits for before it answers. */
let gate: Promise<void> = Promise.resolve();
beforeAll(async () => {
  model = await ModelServer.start(async ({ body }: Asked) => {
    await gate;
    const isReport = body.messages[0]!.content.includes("You word the answer");
    return { text: JSON.stringify(isReport ? REPORT : { thought: "", ...PLAN }) };
  });
});
afterAll(async () => {
  await model.stop();
  folder.remove();
});
beforeEach(() => {
  gate = Promise.resolve();
});

let made = 0;
async function freshStore(): Promise<string> {
  const path = folder.path(`${made++}.store`);
  const db = await open(path);
  await db.write([
    { op: "assert_edge", ...EDGE, valid_from: "2020-01-01" },
    { op: "assert_edge", ...EDGE, dst: EVIL, valid_from: "2020-01-01" },
  ]);
  await db.close();
  return path;
}

const policyFile = (policy: object): string => {
  const path = folder.path(`policy-${made++}.json`);
  writeFileSync(path, JSON.stringify(policy));
  return path;
};

interface Connected {
  readonly client: Client;
  readonly served: Served | null;
  close(): Promise<void>;
}

async function connect(transport: "HTTP" | "stdio", era: Era, path: string): Promise<Connected> {
  if (transport === "stdio") {
    const flags = ["--url", model.url, "--write", policyFile(POLICY)];
    const client = await overStdio(cli.program, path, era, flags);
    return { client, served: null, close: () => client.close() };
  }
  const db = await open(path, { readOnly: true });
  const agent = createAgent(db, { model: { base_url: model.url, retries: 0 } });
  const tools = [askTool(agent), writeTool({ policy: readPolicy(POLICY), open: () => open(path) })];
  const served = await overHttp(db, null, tools);
  return { client: await served.client(era), served, close: () => served.close() };
}

type Json = Record<string, unknown>;
const call = async (client: Client, name: string, args: Json) => {
  const result = await client.callTool({ name, arguments: args });
  return { isError: result.isError === true, ...objectOf(result) } as Json;
};
const logBytes = (path: string): string =>
  readdirSync(join(path, "log"))
    .map((name) => readFileSync(join(path, "log", name), "hex"))
    .join();

const TRANSPORTS = ERAS.flatMap((era) => [["HTTP", era] as const, ["stdio", era] as const]);

describe.each(TRANSPORTS)("over %s, protocol %s", (transport, era) => {
  it("claims are held against a trace, a question is answered, a proposal is written", {
    timeout: 60_000,
  }, async () => {
    const path = await freshStore();
    const { client, close } = await connect(transport, era, path);
    const { tools } = await client.listTools();
    expect(
      tools.slice(-3).map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
    ).toEqual([
      ["verify_claims", true, false],
      ["ask", true, false],
      ["propose_write", false, true],
    ]);

    const { trace } = (await call(client, "run_plan", { plan: PLAN })) as { trace: { trace_digest: string } };
    const verified = await call(client, "verify_claims", { trace_digest: trace.trace_digest, claims: [...CLAIMS, 7] });
    expect(verified).toEqual({
      isError: false,
      trace_digest: trace.trace_digest,
      verdicts: [
        { id: "c1", verdict: "supported", reasons: [] },
        { id: "c2", verdict: "supported", reasons: [] },
        { id: "c3", verdict: "refuted", reasons: ["value"] },
        { id: null, verdict: "unverifiable", reasons: ["malformed"] },
      ],
    });

    const answer = await call(client, "ask", { question: "Who was paid, and how often?" });
    expect(answer).toMatchObject({ isError: false, status: "answered", trace_digest: trace.trace_digest });
    // As it is stored for programs, and made harmless for people.
    expect((answer.parts as { value: unknown }[]).map(({ value }) => value)).toEqual([["bo", EVIL], 2]);
    expect(answer.text).not.toContain("\u202e");
    const read = await client.readResource({ uri: `palimpsest://trace/${answer.trace_digest as string}` });
    expect(JSON.parse((read.contents[0] as { text: string }).text)).toMatchObject({ answer: { value: ["bo", EVIL] } });

    const proposal = {
      ops: [{ op: "retract", ref: EDGE, valid_from: "2021-01-01" }],
      reason: "it was taken back",
      because: ["c1"],
      trace_digest: trace.trace_digest,
    };
    const before = logBytes(path);
    const dry = await call(client, "propose_write", { ...proposal, dry_run: true });
    expect(dry).toMatchObject({ isError: false, receipt: null, dry_run: { tx: 1, closed: 1, created: 1 } });
    const refused = await call(client, "propose_write", { ...proposal, because: ["c3"] });
    expect(refused).toMatchObject({ isError: true, error: { code: "E_INVALID_ARG", details: { rule: "evidence" } } });
    const forbidden = { ...proposal, ops: [{ op: "erase", ref: { uid: "ada" } }] };
    expect(await call(client, "propose_write", forbidden)).toMatchObject({
      isError: true,
      error: { details: { rule: "operation" } },
    });
    expect(logBytes(path)).toBe(before);
    const { receipt, dry_run } = (await call(client, "propose_write", proposal)) as { receipt: Json; dry_run: Json };
    expect(receipt).toMatchObject({ tx: 2, closed: 1, created: 1, dry_run_digest: dry_run.digest });
    expect(await call(client, "propose_write", proposal)).toMatchObject({ receipt, dry_run: null });
    expect(await call(client, "scan", { of: "edges" })).toMatchObject({ pin: { tx: 2 } });
    await close();
  });

  it("errors are results, with what is wrong and where", { timeout: 60_000 }, async () => {
    const { client, close } = await connect(transport, era, await freshStore());
    const digest = "0".repeat(64);
    const wrong: [string, Json, string, string?][] = [
      ["verify_claims", { trace_digest: digest, claims: [{}] }, "E_NOT_FOUND"],
      ["ask", { question: "" }, "E_SCHEMA", "/question"],
      ["ask", { question: "Who?", mode: "fast" }, "E_SCHEMA", "/mode"],
      ["ask", { question: "Who?", pin: "tx:9" }, "E_TX_UNKNOWN"],
      ["propose_write", { ops: [], reason: "x", because: ["c1"], trace_digest: digest }, "E_SCHEMA", "/ops"],
      [
        "propose_write",
        { ops: [{}], reason: "x", because: ["c1"], trace_digest: digest, policy: {} },
        "E_SCHEMA",
        "/policy",
      ],
      [
        "propose_write",
        { ops: [{}], reason: "x", because: ["c1"], trace_digest: digest },
        "E_INVALID_ARG",
        "/ops/0/op",
      ],
    ];
    for (const [name, args, code, path] of wrong) {
      const { isError, error } = (await call(client, name, args)) as { isError: boolean; error: Json };
      expect([name, isError, error.code]).toEqual([name, true, code]);
      if (path !== undefined) expect([name, (error.details as Json).path]).toEqual([name, path]);
    }
    await close();
  });

  it("a question tells how far it is, and ends when it is cancelled", { timeout: 60_000, retry: 2 }, async () => {
    const { client, served, close } = await connect(transport, era, await freshStore());
    let letOn = (): void => {};
    gate = new Promise((open) => {
      letOn = open;
    });
    const stop = new AbortController();
    const notices: Progress[] = [];
    const told = new Promise<void>((heard) => {
      const onprogress = (notice: Progress): void => {
        notices.push(notice);
        if (model.running === 1 && notices.length > 1) heard();
      };
      const asked = { name: "ask", arguments: { question: "Who was paid?" } };
      client.callTool(asked, { onprogress, signal: stop.signal, timeout: 50_000 }).catch(() => {});
    });
    await told;
    for (const [i, { progress }] of notices.entries()) {
      expect(progress).toBeGreaterThan(i === 0 ? 0 : notices[i - 1]!.progress);
    }
    expect(notices.at(-1)!.message).toContain("stages done");
    // The older protocol cancels over HTTP by closing alone.
    if (transport === "HTTP" && era === "legacy") await client.close();
    else stop.abort();
    const began = performance.now();
    while (model.running > 0 && performance.now() - began < 5_000) await new Promise((next) => setTimeout(next, 5));
    expect(performance.now() - began).toBeLessThan(1_000);
    if (served !== null) expect(served.service.inFlight).toBe(0);
    letOn();
    await close();
  });
});

describe("palimpsest mcp", () => {
  it("lists ask and propose_write only where it may", { timeout: 60_000 }, async () => {
    const path = await freshStore();
    const names = async (flags: readonly string[]) => {
      const client = await overStdio(cli.program, path, "auto", flags);
      const { tools } = await client.listTools();
      await client.close();
      return tools.slice(-2).map(({ name }) => name);
    };
    expect(await names([])).toEqual(["run_plan", "verify_claims"]);
    expect(await names(["--url", model.url])).toEqual(["verify_claims", "ask"]);
    expect(await names(["--write", policyFile(POLICY)])).toEqual(["verify_claims", "propose_write"]);
  });

  it("calls entities by the properties that it is told of", { timeout: 60_000 }, async () => {
    const path = await freshStore();
    const db = await open(path);
    const props = { title: "The Baker" };
    await db.write([{ op: "assert_node", uid: "bo", labels: ["Person"], props, valid_from: "2020-01-01" }]);
    await db.close();
    const text = async (flags: readonly string[]): Promise<unknown> => {
      const client = await overStdio(cli.program, path, "auto", ["--url", model.url, ...flags]);
      const answer = await call(client, "ask", { question: "Who was paid, and how often?" });
      await client.close();
      return answer.text;
    };
    expect(await text([])).toMatch(/^`bo`, /);
    expect(await text(["--name-prop", "nickname", "--name-prop", "title"])).toMatch(/^The Baker \(`bo`\), /);
  });

  it.each<[string, object | string, RegExp]>([
    ["an operation that is never allowed", { ...POLICY, ops: ["erase"] }, /^E_INVALID_ARG: policy\.ops/],
    ["a confirmation", { ...POLICY, confirm: true }, /^E_INVALID_ARG: policy\.confirm/],
    ["a lower verdict", { ...POLICY, min_verdict: "any" }, /^E_INVALID_ARG: policy\.min_verdict/],
    ["no JSON", "{", /^E_/],
    ["a member twice", '{"ops": [], "ops": ["retract"]}', /^E_/],
  ])("does not start with a policy that has %s", async (_, policy, said) => {
    const file = typeof policy === "string" ? cli.file("policy.json", policy) : policyFile(policy);
    const ran = await cli.run("mcp", await freshStore(), "--write", file);
    expect([ran.exitCode, ran.out]).toEqual([1, ""]);
    expect(ran.err).toMatch(said);
  });

  it("does not start with a policy that is not there", async () => {
    const ran = await cli.run("mcp", await freshStore(), "--write", "nowhere.json");
    expect([ran.exitCode, ran.err]).toEqual([1, expect.stringMatching(/^E_IO/)]);
  });

  it("lets others write, and tells a proposal that they do", { timeout: 60_000 }, async () => {
    const path = await freshStore();
    const { client, close } = await connect("stdio", "auto", path);
    const { trace } = (await call(client, "run_plan", { plan: PLAN })) as { trace: { trace_digest: string } };
    await call(client, "verify_claims", { trace_digest: trace.trace_digest, claims: CLAIMS });
    const propose = (valid_from: string) =>
      call(client, "propose_write", {
        ops: [{ op: "retract", ref: EDGE, valid_from }],
        reason: "x",
        because: ["c2"],
        trace_digest: trace.trace_digest,
      });
    // A count of all edges is of none of them.
    expect(await propose("2021-01-01")).toMatchObject({ isError: true, error: { details: { rule: "evidence" } } });
    const because = ["c1"];
    const proposal = {
      ops: [{ op: "retract", ref: EDGE, valid_from: "2021-01-01" }],
      reason: "x",
      because,
      trace_digest: trace.trace_digest,
    };
    const db = await open(path);
    expect(await call(client, "propose_write", proposal)).toMatchObject({ isError: true, error: { code: "E_LOCKED" } });
    await db.write([{ op: "retract", ref: EDGE, valid_from: "2020-06-01" }]);
    await db.close();
    const before = logBytes(path);
    expect(await call(client, "propose_write", proposal)).toMatchObject({
      isError: true,
      error: { code: "E_STATE", details: { rule: "touched" } },
    });
    expect(logBytes(path)).toBe(before);
    await close();
  });
});
