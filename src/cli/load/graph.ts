// `palimpsest load` of files that hold a whole graph, GraphML and folders of LDBC's CSV: read and checked as a whole first,
// then one commit with all of it, so that a refused file leaves nothing.
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { PalimpsestError } from "../../contract/errors.js";
import { OPEN_END_US } from "../../contract/instant.js";
import { LIMITS } from "../../contract/values.js";
import type { Database, OperationInput } from "../../index.js";
import type { ElementOptions, Graph, GraphEdge, GraphNode } from "../../interchange/graph/elements.js";
import { readGraphml } from "../../interchange/graph/graphml.js";
import { ldbcFiles, readLdbc } from "../../interchange/graph/ldbc.js";
import { checkTogether, type LoadFlags } from "./flags.js";
import { timeFormat } from "./options.js";

export type GraphFormat = "graphml" | "ldbc";

export interface GraphLoading {
  readonly file: string;
  readonly flags: LoadFlags;
  readonly format: GraphFormat;
  readonly onRead: (bytes: number) => void;
  readonly onWritten: (elements: number) => void;
  readonly checkInterrupted: () => void;
}

/** The flags that say how attributes become times, labels and types. */
const FIT = ["format", "time", "unit", "epoch", "timeFormat", "zone", "validTo", "endInclusive", "type", "typeColumn"];
const ALSO_FIT = ["nodeLabel", "labelColumn", "batch", "onError", "json", "undirected", "header"];

export function checkGraphFlags(flags: LoadFlags, format: GraphFormat): void {
  checkTogether(flags);
  const unfit = Object.entries(flags).find(
    ([name, value]) => value !== undefined && ![...FIT, ...ALSO_FIT].includes(name),
  );
  const flag = unfit?.[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  if (flag !== undefined) refuse(`--${flag} does not go with --format ${format}`, "the file says itself what that is");
  if (!flags.header)
    refuse(`--no-header does not go with --format ${format}`, "the file says itself what its columns are");
  if (flags.onError === "skip") refuse(`--on-error skip does not go with --format ${format}`, "mend the file");
  if (flags.undirected !== undefined && format !== "graphml") refuse("--undirected is for graphml", "leave it out");
}

/** Flags that only these formats have. */
export function checkNoGraphFlags({ undirected }: LoadFlags): void {
  if (undirected !== undefined) refuse("--undirected is for graphml", "edges of other formats have a direction");
}

function refuse(what: string, hint: string): never {
  throw new PalimpsestError("E_INVALID_ARG", what, { hint });
}

/** Bytes on disk, of a folder those of its files. */
export async function graphBytes(file: string): Promise<number> {
  const sizes = await Promise.all((await ldbcFiles(file)).map(async (name) => (await stat(name)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function elementOptions(flags: LoadFlags): ElementOptions {
  return {
    instants: timeFormat(flags, "csv"),
    times: flags.time?.split(",") ?? [],
    validTo: flags.validTo ?? null,
    labelName: flags.labelColumn ?? null,
    typeName: flags.typeColumn ?? null,
    labels: flags.nodeLabel ?? [],
    type: flags.type ?? null,
  };
}

export function readGraph({ file, flags, format, onRead }: GraphLoading): Promise<Graph> {
  const options = { ...elementOptions(flags), onRead };
  if (format === "ldbc") return readLdbc(file, options);
  return readGraphml(file, { ...options, undirected: flags.undirected ?? "refuse" });
}

const endOf = (us: bigint): bigint | null => (us === OPEN_END_US ? null : us);

function nodeOperation({ uid, labels, props, fromUs, toUs }: GraphNode, source: string): OperationInput {
  const period = { valid_from: fromUs, valid_to: endOf(toUs) };
  return { op: "assert_node", uid, labels: [...labels], props, ...period, source };
}

/** All edges are one operation: the store chooses the keys that they do not have. */
function edgesOperation(edges: readonly GraphEdge[], source: string): OperationInput {
  return {
    op: "ingest_events",
    src: edges.map(({ src }) => src),
    dst: edges.map(({ dst }) => dst),
    type: edges.map(({ type }) => type),
    key: edges.map(({ key }) => key),
    time: edges.map(({ fromUs }) => fromUs),
    valid_to: edges.map(({ toUs }) => endOf(toUs)),
    props: edges.map(({ props }) => props),
    source,
  };
}

export async function writeGraph(db: Database, graph: Graph, loading: GraphLoading): Promise<void> {
  const { file, flags } = loading;
  const source = basename(file);
  const { nodes, edges } = graph;
  const write = async (operations: readonly OperationInput[], elements: number): Promise<void> => {
    loading.checkInterrupted();
    await db.write(operations);
    loading.onWritten(elements);
  };
  const { batch } = flags;
  if (batch === undefined) {
    if (nodes.length >= LIMITS.batchOperations) {
      const hint = `give --batch ${LIMITS.batchOperations / 2}: what is committed stays if a later commit fails`;
      throw new PalimpsestError("E_LIMIT", `${file}: ${nodes.length} nodes are too many for one commit`, { hint });
    }
    const operations = nodes.map((node) => nodeOperation(node, source));
    if (edges.length > 0) operations.push(edgesOperation(edges, source));
    await write(operations, nodes.length + edges.length);
    return;
  }
  const most = Math.min(batch, LIMITS.batchOperations);
  for (let from = 0; from < nodes.length; from += most) {
    const part = nodes.slice(from, from + most);
    await write(
      part.map((node) => nodeOperation(node, source)),
      part.length,
    );
  }
  for (let from = 0; from < edges.length; from += batch) {
    const part = edges.slice(from, from + batch);
    await write([edgesOperation(part, source)], part.length);
  }
}
