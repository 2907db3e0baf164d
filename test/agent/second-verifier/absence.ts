// Nothing was found, where it was looked for: whole, by names that are known, fed by something, within the data.
import type { Evidence, EvidenceStep } from "../../../src/agent/claims/evidence.js";
import { parseInstant } from "../../../src/contract/parse-instant.js";
import type { JsonObject, JsonValue } from "../../../src/contract/values.js";
import { lookUp } from "../../../src/operators/registry.js";
import { listIn, type Spot, spotAt } from "./cells.js";
import { type Finding, partial, refuted, unverifiable } from "./findings.js";

type Name = readonly ["label" | "type" | "property" | "uid", string];

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : typeof value === "string" ? [value] : [];

/** What filters name, at any depth: a condition on a property is an object with an operator. */
function namesIn(value: unknown): Name[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]): Name[] => {
    if (key === "types") return texts(member).map((text) => ["type", text]);
    if (key === "labels" || key === "any_labels") return texts(member).map((text) => ["label", text]);
    if (key === "uids") return texts(member).map((text) => ["uid", text]);
    if (key === "prop" && Object.hasOwn(value, "op")) return texts(member).map((text) => ["property", text]);
    return namesIn(member);
  });
}

const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((node, key) => (node as Record<string, unknown> | null)?.[key], value);

function subjectsOf({ record }: EvidenceStep): Name[] {
  return lookUp(record.op).declaration.subjects.paths.flatMap((path): Name[] => {
    const value = at(record.args, path);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return texts(value).map((text) => ["uid", text]);
    }
    const { uid, src, dst, type } = value as Record<string, string>;
    const uids = [uid, src, dst].filter((each) => each !== undefined).map((text): Name => ["uid", text]);
    return type === undefined ? uids : [...uids, ["type", type]];
  });
}

function namesOf(step: EvidenceStep): Name[] {
  const { record } = step;
  const args = record.args as JsonObject;
  const names = namesIn(args);
  if (record.op === "scan") {
    const isOfNodes = args.of === "nodes" || args.kind === "node";
    names.push(...texts(args.names).map((text): Name => [isOfNodes ? "label" : "type", text]));
  }
  return [...names, ...subjectsOf(step)];
}

const LOWEST = -(1n << 100n);
const HIGHEST = 1n << 100n;
const instant = (value: unknown, open: bigint): bigint => (typeof value === "string" ? parseInstant(value, "") : open);

type Window = { readonly from: string | null; readonly to: string | null };
/** Arguments that say when in valid time. */
interface TimedArguments extends JsonObject {
  window: Window | null;
  at: string;
  valid: { at?: string; window?: Window } | null;
}

/** The window of a call, or its instant; nothing where it looks at all times, or between two instants. */
function stretchOf({ record }: EvidenceStep): readonly [bigint, bigint] | undefined {
  const args = record.args as TimedArguments;
  const window = args.window ?? args.valid?.window;
  if (window !== undefined) return [instant(window.from, LOWEST), instant(window.to, HIGHEST)];
  const at = args.at ?? args.valid?.at;
  return at === undefined ? undefined : [parseInstant(at, ""), parseInstant(at, "") + 1n];
}

const NODES = new Set(["entity_history", "snapshot_subgraph", "version_history", "resolve_entities"]);
const NODE_METRICS = ["node_count", "new_node_count", "mean_out_degree"];

function looksAtNodes({ record }: EvidenceStep): boolean {
  const args = record.args as JsonObject;
  if (record.op === "scan") return args.of === "nodes" || args.kind === "node";
  if (record.op === "graph_metric_timeseries") return NODE_METRICS.some((each) => texts(args.metric).includes(each));
  return NODES.has(record.op);
}

function isOutsideData(evidence: Evidence, step: EvidenceStep): boolean {
  if (step.record.pin === null) return false;
  const stretch = stretchOf(step);
  if (stretch === undefined) return false;
  const extent = evidence.store.extent(looksAtNodes(step), evidence.pinOf(step));
  const [fromUs, toUs] = stretch;
  return extent === null || toUs <= extent.fromUs || (extent.toUs !== null && fromUs >= extent.toUs);
}

/** Whether a list that fed the step, or one of those that fed it, was empty. */
function isVacuous(evidence: Evidence, step: EvidenceStep): boolean {
  return [step.record.id, ...evidence.ancestors(step.record.id)].some((id) =>
    evidence.step(id)!.references.some(({ path }) => {
      const from = evidence.step(path.step);
      if (from === undefined || from.result === null) return false;
      const whole = path.segments.length === 0 ? { ...path, segments: [{ name: "rows", index: null }] } : path;
      const spot = spotAt(from, whole);
      if (spot === undefined) return false;
      if (spot.isSpread) return spot.places.length === 0;
      return listIn(spot.places[0]!.value)?.length === 0;
    }),
  );
}

function totalOf(step: EvidenceStep, { path, places, isSpread }: Spot): number | null {
  const list = path.segments[0]?.name ?? "rows";
  if (list === "rows" && (path.segments.length < 2 || path.segments[0]!.index === "*")) return step.record.rows_total;
  const held = (step.result!.envelope as Record<string, unknown>)[list];
  const total = (held as { rows_total?: number } | null)?.rows_total;
  if (total !== undefined) return total;
  return isSpread ? places.length : (listIn(places[0]!.value)?.length ?? null);
}

export function absenceFindings(evidence: Evidence, step: EvidenceStep, spot: Spot, isList: boolean): Finding[] {
  const cell = isList ? undefined : (spot.places[0]!.value as JsonValue);
  const isNothing = isList ? totalOf(step, spot) === 0 : cell === 0 || cell === 0n;
  const tx = evidence.pinOf(step);
  const names = namesOf(step);
  const uids = names.filter(([kind]) => kind === "uid").map(([, text]) => text);
  const isUnknown =
    evidence.store.unknownUids(uids, tx).length > 0 ||
    names.some(([kind, text]) => kind !== "uid" && !evidence.store.isKnown(kind, text, tx));
  return [
    ...(isNothing ? [] : [refuted("present")]),
    ...(step.record.complete === true ? [] : [unverifiable("page")]),
    ...(isUnknown ? [unverifiable("unknown_name")] : []),
    ...(isVacuous(evidence, step) ? [partial("vacuous")] : []),
    ...(isOutsideData(evidence, step) ? [partial("outside_data")] : []),
  ];
}
