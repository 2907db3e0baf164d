// The text of a file that the command line names; E_IO where it cannot be read.
import { readFileSync } from "node:fs";
import { PalimpsestError } from "../contract/errors.js";
import { ioError } from "../log/file-layer.js";
import { fileError } from "../log/native-file-layer.js";

export function contentOfFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw ioError(fileError(error, path));
    throw new PalimpsestError("E_IO", `${path}: there is no such file`, {
      details: { file: path, os_code: "ENOENT" },
      hint: "look whether the path is right",
      cause: error,
    });
  }
}
