// GraphML into nodes and edges: keys with types and defaults, directed edges, attributes as times where they are named.
// What the format can say and this database cannot keep (hyperedges, ports, nested graphs) is refused where it stands.
import { SaxesParser } from "saxes";
import { PalimpsestError } from "../../contract/errors.js";
import { Pace } from "../../event-loop/pace.js";
import { readChunks } from "../byte-source.js";
import { asRefusal, type RefusalPlace, RefusedValue, refusal } from "../refusal.js";
import {
  type Attributes,
  type ElementOptions,
  type Graph,
  type GraphEdge,
  GraphParts,
  labelsIn,
  nodesByUid,
} from "./elements.js";
import { type Key, keyOf, readValue } from "./graphml-keys.js";

/** What an edge without direction becomes. */
export type Undirected = "refuse" | "once" | "twice";

export interface GraphmlOptions extends ElementOptions {
  readonly undirected: Undirected;
  readonly onRead?: (bytes: number) => void;
}

const DEFAULT_TYPE = "EDGE";
const REFUSED: Readonly<Record<string, string>> = {
  hyperedge: "hyperedges join more than two nodes: there is no such edge here",
  port: "ports of nodes cannot be kept",
  endpoint: "hyperedges join more than two nodes: there is no such edge here",
};

interface Open {
  readonly kind: "node" | "edge";
  readonly given: Readonly<Record<string, string>>;
  readonly place: RefusalPlace;
  readonly data: Map<string, string>;
}

class GraphmlReading {
  readonly graph: GraphParts;
  private readonly keys = new Map<string, Key>();
  private lastKey: Key | null = null;
  private readonly path: string[] = [];
  private isDirected = true;
  private graphCount = 0;
  private open: Open | null = null;
  /** The key whose <data> or <default> is open, with its text so far. */
  private text: { readonly key: Key; parts: string } | null = null;

  constructor(
    private readonly options: GraphmlOptions,
    private readonly place: () => RefusalPlace,
  ) {
    this.graph = new GraphParts(options);
  }

  begin(name: string, given: Readonly<Record<string, string>>): void {
    const parent = this.path.at(-1);
    this.path.push(name);
    if (this.text !== null) throw new RefusedValue(`<${name}> inside <${parent}>: only text can be kept there`);
    const why = REFUSED[name];
    if (why !== undefined) throw new RefusedValue(why);
    switch (name) {
      case "graphml":
        if (parent !== undefined) throw new RefusedValue("<graphml> inside another element");
        break;
      case "key":
        this.beginKey(given);
        break;
      case "graph":
        this.beginGraph(given, parent);
        break;
      case "node":
      case "edge":
        this.beginElement(name, given, parent);
        break;
      case "data":
        this.beginData(given);
        break;
      case "default":
        if (parent === "key") this.text = { key: this.lastKey!, parts: "" };
        break;
      case "desc":
        break;
      default:
        if (this.path.length === 1) throw new RefusedValue(`the file is <${name}>, not <graphml>`);
        throw new RefusedValue(`<${name}> is no element that can be kept`);
    }
  }

  add(text: string): void {
    if (this.text !== null) this.text.parts += text;
  }

  end(name: string): void {
    this.path.pop();
    if (name === "default" && this.text !== null) {
      this.text.key.default = this.text.parts;
      this.text = null;
    } else if (name === "data" && this.text !== null) {
      this.open?.data.set(this.text.key.id, this.text.parts);
      this.text = null;
    } else if (name === "node") this.endNode();
    else if (name === "edge") this.endEdge();
  }

  private beginKey(given: Readonly<Record<string, string>>): void {
    const key = keyOf(given);
    if (this.keys.has(key.id)) throw new RefusedValue(`key ${JSON.stringify(key.id)} is there twice`);
    this.keys.set(key.id, key);
    this.lastKey = key;
  }

  private beginGraph({ edgedefault }: Readonly<Record<string, string>>, parent: string | undefined): void {
    if (parent !== "graphml") throw new RefusedValue("a graph inside a node or an edge cannot be kept");
    this.graphCount += 1;
    if (this.graphCount > 1)
      throw new RefusedValue("the file has a second graph", "E_INVALID_ARG", "load each by itself");
    if (edgedefault !== "directed" && edgedefault !== "undirected") {
      throw new RefusedValue("the graph does not say edgedefault, directed or undirected");
    }
    this.isDirected = edgedefault === "directed";
  }

  private beginElement(kind: "node" | "edge", given: Readonly<Record<string, string>>, parent?: string): void {
    if (parent !== "graph") throw new RefusedValue(`<${kind}> stands outside a graph`);
    if (given.sourceport !== undefined || given.targetport !== undefined) throw new RefusedValue(REFUSED.port!);
    this.open = { kind, given, place: this.place(), data: new Map() };
  }

