// Versions of an export as lines of JSON, as they were written.
import { PalimpsestError } from "../../contract/errors.js";
import { parseUnambiguous } from "../../contract/exact-json.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { readLines } from "../lines.js";
import { refusal } from "../refusal.js";
import type { ReadOptions, VersionSource } from "./source.js";

/** A version of 1 MiB, its escapes, and its times. */
const LONGEST_LINE_BYTES = 8 << 20;

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function objectOf(file: string, line: number, text: string): JsonObject {
  try {
    const value = parseUnambiguous(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    throw refusal({ file, line }, error.message, { hint: "each line is one JSON object", cause: error });
  }
  throw refusal({ file, line }, "the line is not a JSON object");
}

export const versionsOfJsonLines: VersionSource = async function* (file: string, options: ReadOptions) {
  for await (const { number, text } of readLines(file, { longestBytes: LONGEST_LINE_BYTES, ...options })) {
    let version: JsonObject;
    try {
      version = objectOf(file, number, text);
    } catch (error) {
      if (options.onRefusal === undefined || !(error instanceof PalimpsestError)) throw error;
      options.onRefusal(error, Buffer.from(text, "utf8"));
      continue;
    }
    yield { line: number, version, text, bytes: () => Buffer.from(text, "utf8") };
  }
};
