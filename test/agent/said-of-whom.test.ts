// Reports whose claims all hold and whose words say them of something else: of another entity, of another time, of a number of
// the question. Code words the answer in their place; what it says was counted by hand.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgent } from "../../src/agent/index.js";
import type { Database } from "../../src/index.js";
import { EVIL_NAME, MAY, paymentStore, scripted } from "./conversations.js";

let db: Database;
beforeAll(async () => {
  db = await paymentStore();
});
afterAll(() => db.close());

const JUNE = { from: "2020-06-01T00:00:00Z", to: "2020-07-01T00:00:00Z" };
const receivers = (src: string, id = "s1", window = MAY) => ({
  id,
  op: "aggregate_events",
  args: {
    window,
    where: { src: { uids: [src] } },
    group_by: [{ dim: "node", role: "dst" }],
    aggregates: [{ fn: "count", as: "n" }],
    order_by: [{ column: "n", desc: true }],
  },
});

const set = (id: string, step: string) => ({ id, type: "entity_set", cells: `${step}.rows[*].dst`, complete: true });
const total = (id: string, step = "s1") => ({ id, type: "count", cell: `${step}.rows_total` });
const TOP = { id: "c1", type: "entity", cell: "s1.rows[0].dst", rank: { by: "n", side: "max" } };
const OF_ONE_STEP = [receivers("ada")];

interface Play {
  readonly name: string;
  readonly question: string;
  readonly steps: readonly object[];
  readonly answer: object;
  readonly text: string;
  readonly claims: readonly object[];
  /** What is shown instead; null: the report as it is. */
  readonly shown: string | null;
}

const MOST = "Whom did ada pay most often in May 2020?";
const HOW_MANY = "How many people did ada pay in May 2020?";
const most = { steps: OF_ONE_STEP, answer: { kind: "value", from: "s1.rows[0].dst" }, shown: "Bo (`bo`)." };
const howMany = { steps: OF_ONE_STEP, answer: { kind: "count", from: "s1.rows_total" }, shown: "3." };

const FALSE: readonly Play[] = [
  {
    ...most,
    name: "a number as the subject of another claim",
    question: MOST,
    text: "{c1} was paid the most, {c2.of} in number.",
    claims: [TOP, { id: "c2", type: "entity", cell: "s1.rows[1].dst", about: ["s1.rows[1].n"] }],
  },
  {
    ...most,
    name: "a number of another row behind a pronoun",
    question: MOST,
    text: "{c1} was paid the most. They got {c2}.",
    claims: [TOP, { id: "c2", type: "count", cell: "s1.rows[1].n" }],
  },
  {
    ...most,
    name: "a number of another row behind `it`",
    question: MOST,
    text: "{c1} was paid the most. In the end it got {c2}.",
    claims: [TOP, { id: "c2", type: "count", cell: "s1.rows[2].n" }],
  },
  {
    name: "sets of two payers, exchanged",
    question: "Whom did ada pay and whom did bo pay in May 2020?",
    steps: [receivers("ada"), receivers("bo", "s2")],
    answer: { kind: "entity_set", from: "s1.rows[*].dst", also: [{ kind: "entity_set", from: "s2.rows[*].dst" }] },
    text: "{q1} paid {c2}. {q2} paid {c1}.",
    claims: [set("c1", "s1"), set("c2", "s2")],
    shown: `Bo (\`bo\`), ${EVIL_NAME} (\`cy\`), \`dan\`. ${EVIL_NAME} (\`cy\`).`,
  },
  {
    name: "the first of a list as all of it",
    question: "Whom did ada pay most often in May 2020?",
    steps: [
      receivers("ada"),
      {
        id: "s2",
        op: "compute",
        args: { fn: "topk", input: { $ref: "s1.rows" }, k: 1, order: [{ field: "n", desc: true }] },
      },
    ],
    answer: { kind: "entity_set", from: "s2.rows[*].dst" },
    text: "These are all whom {q1} paid: {c1}.",
    claims: [set("c1", "s2")],
    shown: "Bo (`bo`).",
  },
  {
    name: "an absence of another payer",
    question: "Whom did dan pay in May 2020, and how many did bo pay?",
    steps: [receivers("dan"), receivers("bo", "s2")],
    answer: { kind: "entity_set", from: "s1.rows[*].dst", also: [{ kind: "count", from: "s2.rows_total" }] },
    text: "{q3} never paid: {c1}. It was {c2}.",
    claims: [{ id: "c1", type: "absence", list: "s1.rows" }, total("c2", "s2")],
    shown: "nothing found (`dan`; 2020-05-01 to 2020-06-01 (end excluded); as believed at tx:2). 1.",
  },
  {
    ...howMany,
    name: "a number of the question",
    question: "Did ada pay 500 people in May 2020?",
    text: "{q1} paid {q2} people. It was {c1}.",
    claims: [total("c1")],
  },
  {
    ...howMany,
    name: "a number of the question beside the claim",
    question: "Did ada pay 500 people in May 2020?",
    text: "{q1} paid {q2} people: {c1}.",
    claims: [total("c1")],
  },
  {
    ...howMany,
    name: "entities of the question, and no claim",
    question: "Did ada pay bo in May 2020, and how many people did ada pay?",
    text: "{q2} paid {q1}. It was {c1}.",
    claims: [total("c1")],
  },
  {
    ...howMany,
    name: "another count, the asked one left out",
    question: HOW_MANY,
    text: "{q1} paid {c2} people.",
    claims: [total("c1"), { id: "c2", type: "count", cell: "s1.rows[0].n" }],
  },
  { ...howMany, name: "no words at all", question: HOW_MANY, text: "", claims: [total("c1")] },
  {
    name: "a share of two payers' counts as one's",
    question: "How many people did ada pay and how many did bo pay in May 2020?",
    steps: [
      receivers("ada"),
      receivers("bo", "s2"),
      { id: "s3", op: "compute", args: { fn: "ratio", x: { $ref: "s2.rows_total" }, y: { $ref: "s1.rows_total" } } },
    ],
    answer: { kind: "value", from: "s3.value" },
    text: "{q1} paid {c1} people.",
    claims: [{ id: "c1", type: "value", cell: "s3.value" }],
    shown: "0.333333333.",
  },
  {
    name: "counts of two months, exchanged",
    question: "How many people did ada pay in June 2020, and how many in May 2020?",
    steps: [receivers("ada", "s1", JUNE), receivers("ada", "s2")],
    answer: { kind: "count", from: "s2.rows_total", also: [{ kind: "count", from: "s1.rows_total" }] },
    text: "In {q2} it was {c1}. In {q3}, {c2}.",
    claims: [total("c1", "s2"), { id: "c2", type: "absence", cell: "s1.rows_total" }],
    shown:
      "3. nothing found (Ada L (`ada`); 2020-06-01 to 2020-07-01 (end excluded); as believed at tx:2; the store holds nothing for that time, data run from 2020-05-02T08:00:00Z to 2020-05-09T08:00:00.000001Z (end excluded)).",
  },
];

