// Dependencies point one way: who may import whom, over the sources as they are.
// Types count like values: knowing a name is a dependency too.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

interface Layer {
  /** Folders of src (or files of src) that it may import, and the folder of the language, "grammar". */
  readonly inside: readonly string[];
  /** Packages that it may import, Node's own apart. */
  readonly packages: readonly string[];
}

const LAYERS: Readonly<Record<string, Layer>> = {
  grammar: { inside: [], packages: ["chevrotain"] },
  contract: { inside: [], packages: ["typebox", "ajv"] },
  reference: { inside: ["contract"], packages: [] },
  native: { inside: ["contract"], packages: [] },
  "event-loop": { inside: [], packages: [] },
  log: { inside: ["contract", "native", "event-loop"], packages: ["typebox"] },
  // Files beside the log: the store forgets in them what it erases, the agent fills them.
  derived: { inside: ["contract", "log", "event-loop"], packages: [] },
  store: { inside: ["contract", "native", "log", "derived", "event-loop"], packages: [] },
  calendar: { inside: ["contract"], packages: ["@js-joda/core", "@js-joda/timezone"] },
  columns: { inside: ["contract", "event-loop"], packages: ["apache-arrow"] },
  relational: {
    inside: ["grammar", "contract", "columns", "calendar", "event-loop"],
    packages: ["@duckdb/node-bindings"],
  },
  operators: {
    inside: ["contract", "native", "store", "event-loop", "columns", "relational", "grammar", "calendar"],
    packages: ["typebox", "ajv"],
  },
  plan: { inside: ["contract", "operators", "columns", "event-loop"], packages: ["typebox", "ajv"] },
  query: {
    inside: [
      "grammar",
      "contract",
      "columns",
      "calendar",
      "relational",
      "operators",
      "plan",
      "store",
      "log",
      "event-loop",
      // SHOW OPERATOR lists the arguments of an operator as the manual does.
      "manual",
    ],
    packages: ["apache-arrow"],
  },
  "duckdb-engine": { inside: ["contract", "log", "reference", "event-loop"], packages: ["@duckdb/node-api"] },
  manual: { inside: ["contract", "operators"], packages: [] },
  interchange: {
    inside: ["contract", "event-loop", "calendar", "columns", "native", "operators", "store", "relational"],
    packages: ["saxes", "apache-arrow", "@duckdb/node-api", "@duckdb/node-bindings"],
  },
  agent: {
    inside: [
      // Claims read the text of a select, to know what it counts and how it is ordered.
      "grammar",
      "contract",
      "calendar",
      "relational",
      // Operations that are proposed are read as the log reads them.
      "log",
      "operators",
      "manual",
      "plan",
      "query",
      "derived",
      "database.ts",
    ],
    packages: ["typebox", "ajv", "openai"],
  },
  "demo-data": { inside: ["index.ts"], packages: [] },
  "database-options.ts": { inside: ["contract", "store", "operators"], packages: [] },
  "database.ts": {
    inside: [
      "database-options.ts",
      "contract",
      "native",
      "log",
      "derived",
      "store",
      "operators",
      "columns",
      "plan",
      "query",
      "reference",
      "interchange",
    ],
    packages: ["apache-arrow", "@duckdb/node-api"],
  },
  "index.ts": {
    inside: [
      "contract",
      "log",
      "store",
      "operators",
      "plan",
      "query",
      "interchange",
      "database.ts",
      "database-options.ts",
    ],
    packages: [],
  },
  mcp: {
    inside: ["contract", "operators", "plan", "query", "manual", "agent", "database.ts", "index.ts"],
    packages: ["typebox", "@modelcontextprotocol/server"],
  },
  cli: {
    // The store and what lies below it only for verify, repair, replay, backup, and for judging the batches of a log that is loaded.
    inside: [
      "contract",
      "native",
      "log",
      "store",
      "reference",
      "duckdb-engine",
      "interchange",
      "demo-data",
      "manual",
      // The units that completion offers.
      "calendar",
      "grammar",
      "query",
      "plan",
      "agent",
      "mcp",
      "index.ts",
    ],
    packages: ["apache-arrow", "commander", "picocolors", "cli-progress"],
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

/** The folder (or file) of src that a file is in, or "grammar". */
function layerOf(path: string): string {
  const [first, second] = relative(ROOT, path).split("/");
  return first === "src" ? second! : first!;
}
const packageOf = (name: string): string =>
  name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");

function wrongImports(file: string): string[] {
  const own = layerOf(file);
  const layer = LAYERS[own];
  const shown = relative(ROOT, file);
  if (layer === undefined) return [`${shown}: ${own} has no rule in this test`];
  return importsOf(file).flatMap((name) => {
    if (name.startsWith("node:")) return [];
    if (!name.startsWith(".")) return layer.packages.includes(packageOf(name)) ? [] : [`${shown} imports ${name}`];
    const target = resolve(dirname(file), name).replace(/\.js$/, ".ts");
    const other = layerOf(target);
    return other === own || layer.inside.includes(other) ? [] : [`${shown} imports ${other}`];
  });
}

/** Files of which each can be reached from the others by imports. */
function circlesOf(files: readonly string[]): string[][] {
  const imports = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((name) => name.startsWith("."))
        .map((name) => resolve(dirname(file), name).replace(/\.js$/, ".ts")),
    ]),
  );
  const reachedFrom = (file: string): ReadonlySet<string> => {
    const reached = new Set<string>();
    const open = [...(imports.get(file) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(...(imports.get(next) ?? []));
    }
    return reached;
  };
  const reached = new Map(files.map((file) => [file, reachedFrom(file)]));
  const circles = files
    .filter((file) => reached.get(file)!.has(file))
    .map((file) => files.filter((other) => reached.get(file)!.has(other) && reached.get(other)!.has(file)));
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
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
    const files = ["src", "grammar"].flatMap((folder) => filesUnder(join(ROOT, folder), [".ts"]));
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap(wrongImports)).toEqual([]);
  });

  it("run one way from file to file", () => {
    const files = ["src", "grammar"].flatMap((folder) => filesUnder(join(ROOT, folder), [".ts"]));
    const circles = circlesOf(files).map((circle) => circle.map((file) => relative(ROOT, file)).sort());
    // Expressions hold queries, and queries expressions: the printer goes through both as the tree does.
    const printer = ["expressions", "patterns", "queries", "times"].map((name) => `grammar/printer/${name}.ts`);
    expect(circles).toEqual([printer]);
  });

  it("keep tools, tests and benchmarks out of the product, and the product out of tools", () => {
    // The page of operators, the schema of plans and the sizes of prompts are written from the product; every other tool
    // builds what is not there yet.
    const mayImport = ["../src/manual/markdown.js", "../src/plan/schema.js", "../src/agent/prompt/size-report.js"];
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
