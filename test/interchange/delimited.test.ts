// Delimited text: quoting, line ends, chunk borders, and refusals by place.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DelimitedTokenizer } from "../../src/interchange/delimited.js";
import { readText, refusalOf } from "./reading.js";

/** All records of a text that arrives in chunks of these sizes, in turn. */
function tokenize(text: string, chunkBytes: readonly number[], delimiter = ","): string[][] {
  const tokenizer = new DelimitedTokenizer("memory.csv", delimiter.charCodeAt(0));
  const records: string[][] = [];
  const drain = () => {
    while (tokenizer.next()) {
      const { fields } = tokenizer;
      records.push(Array.from({ length: fields.slotCount }, (_, slot) => fields.text(slot)));
    }
  };
  const bytes = Buffer.from(text, "utf8");
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const end = Math.min(bytes.length, at + chunkBytes[i % chunkBytes.length]!);
    tokenizer.feed(bytes.subarray(at, end), false);
    drain();
    at = end;
  }
  tokenizer.feed(new Uint8Array(0), true);
  drain();
  return records;
}

const field = fc
  .array(fc.constantFrom("a", "7", '"', ",", "\n", "\r\n", " ", "é", "日", "𝄞", "\t"), { maxLength: 6 })
  .map((parts) => parts.join(""));

describe("delimited text", () => {
  it("reads back what was written, whatever the quotes, the line ends and the chunks", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 4 })
          .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }))),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (table, lineEnd, quoteAll, chunkBytes) => {
          const write = (text: string) =>
            quoteAll || text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
          const text = table.map((record) => record.map(write).join(",") + lineEnd).join("");
          expect(tokenize(text, chunkBytes)).toEqual(table);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("takes a last line without end, blank lines and CRLF beside LF", () => {
    expect(tokenize("a,b\r\n\n\r\nc,d\ne,f", [3])).toEqual([
      ["a", "b"],
      ["c", "d"],
      ["e", "f"],
    ]);
  });

  it("keeps a quote inside a bare field, and spaces", () => {
    expect(tokenize('5" pipe, x ,"y"\n', [4])).toEqual([['5" pipe', " x ", "y"]]);
  });

  it("counts lines inside quotes", async () => {
    const { message } = await refusalOf('src,dst,time\n"a\nb",c,1\nd,e,soon\n');
    expect(message).toBe('events.csv line 4, column "time" (3): "soon" is not a number of seconds');
  });

  it("names what is wrong with quotes", async () => {
    expect((await refusalOf('src,dst,time\na,"b"c,1\n')).message).toBe(
      'events.csv line 2, column "2" (2): a quoted field goes on after its closing quote',
    );
    expect((await refusalOf('src,dst,time\na,"b,1\nc,d,2\n')).message).toBe(
      'events.csv line 2, column "2" (2): a quoted field is never closed',
    );
  });

  it("refuses a lone carriage return, a NUL, bytes that are no UTF-8, and UTF-16, each with its place", async () => {
    expect((await refusalOf("src,dst,time\na\rb,c,1\n")).message).toMatch(/line 2.*a carriage return stands alone/);
    expect((await refusalOf("src,dst,time\na,b,1\na,\0b,1\n")).message).toBe(
      "events.csv line 3: byte 3 of the line is NUL",
    );
    const latin1 = Buffer.from("src,dst,time\na,b,1\nJos\u00e9,b,1\n", "latin1");
    expect((await refusalOf(latin1)).message).toBe("events.csv line 3: byte 4 of the line is not UTF-8");
    const utf16 = Buffer.from("\ufeffsrc,dst,time\n", "utf16le");
    expect((await refusalOf(utf16)).message).toBe("events.csv line 1: the file is UTF-16");
  });

  it("passes over a UTF-8 byte order mark", async () => {
    const { rows } = await readText("\ufeffsrc,dst,time\na,b,1\n");
    expect(rows).toEqual([{ src: "a", dst: "b", time: 1_000_000n, props: {} }]);
  });

  it("refuses an empty file and a file with a header alone", async () => {
    expect((await refusalOf("")).message).toBe("events.csv: the file is empty");
    expect((await refusalOf("\n\n")).message).toBe("events.csv: the file is empty");
    expect((await refusalOf("src,dst,time\n")).message).toBe("events.csv: the file has no rows");
  });

  it("refuses records of another width", async () => {
    expect((await refusalOf("src,dst,time\na,b,1\na,b\n")).message).toBe(
      "events.csv line 3: the record has 2 columns, the first one has 3",
    );
    expect((await refusalOf("src,dst,time\na,b,1,2\n")).code).toBe("E_INVALID_ARG");
  });

  it("lists the columns seen when one is missing or misspelt", async () => {
    const found = await refusalOf("source,target,when\na,b,1\n");
    expect(found.code).toBe("E_SCHEMA");
    expect(found.message).toBe(
      'events.csv: column "src": there is no such column; the columns are "source", "target", "when"',
    );
    const typo = await refusalOf("src,dst,time,amount\na,b,1,2\n", {
      columns: { props: [{ column: "amuont", name: null }] },
    });
    expect(typo.details.columns).toEqual(["src", "dst", "time", "amount"]);
  });

  it("refuses a name that the header has twice, and takes numbers", async () => {
    expect((await refusalOf("src,dst,time,time\na,b,1,2\n")).message).toMatch(/has this name twice/);
    const { rows } = await readText("src,dst,time,time\na,b,1,2\n", { columns: { time: "4" } });
    expect(rows[0]!.time).toBe(2_000_000n);
  });

  it("refuses a record that never ends", async () => {
    const { message } = await refusalOf(`src,dst,time\na,"${"x".repeat(3 << 20)}`);
    expect(message).toBe("events.csv line 2: a record of more than 2097152 bytes");
  });

  it("skips refused records when asked to, and keeps the others whole", async () => {
    const text =
      'src,dst,time,w\na,b,1,5\na,b,soon,6\n,b,2,7\nc,"d"x,3,8\ne,f,4,9\ng,h,5\ni,j,6,99999999999999999999\n';
    const { rows, refusals } = await readText(text, {
      onError: "skip",
      columns: { props: [{ column: "w", name: null }] },
    });
    expect(rows).toEqual([
      { src: "a", dst: "b", time: 1_000_000n, props: { w: 5n } },
      { src: "e", dst: "f", time: 4_000_000n, props: { w: 9n } },
    ]);
    expect(refusals.map((error) => (error.details as { line: number }).line)).toEqual([3, 4, 5, 7, 8]);
  });

  it("reads tabs, semicolons and gzip", async () => {
    const expected = [{ src: "a b", dst: "c", time: 1_000_000n, props: {} }];
    expect((await readText("src\tdst\ttime\na b\tc\t1\n", { format: "tsv" })).rows).toEqual(expected);
    expect((await readText("src;dst;time\na b;c;1\n", { delimiter: ";" })).rows).toEqual(expected);
    expect((await readText("src,dst,time\na b,c,1\n", {}, "events.csv.gz")).rows).toEqual(expected);
  });

  it("tells a cut gzip file from one that is no gzip at all", async () => {
    expect((await refusalOf(Buffer.from("src,dst,time\n"), {}, "e.csv.gz")).message).toMatch(/not gzip data/);
  });
});
