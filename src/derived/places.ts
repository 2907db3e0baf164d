// Where what was derived from a store lies: in a folder beside its log. Names only.

export const derivedFolder = (store: string): string => `${store}/agent`;
export const derivedLockPath = (store: string): string => `${derivedFolder(store)}/LOCK`;
export const notesPath = (store: string): string => `${derivedFolder(store)}/notes.jsonl`;
export const answersFolder = (store: string): string => `${derivedFolder(store)}/answers`;

/** A file under this ending is being written; what a crash left of it counts for nothing. */
export const UNFINISHED = ".new";

const ANSWER = /^(\d{1,15})-[0-9a-f]{64}\.json(?:\.new)?$/;

/** The erasure that was the newest when the answer was made, by its commit, stands in the name. */
export const answerName = (key: string, erasureTx: number): string => `${erasureTx}-${key}.json`;

/** The erasure in the name of an answer's file; null for another name. */
export function erasureOfAnswer(name: string): number | null {
  const match = ANSWER.exec(name);
  return match === null ? null : Number(match[1]);
}
