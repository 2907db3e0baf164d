// Makes a folder and what leads to it. mkdir of node:fs with `recursive` never returns where a system refuses a folder
// with ENOENT although its parent is there, as /proc does.
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Only the owner may look into new folders; a folder that is there stays as it is. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && isFolder(path)) return;
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || parent === path || isFolder(parent)) throw error;
    makeFolder(parent);
    mkdirSync(path, { mode: 0o700 });
  }
}
