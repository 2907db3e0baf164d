// Every way in which a model or its server goes wrong, as a script, with the outcome that is stated for it.
import type { AskOptions, Limits, ModelConfig } from "../../src/agent/index.js";
import { MAY, MOST_PAID } from "./conversations.js";
import type { Asked, Reply } from "./model-server.js";

export type Outcome = "answered" | "partial" | "abstained" | "failed" | "E_MODEL" | "E_CANCELLED";

export interface Fault {
  readonly name: string;
  readonly outcome: Outcome;
  /** Replies to requests for plans or turns, and for reports; the last of each again and again. */
  readonly plans: readonly unknown[];
  readonly reports?: readonly unknown[];
  /** Before anything else: what a request gets, whatever it asks for; null goes on to the replies. */
  readonly first?: (asked: Asked, position: number) => Reply | null;
  readonly model?: ModelConfig;
  /** Whether the agent has to find out what its server holds. */
  readonly isProbed?: boolean;
  readonly options?: AskOptions;
  readonly limits?: Partial<Limits>;
}

const { plan: PLAN, report: REPORT } = MOST_PAID;
const text = (value: unknown): string => JSON.stringify(value);
const [STEP] = PLAN.steps;
const withArgs = (args: object) => ({ ...PLAN, steps: [{ ...STEP, args: { ...STEP.args, ...args } }] });
const raw = (reply: Reply) => ({ reply });
const from = (path: string, kind = "value") => ({ ...PLAN, answer: { kind, from: path } });

const PLANS: readonly Fault[] = [
  { name: "right plan, right report", outcome: "answered", plans: [PLAN] },
  {
    name: "prose around JSON",
    outcome: "answered",
    plans: [`Sure!\n\`\`\`json\n${text(PLAN)}\n\`\`\`\nHope it helps {x}.`],
  },
  { name: "reasoning before JSON", outcome: "answered", plans: [`<think>{"steps": 3}</think>${text(PLAN)}`] },
  { name: "unclosed reasoning", outcome: "answered", plans: [`<think>Let me see ${text(PLAN)}`, PLAN] },
  { name: "bad JSON", outcome: "answered", plans: [text(PLAN).slice(0, -9), PLAN] },
  {
    name: "duplicate keys",
    outcome: "answered",
    plans: [text(PLAN).replace('"thought"', '"steps":[],"thought"'), PLAN],
  },
  { name: "nesting without end", outcome: "answered", plans: [`{"steps":${"[".repeat(3e4)}${"]".repeat(3e4)}}`, PLAN] },
  { name: "nothing", outcome: "answered", plans: ["", PLAN] },
  { name: "a list", outcome: "answered", plans: ["[1, 2]", PLAN] },
  { name: "unknown operator", outcome: "answered", plans: [{ ...PLAN, steps: [{ ...STEP, op: "drop_all" }] }, PLAN] },
  { name: "unknown field", outcome: "answered", plans: [from("s1.rows[0].account"), PLAN] },
  { name: "unknown argument", outcome: "answered", plans: [withArgs({ colour: "red" }), PLAN] },
  { name: "unknown member", outcome: "answered", plans: [{ ...PLAN, result: 42 }, PLAN] },
  {
    name: "invented uid at top level",
    outcome: "answered",
    plans: [{ ...PLAN, steps: [STEP, { id: "s2", op: "entity_history", args: { uid: "zoe" } }] }, PLAN],
  },
  {
    name: "invented uid in a filter",
    outcome: "answered",
    plans: [withArgs({ where: { src: { uids: ["zoe"] } } }), PLAN],
  },
  {
    name: "known uid that nobody named",
    outcome: "answered",
    plans: [withArgs({ where: { src: { uids: ["dan"] } } }), PLAN],
  },
  {
    name: "nested wrong path",
    outcome: "answered",
    plans: [
      {
        ...PLAN,
        steps: [
          STEP,
          {
            ...STEP,
            id: "s2",
            args: { where: { dst: { uids: [{ $ref: "s1.rows[0].who" }] } }, aggregates: [{ fn: "count", as: "n" }] },
          },
        ],
      },
      PLAN,
    ],
  },
  { name: "row that is not there", outcome: "answered", plans: [from("s1.rows[7].dst"), PLAN] },
  { name: "wrong answer kind", outcome: "answered", plans: [from("s1.rows", "count"), PLAN] },
  {
    name: "page counted",
    outcome: "answered",
    plans: [
      {
        ...PLAN,
        steps: [
          { ...STEP, args: { ...STEP.args, limit: 2 } },
          { id: "s2", op: "compute", args: { fn: "count", input: { $ref: "s1.rows" } } },
        ],
        answer: { kind: "count", from: "s2.value" },
      },
      PLAN,
    ],
  },
  { name: "plans that never hold", outcome: "failed", plans: [1, 2, 3, 4].map((result) => ({ ...PLAN, result })) },
  { name: "the same wrong plan again", outcome: "failed", plans: [{ ...PLAN, result: 1 }] },
  { name: "prose in place of plans", outcome: "failed", plans: ["It was bo, 2 times."] },
];

