// One version as an export has it, as plain JSON: what it must have, and the operations that bring it into a store.
// A belief that ended is ended again at its own time, in the manner and for the reason that the version names.
import { PalimpsestError } from "../../contract/errors.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { RefusedValue } from "../refusal.js";

export type VersionKind = "node" | "edge";
/** An operation as `write` takes it. */
export type VersionOperation = Readonly<Record<string, unknown>>;

const TIMES = ["valid_from", "valid_to", "tx_from", "tx_to"] as const;
const ENDS = ["ended_by", "ended_reason"] as const;
const ATTRIBUTION = ["source", "provenance_ref", "reason"] as const;
export const IDENTITY = { node: ["uid"], edge: ["src", "dst", "type", "key"] } as const;
const KNOWN = {
  node: new Set<string>(["kind", ...IDENTITY.node, "labels", "props", ...TIMES, ...ENDS, ...ATTRIBUTION]),
  edge: new Set<string>(["kind", ...IDENTITY.edge, "props", ...TIMES, ...ENDS, ...ATTRIBUTION]),
};
const MANNERS: readonly JsonValue[] = ["overwritten", "retracted", "corrected"];

/** A refusal of one column of a version. */
export class RefusedColumn extends Error {
  constructor(
    readonly column: string,
    readonly refused: RefusedValue,
  ) {
    super(refused.message);
  }
}

function refuse(column: string, reason: string, hint = ""): never {
  throw new RefusedColumn(column, new RefusedValue(reason, "E_INVALID_ARG", hint));
}

/** Whether an object is a version of an export, by the columns that each has. */
export const isVersion = (value: JsonObject): boolean =>
  (value.kind === "node" || value.kind === "edge") && Object.hasOwn(value, "tx_from");

export const kindOf = (version: JsonObject): VersionKind => (version.kind === "node" ? "node" : "edge");

function instant(version: JsonObject, column: "tx_from" | "tx_to"): bigint {
  const text = version[column];
  if (text === undefined || text === null) {
    throw new RefusedColumn(column, new RefusedValue("is missing", "E_INVALID_ARG", "", { showsValue: true }));
  }
  if (typeof text !== "string") refuse(column, "is no instant", "write it as 2004-04-15T08:02:41Z");
  try {
    return parseInstant(text, column);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    const reason = error.message.slice(column.length + 2);
    throw new RefusedColumn(column, new RefusedValue(reason, error.code, error.hint, { showsValue: true }));
  }
}

export interface BeliefTimes {
  readonly fromUs: bigint;
  /** Null while it is believed. */
  readonly toUs: bigint | null;
}

/** When a version was believed; what contradicts itself is refused. */
export function beliefTimes(version: JsonObject, nowUs: bigint): BeliefTimes {
  const unknown = Object.keys(version).find((key) => !KNOWN[kindOf(version)].has(key));
  if (unknown !== undefined) refuse(unknown, `is no column of ${kindOf(version)}s`, "an export has no other columns");
  const fromUs = instant(version, "tx_from");
  if (fromUs > nowUs) refuse("tx_from", "is after now: nothing can be believed before it is");
  const { tx_to = null, ended_by = null, ended_reason = null } = version;
  if (tx_to === null) {
    if (ended_by !== null) refuse("ended_by", "stands where tx_to says that the version is believed still");
    if (ended_reason !== null) refuse("ended_reason", "stands where tx_to says that the version is believed still");
    return { fromUs, toUs: null };
  }
  const toUs = instant(version, "tx_to");
  if (toUs <= fromUs) {
    throw new RefusedColumn("tx_to", new RefusedValue("is not after tx_from", "E_PERIOD_ORDER"));
  }
  if (toUs > nowUs) refuse("tx_to", "is after now: no belief has ended then");
  if (!MANNERS.includes(ended_by)) refuse("ended_by", `is none of ${MANNERS.join(", ")}`, "export with the history");
  if (ended_reason !== null && typeof ended_reason !== "string") refuse("ended_reason", "is no text");
  return { fromUs, toUs };
}

function contentOf(version: JsonObject): VersionOperation {
  const { kind, tx_from: _from, tx_to: _to, ended_by: _by, ended_reason: _reason, key, ...content } = version;
  return kind === "node" ? content : { ...content, key: key ?? "" };
}

/** The operation that begins the belief in a version. */
export function beginning(version: JsonObject): VersionOperation {
  return { op: version.kind === "node" ? "assert_node" : "assert_edge", ...contentOf(version) };
}

/**
 * The operations that end the belief in a version as it ended. What overwrote or corrected it stands in versions of its
 * own, so that what is written over it here goes again in the same commit, and never was.
 */
export function ending(version: JsonObject): readonly VersionOperation[] {
  const { uid, src, type, dst, key, labels, props, valid_from, valid_to, ended_by, ended_reason = null } = version;
  const ref = version.kind === "node" ? { uid } : { src, type, dst, key: key ?? "" };
  const period = { valid_from, valid_to };
  const retract = { op: "retract", ref, ...period };
  if (ended_by === "retracted") return [{ ...retract, reason: ended_reason }];
  const written =
    ended_by === "overwritten"
      ? {
          op: version.kind === "node" ? "assert_node" : "assert_edge",
          ...ref,
          ...(labels === undefined ? {} : { labels }),
        }
      : { op: "correct", ref, ...(version.kind === "node" ? { labels: labels ?? [] } : {}) };
  return [{ ...written, props, ...period, reason: ended_reason }, retract];
}
