// Good files of each format, and seeded ways to break them; and a judge that says of any bytes whether they are a legal
// file, by rules written down here from the README and without a line of the product.

export type Format = "csv" | "tsv" | "jsonl" | "snap";
export const FORMATS: readonly Format[] = ["csv", "tsv", "jsonl", "snap"];

/** Numbers from 0 to below `most`, the same for the same seed. */
export type Below = (most: number) => number;

export function randomOf(seed: number): Below {
  let state = (seed * 2_654_435_761) >>> 0;
  return (most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  };
}

interface Row {
  readonly src: string;
  readonly dst: string;
  readonly second: number;
  readonly length: number | null;
  readonly note: string | number | null;
}

const NOTES = [null, "plain", "", 'with "quotes"', "comma, tab\tand\nline", "é 𝄞", 7, -1.5, "true"];

function goodRows(below: Below): Row[] {
  return Array.from({ length: 12 + below(20) }, () => ({
    src: `n${below(9)}`,
    dst: ["n1", "é", "n 2", "𝄞"][below(4)]!,
    second: 1_500_000_000 + below(90_000_000),
    length: below(3) === 0 ? null : 1 + below(100_000),
    note: NOTES[below(NOTES.length)]!,
  }));
}

const iso = (second: number): string => new Date(second * 1000).toISOString().replace(".000Z", "Z");
const quoted = (text: string): string => (/^$|[",\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function delimitedText(rows: readonly Row[], delimiter: string): string {
  const lines = rows.map(({ src, dst, second, length, note }) =>
    [
      src,
      quoted(dst),
      iso(second),
      length === null ? "" : iso(second + length),
      note === null ? "" : quoted(String(note)),
    ].join(delimiter),
  );
  return `${["src,dst,time,until,note".replaceAll(",", delimiter), ...lines].join("\n")}\n`;
}

function linesOfJson(rows: readonly Row[]): string {
  const lines = rows.map(({ src, dst, second, length, note }) =>
    JSON.stringify({ src, dst, time: iso(second), until: length === null ? null : iso(second + length), note }),
  );
  return `${lines.join("\n")}\n`;
}

const snapText = (rows: readonly Row[]): string =>
  `# src dst seconds\n${rows.map(({ src, dst, second }, i) => `${src}\t${dst.replace(" ", "_")} ${second}.${i}`).join("\n")}\n`;

export function goodFile(format: Format, below: Below): Buffer {
  const rows = goodRows(below);
  if (format === "snap") return Buffer.from(snapText(rows));
  if (format === "jsonl") return Buffer.from(linesOfJson(rows));
  return Buffer.from(delimitedText(rows, format === "csv" ? "," : "\t"));
}

type Break = (file: Buffer, below: Below, format: Format) => Buffer;

const insert = (file: Buffer, at: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
const text =
  (change: (text: string, below: Below, format: Format) => string): Break =>
  (file, below, format) =>
    Buffer.from(change(file.toString("utf8"), below, format));
/** Changes one line that is not the first. */
const line = (change: (line: string, below: Below, format: Format) => string): Break =>
  text((all, below, format) => {
    const lines = all.split("\n");
    const at = 1 + below(lines.length - 2);
    lines[at] = change(lines[at]!, below, format);
    return lines.join("\n");
  });
const delimiterOf = (format: Format): string => (format === "csv" ? "," : format === "tsv" ? "\t" : " ");
const TIME = /\d{4}-\d\d-\d\dT[\d:]+Z|\d{10}\.\d+/;

export const BREAKS: Readonly<Record<string, Break>> = {
  cut: (file, below) => file.subarray(0, below(file.length)),
  "cut within a character": (file) => file.subarray(0, Math.max(1, file.indexOf(0xc3) + 1)),
  "wrong delimiter": text((all, below, format) => all.replaceAll(delimiterOf(format), [";", "|", "\x01"][below(3)]!)),
  "mixed line ends": text((all, below) => all.replaceAll("\n", () => ["\n", "\r\n", "\n", "\n\n"][below(4)]!)),
  "lone carriage returns": text((all) => all.replaceAll("\n", "\r")),
  "byte order mark": (file) => insert(file, 0, Uint8Array.of(0xef, 0xbb, 0xbf)),
  "byte order mark within": (file, below) => insert(file, below(file.length), Uint8Array.of(0xef, 0xbb, 0xbf)),
  "UTF-16": (file) => Buffer.concat([Uint8Array.of(0xff, 0xfe), Buffer.from(file.toString("utf8"), "utf16le")]),
  NUL: (file, below) => insert(file, below(file.length), Uint8Array.of(0)),
  "a byte that is no UTF-8": (file, below) =>
    insert(file, below(file.length), Uint8Array.of([0xff, 0xc3, 0x80][below(3)]!)),
  "a character cut in two": (file, below) => insert(file, below(file.length), Uint8Array.of(0xf0, 0x9d)),
  "a flipped byte": (file, below) => {
    const copy = Buffer.from(file);
    const at = below(copy.length);
    copy[at] = copy[at]! ^ (1 << below(8));
    return copy;
  },
  "a long uid": line((each, below) => each.replace(/n\d/, "x".repeat(below(2) === 0 ? 1024 : 1025))),
  "a record that is too long": line((each) => each.replace(/n\d/, "y".repeat(5 << 20))),
  "a name twice in the header": text((all) => all.replace("dst", "src")),
  "a name that is missing": text((all) => all.replace("time", "tme")),
  "year 10000": line((each) => each.replace(TIME, "+10000-01-01T00:00:00Z")),
  "a time beyond all": line((each) => each.replace(TIME, "999999999999999999")),
  "a day that is none": line((each) => each.replace(TIME, "2023-02-29T00:00:00Z")),
  "a time without zone": line((each) => each.replace(TIME, "2023-01-01T00:00:00")),
  "another zone": line((each) => each.replace(TIME, "2010-01-01T00:00:00+05:30")),
  "a word for a time": line((each) => each.replace(TIME, "soon")),
  "an end before the beginning": line((each) => {
    const [from, to] = [...each.matchAll(new RegExp(TIME, "g"))].map(([found]) => found);
    return to === undefined ? each.replace(TIME, "x") : each.replace(from!, "@").replace(to, from!).replace("@", to);
  }),
  "an empty end": line((each) => each.replace(TIME, "")),
  "no source": line((each) => each.replace(/n\d/, "")),
  "one column more": line((each, _, format) => each + delimiterOf(format) + delimiterOf(format)),
  "one column less": line((each, _, format) => each.slice(0, Math.max(0, each.lastIndexOf(delimiterOf(format))))),
  "a quote that is never closed": line((each, _, format) =>
    each.replace(delimiterOf(format), `${delimiterOf(format)}"`),
  ),
  "a quote within": line((each) => each.replace(/n\d/, 'a"b')),
  "text after a quote": line((each) => each.replace(/n\d/, '"a"b')),
  "an integer beyond int64": line((each, _, format) =>
    format === "jsonl"
      ? each.replace(/"note":.*}/, '"note":9223372036854775808}')
      : each.replace(/[^,\t]*$/, "9223372036854775808"),
  ),
  "a double beyond all": line((each, _, format) =>
    format === "jsonl" ? each.replace(/"note":.*}/, '"note":1e999}') : each.replace(/[^,\t]*$/, "1e999"),
  ),
  "half a surrogate": line((each) => each.replace(/n\d/, "\\ud834")),
  "two records in a line": text((all, below) => {
    const lines = all.split("\n");
    lines.splice(1 + below(lines.length - 2), 1, `${lines[1]}${lines[2]}`);
    return lines.join("\n");
  }),
  nothing: () => Buffer.alloc(0),
  "blank lines alone": (_, below) => Buffer.from("\n".repeat(1 + below(5))),
  "the first line alone": text((all) => all.slice(0, all.indexOf("\n") + 1)),
  "no change": (file) => file,
};
