// The reference decoder of event blocks: the worked example of FORMAT.md, every code by hand, and damaged bytes.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { BlockReader } from "../../src/reference/block-codes.js";
import { decodeEventBlock } from "../../src/reference/block-decoder.js";
import { replayCommits } from "../../src/reference/index.js";
import { parseInstant } from "../../src/reference/instants.js";

const FORMAT = fileURLToPath(new URL("../../native/core/store/FORMAT.md", import.meta.url));

/** The bytes of the worked example, as the document prints them. */
function exampleFile(): Uint8Array {
  const lines = readFileSync(FORMAT, "utf8").matchAll(/^[0-9a-f]{4} {2}((?:[0-9a-f]{2} ?){1,16})/gm);
  return Uint8Array.from(
    [...lines].flatMap(([, hex]) => hex!.trim().split(" ")).map((byte) => Number.parseInt(byte, 16)),
  );
}

const reader = (...bytes: number[]) => new BlockReader(Uint8Array.from(bytes));
const ascii = (text: string) => [...Buffer.from(text, "ascii")];

describe("the worked example of FORMAT.md", () => {
  const file = exampleFile();
  const block = file.subarray(0x210, 0x210 + 65);

  it("decodes to three messages", () => {
    const props = (value: bigint) => Object.assign(Object.create(null), { chars: value });
    const row = { kind: "event", type: "MESSAGE", key: null };
    const at = (time: string) => parseInstant(`2004-04-15T${time}Z`);
    const instant = (time: string) => ({ validFrom: at(time), validTo: at(time) + 1n });
    expect(decodeEventBlock(block)).toEqual({
      newUids: ["bob", "eve"],
      rows: [
        { ...row, src: 0, dst: 1, ...instant("08:02:41"), props: props(120n) },
        { ...row, src: 0, dst: 2, ...instant("08:02:51"), props: {} },
        { ...row, src: 2, dst: 1, ...instant("08:03:21"), props: props(7n) },
      ],
    });
  });

  it("replays to the store that the same writes make", () => {
    const content = (from: number, length: number) => file.subarray(from, from + length);
    const store = replayCommits([
      {
        tx: 1,
        txTimeUs: parseInstant("2026-01-02T03:04:05Z"),
        items: [
          { kind: "idempotency_key", content: content(0xc0, 8) },
          { kind: "operation", content: content(0xe0, 123) },
        ],
      },
      { tx: 0, txTimeUs: parseInstant("2026-01-02T03:04:05.500000Z"), items: [] },
      {
        tx: 2,
        txTimeUs: parseInstant("2026-01-02T03:04:06Z"),
        items: [
          { kind: "operation", content: content(0x1c8, 47) },
          { kind: "block", content: block },
        ],
      },
    ]);
    const events = store.call("scan", {
      of: "events",
      kind: null,
      names: null,
      valid: null,
      tx: null,
      where: { types: null, keys: null, edge: [], src: null, dst: null, node: null },
      columns: ["src", "dst", "key", "props.chars"],
      stride: null,
      zone: "UTC",
      as_of_tt: "tx:2",
      limit: 100,
      cursor: null,
    });
    expect((events.payload.rows as object[]).map(Object.values)).toEqual([
      ["ann", "bob", "#1", 120],
      ["ann", "eve", "#2", null],
      ["eve", "bob", "#3", 7],
    ]);
  });

  it("refuses every truncation, and survives every flipped bit", () => {
    for (let length = 0; length < block.length; length++) {
      expect(() => decodeEventBlock(block.subarray(0, length))).toThrow(PalimpsestError);
    }
    for (let bit = 0; bit < block.length * 8; bit++) {
      const flipped = Uint8Array.from(block);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      try {
        decodeEventBlock(flipped);
      } catch (error) {
        expect(error).toMatchObject({ code: "E_LOG_CORRUPT" });
      }
    }
  });
});

describe("codes", () => {
  it("varints of up to 64 bits", () => {
    expect(reader(0xac, 0x02).varint()).toBe(300n);
    expect(reader(255, 255, 255, 255, 255, 255, 255, 255, 255, 1).varint()).toBe(2n ** 64n - 1n);
    expect(() => reader(255, 255, 255, 255, 255, 255, 255, 255, 255, 2).varint()).toThrow(PalimpsestError);
  });

  it("integers in a stream of bits, with base, divisor and slope", () => {
    // width 3, base -5, divisor 10, codes 1 2 7: 001 010 111 from the lowest bit on.
    expect(reader(3, 9, 10, 0b11_010_001, 0b1).ints(3)).toEqual([5n, 15n, 65n]);
    // slope -1536 per 1024 rows, rounded down: 0, -1.5, -3.
    expect(reader(0x80, 0, 1, 0xff, 0x17).ints(3)).toEqual([0n, -2n, -3n]);
    // the least int64: base zigzag 2^64 - 1.
    expect(reader(0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1).ints(1)).toEqual([-(2n ** 63n)]);
    expect(() => reader(3, 0, 1, 0b10_000_000, 0b10).ints(3)).toThrow(/left over/);
  });

  it("integers of 64 bits wrap around", () => {
    expect(reader(64, 2, 1, 255, 255, 255, 255, 255, 255, 255, 255).ints(1)).toEqual([0n]);
  });

  it("1,024 integers in 16 lanes", () => {
    const width = 13;
    const codes = Array.from({ length: 1024 }, (_, i) => (i * 37) % 8192);
    const words = Array.from({ length: 16 * width }, () => 0n);
    for (const [i, code] of codes.entries()) {
      for (let bit = 0; bit < width; bit++) {
        if (((code >> bit) & 1) === 0) continue;
        const position = Math.floor(i / 16) * width + bit;
        words[16 * Math.floor(position / 64) + (i % 16)]! |= 1n << BigInt(position % 64);
      }
    }
    const bytes = new Uint8Array(new BigUint64Array(words).buffer);
    expect(reader(width, 0, 1, ...bytes).ints(1024)).toEqual(codes.map(BigInt));
  });

  it("texts plain, by dictionary, and numbered", () => {
    const plain = [1, 2, 1, 0b01, ...ascii("xyz")]; // lengths 2 1: base 1, divisor 1, codes 1 0
    expect(reader(0, ...plain).texts(2)).toEqual(["xy", "z"]);
    expect(reader(1, 2, ...plain, 1, 0, 1, 0b101).texts(3)).toEqual(["z", "xy", "z"]);
    expect(reader(2, 1, ...ascii("u"), 8, 0, 1, 7, 255).texts(2)).toEqual(["u7", "u255"]);
    expect(() => reader(0, 0, 2, 0xff).texts(1)).toThrow(/UTF-8/);
  });

  it("doubles whole, and as decimals", () => {
    const bytes = new Uint8Array(new Float64Array([0.1, -1e300]).buffer);
    expect(reader(0, ...bytes).doubles(2)).toEqual([0.1, -1e300]);
    expect(reader(1, 2, 8, 0, 1, 15, 30).doubles(2)).toEqual([0.15, 0.3]);
  });
});

