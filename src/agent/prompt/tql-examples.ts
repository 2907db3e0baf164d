// The seven questions of the other front, each with a statement of TQL that answers all it asks.
import type { JsonObject } from "../../contract/values.js";
import { JSON_EXAMPLES } from "./json-examples.js";
import type { PlannerExample } from "./planner-front.js";

interface Written {
  readonly thought: string;
  readonly tql: string;
  readonly answer: JsonObject;
  /** The operators that it calls by name. */
  readonly operators: readonly string[];
}

const FIRST = "FOR VALID_TIME FROM DATE '2020-05-01' TO DATE '2020-05-02'";
const MAY = "FOR VALID_TIME FROM DATE '2020-05-01' TO DATE '2020-06-01'";
const APRIL = "FOR VALID_TIME FROM DATE '2020-04-01' TO DATE '2020-05-01'";

const WRITTEN: Readonly<Record<PlannerExample["kind"], Written>> = {
  total: {
    thought: "Count the events.",
    tql: `SELECT COUNT(*) AS n FROM EVENTS(PAID) ${APRIL}`,
    answer: { kind: "count", from: "rows[0].n" },
    operators: [],
  },
  top: {
    thought: "Count the events of each receiver, the most first.",
    tql: `SELECT e.dst AS uid, COUNT(*) AS n FROM EVENTS(PAID) ${APRIL} AS e GROUP BY e.dst ORDER BY n DESC`,
    answer: { kind: "value", from: "rows[0].uid" },
    operators: [],
  },
  aggregate: {
    thought: "Group her events by receiver, the most first.",
    tql: `SELECT e.dst AS uid, COUNT(*) AS n FROM EVENTS(PAID) ${MAY} AS e WHERE e.src = 'ana' GROUP BY e.dst ORDER BY n DESC`,
    answer: { kind: "count", from: "rows_total", also: [{ kind: "value", from: "rows[0].uid" }] },
    operators: [],
  },
  "reach then motif": {
    thought: "Reach from ana, then count returned payments among the reached.",
    tql:
      `WITH reached AS (CALL temporal_reachability(uid => 'ana', max_wait => DURATION 'PT1H') ${FIRST}) ` +
      "CALL count_temporal_motifs(motif => 'a>b,b>a', delta => DURATION 'PT10M', " +
      `where => {types: ['PAID'], node: {uids: reached.rows[*].uid}}) ${FIRST}`,
    answer: { kind: "entity_set", from: "reached.rows[*].uid", also: [{ kind: "count", from: "count" }] },
    operators: ["temporal_reachability", "count_temporal_motifs"],
  },
  "pattern with absence": {
    thought: "Join payments with the next ones, keep those whose ends have no payment.",
    tql:
      `SELECT DISTINCT e.dst AS uid FROM EVENTS(PAID) ${FIRST} AS e JOIN EVENTS(PAID) ${FIRST} AS f ` +
      "ON f.src = e.dst AND f.at > e.at AND f.at <= e.at + DURATION 'PT1H' WHERE f.dst <> e.src " +
      "AND NOT EXISTS (SELECT 1 FROM EVENTS(PAID) AS d WHERE d.src = e.src AND d.dst = f.dst)",
    answer: { kind: "entity_set", from: "rows[*].uid", also: [{ kind: "count", from: "rows_total" }] },
    operators: [],
  },
  "past belief": {
    thought: "Her edges at that instant, as believed at that pin.",
    tql:
      "SELECT r.dst AS office, r.valid_from AS valid_from, r.valid_to AS valid_to FROM EDGES(HOLDS) " +
      "FOR VALID_TIME AS OF DATE '2020-03-01' FOR TRANSACTION_TIME AS OF DATE '2021-01-01' AS r WHERE r.src = 'eve'",
    answer: { kind: "value", from: "rows[0].office", also: [{ kind: "interval", from: "rows[0]" }] },
    operators: [],
  },
  "set difference": {
    thought: "Senders of April without those of May.",
    tql: `SELECT e.src AS uid FROM EVENTS(PAID) ${APRIL} AS e ` + `EXCEPT SELECT e.src FROM EVENTS(PAID) ${MAY} AS e`,
    answer: { kind: "entity_set", from: "rows[*].uid", also: [{ kind: "count", from: "rows_total" }] },
    operators: [],
  },
};

export const TQL_EXAMPLES: readonly PlannerExample[] = JSON_EXAMPLES.map(({ kind, question }) => {
  const { operators, ...written } = WRITTEN[kind];
  return { kind, question, written, operators };
});
