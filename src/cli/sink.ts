// Where answers go: standard output, or a file that appears only when all of it is there.
// A file that is there already stays as it is until then; devices and pipes are written to directly.
import { existsSync, lstatSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { PalimpsestError } from "../contract/errors.js";
import { temporaryName } from "../interchange/temporary-name.js";

export interface Sink {
  write(content: string | Uint8Array): Promise<void>;
  /** All was written. */
  keep(): Promise<void>;
  /** What was written is not wanted. */
  drop(): Promise<void>;
}

function ioError(error: unknown, path: string): PalimpsestError {
  const message = error instanceof Error ? error.message : String(error);
  return new PalimpsestError("E_IO", `${path} cannot be written: ${message}`, {
    details: { path },
    hint: "name a file in a folder that is there and may be written to",
    cause: error,
  });
}

async function orIoError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw ioError(error, path);
  }
}

export const standardOutput: Sink = {
  write: async (content) => {
    if (!process.stdout.write(content)) await new Promise((resolve) => process.stdout.once("drain", resolve));
  },
  keep: async () => {},
  drop: async () => {},
};

export async function fileSink(path: string): Promise<Sink> {
  const isDirect = existsSync(path) && !lstatSync(path).isFile();
  const written = isDirect ? path : temporaryName(path);
  const file: FileHandle = await orIoError(path, () => open(written, "w"));
  const drop = async (): Promise<void> => {
    await file.close();
    if (!isDirect) await rm(written, { force: true });
  };
  return {
    write: (content) => orIoError(path, async () => void (await file.writeFile(content))),
    keep: () =>
      orIoError(path, async () => {
        await file.close();
        if (isDirect) return;
        await rename(written, path).catch(async (error: unknown) => {
          await drop();
          throw error;
        });
      }),
    drop,
  };
}
