// The README holds: its example prints what it says, its commands run, its table of values is true, its paths exist.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseScript } from "../../grammar/index.js";
import { open } from "../../src/index.js";
import { commandLine, ROOT } from "../e2e/command-line.js";

const cli = commandLine();
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

function blocks(language: string): string[] {
  return Array.from(readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm))
    .filter((match) => match[1] === language)
    .map((match) => match[2]!);
}

/** Commands that .ci/run runs by itself: they install, or they are the test run. */
const RUN_BY_CI = ["npm ci", "npm run demo", "npm test"];

describe("README", () => {
  it("has commands that run", { timeout: 300_000 }, () => {
    cpSync(join(ROOT, "examples"), join(cli.folder, "examples"), { recursive: true });
    const script = readFileSync(join(ROOT, ".ci/run"), "utf8");
    const lines = blocks("sh").flatMap((block) => block.trim().split("\n"));
    const printed: string[] = [];
    for (const line of lines) {
      const parts = line.split("&&").map((part) => part.trim());
      if (parts.every((part) => RUN_BY_CI.includes(part))) {
        for (const part of parts) expect(script).toContain(`\n${part}\n`);
        continue;
      }
      const command = line.replace(/(^|\| )npx palimpsest/, '$1"$NODE" "$PROGRAM"');
      expect(command, `${line} is neither a palimpsest command nor run by .ci/run`).not.toBe(line);
      const env = { ...process.env, NODE: process.execPath, PROGRAM: cli.program };
      const { status, stdout, stderr } = spawnSync("bash", ["-c", command], { cwd: cli.folder, env, encoding: "utf8" });
      expect([line, status, status === 0 ? "" : stderr]).toEqual([line, 0, ""]);
      printed.push(stdout);
    }
    expect(printed.length).toBeGreaterThan(9);
    const shown = /The last one prints\n\n```\n([\s\S]*?)```/.exec(readme)![1]!;
    expect(printed).toContain(shown);
  });

  it("has statements that parse, and those on one screen run on the store of its first query", async () => {
    const texts = blocks("tql");
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) {
      for (const { problem, text: statement } of parseScript(text))
        expect([statement, problem]).toEqual([statement, null]);
    }
    const screen = cli.file("screen.tql", texts.find((text) => text.includes("SHOW PROPERTIES"))!);
    const { exitCode, out, err } = await cli.run("query", "people.store", "--write", "-f", screen);
    expect([exitCode, err.match(/^(?:E_| {2}hint).*/gm)]).toEqual([0, null]);
    for (const said of ["her contract says half time", "reached"]) expect(out).toContain(said);
    const wrong = "SELECT w.src FROM EDGES(WORKS_FOR)\nFOR VALID_TIME FROM DATE '2025-01-01' AS w";
    expect(readme).toContain(`\`\`\`\n${(await cli.run("query", "people.store", wrong)).err}\`\`\``);
  });

  it("has a first program that prints what it says", () => {
    const example = blocks("js").find((block) => block.startsWith("import { open }"));
    const file = cli.file("first.mts", example!.replace('"palimpsest"', JSON.stringify(join(ROOT, "src/index.ts"))));
    const tsx = join(ROOT, "node_modules/tsx/dist/cli.mjs");
    const out = execFileSync(process.execPath, [tsx, file], { cwd: cli.folder, encoding: "utf8" });
    expect(readme).toContain(`prints\n\n\`\`\`\n${out}\`\`\``);
  });

  it("has scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
    for (const [, name] of readme.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name);
  });

  it("has a table of values that is true", async () => {
    const rows = Array.from(
      readme.matchAll(/^\| `([^`]+)` \| (int64|double|string|bool|json|absence) \| `([^`]+)` \|$/gm),
    );
    expect(rows.length).toBeGreaterThan(8);
    const evaluate = (text: string): unknown => new Function(`return (${text})`)();
    const db = await open(":memory:");
    const props = Object.fromEntries(rows.map((row, i) => [`p${i}`, evaluate(row[1]!)]));
    await db.write([{ op: "assert_node", uid: "a", props, valid_from: "2020-01-01" }]);
    const { rows: versions } = await db.call("entity_history", { uid: "a" });
    const stored = (versions as unknown as { props: Record<string, unknown> }[])[0]!.props;
    for (const [i, row] of rows.entries()) expect([row[1], stored[`p${i}`]]).toEqual([row[1], evaluate(row[3]!)]);
    const columns = rows.map((_, i) => `props.p${i}`);
    const scanned = await db.call("scan", { of: "nodes", columns });
    const names: Record<string, string> = { int64: "int", double: "double", string: "string", bool: "bool" };
    const types = (scanned.columns as { type: string }[]).map((column) => column.type);
    expect(types).toEqual(rows.map((row) => names[row[2]!] ?? "json"));
    await db.close();
  });

  /** The names that a file of exports gives. */
  const exportsOf = (path: string): string[] =>
    Array.from(readFileSync(join(ROOT, path), "utf8").matchAll(/\{([^}]*)\}/g)).flatMap((match) =>
      match[1]!
        .split(",")
        .map((name) => name.replace(/type |\w+ as /g, "").trim())
        .filter((name) => name !== ""),
    );

  it("lists what palimpsest/agent gives, name by name", () => {
    const [, given] = /from "palimpsest\/agent"` gives ([\s\S]*?)\n\n/.exec(readme)!;
    const methods = ["ask", "verify", "write", "build", "list", "drop"];
    const listed = Array.from(given!.matchAll(/`(\w+)`/g), (match) => match[1]!);
    const names = new Set(listed.filter((name) => !methods.includes(name)));
    expect([...names].sort()).toEqual(exportsOf("src/agent/index.ts").sort());
  });

  it("lists the public surface, name by name", () => {
    const names = exportsOf("src/index.ts");
    const section = /## Public surface\n([\s\S]*?)\nA database has ([^.]*)\./.exec(readme)!;
    const listed = Array.from(section[1]!.matchAll(/`(\w+)`/g), (match) => match[1]);
    expect([...listed].sort()).toEqual([...names].sort());
    const methods = Array.from(section[2]!.matchAll(/`(\w+)`/g), (match) => match[1]!);
    const database = readFileSync(join(ROOT, "src/database.ts"), "utf8");
    for (const method of methods) expect(database).toMatch(new RegExp(`^  (?:async |get )?${method}[(<]`, "m"));
  });

  it("names paths that exist", () => {
    const paths = Array.from(readme.matchAll(/^\| `([\w/.-]+\/)` \|.*?\|(?: `([\w/.-]+)`)?/gm));
    expect(paths.length).toBeGreaterThan(10);
    for (const [, folder, first] of paths) {
      expect(existsSync(join(ROOT, folder!)), folder).toBe(true);
      if (first !== undefined) expect(existsSync(join(ROOT, folder!, first)), `${folder}${first}`).toBe(true);
    }
  });
});
