// Records that are long or have very many fields: read, or refused at the right byte, in time and memory that grow with
// the file and not with its square. The limits are a small part of what the square took.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readLines } from "../../src/interchange/lines.js";
import { readText, refusalOf, withEvents } from "./reading.js";

const SOON = { timeout: 10_000, retry: 2 };
const MIB = 1 << 20;
const ALL = { allProps: true };

/** Bytes before the first one that is no UTF-8, found by trying every prefix. */
function goodBytes(bytes: Uint8Array): number {
  for (let length = bytes.length; length > 0; length -= 1) {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length));
      return length;
    } catch {
      // A shorter one may be.
    }
  }
  return 0;
}

it("names the first byte that is no UTF-8, wherever it stands", async () => {
  const piece = fc.constantFrom("61", "c3a9", "e282ac", "f09f9880", "ff", "80", "c3", "e282", "f09f98");
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
      const record = Buffer.concat([Buffer.from("x"), ...pieces.map((hex) => Buffer.from(hex, "hex"))]);
      const good = goodBytes(record);
      if (good === record.length) return;
      const { message } = await refusalOf(Buffer.concat([Buffer.from("a,b,1\n"), record, Buffer.from("\n")]), {
        hasHeader: false,
        columns: { src: "1", dst: "2", time: "3" },
      });
      expect(message).toContain(`line 2: byte ${good + 1} of the line is not UTF-8`);
    }),
    { numRuns: 200 },
  );
});

it("refuses a long record with one wrong byte at once", SOON, async () => {
  const record = Buffer.alloc(MIB, "a");
  record[MIB / 2] = 0xff;
  const { message } = await refusalOf(Buffer.concat([Buffer.from("src,dst,time\n"), record]));
  expect(message).toContain(`line 2: byte ${MIB / 2 + 1} of the line is not UTF-8`);
});

it("reads a line of many chunks, and tells one that is too long", SOON, async () => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-long-"));
  const file = join(folder, "long.txt");
  try {
    const long = Buffer.alloc(32 * MIB, "a");
    writeFileSync(file, Buffer.concat([Buffer.from("first\n"), long, Buffer.from("\nlast")]));
    const found: [number, number][] = [];
    for await (const { number, text } of readLines(file, { longestBytes: 32 * MIB })) found.push([number, text.length]);
    expect(found).toEqual([
      [1, 5],
      [2, 32 * MIB],
      [3, 4],
    ]);
    const reading = (async () => {
      for await (const _ of readLines(file, { longestBytes: 16 * MIB }));
    })();
    await expect(reading).rejects.toThrow(`line 2: a record of more than ${16 * MIB} bytes`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("reads an object of many keys", SOON, async () => {
  const keys = Array.from({ length: 10_000 }, (_, i) => [`key${i}`, i] as const);
  const line = JSON.stringify({ src: "a", dst: "b", time: 1, ...Object.fromEntries(keys) });
  const { rows } = await readText(`${line}\n`, { format: "jsonl", columns: ALL }, "events.jsonl");
  expect(rows).toHaveLength(1);
  expect(Object.keys(rows[0]!.props)).toHaveLength(10_000);
  for (const [key, value] of keys) expect(rows[0]!.props[key]).toBe(BigInt(value));
});

it("reads a header of many names", SOON, async () => {
  const names = Array.from({ length: 40_000 }, (_, i) => `name${i}`);
  const cells = names.map((_, i) => (i === 17 ? "5" : ""));
  const text = `src,dst,time,${names.join(",")}\na,b,1,${cells.join(",")}\n`;
  const { rows } = await readText(text, { columns: ALL });
  expect(rows).toEqual([{ src: "a", dst: "b", time: 1_000_000n, props: { name17: 5n } }]);
});

it("ends a piece early where each row has other properties, and loses none of them", { timeout: 60_000 }, async () => {
  const count = 2_500;
  const kinds = (i: number) => [i, i + 0.5, i % 2 === 0, `t${i}`, [i]][i % 5];
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ src: "a", dst: "b", time: i, [`key${i}`]: kinds(i) }),
  );
  let row = 0;
  const check = async (pieces: Parameters<Parameters<typeof withEvents>[2]>[0]): Promise<void> => {
    for await (const piece of pieces) {
      // A piece of all rows would have six million cells.
      expect(piece.rows * piece.props.length).toBeLessThan(5_000_000);
      expect(piece.props.map(({ name }) => name)).toEqual(
        Array.from({ length: piece.rows }, (_, i) => `key${row + i}`),
      );
      for (const [i, { present, kind, values }] of piece.props.entries()) {
        expect([present.length, present.indexOf(1), present.lastIndexOf(1)]).toEqual([piece.rows, i, i]);
        const given = kinds(row + i);
        if (kind === "int64") expect(values[i]).toBe(BigInt(given as number));
        else if (kind === "double") expect(values[i]).toBe(given);
        else if (kind === "bool") expect(values[i]).toBe(given === true ? 1 : 0);
        else {
          const { bytes, ends } = values;
          const text = Buffer.from(bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i])).toString();
          expect(text).toBe(kind === "string" ? given : JSON.stringify(given));
        }
      }
      row += piece.rows;
    }
  };
  await withEvents(lines.join("\n"), { format: "jsonl", columns: ALL }, check, "events.jsonl");
  expect(row).toBe(count);
});
