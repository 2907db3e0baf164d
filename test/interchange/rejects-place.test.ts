// The file of refused records never takes the place of what is loaded, however it is named.
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { RejectsFile } from "../../src/interchange/rejects.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-rejects-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const TEXT = "src,dst,time\n";

it("is refused where it is the loaded file, by any of its names, or lies among the loaded ones", () => {
  const file = join(folder, "rows.csv");
  const exported = join(folder, "exported");
  mkdirSync(exported);
  for (const path of [file, join(exported, "nodes.csv")]) writeFileSync(path, TEXT);
  symlinkSync(file, join(folder, "symbolic"));
  linkSync(file, join(folder, "hard"));
  symlinkSync(exported, join(folder, "linked"));
  const before = readdirSync(folder).sort();
  for (const [path, loaded] of [
    [file, file],
    [join(folder, "exported", "..", "rows.csv"), file],
    [join(folder, "symbolic"), file],
    [join(folder, "hard"), file],
    [file, join(folder, "symbolic")],
    [join(exported, "nodes.csv"), exported],
    [join(folder, "linked", "nodes.csv"), exported],
  ] as const) {
    expect(() => new RejectsFile(path, loaded), path).toThrow(expect.objectContaining({ code: "E_INVALID_ARG" }));
    expect(readdirSync(folder).sort()).toEqual(before);
  }
  expect([readFileSync(file, "utf8"), readFileSync(join(exported, "nodes.csv"), "utf8")]).toEqual([TEXT, TEXT]);
});

it("takes the place of any other file when the load ends", () => {
  const path = join(folder, "refused.jsonl");
  writeFileSync(path, "of another day");
  const rejects = new RejectsFile(path, join(folder, "rows.csv"));
  rejects.add(new PalimpsestError("E_INVALID_ARG", "no time", { details: { line: 3 } }), Buffer.from("a,b,"));
  rejects.keep();
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    ...{ line: 3, column: null, value: null, code: "E_INVALID_ARG", reason: "no time", record: "a,b," },
  });
});

it("leaves nothing where its name was taken meanwhile", () => {
  const inside = mkdtempSync(join(folder, "taken-"));
  const path = join(inside, "refused.jsonl");
  const rejects = new RejectsFile(path, join(folder, "rows.csv"));
  mkdirSync(path);
  expect(() => rejects.keep()).toThrow(expect.objectContaining({ code: "E_IO" }));
  rejects.drop();
  expect(readdirSync(inside)).toEqual(["refused.jsonl"]);
});
