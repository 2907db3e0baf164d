// The folder of an export, and those above it that are not there, one by one: mkdir of node:fs with `recursive` never
// returns where a system refuses a folder with ENOENT although its parent is there, as /proc does.
import { mkdir, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** Each folder that was made is put at the front of `made` at once, so that whoever fails later can take them away. */
export async function makeFolders(path: string, made: string[]): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await isThere(folder)); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    try {
      await mkdir(folder);
      made.unshift(folder);
    } catch (error) {
      // Another export may have made it meanwhile.
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}
