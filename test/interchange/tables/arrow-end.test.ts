// Arrow data that was cut: wherever that is, also between two messages, it is refused, and never taken for less than it was.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RecordBatchReader, tableFromArrays, tableToIPC } from "apache-arrow";
import { afterAll, describe, expect, it } from "vitest";
import type { PalimpsestError } from "../../../src/contract/errors.js";
import { bytesReader, fileReader } from "../../../src/interchange/tables/arrow-reader.js";
import type { TableReader } from "../../../src/interchange/tables/table-reader.js";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-arrow-end-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const PARTS = 3;
const part = (i: number) => tableFromArrays({ n: BigInt64Array.from([BigInt(i), 1n]), x: Float64Array.from([i, 0]) });
const table = part(0).concat(part(1), part(2));
const options = { name: "data", zone: null, rowsPerPiece: 100 };

async function rowsOf(reader: TableReader): Promise<number> {
  let rows = 0;
  try {
    for await (const piece of reader.pieces(reader.columns)) rows += piece.rowCount;
  } finally {
    await reader.close();
  }
  return rows;
}

/** How many rows are read, or the error. */
async function read(bytes: Uint8Array): Promise<readonly (number | PalimpsestError)[]> {
  const path = join(folder, "data.arrow");
  writeFileSync(path, bytes);
  const ways = [async () => bytesReader(bytes, options), async () => fileReader(path, { ...options, name: path })];
  return Promise.all(
    ways.map((way) =>
      way()
        .then(rowsOf)
        .catch((error: PalimpsestError) => error),
    ),
  );
}

describe.each(["stream", "file"] as const)("a %s of Arrow", (form) => {
  const whole = tableToIPC(table, form);

  it("is read to its end", async () => {
    expect([...RecordBatchReader.from(whole)]).toHaveLength(PARTS);
    expect(await read(whole)).toEqual([2 * PARTS, 2 * PARTS]);
  });

  it("is refused wherever it was cut", async () => {
    const positions: unknown[] = [];
    for (let length = 0; length < whole.length; length += 4) {
      for (const outcome of await read(whole.slice(0, length))) {
        expect(outcome, `cut at ${length} of ${whole.length}`).toMatchObject({ code: "E_INVALID_ARG" });
        positions.push((outcome as PalimpsestError).details.position);
      }
    }
    expect(positions.filter((position) => typeof position === "number").length).toBeGreaterThan(PARTS);
  });
});
