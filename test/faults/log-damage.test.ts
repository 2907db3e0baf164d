// Bytes that time or people have changed: every truncation point and every flipped byte of a small log.
// The reader answers with an error or a prefix; the writer moves aside what was promised to nobody, and goes on.
import { beforeAll, describe, expect, test } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { logFilePath } from "../../src/log/layout.js";
import { FaultyFileLayer } from "../support/faulty-file-layer.js";
import { openLog, type ReadBack, readAll, STORE, stage, textsOf } from "../support/log-driver.js";

interface SmallLog {
  readonly layer: FaultyFileLayer;
  readonly texts: string[][];
  readonly chains: Uint8Array[];
  readonly paths: string[];
}

/** Three files; single, grouped and spanning commits; closed in order. */
async function smallLog(): Promise<SmallLog> {
  const layer = new FaultyFileLayer();
  const { writer } = await openLog(layer, { rotateBytes: 900 });
  const texts: string[][] = [];
  const chains: Uint8Array[] = [];
  const write = (batch: string[]) => {
    const staged = stage(writer, layer, batch, { frameTargetBytes: 60 });
    texts.push(batch);
    chains.push(staged.chain);
    return staged.done;
  };
  await write(["one"]);
  await write(["two", "a longer operation that fills a frame by itself, and one more", "three"]);
  await Promise.all([write(["four"]), write(["five"])]);
  for (let i = 6; layer.paths().filter((path) => path.endsWith(".plog")).length < 3; i += 1)
    await write([`operation ${i}`]);
  await write(["in the last file"]);
  await Promise.all([write(["last but one"]), write(["last"])]);
  await writer.close();
  const paths = layer.paths().filter((path) => path.endsWith(".plog"));
  return { layer, texts, chains, paths };
}

let log: SmallLog;
beforeAll(async () => {
  log = await smallLog();
  expect(log.paths.length).toBeGreaterThanOrEqual(3);
});

/** A copy of the log on which one file has other bytes. */
function withBytes(path: string, bytes: Uint8Array): FaultyFileLayer {
  const layer = log.layer.killed();
  layer.setBytes(path, bytes);
  return layer;
}

/** Error or prefix, and never more than was there. */
function expectPrefix({ commits, error }: ReadBack, what: string): void {
  const texts = commits.map(textsOf);
  expect(texts, what).toEqual(log.texts.slice(0, texts.length));
  for (const [i, commit] of commits.entries()) expect(Buffer.compare(commit.chain, log.chains[i]!), what).toBe(0);
  if (error === undefined) return;
  expect(error, what).toBeInstanceOf(PalimpsestError);
  expect(["E_LOG_CORRUPT", "E_FORMAT"], what).toContain((error as PalimpsestError).code);
}