  private beginData({ key: id = "" }: Readonly<Record<string, string>>): void {
    const key = this.keys.get(id);
    if (key === undefined) throw new RefusedValue(`there is no key ${JSON.stringify(id)}`);
    const { open } = this;
    if (open !== null && key.domain !== "all" && key.domain !== open.kind) {
      throw new RefusedValue(`key ${JSON.stringify(id)} is for ${key.domain}, not for ${open.kind}`);
    }
    if (open?.data.has(id)) throw new RefusedValue(`the ${open.kind} has key ${JSON.stringify(id)} twice`);
    this.text = { key, parts: "" };
  }

  /** Data by name, defaults where there is none. */
  private attributesOf({ kind, data, place }: Open): Attributes {
    const found = new Map<string, { value: ReturnType<typeof readValue>; text: string }>();
    for (const key of this.keys.values()) {
      if (key.domain !== kind && key.domain !== "all") continue;
      const text = data.get(key.id) ?? key.default;
      if (text === null) continue;
      if (found.has(key.name)) throw new RefusedValue(`two keys are named ${JSON.stringify(key.name)}`);
      found.set(key.name, { value: this.valueAt(key, text, place), text });
    }
    return found;
  }

  private valueAt(key: Key, text: string, place: RefusalPlace) {
    try {
      return readValue(key, text);
    } catch (error) {
      throw asRefusal(error, { ...place, column: key.name });
    }
  }

  private endNode(): void {
    const { options, open } = this;
    const { given, place } = open!;
    if (given.id === undefined || given.id === "") throw new RefusedValue("a node has no id");
    const attributes = this.attributesOf(open!);
    const named = options.labelName === null ? undefined : attributes.get(options.labelName)?.text;
    const labels = [...options.labels, ...labelsIn(named ?? given.labels ?? "")];
    this.graph.addNode({ place, uid: given.id, labels }, attributes);
    this.open = null;
  }

  private endEdge(): void {
    const { options, open } = this;
    const { given, place } = open!;
    const { source: src, target: dst, id, directed } = given;
    if (src === undefined || dst === undefined) throw new RefusedValue("an edge has no source or no target");
    const attributes = this.attributesOf(open!);
    const named = options.typeName === null ? given.label : attributes.get(options.typeName)?.text;
    const type = named ?? options.type ?? DEFAULT_TYPE;
    const edge = this.graph.addEdge({ place, src, type, dst, key: id ?? null }, attributes);
    if (!(directed === undefined ? this.isDirected : directed === "true")) this.turn(edge);
    this.open = null;
  }

  private turn(edge: GraphEdge): void {
    const { undirected } = this.options;
    if (undirected === "refuse") {
      const hint = "give --undirected once to keep edges as they are written, or twice for one each way";
      throw new RefusedValue("the edge has no direction, and edges here have one", "E_INVALID_ARG", hint);
    }
    const { edges } = this.graph;
    if (undirected === "twice" && edge.src !== edge.dst) edges.push({ ...edge, src: edge.dst, dst: edge.src });
  }
}

/** Reads the whole file; every element is checked before any is given. */
export async function readGraphml(file: string, options: GraphmlOptions): Promise<Graph> {
  const parser = new SaxesParser();
  const place = (): RefusalPlace => ({ file, line: parser.line });
  const reading = new GraphmlReading(options, place);
  parser.on("error", (error) => {
    throw new RefusedValue(`not XML: ${error.message.replace(/^(?:[^:]*:)?\d+:\d+: /, "")}`);
  });
  parser.on("xmldecl", ({ encoding = "UTF-8" }) => {
    if (!/^utf-?8$/i.test(encoding)) throw new RefusedValue(`the encoding ${encoding} is not UTF-8`);
  });
  parser.on("opentag", ({ name, attributes }) =>
    reading.begin(name.replace(/^.*:/, ""), attributes as Record<string, string>),
  );
  parser.on("text", (text) => reading.add(text));
  parser.on("cdata", (text) => reading.add(text));
  parser.on("closetag", ({ name }) => reading.end(name.replace(/^.*:/, "")));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw new RefusedValue("bytes that are not UTF-8", "E_INVALID_ARG", "convert the file to UTF-8");
    }
  };
  const pace = new Pace();
  try {
    for await (const chunk of readChunks(file, options.onRead)) {
      parser.write(decode(chunk));
      if (pace.isDue) await pace.rest();
    }
    parser.write(decode()).close();
  } catch (error) {
    if (error instanceof PalimpsestError) throw error;
    throw asRefusal(error, place());
  }
  const { graph } = reading;
  const uids = nodesByUid(graph.nodes);
  for (const { place: at, src, dst } of graph.edges) {
    const missing = [src, dst].find((uid) => !uids.has(uid));
    if (missing !== undefined) throw refusal(at, `the edge has an end ${JSON.stringify(missing)} that is no node`);
  }
  if (graph.nodes.length === 0) throw refusal({ file, line: 0 }, "the file has no nodes");
  return graph;
}
