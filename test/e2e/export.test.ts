// Export and what load makes of it again: equal files, equal digests, and files that say themselves what they hold.
// Stores are written by hand or at random; digests come from the store, their lines are hashed here.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, type OperationInput, open, PalimpsestError } from "../../src/index.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "palimpsest-export-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function place(): string {
  count += 1;
  return join(folder, `place-${count}`);
}
const day = (number: number): string => new Date(Date.UTC(2024, 0, 1) + number * 86_400_000).toISOString().slice(0, 10);
const TX = (number: number): string => `2024-06-${String(number).padStart(2, "0")}T12:00:00Z`;

/** What a CSV or a line of JSON could get wrong. */
const AWKWARD = [
  "",
  " ",
  '"',
  "a,b\tc;d",
  "line\nend\r\n",
  "NULL",
  "true",
  "007",
  "é 𝄞 e\u0301",
  "#comment",
  "\u2028",
  "=1+1",
  "\ufeff",
];

async function awkwardStore(): Promise<Database> {
  const db = await open(":memory:");
  const nodes: OperationInput[] = AWKWARD.map((text, i) => ({
    op: "assert_node",
    uid: text === "" ? "empty" : text,
    labels: i % 3 === 0 ? [] : i % 3 === 1 ? ["A;B", "[C"] : ["Person", "Boss"],
    props: { text, n: i, [`p ${text}`]: i % 2 === 0 },
    valid_from: day(i),
    source: i % 4 === 0 ? "" : null,
  }));
  const edges: OperationInput[] = AWKWARD.map((text, i) => ({
    op: "assert_edge",
    src: text === "" ? "empty" : text,
    dst: "sink",
    type: "T:x",
    key: text,
    props: {
      big: 9_007_199_254_740_993n + BigInt(i),
      half: i + 0.5,
      mixed: i % 2 === 0 ? i : text,
      list: [text, { deep: null }],
      ...(i % 5 === 0 ? { huge: 1e300, wide: 2 ** 60 } : {}),
    },
    valid_from: day(i),
    valid_to: i % 2 === 0 ? null : day(i + 1),
    reason: i % 3 === 0 ? text : null,
  }));
  await db.write(nodes, { txTime: TX(1) });
  await db.write(edges, { txTime: TX(2) });
  return db;
}

async function filesOf(db: Database, options: Parameters<Database["export"]>[1] = {}) {
  const dest = place();
  const result = await db.export(dest, options);
  return {
    dest,
    result,
    texts: readdirSync(dest)
      .sort()
      .map((name) => readFileSync(join(dest, name))),
  };
}

async function imported(path: string): Promise<Database> {
  const db = await open(":memory:");
  await db.import(path);
  return db;
}

const sha256 = (...parts: Uint8Array[]): string => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

