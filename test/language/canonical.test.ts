// Aliases of other languages, and needless words, are printed in one canonical spelling.
import { describe, expect, it } from "vitest";
import { parseStatement, printStatement } from "../../grammar/index.js";

const pairs: readonly (readonly [string, string])[] = [
  [
    "match (a)-[:PAID*1..4]->(b:A:B) for system_time as of tx 3 for all valid_time where a.uid != b.uid return b.uid",
    "MATCH (a)-[:PAID]->{1,4}(b:A&B) FOR TRANSACTION_TIME AS OF TX 3 FOR VALID_TIME ALL WHERE a.uid <> b.uid RETURN b.uid",
  ],
  ["MATCH (a)-[*]->(b) RETURN a", "MATCH (a)-[]->+(b) RETURN a".replace("-[]->", "->")],
  [
    "MATCH (a)<-[*2]-(b), (a)-[*..3]-(b), (a)-[*2..]->(b) RETURN a",
    "MATCH (a)<-{2}(b), (a)-{1,3}(b), (a)->{2,}(b) RETURN a",
  ],
  ["MATCH (a)->{0,}(b)->{1,}(c)->{0,1}(d)->{3,3}(e) RETURN a", "MATCH (a)->*(b)->+(c)->?(d)->{3}(e) RETURN a"],
  [
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY e.x) FROM EVENTS(T) e FOR ALL VALID_TIME",
    "SELECT QUANTILE(e.x, 0.5) FROM EVENTS(T) FOR VALID_TIME ALL AS e",
  ],
  ["SELECT EXTRACT(Hour FROM t ZONE 'UTC')", "SELECT DATE_PART('hour', t, 'UTC')"],
  ["SELECT list(x) WITHIN GROUP (ORDER BY y DESC)", "SELECT LIST(x ORDER BY y DESC)"],
  ['SELECT `a b`, `c`, "d", e."order", f.order', 'SELECT "a b", c, d, e.order, f.order'],
  [
    "SELECT x FROM a INNER JOIN b ON (TRUE) LEFT OUTER JOIN c USING (k)",
    "SELECT x FROM a JOIN b ON TRUE LEFT JOIN c USING (k)",
  ],
  ["(SELECT 1) UNION DISTINCT ((SELECT 2)) ORDER BY 1 ASC", "SELECT 1 UNION SELECT 2 ORDER BY 1"],
  ["SELECT 1 UNION SELECT 2 INTERSECT SELECT 3", "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3"],
  ["(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3", "(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3"],
  ["SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)", "SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)"],
  ["(SELECT 1 LIMIT 1)", "SELECT 1 LIMIT 1"],
  ["SELECT ((a + b)) * c - (d - e)", "SELECT (a + b) * c - (d - e)"],
  ["SELECT a AND (b AND c) OR (d)", "SELECT a AND b AND c OR d"],
  ["SELECT NOT a CONTAINS b, NOT (a IN (1)), NOT NOT c", "SELECT a NOT CONTAINS b, NOT a IN (1), NOT NOT c"],
  [
    "SELECT x IN (1, 2), x IN (1), x IN ((1, 2)), x IN [1], x IN [], x IN $p",
    "SELECT x IN (1, 2), x IN (1), x IN ((1, 2)), x IN (1), x IN [], x IN $p",
  ],
  ["SELECT x IN (SELECT 1), x IN (a) + 1", "SELECT x IN (SELECT 1), x IN a + 1"],
  ["SELECT - -1, -9223372036854775808, +x, 2e3, 1.50", "SELECT -(-1), -9223372036854775808, +x, 2000.0, 1.5"],
  ['SELECT EPOCH_S -5, "epoch_s" - 5', 'SELECT EPOCH_S -5, "epoch_s" - 5'],
  ["MATCH DIFFERENT EDGES (a) RETURN a", "MATCH (a) RETURN a"],
  [
    "MATCH p = TIME_RESPECTING (ARRIVAL END, TIES BY SEQ) (a)->(b) RETURN p",
    "MATCH p = TIME_RESPECTING (TIES BY SEQ, ARRIVAL END) (a)->(b) RETURN p",
  ],
  ["MATCH TIME_RESPECTING (ties)->(max) RETURN ties", "MATCH TIME_RESPECTING (ties)->(max) RETURN ties"],
  [
    "MATCH (a)-[cost COST cost.w]->(b)-[COST 2]->(c) RETURN 1",
    "MATCH (a)-[cost COST cost.w]->(b)-[COST 2]->(c) RETURN 1",
  ],
  ['SELECT \'it\'\'s\' AS "say ""hi""" -- and so on', 'SELECT \'it\'\'s\' AS "say ""hi"""'],
];

describe("canonical spelling", () => {
  it.each(pairs)("%s", (written, canonical) => {
    const { statement, problem } = parseStatement(written);
    expect(problem).toBeNull();
    expect(printStatement(statement!)).toBe(canonical);
  });
});
