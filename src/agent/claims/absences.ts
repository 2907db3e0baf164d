// Absence: nothing was found where it was looked for; and whether looking there could have found anything.
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { lookUp } from "../../operators/registry.js";
import { listAt } from "./cells.js";
import type { Reason } from "./claim.js";
import type { Evidence, EvidenceStep } from "./evidence.js";

interface Names {
  readonly uids: Set<string>;
  readonly labels: Set<string>;
  readonly types: Set<string>;
  readonly properties: Set<string>;
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

const at = (args: JsonObject, path: string): JsonValue | undefined => {
  let value: JsonValue | undefined = args;
  for (const key of path.split(".")) value = isObject(value) ? value[key] : undefined;
  return value;
};

function addReference(names: Names, ref: JsonValue | undefined): void {
  if (!isObject(ref)) {
    addAll(names.uids, ref);
    return;
  }
  for (const key of ["uid", "src", "dst"]) addAll(names.uids, ref[key]);
  addAll(names.types, ref.type);
}

/** The names that a call looks for: its subjects, and what its filters name. */
function namesIn({ record }: EvidenceStep): Names {
  const names: Names = { uids: new Set(), labels: new Set(), types: new Set(), properties: new Set() };
  const args = record.args ?? {};
  for (const path of lookUp(record.op).declaration.subjects.paths) addReference(names, at(args, path));
  for (const holder of [args, args.a, args.b]) if (isObject(holder)) addWhere(names, holder.where);
  for (const filter of ["src_filter", "dst_filter"]) addNodeFilter(names, args[filter]);
  const isOfNodes = args.of === "nodes" || args.kind === "node";
  if (record.op === "scan") addAll(isOfNodes ? names.labels : names.types, args.names);
  addAll(names.types, args.types);
  addAll(names.labels, args.labels);
  if (isObject(args.motif)) addMotif(names, args.motif);
  return names;
}

function hasUnknownName(evidence: Evidence, step: EvidenceStep): boolean {
  const names = namesIn(step);
  const tx = evidence.pinOf(step);
  const { store } = evidence;
  if (store.unknownUids([...names.uids], tx).length > 0) return true;
  const isUnknown = (kind: "label" | "type" | "property", of: Set<string>): boolean =>
    [...of].some((name) => !store.isKnown(kind, name, tx));
  return isUnknown("label", names.labels) || isUnknown("type", names.types) || isUnknown("property", names.properties);
}

/** Whether a list that fed a step, directly or through others, had no rows. */
function isVacuous(evidence: Evidence, step: EvidenceStep): boolean {
  const fed = [step, ...[...evidence.ancestors(step.record.id)].flatMap((id) => evidence.step(id) ?? [])];
  return fed.some(({ references }) =>
    references.some(({ path }) => {
      const from = evidence.step(path.step);
      const list = from === undefined || from.result === null ? null : listAt(from, path);
      return list !== null && list.length === 0;
    }),
  );
}

/** The stretch of valid time in which a call looked; null: all of it. */
function windowOf(args: JsonObject): { readonly fromUs: bigint | null; readonly toUs: bigint | null } | null {
  const bound = (value: JsonValue | undefined): bigint | null =>
    typeof value === "string" ? parseInstant(value, "") : null;
  const window = args.window ?? at(args, "valid.window");
  if (isObject(window)) return { fromUs: bound(window.from), toUs: bound(window.to) };
  const point = args.at ?? at(args, "valid.at");
  if (typeof point !== "string") return null;
  const fromUs = parseInstant(point, "");
  return { fromUs, toUs: fromUs + 1n };
}

/** Operators that look at nodes as well as at edges. */
const LOOKS_AT_NODES: readonly string[] = [
  "snapshot_subgraph",
  "entity_history",
  "version_history",
  "resolve_entities",
];

const NODE_METRICS: readonly JsonValue[] = ["node_count", "new_node_count", "mean_out_degree"];
const isOfNodes = (metrics: JsonValue | undefined): boolean =>
  Array.isArray(metrics) && metrics.some((metric) => NODE_METRICS.includes(metric));

function isOutsideData(evidence: Evidence, step: EvidenceStep): boolean {
  const args = step.record.args ?? {};
  const window = windowOf(args);
  if (window === null || lookUp(step.record.op).declaration.pins === null) return false;
  const withNodes =
    LOOKS_AT_NODES.includes(step.record.op) ||
    (step.record.op === "scan" && (args.of === "nodes" || args.kind === "node")) ||
    isOfNodes(args.metric);
  const extent = evidence.store.extent(withNodes, evidence.pinOf(step));
  if (extent === null) return true;
  const { fromUs, toUs } = window;
  return (toUs !== null && toUs <= extent.fromUs) || (fromUs !== null && extent.toUs !== null && fromUs >= extent.toUs);
}

/** What speaks against an absence in a step whose list or count is empty, or only for a part of it. */
export function absenceProblems(evidence: Evidence, step: EvidenceStep): readonly Reason[] {
  const reasons: Reason[] = [];
  if (step.record.complete !== true) reasons.push("page");
  if (hasUnknownName(evidence, step)) reasons.push("unknown_name");
  if (isVacuous(evidence, step)) reasons.push("vacuous");
  if (isOutsideData(evidence, step)) reasons.push("outside_data");
  return reasons;
}
