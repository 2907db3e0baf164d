// The log as it should work: the worked example of FORMAT.md, round trips, groups, rotation, modes, followers.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CHAIN_START, chainText, nextChain } from "../../src/log/chain.js";
import { crc32c } from "../../src/log/crc32c.js";
import { LogFollower } from "../../src/log/follower.js";
import { decodeFrameHeader, encodeFrameHeader, FRAME_HEADER_BYTES } from "../../src/log/frame.js";
import { CommitItems, decodePayload } from "../../src/log/items.js";
import { decodeLogHeader, encodeLogHeader, LOG_HEADER_BYTES, logFilePath } from "../../src/log/layout.js";
import { MemoryFile, memoryFileLayer } from "../../src/log/memory-file-layer.js";
import { FaultyFileLayer } from "../support/faulty-file-layer.js";
import { itemsOf, openLog, readAll, STORE, stage, textsOf } from "../support/log-driver.js";

const FORMAT = readFileSync(new URL("../../native/core/store/FORMAT.md", import.meta.url), "utf8");

function exampleBytes(): Uint8Array {
  const dump = /```hex\n([\s\S]*?)```/.exec(FORMAT)![1]!;
  const hex = dump.split("\n").map((line) => line.slice(6, 53).replaceAll(" ", ""));
  return new Uint8Array(Buffer.from(hex.join(""), "hex"));
}

describe("the worked example of FORMAT.md", () => {
  test("reads as it says, with its chain", async () => {
    const layer = memoryFileLayer();
    const file = new MemoryFile();
    file.put(exampleBytes(), 0);
    layer.files.set(logFilePath(STORE, 1), file);
    const { commits, tail, error } = await readAll(layer);
    expect(error).toBeUndefined();
    expect(tail).toEqual({ kind: "end" });
    expect(commits.map((commit) => [commit.tx, commit.txTimeUs])).toEqual([
      [1, 1_767_323_045_000_000n],
      [2, 1_767_323_046_000_000n],
    ]);
    expect(commits.map((commit) => commit.items.map((item) => item.kind))).toEqual([
      ["idempotency_key", "operation"],
      ["operation", "block"],
    ]);
    expect(textsOf(commits[0]!)[0]).toBe("import-7");
    for (const [i, commit] of commits.entries()) expect(FORMAT).toContain(`h(${i + 1})    ${chainText(commit.chain)}`);
  });

  test("is what the encoder makes of the same fields", () => {
    const bytes = exampleBytes();
    const header = decodeLogHeader(bytes, "example", crc32c)!;
    expect(encodeLogHeader(header, crc32c)).toEqual(bytes.slice(0, LOG_HEADER_BYTES));
    let at = LOG_HEADER_BYTES;
    let frames = 0;
    while (at < bytes.length) {
      const frame = decodeFrameHeader(bytes.subarray(at))!;
      const payload = bytes.subarray(at + FRAME_HEADER_BYTES, at + FRAME_HEADER_BYTES + frame.payloadBytes);
      const { items, root } = decodePayload(payload, frame.itemCount)!;
      const encoded = encodeFrameHeader(
        frame,
        { bytes: payload, itemCount: items.length, root, sum: crc32c(payload) },
        crc32c,
      );
      expect(encoded).toEqual(bytes.slice(at, at + FRAME_HEADER_BYTES));
      at += FRAME_HEADER_BYTES + frame.payloadBytes;
      frames += 1;
    }
    expect(frames).toBe(2);
  });
});

