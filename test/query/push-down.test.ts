// Conditions mean the same wherever they are tested: random ones against three-valued logic over the rows by hand.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";
import type { CompileContext } from "../../src/query/compile/context.js";
import { randomOf } from "../support/fuzz-log.js";
import { compiled, contextOf, rowsOf } from "./compiling.js";

const FIRST_SEED = Number(process.env.PALIMPSEST_FIRST_SEED ?? 1);
const CASES = 60;

type Value = number | string | boolean | null;
interface Row {
  readonly src: string;
  readonly dst: string;
  readonly key: string;
  readonly i: Value;
  readonly s: Value;
  readonly b: Value;
}
/** A condition as text, and what it is of a row: true, false, or null where nobody can know. */
interface Condition {
  readonly text: string;
  readonly of: (row: Row) => boolean | null;
}

const random = randomOf(99);
const ROWS: readonly Row[] = Array.from({ length: 60 }, (_, n) => ({
  src: `u${random(4)}`,
  dst: `u${random(4)}`,
  key: `k${n}`,
  i: random(4) === 0 ? null : random(5),
  s: random(4) === 0 ? null : ["a", "ab", "b", ""][random(4)]!,
  b: random(4) === 0 ? null : random(2) === 0,
}));

const show = (value: Value): string => (typeof value === "string" ? `'${value}'` : String(value).toUpperCase());
const not = (value: boolean | null): boolean | null => (value === null ? null : !value);
const COMPARE: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  "=": (a, b) => a === b,
  "<>": (a, b) => a !== b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

function constantFor(column: keyof Row, pick: (below: number) => number): Value {
  if (column === "i") return pick(6) - 1;
  if (column === "b") return pick(2) === 0;
  return column === "s" ? ["a", "b", "", "zz"][pick(4)]! : column === "key" ? `k${pick(60)}` : `u${pick(5)}`;
}

function leaf(pick: (below: number) => number): Condition {
  const column = (["src", "dst", "key", "i", "s", "b"] as const)[pick(6)]!;
  const value = constantFor(column, pick);
  const known = (test: (value: number | string | boolean) => boolean) => (row: Row) => {
    const own = row[column];
    return own === null ? null : test(own);
  };
  const isOrdered = column !== "b";
  switch (pick(isOrdered ? 6 : 3)) {
    case 0:
      return { text: `e.${column} = ${show(value)}`, of: known((own) => own === value) };
    case 1:
      return { text: `e.${column} IS NULL`, of: (row) => row[column] === null };
    case 2: {
      const other = constantFor(column, pick);
      const isOut = pick(3) === 0;
      const of = known((own) => (own === value || own === other) !== isOut);
      return { text: `e.${column} ${isOut ? "NOT " : ""}IN (${show(value)}, ${show(other)})`, of };
    }
    case 3: {
      const op = Object.keys(COMPARE)[pick(6)]!;
      const isMirrored = pick(2) === 0;
      const test = COMPARE[op]!;
      const of = known((own) =>
        isMirrored ? test(value as string, own as string) : test(own as string, value as string),
      );
      return { text: isMirrored ? `${show(value)} ${op} e.${column}` : `e.${column} ${op} ${show(value)}`, of };
    }
    case 4: {
      const other = constantFor(column, pick);
      const isOut = pick(3) === 0;
      const of = known((own) => (own >= value! && own <= other!) !== isOut);
      return { text: `e.${column} ${isOut ? "NOT " : ""}BETWEEN ${show(value)} AND ${show(other)}`, of };
    }
    default:
      if (column === "i") return { text: "e.i IS NOT NULL", of: (row) => row.i !== null };
      return {
        text: `e.${column} STARTS WITH ${show(value)}`,
        of: known((own) => String(own).startsWith(String(value))),
      };
  }
}

function condition(pick: (below: number) => number, depth: number): Condition {
  if (depth === 0 || pick(3) === 0) return leaf(pick);
  if (pick(4) === 0) {
    const of = condition(pick, depth - 1);
    return { text: `NOT (${of.text})`, of: (row) => not(of.of(row)) };
  }
  const isAnd = pick(2) === 0;
  const parts = Array.from({ length: 2 + pick(2) }, () => condition(pick, depth - 1));
  return {
    text: parts.map(({ text }) => `(${text})`).join(isAnd ? " AND " : " OR "),
    of: (row) => {
      const values = parts.map(({ of }) => of(row));
      if (values.includes(!isAnd)) return !isAnd;
      return values.includes(null) ? null : isAnd;
    },
  };
}

let db: Database;
let context: CompileContext;
beforeAll(async () => {
  db = await open(":memory:");
  await db.write(
    ROWS.map(({ src, dst, key, ...props }) => ({
      op: "assert_edge",
      src,
      type: "T",
      dst,
      key,
      props: Object.fromEntries(Object.entries(props).filter(([, value]) => value !== null)),
      valid_from: "2025-01-01T00:00:00Z",
    })) as never,
  );
  context = contextOf(db);
});
afterAll(() => db.close());

describe("a condition", () => {
  it("keeps the rows of which it is true", async () => {
    let pushed = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed += 1) {
      const { text, of } = condition(randomOf(seed), 3);
      const statement = `SELECT e.key FROM EDGES(T) AS e WHERE ${text}`;
      const keys = ROWS.filter((row) => of(row) === true).map(({ key }) => key);
      const rows = await rowsOf(db, statement, context);
      expect([seed, statement, rows.map(({ key }) => key)]).toEqual([seed, statement, keys.sort()]);
      if (compiled(statement, context).plan.steps[0]!.args!.where !== undefined) pushed += 1;
    }
    // What is only ever left for the rows would prove nothing.
    expect(pushed).toBeGreaterThan(CASES / 4);
  });
});
