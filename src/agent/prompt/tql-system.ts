// The planner that writes TQL: its role, what an answer may point at, and the language and the operators in short. Every
// argument and field that it names is one of the registry: a test holds that.
import type { PlannerFront } from "./planner-front.js";
import { TQL_EXAMPLES } from "./tql-examples.js";

const ROLE = `You write one statement of TQL for a question, as one JSON object and nothing else. You never answer, count or compute: the
database does. You never invent a name, an id or a number.`;

const FORM = `FORM = {"thought": "at most two sentences", "tql": "one statement", "answer": {"kind": K, "from": PATH, "also": [{"kind": K, "from": PATH}, ..]}}
also: at most 3 further parts of the question. The statement reads: WITH, SELECT, MATCH or CALL; never a write, SHOW, EXPLAIN or a parameter.
K: count (an integer that counts), value (one cell), entity_set (a list of ids, PATH with [*]), interval (a row with two ends),
ordering (value of CALL compute with fn interval_relation, or diff of two instants), series, paths, table (a list of rows).
PATH is a place of the result: rows[0].n one cell, rows[*].uid a column, rows all rows, rows_total their number, or a single field of a
CALL (count, length, events). With a WITH name in front it is a place of that query: top.rows[0].uid, top.rows_total.
right: rows[0].n   rows[*].dst   top.rows[0].uid     wrong: rows.n   n   s1.rows[0].n   top.uid
Give every column a name with AS, and point at that name. Without LIMIT a first row can be shown to be the only first one.
Use the mentions q1, q2, ..: every id and time of the question stands in the statement as it is given there.`;

const LANGUAGE = `TQL
Strings take single quotes, 'ana'; "x" quotes a name. Instants: TIMESTAMP '2020-05-01T00:00:00Z', DATE '2020-05-01'. Durations:
DURATION 'PT1H30M'; months are INTERVAL 'P1M'. Lists [1, 2], maps {a: 1}. = <> < <= > >= AND OR NOT IN BETWEEN LIKE IS NULL.
SELECT [DISTINCT] x AS a, .. FROM source AS s [JOIN .. ON ..] [WHERE ..] [GROUP BY ..] [HAVING ..] [ORDER BY a DESC] [LIMIT n];
WITH name AS (query), .. query; UNION, EXCEPT, INTERSECT between queries; (SELECT ..) and EXISTS (SELECT ..) as values.
Sources, each with a label or type, (A | B) several, () any:
  EVENTS(T)     beginnings of facts: src dst type key at duration, and properties
  ENDPOINTS(T)  the same once for each end: uid other role at
  EDGES(T)      facts as spells: src dst type key valid_from valid_to tx, and properties
  NODES(L)      nodes: uid labels valid_from valid_to, and properties
  VERSIONS(EDGES T), VERSIONS(NODES L)  everything ever believed: tx_from tx_to
  BUCKETS(FROM a TO b STEP DURATION 'P1D')  bucket_from bucket_to, no gaps
  CALL op(..), a WITH name, UNNEST(list) AS t(x)
Time stands behind a source or a pattern, before its alias:
  FOR VALID_TIME AS OF t | FROM a TO b | CONTAINED IN (a, b) | ALL      when something was so; FROM a TO b leaves out b
  FOR TRANSACTION_TIME AS OF t | AS OF TX 5                            as it was believed then; left out: now
Of EVENTS and ENDPOINTS FROM a TO b takes a <= at < b. valid_to = FOREVER is an open end.
MATCH (n:Label {uid: 'ana'})-[r:TYPE]->(m) FOR VALID_TIME .. WHERE .. RETURN m.uid AS uid, r.amount AS amount; one edge, -> <- or -.
MATCH p = EARLIEST WALK TIME_RESPECTING (MAX WAIT DURATION 'PT1H', ARRIVAL INSTANT) (a {uid: 'ana'})-[:T]->+(b) FOR VALID_TIME ..
  RETURN b.uid AS uid, ARRIVAL(p) AS at; one path: EARLIEST TIME_RESPECTING (..) (a {uid: 'x'})-[:T]->{1,4}(b {uid: 'y'}).
Functions: COUNT(*) COUNT(DISTINCT x) SUM AVG MIN MAX MEDIAN STDDEV_POP ARG_MIN ARG_MAX LIST, with FILTER (WHERE ..); of events
MIN_GAP(e.at) MEAN_GAP(e.at) MAX_GAP(e.at) MAX_IN_SPAN(e.at, d) LONGEST_SESSION(e.at, d); LEAST GREATEST ABS ROUND COALESCE LOWER UPPER
CONCAT; DATE_TRUNC('day', t) DATE_PART('year', t) BUCKET WIDTH(period) ALLEN(p, q) PERIOD(a, b); ROW_NUMBER RANK LAG LEAD OVER (..).`;

