// Text that means harm: mutations, deep nesting, great length, unclosed everything. Only typed problems, never a throw.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Parsed, parseScript, parseStatement, printStatement, renderProblem } from "../../grammar/index.js";
import { Random } from "../support/random.js";

const examples = parseScript(readFileSync(join(import.meta.dirname, "examples.tql"), "utf8")).map(({ text }) => text);

/** Parses, and checks that a problem is whole and has a place inside the text. */
function parsed(text: string): Parsed {
  const result = parseStatement(text);
  if (result.problem === null) return result;
  const { code, kind, message, position } = result.problem;
  expect(["E_SYNTAX", "E_LIMIT"]).toContain(code);
  expect(kind).toMatch(/^[a-z_]+$/);
  expect(message).not.toBe("");
  expect(position.offset + position.length).toBeLessThanOrEqual(text.length);
  expect(position.line).toBeGreaterThan(0);
  expect(position.column).toBeGreaterThan(0);
  expect(renderProblem(text, result.problem)).toContain("^");
  return result;
}
const kindOf = (text: string): string | null => parsed(text).problem?.kind ?? null;

const PIECES = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  "'",
  '"',
  "`",
  "/*",
  "--",
  ";",
  ",",
  ".",
  "..",
  "-",
  ">",
  "<-",
  "->",
  "*",
  "$",
  "|",
  "!",
  "SELECT",
  "MATCH",
  "FROM",
  "FOR VALID_TIME",
  "AS OF",
  "TX 5",
  "NOT",
  "IN",
  "WITH",
  "COST",
  "DATE",
  "TIES",
  "END",
  "NULL",
  "1",
  "1.5",
  "9223372036854775808",
  "é",
  "🜚",
  "\u0000",
  "\ud800",
  "\u00a0",
  "‘",
  "（",
  "\u202e",
  "\r\n",
  "\t",
];

describe("hostile text", () => {
  it("gives only typed problems for twelve hundred mutations of the examples", () => {
    const random = new Random(20250305);
    let wrong = 0;
    for (let run = 0; run < 1200; run++) {
      const text = examples[random.below(examples.length)]!;
      const at = random.below(text.length);
      const length = 1 + random.below(12);
      const piece = PIECES[random.below(PIECES.length)]!;
      const other = examples[random.below(examples.length)]!;
      const mutations = [
        text.slice(0, at) + text.slice(at + length),
        text.slice(0, at) + piece + text.slice(at),
        text.slice(0, at) + piece + text.slice(at + length),
        text.slice(0, at),
        text.slice(0, at) + text.slice(at, at + length) + text.slice(at),
        text.slice(0, at) + other.slice(random.below(other.length)),
      ];
      const result = parsed(mutations[random.below(mutations.length)]!);
      if (result.problem !== null) wrong += 1;
      else expect(parseStatement(printStatement(result.statement)).problem).toBeNull();
    }
    expect(wrong).toBeGreaterThan(600);
  });

  it("finds an end to nesting of every kind", () => {
    const deep = 5_000;
    const nestings: readonly (readonly [string, string, string])[] = [
      ["(", "1", ")"],
      ["[", "1", "]"],
      ["{a: ", "1", "}"],
      ["f(", "1", ")"],
      ["CASE WHEN ", "TRUE", " THEN 1 END"],
      ["(SELECT ", "1", ")"],
      ["EXISTS { (a) WHERE ", "TRUE", " }"],
      ["CAST(", "1", " AS INT64)"],
      ["EXTRACT(day FROM ", "t", ")"],
    ];
    for (const [open, inside, close] of nestings) {
      expect(kindOf(`SELECT ${open.repeat(deep)}${inside}${close.repeat(deep)}`), open).toBe("too_deep");
      expect(kindOf(`SELECT ${open.repeat(deep)}`), open).toBe("too_deep");
      expect(kindOf(`SELECT ${open.repeat(20)}${inside}${close.repeat(20)}`), open).toBeNull();
    }
    for (const text of [
      `${"(".repeat(deep)}SELECT 1${")".repeat(deep)}`,
      `WITH a AS (${"WITH a AS (".repeat(deep)}`,
      `SELECT 1 FROM ${"(SELECT 1 FROM ".repeat(deep)}`,
      `MATCH (a) ${"((a)".repeat(deep)}`,
      `MATCH (a:${"!".repeat(deep)}L) RETURN a`,
      `MATCH (a:${"(".repeat(deep)}L`,
      `SELECT ${"- ".repeat(deep)}1`,
      `SELECT ${"NOT ".repeat(deep)}TRUE`,
      `SELECT ${"1 + ".repeat(deep)}1`,
      `SELECT a${".a".repeat(deep)}`,
      `SELECT a${"[0]".repeat(deep)}`,
      `SELECT 1${" UNION SELECT 1".repeat(deep)}`,
    ]) {
      expect(kindOf(text), text.slice(0, 40)).toBe("too_deep");
    }
  });

  it("takes wide statements whole", () => {
    const many = 10_000;
    expect(kindOf(`SELECT ${"1, ".repeat(many)}1`)).toBeNull();
    expect(kindOf(`SELECT x IN (${"'a', ".repeat(many)}'b')`)).toBeNull();
    expect(kindOf(`SELECT ${"a.b = 1 OR ".repeat(many)}TRUE`)).toBeNull();
    expect(kindOf(`INSERT (a {uid: 'a'})${", (b {uid: 'b'})".repeat(many)}`)).toBeNull();
  });

  it("takes long literals, and not endless statements", () => {
    const long = "x".repeat(64 * 1024);
    const { statement } = parsed(`SELECT '${long}' AS "${long}" /* ${long} */ -- ${long}`);
    expect(printStatement(statement!)).toBe(`SELECT '${long}' AS "${long}"`.replace(`"${long}"`, long));
    expect(kindOf(`SELECT ${"9".repeat(64 * 1024)}`)).toBe("integer_range");
    expect(kindOf(`SELECT 0.${"9".repeat(64 * 1024)}`)).toBeNull();
    expect(kindOf(`SELECT '${"x".repeat(2 << 20)}'`)).toBe("too_long");
    expect(kindOf(`SELECT ${"a".repeat(1 << 19)}`)).toBeNull();
  });

  it("says what is open in statements that end anywhere", () => {
    const text = examples.find((example) => example.includes("STRING_AGG"))!;
    for (let end = 0; end < text.length; end++) parsed(text.slice(0, end));
  });

  it("keeps what looks like something else apart", () => {
    expect(kindOf("ſelect 1")).toBe("misspelt");
    expect(kindOf("SELECT 'it''s -- no comment; /* nor this'")).toBeNull();
    expect(kindOf("SELECT 'a\\' OR '1'='1'")).toBeNull();
    expect(parsed('SELECT "x""; DROP TABLE t; --"').statement).toMatchObject({
      query: { body: { items: [{ expr: { name: { text: 'x"; DROP TABLE t; --' } } }] } },
    });
  });
});
