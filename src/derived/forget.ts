// What erasures take along beside the log: notes that may show what was erased, and every answer of a model that was made
// before. Can be done again and again; after a crash it is.
import { type FileLayer, ioError } from "../log/file-layer.js";
import { isTaken, newestErasure, type StoreFacts } from "./erasures.js";
import { exclusively } from "./folder-lock.js";
import type { DigestedLine } from "./lines.js";
import { readFile, replaceLines } from "./lines-file.js";
import { answersFolder, derivedFolder, erasureOfAnswer, notesPath, UNFINISHED } from "./places.js";

export type Standing = "stands" | "taken" | "foreign" | "later";

/** How a line stands to a store: whether it is of its history, and what erasures left of it. */
export function standingOf(facts: StoreFacts, { built_tx: builtTx, chain }: DigestedLine): Standing {
  if (typeof builtTx !== "number" || !Number.isSafeInteger(builtTx) || builtTx < 1) return "foreign";
  if (builtTx > facts.headTx) return "later";
  if (facts.chainAt(builtTx) !== chain) return "foreign";
  return isTaken(facts, builtTx) ? "taken" : "stands";
}

/** Lines that cannot be read, or are of another history, may hold anything: they go too. */
async function forgetNotes(layer: FileLayer, store: string, facts: StoreFacts): Promise<void> {
  const path = notesPath(store);
  const folder = derivedFolder(store);
  const names = layer.list(folder);
  const unfinished = names.filter((name) => name.endsWith(UNFINISHED));
  for (const name of unfinished) layer.remove(`${folder}/${name}`);
  if (unfinished.length > 0) await layer.syncFolder(folder);
  if (!names.some((name) => `${folder}/${name}` === path)) return;
  const { lines, skipped, isWhole } = await readFile(layer, path);
  const kept = lines.filter((line) => ["stands", "later"].includes(standingOf(facts, line)));
  if (kept.length === lines.length && skipped.length === 0 && isWhole) return;
  await replaceLines(layer, folder, path, kept);
}

async function forgetAnswers(layer: FileLayer, store: string, facts: StoreFacts): Promise<void> {
  const folder = answersFolder(store);
  const newest = newestErasure(facts);
  const old = layer.list(folder).filter((name) => (erasureOfAnswer(name) ?? newest) < newest);
  for (const name of old) layer.remove(`${folder}/${name}`);
  if (old.length > 0) await layer.syncFolder(folder);
}

/** Removes what erasures took along; its caller holds the lock. */
export async function forget(layer: FileLayer, store: string, facts: StoreFacts): Promise<void> {
  await forgetNotes(layer, store, facts);
  await forgetAnswers(layer, store, facts);
}

/** The same for who does not hold it; does nothing where nothing was derived, or nothing erased. E_IO where it fails. */
export async function forgetErased(layer: FileLayer, store: string, facts: StoreFacts): Promise<void> {
  try {
    if (facts.erasures.length === 0 || layer.list(derivedFolder(store)).length === 0) return;
    await exclusively(layer, store, () => forget(layer, store, facts));
  } catch (error) {
    throw ioError(error);
  }
}
