// `palimpsest snapshot`: the graph of one instant as a document for other tools, on standard output or in a file.

import type { JsonObject } from "../contract/values.js";
import type { Database, Envelope } from "../index.js";
import { dotOf } from "../interchange/graph/dot.js";
import { graphologyOf } from "../interchange/graph/graphology.js";
import type { Snapshot, SnapshotEdge, SnapshotNode } from "../interchange/graph/snapshot.js";
import { withInterrupt } from "./interrupt.js";
import { fileSink, standardOutput } from "./sink.js";
import { readStore } from "./with-store.js";

export interface SnapshotFlags {
  readonly format: "dot" | "graphology";
  readonly at: string;
  readonly asOf?: string;
  readonly output?: string;
}

const PAGE_ROWS = 10_000;
const PIECES_AT_ONCE = 1000;
const NODE_COLUMNS = ["uid", "labels", "valid_from", "valid_to", "props"];
const EDGE_COLUMNS = ["src", "type", "dst", "key", "valid_from", "valid_to", "props"];

interface Pages {
  readonly rows: JsonObject[];
  readonly args: JsonObject;
  readonly pin: { readonly tx: number; readonly tx_time: string | null };
}

/** All rows of a table that hold at the instant, at one pin. */
async function rowsAt(
  db: Database,
  of: "nodes" | "edges",
  at: string,
  pin: string | null,
  signal: AbortSignal,
): Promise<Pages> {
  const columns = of === "nodes" ? NODE_COLUMNS : EDGE_COLUMNS;
  const rows: JsonObject[] = [];
  for (let cursor: string | null = null; ; ) {
    const given = { of, valid: { at }, columns, as_of_tt: pin, limit: PAGE_ROWS, cursor };
    const page = (await db.call("scan", given, { signal })) as Envelope;
    for (const row of page.rows ?? []) rows.push(row);
    cursor = page.cursor;
    if (cursor === null) return { rows, args: page.args, pin: page.pin };
  }
}

async function readSnapshot(db: Database, { at, asOf }: SnapshotFlags, signal: AbortSignal): Promise<Snapshot> {
  const { rows, args, pin } = await rowsAt(db, "nodes", at, asOf ?? null, signal);
  const edges = (await rowsAt(db, "edges", at, `tx:${pin.tx}`, signal)).rows as unknown as readonly SnapshotEdge[];
  const nodes = rows.map((row): SnapshotNode => {
    const { uid, ...version } = row as unknown as { uid: string } & NonNullable<SnapshotNode["version"]>;
    return { uid, version };
  });
  const known = new Set(nodes.map(({ uid }) => uid));
  for (const { src, dst } of edges) {
    for (const uid of [src, dst]) {
      if (known.has(uid)) continue;
      known.add(uid);
      nodes.push({ uid, version: null });
    }
  }
  const resolved = (args.valid as { at: string }).at;
  return { head: { at: resolved, tx: pin.tx, tx_time: pin.tx_time }, nodes, edges };
}

/** Writes pieces by the thousand: a call for each line costs more than the line. */
async function writeAll(pieces: Iterable<string>, write: (text: string) => Promise<void>): Promise<void> {
  let waiting: string[] = [];
  const flush = async (): Promise<void> => {
    await write(waiting.join(""));
    waiting = [];
  };
  for (const piece of pieces) if (waiting.push(piece) === PIECES_AT_ONCE) await flush();
  await flush();
}

export function snapshot(store: string, flags: SnapshotFlags): Promise<void> {
  return withInterrupt(async (signal) => {
    const found = await readStore(store, (db) => readSnapshot(db, flags, signal));
    const sink = flags.output === undefined ? standardOutput : await fileSink(flags.output);
    try {
      await writeAll(flags.format === "dot" ? dotOf(found) : graphologyOf(found), sink.write);
    } catch (error) {
      await sink.drop();
      throw error;
    }
    await sink.keep();
  });
}
