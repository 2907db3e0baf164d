// Dependencies point one way: who may import whom, over the sources as they are.
// Types count like values: knowing a name is a dependency too.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

interface Layer {
  /** Folders of src (or files of src) that it may import. */
  readonly inside: readonly string[];
  /** Packages that it may import, Node's own apart. */
  readonly packages: readonly string[];
}

const LAYERS: Readonly<Record<string, Layer>> = {
  contract: { inside: [], packages: ["typebox", "ajv"] },
  reference: { inside: ["contract"], packages: [] },
  native: { inside: ["contract"], packages: [] },
  "event-loop": { inside: [], packages: [] },
  log: { inside: ["contract", "native", "event-loop"], packages: ["typebox"] },
  store: { inside: ["contract", "native", "log", "event-loop"], packages: [] },
  operators: {
    inside: ["contract", "native", "store", "event-loop"],
    packages: ["typebox", "ajv", "@js-joda/core", "@js-joda/timezone"],
  },
  manual: { inside: ["contract", "operators"], packages: [] },
  interchange: { inside: ["contract", "event-loop"], packages: [] },
  "demo-data": { inside: ["index.ts"], packages: [] },
  "database.ts": { inside: ["contract", "native", "log", "store", "operators"], packages: [] },
  "index.ts": { inside: ["contract", "log", "store", "operators", "database.ts"], packages: [] },
  cli: {
    // The store and what lies below it only for verify, repair and replay.
    inside: ["contract", "native", "log", "store", "reference", "interchange", "demo-data", "manual", "index.ts"],
    packages: ["commander", "picocolors", "cli-progress"],
  },
};

function filesUnder(folder: string, endings: readonly string[]): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => join(entry.parentPath, entry.name));
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[\w\s{},*$]*?\bfrom\s*"([^"]+)"|(?:^|\n)\s*import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/g;

function importsOf(file: string): string[] {
  return Array.from(readFileSync(file, "utf8").matchAll(IMPORT), (match) => (match[1] ?? match[2] ?? match[3])!);
}

const layerOf = (path: string): string => relative(join(ROOT, "src"), path).split("/")[0]!;
const packageOf = (name: string): string =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");

function wrongImports(file: string): string[] {
  const own = layerOf(file);
  const layer = LAYERS[own];
  const shown = relative(ROOT, file);
  if (layer === undefined) return [`${shown}: src/${own} has no rule in this test`];
  return importsOf(file).flatMap((name) => {
    if (name.startsWith("node:")) return [];
    if (!name.startsWith(".")) return layer.packages.includes(packageOf(name)) ? [] : [`${shown} imports ${name}`];
    const target = resolve(dirname(file), name).replace(/\.js$/, ".ts");
    if (relative(join(ROOT, "src"), target).startsWith("..")) return [`${shown} imports ${name}, outside src`];
    const other = layerOf(target);
    return other === own || layer.inside.includes(other) ? [] : [`${shown} imports src/${other}`];
  });
}

describe("dependencies", () => {
  it("finds imports of every form", () => {
    const text = 'import "a";\nimport {\n  b,\n} from "b";\nexport { c } from "c";\nconst d = await import("d");\n';
    expect(Array.from(text.matchAll(IMPORT), (match) => match[1] ?? match[2] ?? match[3])).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
  });

  it("point one way in src", () => {
    const files = filesUnder(join(ROOT, "src"), [".ts"]);
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(wrongImports)).toEqual([]);
  });

  it("keep tools, tests and benchmarks out of the product, and the product out of tools", () => {
    // The page of operators is written from the declarations; every other tool builds what is not there yet.
    const mayImport = ["../src/manual/markdown.js"];
    const wrong = filesUnder(join(ROOT, "tools"), [".ts", ".mjs"]).flatMap((file) =>
      importsOf(file)
        .filter((name) => name.includes("/src/") && !mayImport.includes(name))
        .map((name) => `${relative(ROOT, file)} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keep Node out of native/core", () => {
    const files = filesUnder(join(ROOT, "native/core"), [".h", ".cc"]);
    expect(files.length).toBeGreaterThan(20);
    const wrong = files.flatMap((file) =>
      Array.from(readFileSync(file, "utf8").matchAll(/^\s*#\s*include\s*[<"]([^>"]+)[>"]/gm), (match) => match[1]!)
        .filter((name) => /napi|node_api|^node\/|^node\.h|^v8|^uv/.test(name))
        .map((name) => `${relative(ROOT, file)} includes ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});
