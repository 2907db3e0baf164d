// Says of any bytes whether they are a legal file of events, and how many rows they have: rules of the README, decided
// record by record with nothing of the product. Slow and plain on purpose.
import type { Format } from "./broken-files.js";

/** Legal, with so many rows; or not, and then in which line first (null where the file as a whole is at fault). */
export type Verdict = { readonly rows: number } | { readonly badLine: number | null };

class Bad extends Error {
  constructor(readonly line: number | null) {
    super(`line ${line}`);
  }
}

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes one by one as characters, so that structure is looked at before encoding is. */
function textOf(raw: string, line: number): string {
  if (raw.includes("\0")) throw new Bad(line);
  try {
    return DECODER.decode(Buffer.from(raw, "latin1"));
  } catch {
    throw new Bad(line);
  }
}

const CALENDAR = { first: Date.UTC(-9999, 0, 1), behind: Date.UTC(10_000, 0, 1) };
const ISO = /^(-?\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6})0*)?([Zz]|[+-]\d\d:\d\d))?$/;
const END_OF_CALENDAR = /^\+10000-01-01T00:00:00Z$/;

/** Milliseconds and the microseconds behind them, as one number that orders as they do; NaN where it is no instant. */
function isoTime(text: string, isEnd: boolean): number {
  if (isEnd && END_OF_CALENDAR.test(text)) return CALENDAR.behind;
  const match = ISO.exec(text);
  if (match === null || match[1] === "-0000") return Number.NaN;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as number[];
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day!);
  if (date.getUTCMonth() !== month! - 1 || date.getUTCDate() !== day! || month! < 1) return Number.NaN;
  if (hour! > 23 || minute! > 59 || second! > 59) return Number.NaN;
  const zone = match[8] ?? "Z";
  const offset = /^[Zz]$/.test(zone)
    ? 0
    : (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4))) * (zone[0] === "-" ? -1 : 1);
  if (Number(zone.slice(1, 3)) > 23 || Number(zone.slice(4)) > 59) return Number.NaN;
  const ms = date.getTime() + ((hour! * 60 + minute! - offset) * 60 + second!) * 1000;
  if (ms < CALENDAR.first || ms >= CALENDAR.behind) return Number.NaN;
  return ms + Number(`0.${match[7] ?? "0"}`) * 1000;
}

function checkTimes(line: number, time: string | null, until: string | null): void {
  const from = isoTime(time ?? "", false);
  if (Number.isNaN(from)) throw new Bad(line);
  if (until === null) return;
  const to = isoTime(until, true);
  if (!(to > from)) throw new Bad(line);
}

