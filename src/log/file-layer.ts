// The operating system as the log sees it: a handful of calls, so that tests can make each of them fail.
// Implemented by native-file-layer.ts and memory-file-layer.ts; knows nothing of frames.
import { PalimpsestError } from "../contract/errors.js";

/** `write` needs the file to be there, `create` makes it (mode 0600) when it is not. */
export type OpenMode = "read" | "write" | "create";

/** The 64 bytes of LOCK, mapped: what one process stores the others see. */
export interface LockMap {
  /** A copy; the durable frame in it is read atomically. */
  read(): Uint8Array;
  setDurableFrame(frame: number): void;
  unmap(): void;
}

export interface OpenFile {
  readonly path: string;
  length(): number;
  /** The same for every name of one file in this process. */
  identity(): string;
  /** Fills `into` from `at`; fewer bytes only at the end of the file. */
  read(into: Uint8Array, at: number): Promise<number>;
  /** All parts one after the other from `at`, then a sync of the data if asked for: one hop to the I/O thread. */
  write(parts: readonly Uint8Array[], at: number, options: { sync: boolean }): Promise<void>;
  sync(): Promise<void>;
  /** Space for [from, to), zeros until written. Never takes long; a full disk is ENOSPC and changes nothing. */
  reserve(from: number, to: number): void;
  cut(length: number): Promise<void>;
  /** Whether this open file has the lock now; never waits for its holder. */
  lock(kind: "shared" | "exclusive"): boolean;
  unlock(): void;
  mapLock(options: { writable: boolean }): LockMap;
  close(): void;
}

export interface FileLayer {
  /** Makes a folder (mode 0700) and those above it; no error when it is there. */
  makeFolder(path: string): void;
  /** Names in a folder, sorted; none when it is not there. */
  list(path: string): string[];
  open(path: string, mode: OpenMode): OpenFile;
  remove(path: string): void;
  /** Gives the file another name in its folder, in the place of the file that has it; never a moment without one. */
  rename(path: string, to: string): void;
  /** Makes names in the folder durable. */
  syncFolder(path: string): Promise<void>;
  /** CRC-32C of `bytes`, going on from the sum of what came before them. */
  readonly crc32c: (bytes: Uint8Array, before?: number) => number;
  /** 16 bytes that change with every start of the machine. */
  readonly bootId: Uint8Array;
}

/** What the operating system said. Becomes E_IO where the log knows what it means for the caller. */
export class FileError extends Error {
  constructor(
    readonly osCode: string,
    readonly call: string,
    readonly path: string,
    text: string,
  ) {
    super(`${call} ${path}: ${text} (${osCode})`);
    this.name = "FileError";
  }
}

/** The file, for reading; none where there is none. */
export function openIfThere(layer: FileLayer, path: string): OpenFile | undefined {
  try {
    return layer.open(path, "read");
  } catch (error) {
    if (error instanceof FileError && error.osCode === "ENOENT") return undefined;
    throw error;
  }
}

const NO_ROOM = "make room on the disk and write again";
const NO_FOLDER = "a store is a folder: this path is a file, or leads through one";
const NO_RIGHT = "look at who may read and write this path";
/** What a caller can do about what the operating system said. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: NO_ROOM,
  EDQUOT: NO_ROOM,
  ENOTDIR: NO_FOLDER,
  EEXIST: NO_FOLDER,
  EACCES: NO_RIGHT,
  EPERM: NO_RIGHT,
  EROFS: NO_RIGHT,
  EMFILE: "close some files or stores, or allow this process more of them",
};

export type WriteOutcome = "not_applied" | "unknown";

/** E_IO from whatever a file layer threw; errors that already have a code pass as they are. */
export function ioError(error: unknown, outcome?: WriteOutcome): PalimpsestError {
  if (error instanceof PalimpsestError) return error;
  const isFile = error instanceof FileError;
  const details = {
    ...(isFile ? { file: error.path, os_code: error.osCode, call: error.call } : {}),
    ...(outcome === undefined ? {} : { outcome }),
  };
  return new PalimpsestError("E_IO", error instanceof Error ? error.message : String(error), {
    details,
    hint: isFile ? (HINTS[error.osCode] ?? "") : "",
    cause: error,
  });
}
