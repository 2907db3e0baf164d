// `where` of docs/contract.md A6: predicates over properties, node filters, edge filters.
// Judges given versions at given instants; which instants those are is each operator's own affair.

import { BEGINNING, CALENDAR_END } from "./instants.js";
import { type IntervalSet, setOf } from "./interval-set.js";
import { canonicalText, compareText, type Props, type Value } from "./values.js";
import { type EdgeId, type EdgeVersion, isNode, isValidAt, type NodeVersion, type Version } from "./versions.js";

export type Pred = { prop: string; op: string; value?: Value } | { any: Pred[] } | { not: Pred };

export interface NodeFilter {
  readonly uids: readonly string[] | null;
  readonly labels: readonly string[];
  readonly any_labels: readonly string[] | null;
  readonly props: readonly Pred[];
}
export interface Where {
  readonly types: readonly string[] | null;
  readonly keys: readonly string[] | null;
  readonly edge: readonly Pred[];
  readonly src: NodeFilter | null;
  readonly dst: NodeFilter | null;
  readonly node: NodeFilter | null;
}

type ValueClass = "null" | "number" | "string" | "bool" | "json";

function classOf(value: Value | undefined): ValueClass {
  if (value === null || value === undefined) return "null";
  if (typeof value === "number" || typeof value === "bigint") return "number";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "bool" : "json";
}

/** Order of two values of one class, 0 when equal. JavaScript compares bigint with number by exact value. */
function compareValues(a: Value, b: Value): number {
  const valueClass = classOf(a);
  if (valueClass === "number") return a! < b! ? -1 : a! > b! ? 1 : 0;
  return valueClass === "string"
    ? compareText(a as string, b as string)
    : compareText(canonicalText(a), canonicalText(b));
}

function equals(a: Value | undefined, b: Value): boolean {
  return a !== undefined && classOf(a) === classOf(b) && compareValues(a, b) === 0;
}

function passesScalar(stored: Value, op: string, value: Value): boolean {
  const storedClass = classOf(stored);
  const isOrdered = storedClass === "number" || storedClass === "string";
  const list = Array.isArray(value) ? value : [];
  switch (op) {
    case "in":
      return storedClass !== "json" && list.some((member) => equals(stored, member));
    case "between":
      return isOrdered && passesScalar(stored, "ge", list[0] ?? null) && passesScalar(stored, "le", list[1] ?? null);
    case "contains":
      if (Array.isArray(stored)) return stored.some((member) => equals(member, value));
      return typeof stored === "string" && typeof value === "string" && stored.includes(value);
    case "starts_with":
      return typeof stored === "string" && stored.startsWith(value as string);
    case "ends_with":
      return typeof stored === "string" && stored.endsWith(value as string);
  }
  if (storedClass !== classOf(value)) return false;
  const order = compareValues(stored, value);
  if (op === "eq") return order === 0;
  if (op === "ne") return order !== 0;
  if (!isOrdered) return false;
  if (op === "lt") return order < 0;
  if (op === "le") return order <= 0;
  return op === "gt" ? order > 0 : order >= 0;
}

export function passesPred(props: Props, pred: Pred): boolean {
  if ("any" in pred) return pred.any.some((member) => passesPred(props, member));
  if ("not" in pred) return !passesPred(props, pred.not);
  const stored = Object.hasOwn(props, pred.prop) ? props[pred.prop]! : null;
  if (pred.op === "is_null") return stored === null;
  if (pred.op === "not_null") return stored !== null;
  return stored !== null && passesScalar(stored, pred.op, pred.value ?? null);
}

/** An entity without a valid version (`undefined`) has no labels and no properties. */
export function passesNode(uid: string, version: NodeVersion | undefined, filter: NodeFilter | null): boolean {
  if (filter === null) return true;
  const labels = new Set(version?.labels ?? []);
  return (
    (filter.uids === null || filter.uids.includes(uid)) &&
    filter.labels.every((label) => labels.has(label)) &&
    (filter.any_labels === null || filter.any_labels.some((label) => labels.has(label))) &&
    filter.props.every((pred) => passesPred(version?.props ?? {}, pred))
  );
}

/** Types, keys and edge predicates: what an edge version shows by itself. */
export function passesContent(edge: EdgeVersion, where: Where): boolean {
  return (
    (where.types === null || where.types.includes(edge.type)) &&
    (where.keys === null || where.keys.includes(edge.key)) &&
    where.edge.every((pred) => passesPred(edge.props, pred))
  );
}

/** Judges the ends of edges by the believed node versions. `spared` are the subjects that `where.node` lets through. */
export class EndJudge {
  private readonly nodes = new Map<string, NodeVersion[]>();

  constructor(
    believed: readonly Version[],
    private readonly where: Where,
    private readonly spared: ReadonlySet<string> = new Set(),
  ) {
    for (const node of believed.filter(isNode)) this.nodes.set(node.uid, [...(this.nodes.get(node.uid) ?? []), node]);
  }

  nodeAt(uid: string, at: bigint): NodeVersion | undefined {
    return this.nodes.get(uid)?.find((version) => isValidAt(version, at));
  }

  private passesBoth(uid: string, version: NodeVersion | undefined, end: NodeFilter | null): boolean {
    return passesNode(uid, version, end) && (this.spared.has(uid) || passesNode(uid, version, this.where.node));
  }

  passesSrc(uid: string, at: bigint): boolean {
    return this.passesBoth(uid, this.nodeAt(uid, at), this.where.src);
  }

  passesDst(uid: string, at: bigint): boolean {
    return this.passesBoth(uid, this.nodeAt(uid, at), this.where.dst);
  }

  passesEnds(edge: EdgeId, at: bigint): boolean {
    return this.passesSrc(edge.src, at) && this.passesDst(edge.dst, at);
  }

  /** All instants of the calendar at which this end of an edge passes. */
  instantsOf(uid: string, end: "src" | "dst"): IntervalSet {
    return this.instantsWhen(uid, (at) => (end === "src" ? this.passesSrc(uid, at) : this.passesDst(uid, at)));
  }

  /** All instants of the calendar at which the judgement of a node holds, which depends on the version that is valid then. */
  instantsWhen(uid: string, holds: (at: bigint) => boolean): IntervalSet {
    const cuts = new Set([BEGINNING]);
    for (const version of this.nodes.get(uid) ?? []) {
      for (const cut of [version.validFrom, version.validTo]) if (cut < CALENDAR_END) cuts.add(cut);
    }
    const sorted = [...cuts].sort((a, b) => (a < b ? -1 : 1));
    const stretches = sorted.map((from, i) => [from, (sorted[i + 1] ?? CALENDAR_END) - 1n] as const);
    return setOf(stretches.filter(([from]) => holds(from)));
  }
}
