// What a file that holds a whole graph is made of, whatever its format: nodes and edges, each with its place in the file.
// Checks that span elements are here; formats only say what each element is.
import { BEGINNING_US, OPEN_END_US } from "../../contract/instant.js";
import type { JsonObject, JsonValue } from "../../contract/values.js";
import { type InstantFormat, instantOfText } from "../instants.js";
import { type RefusalPlace, RefusedValue, refusal } from "../refusal.js";

export interface Element {
  readonly place: RefusalPlace;
  readonly props: JsonObject;
  readonly fromUs: bigint;
  readonly toUs: bigint;
}
export interface GraphNode extends Element {
  readonly uid: string;
  readonly labels: readonly string[];
}
export interface GraphEdge extends Element {
  readonly src: string;
  readonly type: string;
  readonly dst: string;
  /** null: the store chooses it, and parallel edges stay apart. */
  readonly key: string | null;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** How attributes become times, labels and types; the same for every format. */
export interface ElementOptions {
  readonly instants: InstantFormat;
  /** Names of attributes that say from when an element holds; the first one that it has counts. */
  readonly times: readonly string[];
  readonly validTo: string | null;
  /** The attribute that has the labels of nodes, and the one that has the type of edges. */
  readonly labelName: string | null;
  readonly typeName: string | null;
  readonly labels: readonly string[];
  /** The type of edges that the file gives none; null: each format has its own way. */
  readonly type: string | null;
}

/** Attributes by name: the value as typed, and the text that it was. */
export type Attributes = ReadonlyMap<string, { readonly value: JsonValue; readonly text: string }>;

/** What is read so far of a file; an element's properties and times are made of its attributes here. */
export class GraphParts implements Graph {
  readonly nodes: GraphNode[] = [];
  readonly edges: GraphEdge[] = [];

  constructor(private readonly options: ElementOptions) {}

  addNode(named: Pick<GraphNode, "place" | "uid" | "labels">, attributes: Attributes): void {
    const { options } = this;
    this.nodes.push({ ...named, props: propsOf(attributes, options, true), ...timesOf(attributes, options) });
  }

  addEdge(named: Pick<GraphEdge, "place" | "src" | "type" | "dst" | "key">, attributes: Attributes): GraphEdge {
    const { options } = this;
    const edge = { ...named, props: propsOf(attributes, options, false), ...timesOf(attributes, options) };
    this.edges.push(edge);
    return edge;
  }
}

/** Takes what says when an element holds out of its attributes; without it, it holds from the beginning on. */
function timesOf(attributes: Attributes, options: ElementOptions): { fromUs: bigint; toUs: bigint } {
  const begin = options.times.map((name) => attributes.get(name)).find((found) => found !== undefined);
  const end = options.validTo === null ? undefined : attributes.get(options.validTo);
  const fromUs = begin === undefined ? BEGINNING_US : instant(begin.text, options, false);
  const toUs = end === undefined || end.text === "" ? OPEN_END_US : instant(end.text, options, true);
  if (fromUs >= toUs) throw new RefusedValue("the end is not after the beginning", "E_PERIOD_ORDER");
  return { fromUs, toUs };
}

function instant(text: string, { instants }: ElementOptions, isEnd: boolean): bigint {
  try {
    return instantOfText(text, instants, isEnd);
  } catch (error) {
    if (!(error instanceof RefusedValue) || error.showsValue) throw error;
    throw new RefusedValue(`${JSON.stringify(text)} ${error.reason}`, error.code, error.hint);
  }
}

/** `:Person:Employee` and `Person;Employee` are two labels. */
export const labelsIn = (text: string): string[] => text.split(/[:;]/).filter((label) => label !== "");

/** The attributes that are nothing else. */
function propsOf(attributes: Attributes, options: ElementOptions, isNode: boolean): JsonObject {
  const taken = new Set([...options.times, options.validTo, isNode ? options.labelName : options.typeName]);
  const props: JsonObject = {};
  for (const [name, { value }] of attributes) {
    if (taken.has(name)) continue;
    Object.defineProperty(props, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return props;
}

/** Refuses a node that is there twice; gives the nodes by uid. */
export function nodesByUid(nodes: readonly GraphNode[]): ReadonlyMap<string, GraphNode> {
  const byUid = new Map<string, GraphNode>();
  for (const node of nodes) {
    const before = byUid.get(node.uid);
    if (before !== undefined) {
      throw refusal(node.place, `node ${JSON.stringify(node.uid)} is there already, in line ${before.place.line}`);
    }
    byUid.set(node.uid, node);
  }
  return byUid;
}
