// From a log that has been read to a log that can be written: torn tail aside, unsynced frames again, LOCK announced.
// The order for a store: WriterLock.acquire, read all with a LogReader that knows the lock, openLogWriter.
import { randomBytes } from "node:crypto";
import { type FileLayer, ioError, type OpenFile } from "./file-layer.js";
import { LOG_HEADER_BYTES, STORE_ID_BYTES } from "./layout.js";
import type { WriterLock } from "./lock.js";
import type { LogReader } from "./reader.js";
import { type CutTail, createLogFile, cutTornTail, openLastFile, rewriteUnsynced } from "./recovery.js";
import { LogTip } from "./tip.js";
import { LogWriter, type LogWriterOptions } from "./writer.js";

const DEFAULTS = { durability: "full", rotateBytes: 64 << 20, reserveStepBytes: 1 << 20 } as const;

export interface OpenedWriter {
  readonly writer: LogWriter;
  /** The torn tail that was moved aside. */
  readonly cut: CutTail | undefined;
}

/**
 * Goes on behind what `reader` has read to its end, or begins the log of a new store. Takes the lock over: after an
 * error it is released.
 */
export async function openLogWriter(
  layer: FileLayer,
  store: string,
  lock: WriterLock,
  reader: LogReader,
  options: LogWriterOptions = {},
): Promise<OpenedWriter> {
  reader.close();
  let file: OpenFile | undefined;
  try {
    const { position, tail } = reader;
    const cut = tail.kind === "torn" ? await cutTornTail(layer, store, tail) : undefined;
    await rewriteUnsynced(layer, store, reader.unsynced);
    const isNew = position.offset === 0;
    const storeId =
      isNew || reader.storeId === undefined ? new Uint8Array(randomBytes(STORE_ID_BYTES)) : reader.storeId;
    file = isNew
      ? await createLogFile(layer, store, { storeId, fileNo: 1, firstFrame: 1, chainBefore: position.chain })
      : await openLastFile(layer, store, position.fileNo);
    const { tx, txTimeUs, chain } = position;
    const head = { frameNo: position.frameNo - 1, tx, txTimeUs, chain };
    await lock.announce(storeId, head.frameNo);
    const filled = { ...DEFAULTS, ...options };
    const tip = new LogTip(file, position.fileNo, isNew ? LOG_HEADER_BYTES : position.offset, filled.reserveStepBytes);
    return { writer: new LogWriter(layer, store, storeId, lock, filled, tip, head), cut };
  } catch (error) {
    file?.close();
    lock.release();
    throw ioError(error);
  }
}
