// Types, times of belief and properties by column, words for no value, and the file of refused records.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { eventCommits } from "../../src/interchange/commits-by-time.js";
import type { EventPiece } from "../../src/interchange/events.js";
import { RejectsFile } from "../../src/interchange/rejects.js";
import { readText, refusalOf, rowsOf, withEvents } from "./reading.js";

describe("types by column", () => {
  const file = "src,dst,time,kind\na,b,1,PAID\na,b,2,\n";

  it("refuses a row without a type unless there is one for it", async () => {
    expect((await refusalOf(file, { columns: { type: "kind" } })).message).toBe(
      'events.csv line 3, column "kind" (4): is missing',
    );
    const { rows } = await readText(file, { columns: { type: "kind", typeOtherwise: "OTHER" } });
    expect(rows.map(({ type }) => type)).toEqual(["PAID", "OTHER"]);
  });
});

describe("all other columns as properties", () => {
  it("takes each column that has no other meaning, by its name", async () => {
    const { rows } = await readText("time,src,dst,n,s\n1,a,b,7,x\n2,a,b,,\n", { columns: { allProps: true } });
    expect(rows.map(({ props }) => props)).toEqual([{ n: 7n, s: "x" }, {}]);
  });

  it("takes keys of JSON as they come to light, escaped ones too", async () => {
    const lines = [
      '{"src":"a","dst":"b","time":1,"n":1}',
      '{"src":"a","dst":"b","time":2,"late":"x","n":2.5}',
      '{"src":"a","dst":"b","time":3,"l\\u0061te":null,"other":{"deep":[1]}}',
    ];
    const { rows } = await readText(`${lines.join("\n")}\n`, { format: "jsonl", columns: { allProps: true } });
    expect(rows.map(({ props }) => props)).toEqual([{ n: 1n }, { n: 2.5, late: "x" }, { other: { deep: [1] } }]);
  });

  it("takes more keys than the fields had room for", async () => {
    const keys = Array.from({ length: 300 }, (_, i) => `k${i}`);
    const line = JSON.stringify({ src: "a", dst: "b", time: 1, ...Object.fromEntries(keys.map((key, i) => [key, i])) });
    const { rows } = await readText(`${line}\n`, { format: "jsonl", columns: { allProps: true } });
    expect(rows[0]!.props).toEqual(Object.fromEntries(keys.map((key, i) => [key, BigInt(i)])));
  });

  it("refuses columns that cannot be named", async () => {
    expect((await refusalOf("src,dst,time,\na,b,1,2\n", { columns: { allProps: true } })).code).toBe("E_SCHEMA");
    expect((await refusalOf("src,dst,time,x,x\na,b,1,2,3\n", { columns: { allProps: true } })).message).toContain(
      "twice",
    );
    const snap = { format: "snap", columns: { src: "1", dst: "2", time: "3", allProps: true } } as const;
    expect((await refusalOf("a b 1\n", snap, "e.txt")).message).toContain("any number of columns");
  });
});

describe("words for no value", () => {
  it("drops them where they stand bare, and in no other place", async () => {
    const file = 'src,dst,time,p,q\na,b,1,NULL,NA\na,b,2,"NULL",NAN\n';
    const props = [
      { column: "p", name: null },
      { column: "q", name: null },
    ];
    const { rows } = await readText(file, { nullWords: ["NULL", "NA"], columns: { props } });
    expect(rows.map((row) => row.props)).toEqual([{}, { p: "NULL", q: "NAN" }]);
  });

  it("makes a required cell missing and an end open", async () => {
    const until = { nullWords: ["-"], columns: { validTo: "until" } };
    expect((await readText("src,dst,time,until\na,b,1,-\n", until)).rows[0]!.validTo).toBe(1n << 62n);
    expect((await refusalOf("src,dst,time,until\n-,b,1,-\n", until)).message).toContain('column "src" (1): is missing');
    await expect(readText('{"src":"a"}\n', { format: "jsonl", nullWords: ["-"] })).rejects.toThrow(
      /JSON has null|jsonl/,
    );
  });
});

