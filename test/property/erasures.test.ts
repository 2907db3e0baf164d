// Law 25: after an erasure every answer at every pin is that of a store in which the identity was never written, its
// numbers used up. The reference engine writes the rest of the history once more; the product erases in its log.
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../src/contract/errors.js";
import { chainText } from "../../src/log/chain.js";
import { memoryFileLayer } from "../../src/log/memory-file-layer.js";
import { LogReader } from "../../src/log/reader.js";
import { storeDigest } from "../../src/operators/native/digest.js";
import { replayCommits } from "../../src/reference/index.js";
import { Store } from "../../src/store/store.js";
import { LogVerifier } from "../../src/store/verifier.js";
import { withViewAsync } from "../../src/store/views.js";
import { FIRST_SEED, SEEDS } from "../support/case-count.js";
import { comparisonSuite } from "../support/engine-comparison.js";
import { Random } from "../support/random.js";
import { callsOfEach } from "../support/random-calls.js";
import { batchesWithErasures } from "../support/random-erasures.js";
import { randomRef } from "../support/random-store.js";

comparisonSuite(
  "every operator after erasures, on random stores",
  20,
  (random, head) => random.pick(callsOfEach(random, head, [randomRef(random), randomRef(random)])),
  batchesWithErasures,
);

const PATH = "/store";
const digestOf = (store: Store): Promise<string> => withViewAsync(store.core, null, storeDigest);

async function writeAll(store: Store, random: Random): Promise<number> {
  let erased = 0;
  for (const { ops, txTime } of batchesWithErasures(random)) {
    try {
      await store.write(ops, { txTime });
      if (ops[0]?.op === "erase") erased += 1;
    } catch (error) {
      if (!(error instanceof PalimpsestError) || error.code !== "E_NOT_FOUND") throw error;
    }
  }
  return erased;
}

describe("the log after erasures", () => {
  it("verifies, and replays to one digest on both engines", { timeout: 60_000 }, async () => {
    let erased = 0;
    for (const seed of SEEDS) {
      const where = `seed ${seed}`;
      const layer = memoryFileLayer();
      const store = await Store.openOn(layer, PATH, { rotateBytes: seed % 2 === 0 ? 2_000 : 64 << 20 });
      erased += await writeAll(store, new Random(seed + 7_000));
      const head = store.head();
      const digest = await digestOf(store);
      await store.close();

      const reader = new LogReader(layer, PATH);
      const verifier = new LogVerifier();
      const commits = [];
      for (let commit = await reader.next(); commit !== undefined; commit = await reader.next()) {
        commits.push(commit);
        await verifier.apply(commit);
      }
      verifier.finish();
      verifier.close();
      reader.close();
      expect(reader.isVouched, where).toBe(true);
      expect(chainText(reader.position.chain).length, where).toBe(64);
      expect(replayCommits(commits).digest(), where).toBe(digest);

      const again = await Store.openOn(layer, PATH, {});
      expect(again.head(), where).toEqual(head);
      expect(await digestOf(again), where).toBe(digest);
      await again.close();
    }
    if (SEEDS.length >= 25) expect(erased).toBeGreaterThan(SEEDS.length / 4);
  });

  it("goes on as if nothing had been taken out", { timeout: 60_000 }, async () => {
    for (const seed of SEEDS.slice(0, 10)) {
      const layer = memoryFileLayer();
      let store = await Store.openOn(layer, PATH, {});
      await writeAll(store, new Random(seed + FIRST_SEED));
      await store.close();
      // The next writes are numbered by what was read back, and read back once more.
      store = await Store.openOn(layer, PATH, {});
      await store.write([{ op: "assert_edge", src: "new", type: "M", dst: "a", valid_from: "2020-01-01" }]);
      const random = new Random(seed);
      for (const { ops } of batchesWithErasures(random)) {
        await store.write(ops).catch((error: PalimpsestError) => expect(error.code).toBe("E_NOT_FOUND"));
      }
      const digest = await digestOf(store);
      await store.close();
      store = await Store.openOn(layer, PATH, {});
      expect(await digestOf(store), `seed ${seed}`).toBe(digest);
      await store.close();
    }
  });
});
