// What an export that fails leaves: no file, no folder that it made, and no state of the store that is held on to.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { exportStore } from "../../../src/interchange/export/export-store.js";
import type { TableSource } from "../../../src/interchange/export/tables.js";
import type { NativeView } from "../../../src/native/store.js";
import { Store } from "../../../src/store/store.js";
import { person } from "../../support/small-batches.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-left-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is nothing, wherever it fails", async () => {
  const store = await Store.open(":memory:", {});
  await store.write([person("a", {})]);
  const views: NativeView[] = [];
  const source: TableSource = {
    core: {
      publishedTx: store.core.publishedTx,
      view: (tx) => {
        views.push(store.core.view(tx));
        return views.at(-1)!;
      },
    },
    resolveInstant: (us) => store.resolveInstant(us),
    during: (work) => store.during(work),
  };
  const expectAllReleased = (): void => {
    expect(views.length).toBeGreaterThan(0);
    for (const view of views.splice(0)) expect(() => view.commit(1)).toThrow(/released|closed/);
  };
  try {
    writeFileSync(join(folder, "file"), "");
    for (const dest of [join(folder, "file", "in"), "/proc/nowhere"]) {
      await expect(exportStore(source, dest), dest).rejects.toMatchObject({ code: "E_IO" });
      expectAllReleased();
    }
    const onRows = (): never => {
      throw new Error("enough");
    };
    for (const format of ["csv", "arrow", "parquet"] as const) {
      const dest = join(folder, "one", "two", "three");
      await expect(exportStore(source, dest, { format, onRows }), format).rejects.toThrow("enough");
      expect(readdirSync(folder), format).toEqual(["file"]);
      expectAllReleased();
    }
    await exportStore(source, join(folder, "one", "two"));
    await expect(exportStore(source, join(folder, "one", "two", "three"), { onRows })).rejects.toThrow("enough");
    expect(readdirSync(join(folder, "one", "two")).sort()).toEqual(["edges.csv", "nodes.csv"]);
    expectAllReleased();
  } finally {
    await store.close();
  }
});
