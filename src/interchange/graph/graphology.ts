// A snapshot as JSON that graphology's `import` takes: a directed multigraph. Properties are attributes under their own
// names; what is ours begins with @, and a property that begins with @ gets one more.
import { canonicalJson, canonicalString } from "../../contract/canonical.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import type { Snapshot, SnapshotEdge, SnapshotNode } from "./snapshot.js";

/** JavaScript would round an integer beyond 2^53 when it reads it: a text keeps every digit. */
function exactIn(value: JsonValue): JsonValue {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(exactIn);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, exactIn(member)]));
}

/** Pairs, not an object: a property may have the name of what every object has. */
function attributesText(own: Own, props: JsonObject): string {
  const named = Object.keys(props).map(
    (name) => [name.startsWith("@") ? `@${name}` : name, exactIn(props[name]!)] as const,
  );
  return `{${[...own, ...named].map(([name, value]) => `${canonicalString(name)}:${canonicalJson(value)}`).join(",")}}`;
}

type Own = readonly (readonly [string, JsonValue])[];

const ownOf = (version: SnapshotNode["version"]): Own =>
  version === null
    ? [["@exists", false]]
    : [
        ["@labels", [...version.labels]],
        ["@valid_from", version.valid_from],
        ["@valid_to", version.valid_to],
      ];

function nodeText({ uid, version }: SnapshotNode): string {
  return `{"key":${canonicalString(uid)},"attributes":${attributesText(ownOf(version), version?.props ?? {})}}`;
}

function edgeText({ src, type, dst, key, valid_from, valid_to, props }: SnapshotEdge): string {
  const own = [
    ["@type", type],
    ["@key", key],
    ["@valid_from", valid_from],
    ["@valid_to", valid_to],
  ] as const;
  const id = canonicalString(canonicalJson([src, type, dst, key]));
  const ends = `"source":${canonicalString(src)},"target":${canonicalString(dst)}`;
  return `{"key":${id},${ends},"attributes":${attributesText(own, props)}}`;
}

function* list<T>(items: Iterable<T>, textOf: (item: T) => string): Generator<string> {
  let separator = "\n";
  for (const item of items) {
    yield `${separator}${textOf(item)}`;
    separator = ",\n";
  }
}

export function* graphologyOf({ head, nodes, edges }: Snapshot): Generator<string> {
  yield `{"attributes":${canonicalJson(head)},"options":{"type":"directed","multi":true,"allowSelfLoops":true},"nodes":[`;
  yield* list(nodes, nodeText);
  yield '],"edges":[';
  yield* list(edges, edgeText);
  yield "]}\n";
}
