// The bytes of a file in chunks, unpacked when its name ends in .gz.
// Reads through Node's own threads; knows nothing of records.
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { PalimpsestError } from "../contract/errors.js";
import { refusal } from "./refusal.js";

/** Tokenising this much stays far under the 8 ms that the event loop may be held. */
const CHUNK_BYTES = 128 << 10;

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string";

export const isGzip = (file: string): boolean => file.toLowerCase().endsWith(".gz");

const ABSENT = ["there is no such file or folder", "look whether the path is right"] as const;
const FORBIDDEN = ["it may not be read", "give the user that runs this the right to read it"] as const;
/** What the system says that a caller can mend, and how. */
const MENDABLE: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOENT: ABSENT,
  ENOTDIR: ABSENT,
  EACCES: FORBIDDEN,
  EPERM: FORBIDDEN,
};

function ofSystem(error: NodeJS.ErrnoException, file: string): PalimpsestError {
  const [what, hint] = MENDABLE[error.code ?? ""] ?? [error.message, ""];
  const details = { file, ...(error.code === undefined ? {} : { os_code: error.code }) };
  return new PalimpsestError("E_IO", `${file}: ${what}`, { details, hint, cause: error });
}

function translate(error: unknown, file: string): unknown {
  if (isSystemError(error)) return ofSystem(error, file);
  if (error instanceof Error && String((error as NodeJS.ErrnoException).code).startsWith("Z_")) {
    const cut = (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
    return refusal({ file, line: 0 }, cut ? "the gzip data is cut short" : `not gzip data: ${error.message}`, {
      hint: cut ? "fetch the file again" : "only a file that is packed with gzip may be named .gz",
      cause: error,
    });
  }
  return error;
}

/**
 * Size in bytes on disk. Refuses what is no file: whoever reads looks at the beginning first and then reads again, which a
 * pipe would never end, and a device may have no end.
 */
export async function fileBytes(file: string): Promise<number> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) {
      throw new PalimpsestError("E_IO", `${file}: is a directory`, { details: { file }, hint: "name a file" });
    }
    if (!found.isFile()) {
      throw new PalimpsestError("E_IO", `${file}: is a pipe or a device, and no file`, {
        details: { file },
        hint: "write its bytes into a file first",
      });
    }
    return found.size;
  } catch (error) {
    throw translate(error, file);
  }
}

/** What stands in a folder. */
export async function folderNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw translate(error, folder);
  }
}

/** Chunks of the unpacked file. `onRead` hears how many bytes of the file itself have been read. */
export async function* readChunks(file: string, onRead?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  await fileBytes(file);
  const raw = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  if (onRead !== undefined) raw.on("data", () => onRead(raw.bytesRead));
  const stream = isGzip(file) ? pipeline(raw, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : raw;
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw translate(error, file);
  } finally {
    raw.destroy();
  }
}