describe("truncation", () => {
  test("of the last file, at every byte: the commits before it, then a torn tail or an end", async () => {
    const path = log.paths.at(-1)!;
    const bytes = log.layer.bytesOf(path);
    const seen = new Set<number>();
    for (let length = 0; length < bytes.length; length += 1) {
      const layer = withBytes(path, bytes.slice(0, length));
      const answer = await readAll(layer);
      expectPrefix(answer, `cut at ${length}`);
      expect(answer.error, `cut at ${length}`).toBeUndefined();
      seen.add(answer.commits.length);

      const { writer, commits, cut } = await openLog(layer);
      expect(commits.length).toBe(answer.commits.length);
      expect(cut === undefined).toBe(answer.tail.kind === "end");
      await stage(writer, layer, ["after"]).done;
      await writer.close();
      const again = await readAll(layer);
      expect(again.commits.map(textsOf)).toEqual([...log.texts.slice(0, commits.length), ["after"]]);
      expect(again.tail.kind).toBe("end");
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  test("of an earlier file: damage, named with file and offset, and the writer refuses too", async () => {
    for (const path of log.paths.slice(0, -1)) {
      const bytes = log.layer.bytesOf(path);
      for (let length = 0; length < bytes.length; length += 1) {
        const layer = withBytes(path, bytes.slice(0, length));
        const answer = await readAll(layer);
        expectPrefix(answer, `${path} cut at ${length}`);
        expect(answer.error, `${path} cut at ${length}`).toMatchObject({
          code: "E_LOG_CORRUPT",
          details: { file: expect.stringContaining(".plog"), offset: expect.any(Number) },
        });
        if (length % 97 === 0) {
          await expect(openLog(layer)).rejects.toMatchObject({ code: "E_LOG_CORRUPT" });
          expect(layer.bytesOf(path)).toEqual(bytes.slice(0, length));
        }
      }
    }
  });
});

describe("a flipped byte", () => {
  test("anywhere: an error or a prefix", async () => {
    const outcomes = { whole: 0, prefix: 0, damage: 0 };
    for (const path of log.paths) {
      const bytes = log.layer.bytesOf(path);
      for (let at = 0; at < bytes.length; at += 1) {
        for (const flip of [0x01, 0x80]) {
          const altered = bytes.slice();
          altered[at] = altered[at]! ^ flip;
          const answer = await readAll(withBytes(path, altered));
          expectPrefix(answer, `${path} at ${at} with ${flip}`);
          if (answer.error !== undefined) outcomes.damage += 1;
          else if (answer.commits.length < log.texts.length) outcomes.prefix += 1;
          else outcomes.whole += 1;
        }
      }
    }
    expect(outcomes.whole).toBe(0);
    expect(outcomes.prefix).toBeGreaterThan(0);
    expect(outcomes.damage).toBeGreaterThan(outcomes.prefix);
  });

  test("in a frame that a later one knew durable is damage, in the last group a torn tail kept in cut-<k>", async () => {
    const path = log.paths.at(-1)!;
    const bytes = log.layer.bytesOf(path);
    const layer = withBytes(
      path,
      bytes.map((byte, i) => (i === bytes.length - 1 - 8 ? byte ^ 1 : byte)),
    );
    const { writer, cut, commits } = await openLog(layer);
    expect(commits.length).toBe(log.texts.length - 1);
    const { frameNo } = writer.head;
    expect(cut).toMatchObject({ path: `${STORE}/log/cut-${frameNo + 1}`, frameNo: frameNo + 1 });
    expect(layer.bytesOf(cut!.path!).length).toBe(cut!.byteCount);
    expect(Buffer.from(layer.bytesOf(cut!.path!)).includes("PALFRAME")).toBe(true);
    await writer.close();
  });

  test("in the header of the only file of a store with commits is damage", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer);
    await stage(writer, layer, ["only"]).done;
    await writer.close();
    const path = logFilePath(STORE, 1);
    const bytes = layer.bytesOf(path);
    layer.setBytes(
      path,
      bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte)),
    );
    await expect(openLog(layer)).rejects.toMatchObject({ code: "E_LOG_CORRUPT" });
  });

  test("a version above ours is E_FORMAT, and the message names both", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer);
    await writer.close();
    const path = logFilePath(STORE, 1);
    const bytes = layer.bytesOf(path);
    bytes[8] = 9;
    const sum = layer.crc32c(bytes.subarray(16, 88), layer.crc32c(bytes.subarray(0, 12)));
    new DataView(bytes.buffer).setUint32(12, sum, true);
    layer.setBytes(path, bytes);
    await expect(openLog(layer)).rejects.toMatchObject({ code: "E_FORMAT", message: expect.stringMatching(/9.*1/) });
  });
});

describe("files that are missing, swapped or cut short", () => {
  test("the first, or one in the middle, is damage; no hole is passed", async () => {
    for (const path of log.paths.slice(0, -1)) {
      const layer = log.layer.killed();
      layer.remove(path);
      const answer = await readAll(layer);
      expectPrefix(answer, path);
      expect(answer.error).toMatchObject({ code: "E_LOG_CORRUPT" });
    }
  });

  test("two files exchanged, or one from another store", async () => {
    const [first, second] = log.paths as [string, string];
    const swapped = log.layer.killed();
    swapped.setBytes(first, log.layer.bytesOf(second));
    swapped.setBytes(second, log.layer.bytesOf(first));
    expect((await readAll(swapped)).error).toMatchObject({ code: "E_LOG_CORRUPT" });
    const other = await smallLog();
    const mixed = log.layer.killed();
    mixed.setBytes(second, other.layer.bytesOf(second));
    const answer = await readAll(mixed);
    expectPrefix(answer, "mixed");
    expect(answer.error).toMatchObject({ code: "E_LOG_CORRUPT" });
  });

  test("cut between two frames at the end looks whole: only an anchor outside knows", async () => {
    const path = log.paths.at(-1)!;
    const bytes = log.layer.bytesOf(path);
    const lastFrame = Buffer.from(bytes).lastIndexOf("PALFRAME");
    const answer = await readAll(withBytes(path, bytes.slice(0, lastFrame)));
    expect(answer).toMatchObject({ tail: { kind: "end" }, error: undefined });
    expect(answer.commits.length).toBe(log.texts.length - 1);
  });
});
