// Building notes: for every period of a stride in which something began, what is computed of it now. Notes that still hold are
// kept; what is finished is on disk, whatever stops the rest.
import { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject } from "../../contract/values.js";
import type { DerivedFiles } from "../../derived/derived-files.js";
import { registryVersion } from "../../operators/registry.js";
import type { ReadableState } from "../../query/index.js";
import type { Budget } from "../budget.js";
import type { Provider } from "../provider/provider.js";
import type { Usage } from "../provider/usage.js";
import { StoreNames } from "../store-names.js";
import { computeFacts } from "./facts.js";
import type { Holds } from "./holds.js";
import { modelWords } from "./model-words.js";
import { type NoteBody, widthUs } from "./note.js";
import type { NoteHead } from "./note-head.js";
import { dependsOn, type NoteWindow, notePlan, partStride } from "./note-plan.js";
import { codeText } from "./note-text.js";
import { tilesOf } from "./tiles.js";

/** Notes that are added at once. */
const BATCH = 16;
/** What a window may fail of, for itself alone. */
const OF_ONE_WINDOW = ["E_COST", "E_LIMIT"];

export interface Building {
  readonly state: ReadableState;
  readonly derived: DerivedFiles;
  readonly holds: Holds;
  /** Those that are there. */
  readonly notes: readonly NoteHead[];
  readonly stride: string;
  /** Null: code words the notes. */
  readonly provider: Provider | null;
  /** What the model may be asked for; when it is spent, code words the rest. */
  readonly budget: Budget;
  readonly nameProps: readonly string[];
  readonly signal: AbortSignal;
  readonly onTile: (done: number, of: number) => void;
}

export interface Built {
  readonly tx: number;
  readonly stride: string;
  /** Periods in which something began. */
  readonly windows: number;
  readonly built: number;
  /** Notes that hold already. */
  readonly kept: number;
  /** Windows without a note, and why; the limit from which on code worded the notes. */
  readonly said: readonly string[];
  /** What the model took. */
  readonly usage: Usage;
}

const nameOf = ({ from, to }: NoteWindow): string => `${from} ${to}`;

class Builder {
  private waiting: NoteBody[] = [];
  built = 0;
  kept = 0;
  /** Notes for whose words the model could be asked no more. */
  unasked = 0;
  readonly said: string[] = [];
  private readonly versions: JsonObject = { registry: registryVersion() };

  /** Those of the stride: there may be as many for each of thousands of windows as there were commits. */
  private readonly byWindow = new Map<string, NoteHead[]>();

  constructor(
    private readonly input: Building,
    private readonly tx: number,
    private readonly chain: string,
  ) {
    for (const note of input.notes) {
      if (note.stride !== input.stride) continue;
      const name = nameOf(note.window);
      this.byWindow.set(name, [...(this.byWindow.get(name) ?? []), note]);
    }
  }

  /** Whether a model is to word notes, and may be asked. */
  private get hasModel(): boolean {
    const { provider, budget } = this.input;
    return provider !== null && budget.spent === null;
  }

  /** Whether a note of the window holds, in words that are as good as those to be made. */
  private async hasNote(window: NoteWindow): Promise<boolean> {
    const { state, holds, derived, signal } = this.input;
    const { erasures } = derived.facts();
    for (const note of this.byWindow.get(nameOf(window)) ?? []) {
      if (this.hasModel && note.by !== "model") continue;
      if ((await holds.at(state.engine, erasures, note, this.tx, signal)) === "holds") return true;
    }
    return false;
  }

  private async noteOf(window: NoteWindow): Promise<NoteBody> {
    const { state, stride, provider, budget, nameProps, signal } = this.input;
    const plan = notePlan(window, stride, partStride(widthUs(window)!));
    const computed = await computeFacts(state, plan, this.tx, signal);
    const { facts, trace_digest } = computed;
    const names = new StoreNames(state.engine, this.tx, nameProps, signal);
    const { versions } = this;
    if (provider !== null && !this.hasModel) this.unasked += 1;
    const words = provider === null ? null : await modelWords(computed, { provider, budget, names, versions, signal });
    return {
      kind: "activity",
      window,
      stride,
      facts,
      plan: plan as unknown as JsonObject,
      trace_digest,
      built_tx: this.tx,
      chain: this.chain,
      depends: dependsOn(window),
      text: words ?? codeText(facts),
      by: words === null ? "code" : "model",
      registry_version: registryVersion(),
    };
  }

  async add(window: NoteWindow): Promise<void> {
    if (await this.hasNote(window)) {
      this.kept += 1;
      return;
    }
    try {
      this.waiting.push(await this.noteOf(window));
    } catch (error) {
      if (!(error instanceof PalimpsestError) || !OF_ONE_WINDOW.includes(error.code)) throw error;
      this.said.push(`no note of ${window.from} to ${window.to}: ${error.code}: ${error.message}`);
      return;
    }
    if (this.waiting.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = [];
    const added = await this.input.derived.addNotes(waiting as unknown as readonly JsonObject[]);
    this.built += added.length;
    const lost = waiting.length - added.length;
    if (lost > 0) this.said.push(`${lost} notes were not kept: something was erased meanwhile`);
  }
}

/** Builds what is missing as of the newest commit. */
export async function buildNotes(input: Building): Promise<Built> {
  const { state, derived, stride, budget, signal, onTile } = input;
  const tx = state.engine.headTx();
  const windows = tx === 0 ? [] : await tilesOf(state.engine, tx, stride, signal);
  const builder = new Builder(input, tx, tx === 0 ? "" : derived.facts().chainAt(tx));
  try {
    for (const [i, window] of windows.entries()) {
      await builder.add(window);
      onTile(i + 1, windows.length);
    }
  } finally {
    await builder.flush();
  }
  const { built, kept, unasked, said } = builder;
  if (unasked > 0) said.push(`limits.${budget.spent} is spent: notes worded by code: ${unasked}`);
  return { tx, stride, windows: windows.length, built, kept, said, usage: budget.usage };
}
