// docs/operators.md is what the declarations say, and says all of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { operatorReference } from "../../src/manual/markdown.js";
import { operatorList, operatorManual } from "../../src/manual/terminal.js";
import { DECLARATIONS } from "../../src/operators/registry.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/operators.md"), "utf8");

it("docs/operators.md is up to date; if not, npm run docs:operators writes it", () => {
  expect(page).toBe(operatorReference());
});

it("every named type that a table uses is explained", () => {
  const sections = new Set(Array.from(page.matchAll(/^### (\w+)$/gm), ([, name]) => name));
  const cells = page.split("\n").filter((line) => line.startsWith("| `"));
  const names = cells.flatMap((line) => line.split(/(?<!\\)\|/)[2]!.match(/(?<!")\b[A-Z]\w+\b(?!")/g) ?? []);
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) if (name !== "JSON") expect(sections, name).toContain(name);
});

describe.each(DECLARATIONS)("the manual of $name", ({ name, summary, args, examples, errors }) => {
  it("has every argument, example and error, for the terminal too", () => {
    const help = operatorManual(name);
    const members = (args as { anyOf?: { properties: object }[] }).anyOf ?? [args as { properties: object }];
    const names = members.flatMap(({ properties }) => Object.keys(properties));
    const section = page.slice(page.indexOf(`\n## ${name}\n`)).split("\n## ")[1]!;
    expect(operatorList()).toContain(name);
    for (const text of [help, section]) {
      for (const argument of names) {
        if (text === help || !["as_of_tt", "limit", "cursor"].includes(argument)) expect(text).toContain(argument);
      }
      for (const { code } of errors) expect(text).toContain(code);
    }
    expect(section).toContain(summary);
    for (const { title } of examples) expect(section).toContain(`**${title[0]!.toUpperCase()}${title.slice(1)}**`);
  });
});
