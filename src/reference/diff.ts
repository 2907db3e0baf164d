// O3 diff_snapshots: what differs between two corners (valid instant x pin), by building both whole snapshots.

import { passesNode, type Where } from "./filters.js";
import { formatEnd, formatInstant, parseInstant } from "./instants.js";
import type { Answer, Args, Row } from "./lists.js";
import type { Belief } from "./question.js";
import { nodesValidAt, type Orientation, passingEdges, search } from "./snapshot.js";
import { canonicalText, textSet } from "./values.js";
import { compareVersions, identityText, isNode, type Version } from "./versions.js";

interface Corner {
  readonly belief: Belief;
  readonly at: bigint;
}
interface Scope {
  readonly seeds: readonly string[];
  readonly hops: number;
  readonly orientation: Orientation;
}

/** What is present in a corner, by identity. */
function presentIn({ belief, at }: Corner, where: Where, seeds: readonly string[]): Map<string, Version> {
  const nodes = [...nodesValidAt(belief, at).values()].filter((node) => passesNode(node.uid, node, where.node));
  const edges = passingEdges(belief, at, where, seeds);
  return new Map([...nodes, ...edges].map((version) => [identityText(version), version]));
}

/** The nodes reached in either corner; null without a scope. */
function reachedIn(corners: readonly Corner[], where: Where, scope: Scope | null): Set<string> | null {
  if (scope === null) return null;
  const reached = corners.flatMap(({ belief, at }) => [
    ...search(belief, { ...scope, at, nodesMustExist: false, where }).hopOf.keys(),
  ]);
  return new Set(reached);
}

function stateOf(version: Version | undefined): Row | null {
  if (version === undefined) return null;
  return {
    labels: isNode(version) ? version.labels : null,
    props: version.props,
    valid_from: formatInstant(version.validFrom),
    valid_to: formatEnd(version.validTo),
  };
}

function differences(before: Version, after: Version, withInterval: boolean): string[] {
  const changed: string[] = [];
  if (isNode(before) && isNode(after) && canonicalText(before.labels) !== canonicalText(after.labels))
    changed.push("labels");
  for (const name of new Set([...Object.keys(before.props), ...Object.keys(after.props)])) {
    if (canonicalText(before.props[name] ?? null) !== canonicalText(after.props[name] ?? null))
      changed.push(`props.${name}`);
  }
  if (withInterval && before.validFrom !== after.validFrom) changed.push("valid_from");
  if (withInterval && before.validTo !== after.validTo) changed.push("valid_to");
  return textSet(changed);
}

export function diffSnapshots(latest: Belief, args: Args): { answer: Answer; pinTx: number } {
  const [left, right] = [args.left, args.right].map((corner) => {
    const { at, as_of_tt } = corner as { at: unknown; as_of_tt: unknown };
    return { belief: latest.at(as_of_tt), at: parseInstant(at) };
  }) as [Corner, Corner];
  const scope = args.scope as Scope | null;
  const where = args.where as Where;
  const seeds = scope?.seeds ?? [];
  (left.belief.tx > right.belief.tx ? left : right).belief.requireUids(seeds);

  const reached = reachedIn([left, right], where, scope);
  const isInScope = (version: Version) =>
    reached === null ||
    (isNode(version) ? reached.has(version.uid) : reached.has(version.src) && reached.has(version.dst));
  const [befores, afters] = [presentIn(left, where, seeds), presentIn(right, where, seeds)];
  const either = [...new Map([...befores, ...afters]).values()].filter(isInScope).sort(compareVersions);

  const rows: Row[] = [];
  const totals: Record<string, number> = {};
  for (const kind of ["nodes", "edges"])
    for (const change of ["added", "removed", "changed"]) totals[`${kind}_${change}`] = 0;
  for (const version of either) {
    const [before, after] = [befores.get(identityText(version)), afters.get(identityText(version))];
    const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
    const withInterval = args.compare === "content_and_interval";
    const changed = before !== undefined && after !== undefined ? differences(before, after, withInterval) : [];
    if (change === "changed" && changed.length === 0) continue;
    const total = `${version.kind}s_${change}`;
    totals[total]!++;
    if (!(args.include as string[]).includes(total)) continue;
    const identity = isNode(version)
      ? { uid: version.uid, src: null, type: null, dst: null, key: null }
      : { uid: null, src: version.src, type: version.type, dst: version.dst, key: version.key };
    rows.push({ change, element: version.kind, ...identity, before: stateOf(before), after: stateOf(after), changed });
  }
  const pins = { left: left.belief.pin, right: right.belief.pin };
  return { answer: { lists: [["rows", rows]], fields: { pins, totals } }, pinTx: right.belief.tx };
}
