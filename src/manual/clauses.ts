// What the clauses of TQL are for, one short entry each, for `.help CLAUSE`.
// The grammar says what is legal; tests parse every example here.

export interface ClauseEntry {
  /** What it is called; `.help` takes any of them in any case. */
  readonly names: readonly [string, ...string[]];
  readonly form: string;
  readonly meaning: string;
  /** A whole statement. */
  readonly example: string;
}

const PERIODS = "AS OF t | FROM a TO b | ONLY FROM a TO b | BETWEEN a AND b | CONTAINED IN (a, b) | ALL";

const READING: readonly ClauseEntry[] = [
  {
    names: ["SELECT"],
    form: "SELECT [DISTINCT] expr [AS name], … FROM source … [WHERE] [GROUP BY] [HAVING] [WINDOW] [QUALIFY] [ORDER BY] [LIMIT]",
    meaning: "A table made of sources. Rows stand in the written order, then by all columns from left to right.",
    example: "SELECT e.dst, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY e.dst ORDER BY n DESC LIMIT 5",
  },
  {
    names: ["FROM", "NODES", "EDGES", "EVENTS", "ENDPOINTS", "SOURCES"],
    form: "FROM NODES(label) | EDGES(type) | EVENTS(type) | ENDPOINTS(type) [FOR …] [AS alias]",
    meaning:
      "NODES and EDGES give a row for each believed version, EVENTS one for each beginning of a spell (src, type, dst, key, seq, at, duration), ENDPOINTS one for each event and end (uid, other, role). Empty parentheses mean any label or type.",
    example: "SELECT n.uid, n.name FROM NODES(Person) FOR VALID_TIME AS OF DATE '2025-03-01' AS n",
  },
  {
    names: ["VERSIONS"],
    form: "FROM VERSIONS(NODES [label] | EDGES [type]) [FOR …] [AS alias]",
    meaning:
      "All versions, whatever became of the belief in them: tx_from, tx_to, ended_by and ended_reason say what and why.",
    example: "SELECT v.src, v.tx_from, v.ended_reason FROM VERSIONS(EDGES HOLDS) AS v WHERE v.ended_by = 'corrected'",
  },
  {
    names: ["COMMITS"],
    form: "FROM COMMITS() [FOR TRANSACTION_TIME …] [AS alias]",
    meaning: "The log's index, a row a commit: tx, tx_time, operations, asserted, retracted, corrected, ingested.",
    example: "SELECT c.tx, c.tx_time, c.operations FROM COMMITS() AS c ORDER BY c.tx DESC LIMIT 10",
  },
  {
    names: ["BUCKETS"],
    form: "FROM BUCKETS(FROM a TO b STEP step [ZONE zone]) [AS alias]",
    meaning: "A calendar without gaps (bucket_from, bucket_to, partial), to join with, so that an empty day is a row.",
    example: "SELECT b.bucket_from FROM BUCKETS(FROM DATE '2025-01-01' TO DATE '2025-02-01' STEP INTERVAL 'P1D') AS b",
  },
  {
    names: ["UNNEST"],
    form: "FROM UNNEST(list) [WITH ORDINALITY] [AS alias(column)]",
    meaning: "A row for each item of a list.",
    example: "SELECT u.x FROM UNNEST([1, 2, 3]) AS u(x)",
  },
  {
    names: ["JOIN", "ON", "USING"],
    form: "[INNER | LEFT | RIGHT | FULL | SEMI | ANTI] JOIN source ON expr | USING (name, …), CROSS JOIN source",
    meaning:
      "Rows of two sources side by side. SEMI keeps the rows on the left that have a partner, ANTI those that have none.",
    example: "SELECT n.uid FROM NODES(Person) AS n ANTI JOIN EDGES(HOLDS) AS h ON h.src = n.uid",
  },
  {
    names: ["WHERE"],
    form: "WHERE condition",
    meaning:
      "Comparisons, AND, OR, NOT, IN, BETWEEN, LIKE, ILIKE, STARTS WITH, ENDS WITH, CONTAINS, IS NULL; for periods OVERLAPS, CONTAINS, EQUALS, PRECEDES, SUCCEEDS. A text is never read as an instant: write DATE '…'.",
    example: "SELECT e.src FROM EVENTS(PAID) AS e WHERE e.amount > 1000 AND e.at >= DATE '2025-01-01'",
  },
  {
    names: ["GROUP BY", "GROUP", "HAVING"],
    form: "GROUP BY expr, … | GROUP BY ALL [HAVING condition]",
    meaning: "One row a group; HAVING keeps groups. ALL groups by every item that holds no aggregate.",
    example:
      "SELECT DATE_TRUNC('month', e.at) AS month, COUNT(*) AS n FROM EVENTS(PAID) AS e GROUP BY month HAVING n > 10",
  },
  {
    names: ["WINDOW", "OVER", "QUALIFY"],
    form: "function(…) OVER ([PARTITION BY …] [ORDER BY …] [frame]), QUALIFY condition",
    meaning: "Functions over the rows around a row; QUALIFY keeps rows by them, after they are known.",
    example:
      "SELECT e.src, e.at FROM EVENTS(PAID) AS e QUALIFY ROW_NUMBER() OVER (PARTITION BY e.src ORDER BY e.at) = 1",
  },
  {
    names: ["ORDER BY", "ORDER", "LIMIT", "OFFSET"],
    form: "ORDER BY expr [ASC | DESC] [NULLS FIRST | LAST], … LIMIT n [WITH TIES] [OFFSET m]",
    meaning: "The order of the answer, and a part of it. NULL stands last unless NULLS FIRST is written.",
    example: "SELECT e.src, e.at FROM EVENTS(PAID) AS e ORDER BY e.at DESC LIMIT 10",
  },
  {
    names: ["WITH"],
    form: "WITH name AS (query), … query",
    meaning: "Names a step. It is a table in FROM, and name.rows[0].column and name.rows[*].column are values.",
    example:
      "WITH top AS (SELECT e.dst AS uid FROM EVENTS(PAID) AS e GROUP BY e.dst ORDER BY COUNT(*) DESC LIMIT 3) SELECT e.src FROM EVENTS(PAID) AS e WHERE e.dst IN top.rows[*].uid",
  },
  {
    names: ["UNION", "EXCEPT", "INTERSECT"],
    form: "query UNION | EXCEPT | INTERSECT [ALL] query",
    meaning: "Rows of either, of the first and not the second, of both; without ALL each row once.",
    example: "SELECT e.src AS uid FROM EDGES(HOLDS) AS e EXCEPT SELECT n.uid FROM NODES(Person) AS n",
  },
  {
    names: ["CALL", "YIELD"],
    form: "CALL operator(name => value, …) [FOR …] [YIELD column [AS name], …] [WHERE condition]",
    meaning:
      "One operator: paths, reachability, motifs, bursts, histories. .operators lists them, .help NAME explains one.",
    example:
      "CALL temporal_reachability(uid => 'ada') FOR VALID_TIME FROM DATE '2025-01-01' TO DATE '2025-02-01' YIELD uid, arrival",
  },
  {
    names: ["MATCH", "RETURN"],
    form: "MATCH (n:Label {key: value})-[r:TYPE]->(m) [FOR …] [WHERE condition] RETURN items",
    meaning:
      "A pattern. Nodes are entities, edges are believed versions. Items without an aggregate are the keys of a grouping.",
    example:
      "MATCH (p:Person)-[h:HOLDS]->(o {uid: 'Q687075'}) FOR VALID_TIME AS OF DATE '2023-06-01' RETURN p.uid, h.valid_from",
  },
  {
    names: ["EXISTS", "COUNT { }"],
    form: "EXISTS (query), EXISTS { pattern }, COUNT { pattern }",
    meaning: "Whether there is a row or a match; how many matches there are.",
    example:
      "SELECT l.src FROM EVENTS(ON_LEAVE) AS l WHERE EXISTS (SELECT 1 FROM EVENTS(WORKS_ON) AS w WHERE w.src = l.src)",
  },
  {
    names: ["CASE"],
    form: "CASE WHEN condition THEN value … [ELSE value] END",
    meaning: "The first value whose condition is true, else NULL.",
    example: "SELECT CASE WHEN e.amount > 1000 THEN 'large' ELSE 'small' END AS size FROM EVENTS(PAID) AS e",
  },
];

