// An erasure takes the log in once more beside the store: what that holds counts against the memory limit, and where it
// does not fit nothing has changed.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { open, PalimpsestError } from "../../src/index.js";
import { messages, person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
const ERASE = [{ op: "erase", ref: { uid: "p3" } }] as const;

it("an erasure that does not fit into memory is E_LIMIT before anything has changed", { timeout: 60_000 }, async () => {
  const path = join(folder(), "store");
  const whole = await open(path);
  for (let i = 0; i < 3; i += 1) await whole.ingest(messages(10_000), { type: "M" });
  const digest = await whole.digest();
  await whole.close();

  const outcomes: string[] = [];
  for (let limit = 1 << 21; outcomes.at(-1) !== "erased"; limit = Math.ceil(limit * 1.5)) {
    const db = await open(path, { memoryLimitBytes: limit });
    const found = async (work: Promise<unknown>): Promise<PalimpsestError | null> =>
      work.then(
        () => null,
        (error: unknown) => error as PalimpsestError,
      );
    const written = await found(db.write([person(`limit ${limit}`)]));
    const before = await db.digest();
    if (outcomes.length === 0) expect(before).toBe(digest);
    const dryRun = await found(Promise.resolve(db.query("MATCH (n {uid: 'p3'}) ERASE n DRY RUN")));
    expect(await db.digest()).toBe(before);
    const erased = await found(db.write(ERASE));
    for (const error of [written, dryRun, erased]) {
      if (error === null) continue;
      expect(error).toBeInstanceOf(PalimpsestError);
      expect(error.code).toBe("E_LIMIT");
    }
    if (erased === null) {
      expect(dryRun).toBeNull();
      outcomes.push("erased");
    } else {
      outcomes.push(written === null ? "written" : "refused");
      expect(erased.details).toMatchObject({ outcome: "not_applied", limit_bytes: limit });
      expect(await db.digest()).toBe(before);
    }
    expect(readdirSync(join(path, "log")).filter((name) => !/^\d+\.plog$/.test(name))).toEqual([]);
    await db.close();
  }
  // There are limits under which the store takes writes, and is too large to be held twice.
  expect(outcomes).toContain("written");
  const after = await open(path);
  await expect(after.call("entity_history", { uid: "p3" })).rejects.toMatchObject({ code: "E_NOT_FOUND" });
  await after.close();
});
