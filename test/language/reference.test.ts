// The user's reference of the language holds: its examples parse and print back, its errors stand where it says, its lists are whole.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import {
  isReserved,
  parseScript,
  parseStatement,
  printStatement,
  RESERVED,
  renderProblem,
} from "../../grammar/index.js";
import { meaningOf } from "./meaning.js";

const reference = readFileSync(join(resolve(import.meta.dirname, "../.."), "grammar/TQL.md"), "utf8");
const blocks = Array.from(
  reference.matchAll(/^```(\S*)(?: (\w+))?\n([\s\S]*?)^```$/gm),
  ([, language, store, text]) => ({
    language: language!,
    store: store ?? null,
    text: text!,
  }),
);
const examples = blocks.filter(({ language }) => language === "tql").flatMap(({ text }) => parseScript(text));
const errors = blocks
  .filter(({ language }) => language === "tql-error")
  .flatMap(({ text }) => text.trimEnd().split("\n"))
  .map((line) => /^(.*?)\s+-- (E_\w+) (\w+) (\d+)$/.exec(line)!);

describe("the reference of TQL", () => {
  it("has examples for two stores, each made by its first block", () => {
    const stores = blocks.filter(({ language }) => language === "tql").map(({ store }) => store);
    expect(new Set(stores)).toEqual(new Set(["wards", "payments"]));
    for (const name of ["wards", "payments"]) {
      const first = blocks.find(({ store }) => store === name)!;
      expect(parseScript(first.text).every(({ statement }) => statement?.kind === "insert")).toBe(true);
    }
    expect(examples.length).toBeGreaterThan(70);
  });

  it.each(examples.map((example) => [example.text.slice(0, 90), example] as const))("%s", (_title, example) => {
    expect(example.problem).toBeNull();
    const printed = printStatement(example.statement!);
    const again = parseStatement(printed);
    expect(meaningOf(again.statement)).toEqual(meaningOf(example.statement));
    expect(printStatement(again.statement!)).toBe(printed);
  });

  it("has statements of every form", () => {
    const kinds = new Set(examples.map(({ statement }) => statement!.kind));
    expect([...kinds].sort()).toEqual([
      "begin",
      "commit",
      "insert",
      "read",
      "reset_defaults",
      "rollback",
      "set_defaults",
      "set_zone",
      "show",
      "write",
    ]);
  });

  it.each(errors.map((match) => [match[1]!, match] as const))("%s", (text, [, , code, kind, column]) => {
    const { problem } = parseStatement(text);
    expect([problem?.code, problem?.kind, problem?.position.column]).toEqual([code, kind, Number(column)]);
  });

  it("shows an error as it is shown", () => {
    const shown = /^```\n(E_SYNTAX[\s\S]*?)```$/m.exec(reference)![1]!;
    const text = "SELECT e.src FROM EVENTS(PAID)\nFOR VALID_TIME FROM DATE '2025-01-01' GROUP BY e.src";
    expect(`${renderProblem(text, parseStatement(text).problem!)}\n`).toBe(shown);
  });

  it("lists the reserved words", () => {
    const listed = /^Reserved: ([A-Z_\s]+)\.$/m.exec(reference)![1]!.split(/\s+/);
    expect(listed).toEqual([...RESERVED]);
    for (const word of RESERVED) {
      expect(isReserved(word.toLowerCase())).toBe(true);
      expect(parseStatement(`SELECT 1 AS ${word}`).problem!.kind, word).toBe("reserved");
      expect(parseStatement(`SELECT n.${word} AS "${word}" FROM NODES(${word}) AS n`).problem, word).toBeNull();
    }
  });
});