describe("times of belief", () => {
  const columns = { txTime: "tt", key: "k", type: "t", props: [{ column: "p", name: null }] };

  async function commitsOf(text: string, rowsPerPiece: number) {
    const pieces: EventPiece[] = [];
    await withEvents(text, { rowsPerPiece, columns }, async (found) => {
      for await (const piece of found) pieces.push(piece);
    });
    return [...eventCommits(pieces)].map(({ txTimeUs, content }) => ({ at: txTimeUs, rows: rowsOf(content) }));
  }

  it("groups rows by time in its order, and keeps the order of the file within one", async () => {
    const lines = ["a,b,1,30,k1,T,x", "c,d,2,10,,U,7", "e,f,3,30,k3,T,", "gg,h,4,10,k4,T,2.5", "i,j,5,20,k5,T,true"];
    const text = `src,dst,time,tt,k,t,p\n${lines.join("\n")}\n`;
    for (const rowsPerPiece of [1, 2, 100]) {
      const commits = await commitsOf(text, rowsPerPiece);
      expect(commits.map(({ at, rows }) => [at, rows.map((row) => row.src)])).toEqual([
        [10_000_000n, ["c", "gg"]],
        [20_000_000n, ["i"]],
        [30_000_000n, ["a", "e"]],
      ]);
      expect(commits[0]!.rows.map(({ key, type, props }) => [key, type, props])).toEqual([
        [null, "U", { p: 7n }],
        ["k4", "T", { p: 2.5 }],
      ]);
      expect(commits[2]!.rows.map(({ props }) => props)).toEqual([{ p: "x" }, {}]);
    }
  });

  it("refuses a time of belief that is still to come", async () => {
    const { message } = await refusalOf("src,dst,time,tt,k,t,p\na,b,1,99999999999,,T,\n", { columns });
    expect(message).toContain('line 2, column "tt" (4): "99999999999" is after now');
  });
});

describe("refused records", () => {
  it("are handed over as the file has them, whatever was decoded in place", async () => {
    const records: string[] = [];
    const onRefusal = (_: PalimpsestError, record: Uint8Array) => void records.push(Buffer.from(record).toString());
    const bad = ['"a""q",b,soon', '"x"y,b,1', "only", '"two\nlines",b,later'];
    const text = `src,dst,time\n${bad[0]}\r\na,b,1\n\n${bad[1]}\n${bad[2]}\n${bad[3]}`;
    const { rows } = await readText(text, { onError: "skip", onRefusal });
    expect(rows.length).toBe(1);
    expect(records).toEqual(bad);
  });

  it("are the same wherever the chunks of the file are cut", async () => {
    const line = '"a""q",b,soon';
    const records: string[] = [];
    const onRefusal = (_: PalimpsestError, record: Uint8Array) => void records.push(Buffer.from(record).toString());
    // More than one chunk of 128 KiB, of lines whose length does not divide it.
    const text = `src,dst,time\n${`"good""s",b,1\n${line}\n`.repeat(12_000)}`;
    expect((await readText(text, { onError: "skip", onRefusal })).rows.length).toBe(12_000);
    expect(records.length).toBe(12_000);
    expect(new Set(records)).toEqual(new Set([line]));
  });

  it("go to a file that appears at the end", () => {
    const folder = mkdtempSync(join(tmpdir(), "palimpsest-rejects-"));
    try {
      const file = new RejectsFile(join(folder, "bad.jsonl"), join(folder, "rows.csv"));
      const details = { line: 3, column: "time", value: "soon", reason: "is not a number of seconds" };
      file.add(new PalimpsestError("E_INVALID_ARG", "…", { details }), Buffer.from("a,b,soon"));
      file.add(new PalimpsestError("E_INVALID_ARG", "a NUL", { details: { line: 4 } }), Uint8Array.of(0xff, 0x00));
      expect(readdirSync(folder)).not.toContain("bad.jsonl");
      file.keep();
      const lines = readFileSync(join(folder, "bad.jsonl"), "utf8").trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
        { ...details, code: "E_INVALID_ARG", record: "a,b,soon" },
        { line: 4, column: null, value: null, code: "E_INVALID_ARG", reason: "a NUL", record_base64: "/wA=" },
      ]);
      const dropped = new RejectsFile(join(folder, "other.jsonl"), join(folder, "rows.csv"));
      dropped.drop();
      expect(readdirSync(folder)).toEqual(["bad.jsonl"]);
      expect(() => new RejectsFile(join(folder, "absent/bad.jsonl"), join(folder, "rows.csv"))).toThrow(
        /absent\/bad\.jsonl/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
