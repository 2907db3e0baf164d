// Bundles, once a run, what tests start in processes of their own: the command line, and the scripts of lifetime/children and
// those whose names end in -child. Behind a loader of TypeScript, each start takes seconds.
// They stand under the repository, so that they find the addon.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { TestProject } from "vitest/node";
import { bundle, bundleCommandLine } from "../../tools/bundle.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder of this run's programs. */
    programs: string;
  }
}

const ROOT = resolve(import.meta.dirname, "../..");
const SCRIPTS = [
  { folder: "test/lifetime/children", names: /\.ts$/ },
  { folder: "test/support", names: /-child\.ts$/ },
  { folder: "test/cli", names: /-child\.ts$/ },
].flatMap(({ folder, names }) =>
  readdirSync(join(ROOT, folder)).flatMap((name) => (names.test(name) ? join(ROOT, folder, name) : [])),
);

export default async function setup(project: TestProject): Promise<() => void> {
  mkdirSync(join(ROOT, "build"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, "build/test-programs-"));
  const make = async (): Promise<void> => {
    await bundleCommandLine(join(folder, "command-line/palimpsest.js"));
    const entries = SCRIPTS.map((path) => ({ in: path, out: basename(path, ".ts") }));
    await bundle(entries, join(folder, "scripts"));
  };
  await make();
  project.onTestsRerun(make);
  project.provide("programs", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
