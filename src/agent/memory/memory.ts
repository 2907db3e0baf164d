// Notes of one database: built, listed, dropped, and chosen for a question. The one file of memory that its users read.
import { parseStride } from "../../contract/duration.js";
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { Database } from "../../database.js";
import type { DerivedFiles } from "../../derived/derived-files.js";
import { LineIndex } from "../../derived/line-index.js";
import type { ReadableState } from "../../query/index.js";
import { Budget, type SpentLimit } from "../budget.js";
import { USUAL_NAME_PROPS } from "../prompt/card.js";
import { CAPS, fencedLine } from "../prompt/fence.js";
import type { Provider } from "../provider/provider.js";
import type { Limits, Mention } from "../types.js";
import { type Built, buildNotes } from "./build.js";
import { askedWindows, candidates } from "./choose.js";
import { Holds } from "./holds.js";
import type { Note } from "./note.js";
import { headOfLine, type NoteHead } from "./note-head.js";
import { filledSentences } from "./note-text.js";
import { NO_NOTES, type NotesForQuestion } from "./notes-for-question.js";

export const DEFAULT_STRIDE = "P7D";
const MOST_NOTES = 3;
const NO_LIMITS = { model_calls: Number.POSITIVE_INFINITY, tokens: Number.POSITIVE_INFINITY };

export interface BuildOptions {
  /** Length of the windows; `P7D` by default. */
  readonly stride?: string;
  /** Who words the notes; left out: code. */
  readonly provider?: Provider;
  /** What it may be asked for; what is left out has no limit. */
  readonly limits?: Partial<Pick<Limits, SpentLimit>>;
  readonly name_props?: readonly string[];
  readonly signal?: AbortSignal;
  /** Told after each window how many of how many are done. */
  readonly on_window?: (done: number, of: number) => void;
}

/** A note as people see it. */
export interface ShownNote {
  readonly note: Note;
  /** The text with the values in it. */
  readonly text: string;
  /** The first and the last commit, up to the newest, at which it holds; null where that is too dear to find. */
  readonly holds: { readonly from: number; readonly to: number } | null;
}

export interface NotesList {
  readonly notes: readonly ShownNote[];
  /** What was passed over, and why. */
  readonly said: readonly string[];
}

interface Read {
  readonly notes: readonly { readonly head: NoteHead; readonly note: () => Note }[];
  readonly said: readonly string[];
}

/** A note as data: sentences are left out from the end until it is short enough; null where none is. */
function lineOf({ window, text, facts }: Note): JsonObject | null {
  const note = [...filledSentences(text, facts)];
  for (; note.length > 0; note.pop()) {
    const line: JsonObject = { window: { ...window }, note: [...note] };
    if ([...fencedLine(line)].length <= CAPS.note) return line;
  }
  return null;
}

export class Memory {
  private static readonly known = new WeakMap<Database, Memory>();
  private readonly holds = new Holds();
  private readonly index = new LineIndex(headOfLine);

  private constructor(private readonly db: Database) {}

  static of(db: Database): Memory {
    const known = Memory.known.get(db) ?? new Memory(db);
    Memory.known.set(db, known);
    return known;
  }

  /** E_STATE for a store in memory, beside which nothing is kept. */
  private files(): DerivedFiles {
    const files = Database.derived(this.db);
    if (files !== null) return files;
    throw new PalimpsestError("E_STATE", "a store in memory keeps no notes", {
      hint: "open a store in a folder",
    });
  }

  private async read(files: DerivedFiles): Promise<Read> {
    const { notes: found, said } = await files.notes(this.index);
    const notes = found.flatMap(({ kept: head, line }) =>
      typeof head === "string" ? [] : [{ head, note: () => line() as unknown as Note }],
    );
    const [strange, old] = (["strange", "old"] as const).map((no) => found.filter(({ kept }) => kept === no).length);
    return {
      notes,
      said: [
        ...said,
        ...(strange === 0 ? [] : [`notes left out: ${strange}, as they have not the form of notes`]),
        ...(old === 0 ? [] : [`notes left out: ${old}, as other versions of the operators made them`]),
      ],
    };
  }

  /** Makes the notes that are missing as of the newest commit. */
  build(options: BuildOptions = {}): Promise<Built> {
    const { stride = DEFAULT_STRIDE, provider = null, name_props: nameProps = USUAL_NAME_PROPS } = options;
    const { signal = new AbortController().signal, on_window: onTile = () => {} } = options;
    const budget = new Budget({ ...NO_LIMITS, ...options.limits });
    return Database.reading(this.db, async (state) => {
      const derived = this.files();
      parseStride(stride, "stride");
      const { notes: found, said } = await this.read(derived);
      const built = await buildNotes({
        state,
        derived,
        holds: this.holds,
        notes: found.map(({ head }) => head),
        stride,
        provider,
        budget,
        nameProps,
        signal,
        onTile,
      });
      return { ...built, said: [...said, ...built.said] };
    });
  }

  /** Every note that could be used at some commit, by window. */
  list(signal: AbortSignal = new AbortController().signal): Promise<NotesList> {
    return Database.reading(this.db, async ({ engine }) => {
      const files = this.files();
      const { notes, said } = await this.read(files);
      const { erasures } = files.facts();
      const shown: ShownNote[] = [];
      for (const { head, note: read } of notes) {
        const note = read();
        const holds = await this.holds.range(engine, erasures, head, engine.headTx(), signal);
        shown.push({ note, holds, text: filledSentences(note.text, note.facts).join(" ") });
      }
      return { notes: shown, said };
    });
  }

  /** Removes all notes; gives how many there were. */
  drop(): Promise<number> {
    return Database.reading(this.db, async () => this.files().dropNotes());
  }

  /** At most three notes of the windows that the question names, which hold at its commit. None for a store in memory. */
  async forQuestion(
    { engine }: ReadableState,
    askTx: number,
    mentions: readonly Mention[],
    signal: AbortSignal,
  ): Promise<NotesForQuestion> {
    const files = Database.derived(this.db);
    const asked = askedWindows(mentions);
    if (files === null || asked.length === 0 || askTx === 0) return NO_NOTES;
    let read: Read;
    try {
      read = await this.read(files);
    } catch (error) {
      if (!(error instanceof PalimpsestError) || !["E_IO", "E_LOCKED"].includes(error.code)) throw error;
      return { ...NO_NOTES, notices: [`no notes: ${error.code}: ${error.message}`] };
    }
    const { erasures } = files.facts();
    const lines: JsonValue[] = [];
    const digests: string[] = [];
    const windows = new Set<string>();
    for (const { head, note } of candidates(read.notes, asked)) {
      if (lines.length === MOST_NOTES) break;
      const window = `${head.window.from} ${head.window.to}`;
      if (windows.has(window)) continue;
      if ((await this.holds.at(engine, erasures, head, askTx, signal)) !== "holds") continue;
      const line = lineOf(note());
      if (line === null) continue;
      windows.add(window);
      lines.push(line);
      digests.push(head.digest);
    }
    return { lines, digests, notices: read.said };
  }
}
