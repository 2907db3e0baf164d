// First part of the demo: an office's messages, where news can only travel forward in time.
import { demoMessages } from "../../demo-data/messages.js";
import type { Database } from "../../index.js";
import { grouped } from "../output.js";
import type { Narration } from "./narration.js";

const WEEK = "FOR VALID_TIME FROM TIMESTAMP '2024-03-04T08:00:00Z' TO TIMESTAMP '2024-03-11T08:00:00Z'";

async function loadMessages(db: Database, tell: Narration): Promise<void> {
  const messages = demoMessages();
  tell.heading("Load: who wrote to whom in an invented office, eight weeks of 2024");
  const started = performance.now();
  const { tx } = await db.ingest(
    {
      src: messages.map((message) => message.from),
      dst: messages.map((message) => message.to),
      time: BigInt64Array.from(messages, (message) => message.sentUs),
    },
    { type: "WROTE", nodeLabels: ["Employee"], source: "the demo's list" },
  );
  const ms = Math.round(performance.now() - started);
  tell.found(`${grouped(messages.length)} messages are commit ${tx}, safe on disk after ${ms} ms`);
  tell.say("Each message is an edge that holds for one microsecond of valid time: when it was sent.");
}

export async function messagesPart(db: Database, tell: Narration): Promise<void> {
  await loadMessages(db, tell);

  tell.heading("Count: TQL, the temporal query language");
  tell.say("How many messages a week, drawn; and who writes to whom most.");
  const byWeek =
    "SELECT DATE_TRUNC('week', e.at) AS week, COUNT(*) AS messages\nFROM EVENTS(WROTE) AS e GROUP BY week ORDER BY week;";
  await tell.ask(db, byWeek, "chart");
  await tell.ask(
    db,
    "SELECT e.src, e.dst, COUNT(*) AS messages, MAX_GAP(e.at) AS longest_silence\nFROM EVENTS(WROTE) AS e GROUP BY e.src, e.dst ORDER BY messages DESC LIMIT 3;",
  );

  tell.heading("Reach: whom can news reach that ada has on the first Monday morning?");
  tell.say("A message only passes on what its sender knew when sending: paths must run forward in time.");
  await tell.ask(
    db,
    `WITH r AS (CALL temporal_reachability(uid => 'ada')\n  ${WEEK})\nSELECT COUNT(*) AS reached, MAX(r.arrival) AS last_arrival FROM r;`,
  );
  tell.say("By which way does it come to anton first?");
  await tell.ask(
    db,
    `CALL temporal_paths(src => 'ada', dst => 'anton', criterion => 'foremost', max_hops => 6)\n  ${WEEK}\n  YIELD departure, arrival, hops, nodes LIMIT 1;`,
  );

  tell.heading("Motifs: how often does one answer another, and is answered, within an hour?");
  await tell.ask(
    db,
    "CALL count_temporal_motifs(motif => 'M_2node_pingpong', delta => DURATION 'PT1H')\n  YIELD motif, count;",
  );
}
