// `palimpsest notes`: what is remembered of the windows of a store, beside its log: made, shown, dropped.
import { type BuildLimits, type ModelConfig, type Notes, notesOf } from "../agent/index.js";
import { shownText } from "../agent/words/media.js";
import { PalimpsestError } from "../contract/errors.js";
import { withInterrupt } from "./interrupt.js";
import { grouped, note, plural, print, printJson } from "./output.js";
import { usageText } from "./question.js";
import { readStore } from "./with-store.js";

export type NotesAction = "build" | "show" | "drop";

export interface NotesFlags {
  readonly stride?: string;
  readonly url?: string;
  readonly model?: string;
  readonly nameProp?: readonly string[];
  readonly modelCalls?: number;
  readonly tokens?: number;
  readonly wallMs?: number;
  readonly json?: boolean;
}

/** Code words the notes unless a model is named. */
function modelOf({ url, model }: NotesFlags): { readonly model?: ModelConfig } {
  if (url === undefined && model === undefined) return {};
  return { model: { ...(url === undefined ? {} : { base_url: url }), ...(model === undefined ? {} : { model }) } };
}

function limitsOf({ modelCalls, tokens, wallMs }: NotesFlags): Partial<BuildLimits> {
  return {
    ...(modelCalls === undefined ? {} : { model_calls: modelCalls }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(wallMs === undefined ? {} : { wall_ms: wallMs }),
  };
}

function tell(said: readonly string[]): void {
  for (const line of said) note(line);
}

async function build(notes: Notes, flags: NotesFlags, signal: AbortSignal): Promise<void> {
  const model = modelOf(flags);
  const { said, ...built } = await notes.build({
    ...model,
    limits: limitsOf(flags),
    ...(flags.stride === undefined ? {} : { stride: flags.stride }),
    ...(flags.nameProp === undefined ? {} : { name_props: flags.nameProp }),
    signal,
  });
  tell(said);
  if (model.model !== undefined) note(usageText(built.usage));
  if (flags.json === true) return printJson(built);
  const { built: made, kept, windows, stride, tx } = built;
  const of = `of ${plural(windows, "window")} of ${stride} as of tx:${tx}`;
  await print(`${plural(made, "note")} made, ${grouped(kept)} kept, ${of}`);
}

async function show(notes: Notes, { json }: NotesFlags, signal: AbortSignal): Promise<void> {
  const { notes: all, said } = await notes.list({ signal });
  tell(said);
  for (const shown of all) {
    if (json === true) {
      await printJson(shown);
      continue;
    }
    const { note: made, text, holds } = shown;
    const range = holds === null ? "undecided" : `tx:${holds.from} to tx:${holds.to}`;
    await print(`${made.window.from} ${made.window.to} · ${range} · by ${made.by} · ${shownText(text, "terminal")}`);
  }
}

async function drop(notes: Notes, { json }: NotesFlags): Promise<void> {
  const dropped = await notes.drop();
  await (json === true ? printJson({ dropped }) : print(`${plural(dropped, "note")} dropped`));
}

export async function notes(path: string, action: NotesAction, flags: NotesFlags): Promise<void> {
  if (path === ":memory:") {
    throw new PalimpsestError("E_STATE", "a store in memory keeps no notes", { hint: "name a store in a folder" });
  }
  await withInterrupt((signal) =>
    readStore(path, async (db) => {
      const found = notesOf(db);
      if (action === "build") return build(found, flags, signal);
      return action === "show" ? show(found, flags, signal) : drop(found, flags);
    }),
  );
}
