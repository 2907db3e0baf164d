// Answers into a file: it appears when all is there, and where it cannot, nothing of it stays.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { fileSink } from "../../src/cli/sink.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-sink-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("keeps what was written, drops it, and leaves nothing where its name was taken meanwhile", async () => {
  const path = join(folder, "answer.txt");
  writeFileSync(path, "of another day");
  const [kept, dropped] = [await fileSink(path), await fileSink(path)];
  await kept.write("rows\n");
  await dropped.write("others\n");
  expect(readFileSync(path, "utf8")).toBe("of another day");
  await kept.keep();
  await dropped.drop();
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["rows\n", ["answer.txt"]]);

  const taken = join(folder, "taken");
  const late = await fileSink(taken);
  await late.write("rows\n");
  mkdirSync(taken);
  await expect(late.keep()).rejects.toMatchObject({ code: "E_IO" });
  expect(readdirSync(folder).sort()).toEqual(["answer.txt", "taken"]);
});
