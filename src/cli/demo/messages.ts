// First part of the demo: an office's messages, where news can only travel forward in time.
import { demoMessages } from "../../demo-data/messages.js";
import type { Database } from "../../index.js";
import { grouped } from "../output.js";
import type { Narration } from "./narration.js";

export async function messagesPart(db: Database, tell: Narration): Promise<void> {
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

  const info = await db.info();
  tell.say("Each message is an edge that holds for one microsecond of valid time: when it was sent.");
  tell.found(`${grouped(info.nodes)} people, ${grouped(info.edges)} edges`);

  tell.heading("Count: a question with a window of valid time");
  const week = { from: "2024-03-04", to: "2024-03-11" };
  const question = { of: "events" as const, valid: { window: week }, limit: 1 };
  tell.asked("scan", question);
  const events = await db.call("scan", question);
  tell.found(`${grouped(events.rows_total ?? 0)} messages in the first week`);

  tell.heading("Reach: whom can news reach that ada has on the first Monday morning?");
  tell.say("A message only passes on what its sender knew when sending: paths must run forward in time.");
  const monday = "2024-03-04T08:00:00Z";
  for (const [span, to] of [
    ["one day", "2024-03-05T08:00:00Z"],
    ["one week", "2024-03-11T08:00:00Z"],
    ["three weeks", "2024-03-25T08:00:00Z"],
  ] as const) {
    const window = { from: monday, to };
    const reached = await db.call("temporal_reachability", { uid: "ada", window, hops: true, limit: 3 });
    const first = reached.rows?.[0];
    const example = first === undefined ? "" : `, the first ${first.uid} at ${first.arrival}`;
    tell.found(`within ${span}: ${reached.rows_total} of ${info.nodes - 1} people${example}`);
  }
}