const TIME: readonly ClauseEntry[] = [
  {
    names: ["FOR VALID_TIME", "VALID_TIME"],
    form: `FOR VALID_TIME ${PERIODS}`,
    meaning:
      "When it held in the world. Periods are half-open: the first instant is in, the last is not. Without the clause: all time. Of EVENTS the beginning counts.",
    example: "SELECT h.src FROM EDGES(HOLDS) FOR VALID_TIME AS OF DATE '2023-06-01' AS h",
  },
  {
    names: ["FOR TRANSACTION_TIME", "TRANSACTION_TIME", "SYSTEM_TIME"],
    form: "FOR TRANSACTION_TIME AS OF TX n | AS OF t | AS OF LATEST; on VERSIONS any period",
    meaning: "What was believed then. Without the clause: the newest commit.",
    example:
      "SELECT h.src FROM EDGES(HOLDS) FOR VALID_TIME AS OF DATE '2023-06-01' FOR TRANSACTION_TIME AS OF DATE '2022-09-16' AS h",
  },
  {
    names: ["TIMESTAMP", "DATE", "EPOCH_S", "INSTANT", "FOREVER", "BEGINNING"],
    form: "TIMESTAMP '2025-03-01T08:00:00Z', DATE '2025-03-01', EPOCH_S n, EPOCH_MS n, EPOCH_US n, BEGINNING, FOREVER",
    meaning:
      "Instants. A TIMESTAMP names its zone, a number its unit. FOREVER is the open end, a value above all others.",
    example: "SELECT h.src FROM EDGES(HOLDS) AS h WHERE h.valid_to = FOREVER",
  },
  {
    names: ["DURATION", "INTERVAL"],
    form: "DURATION 'PT1H30M', INTERVAL 'P1M'",
    meaning: "A DURATION is exact; an INTERVAL follows the calendar of the zone in force.",
    example: "SELECT e.src FROM EVENTS(PAID) AS e WHERE e.at >= DATE '2025-01-01' + DURATION 'PT12H'",
  },
  {
    names: ["SET DEFAULT", "SET TIME ZONE", "RESET DEFAULTS", "SETTING"],
    form: "SET DEFAULT axis period, SET TIME ZONE 'zone', RESET DEFAULTS; for one statement: SETTING DEFAULT axis period query",
    meaning: "What holds where a statement says nothing: a pin, a period, the zone of DATE and of calendar units.",
    example: "SET DEFAULT TRANSACTION_TIME AS OF TX 12",
  },
];

