// The example that joins a store with a Parquet file prints what its rows add up to.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "./command-line.js";

it("joins an answer, a belief of before and a Parquet file", () => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-join-"));
  try {
    const script = join(ROOT, "examples/join-with-duckdb.ts");
    const out = execFileSync(process.execPath, ["--import", "tsx", script, folder], { cwd: ROOT, encoding: "utf8" });
    expect(out.trimEnd().split("\n")).toEqual([
      "country  paid  believed_before",
      "DE  25  25",
      "IT  46  100",
      "3 people live somewhere",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
