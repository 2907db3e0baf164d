// The sessions that scripts and the REPL use, over an open database.
// The one place of the command line that knows both sides.
import { Command, CommanderError } from "commander";
import { PalimpsestError } from "../contract/errors.js";
import type { Database, QuerySession } from "../index.js";
import { withFileOptions } from "./load/command.js";
import type { LoadFlags } from "./load/flags.js";
import type { OpenStore } from "./repl/surroundings.js";
import type { TqlSession } from "./session.js";
import { openToRead, openToWrite, readStore, writeStore } from "./with-store.js";

export interface SessionMode {
  readonly write: boolean;
}

function sessionOf(db: Database): TqlSession & { close(): void } {
  const session = db.session();
  return {
    query: async (text, options) => await session.query(text, options),
    stream: (text, options) => session.query(text, options).stream(),
    state: () => session.state(),
    close: () => session.close(),
  };
}

/** One session, for a script. */
export function withSession<T>(path: string, { write }: SessionMode, work: (session: TqlSession) => Promise<T>) {
  const using = write ? writeStore<T> : readStore<T>;
  return using(path, async (db) => {
    const session = sessionOf(db);
    try {
      return await work(session);
    } finally {
      session.close();
    }
  });
}

/** The session itself, for answers that are no text. */
export function withRawSession<T>(
  path: string,
  { write }: SessionMode,
  work: (session: QuerySession) => Promise<T>,
): Promise<T> {
  const using = write ? writeStore<T> : readStore<T>;
  return using(path, async (db) => {
    const session = db.session();
    try {
      return await work(session);
    } finally {
      session.close();
    }
  });
}

/** The file and flags of `.import`; a misuse says what is wrong, as the command would. */
function importFlags(words: readonly string[]): { file: string; flags: LoadFlags } {
  let said = "";
  const command = withFileOptions(new Command(".import"))
    .exitOverride()
    .configureOutput({
      writeErr: (text) => {
        said += text;
      },
    });
  try {
    command.parse([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new PalimpsestError("E_INVALID_ARG", said.replace(/^error: /, "").trim() || error.message, {
      hint: "the options are those of palimpsest load",
    });
  }
  return { file: command.args[0]!, flags: command.opts<LoadFlags>() };
}

export async function openForSession(path: string, { write }: SessionMode): Promise<OpenStore> {
  const db = await (write ? openToWrite(path) : openToRead(path));
  const session = sessionOf(db);
  return {
    path,
    session,
    info: () => db.info(),
    completions: async (text, parameters) => {
      const [{ completions }, { catalogueNames }] = await Promise.all([
        import("../../grammar/index.js"),
        import("./repl/catalogue-names.js"),
      ]);
      const { candidates, prefix } = completions(text, await catalogueNames(session, parameters));
      return { candidates: candidates.map((candidate) => candidate.text), typed: prefix };
    },
    load: async (words, signal) => {
      const { file, flags } = importFlags(words);
      if (db.isReadOnly) {
        throw new PalimpsestError("E_READONLY", ".import writes, and this REPL reads only", {
          hint: `leave and start it as palimpsest repl ${path} --write`,
        });
      }
      await (await import("./load/load.js")).loadInto(db, file, flags, signal);
    },
    close: async () => {
      session.close();
      await db.close();
    },
  };
}
