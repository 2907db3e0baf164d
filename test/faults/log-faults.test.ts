// Every call of the file layer fails once, writes tear, unsynced bytes and names are lost, the disk fills up.
// Four questions each time: are acknowledged commits there, is nothing there that was never staged, does the log open,
// does it go on.
import { describe, expect, test } from "vitest";
import { type CallKind, type Failure, FaultyFileLayer, USUAL_CALLS } from "../support/faulty-file-layer.js";
import { openLog, readAll, stage, textsOf } from "../support/log-driver.js";

interface Session {
  readonly acknowledged: string[];
  readonly staged: string[];
  readonly errors: unknown[];
}

/** Opens, writes commits alone and in groups over several files, closes; notes what was promised and what failed. */
async function session(layer: FaultyFileLayer, name: string): Promise<Session> {
  const acknowledged: string[] = [];
  const staged: string[] = [];
  const errors: unknown[] = [];
  try {
    const { writer } = await openLog(layer, { rotateBytes: 700 });
    for (let i = 0; i < 6; i += 1) {
      const pending: Promise<void>[] = [];
      for (let k = 0; k < 1 + (i % 3); k += 1) {
        const text = `${name}/${i}/${k}`;
        try {
          const { done } = stage(writer, layer, [text]);
          staged.push(text);
          pending.push(
            done.then(
              () => void acknowledged.push(text),
              (error) => void errors.push(error),
            ),
          );
        } catch (error) {
          errors.push(error);
        }
      }
      await Promise.all(pending);
    }
    await writer.close();
  } catch (error) {
    errors.push(error);
  }
  return { acknowledged, staged, errors };
}

function expectTyped(errors: readonly unknown[]): void {
  for (const error of errors) expect(error).toMatchObject({ code: "E_IO", details: expect.any(Object) });
}

async function expectRecovered(
  layer: FaultyFileLayer,
  before: readonly string[],
  failed: Session,
  what: string,
): Promise<void> {
  const { writer, commits } = await openLog(layer, { rotateBytes: 700 });
  const texts = commits.flatMap(textsOf);
  const possible = [...before, ...failed.staged];
  expect(texts, what).toEqual(possible.slice(0, texts.length));
  const promised = [...before, ...failed.acknowledged];
  expect(texts.slice(0, promised.length), what).toEqual(promised);
  await stage(writer, layer, ["after"]).done;
  await writer.close();
  const again = await readAll(layer.crashed());
  expect(again.error, what).toBeUndefined();
  expect(again.commits.flatMap(textsOf), what).toEqual([...texts, "after"]);
}

/** The n-th call of every kind, until a session is through without reaching it. */
async function* failures(
  kinds: readonly CallKind[],
  first: () => Promise<FaultyFileLayer>,
): AsyncGenerator<[Failure, FaultyFileLayer]> {
  for (const kind of kinds) {
    for (let call = 1; call < 200; call += 1) {
      const layer = await first();
      layer.failure = { kind, call: layer.count(kind) + call };
      yield [layer.failure, layer];
      if (!layer.hasFailed) break;
    }
  }
}

async function withOneSession(): Promise<FaultyFileLayer> {
  const layer = new FaultyFileLayer();
  expect((await session(layer, "before")).errors).toEqual([]);
  return layer.killed();
}

const BEFORE = Array.from({ length: 6 }, (_, i) =>
  Array.from({ length: 1 + (i % 3) }, (_, k) => `before/${i}/${k}`),
).flat();

describe("every call fails once", () => {
  test.each(["a new store", "a store with commits"])("in %s", async (which) => {
    const isNew = which === "a new store";
    let reached = 0;
    for await (const [failure, layer] of failures(USUAL_CALLS, async () =>
      isNew ? new FaultyFileLayer() : withOneSession(),
    )) {
      const failed = await session(layer, "failed");
      const what = `${failure.kind} ${failure.call}`;
      expectTyped(failed.errors);
      if (layer.hasFailed) reached += 1;
      const before = isNew ? [] : BEFORE;
      await expectRecovered(layer.killed(), before, failed, `${what}, killed`);
      await expectRecovered(layer.crashed(), before, failed, `${what}, crashed`);
    }
    expect(reached).toBeGreaterThan(40);
  });
});

describe("torn writes", () => {
  test("a write cut at any byte leaves the commits before it, and a log that opens", async () => {
    for (let tornAt = 0; tornAt < 400; tornAt += 7) {
      const layer = await withOneSession();
      layer.failure = { kind: "write", call: layer.count("write") + 4, tornAt };
      const failed = await session(layer, "torn");
      expect(layer.hasFailed).toBe(true);
      expectTyped(failed.errors);
      await expectRecovered(layer.killed(), BEFORE, failed, `torn at ${tornAt}`);
    }
  });

  test("a crash that keeps any sectors of what was not synced", async () => {
    for (let pattern = 0; pattern < 32; pattern += 1) {
      const layer = new FaultyFileLayer();
      const { writer } = await openLog(layer, { durability: "none" });
      const texts = Array.from({ length: 6 }, (_, i) => `commit ${i} ${"x".repeat(300)}`);
      for (const text of texts.slice(0, 2)) await stage(writer, layer, [text]).done;
      await writer.flush();
      for (const text of texts.slice(2)) await stage(writer, layer, [text]).done;
      const crashed = layer.crashed((sector) => ((pattern >> (sector % 5)) & 1) === 1);
      const { commits, writer: next } = await openLog(crashed);
      expect(commits.length).toBeGreaterThanOrEqual(2);
      expect(commits.flatMap(textsOf)).toEqual(texts.slice(0, commits.length));
      await next.close();
    }
  });
});

