// What is remembered of a file of lines: only what is new is read, and whatever becomes of the file, the lines are those that
// reading all of it gives.
import { expect, it } from "vitest";
import { LineIndex } from "../../src/derived/line-index.js";
import { digested, encodeLine, readLines } from "../../src/derived/lines.js";
import { SEEDS } from "../support/case-count.js";
import { Random } from "../support/random.js";

const CHAIN = "a".repeat(64);
const lineOf = (text: string): Buffer => Buffer.from(encodeLine(digested({ built_tx: 1, chain: CHAIN, text })));
const fileOf = (...texts: string[]): Buffer => Buffer.concat(texts.map(lineOf));

/** An index that tells which lines it was given to keep. */
function watched() {
  const parsed: string[] = [];
  const index = new LineIndex(({ text }) => {
    parsed.push(String(text));
    return text;
  });
  const read = async (bytes: Uint8Array) => {
    parsed.length = 0;
    const { lines, skipped, endedBytes, lineCount } = await index.read(bytes);
    const texts = lines.map(({ kept, place }) => [kept, Buffer.from(bytes.subarray(place.from, place.to)).toString()]);
    return { parsed: [...parsed], texts, skipped, endedBytes, lineCount };
  };
  return { index, read };
}

it("reads what is new, and nothing twice", async () => {
  const { read } = watched();
  expect((await read(fileOf("a", "b"))).parsed).toEqual(["a", "b"]);
  expect((await read(fileOf("a", "b"))).parsed).toEqual([]);
  const grown = await read(fileOf("a", "b", "c"));
  expect([grown.parsed, grown.texts.map(([text]) => text), grown.skipped]).toEqual([["c"], ["a", "b", "c"], []]);
});

it("reads all of a file that is another up to where it was known, though it be of the same length", async () => {
  const { read } = watched();
  await read(fileOf("a", "b", "c"));
  expect((await read(fileOf("a", "x", "c"))).parsed).toEqual(["a", "x", "c"]);
  expect((await read(fileOf("c"))).parsed).toEqual(["c"]);
  expect((await read(fileOf())).texts).toEqual([]);
  const altered = fileOf("c", "d");
  altered[10]! ^= 1;
  expect((await read(altered)).skipped).toEqual([{ line: 1, why: expect.stringMatching(/altered|not JSON/) }]);
});

it("keeps the numbers of lines that are none, and reads a torn end again when it is whole", async () => {
  const { read } = watched();
  const bad = Buffer.from("bad\n");
  const torn = Buffer.concat([fileOf("a"), bad, lineOf("b").subarray(0, 9)]);
  const badLine = { line: 2, why: expect.stringMatching(/not JSON/) };
  expect((await read(torn)).skipped).toEqual([badLine, { line: 3, why: "torn" }]);
  expect((await read(torn)).skipped).toEqual([badLine, { line: 3, why: "torn" }]);
  const ended = await read(Buffer.concat([fileOf("a"), bad, fileOf("b"), bad]));
  expect([ended.parsed, ended.skipped.map(({ line }) => line), ended.lineCount]).toEqual([["b"], [2, 4], 4]);
});

it.each([
  [
    { built_tx: 1.5, chain: CHAIN },
    { builtTx: null, chain: CHAIN },
  ],
  [
    { built_tx: "1", chain: "Zoe" },
    { builtTx: null, chain: null },
  ],
  [
    { built_tx: 3, chain: { name: "Zoe" } },
    { builtTx: 3, chain: null },
  ],
])("keeps of %j no more of its origin than commits and hashes", async (body, origin) => {
  const { index } = watched();
  const { lines } = await index.read(encodeLine(digested(body)));
  expect(lines.map((line) => line.origin)).toEqual([origin]);
});

it.each(SEEDS)("finds after random changes what reading all of it finds, seed %i", async (seed) => {
  const random = new Random(seed);
  const { read } = watched();
  let bytes = Buffer.alloc(0);
  for (let i = 0; i < 40; i += 1) {
    const at = random.below(bytes.length + 1);
    const line = random.chance(1, 5) ? Buffer.from("bad\n") : lineOf(`t${random.below(6)}`);
    const torn = line.subarray(0, random.below(line.length));
    const changed = [
      Buffer.concat([bytes, line]),
      Buffer.concat([bytes, line, torn]),
      bytes.subarray(0, at),
      Buffer.concat([bytes.subarray(0, at), line, bytes.subarray(at)]),
      bytes,
    ];
    bytes = Buffer.from(random.pick(changed));
    const { texts, skipped, endedBytes, lineCount } = await read(bytes);
    const { lines, ...whole } = await readLines(bytes, ({ text }, { from, to }) => [
      text,
      bytes.subarray(from, to).toString(),
    ]);
    expect({ texts, skipped, endedBytes, lineCount }, `step ${i}`).toEqual({ ...whole, texts: lines });
  }
});
