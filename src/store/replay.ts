// Commits of the log, applied to a core: what opening and following do. Nothing is judged again, unless `verify` asks.
import { PalimpsestError } from "../contract/errors.js";
import { parseExact } from "../contract/exact-json.js";
import { formatInstant } from "../contract/instant.js";
import type { JsonObject } from "../contract/values.js";
import { chainText } from "../log/chain.js";
import type { LogItem } from "../log/items.js";
import { OperationEncoder } from "../log/operations/encode.js";
import { readOperation } from "../log/operations/read-operation.js";
import type { RowOperation } from "../log/operations/types.js";
import type { LogCommit } from "../log/reader.js";
import { fromNative } from "../native/errors.js";
import type { NativeCore, NativeEventsHeader } from "../native/store.js";
import { OPERATIONS_AT_ONCE } from "./batch.js";
import { Pace } from "./turns.js";
import type { CommitHead } from "./types.js";

export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

/** The idempotency key of a commit, where it has one. */
export function keyOf(commit: LogCommit): string | undefined {
  const first = commit.items[0];
  return first?.kind === "idempotency_key" ? textOf(first.content) : undefined;
}

/** Whether a commit is the receipt of an erasure. */
export const isErasure = (commit: LogCommit): boolean => commit.items.some((item) => item.kind === "erasure");

export function headerOf(operation: JsonObject): NativeEventsHeader {
  return {
    nodeLabels: (operation.node_labels ?? []) as string[],
    source: (operation.source ?? null) as string | null,
    provenanceRef: (operation.provenance_ref ?? null) as string | null,
    reason: (operation.reason ?? null) as string | null,
  };
}

/** The uids that take the numbers of an erased operation: null for those that are gone. */
export function uidsOf(item: LogItem & { kind: "erased" }): (string | null)[] {
  const uids = new Array<string | null>(item.nodeNumbers).fill(null);
  for (const { place, uid } of item.keptUids) uids[place] = uid;
  return uids;
}

interface Staged {
  /** Positions of operations that found nothing to correct or retract. */
  readonly missed: readonly number[];
  /** Positions say nothing then: an operation that is gone may have left several items. */
  readonly hasErased: boolean;
}

/** What the receipt of an erasure says to replay. */
export function readReceipt(receipt: string): { firstTx: number; spentKeys: readonly number[] } {
  const { first_tx, spent_keys } = JSON.parse(receipt) as { first_tx: number; spent_keys: number[] };
  return { firstTx: first_tx, spentKeys: spent_keys };
}

async function stageItems(core: NativeCore, items: readonly LogItem[]): Promise<Staged> {
  const missed: number[] = [];
  let hasErased = false;
  let encoder = new OperationEncoder();
  let operationCount = 0;
  const pace = new Pace();
  const stageWaiting = async (): Promise<void> => {
    if (encoder.count === 0) return;
    missed.push(...(await core.replayOps(encoder.take(), operationCount - encoder.count)));
    encoder = new OperationEncoder();
  };
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i]!;
    if (pace.isDue) await pace.rest();
    if (item.kind === "operation") {
      const operation = parseExact(textOf(item.content)) as JsonObject;
      if (operation.op !== "ingest_events") {
        encoder.add(readOperation(operation, `/${i}`, true) as RowOperation);
        operationCount += 1;
        if (encoder.count === OPERATIONS_AT_ONCE) await stageWaiting();
        continue;
      }
      await stageWaiting();
      operationCount += 1;
      const blocks: Uint8Array[] = [];
      for (let next = items[i + 1]; next?.kind === "block"; next = items[i + 1]) {
        blocks.push(next.content);
        i += 1;
      }
      await core.stageBlocks(headerOf(operation), blocks);
    } else if (item.kind === "erased") {
      await stageWaiting();
      core.stageErased(item.edgeNumbers, uidsOf(item));
      hasErased = true;
    } else if (item.kind === "erasure" && item.receipt !== "") {
      const { firstTx, spentKeys } = readReceipt(item.receipt);
      core.stageErasure(firstTx, spentKeys);
    }
  }
  await stageWaiting();
  return { missed, hasErased };
}

/**
 * Applies one commit and publishes it. A rejected batch changes nothing. E_LOG_CORRUPT when the core refuses it. Gives the
 * positions of operations that found nothing to correct or retract: what they were about may have been erased since.
 */
export async function replayCommit(core: NativeCore, commit: LogCommit): Promise<readonly number[]> {
  if (commit.outcome.kind !== "applied") return [];
  let staged: Staged;
  try {
    staged = await stageItems(core, commit.items);
    await core.seal(commit.txTimeUs);
  } catch (error) {
    core.abort();
    const cause = fromNative(error);
    throw notApplicable(commit, cause.message, cause);
  }
  core.publish(commit.chain);
  return staged.missed;
}

export function notApplicable(commit: LogCommit, why: string, cause?: PalimpsestError): PalimpsestError {
  return new PalimpsestError("E_LOG_CORRUPT", `commit ${commit.tx} cannot be applied: ${why}`, {
    details: { tx: commit.tx, frame: commit.firstFrame, ...cause?.details },
    hint: "its frames are whole, but not what this version writes; restore the log from a copy",
    cause,
  });
}

/**
 * Judges a rejected batch again and changes nothing: E_LOG_CORRUPT unless it fails as the log says. Gives the positions of
 * operations before it that fail by now.
 */
export async function judgeRejected(core: NativeCore, commit: LogCommit): Promise<readonly number[]> {
  if (commit.outcome.kind === "applied") return [];
  const { operation } = commit.outcome;
  let failed = "it applies";
  try {
    const { missed, hasErased } = await stageItems(core, commit.items);
    if (hasErased) return [];
    if (missed.includes(operation)) return missed.filter((position) => position < operation);
    if (missed.length > 0) failed = `operation ${missed[0]} was not`;
  } catch (error) {
    failed = fromNative(error).message;
  } finally {
    core.abort();
  }
  throw new PalimpsestError(
    "E_LOG_CORRUPT",
    `the log says that operation ${operation} of the batch in frame ${commit.firstFrame} was not found: ${failed}`,
    { details: { frame: commit.firstFrame, operation } },
  );
}

/** What `write` gave for a commit of the log. */
export function headOfCommit(commit: LogCommit): CommitHead {
  return { tx: commit.tx, txTime: formatInstant(commit.txTimeUs), chain: chainText(commit.chain) };
}
