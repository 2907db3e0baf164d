// `palimpsest load` and `.import`: a file into a store, in one commit unless a batch size is given.
// The first rows are read before the store is opened, so that a wrong call creates nothing.
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type ErrorCode, PalimpsestError } from "../../contract/errors.js";
import type { Database } from "../../index.js";
import { fileBytes } from "../../interchange/byte-source.js";
import { asRefusal } from "../../interchange/refusal.js";
import { isFolder, versionBytes } from "../../interchange/versions/files.js";
import { withInterrupt } from "../interrupt.js";
import { note } from "../output.js";
import { writeStore } from "../with-store.js";
import { chosen } from "./choice.js";
import type { LoadFlags } from "./flags.js";
import { graphBytes } from "./graph.js";
import { LoadProgress } from "./progress.js";
import { Refusals } from "./refusals.js";
import { summarise } from "./summary.js";

const CONTENT_CODES: ReadonlySet<ErrorCode> = new Set(["E_INVALID_ARG", "E_SCHEMA", "E_LIMIT", "E_PERIOD_ORDER"]);

/** What the store refuses of a file is refused by the name of the file. */
async function ofFile(work: Promise<void>, file: string): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isContent = error instanceof PalimpsestError && CONTENT_CODES.has(error.code);
    throw isContent ? asRefusal(error, { file, line: 0 }) : error;
  }
}

/** Commits of a load; none while `to` is below `from`. */
interface Committed {
  readonly from: number;
  readonly to: number;
}

/**
 * Says what stays of a load that failed, and takes away a store that it made and wrote nothing to: a refused file leaves
 * nothing.
 */
async function tidy(store: string, wasThere: boolean, committed: Committed): Promise<void> {
  if (committed.to >= committed.from) {
    note(`commits ${committed.from} to ${committed.to} are in ${store} and stay`);
  } else if (!wasThere && committed.to === 0) {
    await rm(store, { recursive: true, force: true });
  }
}

type WithDatabase = (work: (db: Database) => Promise<void>) => Promise<void>;

const folderBytes = (folder: string, { format }: LoadFlags): Promise<number> =>
  format === "ldbc" ? graphBytes(folder) : versionBytes(folder);

async function loadFile(
  file: string,
  flags: LoadFlags,
  signal: AbortSignal,
  withDatabase: WithDatabase,
  failed: (committed: Committed) => Promise<void>,
): Promise<void> {
  const prepare = await chosen(file, flags);
  const totalBytes = (await isFolder(file)) ? await folderBytes(file, flags) : await fileBytes(file);
  const refusals = new Refusals(flags.rejects, file);
  const progress = new LoadProgress(file, totalBytes);
  try {
    const run = await prepare({ file, flags, refusals, progress, signal });
    const committed = { from: 1, to: -1 };
    const loadAll = async (db: Database): Promise<void> => {
      const before = await db.info();
      committed.from = before.tx + 1;
      try {
        await ofFile(run(db), file);
        await db.checkpoint();
      } finally {
        committed.to = (await db.info()).tx;
      }
      const after = await db.info();
      refusals.keep();
      progress.stop();
      await summarise(flags, progress, refusals, {
        tx_from: before.tx + 1,
        tx_to: after.tx,
        nodes: after.nodes - before.nodes,
        edges: after.edges - before.edges,
      });
    };
    await withDatabase(loadAll).catch(async (error: unknown) => {
      await failed(committed);
      throw error;
    });
  } finally {
    refusals.drop();
    progress.stop();
  }
}

export function load(store: string, file: string, flags: LoadFlags): Promise<void> {
  return withInterrupt(async (signal) => {
    const wasThere = existsSync(store);
    await loadFile(
      file,
      flags,
      signal,
      // A file may be thousands of commits, which share flushes; all of them are durable before the load says what it did.
      (work) => writeStore(store, work, flags.batch === undefined ? { durability: "interval" } : {}),
      (committed) => tidy(store, wasThere, committed),
    );
  });
}

/** The same into a store that is open. */
export function loadInto(db: Database, file: string, flags: LoadFlags, signal: AbortSignal): Promise<void> {
  const failed = (committed: Committed) => tidy(db.path, true, committed);
  return loadFile(file, flags, signal, (work) => work(db), failed);
}
