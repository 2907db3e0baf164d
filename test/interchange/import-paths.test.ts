// What is given to import and is no export: not there, unreadable, empty, of another kind. Each says what is wrong and what
// would mend it, and leaves the store as it was.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-import-"));
let db: Database;
beforeAll(async () => {
  db = await open(":memory:");
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text = ""): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function refusalOf(path: unknown): Promise<{ code: string; message: string; hint: string }> {
  try {
    await db.import(path as string);
  } catch (error) {
    expect(error).toMatchObject({ name: "PalimpsestError" });
    expect((await db.head()).tx).toBe(0);
    return error as { code: string; message: string; hint: string };
  }
  throw new Error(`${String(path)} was taken`);
}

describe("a path that holds no export", () => {
  it.each(["nowhere", "nowhere.csv", "nowhere.parquet", "nowhere.arrow", "nowhere.jsonl.gz", "nowhere/nodes.csv"])(
    "is told to be absent before its name is judged: %s",
    async (name) => {
      const path = join(folder, name);
      const { code, message, hint } = await refusalOf(path);
      expect([code, message]).toEqual(["E_IO", `${path}: there is no such file or folder`]);
      expect(hint).toContain("path");
    },
  );

  it("is told to be absent below a file, too", async () => {
    const path = join(file("plain.csv", "x\n"), "nodes.csv");
    const { code, message } = await refusalOf(path);
    expect([code, message]).toEqual(["E_IO", `${path}: there is no such file or folder`]);
  });

  it.each([
    ["a.pdf", "", "by its name", "palimpsest load"],
    ["graph.graphml", "<graphml/>", "by its name", "palimpsest load"],
    ["edges.txt", "1 2 3\n", "by its name", "palimpsest load"],
    ["noending", "", "by its name", "palimpsest load"],
    ["other.csv", "x,y\n1,2\n", "header", "palimpsest load"],
    ["other.jsonl", '{"x":1}\n', "is no version", "palimpsest load"],
    ["empty.csv", "", "empty", "nothing to load"],
    ["empty.tsv", "", "empty", "nothing to load"],
    ["empty.jsonl", "", "no versions", "empty"],
    ["empty.parquet", "", "Parquet", "cut short"],
    ["empty.arrow", "", "Arrow", "cut short"],
    ["empty.jsonl.gz", "", "gzip", "again"],
  ])("is refused with what would mend it: %s", async (name, text, cause, mend) => {
    const path = file(name, text);
    const { code, message, hint } = await refusalOf(path);
    expect(code).toBe("E_INVALID_ARG");
    expect(message).toContain(path);
    expect(message).toContain(cause);
    expect(hint).toContain(mend);
    // Flags are of the command line alone.
    expect(hint).not.toContain("--");
  });

  it("is refused where it is a folder of other files, or a folder by the name of a file", async () => {
    for (const name of ["others", "folder.csv"]) {
      mkdirSync(join(folder, name));
      const { code, message, hint } = await refusalOf(join(folder, name));
      expect([code, message]).toEqual(["E_INVALID_ARG", `${join(folder, name)}: no files of an export are there`]);
      expect(hint).toContain("nodes.csv");
    }
    const inner = join(folder, "others", "nodes.csv");
    mkdirSync(inner);
    expect(await refusalOf(join(folder, "others"))).toMatchObject({
      code: "E_IO",
      message: `${inner}: is a directory`,
    });
  });

  it.skipIf(process.platform === "win32")("is refused where it may not be read", async () => {
    chmodSync(folder, 0o755);
    const [path, closed] = [file("secret.csv", "x\n"), join(folder, "closed")];
    mkdirSync(closed);
    for (const each of [path, closed]) chmodSync(each, 0);
    // Whoever is above all rights steps down while it asks.
    const isAbove = process.geteuid!() === 0;
    if (isAbove) process.seteuid!(65534);
    try {
      for (const each of [path, closed]) {
        const { code, message, hint } = await refusalOf(each);
        expect([code, message]).toEqual(["E_IO", `${each}: it may not be read`]);
        expect(hint).toContain("right");
      }
    } finally {
      if (isAbove) process.seteuid!(0);
      for (const each of [path, closed]) chmodSync(each, 0o755);
    }
  });

  it.each(["", "a\0b", 5, null, undefined])("is refused where it is no path: %j", async (path) => {
    expect(await refusalOf(path)).toMatchObject({ code: "E_INVALID_ARG", hint: expect.stringContaining("folder") });
  });
});
