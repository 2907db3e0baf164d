// Snapshots as documents for other tools: graphology's own importer takes one, and a small reader of DOT the other.

import { readFileSync } from "node:fs";
import { MultiDirectedGraph } from "graphology";
import { beforeAll, describe, expect, it } from "vitest";
import { type OperationInput, open } from "../../src/index.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
const ODD = 'say "hi"\\N\n✓ digraph';
const since = { valid_from: "2020-01-01" } as const;
const store = () => cli.path("store");

beforeAll(async () => {
  const db = await open(store());
  const big = 9_007_199_254_740_993n;
  const props = { name: "Zoë", big, "@type": "mine", label: "not ours", list: [1, big], nested: { a: true } };
  const operations: OperationInput[] = [
    { op: "assert_node", uid: ODD, labels: ["Q", "P"], props, ...since },
    { op: "assert_node", uid: "b", ...since, valid_to: "2021-01-01" },
    { op: "assert_node", uid: "later", valid_from: "2022-01-01" },
    { op: "assert_edge", src: ODD, type: "R", dst: "b", props: { weight: 2 }, ...since },
    { op: "assert_edge", src: ODD, type: "R", dst: "b", key: "second", props: { weight: 3.5 }, ...since },
    { op: "assert_edge", src: "b", type: "SELF", dst: "b", ...since },
    { op: "assert_edge", src: "b", type: "R", dst: "no node", ...since },
    { op: "assert_edge", src: "b", type: "R", dst: "later", ...since, valid_to: "2020-02-01" },
  ];
  await db.write(operations);
  await db.write([{ op: "retract", ref: { src: "b", type: "SELF", dst: "b" }, ...since }]);
  await db.close();
});

const shot = (format: string, ...flags: string[]) =>
  cli.run("snapshot", store(), "--format", format, "--at", "2020-06-01", ...flags);

describe("a snapshot for graphology", () => {
  it("is taken by its importer, with parallel edges, loops, letters and values", async () => {
    const { out, exitCode } = await shot("graphology", "--as-of", "tx:1");
    expect(exitCode).toBe(0);
    const graph = new MultiDirectedGraph();
    graph.import(JSON.parse(out));
    expect(graph.getAttributes()).toMatchObject({ at: "2020-06-01T00:00:00Z", tx: 1 });
    expect(graph.nodes().sort()).toEqual(["b", "no node", ODD].sort());
    expect(graph.getNodeAttributes(ODD)).toEqual({
      "@labels": ["P", "Q"],
      "@valid_from": "2020-01-01T00:00:00Z",
      "@valid_to": null,
      name: "Zoë",
      big: "9007199254740993",
      "@@type": "mine",
      label: "not ours",
      list: [1, "9007199254740993"],
      nested: { a: true },
    });
    expect(graph.getNodeAttributes("no node")).toEqual({ "@exists": false });
    const weights = graph
      .edges(ODD, "b")
      .map((edge) => [graph.getEdgeAttribute(edge, "@key"), graph.getEdgeAttribute(edge, "weight")]);
    expect(weights.sort()).toEqual([
      ["", 2],
      ["second", 3.5],
    ]);
    expect(graph.selfLoopCount).toBe(1);
    expect(graph.size).toBe(4);
  });

  it("is of the pin and the instant that are asked for", async () => {
    const graph = new MultiDirectedGraph();
    graph.import(JSON.parse((await shot("graphology")).out));
    expect([graph.selfLoopCount, graph.size]).toEqual([0, 3]);
    const before = await cli.run("snapshot", store(), "--format", "graphology", "--at", "1999-01-01");
    const empty = new MultiDirectedGraph();
    empty.import(JSON.parse(before.out));
    expect(empty.order).toBe(0);
  });
});

/** The statements of a digraph: quoted texts of a line, escapes undone, and whether it is an edge. */
function statementsOf(dot: string): { isEdge: boolean; texts: string[] }[] {
  const undone: Record<string, string> = { n: "\n", r: "\r", "0": "\0" };
  return dot
    .trim()
    .split("\n")
    .slice(1, -1)
    .map((line) => ({
      isEdge: /^ {2}"(?:[^"\\]|\\.)*" -> /.test(line),
      texts: Array.from(line.matchAll(/"((?:[^"\\]|\\.)*)"/g), (match) =>
        match[1]!.replace(/\\(.)/g, (_, sign: string) => undone[sign] ?? sign),
      ),
    }));
}

describe("a snapshot for Graphviz", () => {
  it("has a line for each node and edge, every text quoted", async () => {
    const { out } = await shot("dot", "--as-of", "tx:1");
    expect(out.startsWith('digraph "at 2020-06-01T00:00:00Z, believed at tx:1" {\n')).toBe(true);
    const statements = statementsOf(out);
    const nodes = statements.filter(({ isEdge }) => !isEdge).map(({ texts }) => texts);
    expect(nodes.map(([uid]) => uid).sort()).toEqual(["b", "no node", ODD].sort());
    expect(nodes.find(([uid]) => uid === ODD)).toEqual(
      expect.arrayContaining(["label", `${ODD}\nP, Q`, "props.label", "not ours", "props.big", "9007199254740993"]),
    );
    const edges = statements.filter(({ isEdge }) => isEdge).map(({ texts }) => texts);
    const from = ["valid_from", "2020-01-01T00:00:00Z"];
    expect(edges).toEqual([
      ["b", "no node", "label", "R", ...from],
      ["b", "b", "label", "SELF", ...from],
      [ODD, "b", "label", "R", ...from, "props.weight", "2"],
      [ODD, "b", "label", "R", "edge_key", "second", ...from, "props.weight", "3.5"],
    ]);
  });

  it("goes into a file that appears when it is whole", async () => {
    const file = cli.path("graph.dot");
    const { out } = await shot("dot", "--output", file);
    expect(out).toBe("");
    expect(readFileSync(file, "utf8")).toBe((await shot("dot")).out);
    const refused = await cli.run(
      "snapshot",
      store(),
      "--format",
      "dot",
      "--at",
      "soon",
      "--output",
      cli.path("no.dot"),
    );
    expect([refused.exitCode, refused.err]).toEqual([1, expect.stringMatching(/^E_INVALID_ARG: /)]);
    expect((await cli.run("snapshot", store(), "--format", "dot")).exitCode).toBe(2);
  });
});