const WRITING: readonly ClauseEntry[] = [
  {
    names: ["INSERT"],
    form: "INSERT (n:Label {uid: …, …})-[r:TYPE {…}]->(m {uid: …}) FOR VALID_TIME FROM a [TO b] | AT t | ALL [BECAUSE 'why']",
    meaning:
      "Asserts over the stated time; what was believed there before gives way. A node with only a uid is an end and no write.",
    example: "INSERT ({uid: 'ada'})-[:WORKS_FOR {hours: 40}]->({uid: 'acme'}) FOR VALID_TIME FROM DATE '2020-01-01'",
  },
  {
    names: ["SET"],
    form: "MATCH … SET x.p = v, … | SET x = {…} | SET x:Label FOR PORTION OF VALID_TIME … [AS CORRECTION] [BECAUSE 'why']",
    meaning: "Changes what is matched over a portion of valid time; the rest of each spell stays as it was.",
    example: "MATCH (n {uid: 'ada'}) SET n.grade = 6 FOR PORTION OF VALID_TIME FROM DATE '2025-07-01'",
  },
  {
    names: ["REMOVE"],
    form: "MATCH … REMOVE x.p, x:Label FOR PORTION OF VALID_TIME … [AS CORRECTION] [BECAUSE 'why']",
    meaning: "Takes properties and labels away over a portion of valid time.",
    example: "MATCH (n {uid: 'ada'}) REMOVE n.mentor FOR PORTION OF VALID_TIME ALL",
  },
  {
    names: ["DELETE", "DETACH DELETE"],
    form: "MATCH … [DETACH] DELETE x, … FOR PORTION OF VALID_TIME … [BECAUSE 'why']",
    meaning:
      "Says that it did not hold over the portion. What was believed can still be asked for. DETACH takes a node's edges along.",
    example: "MATCH (p {uid: 'ada'})-[w:WORKS_FOR]->(c) DELETE w FOR PORTION OF VALID_TIME FROM DATE '2025-09-01'",
  },
  {
    names: ["FOR PORTION OF VALID_TIME", "PORTION"],
    form: "FOR PORTION OF VALID_TIME FROM a [TO b] | ALL",
    meaning: "Over which time a change is meant. It must be written: no change means all time by accident.",
    example:
      "MATCH (n {uid: 'ada'}) SET n.grade = 6 FOR PORTION OF VALID_TIME FROM DATE '2025-01-01' TO DATE '2025-02-01'",
  },
  {
    names: ["AS CORRECTION", "CORRECTION", "BECAUSE"],
    form: "… FOR PORTION OF VALID_TIME … AS CORRECTION BECAUSE 'why'",
    meaning: "Marks the change as the mending of a mistake; VERSIONS shows it as corrected, with the reason.",
    example:
      "MATCH (p {uid: 'ada'})-[w:WORKS_FOR]->(c) SET w.hours = 20 FOR PORTION OF VALID_TIME FROM DATE '2023-06-01' TO DATE '2023-09-01' AS CORRECTION BECAUSE 'her contract says half time'",
  },
  {
    names: ["ERASE"],
    form: "MATCH … ERASE x, … [BECAUSE 'why'] [DRY RUN]",
    meaning: "Removes an identity with its whole history, from the log too, for good. DRY RUN says what would go.",
    example: "MATCH (n {uid: 'ada'}) ERASE n DRY RUN",
  },
  {
    names: ["BEGIN", "COMMIT", "ROLLBACK"],
    form: "BEGIN READ ONLY [FOR TRANSACTION_TIME …] | BEGIN READ WRITE, COMMIT, ROLLBACK",
    meaning: "A block that reads one pin, or one that gathers writes into one commit.",
    example: "BEGIN READ WRITE",
  },
];

