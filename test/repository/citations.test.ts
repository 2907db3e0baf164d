// What comments cite exists: every document, and of the contract every section, law and number of an operator.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

function filesUnder(folder: string, endings: readonly string[]): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name));
}

const markdown = ["src", "native", "test", "bench", "examples", "docs"].flatMap((folder) =>
  filesUnder(folder, [".md"]),
);
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;

/** The comments of a source, without the marks that stand between their lines; a README is comment throughout. */
function commentsOf(file: string): string {
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".md")) return text;
  const comments = Array.from(text.matchAll(COMMENT), (match) => match[0]);
  return comments.join("\n").replace(/\n\s*(?:\/\/\/?|\*)[ ]?/g, "\n");
}

/** A name with a folder is a path from the root or from the source; one without is that of some document. */
function isThere(cited: string, file: string): boolean {
  if (existsSync(join(ROOT, cited)) || existsSync(join(dirname(file), cited))) return true;
  const ending = `/${cited.replace(/^(?:\.\.?\/)+/, "")}`;
  return cited.startsWith("docs/") ? false : markdown.some((document) => document.endsWith(ending));
}

const sources = ["src", "native"].flatMap((folder) => filesUnder(folder, [".ts", ".h", ".cc", ".md"]));
const contract = readFileSync(join(ROOT, "docs/contract.md"), "utf8");

describe("citations in comments", () => {
  it("name documents that exist", () => {
    const cited = sources.flatMap((file) =>
      Array.from(commentsOf(file).matchAll(/(?:[\w.-]+\/)*[\w-]+\.md\b/g), (match) => ({ file, name: match[0] })),
    );
    expect(cited.length).toBeGreaterThan(40);
    const missing = cited.filter(({ file, name }) => !isThere(name, file));
    expect(missing.map(({ file, name }) => `${relative(ROOT, file)}: ${name}`)).toEqual([]);
  });

  it("name sections, laws and operators that the contract has", () => {
    const headings = Array.from(contract.matchAll(/^#+ (.+)$/gm), (match) => match[1]!);
    const numbers = new Set([
      ...headings.flatMap((heading) => /^(A\d+)\. /.exec(heading)?.[1] ?? []),
      ...Array.from(contract.matchAll(/^\| ([OP]\d+) \|/gm), (match) => match[1]!),
    ]);
    expect([...numbers].join(" ")).toBe(
      [["A", 12] as const, ["O", 13] as const, ["P", 7] as const]
        .flatMap(([letter, count]) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`))
        .join(" "),
    );
    const laws = Array.from(contract.matchAll(/^(\d+)\. \w/gm), (match) => Number(match[1])).slice(-25);
    expect(laws).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));

    const tests = filesUnder("test", [".ts"]);
    const wrong = [...sources, ...tests].flatMap((file) => {
      const text = commentsOf(file);
      const bad = [
        ...Array.from(text.matchAll(/\b(?!contract\.md)\w+\.md [ACOP]\d+\b/g), (match) => match[0]),
        ...Array.from(text.matchAll(/contract\.md ([AOP]\d+)\b/g), (match) => match[1]!).filter((n) => !numbers.has(n)),
        ...Array.from(text.matchAll(/contract\.md "([^"]+)"/g), (match) => match[1]!).filter(
          (s) => !headings.includes(s),
        ),
      ];
      return bad.map((name) => `${relative(ROOT, file)}: ${name}`);
    });
    expect(wrong).toEqual([]);
  });
});
