// What of a note decides whether it is used. It stays in memory while the note itself does not: no name is in it, so that
// nothing that is erased lives on here.
import { parseInstant } from "../../contract/parse-instant.js";
import type { DigestedLine } from "../../derived/lines.js";
import { registryVersion } from "../../operators/registry.js";
import { type Note, readNote } from "./note.js";
import { NEW_NODES, NEW_PAIRS, type NoteWindow } from "./note-plan.js";

/** How much of a window was there for the first time. */
export interface Newness {
  readonly nodes: number;
  readonly pairs: number;
}

export interface NoteHead {
  readonly digest: string;
  readonly window: NoteWindow;
  readonly fromUs: bigint;
  readonly toUs: bigint;
  readonly stride: string;
  readonly by: Note["by"];
  readonly built_tx: number;
  /** Null where the note does not say. */
  readonly newness: Newness | null;
}

function newnessOf({ facts }: Note): Newness | null {
  const valueAt = (place: string) => Object.values(facts).find(({ cell }) => cell === place)?.value;
  const [nodes, pairs] = [valueAt(NEW_NODES), valueAt(NEW_PAIRS)];
  return typeof nodes === "number" && typeof pairs === "number" ? { nodes, pairs } : null;
}

export function headOf(note: Note): NoteHead {
  const { digest, window, stride, by, built_tx } = note;
  return {
    digest,
    window: { from: window.from, to: window.to },
    fromUs: parseInstant(window.from, "window"),
    toUs: parseInstant(window.to, "window"),
    stride,
    by,
    built_tx,
    newness: newnessOf(note),
  };
}

/** A line that is no note, or one that other versions of the operators made. */
export type NoHead = "strange" | "old";

export function headOfLine(line: DigestedLine): NoteHead | NoHead {
  const note = readNote(line);
  if (note === null) return "strange";
  return note.registry_version === registryVersion() ? headOf(note) : "old";
}
