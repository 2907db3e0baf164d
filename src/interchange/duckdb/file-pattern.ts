// Where DuckDB reads a file it takes the name for a pattern: the pattern that one path alone fits.
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";

const SPECIAL = /[*?[]/g;

/** Each special sign as a class of its own. */
const escaped = (path: string): string => path.replace(SPECIAL, "[$&]");

export interface FilePattern {
  /** What the pattern fits: the file, or a link to it. */
  readonly path: string;
  readonly pattern: string;
  /** Takes the link away. */
  release(): Promise<void>;
}

/** Of an absolute path. */
export async function patternOf(path: string): Promise<FilePattern> {
  // In a pattern a backslash parts folders, whatever the system: a name that has one beside a special sign needs another.
  if (escaped(path) === path || sep === "\\" || !path.includes("\\")) {
    return { path, pattern: escaped(path), release: async () => {} };
  }
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-link-"));
  const link = join(folder, "table.parquet");
  await symlink(path, link);
  return { path: link, pattern: escaped(link), release: () => rm(folder, { recursive: true, force: true }) };
}
