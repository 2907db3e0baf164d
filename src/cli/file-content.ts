// The text of a file that the command line names: E_IO where it cannot be read, E_INVALID_ARG where it is no UTF-8.
import { readFileSync } from "node:fs";
import { PalimpsestError } from "../contract/errors.js";
import { ioError } from "../log/file-layer.js";
import { fileError } from "../log/native-file-layer.js";

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw ioError(fileError(error, path));
    throw new PalimpsestError("E_IO", `${path}: there is no such file`, {
      details: { file: path, os_code: "ENOENT" },
      hint: "look whether the path is right",
      cause: error,
    });
  }
}

/** Without the byte order mark that some editors put in front. */
export function contentOfFile(path: string): string {
  const bytes = bytesOf(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new PalimpsestError("E_INVALID_ARG", `${path}: its bytes are not UTF-8`, {
      details: { file: path },
      hint: "convert the file to UTF-8",
      cause: error,
    });
  }
}
