// Second part of the demo: what was believed, when, and why that changed, on a real list of heads of government.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ANDERSSON_TERM, leaderCommits, readLeaderRecords } from "../../demo-data/world-leaders.js";
import type { Database } from "../../index.js";
import { packageRoot } from "../package-root.js";
import type { Narration } from "./narration.js";

const OFFICE = ANDERSSON_TERM.dst;
export const ASKED_FOR = "2023-06-01T00:00:00Z";

const holderQuestion = (at: string, believedOn: string | null) => ({
  seeds: [OFFICE],
  at,
  orientation: "in" as const,
  where: { types: ["HOLDS"] },
  props: ["name"],
  as_of_tt: believedOn,
});

async function holder(db: Database, at: string, believedOn: string | null): Promise<string> {
  const answer = await db.call("snapshot_subgraph", holderQuestion(at, believedOn));
  const nodes = (answer.nodes as { rows: { uid: string; props: { name?: string } }[] }).rows;
  const names = (answer.rows ?? []).map((row) => nodes.find((node) => node.uid === row.src)?.props.name ?? row.src);
  return names.length === 0 ? "nobody" : names.join(" and ");
}

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
  for (const believedOn of ["2022-09-14", "2022-09-16", "2022-09-21"]) {
    tell.asked("snapshot_subgraph", holderQuestion(ASKED_FOR, believedOn));
    tell.found(`as believed on ${believedOn}: ${await holder(db, ASKED_FOR, believedOn)}`);
  }
  tell.say("Why did that change? The belief log of this one fact says it:");
  await tellHistory(db, tell);
}

async function tellHistory(db: Database, tell: Narration): Promise<void> {
  tell.asked("version_history", { ref: ANDERSSON_TERM });
  const history = await db.call("version_history", { ref: ANDERSSON_TERM });
  for (const row of history.rows ?? []) {
    const valid = `in office ${row.valid_from.slice(0, 10)} to ${row.valid_to?.slice(0, 10) ?? "open"}`;
    const belief = `believed ${row.tx_from.slice(0, 10)} to ${row.tx_to?.slice(0, 10) ?? "now"}`;
    const why = row.ended_by === null ? "" : `; ${row.ended_by}: ${row.ended_reason}`;
    tell.found(`${valid}, ${belief}${why}`);
  }
}

async function correct(db: Database, tell: Narration): Promise<void> {
  tell.heading("Correct: we know better, and say why");
  tell.say("Magdalena Andersson left office on 18 October 2022. The fact is carved, not overwritten.");
  const before = await db.head();
  const reason = "Ulf Kristersson took office on 18 October 2022";
  const left = "2022-10-18T00:00:00Z";
  const operations = [{ op: "retract" as const, ref: ANDERSSON_TERM, valid_from: left, reason }];
  tell.asked("write", operations);
  const { tx, txTime } = await db.write(operations);
  tell.found(`commit ${tx} at ${txTime}`);
  tell.say("The same question, now and as of the commit before:");
  tell.found(`now: ${await holder(db, ASKED_FOR, null)}`);
  tell.found(`as of commit ${before.tx}: ${await holder(db, ASKED_FOR, `tx:${before.tx}`)}`);
  await tellHistory(db, tell);

  tell.heading("Compare: what did that correction change?");
  const corner = (pin: number) => ({ at: ASKED_FOR, as_of_tt: `tx:${pin}` });
  const question = { left: corner(before.tx), right: corner(tx) };
  tell.asked("diff_snapshots", question);
  const difference = await db.call("diff_snapshots", question);
  for (const row of difference.rows ?? []) {
    tell.found(`${row.change}: ${row.element} ${row.src} HOLDS ${row.dst}`);
  }
  tell.say("Nothing else differs. What was believed before can still be asked for, for ever.");
}

export async function beliefsPart(db: Database, tell: Narration): Promise<void> {
  await loadLeaders(db, tell);
  await askAsOf(db, tell);
  await correct(db, tell);
}
