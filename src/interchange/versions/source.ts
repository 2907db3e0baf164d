// What a reader of exported files gives: versions as plain JSON, each with its line. Its checks are those of the format;
// what a version must have is for record.ts.
import type { PalimpsestError } from "../../contract/errors.js";
import type { JsonObject } from "../../contract/values.js";

/** What is done with files that are none of an export. */
export const OTHER_FILES = "any other file goes in by palimpsest load";

export interface ReadVersion {
  readonly line: number;
  readonly version: JsonObject;
  /** The JSON of the version, where the file has it as such. */
  readonly text?: string;
  /** The record as the file has it, until the next one is asked for. */
  readonly bytes: () => Uint8Array;
}

export interface ReadOptions {
  readonly onRead?: (bytes: number) => void;
  /** Hears of records that are passed; without it the first refusal ends the file. */
  readonly onRefusal?: (error: PalimpsestError, record?: Uint8Array) => void;
}

export type VersionSource = (file: string, options: ReadOptions) => AsyncGenerator<ReadVersion, void, undefined>;