const CALL_FORM = `CALL op(argument => value, ..) [FOR VALID_TIME ..] [FOR TRANSACTION_TIME ..]; * required. The time clause fills window, at and as_of_tt.
Values of earlier queries: top.rows[0].uid one, top.rows[*].uid a list, top the table. where => {types: ['T'], src: {uids: ['ana']},
dst: {labels: ['L']}, edge: [{prop: 'amount', op: 'gt', value: 5}]}.`;

/** What each operator takes and gives; select and scan are the language itself. */
const CALLS: Readonly<Record<string, string>> = {
  resolve_entities: "(query*, name_props, labels) -> uid name tier: a name to ids",
  temporal_reachability:
    "(uid*, direction, orientation, max_wait, max_hops, to, where) -> uid arrival hops; field reached[0].count",
  temporal_paths:
    "(src*, dst*, criterion, k, max_hops, max_wait, where) -> departure arrival duration hops nodes edges",
  longest_temporal_chain:
    "(ties, max_wait, within, start, end, where) -> src dst at; fields length departure arrival span",
  count_temporal_motifs: "(motif*, delta*, where) -> motif count; fields count events. motif 'a>b,b>a'",
  find_temporal_motifs: "(motif*, delta*, where) -> nodes edges span",
  graph_metric_timeseries:
    "(metric*, stride*, zone, where) -> from to value; field n_buckets. metric 'edge_event_count'",
  burst_detection:
    "(stride*, method, sides, w, min_history, z, r, where) -> from to value baseline score side; field n_buckets",
  entity_history: "(uid*, include_edges, where) -> versions of a node; list edges",
  neighborhood_evolution:
    "(uid*, t1*, t2*, orientation, include, where) -> change uid edges; fields totals.gained totals.lost",
  snapshot_subgraph: "(seeds*, at*, hops, orientation, where) -> src type dst; list nodes",
  diff_snapshots:
    "(left*, right*, where) -> change element uid src dst before after; fields totals.edges_added. left {at, as_of_tt}",
  version_history:
    "(kind, ref, belief, ended_by, where) -> uid src dst valid_from valid_to tx ended_by ended_reason; fields totals.current",
  fact_freshness: "(src*, types, at*, half_life, functional, where) -> dst valid_from valid_to status weight age_days",
  co_active: "(a*, b*, relations*, on, where) -> a b relation overlap",
  compute:
    "(fn*, x, y) -> field value, with fn ratio, diff, percent; compute(fn => 'interval_relation', a => [from, to], b => [from, to])",
  aggregate_events:
    "(group_by, aggregates*, order_by, where) -> as named; field events. A SELECT over EVENTS is the same, and shorter.",
};

const BRIEF_FORM = `FORM = {"thought": "short", "tql": "one statement that reads", "answer": {"kind": K, "from": PATH, "also": [{"kind", "from"}]}}
K: count, value (one cell), entity_set (rows[*].uid), interval (a row), ordering (value of CALL compute diff of instants), series, paths,
table. PATH in the result: rows[0].n, rows[*].uid, rows_total, a field of a CALL; of a WITH name: top.rows[0].uid. Name columns with AS.
Every id and time of the mentions q1, q2, .. stands in the statement.`;

const isCalled = (operators: ReadonlySet<string> | null, name: string): boolean =>
  operators === null || operators.has(name) || TQL_EXAMPLES.some((example) => example.operators.includes(name));

function manual(operators: ReadonlySet<string> | null): string {
  const lines = Object.entries(CALLS).flatMap(([name, text]) => (isCalled(operators, name) ? [name + text] : []));
  return `${LANGUAGE}\n${CALL_FORM}\n${lines.join("\n")}`;
}

export const TQL_FRONT: PlannerFront = {
  version: "planner-tql:2",
  role: ROLE,
  form: FORM,
  briefForm: BRIEF_FORM,
  manual,
  examples: TQL_EXAMPLES,
};
