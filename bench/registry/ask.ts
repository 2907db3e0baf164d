// The questions asked through the public surface: once whole, page by page, in normal form; or as they are timed, one call with its
// defaults, that is, its first page of 100 rows.

import type { Database } from "../stores/database.js";
import {
  type AggregateRow,
  aggregateForm,
  arrivalForm,
  type BurstRow,
  burstForm,
  type ChangeRow,
  type CoActiveRow,
  coActiveForm,
  type DegreeRow,
  type DiffRow,
  diffForm,
  type EdgeRow,
  evolutionForm,
  historyForm,
  type MotifRow,
  motifCountForm,
  motifTableForm,
  type NodeVersionRow,
  type PathRow,
  pathsForm,
  type ReachRow,
  type ResolveRow,
  reachForm,
  resolveForm,
  type SeriesRow,
  seriesForm,
  snapshotForm,
} from "./answer-forms.js";
import { type Call, callOf } from "./calls.js";
import type { Json } from "./normal-forms.js";
import type { Question } from "./questions.js";

interface List {
  readonly rows: unknown[];
  readonly cursor: string | null;
}

type Envelope = List & { readonly [field: string]: unknown };

const LONGEST_PAGE = 10_000;

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
  const rowsOf = async <Row>(field?: string) => (await wholeList<Row>(db, call, field)).rows;
  switch (question.id) {
    case "hist.single":
    case "hist.asof":
      return historyForm(await rowsOf<NodeVersionRow>());
    case "snap.hop2":
      return snapshotForm(await rowsOf<EdgeRow>(), await rowsOf<{ uid: string; hop: number }>("nodes"));
    case "diff.global": {
      const { first, rows } = await wholeList<DiffRow>(db, call);
      return diffForm(rows, first.totals as { [list: string]: number });
    }
    case "reach.window":
      return reachForm(await rowsOf<ReachRow>());
    case "paths.k":
      return pathsForm(await rowsOf<PathRow>());
    case "series.count":
      return seriesForm(await rowsOf<SeriesRow>());
    case "burst.zscore":
      return burstForm(await rowsOf<BurstRow>());
    case "nbr.evolution":
      return evolutionForm(await rowsOf<ChangeRow>(), await rowsOf<DegreeRow>("series"), question.right);
    case "coactive.narrow":
      return coActiveForm(await rowsOf<CoActiveRow>());
    case "resolve.substr":
      return resolveForm(await rowsOf<ResolveRow>());
    case "agg.rel_bucket":
      return aggregateForm(await rowsOf<AggregateRow>());
    case "motif.filtered":
      return motifCountForm(await rowsOf<MotifRow>());
    case "motifs36.3600":
    case "motifs36.86400":
      return motifTableForm(await rowsOf<MotifRow>());
    case "arrival.node0":
      return arrivalForm(await rowsOf<ReachRow>());
  }
}
