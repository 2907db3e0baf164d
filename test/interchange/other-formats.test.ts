// SNAP lists, JSON Lines and files of nodes.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatOfName } from "../../src/interchange/formats.js";
import { JsonLinesTokenizer } from "../../src/interchange/json-lines.js";
import { type AssertNode, readNodes } from "../../src/interchange/nodes.js";
import { localZone } from "../../src/interchange/zones.js";
import { instants, readText, refusalOf } from "./reading.js";

const byNumber = { src: "1", dst: "2", time: "3" };

describe("snap", () => {
  const snap = { format: "snap", columns: byNumber } as const;

  it("reads any white space, comments and missing line ends", async () => {
    const { rows } = await readText("# nodes: 3\n% more\n1 2 10\n 2\t 3  11 \r\n\n3 1 12", snap, "g.txt");
    expect(rows.map((row) => [row.src, row.dst, row.time])).toEqual([
      ["1", "2", 10_000_000n],
      ["2", "3", 11_000_000n],
      ["3", "1", 12_000_000n],
    ]);
  });

  it("names the line and the column that is missing", async () => {
    expect((await refusalOf("1 2 10\n1 2\n", snap, "g.txt")).message).toBe('g.txt line 2, column "3" (3): is missing');
  });

  it("refuses a file of comments", async () => {
    expect((await refusalOf("# nothing\n", snap, "g.txt")).message).toBe("g.txt: the file is empty");
  });
});

