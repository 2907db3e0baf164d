// What the agent itself costs, without model and kernels: a question from its first word to its answer against a scripted
// server in this process, the card of the store, its notes, sixteen claims, the check of a text. Answers are compared before they
// are timed.

import { join } from "node:path";
import type { Claim } from "../../src/agent/claims/claim.js";
import { Evidence, type StoredResult } from "../../src/agent/claims/evidence.js";
import { StoreQuestions } from "../../src/agent/claims/store-questions.js";
import { verifyClaims } from "../../src/agent/claims/verify.js";
import { type AgentEvent, createAgent } from "../../src/agent/index.js";
import { wordingOf } from "../../src/agent/wording.js";
import { possibleNames } from "../../src/agent/words/names-in-prose.js";
import { checkProse } from "../../src/agent/words/prose.js";
import { Database } from "../../src/database.js";
import { tracePlan } from "../../src/plan/index.js";
import { events, nodeName } from "../data/corrected-intervals.js";
import { atMost, type Figure } from "../runner/figures.js";
import { statistics } from "../runner/measure.js";
import type { Workload } from "../runner/workload.js";
import { open } from "../stores/database.js";
import { buildIntervalStore } from "../stores/interval-store.js";
import { NOTED_DAYS, NotedStore } from "../stores/noted-store.js";
import { ScriptedModel } from "../stores/scripted-model.js";

const WARM_UPS = 20;
const REPETITIONS = 100;
const COLD_CARDS = 20;
const COLD_NOTES = 20;
const ASK_MS_GATE = 20;
const COLD_CARD_MS_GATE = 50;
const CACHED_CARD_MS_GATE = 1;
const NOTES_MS_GATE = 5;
const NEW_NOTES_MS_GATE = 20;
const CLAIMS_MS_GATE = 5;
const PROSE_MS_GATE = 2;

const NODE = nodeName(1);
const count = { fn: "count", as: "n" };
const perTarget = {
  id: "s1",
  op: "aggregate_events",
  args: {
    where: { src: { uids: [NODE] } },
    group_by: [{ dim: "node", role: "dst" }],
    aggregates: [count],
    order_by: [{ column: "n", desc: true }],
  },
};
const intoFirst = {
  id: "s2",
  op: "aggregate_events",
  args: { where: { dst: { uids: [{ $ref: "s1.rows[0].dst" }] } }, aggregates: [count] },
};
const answer = {
  kind: "value",
  from: "s1.rows[0].dst",
  also: [
    { kind: "count", from: "s1.rows[0].n" },
    { kind: "count", from: "s2.events" },
  ],
};
const PLAN = { thought: "Group by target.", steps: [perTarget, intoFirst], answer };
const REPORT = {
  text: "{c1} is where edges of {q1} lead, with {c2} of them. {c3} edges end at {c1}. {c4} nodes are linked by {q1}.",
  claims: [
    { id: "c1", type: "entity", cell: "s1.rows[0].dst" },
    { id: "c2", type: "count", cell: "s1.rows[0].n", about: ["s1.rows[0].dst"] },
    { id: "c3", type: "count", cell: "s2.events", about: ["s1.rows[0].dst"] },
    { id: "c4", type: "count", cell: "s1.rows_total" },
  ],
};
const QUESTION = `Where do edges of ${NODE} lead to mostly, and how many edges lead there?`;

/** Sixteen claims over the same two steps, none of which asks the store again. */
const CLAIMS: readonly object[] = [
  ...[0, 1, 2, 3, 4, 5].flatMap((row) => [
    { type: "entity", cell: `s1.rows[${row}].dst` },
    { type: "count", cell: `s1.rows[${row}].n`, about: [`s1.rows[${row}].dst`] },
  ]),
  { type: "entity_set", cells: "s1.rows[*].dst", complete: true },
  { type: "count", cell: "s2.events", about: ["s1.rows[0].dst"] },
  { type: "count", cell: "s1.rows_total", about: ["q1"] },
  { type: "count", cell: "s1.events", about: ["q1"] },
].map((claim, i) => ({ ...claim, id: `c${i + 1}` }));

