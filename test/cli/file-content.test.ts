// Scripts, plans and policies are UTF-8: other bytes are refused, and not read as other letters.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { contentOfFile } from "../../src/cli/file-content.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-content-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is the text of the file, without a byte order mark", () => {
  const path = join(folder, "script.tql");
  writeFileSync(path, Buffer.from("efbbbf53454c45435420c3a9", "hex"));
  expect(contentOfFile(path)).toBe("SELECT é");
});

it("is refused where the bytes are not UTF-8, and where there is none", () => {
  const path = join(folder, "latin1.tql");
  writeFileSync(path, Buffer.from("SELECT 'é'", "latin1"));
  expect(() => contentOfFile(path)).toThrow(expect.objectContaining({ code: "E_INVALID_ARG" }));
  expect(() => contentOfFile(join(folder, "none"))).toThrow(expect.objectContaining({ code: "E_IO" }));
  expect(() => contentOfFile(folder)).toThrow(expect.objectContaining({ code: "E_IO" }));
});