describe("a block with everything", () => {
  // Three rows, no new uids: an event 0 -> 1 with key k and open end, a hole with a number, an event 1 -> 0 of 5 µs whose key is chosen.
  const bytes = Uint8Array.from(
    [
      [1, 2, 3, 0],
      [1, 0, 1, 0b100], // src 0 0 1
      [1, 0, 1, 0b001], // dst 1 0 0
      [2, 0, 0, 2, ...ascii("RS")], // two types of one byte
      [1, 0, 1, 0b100], // R R S
      [4, 0, 1, 0x09, 0x07], // valid_from 9 0 7
      [2, 0, 1, 0b00_01_10], // open, instant, duration
      [0, 10], // one duration of 5
      [1, 0, 1, 0b110, 0, 0, 2, ...ascii("k")], // given, chosen, chosen; "k"
      [1, 0, 1, 0b010], // event, hole with a number, event
      [2], // two columns
      [2, 1, ...ascii("b"), 1, 0, 1, 0b001, 0, 2], // bool b: true in row 0
      [4, 1, ...ascii("j"), 1, 0, 1, 0b100, 0, 0, 12, ...ascii("[1,2.5]").slice(0, 6)],
    ].flat(),
  );

  it("shows keys, holes, ends, classes of values; broken JSON is damage", () => {
    expect(() => decodeEventBlock(bytes)).toThrow(expect.objectContaining({ code: "E_LOG_CORRUPT" }));
    const whole = Uint8Array.from([...bytes, "]".charCodeAt(0)]);
    whole[bytes.length - 7] = 14; // seven bytes of JSON
    const { newUids, rows } = decodeEventBlock(whole);
    expect(newUids).toEqual([]);
    expect(rows.map(({ kind, key, type, validFrom, validTo }) => [kind, key, type, validFrom, validTo])).toEqual([
      ["event", "k", "R", 9n, null],
      ["hole_with_number", null, "R", 0n, 1n],
      ["event", null, "S", 7n, 12n],
    ]);
    expect(rows.map(({ props }) => ({ ...props }))).toEqual([{ b: true }, {}, { j: [1, 2.5] }]);
  });

  it("replays holes and erased items as numbers that are spent", () => {
    const whole = Uint8Array.from([...bytes, "]".charCodeAt(0)]);
    whole[bytes.length - 7] = 14;
    const operation = Buffer.from('{"op":"ingest_events"}');
    const store = replayCommits([
      {
        tx: 1,
        txTimeUs: 1n,
        items: [
          { kind: "erased", edgeNumbers: 4, nodeNumbers: 2, keptUids: [{ place: 1, uid: "b" }] },
          {
            kind: "operation",
            content: Buffer.from(
              '{"op":"assert_edge","src":"x","type":"T","dst":"b","valid_from":"2020-01-01T00:00:00Z"}',
            ),
          },
        ],
      },
      {
        tx: 2,
        txTimeUs: 2n,
        items: [
          { kind: "operation", content: operation },
          { kind: "block", content: renumbered(whole) },
        ],
      },
    ]);
    const { payload } = store.call("scan", {
      of: "edges",
      kind: null,
      names: null,
      valid: null,
      tx: null,
      where: { types: null, keys: null, edge: [], src: null, dst: null, node: null },
      columns: ["src", "dst", "key", "seq"],
      stride: null,
      zone: "UTC",
      as_of_tt: "tx:2",
      limit: 100,
      cursor: null,
    });
    expect((payload.rows as object[]).map(Object.values)).toEqual([
      ["b", "x", "k", 6],
      ["x", "b", "#8", 8],
      ["x", "b", "", 5],
    ]);
  });
});

/** The same block with nodes 1 and 2 for 0 and 1; node 0 is spent. */
function renumbered(block: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(block);
  bytes[5] = 2; // base of src
  bytes[9] = 2; // base of dst
  return bytes;
}
