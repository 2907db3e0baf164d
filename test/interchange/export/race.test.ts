// Two exports to one place at once: one of them is refused, and what is there is all of the other.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Database, open } from "../../../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-race-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function storeOf(name: string): Promise<Database> {
  const db = await open(":memory:");
  const edges = Array.from({ length: 50 }, (_, i) => ({
    ...({ op: "assert_edge", src: name, type: name, dst: `${name}${i}`, props: {}, valid_from: "2020-01-01" } as const),
  }));
  await db.write([{ op: "assert_node", uid: name, labels: [name], props: {}, valid_from: "2020-01-01" }, ...edges]);
  return db;
}

describe.each(["csv", "parquet", "arrow"] as const)("exports to %s", (format) => {
  it("do not take each other's place", async () => {
    const stores = await Promise.all(["A", "B", "C"].map(storeOf));
    const alone = await Promise.all(
      stores.map(async (db, i) => {
        const path = join(folder, `${format}-alone-${i}`);
        await db.export(path, { format });
        return path;
      }),
    );
    for (let round = 0; round < 5; round += 1) {
      const path = join(folder, `${format}-${round}`);
      const outcomes = await Promise.allSettled(stores.map((db) => db.export(path, { format })));
      const winners = outcomes.flatMap(({ status }, i) => (status === "fulfilled" ? [i] : []));
      expect(winners).toHaveLength(1);
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "E_STATE" });
      }
      const names = [`edges.${format}`, `nodes.${format}`];
      expect(readdirSync(path).sort()).toEqual(names);
      for (const name of names) {
        const own = readFileSync(join(alone[winners[0]!]!, name));
        expect(readFileSync(join(path, name)).equals(own), `${path}/${name}`).toBe(true);
      }
    }
    const [first, second] = stores as [Database, Database];
    const path = join(folder, `${format}-0`);
    await expect(first.export(path, { format })).rejects.toMatchObject({ code: "E_STATE" });
    await second.export(path, { format, overwrite: true });
    expect(readFileSync(join(path, `edges.${format}`)).equals(readFileSync(join(alone[1]!, `edges.${format}`)))).toBe(
      true,
    );
    for (const db of stores) await db.close();
  });
});