describe("a failed flush", () => {
  test("rejects everything staged with outcome unknown, publishes nothing later, and refuses writes", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer);
    await stage(writer, layer, ["kept"]).done;
    layer.failure = { kind: "sync", call: layer.count("sync") + 1 };
    const published: string[] = [];
    const staged = ["a", "b", "c"].map((text) => stage(writer, layer, [text], { publish: () => published.push(text) }));
    for (const result of await Promise.allSettled(staged.map((commit) => commit.done))) {
      expect(result).toMatchObject({ status: "rejected", reason: { code: "E_IO", details: { outcome: "unknown" } } });
    }
    expect(published).toEqual([]);
    const syncs = layer.count("sync");
    expect(() => stage(writer, layer, ["d"])).toThrow(expect.objectContaining({ code: "E_IO" }));
    await writer.close();
    expect(layer.count("sync")).toBe(syncs);
    // The bytes are in the cache and not on disk. Reopening decides that they are there, and makes it true.
    const reopened = await openLog(layer);
    expect(reopened.commits.flatMap(textsOf)).toEqual(["kept", "a", "b", "c"]);
    await reopened.writer.close();
    expect((await readAll(layer.crashed())).commits.flatMap(textsOf)).toEqual(["kept", "a", "b", "c"]);
  });

  test("also rejects what was staged while it ran", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer);
    layer.failure = { kind: "write", call: layer.count("write") + 1 };
    const first = stage(writer, layer, ["first"]).done;
    const outcomes: Promise<unknown>[] = [first];
    await Promise.resolve();
    outcomes.push(stage(writer, layer, ["second"]).done);
    for (const result of await Promise.allSettled(outcomes)) {
      expect(result).toMatchObject({ status: "rejected", reason: { code: "E_IO", details: { outcome: "unknown" } } });
    }
    await writer.close();
  });
});

describe("a full disk", () => {
  test("is found before anything is staged; the handle stays writable", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer);
    await stage(writer, layer, ["small"]).done;
    layer.capacityBytes = layer.paths().reduce((sum, path) => sum + layer.bytesOf(path).length, 0);
    const large = "x".repeat(3 << 20);
    const { head } = writer;
    expect(() => stage(writer, layer, [large])).toThrow(
      expect.objectContaining({
        code: "E_IO",
        details: expect.objectContaining({ outcome: "not_applied", os_code: "ENOSPC" }),
      }),
    );
    expect(writer.head).toEqual(head);
    await stage(writer, layer, ["fits into what was reserved"]).done;
    layer.capacityBytes = Number.POSITIVE_INFINITY;
    await stage(writer, layer, [large]).done;
    await writer.close();
    expect((await readAll(layer)).commits.length).toBe(3);
  });

  test("without room for a new file the old one grows on", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer, { rotateBytes: 1000 });
    await stage(writer, layer, ["first"]).done;
    layer.capacityBytes = layer.paths().reduce((sum, path) => sum + layer.bytesOf(path).length, 0) + 100;
    const texts = Array.from({ length: 30 }, (_, i) => `operation ${i}`);
    for (const text of texts) await stage(writer, layer, [text]).done;
    expect(layer.paths().filter((path) => path.endsWith(".plog")).length).toBe(1);
    layer.capacityBytes = Number.POSITIVE_INFINITY;
    await stage(writer, layer, ["roomy"]).done;
    await stage(writer, layer, ["in the next file"]).done;
    await writer.close();
    expect(layer.paths().filter((path) => path.endsWith(".plog")).length).toBe(2);
    expect((await readAll(layer)).commits.flatMap(textsOf)).toEqual(["first", ...texts, "roomy", "in the next file"]);
  });

  test("without a handle for a new file the old one grows on, and the next group tries again", async () => {
    const layer = new FaultyFileLayer();
    const { writer } = await openLog(layer, { rotateBytes: 1000 });
    layer.failure = { kind: "open", call: layer.count("open") + 1, osCode: "EMFILE" };
    const large = "x".repeat(1000);
    await stage(writer, layer, [large]).done;
    const files = () => layer.paths().filter((path) => path.endsWith(".plog")).length;
    await writer.flush();
    expect([layer.hasFailed, files()]).toEqual([true, 1]);
    await stage(writer, layer, ["goes on"]).done;
    await stage(writer, layer, ["in the next file"]).done;
    await writer.close();
    expect(files()).toBe(2);
    expect((await readAll(layer)).commits.flatMap(textsOf)).toEqual([large, "goes on", "in the next file"]);
  });
});
