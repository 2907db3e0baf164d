// Second part of the demo: what was believed, when, and why that changed, on a real list of heads of government.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ANDERSSON_TERM, leaderCommits, readLeaderRecords } from "../../demo-data/world-leaders.js";
import type { Database } from "../../index.js";
import { packageRoot } from "../package-root.js";
import type { Narration } from "./narration.js";

const { src: ANDERSSON, dst: OFFICE } = ANDERSSON_TERM;
export const ASKED_FOR = "2023-06-01";

/** Who holds the office on the day asked for, as believed at a point of transaction time. */
const holders = (believedAt: string): string =>
  [
    `SETTING DEFAULT TRANSACTION_TIME AS OF ${believedAt}`,
    "SELECT p.name AS prime_minister, h.valid_from AS since",
    `FROM EDGES(HOLDS) FOR VALID_TIME AS OF DATE '${ASKED_FOR}' AS h JOIN NODES(Person) AS p ON p.uid = h.src`,
    `WHERE h.dst = '${OFFICE}';`,
  ].join("\n");

/** What was believed of her term, in the order of belief; where nothing ended a belief, it is today's. */
const beliefLog = (columns: string): string =>
  [
    `SELECT ${columns}, v.ended_by, v.ended_reason`,
    `FROM VERSIONS(EDGES HOLDS) AS v WHERE v.src = '${ANDERSSON}' AND v.dst = '${OFFICE}' ORDER BY v.tx_from;`,
  ].join("\n");

const HER_TERM = `MATCH (p {uid: '${ANDERSSON}'})-[h:HOLDS]->(o {uid: '${OFFICE}'})`;

async function loadLeaders(db: Database, tell: Narration): Promise<void> {
  const list = readFileSync(join(packageRoot(), "examples/data/world-leaders.events.jsonl"), "utf8");
  const commits = leaderCommits(readLeaderRecords(list));
  tell.heading("Two times: the world's, and ours");
  tell.say("The list of heads of state and government, as a program saw it in Wikidata on 93 dates, is real.");
  tell.say("Valid time says when somebody held an office. Transaction time says when the list said so.");
  tell.say("Each date becomes a commit that carries the date itself as its transaction time.");
  const operations = commits.reduce((sum, commit) => sum + commit.operations.length, 0);
  for (const commit of commits) await db.write(commit.operations, { txTime: commit.txTime });
  tell.found(`${commits.length} commits with ${operations} operations`);
}

async function askAsOf(db: Database, tell: Narration): Promise<void> {
  tell.heading("One question, three beliefs: who is prime minister of Sweden on 1 June 2023?");
  tell.say("The question names a day in the world. What the answer is depends on when it is asked:");
  for (const believedOn of ["2022-09-14", "2022-09-16", "2022-09-21"])
    await tell.ask(db, holders(`DATE '${believedOn}'`));
  tell.say("Why did that change? The versions of this one fact say it:");
  await tell.ask(db, beliefLog("v.valid_to, v.tx_from"));
}

async function correct(db: Database, tell: Narration): Promise<void> {
  tell.heading("Correct: we know better, and say why");
  tell.say("Magdalena Andersson left office on 18 October 2022. The fact is carved, not overwritten.");
  const before = await db.head();
  await tell.ask(
    db,
    `${HER_TERM}\nDELETE h FOR PORTION OF VALID_TIME FROM DATE '2022-10-18' BECAUSE 'Ulf Kristersson took office that day';`,
  );
  tell.say("For her last weeks she led a caretaker government: a correction of a part of the term.");
  await tell.ask(
    db,
    `${HER_TERM}\nSET h.caretaker = TRUE FOR PORTION OF VALID_TIME FROM DATE '2022-09-15' TO DATE '2022-10-18'\nAS CORRECTION BECAUSE 'she had resigned and stayed on until then';`,
  );
  tell.say("The same question, now and as of the commit before:");
  await tell.ask(db, holders("LATEST"));
  await tell.ask(db, holders(`TX ${before.tx}`));
  await tell.ask(db, beliefLog("v.valid_from, v.valid_to, v.caretaker"));

  tell.heading("Compare: what do the two beliefs about that day differ in?");
  const corner = (pin: string): string => `{at: DATE '${ASKED_FOR}', as_of_tt: '${pin}'}`;
  const after = await db.head();
  await tell.ask(
    db,
    `CALL diff_snapshots(left => ${corner(`tx:${before.tx}`)}, right => ${corner(`tx:${after.tx}`)})\n  YIELD change, element, src, dst;`,
  );
  tell.say("Nothing else differs. What was believed before can still be asked for, for ever.");
}

export async function beliefsPart(db: Database, tell: Narration): Promise<void> {
  await loadLeaders(db, tell);
  await askAsOf(db, tell);
  await correct(db, tell);
}
