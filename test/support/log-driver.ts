// Drives the log without a store: opens, writes commits of known content, reads everything back.
import type { FileLayer } from "../../src/log/file-layer.js";
import { CommitItems } from "../../src/log/items.js";
import { WriterLock } from "../../src/log/lock.js";
import { type OpenedWriter, openLogWriter } from "../../src/log/open-log.js";
import { type LogCommit, LogReader, type LogTail } from "../../src/log/reader.js";
import type { LogWriter, LogWriterOptions, StagedCommit } from "../../src/log/writer.js";

export const STORE = "/store";
export const FIRST_TIME_US = 1_700_000_000_000_000n;

export interface ReadBack {
  readonly commits: LogCommit[];
  readonly tail: LogTail;
  readonly error: unknown;
}

/** Everything that the log gives up, and how it ended. Never throws. */
export async function readAll(layer: FileLayer, store = STORE): Promise<ReadBack> {
  const reader = new LogReader(layer, store);
  const commits: LogCommit[] = [];
  let error: unknown;
  try {
    for (let commit = await reader.next(); commit !== undefined; commit = await reader.next()) commits.push(commit);
  } catch (caught) {
    error = caught;
  }
  reader.close();
  return { commits, tail: reader.tail, error };
}

export interface OpenedLog extends OpenedWriter {
  readonly commits: LogCommit[];
}

export async function openLog(layer: FileLayer, options: LogWriterOptions = {}, store = STORE): Promise<OpenedLog> {
  const lock = await WriterLock.acquire(layer, store);
  const reader = new LogReader(layer, store, { knownDurable: (storeId) => lock.knownDurable(storeId) });
  const commits: LogCommit[] = [];
  try {
    for (let commit = await reader.next(); commit !== undefined; commit = await reader.next()) commits.push(commit);
  } catch (error) {
    reader.close();
    lock.release();
    throw error;
  }
  const opened = await openLogWriter(layer, store, lock, reader, { reserveStepBytes: 4096, ...options });
  return { ...opened, commits };
}

export function itemsOf(layer: FileLayer, texts: readonly string[], frameTargetBytes?: number): CommitItems {
  const items = new CommitItems(layer.crc32c, frameTargetBytes);
  for (const text of texts) items.addOperation(text);
  return items;
}

/** Stages the next commit with these operations. */
export function stage(
  writer: LogWriter,
  layer: FileLayer,
  texts: readonly string[],
  options: { publish?: () => void; frameTargetBytes?: number } = {},
): StagedCommit {
  const { head } = writer;
  const txTimeUs = head.txTimeUs < FIRST_TIME_US ? FIRST_TIME_US : head.txTimeUs + 1_000_000n;
  const items = itemsOf(layer, texts, options.frameTargetBytes);
  return writer.stage({ tx: head.tx + 1, txTimeUs, items, ...(options.publish ? { publish: options.publish } : {}) });
}

export function textsOf(commit: LogCommit): string[] {
  return commit.items.map((item) => (item.kind === "erased" ? "" : Buffer.from(item.content).toString("utf8")));
}
