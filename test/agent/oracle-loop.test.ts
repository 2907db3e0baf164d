// Oracle plans asked through loop mode: a model plays each as single calls with the values that it is shown. Every answer is
// what the files say, every trace runs again, and no row is shown beyond the first five.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask } from "../../src/agent/ask.js";
import { readConfig } from "../../src/agent/provider/config.js";
import { Provider } from "../../src/agent/provider/provider.js";
import { DEFAULT_LIMITS } from "../../src/agent/types.js";
import { parseDuration } from "../../src/contract/duration.js";
import type { JsonValue } from "../../src/contract/values.js";
import { NativeCatalogue } from "../../src/operators/native/catalogue.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { tracePlan, verifyPlan, withStore } from "../../src/plan/index.js";
import { Catalogue } from "../../src/query/compile/catalogue.js";
import type { AskedStore } from "./asked.js";
import { ModelServer } from "./model-server.js";
import { isThere, openStore, type StoreName } from "./oracle/data.js";
import { played } from "./oracle/loop-player.js";
import type { OraclePlan } from "./oracle/plan.js";
import { ORACLE_PLANS } from "./oracle-plans.js";
import { isReport } from "./replies.js";

const STORES: readonly StoreName[] = ["collegemsg", "bitcoin-otc", "primaryschool", "world-leaders"];
const SIGNS: Readonly<Record<string, number>> = { up: 1, down: -1, same: 0 };

/** What stands in a part, in the form in which plans have what is expected. */
function saidOf(value: JsonValue | undefined, expected: unknown): unknown {
  if (typeof expected === "bigint") return typeof value === "string" ? parseDuration(value, "") : value;
  if (Array.isArray(expected)) return Array.isArray(value) ? [...value].sort() : value;
  if (typeof value === "string" && typeof expected === "number") return SIGNS[value];
  return value;
}

/** The entities that a caller of the question would name: those that the plan has from nowhere else. */
function entitiesOf(engine: NativeEngine, { plan, mentions = [] }: OraclePlan): string[] {
  const identifiers = new Set<string>();
  const { violations } = withStore(engine, engine.headTx(), {}, (store) => verifyPlan(plan, { identifiers, store }));
  const literals = violations.flatMap(({ kind, message }) =>
    kind === "ungrounded_uid" ? [JSON.parse(message.slice("nobody named ".length)) as string] : [],
  );
  return [...new Set([...literals, ...mentions.flatMap(({ uid }) => uid ?? [])])];
}

/** The name of the plan, and the names that it looks for: nobody else could give them. */
const questionOf = ({ name, plan }: OraclePlan): string =>
  [
    name,
    ...plan.steps.flatMap(({ op, args }) => (op === "resolve_entities" ? [(args as { query: string }).query] : [])),
  ].join(", ");

let literals = 0;

describe.each(STORES.filter(isThere))("over %s, by single calls", (name) => {
  let asked: AskedStore;
  let engine: NativeEngine;
  let server: ModelServer;
  let current: OraclePlan;
  let taken = 0;
  beforeAll(async () => {
    asked = await openStore(name);
    engine = new NativeEngine(asked.store);
    server = await ModelServer.start((request) => {
      if (isReport(request)) return { text: "no words" };
      const turn = played(current.plan, taken, request);
      taken += 1;
      literals += turn.literals;
      return { text: turn.text };
    });
  });
  afterAll(async () => {
    await server?.stop();
    await asked?.close();
  });

  it.each(ORACLE_PLANS.filter(({ store }) => store === name).map((plan) => [plan.name, plan] as const))(
    "%s",
    async (_, oracle) => {
      current = oracle;
      taken = 0;
      server.asked.length = 0;
      const { answer, trace } = await ask({
        state: { engine, catalogue: new Catalogue(new NativeCatalogue(asked.store)) },
        provider: new Provider(readConfig({ base_url: server.url, capability: "text" }), null),
        question: questionOf(oracle),
        askTx: engine.headTx(),
        entities: entitiesOf(engine, oracle),
        zone: "UTC",
        nameProps: ["name"],
        medium: "plain",
        mode: "loop",
        limits: DEFAULT_LIMITS,
        signal: new AbortController().signal,
        front: "json",
        guided: "shape",
        onEvent: () => {},
      });
      expect(
        answer.attempts.flatMap(({ violations }) => violations).filter(({ kind }) => kind !== "unused_mention"),
      ).toEqual([]);
      for (const [i, value] of oracle.expected().entries()) {
        if (value === undefined) continue;
        const wanted = Array.isArray(value) ? [...value].sort() : value;
        expect(saidOf(answer.parts[i]!.value, value)).toEqual(wanted);
      }
      expect(["answered", "partial"]).toContain(answer.status);
      const turns = server.asked.filter((request) => !isReport(request));
      const told = JSON.stringify(turns.map(({ body }) => body.messages.slice(1)));
      expect(told).not.toMatch(/rows\[[5-9]\]\\",\\"row/);
      // Alone, on the same store, the plan gives the same for every step.
      const alone = await tracePlan(engine, answer.plan, { askTx: engine.headTx() });
      expect(alone.trace.trace_digest).toBe(trace!.trace_digest);
      expect(alone.trace.steps.map(({ result_digest }) => result_digest)).toEqual(
        trace!.steps.map(({ result_digest }) => result_digest),
      );
    },
  );
});

it.runIf(isThere("collegemsg"))("play references as values", () => {
  expect(literals).toBeGreaterThan(10);
});