const TRUE: readonly Play[] = [
  {
    name: "what is computed of one payer's rows alone",
    question: "How often did ada pay her payee in May 2020?",
    steps: [receivers("ada"), { id: "s2", op: "compute", args: { fn: "max", input: { $ref: "s1.rows[*].n" } } }],
    answer: { kind: "value", from: "s2.value" },
    text: "{q1} paid them {c1} times.",
    claims: [{ id: "c1", type: "value", cell: "s2.value" }],
    shown: "`ada` paid them 2 times.",
  },
  {
    name: "what was handed on by more ways than can be walked",
    question: "How often did ada pay her payee in May 2020?",
    steps: [
      receivers("ada"),
      ...Array.from({ length: 10 }, (_, i) => ({
        id: `s${i + 2}`,
        op: "compute",
        args: {
          fn: "max",
          input: Array.from({ length: 40 }, () => ({ $ref: i === 0 ? "s1.rows[0].n" : `s${i + 1}.value` })),
        },
      })),
    ],
    answer: { kind: "value", from: "s11.value" },
    text: "{q1} paid them {c1} times.",
    claims: [{ id: "c1", type: "value", cell: "s11.value" }],
    shown: "`ada` paid them 2 times.",
  },
  {
    name: "a commit that the question names",
    question: "As of commit 2, how many people had ada paid in May 2020?",
    steps: [{ ...receivers("ada"), args: { ...receivers("ada").args, as_of_tt: "tx:2" } }],
    answer: { kind: "count", from: "s1.rows_total" },
    text: "As of {q1}, {q2} paid {c1} people.",
    claims: [total("c1")],
    shown: "As of commit 2, `ada` paid 3 people.",
  },
  {
    ...most,
    name: "a count of the same row, a number as subject beside none, a pronoun for it",
    question: MOST,
    text: "{c1} was paid the most in {q2}. It got {c2}.",
    claims: [TOP, { id: "c2", type: "count", cell: "s1.rows[0].n" }],
    shown: "Bo (`bo`) was paid the most in 2020-05-01 to 2020-06-01 (end excluded). It got 2.",
  },
  {
    name: "sets of two payers",
    question: "Whom did ada pay and whom did bo pay in May 2020?",
    steps: [receivers("ada"), receivers("bo", "s2")],
    answer: { kind: "entity_set", from: "s1.rows[*].dst", also: [{ kind: "entity_set", from: "s2.rows[*].dst" }] },
    text: "{q2} paid {c2} in {q3}. {q1} paid {c1}.",
    claims: [set("c1", "s1"), set("c2", "s2")],
    shown: `\`bo\` paid ${EVIL_NAME} (\`cy\`) in 2020-05-01 to 2020-06-01 (end excluded). \`ada\` paid Bo (\`bo\`), ${EVIL_NAME} (\`cy\`), \`dan\`.`,
  },
  {
    ...howMany,
    name: "a dummy pronoun behind an entity",
    question: HOW_MANY,
    text: "{q1} is in {q2}, {c2.of} the payer. It was {c1} in all.".replace("in all", "altogether"),
    claims: [total("c1"), { id: "c2", type: "count", cell: "s1.rows_total", about: ["q1"] }],
    shown: "`ada` is in 2020-05-01 to 2020-06-01 (end excluded), `ada` the payer. It was 3 altogether.",
  },
];

async function textOf({ question, steps, answer, text, claims }: Play): Promise<string> {
  const server = await scripted([{ thought: "", steps, answer }], [{ text, claims }]);
  try {
    const agent = createAgent(db, { model: { base_url: server.url, retries: 0, capability: "text" } });
    return (await agent.ask(question, { mode: "plan" })).answer.text;
  } finally {
    await server.stop();
  }
}

describe("words that say true claims of something else", () => {
  it.each(FALSE)("are not shown: $name", async (play) => expect(await textOf(play)).toBe(play.shown));
});

describe("words that say them as they are", () => {
  it.each(TRUE)("are shown: $name", async (play) => expect(await textOf(play)).toBe(play.shown));
});
