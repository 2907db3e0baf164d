// Opens a store for one command and closes it whatever happens.
// Reading commands never create a store and never wait for a writer.
import { existsSync } from "node:fs";
import { PalimpsestError } from "../contract/errors.js";
import { type Database, open } from "../index.js";
import { note } from "./output.js";

/** Says on standard error what was not taken from the log, so that nobody takes a torn store for a whole one. */
function report({ openReport }: Database): void {
  const { cut, unread } = openReport;
  if (cut?.path !== undefined) {
    note(`the log ended in bad bytes: ${cut.byteCount} bytes from frame ${cut.frameNo} on were moved to ${cut.path}`);
  }
  if (unread !== null) {
    note(
      `the log is read up to frame ${unread.frameNo}: bad bytes at offset ${unread.offset} of file ${unread.fileNo}`,
    );
  }
}

async function using<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  report(db);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

export async function readStore<T>(path: string, work: (db: Database) => Promise<T>): Promise<T> {
  if (!existsSync(path)) {
    throw new PalimpsestError("E_NOT_FOUND", `there is no store at ${path}`, {
      details: { path },
      hint: "load a file into it first: palimpsest load STORE FILE",
    });
  }
  return await using(await open(path, { readOnly: true }), work);
}

/** Creates the store when it is absent. */
export async function writeStore<T>(path: string, work: (db: Database) => Promise<T>): Promise<T> {
  return await using(await open(path), work);
}
