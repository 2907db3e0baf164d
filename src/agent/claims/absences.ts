// Absence: nothing was found where it was looked for; and whether looking there could have found anything.
import { compareCodePoints } from "../../contract/code-points.js";
import { formatInstant } from "../../contract/instant.js";
import { parseInstant } from "../../contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { valueAt } from "../../operators/paths.js";
import { lookUp } from "../../operators/registry.js";
import type { Reason } from "./claim.js";
import type { Evidence, EvidenceStep } from "./evidence.js";
import { isObject, listAt } from "./held-values.js";
import { namesIn } from "./searched-names.js";
import { toldArguments } from "./told-arguments.js";

function hasUnknownName(evidence: Evidence, step: EvidenceStep): boolean {
  const names = namesIn(step);
  const tx = evidence.pinOf(step);
  const { store } = evidence;
  if (store.unknownUids([...names.uids], tx).length > 0) return true;
  const isUnknown = (kind: "label" | "type" | "property", of: Set<string>): boolean =>
    [...of].some((name) => !store.isKnown(kind, name, tx));
  return isUnknown("label", names.labels) || isUnknown("type", names.types) || isUnknown("property", names.properties);
}

/** The steps whose lists fed a step, directly or through others, and had no rows. */
function emptyFeeds(evidence: Evidence, step: EvidenceStep): readonly string[] {
  const fed = [step, ...[...evidence.ancestors(step.record.id)].flatMap((id) => evidence.step(id) ?? [])];
  const paths = fed.flatMap(({ references }) => references.map(({ path }) => path));
  const empty = paths.filter((path) => {
    const from = evidence.step(path.step);
    const list = from === undefined || from.result === null ? null : listAt(from, path);
    return list !== null && list.length === 0;
  });
  return [...new Set(empty.map((path) => path.step))];
}

/** When a call looked: a stretch, open where null, or an instant. Null: at all times. */
type LookedAt = { readonly from: string | null; readonly to: string | null } | { readonly at: string };

function timeOf(args: JsonObject): LookedAt | null {
  const bound = (value: JsonValue | undefined): string | null => (typeof value === "string" ? value : null);
  const window = args.window ?? valueAt(args, "valid.window");
  if (isObject(window)) return { from: bound(window.from), to: bound(window.to) };
  const point = bound(args.at ?? valueAt(args, "valid.at"));
  return point === null ? null : { at: point };
}

const toUs = (text: string | null): bigint | null => (text === null ? null : parseInstant(text, ""));

