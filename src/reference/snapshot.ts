// O2 snapshot_subgraph: breadth-first from the seeds in the graph of one instant; its search serves diff's scope too.

import { EndJudge, passesContent, type Where } from "./filters.js";
import { formatEnd, formatInstant, parseInstant } from "./instants.js";
import type { Answer, Args } from "./lists.js";
import type { Belief } from "./question.js";
import { identityFields, type Projection, project } from "./shown.js";
import { compareText } from "./values.js";
import { compareVersions, type EdgeVersion, isEdge, isNode, isValidAt, type NodeVersion } from "./versions.js";

export type Orientation = "out" | "in" | "both";

export interface Search {
  readonly at: bigint;
  readonly seeds: readonly string[];
  readonly hops: number;
  readonly orientation: Orientation;
  readonly nodesMustExist: boolean;
  readonly where: Where;
}

/** The edges of one instant that pass; the seeds are spared by `where.node`. */
export function passingEdges(belief: Belief, at: bigint, where: Where, seeds: readonly string[]): EdgeVersion[] {
  const judge = new EndJudge(belief.believed, where, new Set(seeds));
  return belief.believed
    .filter(isEdge)
    .filter((edge) => isValidAt(edge, at) && passesContent(edge, where) && judge.passesEnds(edge, at))
    .sort(compareVersions);
}

export function nodesValidAt(belief: Belief, at: bigint): Map<string, NodeVersion> {
  const valid = belief.believed.filter(isNode).filter((node) => isValidAt(node, at));
  return new Map(valid.map((node) => [node.uid, node]));
}

/** Every node within reach with its distance, and the edges that may be crossed. */
export function search(belief: Belief, asked: Search): { hopOf: Map<string, number>; edges: EdgeVersion[] } {
  const nodes = nodesValidAt(belief, asked.at);
  const edges = passingEdges(belief, asked.at, asked.where, asked.seeds).filter(
    (edge) => !asked.nodesMustExist || (nodes.has(edge.src) && nodes.has(edge.dst)),
  );
  const hopOf = new Map(asked.seeds.map((seed) => [seed, 0]));
  for (let hop = 1; hop <= asked.hops; hop++) {
    const reached = [...hopOf.keys()];
    for (const { src, dst } of edges) {
      if (asked.orientation !== "in" && reached.includes(src) && !hopOf.has(dst)) hopOf.set(dst, hop);
      if (asked.orientation !== "out" && reached.includes(dst) && !hopOf.has(src)) hopOf.set(src, hop);
    }
  }
  return { hopOf, edges };
}

export function snapshotSubgraph(belief: Belief, args: Args): Answer {
  const seeds = args.seeds as readonly string[];
  belief.requireUids(seeds);
  const at = parseInstant(args.at);
  const { hopOf, edges } = search(belief, {
    at,
    seeds,
    hops: args.hops as number,
    orientation: args.orientation as Orientation,
    nodesMustExist: args.nodes_must_exist as boolean,
    where: args.where as Where,
  });
  const projection = args.props as Projection;
  const nodes = nodesValidAt(belief, at);
  const reached = [...hopOf].sort(([a, aHop], [b, bHop]) => aHop - bHop || compareText(a, b));
  return {
    lists: [
      [
        "rows",
        edges
          .filter((edge) => hopOf.has(edge.src) && hopOf.has(edge.dst))
          .map((edge) => ({
            ...identityFields(edge),
            valid_from: formatInstant(edge.validFrom),
            valid_to: formatEnd(edge.validTo),
            props: project(edge.props, projection),
          })),
      ],
      [
        "nodes",
        reached.map(([uid, hop]) => ({
          uid,
          hop,
          exists: nodes.has(uid),
          labels: nodes.get(uid)?.labels ?? [],
          props: project(nodes.get(uid)?.props ?? {}, projection),
        })),
      ],
    ],
    fields: {},
  };
}
