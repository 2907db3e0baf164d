// The dimensions by which aggregate_events groups: each reads one or more columns off an event.
// A node dimension with role "either" reads an event twice, once from each end.

import { bucketsOf } from "./buckets.js";
import type { CellType } from "./cells.js";
import type { Event, Role } from "./events.js";
import type { EndJudge } from "./filters.js";
import { formatInstant, parseInstant } from "./instants.js";
import type { Row } from "./lists.js";
import { calendarPart, periodBegins } from "./local-calendar.js";
import { compareText, type Props } from "./values.js";

export type Dim =
  | { readonly dim: "bucket"; readonly stride: string; readonly zone: string }
  | { readonly dim: "trunc" | "calendar"; readonly unit: string; readonly zone: string }
  | { readonly dim: "type" }
  | { readonly dim: "node"; readonly role: Role }
  | { readonly dim: "pair"; readonly undirected: boolean }
  | { readonly dim: "labels"; readonly role: "src" | "dst" }
  | { readonly dim: "prop"; readonly of: "edge" | "src" | "dst"; readonly prop: string };

export interface Dimension {
  readonly columns: ReadonlyArray<readonly [name: string, type: CellType]>;
  /** The ways in which an event falls into groups. */
  read(event: Event): Row[];
}

function propOrNull(props: Props, name: string): unknown {
  return Object.hasOwn(props, name) ? props[name] : null;
}

function bucketDimension(stride: string, zone: string, window: unknown): Dimension {
  const buckets = bucketsOf(window, stride, zone).map(({ bucket_from: from, bucket_to: to }) => ({
    row: { from, to },
    span: [parseInstant(from), parseInstant(to, { isEnd: true })] as const,
  }));
  return {
    columns: [
      ["from", "instant"],
      ["to", "instant"],
    ],
    read: ({ at }) => [buckets.find(({ span: [from, to] }) => from <= at && at < to)!.row],
  };
}

function pairRow(undirected: boolean, src: string, dst: string): Row {
  if (!undirected) return { src, dst };
  const [node_1, node_2] = [src, dst].sort(compareText);
  return { node_1, node_2 };
}

export function nodeColumn(role: Role): "node" | "src" | "dst" {
  return role === "either" ? "node" : role;
}

/** Node states are judged at the event; `window` is that of the call. */
export function dimensionOf(dim: Dim, window: unknown, nodes: EndJudge): Dimension {
  switch (dim.dim) {
    case "bucket":
      return bucketDimension(dim.stride, dim.zone, window);
    case "trunc": {
      const name = `${dim.unit}_from`;
      const read = ({ at }: Event) => [{ [name]: formatInstant(periodBegins(at, dim.unit, dim.zone)) }];
      return { columns: [[name, "instant"]], read };
    }
    case "calendar":
      return {
        columns: [[dim.unit, "plain"]],
        read: ({ at }) => [{ [dim.unit]: calendarPart(at, dim.unit, dim.zone) }],
      };
    case "type":
      return { columns: [["type", "plain"]], read: ({ edge }) => [{ type: edge.type }] };
    case "node": {
      const name = nodeColumn(dim.role);
      const read = ({ edge: { src, dst } }: Event) =>
        name === "node" ? [...new Set([src, dst])].map((node) => ({ node })) : [{ [name]: name === "src" ? src : dst }];
      return { columns: [[name, "plain"]], read };
    }
    case "pair":
      return {
        columns: dim.undirected
          ? [
              ["node_1", "plain"],
              ["node_2", "plain"],
            ]
          : [
              ["src", "plain"],
              ["dst", "plain"],
            ],
        read: ({ edge: { src, dst } }) => [pairRow(dim.undirected, src, dst)],
      };
    case "labels": {
      const name = `${dim.role}_labels`;
      const read = ({ edge, at }: Event) => [{ [name]: nodes.nodeAt(edge[dim.role], at)?.labels ?? [] }];
      return { columns: [[name, "plain"]], read };
    }
    case "prop": {
      const name = `${dim.of}.${dim.prop}`;
      const propsOf = ({ edge, at }: Event) =>
        dim.of === "edge" ? edge.props : (nodes.nodeAt(edge[dim.of], at)?.props ?? {});
      return { columns: [[name, "plain"]], read: (event) => [{ [name]: propOrNull(propsOf(event), dim.prop) }] };
    }
  }
}
