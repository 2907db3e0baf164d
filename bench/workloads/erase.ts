// What it costs to erase an identity from a loaded store: seconds, and for how long the JavaScript thread is held meanwhile.

import { join } from "node:path";
import { events, nodeName } from "../data/corrected-intervals.js";
import { atMost, type Figure } from "../runner/figures.js";
import { type Hold, LONGEST_HOLD_MS_GATE, longestHold } from "../runner/hold.js";
import type { Workload } from "../runner/workload.js";
import { bytesUnder, type Database, open } from "../stores/database.js";
import { edgeRef, loadIntervals } from "../stores/interval-store.js";

const ROUNDS = 3;
const SECONDS_GATE = 5;

function figuresOf(name: string, holds: readonly Hold[], notes: Figure["notes"]): Figure[] {
  const median = (value: (hold: Hold) => number) => holds.map(value).sort((a, b) => a - b)[holds.length >> 1] as number;
  return [
    {
      name,
      unit: "s",
      value: median(({ totalMs }) => totalMs / 1e3),
      repetitions: holds.length,
      gate: atMost(SECONDS_GATE),
      notes: { ...notes, least: Math.min(...holds.map(({ totalMs }) => totalMs / 1e3)) },
    },
    {
      name: `longest hold: ${name}`,
      unit: "ms",
      value: median(({ ownMs }) => ownMs),
      repetitions: holds.length,
      gate: atMost(LONGEST_HOLD_MS_GATE),
      notes: { processor_time: median(({ cpuMs }) => cpuMs), with_waiting: median(({ turnMs }) => turnMs) },
    },
  ];
}

async function rounds(name: string, progress: (line: string) => void, work: (round: number) => Promise<unknown>) {
  const holds: Hold[] = [];
  for (let round = 0; round < ROUNDS; round++) holds.push(await longestHold(() => work(round)));
  const shown = holds.map(({ totalMs, ownMs, cpuMs }) => [totalMs, ownMs, cpuMs].map((ms) => ms.toFixed(1)).join("/"));
  progress(`${name}: whole/held/processor ${shown.join(", ")} ms`);
  return holds;
}

/** Nodes are erased from the front, edges between nodes at the back: no round takes away what another erases. */
async function erasures(db: Database, scale: number, progress: (line: string) => void): Promise<Figure[]> {
  const data = events(scale);
  const node = (round: number) => nodeName(round);
  const edge = (round: number) => edgeRef(data, data.count - 1 - round);
  const edgesBefore = (await db.info()).edges;
  const dryRun = async (uid: string) => db.query("MATCH (n {uid: $uid}) ERASE n DRY RUN", { params: { uid } });
  // The first statement of a process loads the grammar.
  await db.query("SELECT n.uid FROM NODES() n LIMIT 1");
  const dryRuns = await rounds("dry run", progress, (round) => dryRun(node(round)));
  const nodes = await rounds("erase a node", progress, (round) =>
    db.write([{ op: "erase", ref: { uid: node(round) } }]),
  );
  const edgesLeft = (await db.info()).edges;
  const edges = await rounds("erase an edge", progress, (round) => db.write([{ op: "erase", ref: edge(round) }]));
  if ((await db.info()).edges !== edgesLeft - ROUNDS) throw new Error("an edge was not erased");
  return [
    ...figuresOf("erase a node with its edges", nodes, { edges_each: (edgesBefore - edgesLeft) / ROUNDS }),
    ...figuresOf("erase an edge", edges, {}),
    ...figuresOf("dry run of an erasure", dryRuns, {}),
  ];
}

export const workload: Workload = {
  summary: "seconds to erase a node and an edge, and the longest hold of the JavaScript thread meanwhile",
  defaultScale: 1_000_000,
  async run({ scale, folder, progress }) {
    const path = join(folder, "store");
    const db = await open(path);
    await loadIntervals(db, scale, events(scale));
    const bytes = bytesUnder(path);
    progress(`loaded ${bytes} bytes`);
    const figures = await erasures(db, scale, progress);
    await db.close();
    const begun = performance.now();
    await (await open(path, { readOnly: true })).close();
    const replay: Figure = { name: "open by replay, after", unit: "s", value: (performance.now() - begun) / 1e3 };
    return [...figures, { ...replay, notes: { log_bytes: bytes } }];
  },
};
