// What a call looks for by name: entities, labels, types and properties, in its subjects and in its filters.
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { valueAt } from "../../operators/paths.js";
import { lookUp } from "../../operators/registry.js";
import type { EvidenceStep } from "./evidence.js";
import { isObject } from "./held-values.js";

interface Names {
  readonly uids: Set<string>;
  readonly labels: Set<string>;
  readonly types: Set<string>;
  readonly properties: Set<string>;
}

const addAll = (names: Set<string>, value: JsonValue | undefined): void => {
  for (const each of Array.isArray(value) ? value : [value]) if (typeof each === "string") names.add(each);
};

/** Predicates name a property by `prop`; the text parts of a filter are values. */
function addPredicates(names: Names, value: JsonValue | undefined): void {
  if (Array.isArray(value)) for (const each of value) addPredicates(names, each);
  if (!isObject(value)) return;
  if (typeof value.prop === "string") names.properties.add(value.prop);
  for (const inner of ["all", "any", "not"]) addPredicates(names, value[inner]);
}

function addNodeFilter(names: Names, filter: JsonValue | undefined): void {
  if (!isObject(filter)) return;
  addAll(names.uids, filter.uids);
  addAll(names.labels, filter.labels);
  addAll(names.labels, filter.any_labels);
  addPredicates(names, filter.props);
}

function addWhere(names: Names, where: JsonValue | undefined): void {
  if (!isObject(where)) return;
  addAll(names.types, where.types);
  addPredicates(names, where.edge);
  for (const end of ["src", "dst", "node"]) addNodeFilter(names, where[end]);
}

/** A motif with conditions on its edges and nodes. */
function addMotif(names: Names, { edges, nodes }: JsonObject): void {
  for (const each of Array.isArray(edges) ? edges : []) addWhere(names, each);
  for (const each of isObject(nodes) ? Object.values(nodes) : []) addNodeFilter(names, each);
}

function addReference(names: Names, ref: JsonValue | undefined): void {
  if (!isObject(ref)) {
    addAll(names.uids, ref);
    return;
  }
  for (const key of ["uid", "src", "dst"]) addAll(names.uids, ref[key]);
  addAll(names.types, ref.type);
}

/** The names that a call looks for: its subjects, and what its filters name. */
export function namesIn({ record }: EvidenceStep): Names {
  const names: Names = { uids: new Set(), labels: new Set(), types: new Set(), properties: new Set() };
  const args = record.args ?? {};
  for (const path of lookUp(record.op).declaration.subjects.paths) addReference(names, valueAt(args, path));
  for (const holder of [args, args.a, args.b]) if (isObject(holder)) addWhere(names, holder.where);
  for (const filter of ["src_filter", "dst_filter"]) addNodeFilter(names, args[filter]);
  const isOfNodes = args.of === "nodes" || args.kind === "node";
  if (record.op === "scan") addAll(isOfNodes ? names.labels : names.types, args.names);
  addAll(names.types, args.types);
  addAll(names.labels, args.labels);
  if (isObject(args.motif)) addMotif(names, args.motif);
  return names;
}