function checkUid(line: number, uid: string | null): void {
  const bytes = Buffer.byteLength(uid ?? "");
  if (bytes === 0 || bytes > 1024) throw new Bad(line);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A number of a property has to be an int64, or a double that is finite. */
function checkNumber(line: number, token: string): void {
  const match = NUMBER.exec(token);
  if (match === null) return;
  if (match[1] === undefined && match[2] === undefined) {
    const value = BigInt(token);
    if (value >= 2n ** 63n || value < -(2n ** 63n)) throw new Bad(line);
  } else if (!Number.isFinite(Number(token))) throw new Bad(line);
}

interface Field {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** RFC 4180, where a quote opens a field only as its first character and lines end in LF or CRLF. */
function* delimitedRecords(raw: string, delimiter: string): Generator<{ line: number; fields: Field[] }> {
  let at = 0;
  let line = 1;
  while (at < raw.length) {
    if (raw[at] === "\n") {
      at += 1;
      line += 1;
      continue;
    }
    if (raw[at] === "\r" && (at + 1 === raw.length || raw[at + 1] === "\n")) {
      at += 1;
      continue;
    }
    const first = line;
    const start = at;
    const fields: Field[] = [];
    for (;;) {
      let field = "";
      const isQuoted = raw[at] === '"';
      if (isQuoted) {
        at += 1;
        for (;;) {
          if (at >= raw.length) throw new Bad(first);
          if (raw[at] === '"' && raw[at + 1] === '"') {
            field += '"';
            at += 2;
          } else if (raw[at] === '"') {
            at += 1;
            break;
          } else {
            if (raw[at] === "\n") line += 1;
            field += raw[at];
            at += 1;
          }
        }
        if (raw[at] === "\r" && (at + 1 >= raw.length || raw[at + 1] === "\n")) at += 1;
        if (at < raw.length && raw[at] !== delimiter && raw[at] !== "\n") throw new Bad(first);
      } else {
        while (at < raw.length && raw[at] !== delimiter && raw[at] !== "\n") {
          field += raw[at];
          at += 1;
        }
        if ((at >= raw.length || raw[at] === "\n") && field.endsWith("\r")) field = field.slice(0, -1);
        if (field.includes("\r")) throw new Bad(first);
      }
      fields.push({ text: field, isQuoted });
      if (at >= raw.length || raw[at] === "\n") break;
      at += 1;
    }
    if (at - start > 2 << 20) throw new Bad(first);
    const decoded = fields.map(({ text, isQuoted }) => ({ text: textOf(text, first), isQuoted }));
    textOf(raw.slice(start, at), first);
    at += 1;
    line += 1;
    yield { line: first, fields: decoded };
  }
}

function judgeDelimited(raw: string, delimiter: string): number {
  let header: string[] | null = null;
  let rows = 0;
  for (const { line, fields } of delimitedRecords(raw, delimiter)) {
    if (header === null) {
      header = fields.map(({ text }) => text);
      for (const name of ["src", "dst", "time", "until", "note"]) {
        if (header.filter((each) => each === name).length !== 1) throw new Bad(null);
      }
      continue;
    }
    if (fields.length !== header.length) throw new Bad(line);
    const names = header;
    const field = (name: string): Field => fields[names.indexOf(name)]!;
    const until = field("until").text;
    checkTimes(line, field("time").text, until === "" ? null : until);
    checkUid(line, field("src").text);
    checkUid(line, field("dst").text);
    checkNumber(line, field("note").text);
    rows += 1;
  }
  if (rows === 0) throw new Bad(null);
  return rows;
}

/** A text, or a whole number as its digits; null where there is none. */
function jsonText(line: number, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" && value.isWellFormed()) return value;
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  throw new Bad(line);
}

function judgeJson(raw: string): number {
  let rows = 0;
  const seen = new Set<string>();
  for (const [i, rawLine] of raw.split("\n").entries()) {
    const line = i + 1;
    if (rawLine.length > 2 << 20) throw new Bad(null);
    const text = textOf(rawLine, line);
    if (/^[ \t\r]*$/.test(text)) continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new Bad(line);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Bad(line);
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) seen.add(key);
    checkTimes(line, jsonText(line, record.time), record.until === "" ? null : jsonText(line, record.until));
    checkUid(line, jsonText(line, record.src));
    checkUid(line, jsonText(line, record.dst));
    if (typeof record.note === "number") {
      // JSON.parse has rounded it: the token itself says what it was.
      checkNumber(line, /"note":\s*([-+.\deE]+)/.exec(text)?.[1] ?? String(record.note));
    }
    if (typeof record.note === "string" && !record.note.isWellFormed()) throw new Bad(line);
    rows += 1;
  }
  if (rows === 0 || !["src", "dst", "time", "until", "note"].every((key) => seen.has(key))) throw new Bad(null);
  return rows;
}

function judgeSnap(raw: string): number {
  let rows = 0;
  for (const [i, rawLine] of raw.split("\n").entries()) {
    const line = i + 1;
    if (rawLine.length > 2 << 20) throw new Bad(null);
    const text = textOf(rawLine, line);
    if (/^[#%]/.test(text)) continue;
    const [src, dst, time] = text.split(/[ \t\r]+/).filter((part) => part !== "");
    if (src === undefined) continue;
    if (time === undefined) throw new Bad(line);
    const match = /^[+-]?(\d+)(?:\.(\d+))?$/.exec(time);
    if (match === null || /[1-9]/.test((match[2] ?? "").slice(6))) throw new Bad(line);
    const ms = Number(time) * 1000;
    if (ms < CALENDAR.first || ms >= CALENDAR.behind) throw new Bad(line);
    checkUid(line, src);
    checkUid(line, dst ?? null);
    rows += 1;
  }
  if (rows === 0) throw new Bad(null);
  return rows;
}

export function judge(bytes: Uint8Array, format: Format): Verdict {
  const all = Buffer.from(bytes).toString("latin1");
  try {
    if (/^(?:\xff\xfe|\xfe\xff)/.test(all)) throw new Bad(1);
    const raw = all.startsWith("\xef\xbb\xbf") ? all.slice(3) : all;
    if (format === "snap") return { rows: judgeSnap(raw) };
    return { rows: format === "jsonl" ? judgeJson(raw) : judgeDelimited(raw, format === "csv" ? "," : "\t") };
  } catch (error) {
    if (error instanceof Bad) return { badLine: error.line };
    throw error;
  }
}
