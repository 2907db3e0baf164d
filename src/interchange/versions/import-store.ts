// What an export wrote, back into a store: one commit for each time at which belief in a version began or ended.
// All versions are read and judged before the first commit, so that a refused file changes nothing.
import { canonicalJson } from "../../contract/canonical.js";
import { PalimpsestError } from "../../contract/errors.js";
import { formatInstant } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject } from "../../contract/values.js";
import { Pace } from "../../event-loop/pace.js";
import { checkCancelled } from "../../operators/cancellation.js";
import { checkOperation } from "../../store/batch.js";
import { wallClockUs } from "../../store/commit-clock.js";
import { checkNames } from "../../store/option-checks.js";
import { fileBytes } from "../byte-source.js";
import { refusal } from "../refusal.js";
import { type VersionFile, versionFiles } from "./files.js";
import { beginning, beliefTimes, ending, RefusedColumn, type VersionOperation } from "./record.js";
import { OTHER_FILES, type ReadOptions } from "./source.js";
import { VersionTimeline } from "./timeline.js";

/** What is needed of an open store. */
export interface ImportTarget {
  head(): { readonly tx: number; readonly txTime: string | null };
  writeRows(
    operations: Iterable<VersionOperation>,
    options: { readonly txTime: bigint },
  ): Promise<{ readonly tx: number }>;
}

export interface ImportOptions extends Pick<ReadOptions, "onRefusal"> {
  readonly signal?: AbortSignal;
  /** Hears how many bytes of all files together have been read, and how many versions are kept of them. */
  readonly onRead?: (bytes: number, versions: number) => void;
  /** All was read: how many commits there will be, and how many versions begin in them. */
  readonly onCommits?: (commits: number, versions: number) => void;
  /** Hears of each commit how many versions begin in it. */
  readonly onRows?: (versions: number) => void;
}

const OPTIONS = ["signal", "onRead", "onRefusal", "onCommits", "onRows"];

export function checkImportOptions(path: unknown, options: ImportOptions): void {
  const refuse = (what: string, hint = "see ImportOptions"): never => {
    throw new PalimpsestError("E_INVALID_ARG", what, { hint });
  };
  if (typeof path !== "string" || path === "" || path.includes("\0"))
    refuse("what is imported is a path", "give the folder that export wrote, or one file of it");
  if (typeof options !== "object" || options === null) refuse("options are an object");
  checkNames(options, OPTIONS, "option");
  const { signal, ...listeners } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) refuse("signal is an AbortSignal");
  for (const [name, value] of Object.entries(listeners)) {
    if (value !== undefined && typeof value !== "function") refuse(`${name} is a function`);
  }
}

export interface ImportResult {
  /** Versions written. */
  readonly versions: number;
  readonly commits: number;
}

/** What judged an operation names a field by its path: `/0/props/amount`. */
function fieldOf(error: PalimpsestError): { column?: string; reason: string } {
  const { path } = error.details;
  if (typeof path !== "string") return { reason: error.message };
  const [, , ...field] = path.split("/");
  const reason = error.message.startsWith(`${path}: `) ? error.message.slice(path.length + 2) : error.message;
  return { ...(field.length === 0 ? {} : { column: field.join(".") }), reason };
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));

function explain(error: unknown, { path: file, unit }: VersionFile, line: number, version: JsonObject): unknown {
  if (error instanceof RefusedColumn) {
    const { column, refused } = error;
    const value = Object.hasOwn(version, column) ? { value: shown(version[column]) } : {};
    const { code, hint, showsValue } = refused;
    return refusal({ file, line, column, ...value }, refused.reason, { unit, code, hint, showsValue });
  }
  if (!(error instanceof PalimpsestError)) return error;
  const { column, reason } = fieldOf(error);
  return refusal({ file, line, ...(column === undefined ? {} : { column }) }, reason, {
    unit,
    code: error.code,
    hint: error.hint,
    cause: error,
  });
}

/** Judges a version, and all that would be written of it. */
function judge(version: JsonObject, file: VersionFile, line: number, nowUs: bigint) {
  if (version.kind !== "node" && version.kind !== "edge")
    throw refusal({ file: file.path, line }, "is no version of an export", { unit: file.unit, hint: OTHER_FILES });
  try {
    const times = beliefTimes(version, nowUs);
    checkOperation(beginning(version));
    if (times.toUs !== null) for (const operation of ending(version)) checkOperation(operation);
    return times;
  } catch (error) {
    throw explain(error, file, line, version);
  }
}

/** Reads one file; gives its bytes. */
async function readFile(
  file: VersionFile,
  timeline: VersionTimeline,
  options: ImportOptions,
  bytesBefore: number,
): Promise<number> {
  const { onRead, onRefusal } = options;
  const told = {
    ...(onRefusal === undefined ? {} : { onRefusal }),
    ...(onRead === undefined ? {} : { onRead: (bytes: number) => onRead(bytesBefore + bytes, timeline.count) }),
  };
  const pace = new Pace();
  const nowUs = wallClockUs();
  for await (const { line, version, text, bytes } of file.read(file.path, told)) {
    try {
      const times = judge(version, file, line, nowUs);
      timeline.add(text ?? canonicalJson(version), times);
    } catch (error) {
      if (onRefusal === undefined || !(error instanceof PalimpsestError)) throw error;
      onRefusal(error, bytes());
    }
    if (pace.isDue) {
      checkCancelled(options.signal, Number.POSITIVE_INFINITY);
      await pace.rest();
    }
  }
  const size = await fileBytes(file.path);
  onRead?.(bytesBefore + size, timeline.count);
  return size;
}

function checkTimes(first: bigint, head: { readonly txTime: string | null }): void {
  if (head.txTime === null || first > parseInstant(head.txTime, "tx_time")) return;
  throw new PalimpsestError(
    "E_STATE",
    `the first version was believed from ${formatInstant(first)} on, not later than the store's last commit, ${head.txTime}`,
    { details: { tx_from: formatInstant(first), tx_time: head.txTime }, hint: "load it into a store of its own" },
  );
}

export async function importStore(
  target: ImportTarget,
  path: string,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const timeline = new VersionTimeline();
  let bytes = 0;
  for (const file of await versionFiles(path)) bytes += await readFile(file, timeline, options, bytes);
  const commits = timeline.commits();
  if (commits.length === 0) {
    throw new PalimpsestError("E_INVALID_ARG", `${path}: there are no versions to load`, {
      details: { path },
      hint: "look whether it is empty, or was cut short",
    });
  }
  checkTimes(commits[0]!.txTimeUs, target.head());
  options.onCommits?.(commits.length, timeline.count);
  for (const { txTimeUs, beginnings, operations } of commits) {
    checkCancelled(options.signal, Number.POSITIVE_INFINITY);
    await target.writeRows(operations(), { txTime: txTimeUs });
    options.onRows?.(beginnings);
  }
  return { versions: timeline.count, commits: commits.length };
}
