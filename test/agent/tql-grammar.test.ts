// The grammar of answers in the TQL front, by a recogniser that was written for this test: it holds every right answer that we
// know, what it gives at random reads well in the parser, and no word of the language that a read can have is missing.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScript, parseStatement, RESERVED } from "../../grammar/index.js";
import { parser } from "../../grammar/machine.js";
import { tqlGrammar } from "../../src/agent/index.js";
import { TQL_EXAMPLES } from "../../src/agent/prompt/tql-examples.js";
import { operatorNames } from "../../src/operators/registry.js";
import { FUNCTION_TABLE } from "../../src/relational/index.js";
import { Random } from "../support/random.js";
import { Deriver } from "./gbnf/derive.js";
import { type Piece, readGrammar } from "./gbnf/notation.js";
import { recognise } from "./gbnf/recognise.js";
import { ORACLE_PLANS } from "./oracle-plans.js";

const grammar = readGrammar(tqlGrammar());
const answering = (tql: string, answer: object = { kind: "table", from: "rows" }): string =>
  JSON.stringify({ thought: "", tql, answer });
const isWhole = (text: string): boolean => recognise(grammar, text).isWhole;

describe("the grammar holds", () => {
  it.each(ORACLE_PLANS)("$name", ({ plan, tql }) => {
    const { kind, also = [] } = plan.answer;
    const [from, ...further] = tql.from;
    const parts = also.map((part, i) => ({ kind: part.kind, from: further[i] }));
    expect(isWhole(answering(tql.text, { kind, from, ...(parts.length === 0 ? {} : { also: parts }) }))).toBe(true);
  });

  it.each(TQL_EXAMPLES)("the example that models are shown: $kind", ({ written }) => {
    expect(isWhole(JSON.stringify(written))).toBe(true);
    expect(isWhole(JSON.stringify(written, null, 2))).toBe(true);
  });

  const page = readFileSync(resolve(import.meta.dirname, "../../grammar/TQL.md"), "utf8");
  const reads = Array.from(page.matchAll(/^```tql \w+\n([\s\S]*?)^```$/gm), ([, block]) => parseScript(block!))
    .flat()
    .filter(({ statement }) => statement?.kind === "read" && statement.explain === null);
  // The page calls one operator that there is not.
  const [unknown, known] = [true, false].map((isUnknown) =>
    reads.filter(({ text }) => text.startsWith("CALL temporal_reach(") === isUnknown),
  );
  it.each(known!)("of the page of the language: $text", ({ text }) => {
    expect(isWhole(answering(text))).toBe(true);
  });

  it("no operator that there is not", () => {
    expect(known!.length).toBeGreaterThan(60);
    expect(unknown).toHaveLength(1);
    expect(isWhole(answering(unknown![0]!.text))).toBe(false);
  });
});

describe("the grammar does not hold", () => {
  it.each([
    ["a write", answering("INSERT ({uid: 'a'}) FOR VALID_TIME ALL")],
    ["an answer to a plan", answering("EXPLAIN SELECT 1 AS x")],
    ["two statements", answering("SELECT 1 AS x; SELECT 2 AS x")],
    ["a reserved name", answering("SELECT n.uid AS order FROM NODES() AS n")],
    ["a reserved name in small letters and without AS", answering("SELECT 1 AS x FROM NODES() from")],
    ["a comment that would begin in an expression", answering("SELECT 1 --1 AS x")],
    ["a function that there is not", answering("SELECT NOW() AS x")],
    ["a day that no month has", answering("SELECT DATE '2025-02-32' AS x")],
    ["a kind of answer that there is not", answering("SELECT 1 AS x", { kind: "number", from: "rows[0].x" })],
    ["a further member", JSON.stringify({ thought: "", tql: "SELECT 1 AS x", answer: {}, steps: [] })],
    [
      "five parts",
      answering("SELECT 1", { kind: "value", from: "a", also: Array(4).fill({ kind: "value", from: "a" }) }),
    ],
  ])("%s", (_, text) => {
    expect(isWhole(text)).toBe(false);
  });
});