const report = (name: string, wrong: unknown): readonly Fault[] => [
  { name: `${name}, once`, outcome: "answered", plans: [PLAN], reports: [wrong, REPORT] },
  { name: `${name}, twice`, outcome: "answered", plans: [PLAN], reports: [wrong] },
];
const [ENTITY, COUNT, TIMES] = REPORT.claims;
const worded = (words: string) => ({ ...REPORT, text: words });

const REPORTS: readonly Fault[] = [
  ...report("bare number", worded("{c1} was paid 2 times.")),
  ...report("another number", worded("{c1} was paid 42 times.")),
  ...report("text without end", worded("{c1} was paid {c3} times. ".repeat(500))),
  ...report("number word", worded("{c1} was paid {c3} times, twice in {q2}.")),
  ...report("bare date", worded("{c1} was paid in January.")),
  ...report("bare name", worded("Dan was paid {c3} times.")),
  ...report("made-up name", worded("{c1} is also called Zorblax.")),
  ...report("quote", worded("{c1} said “{c3}”.")),
  ...report("touching placeholders", worded("{c1} was paid {c3}{c2} times.")),
  ...report("a sign before a value", worded("{c1} was paid -{c3} times.")),
  ...report("unlicensed word", worded("{q1} always paid {c2} people.")),
  ...report("cause", worded("{c1} was paid because of {c3}.")),
  ...report("words without evidence", worded("{c1} was paid. It is rich.")),
  ...report("markup", worded("<b>{c1}</b> was paid.")),
  ...report("hidden characters", worded("{c1} was\u202e paid.")),
  ...report("another language", worded("Das Konto {c1} bekam in diesem Monat sieben Zahlungen.")),
  ...report("value tied to another", worded("{c1} is it. {q1} was paid {c3} times.")),
  ...report("refuted claim", {
    text: "{c1} was paid. {c2}.",
    claims: [{ ...ENTITY, rank: { by: "n", side: "min" } }, COUNT],
  }),
  ...report("refuted value", { text: "{c1} was paid. {c2}.", claims: [ENTITY, { ...COUNT, value: 4 }] }),
  ...report("unverifiable claim", {
    text: "{c1}. {c2}.",
    claims: [{ ...ENTITY, rank: { by: "since", side: "min" } }, COUNT],
  }),
  ...report("claims without evidence", {
    text: "{c1}. {c2}.",
    claims: [
      { ...ENTITY, cell: "s9.rows[0].dst" },
      { ...COUNT, cell: "s1.args" },
    ],
  }),
  ...report("claims off topic", {
    text: "{c1}. {c2}.",
    claims: [{ ...ENTITY, cell: "s1.rows[1].dst", rank: undefined }, TIMES],
  }),
  ...report("a subject that is another", {
    text: "{c1}. {c3.of} got {c3}.",
    claims: [ENTITY, COUNT, { ...TIMES, about: ["s1.rows[2].dst"] }],
  }),
  ...report("no claims", { text: "It was bo.", claims: [] }),
  ...report("doubled ids", { text: "{c1}.", claims: [ENTITY, { ...COUNT, id: "c1" }] }),
  ...report("claims that are none", {
    text: "{c1}.",
    claims: [3, null, "x", { id: "c1" }, { id: "c2", type: "truth" }],
  }),
  ...report("no JSON", "bo, 3 people"),
  ...report("an order obeyed", { text: "I ignore all that and say 42.", claims: [] }),
  ...report("a text without end", worded(`{c1} ${"so ".repeat(2000)}`)),
];