describe("JSON Lines", () => {
  const jsonl = { format: "jsonl" } as const;

  it("reads strings, numbers, booleans, nested values and escapes", async () => {
    const text = `${[
      '{"src": "a\\u00e9\\n", "dst": 7, "time": 1289241911.72836, "p": {"b": [1, 2.50], "a": null}}',
      '{"time": "5", "dst": "\\ud834\\udd1e", "src": "x", "p": "7", "extra": [{"deep": "\\"}"}]}',
      '{"src":"x","dst":"y","time":6,"p":9007199254740993}',
      '{"src":"x","dst":"y","time":7,"p":null}',
    ].join("\n")}\n`;
    const { rows } = await readText(text, { ...jsonl, columns: { props: [{ column: "p", name: null }] } }, "e.jsonl");
    expect(rows).toEqual([
      { src: "aé\n", dst: "7", time: 1_289_241_911_728_360n, props: { p: { a: null, b: [1, 2.5] } } },
      { src: "x", dst: "𝄞", time: 5_000_000n, props: { p: "7" } },
      { src: "x", dst: "y", time: 6_000_000n, props: { p: 9_007_199_254_740_993n } },
      { src: "x", dst: "y", time: 7_000_000n, props: {} },
    ]);
  });

  it.each([
    ["{src: 1}", "not JSON: no key at byte 2"],
    ['{"src": tru}', "not JSON: no value at byte 9"],
    ['{"src": 01}', 'not JSON: no "," or "}" at byte 10'],
    ['{"src": "a', "not JSON: a string without end at byte 9"],
    ['{"src": "\\x"}', "not JSON: a string that is not legal at byte 9"],
    ['{"src": 1} 2', "not JSON: more text after the object at byte 12"],
    ['["src"]', "the line is not a JSON object"],
    ['{"src": "\\ud834", "dst": "b", "time": 1}', "a lone surrogate"],
    ['{"src": 1.5, "dst": "b", "time": 1}', "is no text and no whole number"],
    ['{"src": true, "dst": "b", "time": 1}', "is no text"],
    ['{"src": "a", "dst": "b", "tme": 1}', 'column "time": is missing; the line has "src", "dst", "tme"'],
    ['{"src": "a", "dst": "b", "time": null}', 'column "time": is missing'],
  ])("refuses %s", async (line, reason) => {
    const { message } = await refusalOf(`{"src":"a","dst":"b","time":1}\n${line}\n`, jsonl, "e.jsonl");
    expect(message).toContain(reason);
    expect(message).toContain("e.jsonl line 2");
  });

  it("refuses a property that no line has", async () => {
    const found = await refusalOf(
      '{"src":"a","dst":"b","time":1}\n',
      { ...jsonl, columns: { props: [{ column: "amount", name: null }] } },
      "e.jsonl",
    );
    expect(found.code).toBe("E_SCHEMA");
    expect(found.message).toContain('no line has the column "amount"');
  });

  it("agrees with JSON.parse on what is JSON", () => {
    const noise = fc.array(
      fc.constantFrom("{", "}", "[", "]", ",", ":", '"', "1", "-", ".", "e", "\\", "a", "true", " ", '"a"'),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          noise.map((parts) => `{"k":${parts.join("")}}`),
          fc.json().map((text) => `{"k":${text}}`),
        ),
        (line) => {
          const isJson = () => {
            try {
              JSON.parse(line);
              return true;
            } catch {
              return false;
            }
          };
          const tokenizer = new JsonLinesTokenizer("memory.jsonl");
          const slot = tokenizer.slotOf("k");
          tokenizer.feed(Buffer.from(`${line}\n`), true);
          let taken: boolean;
          try {
            taken = tokenizer.next() && slot === 0;
          } catch (error) {
            // Lone surrogates and keys that stand twice are JSON and still refused.
            taken = /surrogate|a second key/.test((error as Error).message);
          }
          expect(taken).toBe(isJson());
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("files of nodes", () => {
  async function nodesOf(
    text: string,
    columns: { validFrom?: string; validTo?: string; labels?: string; props?: string[] } = {},
  ) {
    const folder = mkdtempSync(join(tmpdir(), "palimpsest-nodes-"));
    try {
      writeFileSync(join(folder, "nodes.csv"), text);
      const batches: AssertNode[][] = [];
      for await (const batch of readNodes(join(folder, "nodes.csv"), {
        format: "csv",
        delimiter: null,
        hasHeader: true,
        onError: "stop",
        instants: instants({ unit: "iso" }),
        labels: ["Person"],
        operationsPerBatch: 2,
        columns: {
          uid: "1",
          validFrom: columns.validFrom ?? null,
          validTo: columns.validTo ?? null,
          ...{ clock: null, labels: columns.labels ?? null, txTime: null, allProps: false },
          props: (columns.props ?? []).map((column) => ({ column, name: null })),
        },
      })) {
        batches.push([...batch.operations]);
      }
      return batches;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it("makes one operation a record, in batches", async () => {
    const batches = await nodesOf(
      'id,name,age,from,to\na,Ada,36,1815-12-10,1852-11-27\nb,Bob,,2000-01-01,\nc,"",1.5,2000-01-01,\n',
      { validFrom: "from", validTo: "to", props: ["name", "age"] },
    );
    expect(batches.map((batch) => batch.length)).toEqual([2, 1]);
    expect(batches.flat().map((node) => [node.uid, node.props, node.valid_to === null])).toEqual([
      ["a", { name: "Ada", age: 36 }, false],
      ["b", { name: "Bob" }, true],
      ["c", { name: "", age: 1.5 }, true],
    ]);
    expect(batches[0]![0]).toMatchObject({
      op: "assert_node",
      labels: ["Person"],
      valid_from: BigInt(Date.UTC(1815, 11, 10)) * 1000n,
    });
  });

  it("lets nodes without a time hold from the beginning of the calendar", async () => {
    expect((await nodesOf("id\na\n"))[0]![0]!.valid_from).toBe(-377_705_116_800_000_000n);
  });

  it("takes labels of a column, beside those of all", async () => {
    const text = 'id,kind\na,Employee;Person\nb,\nc,"[""A;B"",""C""]"\n';
    const labels = (await nodesOf(text, { labels: "kind" })).flat().map((node) => node.labels);
    expect(labels).toEqual([["Person", "Employee"], ["Person"], ["Person", "A;B", "C"]]);
    await expect(nodesOf("id,kind\na,A;;B\n", { labels: "kind" })).rejects.toThrow(
      /line 2, column "kind" \(2\): "A;;B" are no labels/,
    );
  });

  it("refuses reversed intervals with their place", async () => {
    await expect(
      nodesOf("id,from,to\na,2001-01-01,2000-01-01\n", { validFrom: "from", validTo: "to" }),
    ).rejects.toThrow(/line 2, column "to" \(3\).*is not after the beginning/);
  });
});

describe("names of files and zones", () => {
  it.each([
    ["a/CollegeMsg.txt", "snap"],
    ["a.b/x.CSV", "csv"],
    ["x.tsv.gz", "tsv"],
    ["x.ndjson", "jsonl"],
  ])("%s is %s", (file, format) => {
    expect(formatOfName(file)).toBe(format);
  });

  it("refuses a name that says nothing", () => {
    expect(() => formatOfName("data.gz")).toThrow(/does not say the format/);
  });

  it("knows UTC, fixed offsets and IANA names, and suggests names", () => {
    const noonUs = BigInt(Date.UTC(2024, 6, 1, 12)) * 1000n;
    const hours = (zone: string) => Number(localZone(zone).instantOf(noonUs) - noonUs) / 3.6e9;
    expect(["UTC", "Z", "+02:00", "-0330", "Europe/Paris", "Asia/Kathmandu"].map(hours)).toEqual([
      0, 0, -2, 3.5, -2, -5.75,
    ]);
    expect(() => localZone("Europe/Pariss")).toThrow(/is no IANA zone/);
  });
});
