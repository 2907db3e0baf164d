// Options of callers as hostile objects: getters that throw or change, proxies, holes, and objects that are changed later.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOptions, type AskOptions, createAgent, notesOf } from "../../src/agent/index.js";
import { readConfig } from "../../src/agent/provider/config.js";
import type { Database } from "../../src/index.js";
import type { ModelServer } from "./model-server.js";
import { PLAN, planServer, QUESTION } from "./payees.js";
import { paymentsStore } from "./payments.js";

let db: Database;
let server: ModelServer;
beforeAll(async () => {
  db = await paymentsStore();
  server = await planServer([PLAN], [{ text: "{c1}", claims: [{ id: "c1", type: "count", cell: "s1.rows_total" }] }]);
});
afterAll(async () => {
  await db.close();
  await server.stop();
});

const agentOf = (options: object = {}) =>
  createAgent(db, { model: { base_url: server.url, capability: "text", retries: 0 }, ...options });
const ask = (options: object) => agentOf().ask(QUESTION, options as AskOptions);

/** The first read gives one thing, every later one another. */
function changing(name: string, first: unknown, later: unknown): object {
  let reads = 0;
  return Object.defineProperty({}, name, { enumerable: true, get: () => (reads++ === 0 ? first : later) });
}
const throwing = (name: string): object =>
  Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw new TypeError("mine");
    },
  });
const codeOf = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
};

describe("options that cannot be read", () => {
  const refused = (): never => {
    throw new TypeError("mine");
  };
  const proxy = new Proxy({}, { ownKeys: refused });
  const list = new Proxy(["bo"], { get: (_, name) => (name === "length" ? 1 : refused()) });
  it.each([
    ["a getter of an agent", () => createAgent(db, throwing("mode"))],
    ["the model of an agent", () => createAgent(db, throwing("model"))],
    ["a member of a model", () => createAgent(db, { model: throwing("seed") })],
    ["a getter of limits", () => ask({ limits: throwing("steps") })],
    ["a getter of an ask", () => ask(throwing("pin"))],
    ["a proxy", () => ask(proxy)],
    ["a list", () => ask({ entities: list })],
    ["what is no text", () => ask({ mode: Object.create(null) as object })],
    ["options of verify", () => agentOf().verify([], {}, throwing("signal"))],
    ["options of build", () => notesOf(db).build(throwing("stride"))],
    ["options of list", () => notesOf(db).list(throwing("signal"))],
  ])("are E_SCHEMA: %s", async (_, work) => {
    expect(await codeOf(work)).toBe("E_SCHEMA");
  });
});

describe("options that are none", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each([
    ["a list with holes", () => ask({ entities: new Array(5) })],
    ["a list of properties with holes", () => agentOf({ name_props: new Array(3) })],
    ["a list of fronts", () => ask({ front: ["tql"] })],
    ["a list of options", () => ask([])],
    ["a list of limits", () => ask({ limits: [] })],
    ["members of requests in a circle", () => readConfig({ base_url: server.url, extra: cyclic })],
    ["members of requests that JSON has not", () => readConfig({ base_url: server.url, extra: { a: 1n } })],
  ])("are E_INVALID_ARG: %s", async (_, work) => {
    expect(await codeOf(work)).toBe("E_INVALID_ARG");
  });
});

describe("options are read once", () => {
  it("so that what was checked is what is used", async () => {
    const plain = (await ask({})).answer;
    for (const options of [
      changing("pin", "tx:2", 7),
      changing("entities", ["ada"], 7),
      changing("limits", { steps: 12 }, { steps: -1 }),
      { limits: changing("steps", 12, Number.NaN) },
    ]) {
      expect((await ask(options)).answer.text).toBe(plain.text);
    }
    for (const options of [changing("name_props", ["name"], 7), changing("medium", "plain", "none")]) {
      expect((await agentOf(options).ask(QUESTION)).answer.text).toBe(plain.text);
    }
  });

  it("and nothing that the caller changes later changes an agent", async () => {
    const names = ["name"];
    const limits = { steps: 12 };
    const options: { -readonly [K in keyof AgentOptions]: AgentOptions[K] } = { name_props: names, limits };
    const agent = createAgent(db, Object.assign(options, { model: { base_url: server.url, capability: "text" } }));
    const before = (await agent.ask(QUESTION)).answer.text;
    names[0] = "title";
    limits.steps = -5;
    options.mode = "none" as never;
    expect((await agent.ask(QUESTION)).answer.text).toBe(before);
  });
});
