// The notes of an open database as programs and the command line have them.
import type { Database } from "../database.js";
import type { Built } from "./memory/build.js";
import { type BuildOptions, Memory, type NotesList } from "./memory/memory.js";
import { checkDatabase, checkKeys, checkNameProps, checkSignal, refuse } from "./option-checks.js";
import { type ModelConfig, readConfig } from "./provider/config.js";
import { Provider } from "./provider/provider.js";

export interface BuildNotesOptions extends Omit<BuildOptions, "provider"> {
  /** Whose words the notes are in; left out: code words them. */
  readonly model?: ModelConfig;
}

const BUILD_OPTIONS = ["stride", "model", "name_props", "signal", "on_window"];

/** Notes of windows, kept beside the store's log; for questions with `memory: "read"`. */
export class Notes {
  private readonly memory: Memory;

  constructor(db: Database) {
    checkDatabase(db);
    this.memory = Memory.of(db);
  }

  /** Makes the notes that are missing as of the newest commit: one for each period of the stride in which something began. */
  async build(options: BuildNotesOptions = {}): Promise<Built> {
    checkKeys("options of build", options, BUILD_OPTIONS);
    const { model, ...rest } = options;
    checkNameProps(rest.name_props);
    checkSignal(rest.signal);
    if (rest.stride !== undefined && typeof rest.stride !== "string") refuse("stride is no text", "write P7D");
    if (rest.on_window !== undefined && typeof rest.on_window !== "function")
      refuse("on_window is no function", "give (done, of) => {}");
    const provider = model === undefined ? {} : { provider: new Provider(readConfig(model), null) };
    return this.memory.build({ ...rest, ...provider });
  }

  /** Every note that could be used at some commit, and what was passed over. */
  async list(options: { readonly signal?: AbortSignal } = {}): Promise<NotesList> {
    checkKeys("options of list", options, ["signal"]);
    checkSignal(options.signal);
    return this.memory.list(options.signal);
  }

  /** Removes all notes; gives how many there were. */
  drop(): Promise<number> {
    return this.memory.drop();
  }
}

/** The notes of an open database. E_STATE, when they are asked for, where the database is in memory. */
export const notesOf = (db: Database): Notes => new Notes(db);
