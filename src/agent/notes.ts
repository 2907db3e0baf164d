// The notes of an open database as programs and the command line have them.
import type { Database } from "../database.js";
import type { Built } from "./memory/build.js";
import { type BuildOptions, Memory, type NotesList } from "./memory/memory.js";
import { checkDatabase, checkSignal, readLimits, readNameProps, readOptions, refuse } from "./option-checks.js";
import { type ModelConfig, readConfig } from "./provider/config.js";
import { Provider } from "./provider/provider.js";
import type { Limits } from "./types.js";
import { withinWall } from "./wall.js";

/** Of the limits of a question those that mean something here. */
const LIMITS = ["model_calls", "tokens", "wall_ms"] as const;
export type BuildLimits = Pick<Limits, (typeof LIMITS)[number]>;

export interface BuildNotesOptions extends Omit<BuildOptions, "provider"> {
  /** Whose words the notes are in; left out: code words them. */
  readonly model?: ModelConfig;
  /** What may be spent on all of it; what is left out has no limit. */
  readonly limits?: Partial<BuildLimits>;
}

const BUILD_OPTIONS = ["stride", "model", "limits", "name_props", "signal", "on_window"] as const;

function readBuildLimits({ limits, model }: BuildNotesOptions): Partial<BuildLimits> {
  if (limits === undefined) return {};
  const read = readLimits("limits of build", limits, LIMITS);
  const ofModel = Object.keys(read).find((name) => name !== "wall_ms");
  if (model === undefined && ofModel !== undefined)
    refuse(`limits.${ofModel} is of a model, and code words the notes`, "name a model, or leave the limit out");
  return read;
}

function readBuildOptions(given: BuildNotesOptions): BuildNotesOptions & { readonly limits: Partial<BuildLimits> } {
  return readOptions("options of build", given, BUILD_OPTIONS, (options) => {
    const { stride, signal, on_window: onWindow } = options;
    checkSignal(signal);
    if (stride !== undefined && typeof stride !== "string") refuse("stride is no text", "write P7D");
    if (onWindow !== undefined && typeof onWindow !== "function")
      refuse("on_window is no function", "give (done, of) => {}");
    const props = readNameProps(options.name_props);
    const limits = readBuildLimits(options);
    return { ...options, limits, ...(props === undefined ? {} : { name_props: props }) };
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
    const { model, limits, ...rest } = readBuildOptions(options);
    const { wall_ms: wallMs, ...ofModel } = limits;
    const provider = model === undefined ? {} : { provider: new Provider(readConfig(model), null) };
    const given = { ...rest, ...provider, limits: ofModel };
    if (wallMs === undefined) return this.memory.build(given);
    return withinWall({ wallMs, signal: rest.signal, what: "building" }, (signal) =>
      this.memory.build({ ...given, signal }),
    );
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
