// docs/operators.md is what the declarations say, and says all of it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.js";
import { type ArgumentEntry, membersOfType } from "../../src/manual/arguments.js";
import { operatorEntries, sharedEntries, storeName } from "../../src/manual/entry.js";
import { operatorReference } from "../../src/manual/markdown.js";
import { operatorList, operatorManual } from "../../src/manual/terminal.js";
import { DECLARATIONS } from "../../src/operators/registry.js";

const page = readFileSync(join(import.meta.dirname, "../../docs/operators.md"), "utf8");

it("docs/operators.md is up to date; if not, npm run docs:operators writes it", () => {
  expect(page).toBe(operatorReference());
});

it("every argument, member of a type and form has a meaning", () => {
  const entries = operatorEntries();
  const all: ArgumentEntry[] = [
    ...sharedEntries(),
    ...entries.flatMap(({ forms }) => forms.flatMap((form) => form.arguments)),
    ...entries.flatMap(({ types }) => types.flatMap(({ schema }) => membersOfType(schema))),
  ];
  expect(all.length).toBeGreaterThan(250);
  expect(all.filter(({ meaning }) => meaning === "").map(({ name }) => name)).toEqual([]);
  const forms = entries.flatMap((entry) => entry.forms).filter(({ title }) => title !== null);
  expect(forms.length).toBeGreaterThan(10);
  expect(forms.filter(({ meaning }) => meaning === "")).toEqual([]);
});

it("every table has all its cells", () => {
  for (const { tables = [] } of DECLARATIONS) {
    for (const { head, rows } of tables) {
      expect(rows.length).toBeGreaterThan(4);
      for (const row of rows) {
        expect(row.length).toBe(head.length);
        expect(row.join(" ")).not.toMatch(/undefined|^ *$/);
      }
    }
  }
});

it("what only one operator refuses is not offered, and long texts are cut in print", () => {
  expect(operatorManual("diff_snapshots")).not.toMatch(/^ +as_of_tt /m);
  expect(operatorManual("snapshot_subgraph")).toMatch(/^ +as_of_tt /m);
  expect(page).not.toContain("a".repeat(100));
});

it("has a program that writes the stores of the examples", async () => {
  const program = page.match(/^```js\n(import \{ open \}[\s\S]*?)^```$/m)![1]!;
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-manual-"));
  try {
    const run = new Function("open", `return (async () => {${program.split("\n").slice(1).join("\n")}})()`);
    await run((path: string) => open(join(folder, path)));
    for (const { name, examples } of DECLARATIONS) {
      for (const { store, args, envelope } of examples) {
        const known = storeName(store);
        if (known === undefined || name === "compute") continue;
        const db = await open(join(folder, `${known.toLowerCase()}.store`), { readOnly: true });
        const { result_digest: _, ...answer } = await db.call(name as "scan", args as never);
        await db.close();
        expect(answer).toEqual(envelope);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
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
