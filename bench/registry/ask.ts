// The questions as calls of operators: once whole, page by page, in normal form; or as they are timed, one call with its defaults.

import { nodeName, type Question } from "../data/corrected-intervals.js";
import type { Database } from "../stores/database.js";
import {
  arrivalForm,
  type DiffRow,
  diffForm,
  type EdgeRow,
  historyForm,
  instantOf,
  type Json,
  type NodeVersionRow,
  type ReachRow,
  reachForm,
  snapshotForm,
} from "./normal-forms.js";

export interface Call {
  readonly op: string;
  readonly args: { readonly [name: string]: Json };
}

interface List {
  readonly rows: unknown[];
  readonly cursor: string | null;
}

type Envelope = List & { readonly [field: string]: unknown };

const LONGEST_PAGE = 10_000;

export function callOf(question: Question): Call {
  switch (question.id) {
    case "hist.single":
      return { op: "entity_history", args: { uid: nodeName(question.node) } };
    case "hist.asof":
      return { op: "entity_history", args: { uid: nodeName(question.node), as_of_tt: `tx:${question.tx}` } };
    case "snap.hop2":
      return {
        op: "snapshot_subgraph",
        args: { seeds: [nodeName(question.node)], hops: question.hops, at: instantOf(question.at) },
      };
    case "diff.global":
      return {
        op: "diff_snapshots",
        args: { left: { at: instantOf(question.left) }, right: { at: instantOf(question.right) } },
      };
    case "reach.window":
      return {
        op: "temporal_reachability",
        args: {
          uid: nodeName(question.node),
          window: { from: instantOf(question.from), to: instantOf(question.to) },
        },
      };
  }
}

/** Earliest arrival from node 0 over the whole power-law history. */
export const ARRIVAL_CALL: Call = { op: "temporal_reachability", args: { uid: "0" } };

export async function timedCall(db: Database, { op, args }: Call): Promise<unknown> {
  return db.call(op, args);
}

async function envelopeOf(db: Database, op: string, args: Call["args"]): Promise<Envelope> {
  return (await db.call(op, args)) as unknown as Envelope;
}

/** The first page's envelope, and all rows of its main list or of the list in `field`. */
async function wholeList<Row>(
  db: Database,
  { op, args }: Call,
  field?: string,
): Promise<{ first: Envelope; rows: Row[] }> {
  const listIn = (envelope: Envelope) => (field === undefined ? envelope : (envelope[field] as List));
  const first = await envelopeOf(db, op, { ...args, limit: LONGEST_PAGE });
  const rows = [...listIn(first).rows];
  for (let cursor = listIn(first).cursor; cursor !== null; ) {
    const page = listIn(await envelopeOf(db, op, { ...args, limit: LONGEST_PAGE, cursor }));
    for (const row of page.rows) rows.push(row);
    cursor = page.cursor;
  }
  return { first, rows: rows as Row[] };
}

/** The whole answer in normal form. */
export async function answerOf(db: Database, question: Question): Promise<Json> {
  const call = callOf(question);
  switch (question.id) {
    case "hist.single":
    case "hist.asof":
      return historyForm((await wholeList<NodeVersionRow>(db, call)).rows);
    case "snap.hop2": {
      const edges = await wholeList<EdgeRow>(db, call);
      const nodes = await wholeList<{ uid: string; hop: number }>(db, call, "nodes");
      return snapshotForm(edges.rows, nodes.rows);
    }
    case "diff.global": {
      const { first, rows } = await wholeList<DiffRow>(db, call);
      return diffForm(rows, first.totals as { [list: string]: number });
    }
    case "reach.window":
      return reachForm((await wholeList<ReachRow>(db, call)).rows);
  }
}

export async function arrivalAnswer(db: Database): Promise<Json> {
  return arrivalForm((await wholeList<ReachRow>(db, ARRIVAL_CALL)).rows);
}
