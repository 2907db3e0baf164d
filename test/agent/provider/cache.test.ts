// Answers that are kept: under which key, which not, how long, and not beyond an erasure.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AskedSince } from "../../../src/agent/asked-since.js";
import { MemoryCache, StoreCache } from "../../../src/agent/provider/response-cache.js";
import type { Erasure } from "../../../src/derived/erasures.js";
import { Store } from "../../../src/store/store.js";
import { KEY, RIGHT, request, ScriptedServer } from "./asking.js";

const NOTHING_ERASED = new AskedSince(() => ({ headTx: 1, erasures: [], chainAt: () => "" }));

const served = ScriptedServer.begin();

describe("the cache of answers", () => {
  it("has one key for requests that differ in their fence alone", async () => {
    const { asked } = await served.start([{ text: RIGHT }]);
    const asking = served.client({}, new MemoryCache(NOTHING_ERASED));
    const other = (content: string, tag: string) =>
      request({ messages: [{ role: "user", content }], keyed: (text) => text.replaceAll(tag, "TAG") });
    await asking.ask(other("data-aaa q", "aaa"));
    const again = await asking.ask(other("data-bbb q", "bbb"));
    expect(again).toMatchObject({ value: { n: 7 }, usage: { calls: 0 } });
    await asking.ask(other("data-ccc r", "ccc"));
    await asking.ask({ ...other("data-ddd q", "ddd"), versions: { prompt: 2 } });
    expect(asked).toHaveLength(3);
  });

  it("keeps no answer that was cut or failed", async () => {
    const { asked } = await served.start([
      { text: "{", finish: "length" },
      { text: RIGHT },
      { text: "{", finish: "length" },
      { text: RIGHT },
    ]);
    const asking = served.client({}, new MemoryCache(NOTHING_ERASED));
    await asking.ask(request());
    await asking.ask(request());
    // The first, its longer repeat, and the first again: the repeat has a key of its own.
    expect(asked).toHaveLength(3);
  });

  it("in the store's folder outlives the process, and holds no key", async () => {
    const folder = mkdtempSync(join(tmpdir(), "palimpsest-cache-"));
    try {
      const store = await Store.open(folder, {});
      const { asked } = await served.start([{ text: RIGHT }]);
      const cache = () => new StoreCache(store.derived!, NOTHING_ERASED);
      await served.client({}, cache()).ask(request());
      await served.client({}, cache()).ask(request());
      expect(asked).toHaveLength(1);
      const answers = join(folder, "agent/answers");
      const files = readdirSync(answers);
      expect(files).toHaveLength(1);
      const held = readFileSync(join(answers, files[0]!), "utf8");
      expect(held).not.toContain(KEY);
      expect(held).not.toContain("127.0.0.1");
      writeFileSync(join(answers, files[0]!), held.replace("7", "8"));
      await served.client({}, cache()).ask(request());
      expect(asked).toHaveLength(2);
      await store.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("forgets what came before an erasure, also in answers to questions that went on meanwhile", async () => {
    const { asked } = await served.start([{ text: RIGHT }]);
    let erasures: Erasure[] = [];
    let headTx = 4;
    const since = new AskedSince(() => ({ headTx, erasures, chainAt: () => "" }));
    const asking = served.client({}, new MemoryCache(since));
    await asking.ask(request());
    await asking.ask(request());
    expect(asked).toHaveLength(1);
    await since.during(async () => {
      erasures = [{ tx: 5, firstTx: 2 }];
      headTx = 5;
      await asking.ask(request());
      await asking.ask(request());
      expect(asked).toHaveLength(3);
    });
    await asking.ask(request());
    await asking.ask(request());
    expect(asked).toHaveLength(4);
  });
});
