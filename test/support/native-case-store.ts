// The product's store as a store of the conformance suites: log, core and kernels, in memory.
import { storeDigest } from "../../src/operators/native/digest.js";
import { NativeEngine } from "../../src/operators/native/native-engine.js";
import { Store } from "../../src/store/store.js";
import { withViewAsync } from "../../src/store/views.js";
import type { CaseStore } from "../conformance/cases.js";

export async function nativeCaseStore(): Promise<CaseStore> {
  const store = await Store.open(":memory:", {});
  return {
    engine: new NativeEngine(store),
    judgesBatches: true,
    write: async (ops, txTime) => ({ tx: (await store.write(ops, { txTime })).tx }),
    digest: () => withViewAsync(store.core, null, storeDigest),
    close: () => store.close(),
  };
}
