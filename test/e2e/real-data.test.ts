// Real data sets through the command line, with counts and answers from brute force.
// They lie beside the repository; where they are absent the tests skip with a printed line.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { parseInstant } from "../../src/contract/parse-instant.js";
import { type Database, open } from "../../src/index.js";
import { arrivals, nodesOf, type PlainEvent, plainEvents } from "./brute-force.js";
import { commandLine, ROOT } from "./command-line.js";

const DATA = join(ROOT, "../shared/data");
const cli = commandLine();

function describeData(name: string, tests: () => void): void {
  const isThere = existsSync(join(DATA, name));
  if (!isThere) console.log(`skipped: the data set ${name} is not at ../shared/data`);
  describe.skipIf(!isThere)(name, tests);
}

async function loaded<T>(name: string, args: string[], ask: (db: Database) => Promise<T>): Promise<T> {
  const store = cli.path(name);
  if (!existsSync(store)) await cli.json("load", store, join(DATA, name, args[0]!), ...args.slice(1), "--json");
  const db = await open(store, { readOnly: true });
  try {
    return await ask(db);
  } finally {
    await db.close();
  }
}

type Row = Record<string, unknown>;

async function allRows(db: Database, op: string, args: Row): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Row = await db.call(op, { ...args, limit: 10_000, cursor });
    rows.push(...(page.rows as Row[]));
    cursor = page.cursor as string | null;
    if (cursor === null) return rows;
  }
}

/** Reachability of the product as uid → arrival. */
async function reached(db: Database, args: Row): Promise<Map<string, bigint>> {
  const rows = await allRows(db, "temporal_reachability", args);
  return new Map(rows.map((row) => [row.uid as string, parseInstant(row.arrival, "arrival")]));
}

const windowOf = (events: readonly PlainEvent[], fromShare: number, toShare: number) => {
  const times = events.map((event) => event.us).sort((a, b) => (a < b ? -1 : 1));
  return { from: times[Math.floor(times.length * fromShare)]!, to: times[Math.floor(times.length * toShare)]! };
};
const asked = (window: { from: bigint; to: bigint }) => ({ from: { us: window.from }, to: { us: window.to } });

describeData("collegemsg", () => {
  const args = ["CollegeMsg.txt"];
  const events = () => plainEvents(readFileSync(join(DATA, "collegemsg/CollegeMsg.txt"), "utf8"), " ", [0, 1, 2]);

  it("has 1,899 nodes and 59,835 edges, exact duplicates included", async () => {
    const store = cli.path("college-counts");
    const said = await cli.json("load", store, join(DATA, "collegemsg/CollegeMsg.txt"), "--json");
    expect(said).toMatchObject({ rows: 59_835, refused: 0, tx_to: 1, nodes: 1_899, edges: 59_835 });
    expect(await cli.json("info", store)).toMatchObject({
      nodes: 1_899,
      edges: 59_835,
      valid_extent: { from: "2004-04-15T14:56:01Z" },
    });
    const plain = events();
    const distinct = new Set(plain.map((event) => `${event.src} ${event.dst} ${event.us}`));
    expect([plain.length, plain.length - distinct.size]).toEqual([59_835, 37]);
  });

  it("reaches whom brute force reaches, when it does", async () => {
    const plain = events();
    const window = windowOf(plain, 0.1, 0.3);
    await loaded("collegemsg", args, async (db) => {
      for (const uid of ["9", "103", "400"]) {
        const expected = arrivals(plain, uid, window);
        expect(expected.size).toBeGreaterThan(20);
        expect(await reached(db, { uid, window: asked(window) })).toEqual(expected);
      }
    });
  });

  it("shows a node's messages as brute force finds them", async () => {
    const plain = events();
    await loaded("collegemsg", args, async (db) => {
      const answer = await db.call("entity_history", { uid: "9", include_edges: true, limit: 1 });
      const expected = plain.filter((event) => event.src === "9" || event.dst === "9").length;
      expect((answer.edges as { rows_total: number }).rows_total).toBe(expected);
      const first = plain.filter((event) => event.src === "9" || event.dst === "9").map((event) => event.us);
      const begins = parseInstant((answer.rows as unknown as Row[])[0]!.valid_from, "valid_from");
      expect(begins).toBe(first.sort((a, b) => (a < b ? -1 : 1))[0]);
    });
  });

  const hour = { motif: "all", delta: "PT1H" };
  const ask = <T>(test: (db: Database) => Promise<T>): Promise<T> => loaded("collegemsg", args, test);

  it("has as many motifs of three edges as independent programs count", async () => {
    await ask(async (db) => {
      const bySeq = await db.call("count_temporal_motifs", hour);
      const strict = await db.call("count_temporal_motifs", { ...hour, ties: "strict" });
      expect([bySeq.count, strict.count, bySeq.events]).toEqual([3_979_317, 3_976_383, 59_835]);
    });
  });

  it("has as many of each motif as are met one by one", async () => {
    await ask(async (db) => {
      const counts = (await db.call("count_temporal_motifs", hour)).rows as unknown as Row[];
      for (const { motif, count } of counts) {
        // A filter that lets every message pass makes each instance be met.
        const edges = (motif as string).split(",").map((edge) => ({ src: edge[0]!, dst: edge[2]!, types: ["EVENT"] }));
        const found = await db.call("find_temporal_motifs", { motif: { edges }, delta: "PT1H", limit: 1 });
        expect([motif, found.rows_total]).toEqual([motif, count]);
      }
    });
  });
});

