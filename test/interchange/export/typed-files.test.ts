// Parquet and Arrow files of a store: read by DuckDB and by the Arrow library, and loaded back to the same store.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";
import { afterAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../../src/index.js";
import { SEEDS } from "../../support/case-count.js";
import { lawBatches } from "../../support/law-store.js";
import { Random } from "../../support/random.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-typed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const FORMATS = ["parquet", "arrow"] as const;

async function randomStore(seed: number): Promise<Database> {
  const db = await open(":memory:");
  for (const { ops, txTime } of lawBatches(new Random(seed))) {
    await db.write(ops as never, { txTime }).catch((error: { code: string }) => expect(error.code).toBe("E_NOT_FOUND"));
  }
  return db;
}

describe.each(FORMATS)("an export to %s", (format) => {
  it.each(SEEDS.slice(0, 8))("comes back as the same store, and goes out as the same bytes (seed %i)", async (seed) => {
    const db = await randomStore(seed);
    const first = join(folder, `${format}-${seed}-a`);
    const { nodes, edges, files } = await db.export(first, { format, history: true });
    expect(files.map((file) => file.slice(first.length + 1))).toEqual([`nodes.${format}`, `edges.${format}`]);
    expect(readdirSync(first).sort()).toEqual([`edges.${format}`, `nodes.${format}`]);
    const back = await open(":memory:");
    expect((await back.import(first)).versions).toBe(nodes! + edges!);
    const second = join(folder, `${format}-${seed}-b`);
    await back.export(second, { format, history: true });
    expect(await back.digest()).toBe(await db.digest());
    for (const name of readdirSync(first)) {
      expect(readFileSync(join(second, name)).equals(readFileSync(join(first, name))), name).toBe(true);
    }
    await back.close();
    await db.close();
  });
});

describe("typed files", () => {
  it("say what DuckDB and Arrow need to know", async () => {
    const db = await open(":memory:");
    const values = [
      { n: 1, d: 0.5, s: "ü", j: [1], m: 1 },
      { n: 2n ** 60n, d: 2, m: "1" },
    ];
    await db.write([
      { op: "assert_node", uid: "a", labels: ["P", "Q"], props: {}, valid_from: "2020-01-01" },
      ...values.map((props, i) => ({
        op: "assert_edge",
        src: "a",
        type: "T",
        dst: "b",
        key: `${i}`,
        props,
        valid_from: { us: BigInt(i) },
        valid_to: i === 0 ? { us: 9n } : null,
      })),
    ] as never);
    const out = join(folder, "it's a 'quoted' folder");
    await db.export(out, { format: "parquet" });
    await db.export(out, { format: "arrow" });
    const instance = await DuckDBInstance.create(":memory:");
    const duck = await instance.connect();
    const file = join(out, "edges.parquet").replaceAll("'", "''");
    const { rows } = {
      rows: await (
        await duck.run(
          `SELECT "key", "props.n", "props.d", "props.s", "props.j"::VARCHAR, "props.m"::VARCHAR, epoch_us(valid_from), epoch_us(valid_to), tx_to FROM '${file}' ORDER BY "key"`,
        )
      ).getRowsJson(),
    };
    expect(rows).toEqual([
      ["0", "1", 0.5, "ü", "[1]", "1", "0", "9", null],
      ["1", "1152921504606846976", 2, null, null, '"1"', "1", null, null],
    ]);
    duck.closeSync();
    instance.closeSync();
    const arrow = tableFromIPC(readFileSync(join(out, "nodes.arrow")));
    expect([...arrow.getChild("labels")!.get(0)]).toEqual(["P", "Q"]);
    expect(arrow.schema.fields.map(({ name, metadata }) => [name, metadata.get("palimpsest:type")])).toEqual([
      ["uid", "string"],
      ["labels", "list(string)"],
      ["valid_from", "instant"],
      ["valid_to", "instant_open"],
      ["tx_from", "instant"],
      ["tx_to", "instant_open"],
    ]);
    await db.close();
  });

  it("leave nothing where they fail, and are refused with gzip", async () => {
    const db = await randomStore(1);
    for (const format of FORMATS) {
      const out = join(folder, `cancelled-${format}`);
      const stop = new AbortController();
      const onRows = () => stop.abort();
      await expect(db.export(out, { format, signal: stop.signal, onRows })).rejects.toMatchObject({
        code: "E_CANCELLED",
      });
      expect(existsSync(out)).toBe(false);
      await expect(db.export(out, { format, gzip: true })).rejects.toMatchObject({ code: "E_INVALID_ARG" });
    }
    await db.close();
    const empty = await open(":memory:");
    const out = join(folder, "empty");
    for (const format of FORMATS) expect(await empty.export(out, { format })).toMatchObject({ nodes: 0, edges: 0 });
    expect(readdirSync(out).length).toBe(4);
    await empty.close();
  });
});
