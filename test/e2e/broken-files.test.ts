// Two hundred seeded broken files: each is refused with its place and leaves the store as it was, byte by byte, or it is
// a legal file after all and loads. Which of the two is decided by a judge of the test's own.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoadFlags } from "../../src/cli/load/flags.js";
import { loadInto } from "../../src/cli/load/load.js";
import { type Database, open, PalimpsestError } from "../../src/index.js";
import { BREAKS, FORMATS, type Format, goodFile, randomOf } from "../interchange/broken-files.js";
import { judge } from "../interchange/file-judge.js";

const FILES_PER_FORMAT = 76;
const ENDINGS = { csv: "csv", tsv: "tsv", jsonl: "jsonl", snap: "txt" } as const;
const FLAGS: LoadFlags = { header: true, onError: "stop" };
const flagsOf = (format: Format): LoadFlags =>
  format === "snap" ? FLAGS : { ...FLAGS, validTo: "until", props: ["note"] };

let folder: string;
let db: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "palimpsest-broken-"));
  db = await open(join(folder, "store"));
  await db.write([{ op: "assert_node", uid: "first", valid_from: "2020-01-01" }]);
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every file of the store, with its bytes. */
function storeFiles(): string {
  const names = readdirSync(join(folder, "store"), { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(folder, "store", name)).isFile());
  return files.map((name) => `${name} ${readFileSync(join(folder, "store", name)).toString("base64")}`).join("\n");
}

async function refusalOf(file: string, format: Format): Promise<PalimpsestError | null> {
  try {
    await loadInto(db, file, flagsOf(format), new AbortController().signal);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(PalimpsestError);
    return error as PalimpsestError;
  }
}

const CODES = ["E_INVALID_ARG", "E_SCHEMA", "E_PERIOD_ORDER", "E_ZONE_MISSING", "E_EPOCH_UNIT", "E_LIMIT"];

describe.each(FORMATS)("broken %s", (format) => {
  const found = { refused: 0, legal: 0 };

  it("is refused with its place and changes nothing, or is legal", async () => {
    const names = Object.keys(BREAKS);
    for (let seed = 0; seed < FILES_PER_FORMAT; seed += 1) {
      const below = randomOf(seed * 4 + FORMATS.indexOf(format));
      const name = names[seed % names.length]!;
      const bytes = BREAKS[name]!(goodFile(format, below), below, format);
      const file = join(folder, `${format}-${seed}.${ENDINGS[format]}`);
      writeFileSync(file, bytes);
      const before = { digest: await db.digest(), files: storeFiles(), edges: (await db.info()).edges };
      const verdict = judge(bytes, format);
      const error = await refusalOf(file, format);
      const what = `${name}, seed ${seed}`;
      if ("rows" in verdict) {
        found.legal += 1;
        expect([what, error?.message ?? null]).toEqual([what, null]);
        expect([what, (await db.info()).edges - before.edges]).toEqual([what, verdict.rows]);
        continue;
      }
      found.refused += 1;
      expect([what, error === null ? "loaded" : CODES.includes(error.code) || error.code]).toEqual([what, true]);
      expect(error!.message).toContain(file);
      if (verdict.badLine !== null) {
        expect([what, error!.details.line, error!.message]).toEqual([what, verdict.badLine, error!.message]);
        expect(error!.message).toContain(`line ${verdict.badLine}`);
      }
      expect([what, await db.digest()]).toEqual([what, before.digest]);
      expect(storeFiles() === before.files ? what : `${what} changed files of the store`).toBe(what);
    }
  });

  it("was broken mostly, and sometimes not", () => {
    expect(found.refused).toBeGreaterThan(FILES_PER_FORMAT / 3);
    expect(found.legal).toBeGreaterThan(3);
  });
});

describe.each(["csv", "jsonl"] as const)("broken exports as %s", (format) => {
  it("are refused with their place and change nothing, or load whole", async () => {
    const good = await open(":memory:");
    await good.write([{ op: "assert_node", uid: "n1", labels: ["L"], props: { é: "x,y" }, valid_from: "2020-01-01" }], {
      txTime: "2021-01-01",
    });
    const edges = Array.from({ length: 9 }, (_, i) => ({
      ...{ op: "assert_edge" as const, src: `n${i % 3}`, dst: "é", type: "T", key: `${i}`, valid_from: "2020-01-01" },
      ...{ valid_to: "2020-02-01", props: { n: i, s: `"${i}"` } },
    }));
    await good.write(edges, { txTime: "2021-01-02" });
    const { files } = await good.export(join(folder, `export-${format}`), { format });
    let refused = 0;
    for (const [i, name] of Object.keys(BREAKS).entries()) {
      const file = join(folder, `export-${i}.${format}`);
      const whole = readFileSync(files[1]!);
      const bytes = BREAKS[name]!(whole, randomOf(i), format);
      writeFileSync(file, bytes);
      const fresh = await open(":memory:");
      const before = await fresh.digest();
      try {
        const { versions } = await fresh.import(file);
        expect([name, versions]).toEqual([name, (await fresh.info()).edge_versions]);
        if (bytes.equals(whole)) expect(versions).toBe(9);
      } catch (error) {
        refused += 1;
        expect([name, error instanceof PalimpsestError && CODES.includes(error.code)]).toEqual([name, true]);
        expect((error as PalimpsestError).message).toContain(file);
        expect([name, await fresh.digest()]).toEqual([name, before]);
      }
      await fresh.close();
    }
    await good.close();
    expect(refused).toBeGreaterThan(15);
  });
});
