// A folder that is there for one test and gone after it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

/** Call at the top of a test file; the function gives each test's own folder. */
export function temporaryFolder(): () => string {
  let folder: string | undefined;
  afterEach(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });
  return () => {
    folder ??= mkdtempSync(join(tmpdir(), "palimpsest-"));
    return folder;
  };
}
