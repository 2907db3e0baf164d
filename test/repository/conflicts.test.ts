// No file holds what a merge left undecided.
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

it("holds no marks of a conflict", () => {
  let found = "";
  try {
    found = execFileSync("git", ["grep", "-nIE", "^(<{7}|>{7}|[|]{7}) "], { encoding: "utf8" });
  } catch (error) {
    // Of git grep 1 is nothing found.
    if ((error as { status?: number }).status !== 1) throw error;
  }
  expect(found).toBe("");
});
