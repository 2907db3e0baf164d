// Opens a store for one command and closes it whatever happens.
// Reading commands never create a store and never wait for a writer.
import { existsSync } from "node:fs";
import { PalimpsestError } from "../contract/errors.js";
import { type Database, type OpenOptions, open } from "../index.js";
import { note } from "./output.js";

/** Says on standard error what was not taken from the log, so that nobody takes a torn store for a whole one. */
function reported(db: Database): Database {
  const { cut, unread } = db.openReport;
  if (cut?.path !== undefined) {
    note(`the log ended in bad bytes: ${cut.byteCount} bytes from frame ${cut.frameNo} on were moved to ${cut.path}`);
  }
  if (unread !== null) {
    note(
      `the log is read up to frame ${unread.frameNo}: bad bytes at offset ${unread.offset} of file ${unread.fileNo}`,
    );
  }
  return db;
}

async function using<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

export async function openToRead(path: string): Promise<Database> {
  if (!existsSync(path)) {
    throw new PalimpsestError("E_NOT_FOUND", `there is no store at ${path}`, {
      details: { path },
      hint: "load a file into it first: palimpsest load STORE FILE",
    });
  }
  return reported(await open(path, { readOnly: true }));
}

/** Creates the store when it is absent. */
export const openToWrite = async (path: string, options: OpenOptions = {}): Promise<Database> =>
  reported(await open(path, options));

export async function readStore<T>(path: string, work: (db: Database) => Promise<T>): Promise<T> {
  return await using(await openToRead(path), work);
}

export async function writeStore<T>(
  path: string,
  work: (db: Database) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  return await using(await openToWrite(path, options), work);
}
