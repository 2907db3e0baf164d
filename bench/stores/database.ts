// The database as a workload sees it: the public surface and nothing below it.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { open } from "../../src/index.js";

export { open };
export type Database = Awaited<ReturnType<typeof open>>;

/** Bytes of all files under a folder. */
export function bytesUnder(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}
