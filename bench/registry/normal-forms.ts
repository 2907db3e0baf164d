// What the forms are made of in which answers of different systems are compared: canonical text, digest, order of rows, shortened
// lists, instants as ticks. Plain JSON; independent of the engine.

import { createHash } from "node:crypto";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A list longer than this enters a form as its length and SHA-256. */
const LONGEST_LIST = 10_000;
const MICROSECONDS_PER_SECOND = 1_000_000;

/** One text per value: sorted keys, no spaces. Every name here is ASCII, where UTF-16 order is that of code points. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

export function answerDigest(answer: Json): string {
  return createHash("sha256").update(canonicalText(answer)).digest("hex");
}

/** How many rows an answer stands for, for the report only. */
export function rowCount(answer: Json): number {
  if (isList(answer)) return answer.length;
  if (!isObject(answer)) return 1;
  if (typeof answer.sha256 === "string" && typeof answer.rows === "number") return answer.rows;
  return Object.entries(answer).reduce((sum, [name, part]) => sum + (name === "totals" ? 0 : rowCount(part)), 0);
}

/** A list as it is, or what stands for it when it is long. To be sorted before. */
export function whole(rows: readonly Json[]): Json {
  return rows.length <= LONGEST_LIST ? rows : { rows: rows.length, sha256: answerDigest(rows) };
}

/** Order of rows by their fields from the left: strings and numbers, rows inside rows, and objects by canonical text. */
export function compareRows(a: readonly Json[], b: readonly Json[]): number {
  for (let column = 0; column < a.length; column++) {
    const left = a[column] as Json;
    const right = b[column] as Json;
    if (isList(left) && isList(right)) {
      const order = compareRows(left, right);
      if (order !== 0) return order;
    } else {
      const leftKey = comparable(left);
      const rightKey = comparable(right);
      if (leftKey !== rightKey) return leftKey < rightKey ? -1 : 1;
    }
  }
  return 0;
}

function comparable(field: Json): string | number {
  return typeof field === "string" || typeof field === "number" ? field : canonicalText(field);
}

/** An instant in output form as microseconds since 1970; exact, because the benchmark stays within 2^53 of them. */
export function ticksOf(instant: string): number {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{6}))?Z$/.exec(instant);
  if (parts === null) throw new Error(`not an instant in output form: ${instant}`);
  return Date.parse(`${parts[1]}Z`) * 1_000 + Number(parts[2] ?? "0");
}

/** The inverse of `ticksOf`, for arguments. */
export function instantOf(ticks: number): string {
  const second = Math.floor(ticks / MICROSECONDS_PER_SECOND);
  const fraction = String(ticks - second * MICROSECONDS_PER_SECOND).padStart(6, "0");
  return new Date(second * 1_000).toISOString().replace(".000Z", `.${fraction}Z`);
}

/** Ticks as an exact duration, for arguments. */
export function durationOf(ticks: number): string {
  const seconds = Math.floor(ticks / MICROSECONDS_PER_SECOND);
  const fraction = ticks - seconds * MICROSECONDS_PER_SECOND;
  return fraction === 0 ? `PT${seconds}S` : `PT${seconds}.${String(fraction).padStart(6, "0")}S`;
}

export function byCanonicalText(rows: readonly Json[]): Json[] {
  const texts = new Map(rows.map((row) => [row, canonicalText(row)]));
  return [...rows].sort((a, b) => ((texts.get(a) as string) < (texts.get(b) as string) ? -1 : 1));
}

/** The first place where two forms differ, in words; null when they are equal. */
export function firstDifference(answer: Json, expected: Json, at = ""): string | null {
  if (canonicalText(answer) === canonicalText(expected)) return null;
  if (Array.isArray(answer) && Array.isArray(expected)) {
    const lengths = answer.length === expected.length ? "" : ` (${answer.length} rows, expected ${expected.length})`;
    for (let index = 0; index < Math.max(answer.length, expected.length); index++) {
      const found = firstDifference(answer[index] ?? null, expected[index] ?? null, `${at}[${index}]`);
      if (found !== null) return found + lengths;
    }
  }
  if (isObject(answer) && isObject(expected)) {
    for (const name of new Set([...Object.keys(answer), ...Object.keys(expected)])) {
      const found = firstDifference(answer[name] ?? null, expected[name] ?? null, `${at}.${name}`);
      if (found !== null) return found;
    }
  }
  const shown = (value: Json) => canonicalText(value).slice(0, 160);
  return `${at === "" ? "answer" : at}: ${shown(answer)}, expected ${shown(expected)}`;
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
