// What the modules of the agent must not know, through everything that they import: what judges claims and words knows neither
// models nor prompts, and the programs that hold it to account share no code with it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const AGENT = join(ROOT, "src/agent");
const IMPORT = /^(import|export)\b(?: (type)\b)?[^;]*?\bfrom "(\.[^"]+)";/gms;

interface Imported {
  readonly file: string;
  readonly isType: boolean;
}

const importsOf = (file: string): readonly Imported[] =>
  Array.from(readFileSync(file, "utf8").matchAll(IMPORT), ([, , type, name]) => ({
    file: resolve(dirname(file), name!.replace(/\.js$/, ".ts")),
    isType: type !== undefined,
  }));

const filesUnder = (path: string): readonly string[] =>
  path.endsWith(".ts")
    ? [path]
    : readdirSync(path)
        .map((name) => join(path, name))
        .filter((name) => name.endsWith(".ts"));

/** The files of the agent that some files stand on, themselves included; with types, which are dependencies, too, or without. */
function standOn(files: readonly string[], withTypes: boolean): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || !file.startsWith(AGENT)) return;
    found.add(file);
    for (const imported of importsOf(file)) if (withTypes || !imported.isType) visit(imported.file);
  };
  for (const file of files) visit(file);
  return found;
}

function expectUnknown(module: string, unknown: readonly string[], withTypes: boolean): void {
  const files = filesUnder(join(AGENT, module));
  expect(files.length).toBeGreaterThan(0);
  const known = Array.from(standOn(files, withTypes), (file) => relative(AGENT, file));
  expect(known.filter((file) => unknown.some((name) => file.startsWith(name)))).toEqual([]);
}

it.each<[string, readonly string[]]>([
  [
    "claims/verify.ts",
    ["reporter", "report.ts", "gate.ts", "words/", "prompt/", "provider/", "fronts/", "loop/", "planner"],
  ],
  ["claims/bind.ts", ["reporter", "report.ts", "words/", "prompt/", "provider/"]],
  ["words/prose.ts", ["claims/verify.ts", "claims/rules.ts", "gate.ts", "report.ts", "prompt/", "provider/"]],
  ["words/render.ts", ["reporter", "report.ts", "prompt/", "provider/"]],
  ["gate.ts", ["reporter", "report.ts", "prompt/", "provider/"]],
  ["provider", ["claims/", "plan", "prompt/", "words/", "loop/"]],
])("%s knows nothing of %j", (module, unknown) => expectUnknown(module, unknown, true));

// What callers give has the names of fronts and models in its types.
it.each<[string, readonly string[]]>([
  ["mentions", ["prompt/", "provider/", "planner"]],
  ["writes", ["prompt/", "provider/", "reporter", "report.ts"]],
])("%s runs nothing of %j", (module, unknown) => expectUnknown(module, unknown, false));

it.each(["test/agent/auditor", "test/agent/second-verifier"])("%s shares no code with the agent", (folder) => {
  const files = filesUnder(join(ROOT, folder)).filter((file) => !file.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(3);
  const shared = files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !imported.isType && imported.file.startsWith(AGENT))
      .map((imported) => `${relative(ROOT, file)} imports ${relative(ROOT, imported.file)}`),
  );
  expect(shared).toEqual([]);
});
