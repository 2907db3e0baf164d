// A full disk, for real: a file system of a few megabytes in memory. Needs the right to mount one; skipped with a
// printed line where that is missing.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { open } from "../../src/database.js";
import { Random } from "../support/random.js";
import { person } from "../support/small-batches.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const place = temporaryFolder();
const MEGABYTE = 1 << 20;

function mount(folder: string): boolean {
  mkdirSync(folder);
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "palimpsest-test", folder]).status === 0;
}
const unmount = (folder: string): void => void spawnSync("umount", [folder]);

const canMount = (() => {
  const probe = `/tmp/palimpsest-mount-${process.pid}`;
  const isMounted = mount(probe);
  if (isMounted) unmount(probe);
  rmSync(probe, { recursive: true, force: true });
  if (!isMounted) console.log("skipped: no right to mount a small file system");
  return isMounted;
})();

describe.skipIf(!canMount)("a real full disk", () => {
  test("is E_IO not_applied; the handle goes on when there is room, and nothing acknowledged is lost", async () => {
    const disk = join(place(), "disk");
    mount(disk);
    try {
      const ballast = join(disk, "ballast");
      writeFileSync(ballast, new Uint8Array(1.5 * MEGABYTE));
      const path = join(disk, "store");
      const db = await open(path);
      const text = "x".repeat(200_000);
      let written = 0;
      const error = await (async () => {
        for (; written < 100; written += 1) await db.write([person(`n${written}`, { text })]);
      })().catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "E_IO", details: { outcome: "not_applied", os_code: "ENOSPC" } });
      expect(written).toBeGreaterThan(3);
      expect((await db.head()).tx).toBe(written);
      const digest = await db.digest();
      rmSync(ballast);
      const { tx } = await db.write([person("roomy", { text })]);
      expect(tx).toBe(written + 1);
      await db.close();
      expect(statSync(join(path, "log", "0000000001.plog")).size).toBeLessThan((written + 2) * 201_000);
      const again = await open(path);
      expect((await again.head()).tx).toBe(written + 1);
      expect(await again.digest()).not.toBe(digest);
      await again.close();
    } finally {
      unmount(disk);
    }
  });

  test("makes opening a new store E_IO, and leaves an old one readable", async () => {
    const disk = join(place(), "disk");
    mount(disk);
    try {
      const path = join(disk, "store");
      const db = await open(path);
      await db.write([person("a")]);
      await db.close();
      writeFileSync(join(disk, "rest"), new Uint8Array(8 * MEGABYTE), { flag: "w" });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
    }
    try {
      await expect(open(join(disk, "other"))).rejects.toMatchObject({ code: "E_IO" });
      const reader = await open(join(disk, "store"), { readOnly: true });
      expect((await reader.head()).tx).toBe(1);
      await reader.close();
    } finally {
      unmount(disk);
    }
  });

  test.each(["csv", "jsonl", "parquet", "arrow"] as const)(
    "ends an export as %s with E_IO, and leaves no file",
    async (format) => {
      const disk = join(place(), "disk");
      mount(disk);
      const db = await open(":memory:");
      try {
        const count = 100_000;
        // Texts that no format packs into the room that there is.
        const random = new Random(1);
        const text = (): string => Array.from({ length: 12 }, () => random.below(2 ** 31).toString(36)).join("");
        await db.ingest(
          {
            src: Array.from({ length: count }, text),
            dst: Array.from({ length: count }, (_, i) => `n${i}`),
            time: BigInt64Array.from({ length: count }, (_, i) => BigInt(i)),
          },
          { type: "R" },
        );
        const target = join(disk, "out");
        await expect(db.export(target, { format })).rejects.toMatchObject({ code: "E_IO" });
        const left = existsSync(target) ? readdirSync(target) : [];
        expect(left).toEqual([]);
      } finally {
        await db.close();
        unmount(disk);
      }
    },
  );
});
