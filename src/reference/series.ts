// O8 graph_metric_timeseries: metrics per bucket, each counted anew for each bucket.

import { bucketsOf } from "./buckets.js";
import { type Event, isIn, passingEvents, type Role, touches } from "./events.js";
import { rounded, toDouble } from "./exact-numbers.js";
import { EndJudge, passesContent, passesNode, type Where } from "./filters.js";
import { parseInstant } from "./instants.js";
import type { Answer, Args, Row } from "./lists.js";
import type { Belief, Span } from "./question.js";
import { compareVersions, identityText, isEdge, isNode, isValidAt, type NodeVersion } from "./versions.js";

type Node = { readonly uid: string; readonly role: Role } | null;

/** A bucket as its row shows it and as a stretch of time. */
export interface Bucket {
  readonly row: { readonly from: unknown; readonly to: unknown; readonly partial: unknown };
  readonly span: Span;
}

export function bucketSpans(args: Args): Bucket[] {
  return bucketsOf(args.window, args.stride as string, args.zone as string).map((bucket) => ({
    row: { from: bucket.bucket_from, to: bucket.bucket_to, partial: bucket.partial },
    span: { from: parseInstant(bucket.bucket_from), to: parseInstant(bucket.bucket_to, { isEnd: true }) },
  }));
}

const pairOf = ({ edge }: Event) => JSON.stringify([edge.src, edge.dst]);

function reciprocity(events: readonly Event[]): number | null {
  const pairs = new Set(events.filter(({ edge }) => edge.src !== edge.dst).map(pairOf));
  const answered = [...pairs].filter((pair) => pairs.has(JSON.stringify((JSON.parse(pair) as string[]).reverse())));
  if (pairs.size === 0) return null;
  return rounded(toDouble({ num: BigInt(answered.length), den: BigInt(pairs.size) }));
}

/** What the metrics are counted from: everything that passes, over all time. */
class Counted {
  private readonly events: readonly Event[];
  private readonly judge: EndJudge;
  private readonly firstVersions = new Map<string, NodeVersion>();
  private readonly firstEvents = new Map<string, Event>();

  constructor(
    private readonly belief: Belief,
    private readonly where: Where,
    private readonly node: Node,
  ) {
    const spared = new Set(node === null ? [] : [node.uid]);
    this.judge = new EndJudge(belief.believed, where, spared);
    this.events = passingEvents(belief, where, spared).filter(({ edge }) => this.isAtNode(edge));
    for (const event of this.events)
      if (!this.firstEvents.has(pairOf(event))) this.firstEvents.set(pairOf(event), event);
    for (const version of belief.believed.filter(isNode).sort(compareVersions)) {
      if (!this.firstVersions.has(version.uid)) this.firstVersions.set(version.uid, version);
    }
  }

  private isAtNode(edge: { src: string; dst: string }): boolean {
    return this.node === null || touches(edge, this.node.uid, this.node.role);
  }

  private activeEdges(at: bigint): number {
    const valid = this.belief.believed
      .filter(isEdge)
      .filter((edge) => isValidAt(edge, at) && this.isAtNode(edge))
      .filter((edge) => passesContent(edge, this.where) && this.judge.passesEnds(edge, at));
    return new Set(valid.map(identityText)).size;
  }

  private passingNodes(versions: Iterable<NodeVersion>): number {
    return [...versions].filter((version) => passesNode(version.uid, version, this.where.node)).length;
  }

  private nodes(at: bigint): number {
    return this.passingNodes(this.belief.believed.filter(isNode).filter((node) => isValidAt(node, at)));
  }

  value(metric: string, span: Span): number | null {
    const events = this.events.filter(({ at }) => isIn(span, at));
    switch (metric) {
      case "edge_event_count":
        return events.length;
      case "edge_end_count":
        return this.events.filter(({ to }) => isIn(span, to)).length;
      case "active_edge_count":
        return this.activeEdges(span.from);
      case "node_count":
        return this.nodes(span.from);
      case "active_node_count":
        return new Set(events.flatMap(({ edge }) => [edge.src, edge.dst])).size;
      case "distinct_pair_count":
        return new Set(events.map(pairOf)).size;
      case "new_node_count":
        return this.passingNodes([...this.firstVersions.values()].filter(({ validFrom }) => isIn(span, validFrom)));
      case "new_pair_count":
        return [...this.firstEvents.values()].filter(({ at }) => isIn(span, at)).length;
      case "mean_out_degree": {
        const nodes = this.nodes(span.from);
        if (nodes === 0) return null;
        return rounded(toDouble({ num: BigInt(this.activeEdges(span.from)), den: BigInt(nodes) }));
      }
      default:
        return reciprocity(events);
    }
  }
}

export function graphMetricTimeseries(belief: Belief, args: Args): Answer {
  const node = args.node as Node;
  if (node !== null) belief.requireUids([node.uid]);
  const counted = new Counted(belief, args.where as Where, node);
  const buckets = bucketSpans(args);
  const rows = buckets.flatMap(({ row, span }) =>
    (args.metric as readonly string[]).map((metric): Row => ({ ...row, metric, value: counted.value(metric, span) })),
  );
  return { lists: [["rows", rows]], fields: { n_buckets: buckets.length } };
}