describe("export", () => {
  it("writes lines of JSON that are those of the store digest", async () => {
    const db = await awkwardStore();
    const { texts } = await filesOf(db, { format: "jsonl", history: true });
    const [edges, nodes] = texts as [Buffer, Buffer];
    expect(sha256(nodes, edges)).toBe(await db.digest());
    await db.close();
  });

  it("writes types into the header of CSV, and tells no value from the empty text", async () => {
    const db = await open(":memory:");
    await db.write(
      [
        { op: "assert_edge", src: "a", dst: "b", type: "T", props: { n: 1, s: "" }, valid_from: "2024-01-01" },
        {
          op: "assert_edge",
          src: "a",
          dst: "c",
          type: "T",
          key: "k",
          props: { d: 1.5, s: "x,y", j: [1] },
          valid_from: "2024-01-02",
          valid_to: "2024-01-03",
        },
      ],
      { txTime: TX(1) },
    );
    const { dest, result } = await filesOf(db);
    expect(result).toMatchObject({ tx: 1, txTime: TX(1), nodes: 0, edges: 2 });
    expect(readFileSync(join(dest, "edges.csv"), "utf8")).toBe(
      [
        "src,dst,type,key,valid_from,valid_to,tx_from,tx_to,props.d:double,props.j:json,props.n:int,props.s:string",
        'a,b,T,"",2024-01-01T00:00:00Z,,2024-06-01T12:00:00Z,,,,1,""',
        'a,c,T,k,2024-01-02T00:00:00Z,2024-01-03T00:00:00Z,2024-06-01T12:00:00Z,,1.5,[1],,"x,y"',
        "",
      ].join("\n"),
    );
    expect(readFileSync(join(dest, "nodes.csv"), "utf8")).toBe("uid,labels,valid_from,valid_to,tx_from,tx_to\n");
    await db.close();
  });

  for (const format of ["csv", "tsv", "jsonl"] as const) {
    it(`${format}: export, import, export gives equal bytes and an equal digest`, async () => {
      const db = await awkwardStore();
      const first = await filesOf(db, { format });
      const again = await imported(first.dest);
      expect(await again.digest()).toBe(await db.digest());
      expect((await filesOf(again, { format })).texts).toEqual(first.texts);
      await Promise.all([db.close(), again.close()]);
    });
  }

  it("packs by option and by name, with equal bytes each time", async () => {
    const db = await awkwardStore();
    const plain = await filesOf(db, { format: "jsonl" });
    const packed = await filesOf(db, { format: "jsonl", gzip: true });
    expect(readdirSync(packed.dest).sort()).toEqual(["edges.jsonl.gz", "nodes.jsonl.gz"]);
    expect(packed.texts.map((text) => gunzipSync(text))).toEqual(plain.texts);
    expect((await filesOf(db, { format: "jsonl", gzip: true })).texts).toEqual(packed.texts);
    const one = `${place()}.tsv.gz`;
    expect(await db.export(one, { only: "edges" })).toMatchObject({ nodes: null, edges: AWKWARD.length, files: [one] });
    expect(gunzipSync(readFileSync(one)).toString().startsWith("src\tdst\ttype\tkey\t")).toBe(true);
    const again = await imported(packed.dest);
    expect(await again.digest()).toBe(await db.digest());
    await Promise.all([db.close(), again.close()]);
  });

  it("shows what was believed at a pin", async () => {
    const db = await open(":memory:");
    const node = (name: string): OperationInput => ({
      op: "assert_node",
      uid: "a",
      props: { name },
      valid_from: day(0),
    });
    await db.write([node("old")], { txTime: TX(1) });
    await db.write([node("new")], { txTime: TX(2) });
    const at = async (pin: string, history = false) => {
      const { dest } = await filesOf(db, { format: "jsonl", only: "nodes", pin, history });
      const lines = readFileSync(join(dest, "nodes.jsonl"), "utf8").trimEnd().split("\n");
      return lines.map((line) => JSON.parse(line) as { props: object; tx_to: unknown; ended_by: unknown });
    };
    expect(await at("tx:1")).toMatchObject([{ props: { name: "old" }, tx_to: null, ended_by: null }]);
    expect(await at(TX(2))).toMatchObject([{ props: { name: "new" }, tx_to: null }]);
    expect(await at("tx:2", true)).toMatchObject([
      { props: { name: "old" }, tx_to: TX(2), ended_by: "overwritten" },
      { props: { name: "new" }, tx_to: null },
    ]);
    await expect(db.export(place(), { pin: "tx:3" })).rejects.toMatchObject({ code: "E_TX_UNKNOWN" });
    await db.close();
  });

  it("overwrites nothing, leaves nothing when it fails, and no trace of a cancelled one", async () => {
    const db = await awkwardStore();
    const { dest, texts } = await filesOf(db);
    await expect(db.export(dest)).rejects.toMatchObject({ code: "E_STATE" });
    await db.export(dest, { overwrite: true });
    expect(
      readdirSync(dest)
        .sort()
        .map((name) => readFileSync(join(dest, name))),
    ).toEqual(texts);
    const stopped = place();
    await expect(db.export(stopped, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "E_CANCELLED" });
    expect(existsSync(stopped)).toBe(false);
    const late = place();
    const controller = new AbortController();
    const onRows = () => controller.abort();
    await expect(db.export(late, { signal: controller.signal, onRows })).rejects.toMatchObject({ code: "E_CANCELLED" });
    expect(existsSync(late)).toBe(false);
    await expect(db.export(join(folder, "absent/edges.csv"), { only: "edges" })).rejects.toMatchObject({
      code: "E_IO",
    });
    await expect(db.export(join(dest, "edges.csv", "below"))).rejects.toMatchObject({ code: "E_IO" });
    await db.close();
  });

  it.each([
    [{ format: "xml" }, "is no format"],
    [{ only: "both" }, "only is"],
    [{ histroy: true }, "histroy"],
    [{ gzip: "yes" }, "gzip is true or false"],
  ])("refuses the options %j", async (options, message) => {
    const db = await open(":memory:");
    await expect(db.export(place(), options as never)).rejects.toThrow(message);
    await expect(db.export("edges.csv")).rejects.toThrow("is one file, and nodes and edges are two");
    await expect(db.export("edges.csv", { only: "edges", format: "tsv" })).rejects.toThrow("does not end in .tsv");
    await db.close();
  });

  it("refuses a NUL in CSV by name, and writes it as JSON", async () => {
    const db = await open(":memory:");
    await db.write([{ op: "assert_node", uid: "a", props: { p: "x\0y" }, valid_from: day(0) }], { txTime: TX(1) });
    await expect(db.export(place())).rejects.toThrow('column props.p: "x\\u0000y" has a NUL');
    const { dest } = await filesOf(db, { format: "jsonl" });
    const again = await imported(dest);
    expect(await again.digest()).toBe(await db.digest());
    await Promise.all([db.close(), again.close()]);
  });
});

