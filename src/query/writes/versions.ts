// Versions as a write reads them, and the columns that say who and when they are.
// One shape for nodes and edges; instants come as texts and leave as microseconds.
import { canonicalJson } from "../../contract/canonical.js";
import { parseInstant, parseValidTo } from "../../contract/parse-instant.js";
import { type JsonObject, type JsonValue, setOwn } from "../../contract/values.js";
import type { Value } from "./columns.js";
import type { Stretch } from "./portion.js";

export interface VersionColumns {
  readonly kind: "node" | "edge";
  /** In the order of the reference: uid, or src, type, dst, key. */
  readonly identity: readonly { readonly name: string; readonly value: Value }[];
  readonly validFrom: Value;
  readonly validTo: Value;
  /** Each property that versions of this kind have; empty where a write does not look at the content. */
  readonly props: readonly { readonly name: string; readonly value: Value }[];
  readonly labels: Value | null;
}

export interface Version {
  readonly kind: "node" | "edge";
  readonly ref: JsonObject;
  readonly held: Stretch;
  readonly props: JsonObject;
  readonly labels: readonly string[];
}

export const NODE_IDENTITY = ["uid"] as const;
export const EDGE_IDENTITY = ["src", "type", "dst", "key"] as const;

/** Null where nothing is bound. */
export function refOf(identity: VersionColumns["identity"], row: JsonObject): JsonObject | null {
  const ref: JsonObject = {};
  for (const { name, value } of identity) ref[name] = value(row);
  return Object.values(ref).includes(null) ? null : ref;
}

function contentOf(columns: VersionColumns["props"], row: JsonObject): JsonObject {
  const props: JsonObject = {};
  for (const { name, value } of columns) {
    const found = value(row);
    if (found !== null) setOwn(props, name, found);
  }
  return props;
}

/** The open end and the end of the calendar are read like any end. */
function endUs(value: JsonValue): bigint {
  return parseValidTo(value, "valid_to");
}

export function versionOf(columns: VersionColumns, row: JsonObject): Version | null {
  const ref = refOf(columns.identity, row);
  if (ref === null) return null;
  return {
    kind: columns.kind,
    ref,
    held: { fromUs: parseInstant(columns.validFrom(row), "valid_from"), toUs: endUs(columns.validTo(row)) },
    props: contentOf(columns.props, row),
    labels: (columns.labels?.(row) ?? []) as string[],
  };
}

/** Tells versions of all identities apart. */
export const versionKey = ({ ref, held }: Version): string => `${canonicalJson(ref)}\0${held.fromUs}`;
export const identityKey = (ref: JsonObject): string => canonicalJson(ref);
