// Files that hold whole graphs: GraphML, and LDBC's folders of CSV. Expected rows are counted by hand or by plain splitting.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { ROOT } from "./command-line.js";
import { servedCommandLine } from "./served-command-line.js";

const cli = servedCommandLine();
let count = 0;

async function loadText(text: string | Uint8Array, ...flags: string[]) {
  count += 1;
  const store = cli.path(`graph${count}`);
  // The name says the format.
  const ran = await cli.run("load", store, cli.file(`graph${count}.graphml`, text), ...flags);
  return { ...ran, store };
}

async function rowsOf(store: string, kind: "node" | "edge"): Promise<Record<string, unknown>[]> {
  const db = await open(store, { readOnly: true });
  const { rows } = await db.call("version_history", { kind, limit: 10_000 });
  await db.close();
  return rows as unknown as Record<string, unknown>[];
}

const graph = (inside: string, keys = "", edgedefault = "directed") =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n${keys}` +
  `<graph id="G" edgedefault="${edgedefault}">\n${inside}\n</graph></graphml>`;

const KEYS = `
<key id="d0" for="node" attr.name="colour" attr.type="string"><default>yellow</default></key>
<key id="d1" for="edge" attr.name="weight" attr.type="double"/>
<key id="d2" for="all" attr.name="since" attr.type="string"/>
<key id="d3" for="node" attr.name="big" attr.type="long"/>
<key id="d4" for="node" attr.name="isOld" attr.type="boolean"/>
<key id="d5" for="all" attr.name="kind" attr.type="string"/>
`;

describe("GraphML", () => {
  it("keeps types, defaults, times, labels, parallel edges, loops and letters as they are", async () => {
    const { store, exitCode } = await loadText(
      graph(
        `<node id="a"><data key="d0">gr&amp;n ✓</data><data key="d3">9007199254740993</data><data key="d4"> true </data><data key="d5">:P:Q</data></node>
         <edge source="a" target="b" id="e1"><data key="d1">1</data><data key="d2">2020-01-02</data></edge>
         <edge source="a" target="b"><data key="d1">.5</data></edge>
         <edge source="b" target="b" label="LOOP"><data key="d5">SELF</data></edge>
         <node id="b"><data key="d2">2020-01-01</data></node>`,
        KEYS,
      ),
      ...["--time", "since", "--label-column", "kind", "--type-column", "kind", "--type", "LINK"],
    );
    expect(exitCode).toBe(0);
    expect(await rowsOf(store, "node")).toMatchObject([
      {
        uid: "a",
        labels: ["P", "Q"],
        props: { colour: "gr&n ✓", isOld: true },
        valid_from: "-9999-01-01T00:00:00Z",
        tx: 1,
      },
      { uid: "b", labels: [], props: { colour: "yellow" }, valid_from: "2020-01-01T00:00:00Z", valid_to: null, tx: 1 },
    ]);
    const big = await cli.run("call", store, "entity_history", '{"uid": "a"}');
    expect(big.out).toContain('"big":9007199254740993');
    const edges = await rowsOf(store, "edge");
    expect(edges.map(({ src, type, dst, key, props }) => [src, type, dst, key, props])).toEqual([
      ["a", "LINK", "b", "#2", { weight: 0.5 }],
      ["a", "LINK", "b", "e1", { weight: 1 }],
      ["b", "SELF", "b", "#3", {}],
    ]);
    expect(edges.map(({ valid_from }) => valid_from)).toContain("2020-01-02T00:00:00Z");
  });

  it("refuses edges without direction, or keeps them once or twice", async () => {
    const text = graph(
      '<node id="a"/><node id="b"/><edge source="a" target="b"/><edge source="a" target="a" directed="true"/>',
      "",
      "undirected",
    );
    expect((await loadText(text)).err).toMatch(/^E_INVALID_ARG: .* line 4: the edge has no direction/m);
    const edgesOf = async (how: string) => {
      const { store } = await loadText(text, "--undirected", how);
      return (await rowsOf(store, "edge")).map(({ src, dst }) => `${src}${dst}`).sort();
    };
    expect(await edgesOf("once")).toEqual(["aa", "ab"]);
    expect(await edgesOf("twice")).toEqual(["aa", "ab", "ba"]);
  });

  const node = '<node id="a"/>';
  const cases: [title: string, text: string | Uint8Array, expected: RegExp][] = [
    ["is no XML", "a,b\n1,2\n", /not XML/],
    ["is cut", graph(node).slice(0, -12), /line 5: not XML: unclosed tag/],
    ["is other XML", "<svg/>", /not <graphml>/],
    ["is empty", "", /not XML|no nodes/],
    ["has no nodes", graph(""), /the file has no nodes/],
    ["is not UTF-8", Buffer.concat([Buffer.from(graph(node)).subarray(0, 120), Buffer.of(0xff)]), /not UTF-8/],
    ["says another encoding", graph(node).replace("UTF-8", "ISO-8859-1"), /encoding ISO-8859-1/],
    ["has a node twice", graph(node + node), /line 4: node "a" is there already/],
    ["has an edge to nowhere", graph(`${node}\n<edge source="a" target="z"/>`), /line 5: the edge has an end "z"/],
    [
      "has a number that is none",
      graph('<node id="a">\n<data key="d3">12x</data></node>', KEYS),
      /column "big": "12x" is no long/,
    ],
    [
      "has a long that is too large",
      graph('<node id="a"><data key="d3">9223372036854775808</data></node>', KEYS),
      /out of the range/,
    ],
    [
      "has an infinite weight",
      graph(`${node}<edge source="a" target="a"><data key="d1">INF</data></edge>`, KEYS),
      /no finite double/,
    ],
    ["uses a key that is not there", graph('<node id="a"><data key="zz">1</data></node>'), /there is no key "zz"/],
    [
      "uses a key of edges at a node",
      graph('<node id="a"><data key="d1">1</data></node>', KEYS),
      /is for edge, not for node/,
    ],
    [
      "has a shape inside data",
      graph('<node id="a"><data key="d0"><y:Shape/></data></node>', KEYS),
      /only text can be kept/,
    ],
    ["has a hyperedge", graph(`${node}<hyperedge/>`), /hyperedges/],
    ["has ports", graph(`${node}<edge source="a" target="a" sourceport="p"/>`), /ports/],
    ["has a nested graph", graph('<node id="a"><graph edgedefault="directed"/></node>'), /inside a node/],
    ["has an entity of its own", graph('<node id="&x;"/>'), /not XML/],
    ["has a time that is none", graph('<node id="a"><data key="d2">soon</data></node>', KEYS), /line 11: "soon"/],
  ];
  it.each(cases)("%s: it is refused, and nothing is left", async (_, text, expected) => {
    const { exitCode, err, store } = await loadText(text, "--time", "since");
    expect(err).toMatch(expected);
    expect(err).toMatch(/^E_(INVALID_ARG|SCHEMA): .*graph\d+\.graphml/m);
    expect([exitCode, existsSync(store)]).toEqual([1, false]);
  });

  it("takes no flag that the file makes senseless", async () => {
    expect((await loadText(graph(node), "--src", "x")).err).toMatch(/--src does not go with --format graphml/);
    expect((await loadText(graph(node), "--time", "")).err).toMatch(/--time is empty/);
    const csv = await cli.run(
      "load",
      cli.path("no"),
      cli.file("a.csv", "src,dst,time\na,b,1\n"),
      "--undirected",
      "once",
    );
    expect(csv.err).toMatch(/--undirected is for graphml/);
    expect((await loadText(graph(node), "--on-error", "skip")).err).toMatch(/--on-error skip does not go/);
  });
});

const FOLDER = join(ROOT, "../shared/data/ldbc-snb-sf01-lite");
const isThere = existsSync(FOLDER);
if (!isThere) console.log("skipped: the data set ldbc-snb-sf01-lite is not at ../shared/data");

describe("a folder of LDBC's CSV", () => {
  it.skipIf(!isThere)("is loaded whole by one command, every row once", async () => {
    const lines = (name: string) =>
      readFileSync(join(FOLDER, name), "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split("|"));
    const flags = ["--format", "ldbc", "--time", "creationDate", "--time-format", "%Y%m%d%H%M%S%f", "--json"];
    const loaded = await cli.json("load", cli.path("ldbc"), FOLDER, ...flags);
    const nodes = ["Person", "Forum", "Organisation", "Place"].flatMap((kind) =>
      lines(`${kind}.csv`).map(([id]) => `${kind}:${id}`),
    );
    const posts = new Set(lines("Person_likes_Post.csv").map(([, id]) => id));
    const edgeFiles = [
      "Person_knows_Person",
      "Person_likes_Post",
      "Person_workAt_Organisation",
      "Person_studyAt_Organisation",
      "Person_isLocatedIn_Place",
      "Organisation_isLocatedIn_Place",
      "Place_isPartOf_Place",
      "Forum_hasModerator_Person",
    ];
    const edges = edgeFiles.reduce((sum, file) => sum + lines(`${file}.csv`).length, 0);
    expect(loaded).toMatchObject({
      nodes: nodes.length + posts.size,
      edges,
      tx_from: 1,
      tx_to: 1,
      rows: nodes.length + posts.size + edges,
    });
    const db = await open(cli.path("ldbc"), { readOnly: true });
    const { rows: persons } = await db.call("version_history", { ref: { uid: "Person:933" } });
    expect(persons).toMatchObject([
      {
        labels: ["Person"],
        valid_from: "2010-02-14T15:32:10.447000Z",
        props: { id: 933, firstName: "Mahinda", birthday: 19_891_203, browserUsed: "Firefox" },
      },
    ]);
    const { rows: works } = await db.call("version_history", {
      ref: { src: "Person:933", type: "workAt", dst: "Organisation:1226", key: await keyOf(db) },
    });
    expect(works).toMatchObject([{ props: { workFrom: 2013 }, valid_from: "-9999-01-01T00:00:00Z" }]);
    const { rows: kam } = await db.call("version_history", { ref: { uid: "Organisation:0" } });
    expect(kam).toMatchObject([{ labels: ["Company", "Organisation"], props: { name: "Kam_Air" } }]);
    await db.close();
  });

  it("reads the generator's own headers, lists, labels and types, and ends that no file has", async () => {
    const folder = cli.path("small");
    mkdirSync(folder);
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    write("person_0_0.csv", "id|name|age\n1|Ann|30\n2|Bob|\n");
    write("person_knows_person_0_0.csv", "Person.id|Person.id|since\n1|2|2020-01-02\n2|3|2019-01-01\n");
    write("Tag.csv", "x:ID(Tag)|names:STRING[]|score:DOUBLE|:LABEL\n7|a;b|0.5|Hot;New\n");
    write("rel.csv", ":START_ID(Person)|:END_ID(Tag)|:TYPE\n1|7|LIKES\n");
    const { exitCode, err } = await cli.run(
      "load",
      cli.path("small.store"),
      folder,
      "--format",
      "ldbc",
      "--time",
      "since",
    );
    expect([exitCode, err.includes("E_")]).toEqual([0, false]);
    const nodes = await rowsOf(cli.path("small.store"), "node");
    expect(nodes.map(({ uid, labels, props, valid_from }) => [uid, labels, props, valid_from])).toEqual([
      ["Person:1", ["Person"], { name: "Ann", age: 30 }, "-9999-01-01T00:00:00Z"],
      ["Person:2", ["Person"], { name: "Bob" }, "-9999-01-01T00:00:00Z"],
      ["Person:3", ["Person"], {}, "2019-01-01T00:00:00Z"],
      ["Tag:7", ["Hot", "New", "Tag"], { x: 7, names: ["a", "b"], score: 0.5 }, "-9999-01-01T00:00:00Z"],
    ]);
    const edges = await rowsOf(cli.path("small.store"), "edge");
    expect(edges.map(({ src, type, dst }) => [src, type, dst])).toEqual([
      ["Person:1", "LIKES", "Tag:7"],
      ["Person:1", "knows", "Person:2"],
      ["Person:2", "knows", "Person:3"],
    ]);
  });

  const header = "id:ID(P)|n:INT\n";
  it.each([
    ["a number that is none", { "P.csv": `${header}1|2\n2|x\n` }, /P\.csv line 3, column "n": "x" is no INT/],
    ["an id twice", { "P.csv": `${header}1|2\n1|3\n` }, /P\.csv line 3: node "P:1" is there already, in line 2/],
    ["an empty id", { "P.csv": `${header}|2\n` }, /P\.csv line 2: an id is empty/],
    ["a header of neither nodes nor edges", { "P.csv": "a|b\n1|2\n" }, /P\.csv line 1: the header names neither/],
    ["a column too many", { "P.csv": `${header}1|2|3\n` }, /P\.csv line 2: the record has 3 columns/],
    ["no file", { README: "none" }, /no file of CSV/],
  ])("is refused for %s, and nothing is left", async (title, files, expected) => {
    const folder = cli.path(`bad ${title}`);
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const store = `${folder}.store`;
    const { exitCode, err } = await cli.run("load", store, folder, "--format", "ldbc");
    expect(err).toMatch(expected);
    expect([exitCode, existsSync(store)]).toEqual([1, false]);
  });
});

async function keyOf(db: Awaited<ReturnType<typeof open>>): Promise<string> {
  const where = { types: ["workAt"], src: { uids: ["Person:933"] }, dst: { uids: ["Organisation:1226"] } };
  const { rows } = await db.call("version_history", { kind: "edge", where });
  return (rows as unknown as { key: string }[])[0]!.key;
}