/** As long as a text may be, in ordinary words. */
const LONG_TEXT = Array.from({ length: 8 }, (_, i) => {
  const pair = 2 * (i % 6);
  return `Edges that leave the account in question lead on to {c${pair + 1}} in a good number of cases, namely {c${pair + 2}} of these.`;
}).join(" ");

interface Asked {
  readonly wholeMs: number;
  readonly cardMs: number;
  readonly serverMs: number;
  readonly stepsMs: number;
}

class Asking {
  private constructor(
    private readonly db: Database,
    private readonly model: ScriptedModel,
    private readonly agent: ReturnType<typeof createAgent>,
  ) {}

  static async begin(db: Database): Promise<Asking> {
    const model = await ScriptedModel.start((system) =>
      JSON.stringify(system.includes("You word the answer") ? REPORT : PLAN),
    );
    return new Asking(db, model, createAgent(db, { model: { base_url: model.url, capability: "schema" } }));
  }

  async once(): Promise<Asked> {
    const heldBefore = this.model.heldMs;
    const at = new Map<AgentEvent["at"], number>();
    const begun = performance.now();
    const { answer: told, trace } = await this.agent.ask(QUESTION, {
      on_event: (event) => void (at.has(event.at) || at.set(event.at, performance.now())),
    });
    const wholeMs = performance.now() - begun;
    if (told.status !== "answered" || told.usage.calls !== 2) throw new Error(`the answer is ${JSON.stringify(told)}`);
    const stepsMs = trace!.steps.reduce((sum, { ms }) => sum + (ms ?? 0), 0);
    const cardMs = at.get("card")! - at.get("mentions")!;
    return { wholeMs, cardMs, stepsMs, serverMs: this.model.heldMs - heldBefore };
  }

  /** A commit that no card was made of yet. */
  async afterWrite(number: number): Promise<Asked> {
    await this.db.write([
      { op: "assert_edge", src: "card", type: "R", dst: "card", key: String(number), valid_from: "2020-01-01" },
    ]);
    return this.once();
  }

  end(): Promise<void> {
    return this.model.stop();
  }
}

function figureOf(name: string, samples: readonly number[], limit: number, notes: Figure["notes"] = {}): Figure {
  const { median, p95, least, repetitions } = statistics(samples);
  return { name, unit: "ms", value: median, p95, repetitions, gate: atMost(limit), notes: { ...notes, least } };
}

const median = (values: readonly number[]): number => statistics(values).median;

async function timeAsks(db: Database): Promise<Figure[]> {
  const asking = await Asking.begin(db);
  for (let i = 0; i < WARM_UPS; i += 1) await asking.once();
  const asks: Asked[] = [];
  const cpuBefore = process.cpuUsage();
  for (let i = 0; i < REPETITIONS; i += 1) asks.push(await asking.once());
  const { user, system } = process.cpuUsage(cpuBefore);
  const colds: Asked[] = [];
  for (let i = 0; i < COLD_CARDS; i += 1) colds.push(await asking.afterWrite(i));
  await asking.end();
  const own = asks.map(({ wholeMs, serverMs, stepsMs }) => wholeMs - serverMs - stepsMs);
  const notes = {
    whole: median(asks.map(({ wholeMs }) => wholeMs)),
    server: median(asks.map(({ serverMs }) => serverMs)),
    steps: median(asks.map(({ stepsMs }) => stepsMs)),
    // Of the whole process, server and kernels included.
    processor_time: (user + system) / 1e3 / REPETITIONS,
  };
  return [
    figureOf("ask, without the server and the steps of the plan", own, ASK_MS_GATE, notes),
    figureOf(
      "card, cold",
      colds.map(({ cardMs }) => cardMs),
      COLD_CARD_MS_GATE,
    ),
    figureOf(
      "card, cached",
      asks.map(({ cardMs }) => cardMs),
      CACHED_CARD_MS_GATE,
    ),
  ];
}

