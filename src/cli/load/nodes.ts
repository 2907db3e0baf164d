// Files of nodes: read in batches of operations, which are written as they come, or grouped by their times of transaction.
import { basename } from "node:path";
import { PalimpsestError } from "../../contract/errors.js";
import { LIMITS } from "../../contract/values.js";
import type { Database } from "../../index.js";
import { commitsOf } from "../../interchange/commits-by-time.js";
import { type AssertNode, type NodeBatch, type NodeOptions, readNodes } from "../../interchange/nodes.js";
import { readTableNodes } from "../../interchange/tables/nodes.js";
import { note } from "../output.js";
import { checkNodeFlags } from "./flags.js";
import { checkInterrupted, type Write } from "./loading.js";
import { nodeColumns } from "./options.js";
import { begun, type RowsLoading, readerOf, sourceOptions } from "./rows.js";

/** A batch of operations has a limit; a file beyond it needs several commits, and only the caller can allow that. */
function checkCount(count: number, file: string, hint: string): void {
  if (count <= LIMITS.batchOperations) return;
  throw new PalimpsestError("E_LIMIT", `${file}: more than ${LIMITS.batchOperations} nodes in one commit`, {
    details: { file, limit: LIMITS.batchOperations },
    hint,
  });
}

async function* limited(batches: AsyncIterable<NodeBatch>, file: string): AsyncGenerator<NodeBatch> {
  for await (const batch of batches) {
    if (batch.txTimesUs === null) checkCount(batch.operations.length, file, `give --batch ${LIMITS.batchOperations}`);
    yield batch;
  }
}

/** One commit for each time of the column, in its order, once the whole file is known to be good. */
async function writeByTime(db: Database, batches: AsyncIterable<NodeBatch>, loading: RowsLoading): Promise<void> {
  const operations: AssertNode[] = [];
  const txTimesUs: bigint[] = [];
  for await (const batch of batches) {
    checkInterrupted(loading);
    loading.progress.took(batch.operations.length);
    for (const operation of batch.operations) operations.push(operation);
    for (const us of batch.txTimesUs!) txTimesUs.push(us);
  }
  const commits = commitsOf(operations, txTimesUs);
  for (const { content } of commits) checkCount(content.length, loading.file, "give fewer rows one time");
  loading.progress.enter("writing");
  for (const { txTimeUs, content } of commits) {
    checkInterrupted(loading);
    await db.write(content, { txTime: txTimeUs });
  }
}

/** The nodes of a file, whatever its format. */
async function* nodesOf(loading: RowsLoading, options: NodeOptions): AsyncGenerator<NodeBatch> {
  const { file, table } = loading;
  if (table === undefined) yield* readNodes(file, options);
  else yield* readTableNodes(await readerOf(loading, table), { ...options, onRefusal: loading.refusals.add });
}

export async function prepareNodes(loading: RowsLoading): Promise<Write> {
  const { file, flags, options, progress } = loading;
  checkNodeFlags(flags);
  if (flags.time === undefined) note("no --time: the nodes hold from -9999-01-01T00:00:00Z on");
  const reading = nodesOf(loading, {
    ...sourceOptions(loading),
    columns: nodeColumns(flags, options),
    labels: flags.nodeLabel ?? [],
    source: basename(file),
    operationsPerBatch: flags.batch ?? LIMITS.batchOperations + 1,
  });
  const batches = await begun(limited(reading, file), loading);
  if (flags.txTime !== undefined) return (db) => writeByTime(db, batches, loading);
  return async (db) => {
    for await (const { operations } of batches) {
      checkInterrupted(loading);
      progress.enter("writing");
      await db.write(operations);
      progress.enter("reading");
      progress.took(operations.length);
    }
  };
}
