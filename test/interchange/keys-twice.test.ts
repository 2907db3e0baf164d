// Objects of JSON that have a key twice: refused with file, line and key, wherever the object stands in a line.
// What is to be refused is known from how the text was made.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { Field, RecordBatch, Schema, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseUnambiguous } from "../../src/contract/exact-json.js";
import { open } from "../../src/index.js";
import { JsonLinesTokenizer } from "../../src/interchange/json-lines.js";
import { readText, refusalOf } from "./reading.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-keys-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const jsonl = { format: "jsonl" } as const;
const allProps = { ...jsonl, columns: { allProps: true } } as const;
const EVENT = '"src":"a","dst":"b","time":1';
const MANY = Array.from({ length: 40 }, (_, i) => `"k${i}":${i}`).join(",");

describe("a key that stands twice", () => {
  it.each([
    ["a column", `{${EVENT},"src":"c"}`, "src", 31],
    ["a column, written otherwise", `{${EVENT},"sr\\u0063":"c"}`, "src", 31],
    ["a column written with an escape first", `{"\\u0073rc":"a","dst":"b","time":1,"src":"a"}`, "src", 36],
    ["a column that nobody asked for", `{${EVENT},"n":1,"n":1}`, "n", 37],
    ["the empty key", `{${EVENT},"":1,"":1}`, "", 36],
    ["a key of a property", `{${EVENT},"p":{"x":1,"x":2}}`, "x", 42],
    ["a key deep in a property", `{${EVENT},"p":[0,{"y":{"ü":1,"z":{},"ü":2}}]}`, "ü", 58],
    ["a key among many", `{${EVENT},${MANY},"k7":0}`, "k7", 31 + MANY.length + 1],
    ["a key behind many", `{${EVENT},${MANY},"k39":0}`, "k39", 31 + MANY.length + 1],
  ])("is refused: %s", async (_, line, key, byte) => {
    const text = `{${EVENT}}\n${line}\n`;
    for (const options of [jsonl, allProps]) {
      const error = await refusalOf(text, options, "events.jsonl");
      expect(error).toMatchObject({
        code: "E_INVALID_ARG",
        message: `events.jsonl line 2: not JSON: a second key ${JSON.stringify(key)} at byte ${byte} of the line`,
        hint: "readers differ in which counts: keep one",
        details: { file: expect.stringContaining("events.jsonl"), line: 2 },
      });
    }
  });

  it("may stand in objects that are others", async () => {
    const line = `{${EVENT},"p":{"src":1,"p":{"p":[{"p":1},{"p":1}]}},"q":{"src":1},"sr":1,"srcs":1}`;
    const { rows } = await readText(`${line}\n${line}\n`, allProps, "events.jsonl");
    expect(rows.map(({ src }) => src)).toEqual(["a", "a"]);
  });

  const key = fc.constantFrom('"a"', '"b"', '"ab"', '""', '"\\u0061"', '"\\u0062"', '"ü"', '"\\u00fc"', '"__proto__"');
  type Made = { text: string; isTwice: boolean };
  const made = fc.letrec<{ value: Made }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom("1", '"a"', "null", '"\\""').map((text) => ({ text, isTwice: false })),
      fc.array(tie("value"), { maxLength: 3 }).map((members) => ({
        text: `[${members.map(({ text }) => text).join(",")}]`,
        isTwice: members.some(({ isTwice }) => isTwice),
      })),
      fc.array(fc.tuple(key, tie("value")), { maxLength: 4 }).map((members) => ({
        text: `{${members.map(([name, { text }]) => `${name}:${text}`).join(",")}}`,
        isTwice:
          members.some(([, { isTwice }]) => isTwice) ||
          new Set(members.map(([name]) => JSON.parse(name))).size < members.length,
      })),
    ),
  })).value;

  it("is found in any line, by each of the readers", () => {
    const isRefused = (read: () => unknown): boolean => {
      try {
        read();
        return false;
      } catch (error) {
        expect((error as Error).message).toContain("a second key");
        return true;
      }
    };
    fc.assert(
      fc.property(fc.array(made, { minLength: 1, maxLength: 3 }), (values) => {
        const tokenizer = new JsonLinesTokenizer("memory.jsonl");
        tokenizer.slotOf("v");
        tokenizer.feed(Buffer.from(values.map(({ text }) => `{"v":${text}}\n`).join("")), true);
        for (const { text, isTwice } of values) {
          expect(isRefused(() => tokenizer.next())).toBe(isTwice);
          expect(isRefused(() => expect(parseUnambiguous(text)).toEqual(JSON.parse(text)))).toBe(isTwice);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a version of an export", () => {
  it("is refused when it has a key twice, also in its properties", async () => {
    const db = await open(":memory:");
    await db.write([
      { op: "assert_node", uid: "a", labels: [], props: { n: 1, o: { x: 1 } }, valid_from: "2020-01-01" },
      { op: "assert_node", uid: "b", labels: [], props: { n: 2, o: { x: 2 } }, valid_from: "2020-01-01" },
    ]);
    const out = join(folder, "export");
    await db.export(out, { format: "jsonl", history: true });
    const file = join(out, "nodes.jsonl");
    const whole = readFileSync(file, "utf8");
    for (const [from, to, twice] of [
      ['"uid":"b"', '"uid":"b","uid":"c"', "uid"],
      ['"x":2', '"x":2,"x":3', "x"],
    ] as const) {
      expect(whole).toContain(from);
      writeFileSync(file, whole.replace(from, to));
      const back = await open(":memory:");
      await expect(back.import(file)).rejects.toMatchObject({
        code: "E_INVALID_ARG",
        message: expect.stringMatching(`nodes\\.jsonl line 2: the text is not JSON: a second key "${twice}" at offset`),
        details: { line: 2 },
      });
      expect((await back.head()).tx).toBe(0);
    }
  });
});

describe("JSON text in a column of a table", () => {
  const TEXTS = ['{"x":1}', '[{"ü":1,"y":{"ü":2}},{"ü":1}]', '[0,{"x":1,"y":2,"x":1}]'];
  const refused = {
    code: "E_INVALID_ARG",
    message: expect.stringMatching(/row 3, column "p": .*the text is not JSON: a second key "x" at offset/),
    hint: "readers differ in which counts: keep one",
    details: { line: 3, column: "p" },
  };

  /** Arrow data whose column p its own metadata call JSON. */
  function arrow(texts: readonly string[]): Table {
    const text = (values: readonly string[]) => vectorFromArray([...values], new Utf8());
    const table = new Table({
      src: text(texts.map(() => "a")),
      dst: text(texts.map(() => "b")),
      time: text(texts.map((_, i) => `2020-01-0${i + 1}T00:00:00Z`)),
      p: text(texts),
    });
    const fields = table.schema.fields.map((field) =>
      field.name === "p" ? new Field("p", field.type, true, new Map([["palimpsest:encoding", "json"]])) : field,
    );
    const schema = new Schema(fields);
    return new Table(
      schema,
      table.batches.map(({ data }) => new RecordBatch(schema, data)),
    );
  }

  it("is refused when an object has a key twice: Arrow", async () => {
    const db = await open(":memory:");
    const options = { type: "T", src: "src", dst: "dst", time: "time" } as const;
    await expect(db.ingest(tableToIPC(arrow(TEXTS)), options)).rejects.toMatchObject(refused);
    expect((await db.head()).tx).toBe(0);
    await db.ingest(tableToIPC(arrow(TEXTS.slice(0, 2))), options);
    const { rows } = await db.query("SELECT e.p FROM EVENTS(T) AS e ORDER BY e.at");
    expect(rows).toEqual(TEXTS.slice(0, 2).map((text) => ({ p: JSON.parse(text) })));
    await db.close();
  });

  it("is refused when an object has a key twice: Parquet, and the export of a store as Parquet and CSV", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const duck = await instance.connect();
    const db = await open(":memory:");
    await db.write(
      TEXTS.map((_, i) => ({
        ...{ op: "assert_node" as const, uid: `n${i}`, labels: [], valid_from: "2020-01-01" },
        props: { p: i === 2 ? [0, { x: 1, y: 2 }] : { x: i } },
      })),
    );
    const out = join(folder, "tables");
    await db.export(join(out, "parquet"), { format: "parquet", history: true });
    await db.export(join(out, "csv"), { format: "csv", history: true });
    await db.close();
    const written = join(out, "parquet", "nodes.parquet");
    const twice = join(out, "nodes.parquet");
    const p = `replace("props.p"::VARCHAR, '"y":2', '"y":2,"x":1')::JSON`;
    await duck.run(`COPY (SELECT * REPLACE (${p} AS "props.p") FROM '${written}') TO '${twice}' (FORMAT parquet)`);
    const csv = readFileSync(join(out, "csv", "nodes.csv"), "utf8");
    const csvTwice = join(out, "nodes.csv");
    writeFileSync(csvTwice, csv.replace('""y"":2', '""y"":2,""x"":1'));
    for (const [file, line, column] of [
      [twice, "row 3", "props.p"],
      [csvTwice, "line 4", "props.p:json"],
    ] as const) {
      const back = await open(":memory:");
      await expect(back.import(file), file).rejects.toMatchObject({
        code: "E_INVALID_ARG",
        message: expect.stringMatching(`${line}, column "${column}".*a second key "x" at offset`),
        hint: "readers differ in which counts: keep one",
      });
      expect((await back.head()).tx).toBe(0);
      await back.close();
    }
    duck.closeSync();
    instance.closeSync();
  });
});
