// Family 1 as columns and writes of the public surface: one tick is one microsecond, keys are chosen by the store.
// In a fresh store that loads the events first, event i is the edge with seq i + 1, hence with key "#" + (i + 1).

import {
  EVENTS_PER_COMMIT,
  type Events,
  NODE_LABEL,
  nodeCount,
  nodeName,
  type Operation,
  operations,
  TYPE_NAMES,
  variantCorrection,
} from "../data/corrected-intervals.js";
import type { Database } from "./database.js";

export interface TextCodes {
  readonly values: string[];
  readonly codes: Uint32Array;
}

export interface IntervalColumns {
  readonly src: TextCodes;
  readonly dst: TextCodes;
  readonly type: TextCodes;
  readonly time: BigInt64Array;
  readonly valid_to: BigInt64Array;
}

/** All events as typed columns over one list of names; nothing is copied. */
export function intervalColumns(scale: number, data: Events): IntervalColumns {
  const names = Array.from({ length: nodeCount(scale) }, (_, node) => nodeName(node));
  return {
    src: { values: names, codes: data.src },
    dst: { values: names, codes: data.dst },
    type: { values: [...TYPE_NAMES], codes: data.type },
    time: data.validFrom,
    valid_to: data.validTo,
  };
}

function* commits(columns: IntervalColumns): Generator<IntervalColumns> {
  for (let from = 0; from < columns.time.length; from += EVENTS_PER_COMMIT) {
    const to = from + EVENTS_PER_COMMIT;
    const part = ({ values, codes }: TextCodes) => ({ values, codes: codes.subarray(from, to) });
    yield {
      src: part(columns.src),
      dst: part(columns.dst),
      type: part(columns.type),
      time: columns.time.subarray(from, to),
      valid_to: columns.valid_to.subarray(from, to),
    };
  }
}

/** The bulk load of the benchmark: commits of 50,000 events. */
export async function loadIntervals(db: Database, scale: number, data: Events): Promise<void> {
  await db.ingest(commits(intervalColumns(scale, data)), {
    type: TYPE_NAMES[0],
    nodeLabels: [NODE_LABEL],
    rowsPerCommit: EVENTS_PER_COMMIT,
  });
}

export function edgeRef(data: Events, event: number) {
  return {
    src: nodeName(data.src[event] as number),
    type: TYPE_NAMES[data.type[event] as 0 | 1],
    dst: nodeName(data.dst[event] as number),
    key: `#${event + 1}`,
  };
}

/** The benchmark's correction of one edge: new properties over an interval of ticks. */
export function correctionOf(data: Events, event: number, weight: number, from: bigint, to: bigint) {
  return { op: "correct" as const, ref: edgeRef(data, event), valid_from: from, valid_to: to, props: { weight } };
}

function writeOf(data: Events, write: Operation) {
  switch (write.kind) {
    case "assert_node":
      return {
        op: "assert_node" as const,
        uid: nodeName(write.node),
        labels: [NODE_LABEL],
        props: { name: write.name },
        valid_from: BigInt(write.from),
        valid_to: BigInt(write.to),
      };
    case "correct_node":
      return {
        op: "correct" as const,
        ref: { uid: nodeName(write.node) },
        labels: [NODE_LABEL],
        props: { name: write.name },
        valid_from: BigInt(write.from),
        valid_to: BigInt(write.to),
      };
    case "correct_edge":
      return correctionOf(data, write.event, write.weight, BigInt(write.from), BigInt(write.to));
    case "retract_edge":
      return {
        op: "retract" as const,
        ref: edgeRef(data, write.event),
        valid_from: BigInt(write.from),
        valid_to: null,
      };
  }
}

/** Bulk load, then the 262 writes, each its own commit. */
export async function buildIntervalStore(db: Database, scale: number, data: Events): Promise<void> {
  await loadIntervals(db, scale, data);
  for (const write of operations(scale, data)) await db.write([writeOf(data, write)]);
}

/** Corrections per commit where many are made. */
const CORRECTIONS_PER_COMMIT = 10_000;

/** Writes operations in commits of a size that a user would choose. */
export async function writeInCommits<Operation>(
  operations: Iterable<Operation>,
  write: (batch: Operation[]) => Promise<unknown>,
): Promise<void> {
  let batch: Operation[] = [];
  for (const operation of operations) {
    batch.push(operation);
    if (batch.length === CORRECTIONS_PER_COMMIT) {
      await write(batch);
      batch = [];
    }
  }
  if (batch.length > 0) await write(batch);
}

/** The variant: a fifth of all edges corrected. */
export async function correctVariant(db: Database, scale: number, data: Events): Promise<void> {
  function* corrections() {
    for (let event = 0; event < data.count; event++) {
      const write = variantCorrection(scale, data, event);
      if (write !== null) yield writeOf(data, write);
    }
  }
  await writeInCommits(corrections(), (batch) => db.write(batch));
}