const LOOKING: readonly ClauseEntry[] = [
  {
    names: ["EXPLAIN", "ESTIMATE", "ANALYZE", "VERIFY"],
    form: "EXPLAIN [ESTIMATE | ANALYZE | VERIFY] statement",
    meaning: "The plan; with its cost; run, with rows and times; run on both engines, with digests compared.",
    example: "EXPLAIN SELECT COUNT(*) AS n FROM EVENTS(PAID) AS e",
  },
  {
    names: ["SHOW"],
    form: "SHOW OPERATORS | OPERATOR name | FUNCTIONS | TYPES | LABELS | PROPERTIES [OF name] | STATS | SETTINGS [LIKE 'pattern']",
    meaning: "What there is.",
    example: "SHOW PROPERTIES OF Person",
  },
  {
    names: ["PARAMETERS", "$"],
    form: "$name",
    meaning: "A value given beside the text: --param name=value, .params name value, or {params} in JavaScript.",
    example: "SELECT n.name FROM NODES(Person) AS n WHERE n.uid = $who",
  },
];

export const CLAUSES: readonly ClauseEntry[] = [...READING, ...TIME, ...WRITING, ...LOOKING];

const plain = (name: string): string => name.toUpperCase().replaceAll(/\s+/g, " ").trim();

export function clauseOf(name: string): ClauseEntry | undefined {
  return CLAUSES.find(({ names }) => names.some((each) => each === plain(name)));
}
