// Where DuckDB reads a file it takes the name for a pattern: the pattern that one path alone fits.
import { sep } from "node:path";
import { PalimpsestError } from "../../contract/errors.js";

const SPECIAL = /[*?[]/g;

/** Each special sign as a class of its own. */
export function patternOf(path: string): string {
  const pattern = path.replace(SPECIAL, "[$&]");
  // In a pattern it parts folders, whatever the system: a name that has one cannot be said there.
  if (pattern !== path && sep !== "\\" && path.includes("\\")) {
    throw new PalimpsestError("E_INVALID_ARG", `${path}: a path with a backslash and one of * ? [ cannot be read`, {
      details: { file: path },
      hint: "give the file or its folder another name",
    });
  }
  return pattern;
}