async function timed(name: string, limit: number, call: () => unknown, notes: Figure["notes"] = {}): Promise<Figure> {
  const samples: number[] = [];
  for (let i = 0; i < WARM_UPS + REPETITIONS; i += 1) {
    const begun = performance.now();
    await call();
    if (i >= WARM_UPS) samples.push(performance.now() - begun);
  }
  return figureOf(name, samples, limit, notes);
}

/** What of 220 notes a question is given: once they are known, behind a commit that touches none of them, behind a late record. */
async function timeNotes(folder: string): Promise<Figure[]> {
  const store = await NotedStore.build(folder);
  const ask = async (): Promise<void> => {
    const given = await store.asked();
    if (given !== 3) throw new Error(`${given} notes instead of three`);
  };
  const behind = async (day: number): Promise<number[]> => {
    const samples: number[] = [];
    for (let i = 0; i < COLD_NOTES; i += 1) {
      await store.wrote(day, COLD_NOTES * day + i);
      const begun = performance.now();
      await ask();
      samples.push(performance.now() - begun);
    }
    return samples;
  };
  const notes = { notes: NOTED_DAYS };
  const figures = [
    await timed("notes of a question, nothing changed", NOTES_MS_GATE, ask, notes),
    figureOf("notes of a question, behind a commit", await behind(NOTED_DAYS), NEW_NOTES_MS_GATE, notes),
    figureOf("notes of a question, behind a late record", await behind(0), NEW_NOTES_MS_GATE, notes),
  ];
  await store.close();
  return figures;
}

async function timeChecks(db: Database): Promise<Figure[]> {
  return Database.reading(db, async ({ engine, catalogue }) => {
    const { thought: _thought, ...plan } = PLAN;
    const { trace, answers, error } = await tracePlan(engine, plan, { identifiers: new Set([NODE]) });
    if (error !== null) throw error;
    const results = Array.from(answers.values(), ({ envelope, type }): [string, StoredResult] => [
      envelope.result_digest,
      { envelope, type },
    ]);
    const questions = new StoreQuestions(engine, catalogue);
    const evidence = new Evidence(trace, new Map(results), questions, [{ id: "q1", uid: NODE }]);
    const verdicts = await verifyClaims(evidence, CLAIMS);
    const fallen = verdicts.find(({ verdict }) => verdict !== "supported");
    if (fallen !== undefined) throw new Error(`a claim does not hold: ${JSON.stringify(fallen)}`);
    const { claims, entities } = await wordingOf(evidence, CLAIMS as Claim[], [
      { id: "q1", kind: "uid", text: NODE, span: [0, NODE.length], uid: NODE },
    ]);
    const prose = { text: LONG_TEXT, claims, mentions: new Set(["q1"]), entities, names: new Set<string>() };
    const rejections = checkProse(prose);
    if (rejections.length > 0) throw new Error(`the text is rejected: ${JSON.stringify(rejections)}`);
    const notes = { characters: LONG_TEXT.length, possible_names: possibleNames(LONG_TEXT).size };
    return [
      await timed("sixteen claims", CLAIMS_MS_GATE, () => verifyClaims(evidence, CLAIMS)),
      await timed("prose check of a long text", PROSE_MS_GATE, () => checkProse(prose), notes),
    ];
  });
}

export const workload: Workload = {
  summary:
    "what a question costs beside model and kernels: the whole ask, the card, notes, claims, the check of a text",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const db = await open(join(folder, "store"));
    await buildIntervalStore(db, scale, events(scale));
    progress("store built");
    const figures = [...(await timeAsks(db)), ...(await timeChecks(db))];
    await db.close();
    return [...figures, ...(await timeNotes(folder))];
  },
};
