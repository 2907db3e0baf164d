// The notes of an open database as programs and the command line have them.
import type { Database } from "../database.js";
import type { Built } from "./memory/build.js";
import { type BuildOptions, Memory, type NotesList } from "./memory/memory.js";
import { checkDatabase, checkSignal, readNameProps, readOptions, refuse } from "./option-checks.js";
import { type ModelConfig, readConfig } from "./provider/config.js";
import { Provider } from "./provider/provider.js";

export interface BuildNotesOptions extends Omit<BuildOptions, "provider"> {
  /** Whose words the notes are in; left out: code words them. */
  readonly model?: ModelConfig;
}

const BUILD_OPTIONS = ["stride", "model", "name_props", "signal", "on_window"] as const;

function readBuildOptions(given: BuildNotesOptions): BuildNotesOptions {
  return readOptions("options of build", given, BUILD_OPTIONS, (options) => {
    const { stride, signal, on_window: onWindow } = options;
    checkSignal(signal);
    if (stride !== undefined && typeof stride !== "string") refuse("stride is no text", "write P7D");
    if (onWindow !== undefined && typeof onWindow !== "function")
      refuse("on_window is no function", "give (done, of) => {}");
    const props = readNameProps(options.name_props);
    return { ...options, ...(props === undefined ? {} : { name_props: props }) };
  });
}

/** Notes of windows, kept beside the store's log; for questions with `memory: "read"`. */
export class Notes {
  private readonly memory: Memory;

  constructor(db: Database) {
    checkDatabase(db);
    this.memory = Memory.of(db);
  }

  /** Makes the notes that are missing as of the newest commit: one for each period of the stride in which something began. */
  async build(options: BuildNotesOptions = {}): Promise<Built> {
    const { model, ...rest } = readBuildOptions(options);
    const provider = model === undefined ? {} : { provider: new Provider(readConfig(model), null) };
    return this.memory.build({ ...rest, ...provider });
  }

  /** Every note that could be used at some commit, and what was passed over. */
  async list(options: { readonly signal?: AbortSignal } = {}): Promise<NotesList> {
    const { signal } = readOptions("options of list", options, ["signal"], (copy) => copy);
    checkSignal(signal);
    return this.memory.list(signal);
  }

  /** Removes all notes; gives how many there were. */
  drop(): Promise<number> {
    return this.memory.drop();
  }
}

/** The notes of an open database. E_STATE, when they are asked for, where the database is in memory. */
export const notesOf = (db: Database): Notes => new Notes(db);
