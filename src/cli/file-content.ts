// The text of a file that the command line names; E_IO where it cannot be read.
import { readFileSync } from "node:fs";
import { ioError } from "../log/file-layer.js";
import { fileError } from "../log/native-file-layer.js";

export function contentOfFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw ioError(fileError(error, path));
  }
}
