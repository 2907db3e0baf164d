// A finished file gets its name: over one that is there, or only where there is none, also when two exports do it at once.
import { existsSync } from "node:fs";
import { link, rename, rm } from "node:fs/promises";
import { PalimpsestError } from "../../contract/errors.js";

export function alreadyThere(path: string): PalimpsestError {
  return new PalimpsestError("E_STATE", `${path} is there already`, {
    details: { path },
    hint: "name another place, or ask for it to be replaced",
  });
}

/** What file systems without hard links say. */
const NO_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** E_STATE where a file has the name and may not be replaced; else what the file system says. */
export async function putInPlace(temporary: string, path: string, isReplacing: boolean): Promise<void> {
  if (isReplacing) return rename(temporary, path);
  try {
    // A rename would take the place of a file that came meanwhile.
    await link(temporary, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || (NO_LINKS.has(code) && existsSync(path))) throw alreadyThere(path);
    if (!NO_LINKS.has(code)) throw error;
    return rename(temporary, path);
  }
  await rm(temporary, { force: true });
}
