// What erasures take along beside the log: notes that may show what was erased, and every answer of a model that was made
// before. Can be done again and again; after a crash it is.
import { type FileLayer, ioError } from "../log/file-layer.js";
import { isTaken, newestErasure, type StoreFacts } from "./erasures.js";
import { exclusively } from "./folder-lock.js";
import { type Origin, originOf } from "./line-index.js";
import type { DigestedLine } from "./lines.js";
import { readFile, replaceLines } from "./lines-file.js";
import { answersFolder, derivedFolder, erasureOfAnswer, notesPath, UNFINISHED } from "./places.js";

export type Standing = "stands" | "taken" | "foreign" | "later";

/** How a line stands to a store: whether it is of its history, and what erasures left of it. */
export function standingOf(facts: StoreFacts, { builtTx, chain }: Origin): Standing {
  if (builtTx === null) return "foreign";
  if (builtTx > facts.headTx) return "later";
  if (facts.chainAt(builtTx) !== chain) return "foreign";
  return isTaken(facts, builtTx) ? "taken" : "stands";
}

/** Whether an erasure leaves a line where it is. */
export const isLeft = (standing: Standing): boolean => standing === "stands" || standing === "later";

/** What has to go. */
interface Leavings {
  /** What is left of the notes; null where they stay as they are. */
  readonly notes: readonly DigestedLine[] | null;
  /** Names in the folder of answers. */
  readonly answers: readonly string[];
  /** Names of files that a crash left half written. */
  readonly unfinished: readonly string[];
}

/** Lines that cannot be read, or are of another history, may hold anything: they go too. */
async function notesLeft(layer: FileLayer, store: string, facts: StoreFacts): Promise<readonly DigestedLine[] | null> {
  const { lines, skipped, isWhole } = await readFile(layer, notesPath(store));
  const kept = lines.filter((line) => isLeft(standingOf(facts, originOf(line))));
  return kept.length === lines.length && skipped.length === 0 && isWhole ? null : kept;
}

async function leavings(layer: FileLayer, store: string, facts: StoreFacts, areNotesClean: boolean): Promise<Leavings> {
  const newest = newestErasure(facts);
  return {
    notes: areNotesClean ? null : await notesLeft(layer, store, facts),
    answers: layer.list(answersFolder(store)).filter((name) => (erasureOfAnswer(name) ?? newest) < newest),
    unfinished: layer.list(derivedFolder(store)).filter((name) => name.endsWith(UNFINISHED)),
  };
}

async function remove(layer: FileLayer, folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) layer.remove(`${folder}/${name}`);
  if (names.length > 0) await layer.syncFolder(folder);
}

/** Removes what erasures took along; its caller holds the lock. */
export async function forget(layer: FileLayer, store: string, facts: StoreFacts): Promise<void> {
  const folder = derivedFolder(store);
  const { notes, answers, unfinished } = await leavings(layer, store, facts, false);
  await remove(layer, folder, unfinished);
  await remove(layer, answersFolder(store), answers);
  if (notes !== null) await replaceLines(layer, folder, notesPath(store), notes);
}

/**
 * The same for who does not hold it; where there is nothing to remove, a look is all. `areNotesClean`: whoever has just read
 * them found nothing that has to go. E_IO where it fails.
 */
export async function forgetErased(
  layer: FileLayer,
  store: string,
  facts: StoreFacts,
  { areNotesClean }: { readonly areNotesClean: boolean } = { areNotesClean: false },
): Promise<void> {
  try {
    if (facts.erasures.length === 0 || layer.list(derivedFolder(store)).length === 0) return;
    const { notes, answers, unfinished } = await leavings(layer, store, facts, areNotesClean);
    if (notes === null && answers.length + unfinished.length === 0) return;
    await exclusively(layer, store, () => forget(layer, store, facts));
  } catch (error) {
    throw ioError(error);
  }
}