describe("writing and reading", () => {
  test("gives back every commit, across reopening, rotation and frames", async () => {
    const layer = memoryFileLayer();
    const written: string[][] = [];
    const chains: string[] = [];
    for (let session = 0; session < 4; session += 1) {
      const { writer, commits, cut } = await openLog(layer, { rotateBytes: 3000 });
      expect(commits.map(textsOf)).toEqual(written);
      expect(cut).toBeUndefined();
      for (let i = 0; i < 10; i += 1) {
        const texts = Array.from(
          { length: 1 + ((7 * i + session) % 9) },
          (_, k) => `op ${session}/${i}/${k} ${"é".repeat((k * 37) % 300)}`,
        );
        const staged = stage(writer, layer, texts, { frameTargetBytes: 400 });
        await staged.done;
        written.push(texts);
        chains.push(chainText(staged.chain));
      }
      await writer.close();
    }
    const { commits, tail } = await readAll(layer);
    expect(commits.map(textsOf)).toEqual(written);
    expect(commits.map((commit) => chainText(commit.chain))).toEqual(chains);
    expect(commits.some((commit) => commit.lastFrame > commit.firstFrame)).toBe(true);
    expect(tail).toEqual({ kind: "end" });
    expect(layer.list(`${STORE}/log`).length).toBeGreaterThan(5);
  });

  test("keeps rejected batches, their time and their place in the chain", async () => {
    const layer = memoryFileLayer();
    const { writer } = await openLog(layer);
    await stage(writer, layer, ["one"]).done;
    const rejected = writer.stage({
      tx: 0,
      txTimeUs: writer.head.txTimeUs + 5n,
      outcome: { kind: "not_found", operation: 3 },
      items: itemsOf(layer, ["gone"]),
    });
    await rejected.done;
    await stage(writer, layer, ["two"]).done;
    await writer.close();
    const { commits } = await readAll(layer);
    expect(commits.map((commit) => commit.tx)).toEqual([1, 0, 2]);
    expect(commits[1]!.outcome).toEqual({ kind: "not_found", operation: 3 });
    expect(commits[2]!.txTimeUs).toBeGreaterThan(commits[1]!.txTimeUs);
  });

  test("refuses what does not follow", async () => {
    const layer = memoryFileLayer();
    const { writer } = await openLog(layer);
    await stage(writer, layer, ["one"]).done;
    const { txTimeUs } = writer.head;
    for (const wrong of [
      { tx: 1, txTimeUs: txTimeUs + 1n },
      { tx: 3, txTimeUs: txTimeUs + 1n },
      { tx: 2, txTimeUs },
    ]) {
      expect(() => writer.stage({ ...wrong, items: itemsOf(layer, ["x"]) })).toThrow(
        expect.objectContaining({ code: "E_INTERNAL" }),
      );
    }
    await writer.close();
    expect(() => stage(writer, layer, ["late"])).toThrow(expect.objectContaining({ code: "E_CLOSED" }));
  });

  test("hashes items with their kind, so that an operation cannot become a key", () => {
    const asOperation = new CommitItems(crc32c);
    asOperation.addOperation("same");
    const payload = asOperation.payloads()[0]!;
    const altered = new Uint8Array(payload.bytes);
    altered[23] = 3;
    expect(decodePayload(altered, 1)!.root).not.toEqual(payload.root);
    expect(decodePayload(payload.bytes, 1)!.root).toEqual(payload.root);
  });

  test("chains the outcome", () => {
    const frame = { frameNo: 1, tx: 0, txTimeUs: 5n, itemCount: 1, root: new Uint8Array(32) };
    const a = nextChain(CHAIN_START, { ...frame, outcome: { kind: "not_found", operation: 1 } });
    const b = nextChain(CHAIN_START, { ...frame, outcome: { kind: "not_found", operation: 2 } });
    expect(a).not.toEqual(b);
  });
});

describe("groups", () => {
  test("one turn, one write and one sync, published in order", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer);
    const writes = layer.count("write");
    const syncs = layer.count("sync");
    const published: number[] = [];
    const staged = Array.from({ length: 32 }, (_, i) =>
      stage(writer, layer, [`op ${i}`], { publish: () => published.push(i) }),
    );
    await Promise.all(staged.map((commit) => commit.done));
    expect([layer.count("write") - writes, layer.count("sync") - syncs]).toEqual([1, 1]);
    expect(published).toEqual(Array.from({ length: 32 }, (_, i) => i));
    expect(writer.durableFrame).toBe(32);
    await writer.close();
  });

  test("writers in a loop share every flush", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer);
    const before = layer.count("sync");
    const loop = async (name: number): Promise<void> => {
      for (let i = 0; i < 10; i += 1) await stage(writer, layer, [`${name}/${i}`]).done;
    };
    await Promise.all(Array.from({ length: 32 }, (_, name) => loop(name)));
    const flushes = layer.count("sync") - before;
    expect(320 / flushes).toBeGreaterThanOrEqual(24);
    await writer.close();
  });
});

describe("durability modes", () => {
  test("none: nothing is synced until a flush, and frames say so", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer, { durability: "none" });
    const before = layer.count("sync");
    for (let i = 0; i < 5; i += 1) await stage(writer, layer, [`op ${i}`]).done;
    expect(layer.count("sync")).toBe(before);
    expect(writer.durableFrame).toBe(0);
    expect((await readAll(layer.crashed())).commits.length).toBe(0);
    await writer.flush();
    expect(writer.durableFrame).toBe(5);
    expect((await readAll(layer.crashed())).commits.length).toBe(5);
    await writer.close();
  });

  test("interval: resolves before the sync, which comes by itself", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer, { durability: "interval" });
    await stage(writer, layer, ["op"]).done;
    expect(writer.durableFrame).toBe(0);
    await expect.poll(() => writer.durableFrame, { timeout: 5000 }).toBe(1);
    await writer.close();
  });
});

describe("followers", () => {
  test("stop at the durable frame of a living writer, and read to the end when none lives", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer, { durability: "none", rotateBytes: 2000 });
    const follower = new LogFollower(layer, STORE);
    const poll = async (): Promise<string[]> => {
      const texts: string[] = [];
      for await (const commit of follower.poll()) texts.push(...textsOf(commit));
      return texts;
    };
    expect(await poll()).toEqual([]);
    await stage(writer, layer, ["a"]).done;
    expect(await poll()).toEqual([]);
    expect(follower.tail).toEqual({ kind: "limit" });
    await writer.flush();
    expect(await poll()).toEqual(["a"]);
    await stage(writer, layer, ["b"]).done;
    await stage(writer, layer, ["c"]).done;
    expect(await poll()).toEqual([]);
    await writer.close();
    expect(await poll()).toEqual(["b", "c"]);
    expect(follower.tail).toEqual({ kind: "end" });
    const again = await openLog(layer, { rotateBytes: 300 });
    for (let i = 0; i < 6; i += 1) await stage(again.writer, layer, [`d${i}`]).done;
    expect(await poll()).toEqual(["d0", "d1", "d2", "d3", "d4", "d5"]);
    await again.writer.close();
    follower.close();
  });
});