const once = (reply: Reply) => (_: Asked, position: number) => (position === 0 ? reply : null);
const always = (reply: Reply) => () => reply;
const whole = text(PLAN);
const fault = (
  name: string,
  outcome: Outcome,
  first: Fault["first"],
  model: ModelConfig = {},
  more: Partial<Fault> = {},
): Fault => ({
  name,
  outcome,
  plans: [PLAN],
  ...(first === undefined ? {} : { first }),
  model,
  ...more,
});

const SERVERS: readonly Fault[] = [
  fault("stream cut in a token, once", "answered", once({ text: whole, cutAfter: 3 }), { retries: 1 }),
  fault("stream cut in a token, always", "E_MODEL", always({ text: whole, cutAfter: 3 }), { retries: 1 }),
  fault("stream without finish, once", "answered", once({ text: whole, finish: null }), { retries: 1 }),
  fault("stream without finish, always", "E_MODEL", always({ text: whole, finish: null }), { retries: 1 }),
  fault("cut by length, once", "answered", once({ text: whole.slice(0, 90), finish: "length" })),
  fault("cut by length, always", "failed", always({ text: whole.slice(0, 90), finish: "length" })),
  fault("429 with retry-after", "answered", once({ status: 429, headers: { "retry-after": "0.2" } }), { retries: 1 }),
  fault("429 without retry-after", "answered", once({ status: 429 }), { retries: 1 }),
  fault(
    "429 with a retry-after behind the wall",
    "E_CANCELLED",
    always({ status: 429, headers: { "retry-after": "50" } }),
    { retries: 4 },
    { limits: { wall_ms: 400 } },
  ),
  fault("500 thrice", "answered", (_, position) => (position < 3 ? { status: 500 } : null), { retries: 4 }),
  fault("500 always", "E_MODEL", always({ status: 500 }), { retries: 1 }),
  fault("500 behind the wall", "E_CANCELLED", always({ status: 500 }), { retries: 20 }, { limits: { wall_ms: 400 } }),
  fault("401", "E_MODEL", always({ status: 401 }), { retries: 4 }),
  fault("404", "E_MODEL", always({ status: 404 }), { retries: 4 }),
  fault("an error in the stream", "E_MODEL", always({ raw: 'data: {"error": {"message": "say 42"}}\n\n' })),
  fault("no stream but a page", "E_MODEL", always({ raw: "<html>42</html>", contentType: "text/html" })),
  fault("slow first byte", "E_MODEL", always({ text: whole, firstAfterMs: 5_000 }), { timeout_ms: 200 }),
  fault(
    "slow first byte behind the wall",
    "E_CANCELLED",
    always({ text: whole, firstAfterMs: 5_000 }),
    {},
    { limits: { wall_ms: 300 } },
  ),
  fault("slow stream that ends in time", "answered", once({ text: whole, pieceAfterMs: 1, pieceLength: 40 })),
  fault("slow stream", "E_MODEL", always({ text: whole, pieceAfterMs: 60 }), { timeout_ms: 300 }),
  fault("10 MB body", "E_MODEL", always({ raw: Buffer.alloc(10 * 1024 * 1024, 0x20) })),
  fault("10 MB of text", "E_MODEL", always({ text: "x".repeat(10 * 1024 * 1024), pieceLength: 900_000 })),
  fault("redirect", "E_MODEL", always({ status: 302, headers: { location: "http://127.0.0.1:9/" } })),
  fault(
    "schema accepted and ignored",
    "answered",
    ({ body }) => (body.max_tokens < 100 ? { text: '{"word": "hello"}' } : null),
    {},
    { isProbed: true },
  ),
  fault(
    "400 on response_format, tools refused",
    "answered",
    ({ body }) => ("response_format" in body || "tools" in body ? { status: 400 } : null),
    {},
    { isProbed: true },
  ),
];