describeData("mathoverflow", () => {
  const file = join(DATA, "mathoverflow/sx-mathoverflow.txt.gz");

  it("loads 506,550 unsorted rows with their self-loops, and answers", async () => {
    const plain = plainEvents(gunzipSync(readFileSync(file)).toString("utf8"), " ", [0, 1, 2]);
    expect(plain.length).toBe(506_550);
    const loops = plain.filter((event) => event.src === event.dst);
    expect(loops.length).toBe(116_109);
    await loaded("mathoverflow", ["sx-mathoverflow.txt.gz"], async (db) => {
      expect(await db.info()).toMatchObject({ nodes: nodesOf(plain).size, edges: 506_550, node_versions: 24_818 });

      const window = windowOf(plain, 0.02, 0.04);
      const uid = plain.find((event) => event.us >= window.from && event.src !== event.dst)!.src;
      expect(await reached(db, { uid, window: asked(window) })).toEqual(arrivals(plain, uid, window));

      const day = windowOf(plain, 0.5, 0.502);
      const inDay = plain.filter((event) => event.us >= day.from && event.us < day.to);
      const scanned = await allRows(db, "scan", {
        of: "events",
        valid: { window: asked(day) },
        columns: ["src", "dst", "at"],
      });
      const shown = scanned.map((row) => `${row.src} ${row.dst} ${parseInstant(row.at, "at")}`);
      expect(shown.sort()).toEqual(inDay.map((event) => `${event.src} ${event.dst} ${event.us}`).sort());
      const times = scanned.map((row) => parseInstant(row.at, "at"));
      expect(times.every((us, i) => i === 0 || times[i - 1]! <= us)).toBe(true);
    });
  });
});

describeData("bitcoin-otc", () => {
  const args = ["soc-sign-bitcoinotc.csv"].concat(
    ...["--no-header", "--time", "4", "--unit", "s", "--type", "RATED", "--props", "rating=3"],
  );

  it("keeps fractions to the microsecond and ratings as integers, negative ones too", async () => {
    const text = readFileSync(join(DATA, "bitcoin-otc/soc-sign-bitcoinotc.csv"), "utf8");
    const plain = plainEvents(text, ",", [0, 1, 3]);
    const ratings = text.split(/\r?\n/).flatMap((line) => (line === "" ? [] : [Number(line.split(",")[2])]));
    expect(plain.length).toBe(35_592);
    await loaded("bitcoin-otc", args, async (db) => {
      expect(await db.info()).toMatchObject({ nodes: 5_881, edges: 35_592 });
      const rows = await allRows(db, "scan", { of: "events", columns: ["src", "dst", "at", "props.rating"] });
      const shown = rows.map((row) => [row.src, row.dst, parseInstant(row.at, "at"), row["props.rating"]].join(" "));
      expect(shown.sort()).toEqual(plain.map((e, i) => [e.src, e.dst, e.us, ratings[i]].join(" ")).sort());
      const types = (await db.call("scan", { of: "events", columns: ["props.rating"], limit: 1 })).columns;
      expect(types).toEqual([{ name: "props.rating", type: "int" }]);
      const negative = await db.call("scan", {
        of: "events",
        where: { edge: [{ prop: "rating", op: "lt", value: 0 }] },
        limit: 1,
      });
      expect(negative.rows_total).toBe(3_563);
    });
  });
});

describeData("contacts-primaryschool", () => {
  const args = ["primaryschool.csv", "--format", "tsv"].concat(
    ...["--src", "id1", "--dst", "id2", "--time", "Time", "--unit", "s", "--type", "MET", "--props", "c1,c2"],
  );

  it("holds heavy ties: what happens within one instant chains, in both directions", async () => {
    const text = readFileSync(join(DATA, "contacts-primaryschool/primaryschool.csv"), "utf8");
    const plain = plainEvents(text.slice(text.indexOf("\n") + 1), "\t", [1, 2, 0]);
    expect(plain.length).toBe(125_773);
    await loaded("contacts-primaryschool", args, async (db) => {
      expect(await db.info()).toMatchObject({ nodes: 242, edges: 125_773 });
      const window = windowOf(plain, 0.1, 0.15);
      for (const uid of [...nodesOf(plain)].slice(0, 5)) {
        const expected = arrivals(plain, uid, window, { both: true });
        expect(await reached(db, { uid, window: asked(window), orientation: "both" })).toEqual(expected);
      }
      const at = plain[60_000]!.us;
      const now = plain.filter((event) => event.us === at);
      expect(now.length).toBeGreaterThan(10);
      const seed = now[0]!.src;
      const snapshot = await db.call("snapshot_subgraph", { seeds: [seed], at: { us: at }, hops: 1 });
      const neighbours = new Set(now.flatMap((e) => (e.src === seed ? [e.dst] : e.dst === seed ? [e.src] : [])));
      expect((snapshot.nodes as { rows_total: number }).rows_total).toBe(1 + neighbours.size);
    });
  });
});
