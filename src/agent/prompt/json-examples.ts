// Seven questions over an invented store of payments and offices, the simplest first, each with a plan that answers all it asks.
import type { JsonObject } from "../../contract/values.js";
import type { PlannerExample } from "./planner-front.js";

const MAY = { from: "2020-05-01", to: "2020-06-01" };
const APRIL = { from: "2020-04-01", to: "2020-05-01" };
const FIRST = { from: "2020-05-01", to: "2020-05-02" };
const PAID = { types: ["PAID"] };

interface Step {
  readonly id: string;
  readonly op: string;
  readonly args: JsonObject;
}

function example(
  kind: PlannerExample["kind"],
  question: string,
  {
    thought,
    steps,
    answer,
  }: { readonly thought: string; readonly steps: readonly Step[]; readonly answer: JsonObject },
): PlannerExample {
  const operators = [...new Set(steps.map(({ op }) => op))];
  return { kind, question, written: { thought, steps: [...steps] as unknown as JsonObject[], answer }, operators };
}

const total = example("total", "How many payments were made in April 2020?", {
  thought: "Count the events.",
  steps: [
    { id: "s1", op: "aggregate_events", args: { window: APRIL, where: PAID, aggregates: [{ fn: "count", as: "n" }] } },
  ],
  answer: { kind: "count", from: "s1.rows[0].n" },
});

const top = example("top", "Who got the most payments in April 2020?", {
  thought: "Count the events of each receiver, the most first.",
  steps: [
    {
      id: "s1",
      op: "aggregate_events",
      args: {
        window: APRIL,
        where: PAID,
        group_by: [{ dim: "node", role: "dst" }],
        aggregates: [{ fn: "count", as: "n" }],
        order_by: [{ column: "n", desc: true }],
      },
    },
  ],
  answer: { kind: "value", from: "s1.rows[0].dst" },
});

const aggregate = example(
  "aggregate",
  'How many people did "ana" pay in May 2020, and who got the most payments from her?',
  {
    thought: "Group her events by receiver, the most first.",
    steps: [
      {
        id: "s1",
        op: "aggregate_events",
        args: {
          window: MAY,
          where: { ...PAID, src: { uids: ["ana"] } },
          group_by: [{ dim: "node", role: "dst" }],
          aggregates: [{ fn: "count", as: "n" }],
          order_by: [{ column: "n", desc: true }],
        },
      },
    ],
    answer: { kind: "count", from: "s1.rows_total", also: [{ kind: "value", from: "s1.rows[0].dst" }] },
  },
);

const reachThenMotif = example(
  "reach then motif",
  'Whom could "ana" reach on 2020-05-01 with waits up to an hour, and how many payments among them came back within ten minutes that day?',
  {
    thought: "Reach from ana, then count returned payments among the reached.",
    steps: [
      { id: "s1", op: "temporal_reachability", args: { uid: "ana", window: FIRST, max_wait: "PT1H" } },
      {
        id: "s2",
        op: "count_temporal_motifs",
        args: {
          motif: "a>b,b>a",
          delta: "PT10M",
          window: FIRST,
          where: { ...PAID, node: { uids: { $ref: "s1.rows[*].uid" } } },
        },
      },
    ],
    answer: { kind: "entity_set", from: "s1.rows[*].uid", also: [{ kind: "count", from: "s2.count" }] },
  },
);

const patternWithAbsence = example(
  "pattern with absence",
  "Who passed a payment on within an hour on 2020-05-01 to somebody whom the payer never paid, and how many are they?",
  {
    thought: "Join payments with the next ones, keep those whose ends have no payment.",
    steps: [
      {
        id: "s1",
        op: "scan",
        args: { of: "events", names: ["PAID"], valid: { window: FIRST }, columns: ["src", "dst", "at"] },
      },
      {
        id: "s2",
        op: "scan",
        args: { of: "events", names: ["PAID"], columns: ["src", "dst"] },
      },
      {
        id: "s3",
        op: "select",
        args: {
          query:
            "SELECT DISTINCT e.dst FROM e JOIN f ON f.src = e.dst AND f.at > e.at AND f.at <= e.at + DURATION 'PT1H' " +
            "WHERE f.dst <> e.src AND NOT EXISTS (SELECT 1 FROM d WHERE d.src = e.src AND d.dst = f.dst)",
          tables: { e: { $ref: "s1.rows[*]" }, f: { $ref: "s1.rows[*]" }, d: { $ref: "s2.rows[*]" } },
        },
      },
    ],
    answer: { kind: "entity_set", from: "s3.rows[*].dst", also: [{ kind: "count", from: "s3.rows_total" }] },
  },
);

const pastBelief = example(
  "past belief",
  'Which office did we believe on 2021-01-01 that "eve" held on 2020-03-01, and from when to when?',
  {
    thought: "Her facts at that instant, as believed at that pin.",
    steps: [
      {
        id: "s1",
        op: "fact_freshness",
        args: { src: "eve", types: ["HOLDS"], at: "2020-03-01", as_of_tt: "2021-01-01" },
      },
    ],
    answer: { kind: "value", from: "s1.rows[0].dst", also: [{ kind: "interval", from: "s1.rows[0]" }] },
  },
);

const senders = (id: string, window: JsonObject): Step => ({
  id,
  op: "aggregate_events",
  args: { window, where: PAID, group_by: [{ dim: "node", role: "src" }], aggregates: [{ fn: "count", as: "n" }] },
});

const setDifference = example(
  "set difference",
  "Who paid somebody in April 2020 and nobody in May 2020, and how many are they?",
  {
    thought: "Senders of April without those of May.",
    steps: [
      senders("s1", APRIL),
      senders("s2", MAY),
      {
        id: "s3",
        op: "compute",
        args: { fn: "difference", input: { $ref: "s1.rows[*].src" }, other: { $ref: "s2.rows[*].src" } },
      },
    ],
    answer: { kind: "entity_set", from: "s3.rows[*].value", also: [{ kind: "count", from: "s3.rows_total" }] },
  },
);

export const JSON_EXAMPLES: readonly PlannerExample[] = [
  total,
  top,
  aggregate,
  reachThenMotif,
  patternWithAbsence,
  pastBelief,
  setDifference,
];