/** The stretch of valid time in which a call looked; null: all of it. */
function windowOf(args: JsonObject): { readonly fromUs: bigint | null; readonly toUs: bigint | null } | null {
  const time = timeOf(args);
  if (time === null) return null;
  if ("at" in time) return { fromUs: toUs(time.at), toUs: toUs(time.at)! + 1n };
  return { fromUs: toUs(time.from), toUs: toUs(time.to) };
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

/** What the store holds of what a step looked at, at its pin. */
function extentOf(evidence: Evidence, step: EvidenceStep): ReturnType<Evidence["store"]["extent"]> {
  const args = step.record.args ?? {};
  const withNodes =
    LOOKS_AT_NODES.includes(step.record.op) ||
    (step.record.op === "scan" && (args.of === "nodes" || args.kind === "node")) ||
    isOfNodes(args.metric);
  return evidence.store.extent(withNodes, evidence.pinOf(step));
}

const readsStore = ({ record }: EvidenceStep): boolean => lookUp(record.op).declaration.pins !== null;

function isOutsideData(evidence: Evidence, step: EvidenceStep): boolean {
  const window = windowOf(step.record.args ?? {});
  if (window === null || !readsStore(step)) return false;
  const extent = extentOf(evidence, step);
  if (extent === null) return true;
  const { fromUs, toUs } = window;
  return (toUs !== null && toUs <= extent.fromUs) || (fromUs !== null && extent.toUs !== null && fromUs >= extent.toUs);
}

/** What speaks against an absence in a step whose list or count is empty, or only for a part of it. */
export function absenceProblems(evidence: Evidence, step: EvidenceStep): readonly Reason[] {
  const reasons: Reason[] = [];
  if (step.record.complete !== true) reasons.push("page");
  if (hasUnknownName(evidence, step)) reasons.push("unknown_name");
  if (emptyFeeds(evidence, step).length > 0) reasons.push("vacuous");
  if (isOutsideData(evidence, step)) reasons.push("outside_data");
  return reasons;
}

/** Where nothing was found, as words tell it. */
export interface Search {
  readonly types: readonly string[];
  readonly labels: readonly string[];
  readonly properties: readonly string[];
  /** Arguments that narrow what is found in other ways, by their names: no number of a plan is a value of the store. */
  readonly conditions: readonly string[];
  /** In code point order. */
  readonly uids: readonly string[];
  readonly time: LookedAt | null;
  /** Null where no one commit was looked at. */
  readonly tx: number | null;
  /** Over which time the store holds anything; null: nothing. */
  readonly extent: { readonly from: string; readonly to: string | null } | null;
  /** The steps that fed it and had no rows. */
  readonly emptySteps: readonly string[];
  /** The steps behind the look into the store, whose rows they narrow. */
  readonly through: readonly string[];
}

/** Arguments that are worded by what they name, and those that say what is told of what is found, and how. */
const NO_CONDITIONS: readonly string[] = [
  ...[
    "as_of_tt",
    "window",
    "at",
    "valid",
    "types",
    "labels",
    "names",
    "kind",
    "of",
    "where",
    "src_filter",
    "dst_filter",
  ],
  ...["uid", "ref", "seeds", "node", "src", "dst", "a", "b"],
  ...["aggregates", "group_by", "order_by", "columns", "props", "include", "include_edges", "zone", "limit", "cursor"],
];
const NO_CONDITIONS_OF_WHERE: readonly string[] = ["types", "edge", "src", "dst", "node"];

function conditionsOf({ record }: EvidenceStep): readonly string[] {
  const args = toldArguments(record.op, record.args ?? {});
  const where = isObject(args.where) ? args.where : {};
  return [
    ...Object.keys(args).filter((name) => !NO_CONDITIONS.includes(name)),
    ...Object.keys(where).filter((name) => !NO_CONDITIONS_OF_WHERE.includes(name)),
  ];
}

/** The looks into the store that a step stands on: its own, or those of the steps that fed it. */
function looksOf(evidence: Evidence, step: EvidenceStep): readonly EvidenceStep[] {
  if (readsStore(step)) return [step];
  return [...evidence.ancestors(step.record.id)].flatMap((id) => evidence.step(id) ?? []).filter(readsStore);
}

/** What all of them have; null where they differ. */
function common<T>(values: readonly T[]): T | null {
  const [first] = values;
  return first !== undefined && new Set(values.map((value) => JSON.stringify(value))).size === 1 ? first : null;
}

export function searchOf(evidence: Evidence, step: EvidenceStep): Search {
  const looks = looksOf(evidence, step);
  const names = looks.map(namesIn);
  const all = (of: "types" | "labels" | "properties" | "uids"): readonly string[] => [
    ...new Set(names.flatMap((each) => [...each[of]])),
  ];
  const extent = readsStore(step) ? extentOf(evidence, step) : null;
  const to = extent?.toUs ?? null;
  return {
    types: all("types"),
    labels: all("labels"),
    properties: all("properties"),
    conditions: [...new Set(looks.flatMap(conditionsOf))],
    uids: [...all("uids")].sort(compareCodePoints),
    time: common(looks.map(({ record }) => timeOf(record.args ?? {}))),
    tx: common(looks.map((look) => evidence.pinOf(look))),
    extent: extent === null ? null : { from: formatInstant(extent.fromUs), to: to === null ? null : formatInstant(to) },
    emptySteps: emptyFeeds(evidence, step),
    through: readsStore(step) ? [] : [`${step.record.id} ${step.record.op}`],
  };
}