const payees = { call: { op: "aggregate_events", args: { ...STEP.args, window: MAY } } };
const finish = { finish: { answer: PLAN.answer } };
const loop = (name: string, outcome: Outcome, plans: readonly unknown[], more: Partial<Fault> = {}): Fault => ({
  name: `loop: ${name}`,
  outcome,
  plans,
  options: { mode: "loop" },
  limits: { loop_calls: 5 },
  ...more,
});

const LOOPS: readonly Fault[] = [
  loop("right", "answered", [payees, finish]),
  loop(
    "never finishes",
    "abstained",
    [1, 2, 3, 4, 5, 6, 7].map((limit) => ({ call: { ...payees.call, args: { ...payees.call.args, limit } } })),
  ),
  loop("repeats", "abstained", [payees]),
  loop(
    "unknown tools",
    "failed",
    [1, 2, 3, 4, 5, 6].map((n) => ({ call: { op: `tool_${n}`, args: {} } })),
  ),
  loop("bad arguments, then right", "answered", [
    { call: { op: "aggregate_events", args: { colour: 1 } } },
    payees,
    finish,
  ]),
  loop("invented uid, then right", "answered", [
    { call: { op: "entity_history", args: { uid: "zoe" } } },
    payees,
    finish,
  ]),
  loop("prose", "failed", ["It was bo."]),
  loop("finish at a wrong path, then right", "answered", [
    payees,
    { finish: { answer: { kind: "value", from: "s1.rows[0].who" } } },
    finish,
  ]),
  loop("slow turns behind the wall", "E_CANCELLED", [raw({ text: "{}", firstAfterMs: 5_000 })], {
    limits: { wall_ms: 300 },
  }),
  {
    name: "auto: plans that never hold, then a right loop",
    outcome: "answered",
    plans: [...[1, 2, 3, 4].map((result) => ({ ...PLAN, result })), payees, finish],
    options: { mode: "auto" },
  },
];

const TQL = `SELECT e.dst AS uid, COUNT(*) AS n FROM EVENTS(PAID) FOR VALID_TIME FROM DATE '2020-05-01' TO DATE '2020-06-01' AS e
WHERE e.src = 'ada' GROUP BY e.dst ORDER BY n DESC`;
const STATEMENT = {
  thought: "By receiver.",
  tql: TQL,
  answer: { kind: "value", from: "rows[0].uid", also: [{ kind: "count", from: "rows_total" }] },
};
const tql = (name: string, outcome: Outcome, ...plans: readonly unknown[]): Fault => ({
  name: `TQL: ${name}`,
  outcome,
  plans,
  options: { front: "tql" },
});
const changed = (name: string, statement: string): Fault =>
  tql(`${name}, then right`, "answered", { ...STATEMENT, tql: statement }, STATEMENT);

const STATEMENTS: readonly Fault[] = [
  tql("right", "answered", STATEMENT),
  changed("bad syntax", TQL.replace("SELECT", "SELEKT")),
  changed("cut in a token", TQL.slice(0, 60)),
  changed("invented uid", TQL.replace("'ada'", "'zoe'")),
  changed("known uid that nobody named", TQL.replace("'ada'", "'dan'")),
  changed("unknown column", TQL.replace("e.dst AS uid", "e.colour AS uid")),
  changed("unknown source", TQL.replace("EVENTS(PAID)", "PAYMENTS")),
  changed("a write", "CREATE (n:Person {uid: 'mallory'})"),
  changed("two statements", `${TQL}; ${TQL}`),
  changed("SHOW", "SHOW TYPES"),
  changed("EXPLAIN", `EXPLAIN ${TQL}`),
  changed("without end", `${TQL} -- ${"so ".repeat(2_000)}`),
  tql(
    "wrong path, then right",
    "answered",
    { ...STATEMENT, answer: { kind: "value", from: "rows[0].who" } },
    STATEMENT,
  ),
  tql("a plan in JSON, then right", "answered", PLAN, STATEMENT),
  tql("prose", "failed", "It was bo, 2 times."),
];

export const FAULTS: readonly Fault[] = [...PLANS, ...REPORTS, ...SERVERS, ...LOOPS, ...STATEMENTS];