describe("what it gives at random", () => {
  const SEED = 20_261_201;
  const COUNT = 1_500;
  const deriver = new Deriver(grammar, new Random(SEED));
  const texts = Array.from({ length: COUNT }, (_, i) => deriver.text(12 + (i % 14)));

  it("is JSON, and a statement that reads", () => {
    for (const text of texts) {
      const { tql } = JSON.parse(text) as { tql: string };
      const { statement, problem } = parseStatement(tql);
      expect(problem, `seed ${SEED}: ${tql}`).toBeNull();
      expect(statement).toMatchObject({ kind: "read", explain: null });
    }
  });

  it("comes from every rule, and is recognised, whole and begun", () => {
    expect([...grammar.keys()].filter((rule) => !deriver.used.has(rule) && !/^bare-name-\d+$/.test(rule))).toEqual([]);
    const random = new Random(SEED);
    for (const text of texts.filter((_, i) => i % 10 === 0)) {
      expect(recognise(grammar, text), text).toEqual({ isWhole: true, isBegun: true });
      const points = [...text];
      const begun = points.slice(0, random.below(points.length)).join("");
      expect(recognise(grammar, begun).isBegun, begun).toBe(true);
      expect(recognise(grammar, `${begun}\u0000`).isBegun, begun).toBe(false);
    }
  });
});

describe("its words", () => {
  const textsIn = (piece: Piece): readonly string[] => {
    if (piece.kind === "text") return [String.fromCodePoint(...piece.points)];
    if (piece.kind === "repeat") return textsIn(piece.of);
    return "of" in piece ? piece.of.flatMap(textsIn) : [];
  };

  it("are names that are not reserved, in any case", () => {
    const isName = (text: string): boolean => recognise(grammar, text, "bare-name").isWhole;
    for (const word of RESERVED) {
      const small = word.toLowerCase();
      const mixed = `${word.slice(0, 1)}${small.slice(1)}`;
      expect([word, small, mixed].filter(isName)).toEqual([]);
      // No beginning and no longer one is reserved, but for those that are.
      const near = [small.slice(0, -1), `${word}_`, `${small}2`, `x${word}`];
      const free = near.filter((each) => !(RESERVED as readonly string[]).includes(each.toUpperCase()));
      expect(free.filter((each) => !isName(each))).toEqual([]);
    }
    expect(["2x", "a-b", "é", ""].filter(isName)).toEqual([]);
  });

  it("are the operators and functions that there are", () => {
    expect(textsIn(grammar.get("operator")!).map((text) => text.replaceAll('\\"', ""))).toEqual([...operatorNames()]);
    expect(textsIn(grammar.get("function")!)).toEqual(FUNCTION_TABLE.map(({ name }) => name));
  });

  it("are all that the parser takes in a statement that reads", () => {
    const { recorded } = parser().machine;
    type Production = { definition?: Production[]; nonTerminalName?: string; terminalType?: { name: string } };
    const seen = new Set<string>();
    const taken = new Set<string>();
    const walk = (production: Production): void => {
      const { nonTerminalName, terminalType } = production;
      if (terminalType !== undefined) taken.add(terminalType.name);
      if (nonTerminalName === undefined) for (const each of production.definition ?? []) walk(each);
      else if (nonTerminalName !== "write" && !seen.has(nonTerminalName)) {
        seen.add(nonTerminalName);
        walk(recorded[nonTerminalName] as unknown as Production);
      }
    };
    walk(recorded.top as unknown as Production);
    const words = [...taken].filter((name) => /^[A-Z_]+$/.test(name)).sort();
    const written = [...grammar].filter(([name]) => name !== "function").flatMap(([, piece]) => textsIn(piece));
    const known = new Set(written.flatMap((text) => text.split(/[^A-Z_]+/)));
    expect(words.length).toBeGreaterThan(130);
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  });
});
