// Batches as IPC data: no batch is made before somebody takes the bytes of the one before, and what fails says so itself.
import { type RecordBatch, RecordBatchReader, tableFromArrays } from "apache-arrow";
import { expect, it } from "vitest";
import { ipcBytes } from "../../../src/interchange/export/arrow.js";

const COUNT = 20;
const batch = (i: number): RecordBatch => tableFromArrays({ n: Int32Array.of(i, 100 + i) }).batches[0]!;

it.each([true, false])("is read back as it was given, batch by batch, file: %s", async (isFile) => {
  let made = 0;
  async function* batches() {
    for (; made < COUNT; made += 1) yield batch(made);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of ipcBytes(batches(), { isFile })) {
    const ahead = made;
    // A turn in which a writer that did not wait would go on.
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBe(ahead);
    pieces.push(piece);
  }
  expect(made).toBe(COUNT);
  const found = [...RecordBatchReader.from(Buffer.concat(pieces))].map((each) => [...each.getChild("n")!.toArray()]);
  expect(found).toEqual(Array.from({ length: COUNT }, (_, i) => [i, 100 + i]));
});

it("ends with what the batches ended with, and ends them where nobody reads on", async () => {
  let isEnded = false;
  async function* failing() {
    try {
      yield batch(1);
      yield batch(2);
      throw new Error("no more rows");
    } finally {
      isEnded = true;
    }
  }
  const reading = (async () => {
    for await (const _ of ipcBytes(failing(), { isFile: true }));
  })();
  await expect(reading).rejects.toThrow("no more rows");
  isEnded = false;
  for await (const _ of ipcBytes(failing(), { isFile: true })) break;
  expect(isEnded).toBe(true);
});
