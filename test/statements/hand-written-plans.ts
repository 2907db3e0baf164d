// Plans as their authors would write them, each beside the statement that means the same.
// Names of steps, the order of keys, defaults that are written out and longer references are free.
import type { SmallStore } from "./stores.js";

interface HandWritten {
  readonly store: SmallStore;
  readonly text: string;
  readonly plan: {
    readonly steps: readonly {
      readonly id: string;
      readonly op: string;
      readonly args: Readonly<Record<string, unknown>>;
    }[];
    readonly answer: Readonly<Record<string, unknown>>;
  };
}

const same = (...names: string[]) => names.map((name) => ({ as: name, from: name }));

export const HAND_WRITTEN: readonly [HandWritten, ...HandWritten[]] = [
  {
    store: "payments",
    text: "SELECT e.src, e.dst, e.key FROM EVENTS(PAID) AS e",
    plan: {
      answer: { columns: same("src", "dst", "key"), from: "chosen.rows", kind: "table" },
      steps: [
        { op: "scan", id: "paid", args: { columns: ["src", "dst", "key"], names: ["PAID"], of: "events" } },
        {
          id: "chosen",
          args: { tables: { e: { $ref: "paid.rows[*]" } }, params: {}, query: "select e.src,\n e.dst, e.key from e" },
          op: "select",
        },
      ],
    },
  },
  {
    store: "payments",
    text: "SELECT COUNT(*) AS n FROM EVENTS(PAID) FOR TRANSACTION_TIME AS OF TX 2 AS e",
    plan: {
      answer: { kind: "table", from: "count", columns: same("n") },
      steps: [
        {
          id: "count",
          op: "aggregate_events",
          args: { where: { types: ["PAID"] }, as_of_tt: "tx:2", aggregates: [{ as: "n", fn: "count" }] },
        },
      ],
    },
  },
  {
    store: "payments",
    text: "SELECT e.channel, COUNT(*) AS n, SUM(e.amount) AS total FROM EVENTS(PAID) AS e GROUP BY e.channel",
    plan: {
      steps: [
        {
          id: "g",
          op: "aggregate_events",
          args: {
            aggregates: [
              { fn: "count", as: "n" },
              { prop: "amount", fn: "sum", as: "total" },
            ],
            where: { types: ["PAID"] },
            window: null,
            group_by: [{ prop: "channel", of: "edge", dim: "prop" }],
          },
        },
      ],
      answer: {
        kind: "table",
        from: "g.rows",
        columns: [{ from: "edge.channel", as: "channel" }, ...same("n", "total")],
      },
    },
  },
  {
    store: "payments",
    text: "SELECT n.uid, n.owner FROM NODES(Account) FOR VALID_TIME AS OF DATE '2025-01-01' AS n ORDER BY n.uid",
    plan: {
      steps: [
        {
          id: "accounts",
          op: "scan",
          args: {
            of: "nodes",
            names: ["Account"],
            columns: ["uid", "props.owner"],
            valid: { at: "2025-01-01T01:00:00+01:00" },
          },
        },
        {
          id: "sorted",
          op: "select",
          args: {
            query: "SELECT n.uid, n.owner FROM n ORDER BY n.uid ASC",
            tables: { n: { $ref: "accounts" } },
            zone: "UTC",
          },
        },
      ],
      answer: { kind: "table", from: "sorted", columns: same("uid", "owner") },
    },
  },
  {
    store: "payments",
    text: "SELECT p.uid, COUNT(DISTINCT p.other) AS partners FROM ENDPOINTS(PAID) AS p GROUP BY p.uid ORDER BY partners DESC LIMIT 2",
    plan: {
      steps: [
        {
          id: "perNode",
          op: "aggregate_events",
          args: {
            group_by: [{ role: "either", dim: "node" }],
            aggregates: [{ fn: "count_distinct", of: "other", as: "partners" }],
            where: { types: ["PAID"] },
            having: [],
          },
        },
        {
          id: "top",
          op: "select",
          args: {
            query: "SELECT g.node AS uid, g.partners AS partners FROM g ORDER BY partners DESC LIMIT 2",
            tables: { g: { $ref: "perNode.rows" } },
          },
        },
      ],
      answer: { kind: "table", from: "top", columns: same("uid", "partners") },
    },
  },
  {
    store: "payments",
    text: "SELECT e.src, f.dst FROM EVENTS(PAID) AS e JOIN EVENTS(PAID) AS f ON e.dst = f.src WHERE e.at < f.at",
    plan: {
      // The same scan twice, and the steps in the order in which they were thought of.
      steps: [
        {
          id: "pairs",
          op: "select",
          args: {
            tables: { f: { $ref: "later" }, e: { $ref: "earlier" } },
            query: "SELECT e.src, f.dst FROM e INNER JOIN f ON (e.dst = f.src) WHERE (e.at < f.at)",
          },
        },
        { id: "earlier", op: "scan", args: { of: "events", names: ["PAID"], columns: ["src", "dst", "at"] } },
        { id: "later", op: "scan", args: { columns: ["src", "dst", "at"], names: ["PAID"], of: "events" } },
      ],
      answer: { kind: "table", from: "pairs", columns: same("src", "dst") },
    },
  },
  {
    store: "payments",
    text: "SELECT c.tx FROM COMMITS() AS c",
    plan: {
      steps: [
        { id: "all", op: "scan", args: { of: "commits", columns: ["tx"], as_of_tt: null } },
        { id: "out", op: "select", args: { tables: { c: { $ref: "all" } }, query: "SELECT c.tx FROM c -- all" } },
      ],
      answer: { columns: same("tx"), kind: "table", from: "out.rows[*]" },
    },
  },
  {
    store: "payments",
    text: "SELECT e.key, e.amount FROM EVENTS(PAID) AS e WHERE e.amount > 5 AND e.channel = 'card' LIMIT 2",
    plan: {
      steps: [
        {
          id: "cards",
          op: "scan",
          args: {
            of: "events",
            names: ["PAID"],
            where: {
              edge: [
                { value: 5, op: "gt", prop: "amount" },
                { prop: "channel", op: "eq", value: "card" },
              ],
            },
            columns: ["key", "props.amount"],
          },
        },
        {
          id: "few",
          op: "select",
          args: { query: "SELECT e.key, e.amount FROM e LIMIT 2", tables: { e: { $ref: "cards" } } },
        },
      ],
      answer: { kind: "table", from: "few", columns: same("key", "amount") },
    },
  },
  {
    store: "hospital",
    text: "SELECT n.uid, n.name FROM NODES(Nurse) FOR VALID_TIME AS OF DATE '2025-01-15' AS n WHERE n.grade >= 5",
    plan: {
      steps: [
        {
          id: "nurses",
          op: "scan",
          args: {
            where: { node: { props: [{ prop: "grade", op: "ge", value: 5 }], labels: [] } },
            valid: { at: "2025-01-15T00:00:00Z" },
            columns: ["uid", "props.name"],
            names: ["Nurse"],
            of: "nodes",
          },
        },
        { id: "s", op: "select", args: { query: "SELECT n.uid, n.name FROM n", tables: { n: { $ref: "nurses" } } } },
      ],
      answer: { kind: "table", from: "s", columns: same("uid", "name") },
    },
  },
  {
    store: "hospital",
    text: "SELECT v.src, v.shift FROM EDGES(WORKS_ON) FOR VALID_TIME ALL FOR TRANSACTION_TIME AS OF TX 4 AS v",
    plan: {
      steps: [
        {
          id: "work",
          op: "scan",
          args: { of: "edges", names: ["WORKS_ON"], columns: ["src", "props.shift"], as_of_tt: "tx:4", valid: null },
        },
        { id: "shown", op: "select", args: { query: "SELECT v.src, v.shift FROM v", tables: { v: { $ref: "work" } } } },
      ],
      answer: { kind: "table", from: "shown", columns: same("src", "shift") },
    },
  },
];
