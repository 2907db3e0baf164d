// CSV after RFC 4180 and lines of JSON: read back by other means, they are the rows again.
import { describe, expect, it } from "vitest";
import { csvHeader, csvRow } from "../../src/cli/formats/csv.js";
import { jsonLine } from "../../src/cli/formats/json-lines.js";
import { parseExact } from "../../src/contract/exact-json.js";
import { readText } from "../interchange/reading.js";

const column = (name: string, type: string) => ({ name, type });
const columns = ["src", "dst", "time", "note"].map((name) => column(name, "string"));
const row = (note: string | null) => ({ src: "a", dst: "b", time: "100", note });
const NOTES = ["", null, "a,b", 'say "hi"', "two\r\nlines", " blank ", "plain", "Åsa 東京", "'q'", "-- x"];

describe("CSV", () => {
  it("quotes what must be quoted, ends lines with CR LF, tells NULL from the empty text", () => {
    expect(csvHeader(columns)).toBe("src,dst,time,note\r\n");
    expect(csvRow(row('say "hi"'), columns)).toBe('a,b,100,"say ""hi"""\r\n');
    expect(csvRow(row(null), columns)).toBe("a,b,100,\r\n");
    expect(csvRow(row(""), columns)).toBe('a,b,100,""\r\n');
    const typed = [column("n", "int"), column("l", "json"), column("ok", "bool")];
    const values = { n: 9007199254740993n, l: [1, "a"], ok: true };
    expect(csvRow(values, typed)).toBe('9007199254740993,"[1,""a""]",true\r\n');
  });

  it("is read back by `load` as what it was", async () => {
    const text = csvHeader(columns) + NOTES.map((note) => csvRow(row(note), columns)).join("");
    const { rows } = await readText(text, { columns: { props: [{ name: "note", column: "note" }] } });
    expect(rows.map(({ props }) => props.note ?? null)).toEqual(NOTES);
  });
});

describe("lines of JSON", () => {
  it("keep the order of the columns and every digit", () => {
    const values = { b: 1, a: 9007199254740993n, c: null };
    const line = jsonLine(values, [column("b", "int"), column("a", "int"), column("c", "string")]);
    expect(line).toBe('{"b":1,"a":9007199254740993,"c":null}\n');
    expect(parseExact(line)).toEqual(values);
  });
});