describe("histories", () => {
  /** Random writes over few identities, so that beliefs end in every manner, several in one commit too. */
  async function written(seed: number): Promise<Database> {
    let state = seed * 2_654_435_761;
    const below = (most: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * most);
    };
    const db = await open(":memory:");
    await db.write([{ op: "assert_node", uid: "n0", valid_from: day(0) }], { txTime: TX(1) });
    for (let tx = 2; tx <= 28; tx += 1) {
      const operations: OperationInput[] = [];
      for (let i = below(4); i >= 0; i -= 1) {
        const from = below(20);
        const period = { valid_from: day(from), valid_to: below(3) === 0 ? null : day(from + 1 + below(10)) };
        const reason = below(2) === 0 ? null : `because ${below(3)}`;
        const props = { p: below(3), ...(below(2) === 0 ? { q: "x" } : {}) };
        const uid = `n${below(3)}`;
        const edge = { src: uid, type: "T", dst: `n${below(3)}`, key: below(2) === 0 ? "" : "k" };
        const isNode = below(2) === 0;
        const ref = isNode ? { uid } : edge;
        const labels = isNode ? { labels: below(2) === 0 ? [] : ["L"] } : {};
        switch (below(4)) {
          case 0:
            operations.push({ op: "retract", ref, ...period, reason });
            break;
          case 1:
            operations.push({ op: "correct", ref, ...labels, props, ...period, reason, source: "s" } as OperationInput);
            break;
          case 2:
            operations.push({
              op: "correct",
              mode: "patch",
              ref,
              props: { p: null, r: tx },
              ...period,
            } as OperationInput);
            break;
          default:
            operations.push({
              op: isNode ? "assert_node" : "assert_edge",
              ...ref,
              ...labels,
              props,
              ...period,
              reason,
              provenance_ref: "r",
            } as OperationInput);
        }
      }
      // A batch that corrects what is not there is rejected as a whole, and is no part of a history.
      await db.write(operations, { txTime: TX(tx) }).catch((error: unknown) => {
        if (!(error instanceof PalimpsestError) || error.code !== "E_NOT_FOUND") throw error;
      });
    }
    return db;
  }

  for (const format of ["csv", "jsonl"] as const) {
    it(`${format}: come back with an equal digest, however beliefs ended`, async () => {
      const manners = new Set<unknown>();
      for (let seed = 1; seed <= 25; seed += 1) {
        const db = await written(seed);
        const { dest, texts } = await filesOf(db, { format, history: true });
        for (const manner of ["overwritten", "retracted", "corrected"]) {
          if (texts.some((text) => text.includes(manner))) manners.add(manner);
        }
        const again = await imported(dest);
        expect([seed, await again.digest()]).toEqual([seed, await db.digest()]);
        expect((await filesOf(again, { format, history: true })).texts).toEqual(texts);
        await Promise.all([db.close(), again.close()]);
      }
      expect(manners.size).toBe(3);
    });
  }

  it("without the history come back as what was believed last, with equal files", async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const db = await written(seed);
      const { dest, texts } = await filesOf(db, { format: "csv" });
      const again = await imported(dest);
      expect((await filesOf(again, { format: "csv" })).texts).toEqual(texts);
      await Promise.all([db.close(), again.close()]);
    }
  });

  it("of more operations than a JSON batch holds come back in one commit", async () => {
    const db = await open(":memory:");
    const rows = 100_001;
    const names = Array.from({ length: rows }, (_, i) => `n${i % 100}`);
    const time = BigInt64Array.from({ length: rows }, (_, i) => BigInt(i));
    await db.ingest({ src: names, dst: [...names].reverse(), time }, { type: "T", txTime: TX(1) });
    const { dest } = await filesOf(db, { format: "csv", gzip: true });
    const again = await imported(dest);
    expect(await again.digest()).toBe(await db.digest());
    expect((await again.info()).tx).toBe(1);
    await Promise.all([db.close(), again.close()]);
  });
});
